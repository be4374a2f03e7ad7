"""`plan` and `plans`: the JSON of audits, and what a person reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from core.cli.main import groundwork
from core.config.models import Settings
from core.domain.fields import CellStatus, Extraction, Finding
from core.domain.ids import DocumentId
from core.errors import NotFoundError, PlanError, UsageError
from core.plan.ir.nodes import Condition
from core.store.store import Records
from tests.support.contracts_at_hand import TEXAN, plan_for
from tests.support.filled_matrix import BUCKET, fill

AFTER = Condition(field="effective_date", op=">", value="2020-01-01")
QUESTION = "Which contracts started after 2020-01-01?"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, DocumentId]]:
    home = tmp_path_factory.mktemp("plans") / "home"
    found = fill(home)
    (home / "groundwork.toml").write_text("[users.ann]\nroles = ['contract_read']\ngroups = ['legal']\n")
    return home, found


@pytest.fixture
def home(made: tuple[Path, dict[str, DocumentId]]) -> Path:
    return made[0]


def invoke(home: Path, *arguments: str) -> Result:
    result = CliRunner().invoke(groundwork, [*arguments, "--home", str(home)], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result


def run(home: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(invoke(home, *arguments, "--json").stdout)
    assert found["schema"] == 1
    return found


def test_a_plan_is_shown_with_what_is_expected_of_it(home: Path) -> None:
    [node] = run(home, "plan", QUESTION)["plan"]["nodes"]
    assert node["estimate"]["because"].startswith("10 documents of the kind contracts")
    assert f"~{node['estimate']['rows']}" in invoke(home, "plan", QUESTION).stdout


def test_an_audit_goes_from_a_question_to_a_comparison(
    made: tuple[Path, dict[str, DocumentId]], tmp_path: Path
) -> None:
    home, documents = made
    young = TEXAN.model_copy(update={"conditions": (AFTER,)})
    file = tmp_path / "young.json"
    file.write_text(plan_for(young, question=QUESTION).model_dump_json())
    saving = ("--plan", str(file), "--name", "Young", "--share", "everybody")
    audit = run(home, "plans", "save", *saving)["audit"]
    assert (audit["name"], audit["acl"]) == ("Young", [])
    assert "effective_date" in {each["name"] for each in audit["parameters"]}
    first = run(home, "plans", "run", "Young")
    assert first["answer"]["status"] in ("answered", "partial")

    with Records.open(Settings(home=home)) as records:
        lost = Extraction(BUCKET, {"effective_date": Finding(CellStatus.ABSENT, confidence=1.0)})
        records.fields.put(documents["Glacier agreement"], 1, lost, "test", fields=("effective_date",))
    run(home, "plans", "run", audit["id"], "--as", "ann")
    found = run(home, "plans", "compare", "Young")
    assert [(each["title"], each["reasons"][0]["why"]) for each in found["gone"]] == [
        ("Glacier agreement", "cell_changed")
    ]
    assert (found["left_answer"], found["gone_from_collection"]) == (found["gone"], [])
    assert "Effective date: 1 Mar 2021, now not stated." in invoke(home, "plans", "compare", "Young").stdout
    shown = run(home, "plans", "show", "Young")
    assert len(shown["runs"]) == 2
    set_otherwise = run(home, "plans", "run", "Young", "--set", "effective_date=2023-06-30")
    assert set_otherwise["run"]["parameters"]["effective_date"] == ["2023-06-30"]
    assert set_otherwise["run"]["counts"]["answers"] < first["run"]["counts"]["answers"]

    invoke(home, "plans", "export", "Young", "--out", str(file))
    again = run(home, "plans", "import", str(file), "--name", "Young again")["audit"]
    assert again["plan"] == audit["plan"]
    assert run(home, "ask", "--plan", str(file))["status"] == first["answer"]["status"]


def test_an_audit_is_renamed_removed_and_brought_back(home: Path) -> None:
    id = run(home, "plans", "save", QUESTION, "--name", "Old name")["audit"]["id"]
    assert run(home, "plans", "rename", "Old name", "New name")["audit"]["version"] == 2
    assert run(home, "plans", "remove", "New name")["removed"] == [id]
    assert "New name" not in {each["name"] for each in run(home, "plans", "list")["audits"]}
    assert run(home, "plans", "restore", id)["audit"]["name"] == "New name"
    assert "New name" in invoke(home, "plans", "list").stdout
    assert run(home, "plans", "list", "--as", "ann")["audits"] == [
        each for each in run(home, "plans", "list")["audits"] if each["acl"] == []
    ]


def test_what_is_wrong_is_said(home: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no audit 'nothing'"):
        run(home, "plans", "run", "nothing")
    with pytest.raises(UsageError, match="Which plan"):
        run(home, "plans", "save", "--name", "x")
    file = tmp_path / "bad.json"
    plan = run(home, "plan", QUESTION)["plan"]
    plan["nodes"][0]["conditions"] = [{"field": "effective_date", "op": ">", "value": "2023-02-30"}]
    file.write_text(json.dumps(plan))
    with pytest.raises(PlanError, match=r"Node '[a-z0-9-]+': '2023-02-30' is no value of Effective date"):
        run(home, "plans", "import", str(file))
    file.write_text("{]")
    with pytest.raises(PlanError, match="cannot be read as JSON"):
        run(home, "plans", "import", str(file))
    with pytest.raises(PlanError, match=r"bad\.json' cannot be used"):
        run(home, "ask", "--plan", str(file))


def test_words_become_a_phrase_of_a_field(home: Path) -> None:
    assert "look inside" in run(home, "plans", "phrase", "audit_rights", "look inside")["phrases"]
    assert run(home, "plans", "uncovered")["phrases"] == []


def test_the_list_of_an_answer_is_written_as_a_file(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    answer = run(home, "ask", "Which documents are governed by Texas law?", "--export", str(file))
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    assert [line.split(",")[-1] for line in lines] == ["Document id", *answer["table"]["documents"]]
    with pytest.raises(UsageError, match="one list"):
        invoke(home, "ask", "--file", "x.txt", "--out", str(tmp_path / "o.jsonl"), "--export", str(file))


def test_audits_whose_evidence_changed_are_listed_and_run_again(
    made: tuple[Path, dict[str, DocumentId]],
) -> None:
    home, documents = made
    assert run(home, "plans", "outdated")["audits"] == []
    with Records.open(Settings(home=home)) as records:
        records.documents.withdraw([documents["Acme agreement"]], "404")
    [found] = run(home, "plans", "outdated")["audits"]
    assert [(each["title"], each["reasons"][0]["why"]) for each in found["changes"]] == [
        ("Acme agreement", "document_withdrawn")
    ]
    again = run(home, "plans", "outdated", "--run")
    [compared] = again["compared"]
    assert [each["title"] for each in compared["outside_answer"]] == ["Acme agreement"]  # and so it was
    assert (compared["gone"], compared["changed"]) == ([], [])
    assert run(home, "plans", "outdated")["audits"] == []
