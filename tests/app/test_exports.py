"""The list of an answer by REST, by the address that its clarification gives."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from core.errors import GroundworkError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_RETRIEVAL__MAX_HITS", "1")
        with contracts_at_hand(tmp_path_factory.mktemp("exports") / "home") as found:
            services.use(found.bench)
            yield found
            services.close()


@pytest.fixture
def client(at_hand: Contracts) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    return TestClient(Starlette(routes=[Mount("/api", app=api)]), base_url="http://127.0.0.1:8501")


def test_all_that_fits_is_fetched_where_the_clarification_says(
    at_hand: Contracts, client: TestClient
) -> None:
    answer = at_hand.bench.ask("Which documents are governed by Texas law?")
    assert answer.clarification is not None
    assert answer.clarification.export is not None
    found = client.get(answer.clarification.export)
    assert found.status_code == 200
    assert found.headers["x-left-out"] == "0"
    assert "which-documents-are-governed" in found.headers["content-disposition"]
    heads, *lines = csv.reader(io.StringIO(found.text.removeprefix("\ufeff")))
    assert heads[:3] == ["Document", "File", "Bucket"]
    assert [line[0] for line in lines] == ["Cobalt agreement", "Glacier agreement"]


def test_the_same_list_is_an_xlsx_and_nothing_else(at_hand: Contracts, client: TestClient) -> None:
    answer = at_hand.bench.ask("Which documents are governed by Texas law?")
    base = f"/api/v1/answers/{answer.trace_id}/export"
    assert client.get(f"{base}.xlsx").content[:2] == b"PK"
    assert client.get(f"{base}.exe").status_code == 404


def test_an_unknown_answer_is_not_found(client: TestClient) -> None:
    found = client.get("/api/v1/answers/none/export.csv")
    assert found.status_code == 404
    assert found.json()["detail"].startswith("There is no trace")
