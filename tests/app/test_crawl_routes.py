"""The ledger of a crawl as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from core.config.load import load_settings
from core.domain.crawl.outcome import FoundUrl
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.store.store import Records
from core.workbench import Workbench
from tests.support.crawled import HOST, START, crawl_of
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    parts = PartsWith(load_settings(tmp_path / "home"), HashedEncoder())
    with Workbench(parts) as bench:
        services.use(bench)
        yield parts.records
        services.close()


@pytest.fixture
def client(records: Records) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    return TestClient(Starlette(routes=[Mount("/api", app=api)]), base_url="http://127.0.0.1:8501")


def lines(client: TestClient, address: str) -> list[list[str]]:
    found = client.get(address)
    assert found.status_code == 200, found.text
    assert "attachment" in found.headers["content-disposition"]
    return list(csv.reader(io.StringIO(found.text.removeprefix("\ufeff"))))


def test_the_ledger_is_a_csv_file_under_the_filters_of_the_page(records: Records, client: TestClient) -> None:
    address = f"/api/crawls/{crawl_of(records)}/ledger.csv"
    heads, *rows = lines(client, address)
    assert heads[:2] == ["Address", "Depth"]
    assert len(rows) == 8
    _, *some = lines(client, f"{address}?state=failed&state=skipped&depth=1&address=manual")
    assert [row[0] for row in some] == [f"{START}missing.html", f"{START}old/x.html"]


def test_a_long_ledger_comes_whole(records: Records, client: TestClient) -> None:
    crawl = crawl_of(records, ends=None)
    more = [FoundUrl(f"{START}{n:05}.html", HOST) for n in range(2_600)]
    records.frontier(crawl, "test").add_starts(more)
    _, *rows = lines(client, f"/api/crawls/{crawl}/ledger.csv")
    assert len({row[0] for row in rows}) == len(rows) == 2_608


def test_filters_that_there_are_not_and_unknown_crawls_are_said(records: Records, client: TestClient) -> None:
    address = f"/api/crawls/{crawl_of(records)}/ledger.csv"
    wrong, missing = client.get(f"{address}?state=odd"), client.get("/api/crawls/c0/ledger.csv")
    assert wrong.status_code in (400, 422)
    assert "odd" in wrong.text
    assert missing.status_code == 404


def test_the_ledger_is_for_admins(
    records: Records, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/api/crawls/{crawl_of(records)}/ledger.csv"
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    assert client.get(address).status_code == 403
