from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import UrlOutcome
from core.domain.document import DocumentStatus
from core.ingest.crawl.withdrawal import DocumentWithdrawal
from tests.support.crawl_shelf import Shelf, url
from tests.support.ingesting import opened

NAMES = [f"p{number:02}" for number in range(12)]
PAGES = {name: f"The tenant of {name} pays the rent.".encode() for name in NAMES}
CLOSED = b"We are closed for maintenance."
AWAY = UrlOutcome(UrlState.REDIRECTED, status=302, leads_to=url("closed"))
MISSING = UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404)


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
