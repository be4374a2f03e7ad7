from __future__ import annotations

import pytest

from core.plan.text.classify import ComparisonQuestion, read_comparison


@pytest.mark.parametrize(
    ("question", "subjects", "topic"),
    [
        ("Compare liability caps between ACME and Beta Corp", ("ACME", "Beta Corp"), "liability caps"),
        ("Compare the warranty of A-1, B-2 and C-3", ("A-1", "B-2", "C-3"), "the warranty"),
        ("What is the difference between a Roth IRA and a 401k?", ("Roth IRA", "401k"), ""),
        ("How does Alpha compare to Beta in terms of efficiency?", ("Alpha", "Beta"), "efficiency"),
        ("ACME vs. Beta Corp: payment terms", ("ACME", "Beta Corp"), "payment terms"),
        ("Compare the lease with the amendment", ("lease", "amendment"), ""),
    ],
)
def test_subjects_and_topic_are_read(question: str, subjects: tuple[str, ...], topic: str) -> None:
    assert read_comparison(question) == ComparisonQuestion(subjects, topic)


@pytest.mark.parametrize(
    "question", ["What is the notice period?", "Consider the agreement between A and B; is there a cap?"]
)
def test_other_questions_compare_nothing(question: str) -> None:
    assert read_comparison(question) is None
