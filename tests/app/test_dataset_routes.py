"""Datasets by REST, over a real workbench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from core.errors import GroundworkError
from core.workbench import Workbench
from tests.support.row_files import SPEND, written


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("rest")
    written(folder, "spend.csv", SPEND)
    with Workbench.open(home=folder / "home") as bench:
        bench.local.datasets.register([folder / "spend.csv"])
        services.use(bench)
        api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
        yield TestClient(Starlette(routes=[Mount("/api", app=api)]), base_url="http://127.0.0.1:8501")
    services.close()


def test_datasets_are_listed_shown_and_asked(client: TestClient) -> None:
    (listed,) = client.get("/api/v1/datasets").json()["datasets"]
    shown = client.get(f"/api/v1/datasets/{listed['id']}").json()["dataset"]
    asked = client.post("/api/v1/datasets/query", json={"sql": "SELECT max(amount_eur) AS most FROM spend"})

    assert (listed["table"], listed["rows"], shown["columns"][2]["unit"]) == ("spend", 14, "EUR")
    assert asked.status_code == 200, asked.text
    assert asked.json()["rows"] == [["1200.50"]]
    assert asked.json()["sources"][0]["dataset"] == listed["id"]


def test_a_refused_statement_is_a_problem_with_its_reason(client: TestClient) -> None:
    refused = client.post("/api/v1/datasets/query", json={"sql": "DELETE FROM spend"})

    assert refused.status_code == 403
    assert "Only SELECT" in refused.json()["detail"]
    assert client.get("/api/v1/datasets/none").status_code == 404


def test_a_dataset_is_registered_renamed_removed_and_brought_back(client: TestClient, tmp_path: Path) -> None:
    path = written(tmp_path, "stock.csv", "a,b\n1,2\n")
    begun = client.post("/api/v1/datasets", json={"paths": [str(path)]})
    assert (begun.status_code, begun.json()["job"]["kind"]) == (202, "datasets")
    assert client.post("/api/v1/datasets", json={"paths": ["/no/such.csv"]}).status_code == 400

    assert (
        client.patch("/api/v1/datasets/spend", json={"name": "Spending"}).json()["dataset"]["name"]
        == "Spending"
    )
    assert client.delete("/api/v1/datasets/spend").status_code == 204
    assert client.get("/api/v1/datasets").json()["datasets"] == []
    assert client.post("/api/v1/datasets/spend/restore").json()["dataset"]["state"] == "ready"
