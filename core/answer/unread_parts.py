"""Parts of files that were not read, beside an answer that rests on those files."""

from __future__ import annotations

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
    if not cited:
        return answer
    found = documents.parts(list(cited), visible)
    gaps = [
        f"Not all of {PurePath(source).name or source} was read: {gaps_in_words(found[id])}."
        for id, source in cited.items()
        if id in found
    ]
    return answer.model_copy(update={"gaps": (*answer.gaps, *gaps[:_MOST_NAMED])}) if gaps else answer
