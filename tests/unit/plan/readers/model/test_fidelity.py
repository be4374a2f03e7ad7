from __future__ import annotations

import pytest

from core.plan.readers.model.fidelity import added_by, faithful_wordings, lost_from, unfaithful, words_in

QUESTION = "Which contracts with Halden from 2023 don't allow  Assignment?"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("with halden", "with Halden"),
        ("don't allow assignment", "don't allow Assignment"),
        ("contracts Assignment", "contracts Assignment"),
        ("with Orion", ""),
        ("", ""),
        ("the", ""),
    ],
)
def test_words_are_those_of_the_question(words: str, found: str) -> None:
    assert words_in(words, QUESTION) == found


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Halden 2023 not Assignment", ()),
        ("Halden contracts that do not", ("2023", "Assignment")),
        ("Halden, 2023, Assignment", ("don't",)),
    ],
)
def test_names_figures_and_a_negation_may_not_be_lost(text: str, lost: tuple[str, ...]) -> None:
    assert lost_from(QUESTION, text) == lost


def test_names_and_figures_may_not_be_added() -> None:
    assert added_by("Contracts with Halden and Orion over 500", QUESTION) == ("Orion", "500")


def test_wordings_say_something_else_without_new_names() -> None:
    given = [
        "clean the filter",
        " wash   filters",
        "ask Halden",
        "rinse 5 l",
        "x" * 300,
        "swap",
        "rinse",
        "wipe",
    ]

    assert faithful_wordings(given, "clean the filter") == ("wash filters", "swap", "rinse")


@pytest.mark.parametrize(
    ("questions", "why"),
    [
        (["When does the Halden lease end?", "Who signed it for Halden?"], ""),
        (["When does the Halden lease end?"], "There are 1 questions"),
        (["When does the lease end?", "Who signed it?"], "leave out “Halden”"),
        (["When does the Halden lease end?", "Who is Orion?"], "add “Orion”"),
        (["When does the Halden lease end?", "x" * 500], "longer than"),
    ],
)
def test_questions_say_together_what_was_asked(questions: list[str], why: str) -> None:
    assert why in unfaithful(questions, "When does the Halden lease end, and who signed it?")
    assert bool(unfaithful(questions, "When does the Halden lease end, and who signed it?")) is bool(why)
