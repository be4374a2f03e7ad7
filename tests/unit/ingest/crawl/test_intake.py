from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.document import DocumentStatus
from core.domain.ids import JobId
from core.ingest.crawl.intake import DocumentWithdrawal
from tests.support.crawl_shelf import HOST, Shelf, url
from tests.support.ingesting import Ingesting, opened

NAMES = [f"p{number:02}" for number in range(12)]
PAGES = {name: f"The tenant of {name} pays the rent.".encode() for name in NAMES}
CLOSED = b"We are closed for maintenance."
AWAY = UrlOutcome(UrlState.REDIRECTED, status=302, leads_to=url("closed"))
MISSING = UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Ingesting]:
    with opened(tmp_path / "home") as made:
        yield made


def test_pages_are_documents_of_the_bucket_with_the_groups_of_the_crawl(place: Ingesting) -> None:
    shelf = Shelf(place, acl=("legal",))

    shelf.run(a=b"The tenant pays the rent.", b=b"The landlord insures the house.")

    document = shelf.document("a")
    assert document is not None
    assert (document.bucket, document.acl, document.status) == ("web", ("legal",), DocumentStatus.READY)
    row = shelf.row("a")
    assert (row.document, row.indexed_hash) == (document.id, row.content_hash)
    assert place.records.crawl_ledger.count_to_index(shelf.id) == 0
    assert set(shelf.told) <= {url("a"), url("b")}
    assert shelf.told


def test_a_page_that_becomes_unreadable_leaves_the_index_and_is_tried_again_in_the_next_run(
    place: Ingesting,
) -> None:
    shelf = Shelf(place)
    shelf.run(a=b"The tenant pays the rent.")

    shelf.run(a=b"%PDF-1.7 nothing more")

    row, document = shelf.row("a"), shelf.document("a")
    assert (row.state, row.reason) == (UrlState.FAILED, UrlReason.UNREADABLE)
    assert document is not None
    assert document.status is DocumentStatus.GONE
    assert place.records.passages.of_documents([document.id]) == []

    shelf.run(a=b"The tenant pays the rent again.")

    document = shelf.document("a")
    assert document is not None
    assert document.status is DocumentStatus.READY
    assert shelf.row("a").state is UrlState.KEPT


def test_a_file_that_never_gave_a_text_leaves_no_document(place: Ingesting) -> None:
    shelf = Shelf(place)

    shelf.run(a=b"%PDF-1.7 nothing more")

    assert shelf.row("a").reason is UrlReason.UNREADABLE
    assert shelf.document("a") is None


def test_a_page_whose_stored_bytes_are_lost_is_noted_and_stops_nothing(place: Ingesting) -> None:
    shelf = Shelf(place)
    number = place.records.crawls.begin_run(shelf.id, JobId("j0"))
    place.records.crawls.hand_over(shelf.id, "me")
    frontier = place.records.frontier(shelf.id, "me")
    frontier.add_starts([FoundUrl(url("a"), HOST), FoundUrl(url("b"), HOST)])
    lost, stored = place.records.blobs.put(b"It is lost."), place.records.blobs.put(b"It is here.")
    for row, content in zip(frontier.claim(9, 100, 100).rows, (lost, stored), strict=True):
        frontier.settle(row.url, UrlOutcome(UrlState.KEPT, content_hash=content, text_hash=content))
    place.records.blobs.path(lost).unlink()

    shelf.take()
    shelf.intake.settle(shelf.id, number)

    assert (shelf.row("a").reason, shelf.row("b").state) == (UrlReason.UNREADABLE, UrlState.KEPT)
    assert "is not in" in shelf.row("a").detail
    assert shelf.document("b") is not None


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=410), "410"),
        (UrlOutcome(UrlState.FAILED, UrlReason.SOFT_404, status=200), "200"),
        (UrlOutcome(UrlState.SKIPPED, UrlReason.NOINDEX), "asks not to be indexed"),
        (UrlOutcome(UrlState.REDIRECTED, leads_to="http://site.example/b"), "redirects to"),
        (UrlOutcome(UrlState.DUPLICATE, UrlReason.CANONICAL, leads_to=url("b")), "same page as"),
    ],
)
def test_a_document_that_is_no_page_any_more_is_withdrawn_with_the_reason(
    place: Ingesting, outcome: UrlOutcome, reason: str
) -> None:
    shelf = Shelf(place)
    shelf.run(a=b"The tenant pays the rent.", b=b"The landlord insures the house.")

    shelf.run(a=outcome, b=b"The landlord insures the house.")

    document = shelf.document("a")
    assert document is not None
    assert document.status is DocumentStatus.GONE
    assert reason in document.reason
    assert shelf.row("a").indexed_hash == ""
    other = shelf.document("b")
    assert other is not None
    assert other.status is DocumentStatus.READY


def test_a_page_that_only_could_not_be_reached_stays(place: Ingesting) -> None:
    shelf = Shelf(place)
    shelf.run(a=b"The tenant pays the rent.")

    shelf.run(a=UrlOutcome(UrlState.FAILED, UrlReason.TIMEOUT))

    document = shelf.document("a")
    assert document is not None
    assert document.status is DocumentStatus.READY


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with opened(tmp_path / "home") as place:
        shelf = Shelf(place)
        shelf.run(**PAGES)
        yield shelf


def ready(shelf: Shelf) -> list[str]:
    documents = {name: shelf.document(name) for name in [*NAMES, "closed"]}
    return [name for name, each in documents.items() if each and each.status is DocumentStatus.READY]


def versions(shelf: Shelf) -> list[int | None]:
    documents = [shelf.document(name) for name in NAMES]
    return [each and each.version for each in documents]


def withdrawal(shelf: Shelf) -> DocumentWithdrawal:
    return DocumentWithdrawal(shelf.records)


@pytest.mark.parametrize(
    "outcome",
    [AWAY, MISSING, UrlOutcome(UrlState.SKIPPED, UrlReason.NOINDEX), CLOSED],
    ids=["redirected", "missing", "left-out", "one-page"],
)
def test_documents_stay_where_one_cause_would_take_most_of_them(
    shelf: Shelf, outcome: UrlOutcome | bytes
) -> None:
    shelf.run(**dict.fromkeys(NAMES, outcome), closed=CLOSED)

    assert ready(shelf) == [*NAMES, "closed"] if outcome is not CLOSED else NAMES
    mass = withdrawal(shelf).mass(shelf.id, 2)
    assert mass is not None
    assert (len(mass.rows), mass.documents) in {(12, 12), (11, 12)}  # of equal pages one is kept


def test_they_are_as_before_once_the_site_is_back(shelf: Shelf) -> None:
    before = versions(shelf)
    shelf.run(**dict.fromkeys(NAMES, MISSING), closed=CLOSED)
    shelf.run(**dict.fromkeys(NAMES, AWAY), closed=CLOSED)

    shelf.run(**PAGES)

    assert withdrawal(shelf).mass(shelf.id, 4) is None
    assert versions(shelf) == before
    assert {shelf.row(name).state for name in NAMES} == {UrlState.KEPT}


def test_they_leave_once_somebody_confirms_it_and_come_back_with_their_pages(shelf: Shelf) -> None:
    shelf.run(**dict.fromkeys(NAMES, AWAY), closed=CLOSED)

    assert withdrawal(shelf).confirm(shelf.id, 2) == 12

    assert ready(shelf) == ["closed"]
    document = shelf.document("p00")
    assert document is not None
    assert "redirects to" in document.reason
    assert withdrawal(shelf).mass(shelf.id, 2) is None
    shelf.run(**PAGES)
    assert ready(shelf)[:12] == NAMES


def test_fewer_than_most_leave_at_once(shelf: Shelf) -> None:
    shelf.run(**{**PAGES, **dict.fromkeys(NAMES[:6], AWAY)}, closed=CLOSED)

    assert ready(shelf) == [*NAMES[6:], "closed"]


def test_a_site_that_moved_takes_its_old_documents_with_it(shelf: Shelf) -> None:
    moved = {name: UrlOutcome(UrlState.REDIRECTED, status=301, leads_to=url(f"n{name}")) for name in NAMES}

    shelf.run(**moved, **{f"n{name}": page for name, page in PAGES.items()})

    assert ready(shelf) == []
    assert shelf.document("np00") is not None


def test_login_pages_that_differ_in_where_one_came_from_are_one(shelf: Shelf) -> None:
    login = {name: UrlOutcome(UrlState.REDIRECTED, leads_to=url(f"login?next={name}")) for name in NAMES}

    shelf.run(**login)

    assert ready(shelf) == NAMES


def test_pages_of_a_first_run_that_turn_out_to_be_one_leave_nothing_in_doubt(tmp_path: Path) -> None:
    with opened(tmp_path / "other") as place:
        shelf = Shelf(place)
        shelf.run(**dict.fromkeys(NAMES, CLOSED))

        assert ready(shelf) == [NAMES[0]]
        assert withdrawal(shelf).mass(shelf.id, 1) is None
