"""Cells of the matrix as a person reads them: statuses, values, methods, and what a reviewer did."""

from __future__ import annotations

from core.config.fields import FieldDefinition
from core.domain.fields import CellStatus, FieldType, ReviewAction

SIGN = {
    CellStatus.PRESENT: "●",
    CellStatus.ABSENT: "○",
    CellStatus.UNCERTAIN: "◆",
    CellStatus.UNREADABLE: "▲",
}
WORD = {
    CellStatus.PRESENT: "Present",
    CellStatus.ABSENT: "Absent",
    CellStatus.UNCERTAIN: "Uncertain",
    CellStatus.UNREADABLE: "Unreadable",
}
TYPE = {
    FieldType.TEXT: "Text",
    FieldType.BOOLEAN: "Clause: there or not",
    FieldType.MONEY: "Money",
    FieldType.DATE: "Date",
    FieldType.DURATION: "Duration",
    FieldType.NUMBER: "Number with unit",
    FieldType.ENUM: "One of some words",
    FieldType.PARTY: "Party",
}
ACTION = {
    ReviewAction.CONFIRM: "confirmed",
    ReviewAction.CORRECT: "corrected",
    ReviewAction.ABSENT: "marked absent",
    ReviewAction.UNDO: "took the last verdict back",
}
_METHOD = {
    "": "",
    "pattern": "Words of a pattern",
    "heading": "A heading that says it",
    "key_value": "A line or cell “key: value”",
    "table": "A column of a table",
    "semantic": "Nearest in meaning to the examples",
    "head": "A trained model of this clause",
    "words": "Its own words, and what verdicts have in common",
    "missing words": "No word in the text that it would need",
    "two readers": "The rules and a trained reader together",
    "model": "Read by the language model",
    "reviewer": "A person",
}


def definition_lines(field: FieldDefinition) -> list[tuple[str, str]]:
    """Parts of a field's definition with their labels: description, what counts, what does not, examples."""
    parts = (
        ("What it is", (field.description,)),
        ("What counts", (field.includes,)),
        ("What does not", (field.excludes,)),
        ("Such as", tuple(f"“{each}”" for each in field.all_examples)),
        ("Not such as", tuple(f"“{each}”" for each in field.counter_examples)),
        ("Asked in buckets", field.buckets),
        ("Contradicts itself", (field.contradiction,)),
    )
    return [(label, " · ".join(said)) for label, said in parts if any(said)]


def method(name: str) -> str:
    """Deciding method, in plain words."""
    if name in _METHOD:
        return _METHOD[name]
    rule = name.removeprefix("rule").strip()
    return "The rule for " + rule.replace("_", " ") if rule else "A rule of the product"
