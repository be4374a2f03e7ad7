"""The page of suites, runs and comparisons, over a real home of ten contracts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.app.test_learning import shown, table
from tests.app.test_matrix import open_page
from tests.support.contracts_at_hand import contracts_at_hand
from tests.support.roles import MAY_ASK

TEXAN = "Which contracts are governed by the law of Texas?"
ALL = "Which contracts are there?"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        sources = [each.source for each in found.bench.local.documents.list()]
        names = [name for name in sources if name.startswith(("Cobalt", "Glacier"))]
        expect = {"status": "answered", "documents": names}
        cases = [
            {"id": id, "question": question, "shape": "list", "why": "Both say so.", "expect": expect}
            for id, question in (("texan", TEXAN), ("every", ALL))
        ]
        file = tmp_path / "own.jsonl"
        file.write_text("".join(f"{json.dumps(each)}\n" for each in cases))
        found.bench.local.evaluations.import_suite(file)
        services.use(found.bench)
        yield found.bench
        services.close()


def measured(bench: Workbench) -> str:
    """The id of a complete run of the own suite."""
    evaluations = bench.local.evaluations
    return evaluations.follow(evaluations.start("own")).run.id


def test_a_suite_is_chosen_and_run(app: AppTest, bench: Workbench) -> None:
    open_page(app, "evaluate")
    assert "No run yet" in shown(app)
    names = [each["id"] for each in table(app, "suites")]
    assert {"questions", "reviews", "home", "own"} <= set(names)
    open_page(app, "evaluate", suite="own")
    app.button(key="start").click().run()
    (run,) = bench.local.evaluations.runs()
    assert (run.suite, run.total) == ("own", 2)
    assert "0 of 2 cases, begun by admin" in shown(app)
    app.button(key="cancel-run").click().run()
    open_page(app, "evaluate", run=run.id)
    assert "Nothing is measured yet" in shown(app)


def test_a_run_shows_its_figures_and_a_case_tells_why(app: AppTest, bench: Workbench) -> None:
    run = measured(bench)
    open_page(app, "evaluate", run=run)
    assert app.metric[0].value == "0.500"
    assert [each["id"] for each in table(app, "evaluation-cases")] == ["every", "texan"]
    open_page(app, "evaluate", run=run, case="every")
    text = shown(app)
    assert "Expected is an answer." in text
    assert "Adds " in text
    app.text_input(key="mute-reason").set_value("Nobody asks this.").run()
    app.button(key="mute").click().run()
    assert [each.case for each in bench.local.evaluations.muted("own")] == ["every"]
    assert app.metric[0].value == "1.000"
    app.button(key="unmute").click().run()
    assert bench.local.evaluations.muted("own") == []


def test_two_runs_are_compared_case_by_case(app: AppTest, bench: Workbench) -> None:
    before, after = measured(bench), measured(bench)
    open_page(app, "evaluate", picked=f"{after},{before}", suite="own")
    assert not app.button(key="compare").disabled
    app.button(key="compare").click().run()
    assert "Both were run with the same program" in shown(app)
    assert {each["cells"]["change"] for each in table(app, "evaluation-compared")} == {"● Same"}
    open_page(app, "evaluate", before=before, after=after, case="texan")
    assert "**Before: ● Right**" in shown(app)


def test_unknown_runs_and_who_may_not_review_are_told(
    app: AppTest, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page(app, "evaluate", run="none")
    assert "none" in "\n".join(each.value for each in app.warning)
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    open_page(app, "evaluate")
    assert not app.metric
    assert not [each for each in app.get("bidi_component") if "own" in str(each.proto)]
