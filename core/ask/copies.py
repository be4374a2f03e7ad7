"""Copies beside an answer: which of its documents stand for several files, and how many files that makes."""

from __future__ import annotations

from core.domain.answer import Answer, Ledger
from core.store.database.visibility import Visibility
from core.store.documents.copies import CopyRecords


def with_copies(answer: Answer, copies: CopyRecords, visible: Visibility) -> Answer:
    """The answer with the copies of the documents that it is about, of those that may be seen.

    Its figures count one of them already. An answer without copies is given back as it is.
    """
    if answer.parts:
        parts = tuple(with_copies(part, copies, visible) for part in answer.parts)
        return answer.model_copy(update={"parts": parts})
    ledger = answer.ledger
    about = set(answer.document_ids) | (set(_scope(ledger)) if ledger is not None else set())
    found = copies.find(visible).beside(about)
    if not found:
        return answer
    update: dict[str, object] = {"copies": found}
    if ledger is not None:
        counted = [id for id in _scope(ledger) if id in found]
        more = len({each for id in counted for each in found[id]} - set(_scope(ledger)))
        said = f"{ledger.scope + more:,} files, {more:,} of them copies" if more else ""
        update["ledger"] = ledger.model_copy(update={"copies_said": said})
    return answer.model_copy(update=update)


def _scope(ledger: Ledger) -> tuple[str, ...]:
    lists = ledger.documents
    return (*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain)
