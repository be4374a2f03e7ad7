"""Nodes, what is expected of them and what they gave, in the words of the inspector."""

from __future__ import annotations

from collections.abc import Mapping

from app.presenting.wording import counted
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.domain.results import (
    Comparison,
    Connections,
    Documents,
    FoundValue,
    Groups,
    Passages,
    QueryTable,
    Result,
)
from core.plan.ir.nodes import Estimate, Node, spec_of
from core.plan.ir.validate import gives
from core.plan.ir.verbalise import OPERATORS

SIGN = {"present": "●", "absent": "○", "uncertain": "◆", "unreadable": "▲"}
FULFILS = {"present": "Fulfil it", "absent": "Do not", "uncertain": "Uncertain", "unreadable": "Unreadable"}
"""The parts of what a node gave: by its conditions, also where these ask that something is missing."""
PART = {"present": "Present", "absent": "Absent", "uncertain": "Uncertain", "unreadable": "Unreadable"}
SOURCE = {"sql": "SQL", "index": "index", "memory": "memory", "store": "store", "page": "pages"}
_ORDERED = (Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.BETWEEN)
_TEXTS = (Operator.CONTAINS, Operator.MATCHES)
_STATES = (Operator.MISSING, Operator.IS)
_OPERATORS: Mapping[FieldType, tuple[Operator, ...]] = {
    FieldType.BOOLEAN: (Operator.EQUAL, *_STATES),
    FieldType.DATE: (*_ORDERED, Operator.EQUAL, Operator.NOT_EQUAL, *_STATES),
    FieldType.MONEY: (*_ORDERED, Operator.EQUAL, Operator.NOT_EQUAL, *_STATES),
    FieldType.NUMBER: (*_ORDERED, Operator.EQUAL, Operator.NOT_EQUAL, *_STATES),
    FieldType.DURATION: (*_ORDERED, Operator.EQUAL, Operator.NOT_EQUAL, *_STATES),
}
_OF_TEXTS = (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN, *_TEXTS, *_STATES)
STATES = ("present", "absent", "uncertain", "unreadable", "check again", "not extracted")


def operators_of(kind: FieldType | None) -> tuple[Operator, ...]:
    """The operators that fit a type, those first that are used most; all of them where it is not known."""
    return tuple(Operator) if kind is None else _OPERATORS.get(kind, _OF_TEXTS)


def operator_word(operator: Operator, kind: FieldType | None) -> str:
    """An operator as it is read between a field and a value."""
    words = OPERATORS[operator]
    return words.date if kind is FieldType.DATE and words.date else words.form


def expected(node: Node, estimate: Estimate | None) -> str:
    """`about 6 documents, 30 ms` before a node has run."""
    if estimate is None:
        return ""
    return f"about {counted(estimate.rows, spec_of(node).unit(node))}, {_time(estimate.latency_ms)}"


def gave(result: Result) -> str:
    """`6 of 15 documents`, `USD 2,332,000`, `20 passages`."""
    if isinstance(result, Documents):
        return f"{len(result.present):,} of {counted(len(result.scope), 'document')}"
    if isinstance(result, Passages):
        return counted(len(result.hits), "passage")
    if isinstance(result, FoundValue):
        return amount(result.text, result.unit)
    if isinstance(result, QueryTable):
        return counted(result.total, "row")
    if isinstance(result, Comparison):
        return counted(len(result.rows), "row")
    if isinstance(result, Connections):
        return counted(len(result.ways), "way")
    assert isinstance(result, Groups)
    if not result.group_by and len(result.groups) == 1:
        return amount(result.groups[0].value, result.groups[0].unit)
    return f"{counted(len(result.groups), 'group')} of {counted(result.rows, 'value')}"


def amount(text: str | None, unit: str = "") -> str:
    """A canonical number or text with its unit, as a person reads it."""
    if text is None:
        return "nothing"
    whole, _, part = text.partition(".")
    if whole.lstrip("-").isdecimal() and (part.isdecimal() or not part):
        part = part.rstrip("0")
        text = f"{int(whole):,}" + (f".{part.ljust(2, '0') if unit else part}" if part else "")
    is_currency = len(unit) == 3 and unit.isupper()
    return f"{unit} {text}" if is_currency else f"{text} {unit}".strip()


def unit_of(node: Node) -> str:
    """Unit of a node's result, one of them."""
    given = gives(node)
    return {"comparison": "row"}.get(given, given.removesuffix("s"))


def _time(ms: float) -> str:
    return f"{max(1, round(ms)):,} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
