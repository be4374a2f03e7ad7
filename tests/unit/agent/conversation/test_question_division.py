"""Texts as the questions that they ask, by sentences."""

from __future__ import annotations

import pytest

from core.agent.conversation.question_division import MOST_CHARS, MOST_QUESTIONS, divided
from core.plan.reading import Operation, Reading

_ASKING = ("how many", "which", "list", "when", "who", "and ", "does", "show")


def read(text: str) -> Reading:
    """A reader that knows how questions begin."""
    said = text.casefold()
    if said.startswith(("thanks", "hello")):
        operation = Operation.HELP
    else:
        operation = Operation.LIST if said.startswith(_ASKING) else Operation.TEXT
    return Reading(operation=operation, by="trained", question=text)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "How many leases end in 2025? Which of them can be renewed?",
            ("How many leases end in 2025?", "Which of them can be renewed?"),
        ),
        (
            "List the invoices from May. How many are over 500?",
            ("List the invoices from May.", "How many are over 500?"),
        ),
        ("which leases end in 2025; who signed them", ("which leases end in 2025", "who signed them")),
        ("how many end in 2025? and in 2026?", ("how many end in 2025?", "and in 2026?")),
        (
            "1. Which leases end in 2025?\n2. Who signed the Porto lease\n",
            ("Which leases end in 2025?", "Who signed the Porto lease"),
        ),
        (
            "- how many leases are there\n- list the invoices",
            ("how many leases are there", "list the invoices"),
        ),
        (
            "What does the Porto lease say about pets? How are repairs paid for?",
            ("What does the Porto lease say about pets?", "How are repairs paid for?"),
        ),
        (
            "Which leases end in 2025?\nDoes the Porto lease have a break clause?",
            ("Which leases end in 2025?", "Does the Porto lease have a break clause?"),
        ),
    ],
)
def test_every_sentence_that_asks_by_itself_is_a_question(text: str, questions: tuple[str, ...]) -> None:
    assert divided(text, read) == questions


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How many leases end in 2025?",
        "How many leases end in 2025 and which can be renewed?",
        "I am reviewing the Porto lease. When does it end?",
        "Thanks! How many leases are there?",
        "What does the lease say about pets? Why?",
        "Which contracts use Inc. in their names?",
        'Which leases say "Who pays? The tenant"?',
        "Which leases (do any? one would do) end in 2025?",
        "How many leases are there? how many leases are there?",
        "which leases are with Halden Corp. in Texas",
        "Which report is at https://example.org/a?b=c;d=e",
        "We found three things:\n1. the roof leaks\n2. which leases say so?",
        "????? ;;; ...",
    ],
)
def test_a_text_with_a_part_that_asks_nothing_stays_whole(text: str) -> None:
    assert divided(text, read) == ()


def test_a_list_of_too_many_questions_stays_whole() -> None:
    assert (
        divided("Who signed it? " * 1 + "".join(f"Who signed {n}? " for n in range(MOST_QUESTIONS)), read)
        == ()
    )


def test_a_long_text_is_never_read_in_parts() -> None:
    def refuse(_text: str) -> Reading:
        raise AssertionError

    assert divided("Who signed it? " * MOST_CHARS, refuse) == ()


def test_a_text_that_one_plan_says_is_one_question() -> None:
    text = "How many leases end in 2025? Which ones?"

    assert divided(text, read, lambda whole: whole == text) == ()
    assert divided(text, read, lambda _: True) == ()  # "which ones" asks for nothing more
    assert len(divided(text, read, lambda _: False)) == 2


def test_a_sentence_that_says_how_to_answer_is_no_question() -> None:
    def unsure(text: str) -> Reading:
        left = () if text.endswith("?") else ("decimal places",)
        return Reading(
            operation=Operation.COMPUTE, by="trained", question=text, uncovered=left, probability=0.1
        )

    assert divided("What is the margin of 2022? Round it to two decimal places.", unsure) == ()
