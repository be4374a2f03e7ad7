"""Kinds of documents by their words."""

import pytest

from core.plan.kinds import kind_names
from tests.support.known_collection import known_collection

KNOWN = known_collection()


@pytest.mark.parametrize(
    ("words", "titles", "is_thing"),
    [
        ("Solis datasheets", ("Solis",), False),
        ("Solis module datasheets", ("Solis",), True),
        ("two Solis panels", ("Solis",), True),
        ("datasheets", (), False),
    ],
)
def test_words_before_a_noun_are_of_titles_or_things(
    words: str, titles: tuple[str, ...], is_thing: bool
) -> None:
    found = kind_names(KNOWN).of(words)

    assert found is not None
    assert (found.titles, found.is_thing) == (titles, is_thing)
