"""Differences between two answers to one question, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.answer import LEDGER_PARTS, Answer

_MOST = 20  # names in one difference


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """One thing in which two answers differ; before and after in words, "" where it was not there."""

    name: str
    before: str
    after: str


def differences(before: Answer, after: Answer, names: Mapping[str, str]) -> tuple[AnswerDifference, ...]:
    """Everything in which the answers differ that a person was told; () where they are equal.

    names: of documents by id. Times, ids and follow-ups are no part of an answer.
    """
    found = [
        AnswerDifference(name, old, new)
        for name, told in _TOLD
        if (old := told(before)) != (new := told(after))
    ]
    found += _of_documents("Rows", _listed(before), _listed(after), names)
    for part in LEDGER_PARTS:
        found += _of_documents(f"Documents {part}", _part(before, part), _part(after, part), names)
    if len(before.parts) != len(after.parts):
        found.append(AnswerDifference("Questions in one", str(len(before.parts)), str(len(after.parts))))
    else:
        for number, (old_part, new_part) in enumerate(zip(before.parts, after.parts, strict=True), 1):
            found += [
                AnswerDifference(f"Question {number}: {each.name}", each.before, each.after)
                for each in differences(old_part, new_part, names)
            ]
    return tuple(found)


def _status(answer: Answer) -> str:
    return answer.status.value


def _text(answer: Answer) -> str:
    return answer.text


def _value(answer: Answer) -> str:
    value = answer.value
    return "" if value is None else f"{value.value} {value.unit or ''}".strip()


def _claims(answer: Answer) -> str:
    return "\n".join(f"{each.text} ({each.verdict.value})" for each in answer.claims)


def _places(answer: Answer) -> str:
    return "\n".join(
        f"[{each.n}] {each.title}, version {each.version}, page {each.page}: “{' '.join(each.quote.split())}”"
        for each in answer.citations
    )


def _table(answer: Answer) -> str:
    table = answer.table
    if table is None:
        return ""
    heads = " | ".join(column.name for column in table.columns)
    return "\n".join([heads, *(" | ".join(str(cell) for cell in row) for row in table.rows)])


def _ledger(answer: Answer) -> str:
    ledger = answer.ledger
    if ledger is None:
        return ""
    return f"{ledger.scope:,} = " + " + ".join(f"{getattr(ledger, part):,} {part}" for part in LEDGER_PARTS)


def _confidence(answer: Answer) -> str:
    return f"{answer.confidence:.2f} ({answer.confidence_label.value})"


def _conflicts(answer: Answer) -> str:
    return "\n".join(
        f"{each.subject}, {each.field}: {' / '.join(map(str, each.values))}" for each in answer.conflicts
    )


_TOLD: Sequence[tuple[str, Callable[[Answer], str]]] = (
    ("Status", _status),
    ("Text", _text),
    ("Value", _value),
    ("Claims", _claims),
    ("Citations", _places),
    ("Table", _table),
    ("Ledger", _ledger),
    ("Confidence", _confidence),
    ("Conflicts", _conflicts),
)


def _listed(answer: Answer) -> Sequence[str]:
    return answer.table.documents if answer.table is not None else ()


def _part(answer: Answer, part: str) -> Sequence[str]:
    return getattr(answer.ledger.documents, part) if answer.ledger is not None else ()


def _of_documents(
    name: str, before: Sequence[str], after: Sequence[str], names: Mapping[str, str]
) -> list[AnswerDifference]:
    """Documents that left a list, and those that came to it; [] where it has the same ones in any order."""
    were, are = frozenset(before), frozenset(after)
    left = [each for each in before if each not in are]
    came = [each for each in after if each not in were]
    if not left and not came:
        return []
    return [AnswerDifference(name, _named(left, names), _named(came, names))]


def _named(ids: Sequence[str], names: Mapping[str, str]) -> str:
    more = f" and {len(ids) - _MOST:,} more" if len(ids) > _MOST else ""
    return ", ".join(names.get(each, each) for each in ids[:_MOST]) + more
