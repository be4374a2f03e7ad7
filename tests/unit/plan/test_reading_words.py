"""Readings as whole questions in words."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.reading import Operation, ReadCondition, ReadField, Reading, ReadName
from core.plan.reading_words import in_words, says_no
from tests.support.conversation_readings import MarkedConversation
from tests.support.known_collection import known_collection

KNOWN = known_collection()


@pytest.mark.parametrize(
    ("head", "text", "words"),
    [
        ("list", "[leases]{kind} [under Texas law]{=governing_law}", "Leases: under Texas law?"),
        ("count", "how many lack [a cap]{-cap_on_liability}", "How many contracts: without a cap?"),
        ("list", "contracts [which are not capped]{-cap_on_liability}", "Contracts: which are not capped?"),
        ("list", "contracts not [under Texas law]{!=governing_law}", "Contracts: not under Texas law?"),
        (
            "list",
            "contracts without [a cap]{-cap_on_liability} [from 2019]{..agreement_date}",
            "Contracts: from 2019, without a cap?",
        ),
        (
            "list",
            "contracts under [Texas]{=governing_law} or [German]{|=governing_law} law",
            "Contracts: Texas or German (Germany)?",
        ),
        ("compute/sum", "total [value]{?contract_value} of contracts", "Total value of contracts?"),
        ("group/avg", "average [fee]{?annual_fee} [per law]{by governing_law}",
         "Average fee of contracts for each law?"),
        ("count/distinct", "how many [vendors]{?vendor}", "How many different vendors of contracts?"),
        ("lookup", "[law]{?governing_law} of the [Supply Agreement]{doc}", "Law of Supply Agreement?"),
        ("list", "contracts with [Halden]{party}", "Contracts: with Halden?"),
        (
            "rank/desc",
            "the [five]{limit} [largest]{order contract_value} contracts",
            "Contracts, by largest, 5 of them?",
        ),
        ("exists", "is there any with [insurance]{+insurance}", "Any contracts: insurance?"),
        ("text", "what does the [Supply Agreement]{doc} say about windows?",
         "what does the Supply Agreement say about windows?"),
    ],
)  # fmt: skip
def test_a_reading_is_a_whole_question(head: str, text: str, words: str) -> None:
    assert in_words(MarkedConversation(KNOWN).turn(head, text), KNOWN) == words


@pytest.mark.parametrize(
    ("words", "is_so"),
    [
        ("are not capped", True),
        ("don’t end", True),
        ("outside Texas", True),
        ("notice", False),
        ("a cap", False),
    ],
)
def test_words_that_deny_something_are_known(words: str, is_so: bool) -> None:
    assert says_no(words) is is_so


def test_a_document_that_no_words_name_leaves_no_empty_part() -> None:
    held = ReadName(words="", role="document", documents=("d1",))
    law = ReadCondition(
        field=ReadField(name="governing_law"), op=Operator.EQUAL, values=("Texas",), words="Texas"
    )
    reading = Reading(
        question="Texas?",
        by="model",
        operation=Operation.LIST,
        kind="contracts",
        names=(held,),
        conditions=(law,),
    )

    assert in_words(reading, KNOWN) == "Texas?"
