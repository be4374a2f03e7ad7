from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from app.api.v1.docs_page import HEADERS, STYLE


def test_a_search_gives_passages_by_rank(rest: TestClient) -> None:
    found = rest.post("search", json={"query": "law of Texas", "mode": "keyword", "top_k": 3}).json()

    assert [hit["rank"] for hit in found["hits"]] == list(range(1, len(found["hits"]) + 1))
    assert len(found["hits"]) <= 3
    assert rest.post("search", json={"query": " "}).status_code == 400
    assert rest.post("search", json={"query": "x", "where": ["nonsense"]}).status_code == 400


def test_a_summary_is_an_answer_with_its_ledger_and_a_file(rest: TestClient) -> None:
    bucket = rest.get("documents").json()["documents"][0]["bucket"]
    found = rest.post("summaries", json={"bucket": bucket, "kind": "legal"}).json()

    assert found["answer"]["plan"]["summary"] == "legal"
    assert found["answer"]["ledger"]["scope"] == rest.get("documents").json()["total"]
    file = rest.get(f"../summaries?bucket={bucket}&kind=legal")
    assert file.text.startswith("# Legal summary of the bucket")
    assert rest.get(f"../summaries?bucket={bucket}&kind=odd").status_code == 404
    assert rest.post("summaries", json={"kind": "legal"}).status_code == 400
    assert rest.post("summaries", json={"bucket": bucket, "write": True}).status_code == 400


def test_a_crawl_is_queued_with_its_job(rest: TestClient) -> None:
    found = rest.post("crawls", json={"urls": ["http://127.0.0.1:1/x"], "dry_run": True})

    assert found.status_code == 202, found.text
    assert found.headers["location"] == f"/api/v1/jobs/{found.json()['job']['id']}"
    assert rest.post("crawls", json={"urls": ["ftp://x"]}).status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "nowhere", 404),
        ("GET", "rag/query", 405),
        ("GET", "documents?limit=0", 422),
        ("GET", "documents?status=odd", 422),
        ("GET", "answers/x/export.exe", 404),
        ("GET", "audits/none", 404),
    ],
)
def test_every_fault_is_a_problem_document(rest: TestClient, method: str, path: str, status: int) -> None:
    found = rest.request(method, path)

    assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert found.json()["status"] == status
    assert found.json()["request_id"]
    assert found.json()["detail"]


def test_a_fault_of_the_server_tells_nothing_of_it(rest: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("app.api.v1.search.SearchResult.of", fail)
    with TestClient(rest.app, base_url=str(rest.base_url), raise_server_exceptions=False) as client:
        found = client.post("search", json={"query": "x"})

    assert (found.status_code, found.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in found.text


def test_the_page_of_the_interface_needs_no_script_and_no_network(rest: TestClient) -> None:
    page = rest.get("docs")

    assert page.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]
    assert f"<style>{STYLE}</style>" in page.text
    assert "<script" not in page.text
    assert not re.search(r'(src|href)="(?!#|/api/v1/)', page.text)
    assert "style=" not in page.text
    for path in ("rag/query", "rag/stream/{id}", "documents", "search", "jobs/{id}", "matrix", "healthz"):
        assert f"<code>/api/v1/{path}</code>" in page.text


def test_every_operation_is_described(rest: TestClient) -> None:
    document = rest.get("openapi.json").json()

    ids = []
    for path, operations in document["paths"].items():
        for method, each in operations.items():
            ids.append(each["operationId"])
            assert each["summary"]
            assert each.get("x-scope") or path == "/healthz"
            assert {"400", "401", "403", "404", "422", "429", "500"} <= each["responses"].keys()
            assert method in ("get", "head") or path not in ("/healthz",)
    assert len(ids) == len(set(ids))
    assert document["servers"] == [{"url": "/api/v1"}]


def test_an_address_says_which_methods_it_takes(rest: TestClient) -> None:
    for path, allowed in (
        ("audits/a1", "DELETE, GET, HEAD, PATCH"),
        ("documents", "GET, HEAD, POST"),
        ("rag/query", "POST"),
    ):
        refused = rest.put(path)
        assert (refused.status_code, refused.headers["allow"]) == (405, allowed)
    assert rest.put("docs").status_code == 405


@pytest.mark.parametrize(
    "body",
    [{"top_k": "3"}, {"top_k": True}, {"resolve": "yes"}, {"alpha": "0.5"}, {"query": 7}, {"buckets": "x"}],
)
def test_values_are_of_the_described_type_and_not_only_alike(rest: TestClient, body: object) -> None:
    found = rest.post("search", json={"query": "law", **body})  # type: ignore[dict-item]
    assert (found.status_code, found.json()["errors"][0]["location"].startswith("body.")) == (422, True)
