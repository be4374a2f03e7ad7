from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from tests.support.contracts_at_hand import plan_for

PLAN = plan_for().model_dump(mode="json")


@pytest.fixture
def audit(rest: TestClient) -> Any:
    return rest.post("audits", json={"name": f"Texas {uuid4().hex}", "plan": PLAN, "acl": []}).json()["audit"]


def test_lists_come_whole_or_in_pages(rest: TestClient, audit: Any) -> None:
    for _ in range(2):
        assert rest.post(f"audits/{audit['id']}/runs").status_code == 201  # without a body, too
    whole = rest.get(f"audits/{audit['id']}/runs").json()
    assert (len(whole["runs"]), whole["next_cursor"]) == (2, None)
    first = rest.get(f"audits/{audit['id']}/runs", params={"limit": 1}).json()
    second = rest.get(
        f"audits/{audit['id']}/runs", params={"limit": 1, "cursor": first["next_cursor"]}
    ).json()
    assert (first["runs"] + second["runs"], second["next_cursor"]) == (whole["runs"], None)
    for path in ("audits", "lessons", "uncovered", "audits/outdated"):
        assert rest.get(path).status_code == 200


def test_what_is_left_out_of_a_change_stays(rest: TestClient, audit: Any) -> None:
    path = f"audits/{audit['id']}"
    renamed = rest.patch(path, json={"expected": 1, "name": "Lone star"}).json()["audit"]
    assert (renamed["name"], renamed["acl"]) == ("Lone star", [])
    assert rest.patch(path, json={"expected": 2, "acl": None}).json()["audit"]["acl"] is None
    assert rest.patch(path, json={"expected": 3, "acl": ["legal"]}).json()["audit"]["acl"] == ["legal"]


def test_changes_and_parameters_that_do_not_fit_are_refused(rest: TestClient, audit: Any) -> None:
    path = f"audits/{audit['id']}"
    for body, status in (
        ({"expected": 99}, 409),
        ({}, 422),
        ({"expected": 1, "name": ""}, 422),
        ({"expected": 1, "name": " "}, 400),
        ({"expected": 1, "parameters": [{"colour": "blue"}]}, 400),
        ({"expected": 1, "plan": {}}, 422),
    ):
        found = rest.patch(path, json=body)
        assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert rest.post(f"{path}/runs", json={"parameters": {"governing_law": 7}}).status_code == 422
    assert rest.get(f"{path}/compare").status_code >= 400  # it never ran
    assert rest.get(f"{path}/runs/none").status_code == 404


def test_a_file_of_an_audit_has_a_harmless_name(rest: TestClient, audit: Any) -> None:
    written = rest.get(f"audits/{audit['id']}/export")
    assert written.headers["content-disposition"] == f'attachment; filename="plan-{audit["id"]}.json"'
    again = rest.post("audits/import", json={**written.json(), "name": "Again"})
    assert again.json()["audit"]["plan"] == audit["plan"]
    assert rest.post("audits/import", json=[]).status_code == 400
