"""The inspector over a real home of ten contracts with cells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from app.views.plan.history import packed
from core.domain.event import Event, QuestionRead, ToolUsed
from core.domain.ids import TraceId
from core.domain.llm.use import ModelStatement
from core.plan.ir.nodes import Condition
from core.workbench import Workbench
from tests.support.filled_matrix import fill
from tests.support.texan_plans import BOTH, COUNT, LATE, LAW, plan

MAIN = str(Path(__file__).parents[2] / "app" / "main.py")
PLAN = plan(LAW, LATE, BOTH, COUNT)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("inspector") / "home"
    fill(found)
    return found


@pytest.fixture
def bench(home: Path) -> Iterator[Workbench]:
    with Workbench.open(home=home) as workbench:
        services.use(workbench)
        services._warmed.set()
        yield workbench
        services.close()


@pytest.fixture
def app(bench: Workbench) -> AppTest:
    return AppTest.from_file(MAIN, default_timeout=20)


def opened(app: AppTest, **parameters: str) -> None:
    app.run()
    app._page_hash = calc_hash("inspector")  # the public switch_page knows page files only
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    settled(app)


def settled(app: AppTest) -> None:
    """Until what runs has ended, and the page shows it."""
    if "gw_inspection" in app.session_state and app.session_state["gw_inspection"]["run"]:
        kept = app.session_state["gw_inspection"]
        run = services.plan_runs().get(kept["run"], services.current_principal())
        assert run is not None
        assert run.ended.wait(20)
        app.run()
    assert not app.exception


def graph(app: AppTest) -> dict[str, dict[str, Any]]:
    found = (json.loads(each.proto.json)[0] for each in app.get("bidi_component") if each.proto.json)
    [data] = [each for each in found if "edges" in each]
    return {node["id"]: node for node in data["nodes"]}


def states(app: AppTest) -> dict[str, str]:
    return {id: node["state"] for id, node in graph(app).items()}


def words(app: AppTest) -> str:
    return "\n".join(
        each.value for kind in ("markdown", "info", "error", "caption") for each in app.get(kind)
    )


def test_an_empty_page_says_what_to_do(app: AppTest) -> None:
    opened(app)

    assert "before anything runs" in words(app)
    assert "Begin with a question" in words(app)
    assert not app.get("bidi_component") or all(
        "edges" not in (each.proto.json or "") for each in app.get("bidi_component")
    )


def test_a_question_is_drawn_with_estimates_and_runs_when_it_is_told_to(app: AppTest) -> None:
    opened(app, question="Which contracts lack audit rights?")
    assert set(states(app).values()) == {"idle"}
    assert all(node["expected"].startswith("about") for node in graph(app).values())

    app.button(key="run").click().run()
    settled(app)

    assert set(states(app).values()) == {"done"}
    assert "contracts" in words(app)


def test_an_address_opens_its_plan_and_its_node(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), node="late")

    assert set(states(app)) == {"law", "late", "both", "count"}
    assert [each.value for each in app.date_input] != []
    assert graph(app)["count"]["gave"] == "1"


def test_a_changed_value_runs_its_dependants_and_is_undone(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), node="law")
    [law] = [each for each in app.selectbox if each.label.endswith("Governing law: value")]

    law.select("Delaware").run()
    settled(app)
    assert states(app) == {"law": "done", "late": "kept", "both": "done", "count": "done"}
    assert graph(app)["count"]["gave"] == "2"
    assert "What changed" in words(app)

    app.button(key="step-undo").click().run()
    settled(app)
    assert set(states(app).values()) == {"kept"}
    assert graph(app)["count"]["gave"] == "1"

    app.button(key="step-redo").click().run()
    settled(app)
    app.button(key="step-reset").click().run()
    settled(app)
    assert graph(app)["count"]["gave"] == "1"


def test_nothing_changes_by_looking_at_every_node(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), node="law")
    before = app.session_state["gw_inspection"]["draft"]

    for node in ("late", "both", "count", "law"):
        app.query_params["node"] = node
        app.run()
        app.run()
        assert not app.exception

    assert app.session_state["gw_inspection"]["draft"] == before


def test_a_field_that_does_not_exist_names_the_node_and_nothing_runs(app: AppTest) -> None:
    wrong = LAW.model_copy(update={"conditions": (Condition(field="lawfulness", op="=", value="x"),)})
    opened(app, plan=packed(PLAN.model_copy(update={"nodes": (wrong, *PLAN.nodes[1:])})), node="law")

    assert states(app)["law"] == "wrong"
    assert "There is no field 'lawfulness' in contracts" in graph(app)["law"]["message"].replace("\\", "")
    assert app.button(key="run").disabled
    assert app.session_state["gw_inspection"]["run"] == ""


@pytest.mark.parametrize("address", ["znonsense", "p0123", "l0123"])
def test_an_address_that_opens_nothing_leaves_the_plan_that_was_there(app: AppTest, address: str) -> None:
    opened(app, plan=packed(PLAN))

    app.query_params["plan"] = address
    app.run()

    assert not app.exception
    assert "not complete" in words(app) or "is not there" in words(app)
    assert set(states(app)) == {"law", "late", "both", "count"}


def test_a_node_is_added_and_taken_out(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), node="both")

    app.button(key="add-select").click().run()
    settled(app)
    assert graph(app)["select-1"]["inputs"] == ["both"]

    app.button(key="node-out").click().run()
    settled(app)
    assert set(states(app)) == {"law", "late", "both", "count"}


def test_an_audit_is_saved_with_what_it_gave_and_run_with_other_values(
    app: AppTest, bench: Workbench
) -> None:
    opened(app, plan=packed(PLAN), side="Audit")
    app.text_input(key="audit-name").set_value("Late in Texas")
    [save] = [each for each in app.button if each.label == "Save as audit"]
    save.click().run()
    settled(app)
    [audit] = bench.local.audits.list()
    assert [len(bench.local.audits.runs(audit.id)), app.query_params["plan"]] == [1, audit.id]

    [law] = [each for each in app.text_input if each.label == "Governing law"]
    law.set_value("Delaware")
    [run] = [each for each in app.button if each.label == "Run the audit"]
    run.click().run()
    settled(app)
    app.run()

    assert [run.value.value for run in bench.local.audits.runs(audit.id) if run.value] == ["2", "1"]
    assert graph(app)["count"]["gave"] == "2"
    bench.local.audits.remove(audit.id)


def test_the_evidence_of_a_plan_is_listed_by_document_with_what_became_of_it(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), side="Evidence")

    found = (json.loads(each.proto.json)[0] for each in app.get("bidi_component") if each.proto.json)
    [items] = [
        block["items"] for data in found for block in data.get("blocks", ()) if block["kind"] == "evidence"
    ]
    assert items
    assert {each["state"] for each in items} <= {"used", "duplicate", "contradicted", "unused"}
    assert all(each["href"].startswith(f"/documents?document={each['document']}") for each in items)


def test_a_plan_of_an_answer_leads_back_to_its_conversation(app: AppTest) -> None:
    opened(app, plan=packed(PLAN), conversation="c1", turn="t1")

    assert app.session_state["gw_inspection"]["back"] == {
        "conversation": "c1",
        "turn": "t1",
        "at": "plan.0",
    }
    [back] = [each for each in app.get("page_link") if each.proto.label == "Back to the conversation"]
    assert back.proto.query_string == "conversation=c1&turn=t1&at=plan.0"


def traced(bench: Workbench, *events: Event) -> str:
    """An answer of the same plan whose trace has further events; its id."""
    answer = bench.local.questions.ask("How many contracts are under Texas law?")
    trace = bench.local.questions.trace(TraceId(answer.trace_id))
    kept = trace.model_copy(
        update={"trace_id": f"{answer.trace_id[:-2]}zz", "events": (*events, *trace.events)}
    )
    bench._parts.records.traces.save(kept)
    return kept.trace_id


def test_tool_calls_of_a_model_are_shown_with_arguments_results_time_and_tokens(
    app: AppTest, bench: Workbench
) -> None:
    call = ToolUsed(
        at_ms=1.0,
        tool="search_text",
        arguments={"query": "governing law", "top_k": 3},
        hits=2,
        result="[e1] Lease, page 1",
        latency_ms=12.0,
        tokens=950,
    )
    said = ModelStatement(part="Buckets", said="nowhere", is_used=False, why="there is no such bucket")
    id = traced(bench, QuestionRead(at_ms=0.5, parts=(said,)), call, call.model_copy(update={"hits": 0}))
    opened(app, plan=id, side="Model")

    assert [each.label for each in app.expander if "search_text" in each.label] == [
        "1 · search_text · 2 hits · 12 ms · 950 tokens",
        "2 · search_text · nothing found · 12 ms · 950 tokens",
    ]
    shown = [each.value for each in app.code]
    assert json.loads(shown[0]) == {"query": "governing law", "top_k": 3}
    assert shown[1] == "[e1] Lease, page 1"
    assert any("there is no such bucket" in (each.proto.json or "") for each in app.get("bidi_component"))


def test_an_answer_without_a_model_has_no_part_for_one(app: AppTest, bench: Workbench) -> None:
    opened(app, plan=traced(bench))

    [parts] = [each for each in app.get("button_group") if "Audit" in str(each.proto)]
    assert "Model" not in str(parts.proto)
