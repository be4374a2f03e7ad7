"""`llm`: tested, chosen, and what was spent; and what the doctor says of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from core.cli.doctor import examine
from core.cli.main import groundwork
from tests.support.scripted_llm import ScriptedLlm, Step, failure, reply, reply_json, stream

KEY = "gsk_abcdefghijklmnop"


def well(request: dict[str, Any]) -> Step:
    if request.get("stream"):
        return stream("Hello.")
    return reply("Hi.") if request.get("tools") else reply_json({"hour": 9, "word": "nine"})


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedLlm]:
    with ScriptedLlm(well) as server:
        monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", server.url)
        monkeypatch.setenv("GROQ_API_KEY", KEY)
        monkeypatch.delenv("GROUNDWORK_LLM__API_KEY", raising=False)
        yield server


def invoke(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)


def test_a_test_and_what_it_spent(tmp_path: Path, scripted: ScriptedLlm) -> None:
    tested = invoke(tmp_path, "llm", "test")
    spent = json.loads(invoke(tmp_path, "llm", "use", "--json").stdout)
    shown = invoke(tmp_path, "llm", "use")

    assert tested.return_value == 0
    assert tested.stdout.count("ok  ") == 3
    assert (spent["schema"], spent["calls"], len(spent["recent"])) == (1, 3, 3)
    assert "test_stream@1" in shown.stdout
    assert scripted.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_test_that_fails_has_its_exit_code_and_shows_no_key(tmp_path: Path, scripted: ScriptedLlm) -> None:
    scripted.script = [failure(401, f"bad key {KEY}")]

    found = invoke(tmp_path, "llm", "test", "--json")

    assert found.return_value == 1
    assert json.loads(found.stdout)["ok"] is False
    assert KEY not in found.output


def test_a_model_is_chosen(tmp_path: Path, scripted: ScriptedLlm) -> None:
    found = json.loads(invoke(tmp_path, "llm", "choose", "writing_model=small", "--json").stdout)

    assert (found["writing_model"], found["base_url"]) == ("small", scripted.url)
    assert "small" in invoke(tmp_path, "llm", "choose").stdout


@pytest.mark.parametrize(("script", "ok"), [(well, True), (failure(403), False)])
def test_the_doctor_tests_the_model_and_never_requires_it(
    tmp_path: Path, scripted: ScriptedLlm, script: Any, ok: bool
) -> None:
    scripted.script = [script]

    [found] = [check for check in examine(tmp_path) if check.name == "language model"]

    assert (found.ok, found.required) == (ok, False)
    assert KEY not in found.detail


def test_the_doctor_is_content_without_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    [found] = [check for check in examine(tmp_path) if check.name == "language model"]

    assert (found.ok, found.required) == (True, False)
    assert "composed without" in found.detail
