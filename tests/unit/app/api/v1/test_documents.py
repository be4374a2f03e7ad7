from __future__ import annotations

from starlette.testclient import TestClient

from core.domain.principal import Principal
from tests.support.contracts_at_hand import Contracts


def test_documents_are_listed_in_pages(rest: TestClient) -> None:
    titles: list[str] = []
    cursor, pages = None, 0
    while True:
        asked = {"limit": 4, **({"cursor": cursor} if cursor else {})}
        found = rest.get("documents", params=asked).json()
        titles += [row["title"] for row in found["documents"]]
        cursor, pages = found["next_cursor"], pages + 1
        if cursor is None:
            break

    assert (pages, len(titles), found["total"]) == (3, 10, 10)
    assert titles == sorted(set(titles))


def test_a_cursor_is_of_its_own_list_alone(rest: TestClient) -> None:
    cursor = rest.get("documents", params={"limit": 1}).json()["next_cursor"]

    for asked in (
        {"cursor": cursor, "text": "acme"},
        {"cursor": "WzEsMl0"},
        {"cursor": "é"},
        {"cursor": "W"},
    ):
        found = rest.get("documents", params=asked)
        assert (found.status_code, "cursor" in found.json()["detail"]) == (400, True)


def test_a_document_is_shown_with_its_pages_and_cells(rest: TestClient, at_hand: Contracts) -> None:
    id = at_hand.made["Cobalt agreement"]

    found = rest.get(f"documents/{id}").json()

    assert found["id"] == id
    assert found["pages"][0]["page"] == 1
    assert {each["field"] for each in found["fields"]} >= {"governing_law"}
    assert rest.get(f"documents/{id}", params={"version": 99}).status_code == 404
    assert rest.get(f"documents/{id}", params={"version": 0}).status_code == 422
    assert rest.get("documents/d0").status_code == 404


def test_files_come_in_by_a_job_under_their_own_names(rest: TestClient, at_hand: Contracts) -> None:
    files = [("files", ("deals/One.txt", b"One agreement.")), ("files", ("Two.txt", b"Two agreement."))]

    found = rest.post("documents", files=files, data={"bucket": "new", "acl": ["legal"]})

    assert found.status_code == 202, found.text
    job = found.json()["job"]
    assert found.headers["location"] == f"/api/v1/jobs/{job['id']}"
    at_hand.bench.local.documents._writing.follow(job["id"], None)
    items = rest.get(f"jobs/{job['id']}").json()["items"]
    assert sorted((each["source"], each["status"]) for each in items) == [
        ("Two.txt", "ready"),
        ("deals/One.txt", "ready"),
    ]
    [one, two] = rest.get("documents", params={"bucket": "new"}).json()["documents"]
    assert one["acl"] == two["acl"] == ["legal"]
    assert rest.delete(f"jobs/{job['id']}").status_code == 409  # it has ended
    assert rest.delete(f"documents/{one['id']}").json()["removed"] == [one["id"]]
    assert rest.delete(f"documents/{one['id']}").status_code == 404


def test_forms_that_do_not_fit_are_refused_and_leave_nothing(rest: TestClient, at_hand: Contracts) -> None:
    staged = at_hand.bench.settings.home / "staging"
    before = sorted(staged.iterdir()) if staged.is_dir() else []
    file = ("files", ("One.txt", b"One"))
    for files, data, status in (
        ([], {"bucket": "new"}, 415),
        ([file], {"colour": "blue"}, 400),
        ([file], {"bucket": "no such/bucket"}, 400),
        ([("files", ("...", b"x"))], {}, 422),
        ([("bucket", ("b.txt", b"x")), file], {}, 400),
    ):
        found = rest.post("documents", files=files or None, data=data)
        assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json"), (
            found.text
        )
    assert set(staged.iterdir()) <= set(before)  # of jobs before, which are cleared away meanwhile


def test_only_admins_bring_documents_in(rest: TestClient, at_hand: Contracts, monkeypatch: object) -> None:
    from app import identity

    token = identity.enter(identity.Caller(Principal("ann", frozenset({"analyst"}))))
    try:
        assert rest.post("documents", files=[("files", ("One.txt", b"One"))]).status_code == 403
        assert rest.post("documents/reindex").status_code == 403
        assert rest.get("jobs").status_code == 403
    finally:
        identity.leave(token)


def test_the_index_is_built_anew_by_a_job(rest: TestClient) -> None:
    found = rest.post("documents/reindex")

    assert found.status_code == 202, found.text
    job = found.json()["job"]["id"]
    assert rest.post("documents/reindex", json={"engine": "moon"}).status_code == 422
    assert rest.post("documents/reindex", json={}).status_code == 400  # one is under way
    assert rest.get("jobs", params={"limit": 1}).json()["jobs"][0]["id"] == job
    assert rest.delete(f"jobs/{job}").json()["id"] == job
    assert rest.get("jobs/j0").status_code == 404
