"""Names that nothing is called by, and those that several documents have."""

from __future__ import annotations

import pytest

from core.plan.check.called import uncalled
from core.plan.check.which_one import which_meant
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
    assert uncalled(_lookup(words, kind, "weight"), KNOWN)[1] == lost


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
