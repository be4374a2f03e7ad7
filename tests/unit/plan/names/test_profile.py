"""Profiles of names."""

from __future__ import annotations

from core.domain.document import OpeningNames
from core.plan.catalogue import DocumentEntry
from core.plan.names.profile import NamePlace, profile_of
from core.values.naming.words import key_of


def entry(**said: object) -> DocumentEntry:
    return DocumentEntry(**{"id": "d", "title": "", "source": "scan.pdf", "bucket": "c", **said})  # type: ignore[arg-type]


def test_words_know_where_they_stand() -> None:
    opening = OpeningNames("LEASE AGREEMENT", (("Johns Hopkins University", "Hopkins"),), (), "arena", "roof")
    read = profile_of(entry(opening=opening, parties=("target",)))

    assert read.places["target"] & NamePlace.PARTY
    assert read.places[key_of("hopkins")] & NamePlace.SHORT
    assert read.places["jhu"] & NamePlace.INITIALS
    assert read.places["arena"] == NamePlace.CAPITAL
    assert read.places["roof"] == NamePlace.WORD
    assert read.profile.kind == key_of("lease")


def test_names_are_known_as_one_word_too() -> None:
    profile = profile_of(entry(opening=OpeningNames(names=(("Lime Energy Co",),))))

    assert profile.places["limeenergy"] & NamePlace.PARTY
    assert f"{key_of('energy')} lime" in profile.profile.sides.split("|")


def test_an_amendment_says_which_it_is() -> None:
    by_title = profile_of(entry(title="Amendment No. 3 to Supply Agreement")).profile
    by_heading = profile_of(entry(opening=OpeningNames("SECOND AMENDMENT TO LEASE"))).profile

    assert (by_title.changes, by_title.number) == (True, 3)
    assert (by_heading.changes, by_heading.number) == (True, 2)
    assert not profile_of(entry(title="Supply Agreement")).profile.changes
