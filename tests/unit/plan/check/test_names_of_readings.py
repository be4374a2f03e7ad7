"""Names that nothing is called by, and those that several documents have."""

from __future__ import annotations

import pytest

from core.plan.check.checker import uncalled, unknown_attribute, which_field, which_meant
from core.plan.ir.nodes import Plan
from core.plan.reading import Operation, ReadField, Reading, ReadName
from tests.support.known_collection import known_collection

KNOWN = known_collection()


def _lookup(words: str, kind: str, asked: str) -> Reading:
    return Reading(
        operation=Operation.LOOKUP,
        kind=kind,
        names=(ReadName(words=words, role="document"),) if words else (),
        asked=(ReadField(name=asked, schema_name=kind),) if asked else (),
        question=f"What about the {words or 'contract'}?",
        by="trained",
    )


@pytest.mark.parametrize(
    ("words", "kind", "lost"),
    [
        ("Solis S-300", "datasheets", ""),
        ("Solis S-700", "datasheets", "S-700"),
        ("storage cabinet C-90", "manuals", ""),
        ("storage cabinet C-40", "manuals", "C-40"),
        ("supply agreement", "contracts", ""),
    ],
)
def test_a_code_that_no_document_has_is_lost(words: str, kind: str, lost: str) -> None:
    assert uncalled(_lookup(words, kind, "weight"), KNOWN) == lost


@pytest.mark.parametrize(
    ("words", "asked", "is_asked_back"),
    [
        ("policy", "effective_date", True),
        ("travel policy", "effective_date", False),
        ("policies", "effective_date", False),
    ],
)
def test_a_name_of_several_is_asked_about(words: str, asked: str, is_asked_back: bool) -> None:
    reading = _lookup(words, "contracts", asked)
    plan = Plan(question=reading.question, kind="lookup", route="structured")

    assert (which_meant(plan, reading, KNOWN) is not None) is is_asked_back


def test_a_noun_of_which_nothing_is_asked_is_asked_about() -> None:
    reading = _lookup("", "contracts", "")
    plan = Plan(question=reading.question, kind="lookup", route="structured", single="the contract")

    found = which_meant(plan, reading, KNOWN)

    assert found is not None
    assert found.phrase == "the contract"


def _asking(question: str, words: str, field: str, operation: Operation = Operation.LOOKUP) -> Reading:
    asked = ReadField(name=field, schema_name="contracts", words=words)
    return Reading(operation=operation, kind="contracts", asked=(asked,), question=question, by="trained")


@pytest.mark.parametrize(
    ("question", "words", "field", "expected"),
    [
        ("rent holiday of the contracts", "annual holiday", "annual_fee", "no_match"),
        ("annual pension of the director", "annual pension", "annual_fee", "absent"),
        ("annual fee of the contracts", "annual fee", "annual_fee", ""),
        ("what the contracts limit", "what they owe in the end", "liability_cap_amount", ""),
    ],
)
def test_what_no_field_is_called_is_said(question: str, words: str, field: str, expected: str) -> None:
    found = unknown_attribute(_asking(question, words, field), KNOWN)

    assert (found.type if found is not None else "") == expected


@pytest.mark.parametrize(
    ("words", "is_asked_back"), [("date", True), ("liability", True), ("expiry date", False), ("term", False)]
)
def test_a_word_of_many_fields_is_asked_back(words: str, is_asked_back: bool) -> None:
    found = which_field(_asking(f"{words} of the contracts", words, "agreement_date"), KNOWN)

    assert (found is not None) is is_asked_back
