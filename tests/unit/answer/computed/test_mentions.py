from __future__ import annotations

from dataclasses import replace

import pytest

from core.answer.computed.mentions import MentionQuestion, mentions
from core.domain.ids import DocumentId
from core.store.documents.mentions import MentionPage
from tests.support.few_documents import SAMPLES, make_document

ONE, OTHER = (make_document(*SAMPLES[at], at + 1).summary for at in range(2))


def found(text: str, words: str, *, gaps: int = 0) -> tuple[int, int, int]:
    inside = {str(ONE.id): ONE, str(OTHER.id): replace(OTHER, gaps=gaps)}
    page = MentionPage(DocumentId(ONE.id), 1, 1, text, ONE.name, ONE.source)
    draft = mentions(MentionQuestion(words, "", True, False), inside, [page], {})
    assert draft.ledger is not None
    return draft.ledger.present, draft.ledger.absent, draft.ledger.uncertain


def test_whole_words_count_in_any_writing() -> None:
    assert found("The oﬃce of Kolbe moved.", "office") == (1, 1, 0)
    assert found("The officer moved.", "office") == (0, 2, 0)
    assert found("The lost\nproperty office", "LOST property") == (1, 1, 0)


@pytest.mark.parametrize(
    ("text", "words", "quote"),
    [
        ("交換部品TK-4410を発注", "tk-4410", "交換部品TK-4410を発注"),
        ("the yearly over-\nhaul of it", "overhaul", "the yearly over-\nhaul of it"),
        ("a well-\nknown case", "Well-known", "a well-\nknown case"),
        ("Code ＢＲ－５５１０ here", "BR-5510", "Code ＢＲ－５５１０ here"),
        ("die Mu\u0308hle steht", "Muhle", "die Mu\u0308hle steht"),
        ("die Muhle steht", "Mühle", "die Muhle steht"),
        ("the oﬃce of Kolbe", "office", "the oﬃce of Kolbe"),
        ("see BR-5510² below", "BR-5510", "see BR-5510² below"),
        ("an area of 40 m²", "m2", "an area of 40 m²"),
        ("東京本\n社にて", "東京本社", "東京本\n社にて"),
        ("the over\xadhaul", "overhaul", "the over\xadhaul"),
        ("the overhauls", "overhaul", None),
        ("the yearly over-\nhaul of it", "over", None),
        ("BR-55101", "BR-5510", None),
        ("ガレージ", "カレージ", None),
        ("[footnote 2: net]", "footnote", None),
    ],
)
def test_words_are_found_however_they_are_written(text: str, words: str, quote: str | None) -> None:
    inside = {str(ONE.id): ONE}
    page = MentionPage(DocumentId(ONE.id), 1, 1, text, ONE.name, ONE.source)
    lines = mentions(MentionQuestion(words, "", True, False), inside, [page], {}).lines
    assert [each.text for each in lines] == ([] if quote is None else [quote])


def test_words_that_are_only_deleted_are_said_and_not_counted() -> None:
    inside = {str(ONE.id): ONE}
    page = MentionPage(DocumentId(ONE.id), 1, 1, "[deleted: the office] of Kolbe", ONE.name, ONE.source)
    draft = mentions(MentionQuestion("office", "", True, False), inside, [page], {})
    assert draft.value is not None
    assert draft.value.value == "0"
    assert "In 1 more they stand only in deleted words or comments." in draft.lead.text


def test_what_was_not_read_of_a_file_may_hold_the_words() -> None:
    assert found("The office moved.", "office", gaps=1) == (1, 0, 1)


def test_files_of_one_text_are_told_with_their_names() -> None:
    inside = {str(each.id): each for each in (ONE, OTHER)}
    pages = [MentionPage(each.id, 1, 1, "the office", each.name, each.source) for each in (ONE, OTHER)]
    copies = {str(OTHER.id): ["x/second.pdf", "third.md"]}
    draft = mentions(MentionQuestion("office", "", True, False), inside, pages, copies)
    assert draft.value is not None
    assert draft.value.value == "2"
    assert "mention “office” (4 files, 3 of them with the same text), in any case" in draft.lead.text
    [named] = [each.label for each in draft.lines if "same text" in each.label]
    assert named.endswith(", second.pdf, third.md)")
