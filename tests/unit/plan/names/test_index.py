"""Index of names."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain.document import OpeningNames
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.names.index import NameIndex, NamePlace, NearWords, names_of, profile_of
from core.values.naming.words import key_of

ENTRIES = tuple(
    DocumentEntry(
        str(at), "Lease Agreement", f"{name}.txt", "c", opening=OpeningNames(names=((f"{name} Inc.",),))
    )
    for at, name in enumerate(["Sonos", "Target", "Orange"])
)
INDEX = NameIndex(ENTRIES)
NEAR = NearWords(["energi", "sonos", "reynold", "distributor", "kb", "1999"])


def test_a_word_gives_the_documents_that_have_it() -> None:
    rows, places = INDEX.holders("target")

    assert rows.tolist() == [1]
    assert places[0]
    assert INDEX.holders("zorblatt")[0].tolist() == []


def test_a_name_is_rarer_than_what_all_are_called() -> None:
    assert INDEX.rarity("target") > INDEX.rarity("leas") > 0.0
    assert INDEX.rarity("zorblatt") == 1.0


def test_names_and_kinds_are_told_apart() -> None:
    assert INDEX.is_name(key_of("Sonos"))
    assert not INDEX.is_kind(key_of("Sonos"))
    assert INDEX.is_kind("leas")


def test_misspelt_names_are_near() -> None:
    assert INDEX.near("tarket")[0][0] == "target"


def test_titles_and_files_are_found_whole() -> None:
    assert list(INDEX.titled(key_of("orange"))) == [2]


def test_one_index_is_made_for_a_catalogue() -> None:
    catalogue = Catalogue("names-once", documents=ENTRIES)

    assert names_of(catalogue) is names_of(catalogue)
    assert len(names_of(Catalogue("names-once", documents=ENTRIES[:1]))) == 1


def test_all_who_ask_at_once_get_one_index() -> None:
    catalogue = Catalogue("names-at-once", documents=ENTRIES * 200)
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(names_of, [catalogue] * 8)]
    assert all(each is found[0] for each in found)


def test_profiles_of_unchanged_documents_are_used_again() -> None:
    again = NameIndex((ENTRIES[2], DocumentEntry("0", "Other", "x.txt", "c")), INDEX)

    assert again.profiles[0] is INDEX.profiles[2]
    assert again.holders(key_of("sonos"))[0].tolist() == []


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


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("enregi", "energi"),
        ("bonos", "sonos"),
        ("sonso", "sonos"),
        ("eynold", "reynold"),
        ("distribtuer", "distributor"),
        ("dsitributor", "distributor"),
    ],
)
def test_one_edit_or_two_of_a_long_word_are_near(written: str, meant: str) -> None:
    assert NEAR.near(written)[0][0] == meant


@pytest.mark.parametrize("written", ["kb", "1998", "zorblatt", "sonos", ""])
def test_short_words_numbers_strangers_and_the_word_itself_are_not(written: str) -> None:
    assert NEAR.near(written) == []


def test_an_empty_vocabulary_knows_nothing() -> None:
    assert NearWords([]).near("sonos") == []
