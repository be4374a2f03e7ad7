"""Evidence that words name a document."""

from __future__ import annotations

from core.domain.document import OpeningNames
from core.plan.catalogue import DocumentEntry
from core.plan.names.evidence import FEATURES, candidates, weigh, weigh_none
from core.plan.names.index import NameIndex
from core.plan.names.naming import parse_naming

INDEX = NameIndex(
    [
        DocumentEntry(
            "1",
            "",
            "a.txt",
            "c",
            opening=OpeningNames("Hosting Agreement", (("Sonos Inc",),), ("2004-03-01",)),
        ),
        DocumentEntry(
            "2", "", "b.txt", "c", opening=OpeningNames("Amendment No. 2 to Lease", (("Target Inc",),))
        ),
    ]
)


def figures(words: str, row: int) -> dict[str, float]:
    (found,) = weigh(parse_naming(words, INDEX), INDEX, [row])
    return {name: value for name, value in zip(FEATURES, found, strict=True) if value}


def test_documents_that_share_a_word_are_candidates() -> None:
    assert candidates(parse_naming("the Sonos deal", INDEX), INDEX) == [0]
    assert candidates(parse_naming("the Zorblatt deal", INDEX), INDEX) == []


def test_a_party_counts_with_its_side() -> None:
    found = figures("the Sonos hosting deal", 0)

    assert found["first_side"] > 0.9
    assert found["kind_share"] == 1.0


def test_what_a_document_lacks_counts_against_it() -> None:
    assert figures("the Zorblatt hosting deal", 0)["strange"] == 1.0


def test_days_agree_or_not() -> None:
    assert figures("Sonos March 2004", 0)["day"] == 1.0
    assert figures("Sonos 2004", 0)["year"] == 1.0
    assert figures("Sonos 1998", 0)["other_year"] == 1.0


def test_amendments_and_their_numbers_agree_or_not() -> None:
    assert figures("Amendment 2 with Target", 1)["number"] == 1.0
    assert figures("Amendment 3 with Target", 1)["other_number"] == 1.0
    assert figures("the Target lease", 1)["changes_unsaid"] == 1.0
    assert figures("Amendment 1 with Sonos", 0)["changes_not"] == 1.0


def test_no_document_is_weighed_by_the_words_alone() -> None:
    assert weigh_none(parse_naming("the Zorblatt deal", INDEX)).tolist() == [1.0, 1.0, 0.0, 0.0, 1.0]
