"""Plans and audits by REST, over a real workbench."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.plan.ir.nodes import Plan
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

QUESTION = "Which contracts lack audit rights?"
PLAN = plan_for().model_dump(mode="json")


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("plans") / "home") as found:
        services.use(found.bench)
        yield found
    services.close()


@pytest.fixture
def client(at_hand: Contracts) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    return TestClient(Starlette(routes=[Mount("/api", app=api)]), base_url="http://127.0.0.1:8501")


def post(client: TestClient, path: str, status: int = 200, **body: Any) -> Any:
    found = client.post(f"/api/v1/{path}", json=body)
    assert found.status_code == status, found.text
    return found.json()


def test_a_question_becomes_a_plan_that_is_kept_estimated_and_runs(client: TestClient) -> None:
    made = post(client, "plans", question=QUESTION)
    assert (made["schema"], made["problems"], made["clarification"]) == (1, [], None)
    assert all(node["estimate"]["because"] for node in made["plan"]["nodes"])
    ran = post(client, f"plans/{made['id']}/run")
    assert ran["answer"]["schema"] == 1
    assert ran["run"]["status"] == ran["answer"]["status"]
    assert client.get(f"/api/v1/plans/{made['id']}").json()["audit"]["question"] == QUESTION


def test_a_vague_question_is_asked_back(client: TestClient) -> None:
    made = post(client, "plans", question="contracts from 03/04/2018")
    assert (made["id"], made["plan"]) == (None, None)
    assert made["clarification"]["options"]


def test_a_plan_that_cannot_run_is_told_so_and_not_kept(client: TestClient) -> None:
    node = {**PLAN["nodes"][0], "conditions": [{"field": "moon", "op": "=", "value": "1"}]}
    made = post(client, "plans", plan={**PLAN, "nodes": [node]})
    assert made["id"] is None
    assert made["problems"][0]["node"] == "texan"
    assert "moon" in made["problems"][0]["message"]
    assert made["problems"][0]["next_step"]


def test_a_plan_that_is_none_is_a_problem_that_names_the_node(client: TestClient) -> None:
    node = {**PLAN["nodes"][0], "type": "divine"}
    found = client.post("/api/v1/plans", json={"plan": {**PLAN, "nodes": [node]}})
    assert found.status_code == 422
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json()["problems"][0]["node"] == "texan"
    assert client.post("/api/v1/plans", content=b"{").status_code == 400
    assert client.post("/api/v1/plans", json=[1]).status_code == 400
    assert client.post("/api/v1/plans", json={"question": 7}).json()["detail"].startswith("`question`")


def test_an_audit_is_saved_run_compared_changed_and_removed(client: TestClient, at_hand: Contracts) -> None:
    audit = post(client, "audits", 201, name="Texas", plan=PLAN)["audit"]
    assert [each["name"] for each in audit["parameters"]] == ["bucket", "governing_law"]
    assert "Texas" in [each["name"] for each in client.get("/api/v1/audits").json()["audits"]]
    base = f"audits/{audit['id']}"
    first = post(client, f"{base}/runs", 201)["run"]
    at_hand.state(at_hand.made["Acme agreement"], "Texas")
    second = post(client, f"{base}/runs", 201)["run"]
    other = post(client, f"{base}/runs", 201, parameters={"governing_law": "Delaware"})["run"]
    assert other["parameters"]["governing_law"] == ["Delaware"]

    asked = f"?before={first['id']}&after={second['id']}"
    found = client.get(f"/api/v1/{base}/compare{asked}").json()
    assert [(each["title"], each["reasons"][0]["why"]) for each in found["new"]] == [
        ("Acme agreement", "cell_changed")
    ]
    assert client.get(f"/api/v1/{base}/compare").json()["after"]["id"] == other["id"]
    assert [each["id"] for each in client.get(f"/api/v1/{base}/runs").json()["runs"]] == [
        other["id"],
        second["id"],
        first["id"],
    ]
    assert client.get(f"/api/v1/{base}/runs/{first['id']}").json()["run"]["result"]["documents"]

    renamed = client.patch(f"/api/v1/{base}", json={"expected": 1, "name": "Lone star"}).json()["audit"]
    assert (renamed["name"], renamed["version"]) == ("Lone star", 2)
    late = client.patch(f"/api/v1/{base}", json={"expected": 1, "name": "Mine"})
    assert late.status_code == 409
    assert (late.json()["user"], "admin" in late.json()["detail"]) == ("admin", True)
    assert client.delete(f"/api/v1/{base}").status_code == 204
    assert client.get(f"/api/v1/{base}").status_code == 404
    assert post(client, f"{base}/restore")["audit"]["name"] == "Lone star"


def test_what_is_written_out_can_be_sent_in(client: TestClient) -> None:
    audit = post(client, "audits", 201, name="To share", plan=PLAN, acl=[])["audit"]
    written = client.get(f"/api/v1/audits/{audit['id']}/export")
    assert "attachment" in written.headers["content-disposition"]
    again = post(client, "audits/import", 201, **{**written.json(), "name": "Shared"})["audit"]
    assert again["plan"] == audit["plan"]
    assert Plan.model_validate(again["plan"]) == plan_for()


def test_another_principal_sees_only_what_is_shared(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = post(client, "audits", 201, name="Mine alone", plan=PLAN)["audit"]
    monkeypatch.setattr(services, "current_principal", lambda: Principal("guest", MAY_ASK))
    assert client.get(f"/api/v1/audits/{mine['id']}").status_code == 404
    assert post(client, f"plans/{mine['id']}/run", 404)["next_step"]
    refused = client.post("/api/v1/phrases", json={"field": "audit_rights", "phrase": "look inside"})
    assert refused.status_code == 403


def test_words_are_taught_and_failures_corrected(client: TestClient) -> None:
    taught = post(client, "phrases", field="audit_rights", phrase="look inside")
    assert "look inside" in taught["phrases"]
    lesson = post(client, "lessons", 201, question="Who may skedaddle?", plan=PLAN)["lesson"]
    assert lesson["corrected"]["nodes"][0]["id"] == "texan"
    assert [each["id"] for each in client.get("/api/v1/lessons").json()["lessons"]] == [lesson["id"]]
    assert client.delete(f"/api/v1/lessons/{lesson['id']}").status_code == 204
    assert client.get("/api/v1/uncovered").json()["phrases"] == []


def test_failures_are_listed_by_shape_and_asked_again(client: TestClient) -> None:
    services.session().questions.ask("Who may skedaddle?")
    (shape,) = client.get("/api/v1/failures").json()["shapes"]
    assert (shape["failed"], shape["open"]) == (1, 1)
    opened = client.get("/api/v1/failures/shape", params={"shape": shape["shape"]}).json()["shape"]
    assert opened["questions"][0]["question"] == "Who may skedaddle?"
    assert client.get("/api/v1/failures/shape", params={"shape": "none"}).status_code == 404
    job = post(client, "failures/again", 202, shape=shape["shape"])["job"]
    assert job["kind"] == "ask_again"


def test_the_json_schema_of_plans_is_published(client: TestClient) -> None:
    assert client.get("/api/v1/plans/schema").json()["title"] == "Plan"


def test_audits_whose_evidence_changed_are_listed(client: TestClient, at_hand: Contracts) -> None:
    made = post(client, "audits", 201, plan=PLAN, name="To run again")["audit"]
    post(client, f"audits/{made['id']}/runs", 201)
    at_hand.add("Nova agreement", "Texas")
    found = {each["audit"]["id"]: each for each in client.get("/api/v1/audits/outdated").json()["audits"]}
    [change] = found[made["id"]]["changes"]
    assert (change["title"], change["kind"], change["reasons"][0]["why"]) == (
        "Nova agreement",
        "new",
        "document_added",
    )


def test_a_run_is_begun_shown_and_compared_with_its_figures_defined(
    client: TestClient, at_hand: Contracts
) -> None:
    at_hand.bench.local.evaluations.follow(run := post(client, "evaluations", 202, suite="home")["run"]["id"])
    shown = client.get(f"/api/v1/evaluations/{run}").json()["run"]
    listed = client.get("/api/v1/evaluations").json()
    compared = client.get(f"/api/v1/evaluations/{run}/compare/{run}").json()
    assert (shown["state"], shown["done"]) == ("done", len(shown["cases"]))
    assert [each["id"] for each in listed["runs"]] == [run]
    assert all(
        each["definition"] and (each["value"] is not None or each["reason"]) for each in shown["figures"]
    )
    assert compared["counts"]["same"] == shown["total"]
    assert client.post("/api/v1/evaluations", json={"suite": "none"}).status_code == 404


def test_rates_are_set_and_listed_and_a_wrong_one_changes_nothing(client: TestClient) -> None:
    def send(method: str, **body: Any) -> Any:
        return client.request(method, "/api/v1/rates", json=body)

    assert send("PATCH", base="EUR", fiscal_month=4).status_code == 200
    rate = {"currency": "USD", "rate": "0.92", "day": "2024-01-01", "source": "ECB"}
    assert send("PUT", rates=[rate]).json()["rates"] == [rate]
    wrong = send("PUT", csv="currency,rate\nGBP,1.2\nUSD,1e400\n", instead=True)
    assert (wrong.status_code, wrong.json()["detail"][:7]) == (400, "Line 3:")
    assert [send("PUT", **body).status_code for body in ({"instead": True}, {"csv": "", "rates": []})] == [
        400,
        400,
    ]
    found = client.get("/api/v1/rates").json()
    assert (found["base"], found["fiscal_month"], found["rates"]) == ("EUR", 4, [rate])
