from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.domain.ids import TraceId
from core.errors import UsageError
from core.evaluate.suite import load_suite
from core.workbench import Workbench
from tests.support.filled_matrix import fill

LAW = "What is the governing law of Cobalt?"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    home = tmp_path / "home"
    fill(home)
    with Workbench.open(home=home) as bench:
        trace = TraceId(bench.ask(LAW).trace_id)
        bench.local.feedback.give(trace, "down", reason="unclear")
    return home


def run(home: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(
        groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    assert (result.return_value or 0) == code
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def text(home: Path, *arguments: str) -> str:
    result = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
    assert result.exception is None
    return result.output


def test_a_flagged_answer_is_listed_shown_and_judged(home: Path) -> None:
    [item] = run(home, "review", "list")["reviews"]
    assert (item["question"], item["state"], item["verdict"]) == (LAW, "open", None)
    assert [each["reason"] for each in item["flags"]] == ["thumbs_down"]
    shown = run(home, "review", "show", item["id"])
    assert shown["answer"]["trace_id"] == item["trace_id"]
    assert shown["feedback"][0]["reason"] == "unclear"
    assert "marked as wrong" in text(home, "review", "show", item["id"])

    judged = run(home, "review", "resolve", item["id"], "--verdict", "correct", "--claim", "0=correct")

    assert judged["review"]["verdict"] == "correct"
    assert run(home, "review", "list")["total"] == 0
    assert run(home, "review", "list", "--state", "all", "--reason", "thumbs_down")["total"] == 1
    assert LAW in text(home, "review", "list", "--state", "resolved")
    with pytest.raises(UsageError, match="no verdict on a claim"):
        run(home, "review", "resolve", item["id"], "--verdict", "wrong", "--claim", "first")


def test_verdicts_are_a_suite_that_evaluate_runs(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No answer has become a case"):
        run(home, "evaluate", "reviews")
    [item] = run(home, "review", "list")["reviews"]
    run(home, "review", "resolve", item["id"], "--verdict", "correct")
    file = tmp_path / "cases.jsonl"

    [case] = run(home, "review", "cases", "--out", str(file))["cases"]

    assert [each.id for each in load_suite(file)] == [case["id"]]
    report = run(home, "evaluate", "reviews")
    figures = {each["name"]: each["value"] for each in report["figures"]}
    assert (len(report["results"]), figures["exact"], figures["silently_wrong"]) == (1, 1.0, 0.0)


def test_an_answer_is_replayed_and_packed(home: Path, tmp_path: Path) -> None:
    trace = run(home, "review", "list")["reviews"][0]["trace_id"]

    replayed = run(home, "replay", trace)
    assert replayed["equal"]
    assert replayed["citations"] == {"cited": 1, "held": 1}
    assert "the answer is equal" in text(home, "replay", trace)
    made = run(home, "evidence-pack", trace, "--out", str(tmp_path / "pack.zip"))
    with zipfile.ZipFile(made["file"]) as archive:
        assert len(archive.namelist()) == made["files"]
