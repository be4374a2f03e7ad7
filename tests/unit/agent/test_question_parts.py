from __future__ import annotations

import pytest

from core.agent.question_parts import adds_nothing, is_question, question_parts


def texts(text: str) -> list[str]:
    return [part.text for part in question_parts(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "When does the lease expire and who pays the insurance?",
            ["When does the lease expire", "who pays the insurance?"],
        ),
        (
            "How many contracts lack a cap, and which are they?",
            ["How many contracts lack a cap", "which are they?"],
        ),
        ("What is the term? And the notice period?", ["What is the term?", "And the notice period?"]),
        ("When does it end and its governing law?", ["When does it end", "its governing law?"]),
        (
            "Does the lease allow subletting, and does it require insurance?",
            ["Does the lease allow subletting", "does it require insurance?"],
        ),
        (
            "tell me when the lease ends and who signed it",
            ["tell me when the lease ends", "who signed it"],
        ),
        (
            "Which contracts lack notice and which of them are with ACME?",
            ["Which contracts lack notice", "which of them are with ACME?"],
        ),
        (
            "How many are governed by Texas law and how many by Iowa law?",
            ["How many are governed by Texas law", "How many are governed by Iowa law?"],
        ),
        (
            "does the deal explain returns? what are the steps",
            ["does the deal explain returns?", "what are the steps"],
        ),
        (
            "Under which law is the lease governed and where are disputes heard?",
            ["Under which law is the lease governed", "where are disputes heard?"],
        ),
        (
            "When was the lease signed and by whom?",
            ["When was the lease signed", "by whom was the lease signed?"],
        ),
        (
            "What is the average power of the panels and which is best?",
            ["What is the average power of the panels", "which is best?"],
        ),
        (
            "How many invoices are there? What is their total? Which is the oldest?",
            ["How many invoices are there?", "What is their total?", "Which is the oldest?"],
        ),
    ],
)
def test_several_questions_are_told_apart(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Which contracts have a cap and have insurance?",
        "Which contracts expire in 2025 and are governed by Texas law?",
        "Which contracts allow termination, and do not require notice?",
        "Which suppliers that deliver tires and who are in Texas bill in euros?",
        "How many agreements state when the invoice falls due and how it is to be paid?",
        "Suppliers that let us wait 45 days, and whose bills are over 10k",
        "Which agreement is the longest and is the one with ACME?",
        "Is there a company in there that trades in New York and is a carmaker",
        "What is the difference between what A says and what B says?",
        "Compare the caps of ACME and Beta and who pays more",
        "What may they do by way of amendment, and in what form?",
        "how wide and how heavy is the cabinet?",
        "Which law applies? (the one of the lease)",
        "Which suppliers give us the longest time to pay? top 10",
        "How many tires did we buy in 2024? Tires only, not the fitting.",
        "Who were the officers under Lt. Col. Dunnington's command in 1862?",
        "What does “who pays and who signs” mean?",
        "Which suppliers must buy cover and name us on it?",
        "When does the lease expire?",
        "",
        "?",
        "and",
    ],
)
def test_one_question_stays_whole(text: str) -> None:
    assert question_parts(text) == ()


def test_the_questions_of_a_message_are_found_in_its_middle() -> None:
    message = (
        "Hi team,\n\nwe are in the middle of the audit and the partner has been on my back since Monday, so "
        "I need this soon.\nCould you check when the warehouse lease expires? And is there any contract "
        "without force majeure?\nI will be travelling from Thursday on.\n\nKind regards,\nTom Miller\n"
        "Senior Auditor"
    )
    assert texts(message) == [
        "Could you check when the warehouse lease expires?",
        "And is there any contract without force majeure?",
    ]


def test_one_question_of_a_long_message_stands_alone() -> None:
    message = (
        "Dear all, following our call with the builders this morning, in which they complained about delays "
        "on site and asked for more money than was agreed, I have to answer their lawyer by tomorrow.\n"
        "What is the liability cap in the construction contract?\nThanks and best wishes, Anna"
    )
    assert texts(message) == ["What is the liability cap in the construction contract?"]


def test_a_list_of_too_many_questions_is_not_taken_apart() -> None:
    assert question_parts(" ".join(f"What is field{n} of the lease?" for n in range(9))) == ()


def test_a_part_may_lean_on_the_one_before() -> None:
    first, second = question_parts("When does the lease end and its governing law?")
    assert (first.leans, second.is_phrase, second.leans) == (False, True, True)


@pytest.mark.parametrize(
    ("part", "is_so"),
    [
        ("which are they?", True),
        ("List them.", True),
        ("what is that amount?", True),
        ("how many kg", True),
        ("what is their total value?", False),
        ("who pays the insurance?", False),
    ],
)
def test_a_part_that_asks_for_the_same_adds_nothing(part: str, is_so: bool) -> None:
    assert adds_nothing(part, "Which entry has the highest amount") is is_so


def test_a_part_that_wants_one_of_several_adds_that() -> None:
    assert not adds_nothing("which one is the most powerful?", "What is the average power of the panels")


@pytest.mark.parametrize(
    ("sentence", "is_so"),
    [
        ("list the contracts", True),
        ("I would like to know the term", True),
        ("is it valid", True),
        ("is for Kuwait", False),
        ("don't laugh, they tried", False),
        ("Kind regards", False),
        ("total amount?", True),
    ],
)
def test_sentences_that_ask(sentence: str, is_so: bool) -> None:
    assert is_question(sentence) is is_so
