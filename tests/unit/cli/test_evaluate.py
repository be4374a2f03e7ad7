"""`evaluate`: a suite asked of a home, without a language model and with one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from app.presenting.evaluation.trends import trend_chart
from core.cli.main import groundwork
from core.cli.output import FAILED, SOME_FAILED
from core.errors import NotFoundError, RecordsError, UsageError
from core.evaluate.metrics import METRICS
from core.evaluate.shapes import comparison_json
from core.workbench import Workbench
from core.workbench.work.measured_home import HomeAsker
from tests.support.scripted_llm import ScriptedLlm, Step, failure, reply_json, stream

CASE = {
    "id": "notice",
    "question": "What is the notice period of the lease?",
    "shape": "lookup",
    "why": "It stands in the text.",
    "expect": {"status": "answered", "documents": ["lease.txt"]},
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluate")
    (folder / "lease.txt").write_text("# Lease\n\nThe notice period of the lease is thirty days.\n")
    (folder / "suite.jsonl").write_text(json.dumps(CASE) + "\n")
    run(folder / "home", "ingest", str(folder / "lease.txt"))
    return folder / "home"


def invoked(home: Path, *arguments: str) -> Result:
    done = CliRunner().invoke(groundwork, [*arguments, "--home", str(home), "--json"], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done


def run(home: Path, *arguments: str) -> Any:
    done = invoked(home, *arguments)
    return json.loads(done.stdout) if done.stdout.strip() else None


def written(body: dict[str, Any]) -> Step:
    """Prose where it is asked for; evidence is always enough."""
    if not body.get("stream"):
        return reply_json({"decision": "enough", "tool": "", "arguments": "", "reason": ""})
    return stream(json.dumps({"text": "The notice period of the lease is thirty days.", "ids": ["e1"]}))


def suite(home: Path) -> str:
    return str(home.parent / "suite.jsonl")


def test_a_suite_is_asked_without_a_model(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedLlm(stream("")) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        found = run(home, "evaluate", suite(home))

        assert server.requests == []
    assert found["with_model"] is None
    assert len(found["results"]) == 1


def test_a_suite_is_asked_with_a_model_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedLlm(written) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("GROUNDWORK_LLM__VERIFY", "false")
        found = run(home, "evaluate", suite(home), "--with-model")

    assert found["with_model"]["calls"] >= 1
    assert found["with_model"]["tokens"] > 0
    assert len(found["with_model"]["results"]) == 1


def test_a_server_that_dies_in_the_middle_leaves_both_readings_and_a_code(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home.parent / "two.jsonl"
    asking = (CASE, {**CASE, "id": "days", "question": "How many days is the notice period of the lease?"})
    file.write_text("".join(json.dumps(case) + "\n" for case in asking))
    monkeypatch.setenv("GROUNDWORK_LLM__VERIFY", "false")

    def dying(body: dict[str, Any]) -> Step:
        return failure(500) if "How many days" in json.dumps(body) else written(body)

    with ScriptedLlm(dying) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        done = invoked(home, "evaluate", str(file), "--with-model")

    found = json.loads(done.stdout)
    assert done.return_value == SOME_FAILED
    assert len(found["results"]) == 2
    assert len(found["with_model"]["results"]) == 2
    assert found["with_model"]["failed"] >= 1
    assert found["with_model"]["tokens"] >= 50
    assert found["with_model"]["worse"] == []


def test_an_error_in_the_middle_leaves_what_was_measured_and_a_resume_asks_only_the_rest(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home.parent / "two.jsonl"
    asking = (CASE, {**CASE, "id": "days", "question": "How many days is the notice period of the lease?"})
    file.write_text("".join(json.dumps(case) + "\n" for case in asking))
    asked: list[str] = []
    answer = HomeAsker.answer

    def broken(self: HomeAsker, question: str, bucket: str | None) -> Any:
        asked.append(question)
        if len(asked) == 2:
            raise RecordsError("The records are gone.")
        return answer(self, question, bucket)

    monkeypatch.setattr(HomeAsker, "answer", broken)
    done = invoked(home, "evaluate", str(file))

    found = json.loads(done.stdout)
    assert done.return_value == SOME_FAILED
    assert "Stopped after 1 of 2 questions: The records are gone." in done.stderr
    assert len(found["results"]) == 1

    again = run(home, "evaluate", "resume", found["run"])

    assert [each["id"] for each in again["results"]] == ["notice", "days"]
    assert asked == [asking[0]["question"], asking[1]["question"], asking[1]["question"]]


def test_without_a_model_it_says_how_to_get_one(home: Path) -> None:
    with pytest.raises(UsageError, match="No language model is configured"):
        run(home, "evaluate", suite(home), "--with-model")


def test_a_gate_tells_every_metric_that_is_missed(home: Path) -> None:
    limits = ("exact=1", "citation_accuracy=1", "silently_wrong=0", "abstention_recall=0.5", "p95_ms=0")
    done = invoked(
        home, "evaluate", suite(home), *(part for each in limits for part in ("--fail-under", each))
    )

    assert done.return_value == FAILED
    assert "abstention_recall could not be computed" in done.stderr
    assert "p95_ms is" in done.stderr
    assert "exact is" not in done.stderr
    assert "silently_wrong is" not in done.stderr
    assert invoked(home, "evaluate", suite(home), "--fail-under", "exact=1").return_value == 0


def test_a_suite_is_kept_in_the_home_and_a_case_of_it_muted(home: Path) -> None:
    kept = run(home, "evaluate", "import", suite(home), "--name", "leases")["suite"]
    muted = run(home, "evaluate", "mute", "leases", "notice", "--reason", "It is asked elsewhere.")

    found = run(home, "evaluate", "leases")

    assert (kept["name"], kept["cases"], muted["case"]) == ("leases", 1, "notice")
    assert (found["muted"], found["figures"][0]["cases"]) == ({"notice": "It is asked elsewhere."}, 0)
    assert run(home, "evaluate", "unmute", "leases", "notice")["case"] == "notice"
    assert run(home, "evaluate", "sampled")["reviews"] == []
    with pytest.raises(NotFoundError):
        run(home, "evaluate", "promote", "none", "leases")
    with pytest.raises(UsageError, match="no suite 'lease'"):
        run(home, "evaluate", "lease")


def test_an_unknown_metric_is_named_with_those_that_there_are(home: Path) -> None:
    with pytest.raises(UsageError, match="no metric 'exakt'"):
        run(home, "evaluate", suite(home), "--fail-under", "exakt=1")


def test_runs_are_listed_and_compared_with_the_figures_of_their_command(home: Path) -> None:
    one, two = (run(home, "evaluate", suite(home)) for _ in range(2))

    listed = run(home, "evaluate", "list", "--suite", "suite.jsonl")
    figures = {each["id"]: each["figures"] for each in listed["runs"]}
    compared = run(home, "evaluate", "compare", one["run"], two["run"])

    told = {each["name"]: each["value"] for each in figures[one["run"]]}
    assert told == {each["name"]: each["value"] for each in one["figures"]}
    assert compared["counts"] == {**dict.fromkeys(compared["counts"], 0), "same": 1}
    assert (compared["before"]["id"], compared["after"]["id"]) == (one["run"], two["run"])


def test_a_trend_has_the_figures_of_every_run_the_oldest_first(home: Path) -> None:
    run(home, "evaluate", "import", suite(home), "--name", "over-time")
    ran = [run(home, "evaluate", "over-time") for _ in range(2)]

    found = run(home, "evaluate", "trend", "over-time")

    told = [{each["name"]: each["value"] for each in one["figures"]} for one in ran]
    assert [(each["id"], each["figures"]) for each in found["runs"]] == [
        (one["run"], values) for one, values in zip(ran, told, strict=True)
    ]
    assert all(each["versions"]["product"] for each in found["runs"])
    with pytest.raises(UsageError, match="no metric 'exakt'"):
        run(home, "evaluate", "trend", "over-time", "--metric", "exakt")
    with pytest.raises(UsageError, match="no suite 'none'"):
        run(home, "evaluate", "trend", "none")


def test_the_command_shows_what_the_page_draws(home: Path) -> None:
    one, two = (run(home, "evaluate", suite(home))["run"] for _ in range(2))

    told = run(home, "evaluate", "trend", "suite.jsonl")["runs"]
    compared = run(home, "evaluate", "compare", one, two)
    with Workbench.open(home=home) as bench:
        evaluations = bench.local.evaluations
        charts = {name: trend_chart(evaluations.trend("suite.jsonl"), name) for name in METRICS}
        shown = evaluations.compare(one, two)

    for name, chart in charts.items():
        lines = chart.figure["data"]  # of runs without a model, and with one
        points = {run: y for line in lines for run, y in zip(line["customdata"], line["y"], strict=True)}
        assert points == {each["id"]: value for each in told if (value := each["figures"][name]) is not None}
    assert compared == {**compared, **comparison_json(shown)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Notes\n", "line 1: not JSON"),
        ("[1, 2]\n", "line 1: "),
        ("", "holds no question"),
        (json.dumps({**CASE, "shape": "guess"}), "line 1: shape"),
        (f"{json.dumps(CASE)}\n" * 2, "line 2: the id 'notice' stands twice"),
    ],
)
def test_a_file_that_is_no_suite_is_refused_with_its_line(home: Path, text: str, told: str) -> None:
    file = home.parent / "none.jsonl"
    file.write_text(text)

    with pytest.raises(UsageError, match=told):
        run(home, "evaluate", str(file))


def test_documents_that_are_not_there_are_told_before_anything_is_asked(home: Path) -> None:
    file = home.parent / "unknown.jsonl"
    file.write_text(json.dumps({**CASE, "expect": {"status": "answered", "documents": ["gone.txt"]}}) + "\n")

    done = invoked(home, "evaluate", str(file))

    assert "1 of its documents are not in this home: gone.txt." in done.stderr
    assert json.loads(done.stdout)["results"][0]["problems"][-1] == "not in this home: gone.txt"
    with pytest.raises(click.MissingParameter, match="reason"):
        run(home, "evaluate", "mute", "unknown.jsonl", "notice")
    with pytest.raises(NotFoundError, match=r"no suite 'unknown\.jsonl'"):
        run(home, "evaluate", "mute", "unknown.jsonl", "none", "--reason", "It is wrong.")
