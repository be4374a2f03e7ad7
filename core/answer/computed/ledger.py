"""The ledger of an answer: every document in scope, by what it came to."""

from __future__ import annotations

from core.domain.answer import Ledger, LedgerDocuments
from core.domain.predicate import Operator
from core.domain.results import Documents
from core.plan.ir import Condition, Select


def ledger_of(documents: Documents, field: str, *, is_lack: bool = False) -> Ledger:
    """The ledger over a set of documents. is_lack: they were asked for lacking the field.

    present and absent are then about the field: present has it, absent lacks it.
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
        present=len(lists.present),
        absent=len(lists.absent),
        unreadable=len(lists.unreadable),
        uncertain=len(lists.uncertain),
        documents=lists,
    )


def asked_fields(node: Select) -> tuple[str, ...]:
    """The fields that a selection asks its documents for, those that only say what it is about left out."""
    clauses = ((clause,) if isinstance(clause, Condition) else clause.any_of for clause in node.conditions)
    asked = (condition.field for clause in clauses for condition in clause if not condition.narrows)
    return tuple(dict.fromkeys(asked))


def is_lack(node: Select) -> bool:
    """Whether a selection asks for nothing but that one field is missing."""
    asked = [c for c in node.conditions if not isinstance(c, Condition) or not c.narrows]
    return len(asked) == 1 and isinstance(asked[0], Condition) and asked[0].op is Operator.MISSING


def unknown_sentences(documents: Documents, noun: str) -> tuple[str, ...]:
    """What stands between the answer and certainty, in words; () where all is known."""
    found = []
    if documents.unreadable:
        found.append(f"{_counted(len(documents.unreadable), noun)} could not be read.")
    if documents.uncertain:
        found.append(f"Of {_counted(len(documents.uncertain), noun)} it is uncertain.")
    return tuple(found)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun if count != 1 else singular(noun)}"


def singular(noun: str) -> str:
    """One of what a plural names: `contracts` -> `contract`, `policies` -> `policy`."""
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun.removesuffix("s")
