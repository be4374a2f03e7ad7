from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.document import DocumentStatus
from core.domain.ids import JobId
from tests.support.crawl_shelf import HOST, Shelf, url
from tests.support.ingesting import Ingesting, opened


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
