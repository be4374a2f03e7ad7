"""Parts of files that were not read, beside an answer that rests on those files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from core.domain.answer import Answer
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility
from core.store.documents.documents import DocumentRecords
from core.text.file_parts import gaps_in_words

_MOST_NAMED = 3


def with_unread_parts(answer: Answer, documents: DocumentRecords, visible: Visibility) -> Answer:
    """The answer with what was not read of the files that it cites, or counts.

    Of a set one sentence beside its ledger says how many there are; else a gap names each file.
    """
    ledger = answer.ledger
    if ledger is not None and ledger.scope > 1:
        lists = ledger.documents
        scope = {*lists.present, *lists.absent, *lists.uncertain}
        partly = len(scope & documents.with_gaps(visible))
        if not partly:
            return answer
        have = "has" if partly == 1 else "have"
        said = f"{partly:,} of {ledger.scope:,} documents {have} parts that were not read"
        return answer.model_copy(update={"ledger": ledger.model_copy(update={"gaps_said": said})})
    cited = {DocumentId(each.document): each.source for each in answer.sources}
    cited |= {DocumentId(each.document): each.source for each in answer.citations}
    gaps = unread_gaps(cited, documents, visible)
    return answer.model_copy(update={"gaps": tuple(dict.fromkeys((*answer.gaps, *gaps)))}) if gaps else answer


def unread_gaps(
    sources: Mapping[DocumentId, str], documents: DocumentRecords, visible: Visibility
) -> list[str]:
    """What was not read of some documents, a sentence for each of the first few. sources: their files."""
    found = documents.parts(list(sources), visible) if sources else {}
    return [
        f"Not all of {PurePath(source).name or source} was read: {gaps_in_words(found[id])}."
        for id, source in sources.items()
        if id in found
    ][:_MOST_NAMED]
