"""Index of names."""

from __future__ import annotations

from core.domain.document import OpeningNames
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.names.index import NameIndex, names_of
from core.values.naming.words import key_of

ENTRIES = tuple(
    DocumentEntry(
        str(at), "Lease Agreement", f"{name}.txt", "c", opening=OpeningNames(names=((f"{name} Inc.",),))
    )
    for at, name in enumerate(["Sonos", "Target", "Orange"])
)
INDEX = NameIndex(ENTRIES)


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


def test_profiles_of_unchanged_documents_are_used_again() -> None:
    again = NameIndex((ENTRIES[2], DocumentEntry("0", "Other", "x.txt", "c")), INDEX)

    assert again.profiles[0] is INDEX.profiles[2]
    assert again.holders(key_of("sonos"))[0].tolist() == []
