"""The ledger of an answer: every document in scope, by what it came to."""

from __future__ import annotations

from collections.abc import Callable

from core.answer.computed.wording import counted, listed, phrase
from core.domain.answer import Ledger, LedgerDocuments
from core.domain.predicate import Operator
from core.domain.results import Documents, Unknown
from core.plan.ir.nodes import Condition, OtherField, SelectionNode, flattened

_OF_NOTHING = ("", "documents", "rows")
_REASONS = {
    "uncertain": "it is not sure what it states",
    "not extracted": "it was not read yet",
    "unreadable": "nothing could be read of it",
}


def ledger_of(
    documents: Documents,
    field: str,
    *,
    is_lack: bool = False,
    title: Callable[[str], str] = str,
) -> Ledger:
    """The ledger over a set of documents. is_lack: they were asked for lacking the field.

    present and absent are then about the field: present has it, absent lacks it. title: what a field is
    called.
    """
    present, absent = documents.present, documents.absent
    if is_lack:
        present, absent = absent, present
    lists = LedgerDocuments(
        present=tuple(sorted(present)),
        absent=tuple(sorted(absent)),
        unreadable=tuple(sorted(documents.unreadable)),
        uncertain=tuple(sorted(documents.uncertain)),
    )
    return Ledger(
        field=field,
        scope=len(documents.scope),
        is_exhaustive=documents.is_exhaustive,
        present=len(lists.present),
        absent=len(lists.absent),
        unreadable=len(lists.unreadable),
        uncertain=len(lists.uncertain),
        documents=lists,
        about=listed([phrase(title(name)) for name in field.split(", ") if name not in _OF_NOTHING]),
        reasons={
            id: _reason(why, title) for id, why in sorted(documents.unknown.items()) if id in documents.scope
        },
    )


def _reason(why: Unknown, title: Callable[[str], str]) -> str:
    if why.field and (why.value or _is_currency(why.reason)):
        return f"{title(why.field)} is stated in {why.reason}, which is not compared with other units"
    said = _REASONS.get(why.reason, why.reason)
    return f"{title(why.field)}: {said}" if why.field else said[:1].upper() + said[1:]


def asked_fields(node: SelectionNode) -> tuple[str, ...]:
    """The fields that a selection asks its documents for, those that only say what it is about left out."""
    conditions = flattened(node.conditions)
    asked = (name for each in conditions if not each.narrows for name in _needed(each))
    return tuple(dict.fromkeys(asked))


def _needed(condition: Condition) -> tuple[str, ...]:
    """The fields whose values a condition needs."""
    other = condition.value.field if isinstance(condition.value, OtherField) else condition.minus
    own = condition.field.removesuffix(".unit")
    return (own, other) if other else (own,)


def is_lack(node: SelectionNode) -> bool:
    """Whether a selection asks for nothing but that one field is missing."""
    asked = [c for c in node.conditions if not isinstance(c, Condition) or not c.narrows]
    return len(asked) == 1 and isinstance(asked[0], Condition) and asked[0].op is Operator.MISSING


TOP_K = "A search chose part of these documents: it finds the best, not all, so there may be more."


def unknown_sentences(
    documents: Documents, noun: str, about: str = "", title: Callable[[str], str] = str
) -> tuple[str, ...]:
    """What stands between the answer and certainty, in words; () where all is known.

    about: the titles of the fields that were asked for. title: what a field is called.
    """
    found = [] if documents.is_exhaustive else [TOP_K]
    if documents.unreadable:
        found.append(f"{counted(len(documents.unreadable), noun)} could not be read.")
    uncertain = documents.uncertain - in_other_units(documents).keys()
    for (field, unit), ids in of_other_units(documents).items():
        uncertain -= ids
        found.append(
            f"{counted(len(ids), noun)} {'is' if len(ids) == 1 else 'are'} uncertain: "
            f"{phrase(title(field))} is stated in {unit}, which is not compared with "
            f"other units. Ask in {unit} to compare."
        )
    if uncertain:
        one = len(uncertain) == 1
        what = f" what {'it states' if one else 'they state'} about {about}" if about else ""
        found.append(
            f"{counted(len(uncertain), noun)} {'is' if one else 'are'} uncertain:"
            f"{what or ' what was read'} is not sure enough to count."
        )
    return tuple(found)


def of_other_units(documents: Documents) -> dict[tuple[str, str], frozenset[str]]:
    """By field and unit the documents that were asked in another unit than the one that they state."""
    found: dict[tuple[str, str], set[str]] = {}
    for id, why in sorted(documents.unknown.items()):
        if id in documents.uncertain and why.field and not why.value and _is_currency(why.reason):
            found.setdefault((why.field, why.reason), set()).add(id)
    return {of: frozenset(ids) for of, ids in found.items()}


def _is_currency(reason: str) -> bool:
    return len(reason) == 3 and reason.isupper()


def in_other_units(documents: Documents) -> dict[str, Unknown]:
    """The documents that take no part since what they state is in another currency or unit than most."""
    return {id: why for id, why in documents.unknown.items() if why.value and id in documents.uncertain}


def left_out_sentences(documents: Documents, title: Callable[[str], str]) -> tuple[str, ...]:
    """Which documents are left out for the currency or unit of what they state. title: of a document."""
    apart = sorted((title(id), why.value, why.reason) for id, why in in_other_units(documents).items())
    if not apart:
        return ()
    said = ", ".join(f"{name} ({value}, {reason})" for name, value, reason in apart)
    return (f"Left out, since amounts in different units have no common order or sum: {said}.",)
