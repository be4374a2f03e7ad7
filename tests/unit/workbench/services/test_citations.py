"""Cited places held against their documents as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answer import QuotedPlace
from core.domain.evidence.change import EvidenceStanding, EvidenceState
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import NotFoundError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.roles import MAY_ASK

TEXT = "Limits of the plan\n\nThe limit is 40 users.\n\nPrices are in euros."
QUOTE = "The limit is 40 users."
GUEST = Principal("guest", MAY_ASK, groups=frozenset({"team"}))


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def place(document: DocumentId, quote: str = QUOTE, version: int = 1, text: str = TEXT) -> QuotedPlace:
    start = text.index(quote)
    return QuotedPlace(
        document=document,
        title="",
        source="",
        version=version,
        page=1,
        start=start,
        end=start + len(quote),
        quote=quote,
    )


def standing(at_hand: Contracts, where: QuotedPlace, who: Principal | None = None) -> EvidenceStanding:
    session = at_hand.bench.local if who is None else at_hand.bench.for_principal(who)
    (found,) = session.citations.standings([where])
    return found


def test_a_place_in_the_current_version_is_current(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    found = standing(at_hand, place(document))
    assert (found.state, found.note, found.is_other) == (EvidenceState.CURRENT, "", False)


def test_a_change_elsewhere_leaves_the_words_as_they_were(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    at_hand.add("Page", "Texas", text=f"News first.\n\n{TEXT.replace('euros', 'dollars')}")
    found = standing(at_hand, place(document))
    assert (found.state, found.newest, found.stands) == (EvidenceState.SAME_WORDS, 2, True)
    assert found.note == "Newer version, same words."


def test_a_changed_quote_no_longer_stands(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    at_hand.add("Page", "Texas", text=TEXT.replace("40", "60"))
    found = standing(at_hand, place(document))
    assert (found.state, found.stands, found.place) == (EvidenceState.CHANGED, False, None)
    assert found.note.startswith("This page has changed since (")
    assert found.note.endswith("The quoted words no longer stand there.")


def test_a_quote_that_stands_in_a_changed_paragraph_says_where(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    later = TEXT.replace(QUOTE, f"From May on: {QUOTE} No more.")
    at_hand.add("Page", "Texas", text=later)
    found = standing(at_hand, place(document))
    start = later.index(QUOTE)
    assert (found.state, found.stands) == (EvidenceState.CHANGED, True)
    assert found.place == PageSpan(1, start, start + len(QUOTE))


def test_a_place_in_a_page_that_is_gone_says_since_when(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    at_hand.records.documents.withdraw([document], "404", datetime(2026, 11, 25, tzinfo=UTC))
    found = standing(at_hand, place(document))
    assert (found.state, found.note) == (EvidenceState.GONE, "Gone from the site since 25 Nov 2026: 404")


def test_what_was_removed_and_what_may_not_be_seen_are_told_alike(at_hand: Contracts) -> None:
    hidden = at_hand.add("Page", "Texas", ("legal",), TEXT)
    gone = at_hand.add("Other", "Texas", text=TEXT)
    at_hand.bench.local.documents.remove([gone])
    states = [standing(at_hand, place(each), GUEST).state for each in (hidden, gone)]
    assert states == [EvidenceState.REMOVED, EvidenceState.REMOVED]
    with pytest.raises(NotFoundError):
        at_hand.bench.for_principal(GUEST).citations.compare(hidden, 1)


def test_many_places_are_told_in_their_order(at_hand: Contracts) -> None:
    one, other = (at_hand.add(title, "Texas", text=TEXT) for title in ("One", "Other"))
    at_hand.add("Other", "Texas", text=TEXT.replace("40", "60"))
    found = at_hand.bench.local.citations.standings([place(other), place(one), place(other, "euros")])
    assert [each.state for each in found] == [
        EvidenceState.CHANGED,
        EvidenceState.CURRENT,
        EvidenceState.SAME_WORDS,
    ]


def test_old_and_new_text_begin_with_the_cited_paragraph(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    at_hand.add("Page", "Texas", text=TEXT.replace("plan", "offer").replace("40", "60"))
    where = place(document)
    found = at_hand.bench.local.citations.compare(document, 1, PageSpan(1, where.start, where.end))
    assert [(each.before, each.now, each.is_cited) for each in found.changes] == [
        (QUOTE, "The limit is 60 users.", True),
        ("Limits of the plan", "Limits of the offer", False),
    ]
    assert (found.before_version, found.version, found.left_out) == (1, 2, 0)


def test_an_unknown_version_is_refused(at_hand: Contracts) -> None:
    document = at_hand.add("Page", "Texas", text=TEXT)
    with pytest.raises(NotFoundError, match="no version 3"):
        at_hand.bench.local.citations.compare(document, 3)
