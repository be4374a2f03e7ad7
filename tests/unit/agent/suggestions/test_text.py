from __future__ import annotations

from core.agent.suggestions.text import suggest


def test_without_any_evidence_the_program_is_asked_about() -> None:
    assert len(set(suggest("Anything?", (), ()))) == 3


def test_titles_are_offered_for_summaries() -> None:
    found = suggest("Anything?", (), (), ["Lease", "Manual", "Policy", "Lease"])
    assert found == ("Summarise “Lease”", "Summarise “Manual”", "Summarise “Policy”")


def test_the_question_just_asked_is_not_suggested() -> None:
    assert "Summarise “Lease”" not in suggest("summarise “lease”", (), (), ["Lease", "Manual"])


def test_titles_that_cannot_be_read_are_left_out() -> None:
    assert all("0000" not in line for line in suggest("q", (), (), ["0000-11", "x" * 200]))


def test_a_summary_just_asked_for_is_not_suggested_in_another_spelling() -> None:
    found = suggest("Summarize the warehouse lease", (), (), ["WAREHOUSE LEASE", "Manual"])
    assert found[0] == "Summarise “Manual”"
