"""What is known of the files behind an answer: copies of them, and parts of them that were not read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from core.domain.answer import Answer, Ledger
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility
from core.store.documents.documents import DocumentRecords
from core.store.store import Records
from core.text.file_parts import gaps_in_words

_MOST_NAMED = 3


def with_files(answer: Answer, records: Records, visible: Visibility) -> Answer:
    """The answer with the copies of its files, and with what was not read of them, of those that may be seen.

    The parts of an answer in parts have both already.
    """
    return answer if answer.parts else _with_gaps(_with_copies(answer, records, visible), records, visible)


def _with_copies(answer: Answer, records: Records, visible: Visibility) -> Answer:
    """Its figures count one of them already. An answer without copies is given back as it is."""
    ledger = answer.ledger
    scope = () if ledger is None else _scope(ledger)
    found = records.copies.find(visible).beside({*answer.document_ids, *scope})
    if not found:
        return answer
    update: dict[str, object] = {"copies": found}
    if ledger is not None:
        more = len({each for id in scope if id in found for each in found[id]} - set(scope))
        said = f"{ledger.scope + more:,} files, {more:,} of them copies" if more else ""
        update["ledger"] = ledger.model_copy(update={"copies_said": said})
    return answer.model_copy(update=update)


def _scope(ledger: Ledger) -> tuple[str, ...]:
    lists = ledger.documents
    return (*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain)


def _with_gaps(answer: Answer, records: Records, visible: Visibility) -> Answer:
    """Of a set one sentence beside its ledger says how many there are; else a gap names each file."""
    ledger = answer.ledger
    if ledger is not None and ledger.scope > 1:
        lists = ledger.documents
        scope = {*lists.present, *lists.absent, *lists.uncertain}
        partly = len(scope & records.documents.with_gaps(visible))
        if not partly:
            return answer
        have = "has" if partly == 1 else "have"
        said = f"{partly:,} of {ledger.scope:,} documents {have} parts that were not read"
        return answer.model_copy(update={"ledger": ledger.model_copy(update={"gaps_said": said})})
    cited = {DocumentId(each.document): each.source for each in answer.sources}
    cited |= {DocumentId(each.document): each.source for each in answer.citations}
    gaps = unread_gaps(cited, records.documents, visible)
    return answer.model_copy(update={"gaps": tuple(dict.fromkeys((*answer.gaps, *gaps)))}) if gaps else answer


def unread_gaps(
    sources: Mapping[DocumentId, str], documents: DocumentRecords, visible: Visibility
) -> list[str]:
    """Gaps of some documents, a sentence for each of the first few. sources: their files."""
    found = documents.parts(list(sources), visible) if sources else {}
    return [
        f"Not all of {PurePath(source).name or source} was read: {gaps_in_words(found[id])}."
        for id, source in sources.items()
        if id in found
    ][:_MOST_NAMED]
