from __future__ import annotations

from core.answer.prose.surroundings import widened, widening
from core.domain.answer import QuotedPlace
from core.records.database.visibility import Visibility
from tests.support.library import Library

TEXT = "One is here. Two is there. Three is far. Four is gone. Five is back."


def test_a_span_grows_by_whole_sentences_on_both_sides() -> None:
    start = TEXT.index("Three")
    found = widened(TEXT, start, start + len("Three is far."), 42)

    assert TEXT[slice(*found)] == "Two is there. Three is far. Four is gone."


def test_it_never_grows_beyond_what_is_wanted_and_never_shrinks() -> None:
    assert widened(TEXT, 13, 26, 5) == (13, 26)
    assert widened(TEXT, 0, 12, 10_000) == (0, len(TEXT))


def test_a_place_is_widened_on_its_own_page() -> None:
    library = Library()
    document = library.add("a.txt", TEXT)
    place = QuotedPlace(
        document=document, title="A", source="a.txt", version=1, page=1, start=13, end=26, quote=TEXT[13:26]
    )
    widen = widening(library, Visibility.everything())

    assert widen(place).quote == TEXT
    gone = place.model_copy(update={"page": 9})
    assert widen(gone) == gone
