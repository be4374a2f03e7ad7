"""How likely clauses are, by heads, rules and people."""

from __future__ import annotations

from dataclasses import replace

from core.domain.fields import Candidate, CellStatus, Finding
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.stated_values import ALL, put

PAGE = "This Agreement is governed by the laws of Delaware. The fee is USD 1,250.00."
NOBODY = Visibility(frozenset())


def test_a_clause_is_as_likely_as_its_head_says_and_certain_where_a_rule_decided(records: Records) -> None:
    there = Finding(CellStatus.PRESENT, confidence=0.97, method="head")
    gone = Finding(CellStatus.ABSENT, confidence=0.98, method="head")
    open_cell = Finding(
        CellStatus.UNCERTAIN, confidence=0.7, method="head", candidates=(Candidate(None, (), 0.3, "head"),)
    )
    by_rule = Finding(CellStatus.PRESENT, confidence=0.95, method="pattern")
    unsaid = Finding(CellStatus.UNCERTAIN, confidence=0.5, method="pattern")
    said = replace(gone, method="said")
    document = put(records, page=PAGE, a=there, b=gone, c=open_cell, d=by_rule, e=said, f=unsaid)
    found = records.fields.clause_probabilities(ALL, [document], ["a", "b", "c", "d", "e", "f"])
    assert {field: round(p, 4) for (_, field), p in found.items()} == {
        "a": 0.97,
        "b": 0.02,
        "c": 0.3,
        "d": 1.0,
        "e": 0.0,
    }
    assert records.fields.clause_probabilities(NOBODY, [document], ["a"]) == {(document, "a"): 0.97}
