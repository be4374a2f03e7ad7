from __future__ import annotations

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.fields import CellStatus, FieldType, Finding
from core.extract.model.evidence import PlaceFinder, field_words, holds_all, merged, numbered, whole_of
from tests.support.document_text import document_text

TEXT = (
    "1. Rent\n\nThe rent is nine hundred dollars a month and is due on its first day.\n\n"
    "2. Animals\n\nThe tenant may keep one dog or one cat in the flat at any time.\n\n"
    "3. Law\n\nThis lease is governed by the laws of the State of Texas and no other.\n"
)


def finder() -> PlaceFinder:
    return PlaceFinder(document_text(TEXT), None, field_words(None))


def test_places_are_those_that_speak_of_the_field() -> None:
    field = FieldDefinition(
        name="law",
        title="Governing law",
        type=FieldType.TEXT,
        description="The law of the lease.",
        synonyms=("laws",),
    )

    found = finder().places(field, Finding(CellStatus.UNCERTAIN))

    assert any("Texas" in TEXT[start:end] for start, end in found.best)
    assert any("Texas" in TEXT[start:end] for start, end in found.named)
    assert not any("dog" in TEXT[start:end] for start, end in found.named)


def test_a_field_in_words_is_looked_for_by_its_own_words() -> None:
    words = WordsExtractor(meaning="Whether a dog or a cat may be kept.", words=("dog", "cat"))
    field = FieldDefinition(name="animals", title="Beasts", type=FieldType.BOOLEAN, extractors=(words,))

    found = finder().places(field, Finding(CellStatus.UNCERTAIN))

    assert "dog" in TEXT[slice(*found.best[0])]


def test_places_that_touch_are_one_and_stand_in_reading_order() -> None:
    document = document_text("x" * 1_000)

    assert merged([(500, 600), (0, 100), (90, 130), (900, 2_000)], document) == [
        (0, 130),
        (500, 600),
        (900, 1_000),
    ]


def test_the_whole_text_comes_page_by_page_in_pieces() -> None:
    document = document_text("Word by word. " * 400, " ", "Last page.")

    pieces = whole_of(document)

    assert len(pieces) > 3
    assert all(document.page_at(each.start) is document.page_at(each.end - 1) for each in pieces)
    assert [each.id for each in pieces] == [f"e{at}" for at in range(1, len(pieces) + 1)]


def test_a_place_counts_as_given_only_whole() -> None:
    given = numbered([(0, 100), (200, 300)])

    assert holds_all(given, [(10, 100), (200, 250)])
    assert not holds_all(given, [(90, 110)])
