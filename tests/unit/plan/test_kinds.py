"""Kinds of documents by their words."""

from dataclasses import replace

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


@pytest.mark.parametrize(
    ("counts", "words", "kinds"),
    [
        (("agreement",), "contracts", ("agreement",)),
        (("agreement", "amendment"), "contracts", ("agreement", "amendment")),
        (("agreement", "amendment"), "deals", ("agreement", "amendment")),
        (("agreement", "amendment"), "agreements", ("agreement",)),
        ((), "contracts", ()),
        (("gone",), "contracts", ()),
        (("agreement",), "amendments", ("amendment",)),
    ],
)
def test_a_schema_says_which_kinds_its_words_mean(
    counts: tuple[str, ...], words: str, kinds: tuple[str, ...]
) -> None:
    contracts, *others = KNOWN.schemas
    assert contracts.name == "contracts"
    assert contracts.counts == ("agreement",)
    schemas = (replace(contracts, counts=counts), *others)
    found = kind_names(replace(KNOWN, fingerprint="", schemas=schemas)).of(words)

    assert found is not None
    assert found.kinds == kinds
