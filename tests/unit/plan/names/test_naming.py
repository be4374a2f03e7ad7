"""Telling words of names."""

from __future__ import annotations

import pytest

from core.domain.document import OpeningNames
from core.plan.catalogue import DocumentEntry
from core.plan.names.index import NameIndex
from core.plan.names.naming import Sort, parse_naming

NAMED = NameIndex(
    [
        DocumentEntry(
            "1", "", "a.txt", "c", opening=OpeningNames("Hosting Agreement", (("Lime Energy Co", "LEC"),))
        )
    ]
)


def test_words_of_grammar_and_what_all_are_called_tell_nothing() -> None:
    assert [word.key for word in parse_naming("our agreement with the Zorblatt", NAMED).words] == ["zorblatt"]


def test_names_kinds_and_other_words_are_told_apart() -> None:
    sorts = {word.key: word.sort for word in parse_naming("Zorblatt hosting deal for lamps", NAMED).words}

    assert sorts == {"zorblatt": Sort.NAME, "host": Sort.KIND, "lamp": Sort.WORD}


def test_without_capitals_a_strange_word_is_a_name() -> None:
    assert parse_naming("the zorblatt deal", NAMED).words[0].sort is Sort.NAME


def test_days_and_years_are_read() -> None:
    assert parse_naming("the 2004 deal of March 3, 1999", NAMED).days == ("1999-03-03", "2004")


def test_an_amendment_is_known_with_its_number() -> None:
    for said in ("Amendment 2 of the lease", "the second amendment to the lease", "amendment no. 2"):
        found = parse_naming(said, NAMED)
        assert (found.changes, found.number) == (True, 2)


def test_initials_and_words_written_as_one_are_variants() -> None:
    (glued, *_) = parse_naming("LimeEnergy", NAMED).words
    (energy, *_) = parse_naming("Lime Energy Company", NAMED).words

    assert "limeenergy" in {variant.word for variant in glued.variants}
    assert {variant.word for variant in energy.variants} >= {"lime", "limeenergy"}


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the contract of November 2000", "2000-11"),
        ("our mid-2012 deal", "2012"),
        ("the FY2012 contract", "2012"),
    ],
)
def test_days_are_read_as_people_say_them(said: str, day: str) -> None:
    assert parse_naming(said, NAMED).days == (day,)


def test_what_is_amended_and_restated_is_no_amendment() -> None:
    assert not parse_naming("the amended and restated lease", NAMED).changes
