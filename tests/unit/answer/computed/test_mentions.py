from __future__ import annotations

from dataclasses import replace

from core.answer.computed.mentions import MentionQuestion, mentions
from core.domain.ids import DocumentId
from core.store.documents.mentions import MentionPage
from tests.support.few_documents import SAMPLES, make_document

ONE, OTHER = (make_document(*SAMPLES[at], at + 1).summary for at in range(2))


def found(text: str, words: str, *, gaps: int = 0) -> tuple[int, int, int]:
    inside = {str(ONE.id): ONE, str(OTHER.id): replace(OTHER, gaps=gaps)}
    page = MentionPage(DocumentId(ONE.id), 1, 1, text, ONE.name, ONE.source)
    draft = mentions(MentionQuestion(words, "", True, False), inside, lambda _: [page])
    assert draft.ledger is not None
    return draft.ledger.present, draft.ledger.absent, draft.ledger.uncertain


def test_whole_words_count_in_any_writing() -> None:
    assert found("The oﬃce of Kolbe moved.", "office") == (1, 1, 0)
    assert found("The officer moved.", "office") == (0, 2, 0)
    assert found("The lost\nproperty office", "LOST property") == (1, 1, 0)
    assert found("[deleted: the office]", "office") == (0, 2, 0)


def test_what_was_not_read_of_a_file_may_hold_the_words() -> None:
    assert found("The office moved.", "office", gaps=1) == (1, 0, 1)
