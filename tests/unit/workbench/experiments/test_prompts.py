"""Another text of a prompt as a variant: sent while it serves, measured beside, rolled back."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.llm.use import ModelRole
from core.errors import UsageError
from core.evaluate.suite import Case
from core.llm.prompts import load_prompt, prompt_text
from core.workbench import Workbench
from tests.support.scripted_llm import ScriptedLlm, stream
from tests.support.variants import opened_home

SHORT = "Write one sentence."


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def edited() -> str:
    return prompt_text("write").replace("# user\n", f"# user\n{SHORT}\n")


def written(bench: Workbench, server: ScriptedLlm) -> str:
    """The last message that a server gets of a prompt that writes."""
    bench._look_at = 0.0
    bench.local  # noqa: B018 - goes over to what serves
    calls = bench._parts.models_of_home.calls("ann")
    assert calls is not None
    values = dict.fromkeys(("question", "evidence", "today", "marks", "searches"), "x")
    list(calls.write(load_prompt("write", ModelRole.WRITE, **values)))
    calls.stop()
    return str(server.requests[-1]["messages"][-1]["content"])


def test_a_prompt_is_sent_while_its_variant_serves(tmp_path: Path) -> None:
    with ScriptedLlm(lambda request: stream("Hello.")) as server, opened_home(tmp_path) as bench:
        bench.local.settings.choose_model(base_url=server.url, writing_model="small")
        experiments = bench.local.experiments
        assert experiments.prompts()["prompt.write"] == prompt_text("write")
        experiments.add("brief", {"prompt.write": edited()})
        assert experiments.list()[1].status == "ready"
        own = written(bench, server)
        experiments.switch("brief")
        assert written(bench, server) == f"{SHORT}\n{own}"
        experiments.rollback()
        assert written(bench, server) == own
        for text, reason in ((edited().replace("{{evidence}}", ""), "lacks"), ("Write.", "sections")):
            with pytest.raises(UsageError, match=reason):
                experiments.add("wrong", {"prompt.write": text})


def test_without_a_model_no_prompt_can_differ(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        assert bench.local.experiments.prompts() == {}
        with pytest.raises(UsageError, match="No language model"):
            bench.local.experiments.add("brief", {"prompt.write": edited()})


def test_a_suite_runs_on_a_variant_beside_what_serves(tmp_path: Path) -> None:
    with opened_home(tmp_path) as bench:
        session = bench.local
        session.experiments.add("low", {"retrieval.alpha": "0.0"})
        asked = Case.model_validate(
            {
                "id": "rent",
                "shape": "lookup",
                "question": "What is the monthly rent?",
                "expect": {"status": "answered", "documents": ["lease.txt"]},
                "why": "It stands there.",
            }
        )
        file = tmp_path / "rents.jsonl"
        file.write_text(asked.model_dump_json(exclude_none=True) + "\n")
        session.evaluations.import_suite(file)
        runs = [session.experiments.evaluate(each, "rents") for each in ("home", "low")]
        found = [session.evaluations.follow(each).run for each in runs]
        assert [each.done for each in found] == [1, 1]
        changed = found[0].versions.changed(found[1].versions)
        assert changed["variant"] == ("home", "low")
        assert bench._parts.variant.name == "home"
