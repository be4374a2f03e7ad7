"""`learning export`: the questions that a home was taught, as a file and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli.main import groundwork
from core.domain.audit import WordingQuery
from core.errors import UsageError
from core.plan.readers.trained.reading import SpanRole
from core.plan.teaching import Mark, Marking, Part
from core.workbench import Workbench
from tests.support.filled_matrix import fill
from tests.unit.cli.test_plans_commands import invoke, run

QUESTION = "Which contracts let us skedaddle?"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    fill(tmp_path / "home")
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ask(QUESTION)
        (wording,) = bench.local.teaching.wordings(WordingQuery()).wordings
        mark = Mark(start=16, end=32, part=Part(role=SpanRole.CONDITION), field="termination_for_convenience")
        bench.local.teaching.teach(wording.lead, Marking(schema_name="contracts", marks=(mark,)))
    return tmp_path / "home"


def test_taught_questions_are_written_with_their_marks(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "taught.tsv"
    said = invoke(home, "learning", "export", "--out", str(out))

    line = "list\tWhich contracts [let us skedaddle]{+termination_for_convenience}?"
    assert out.read_text("utf-8") == f"# schema: contracts\n{line}\n"
    assert "Wrote 1 taught questions" in said.stderr
    (question,) = run(home, "learning", "export")["questions"]
    assert (question["marks"][0]["words"], question["by"]) == ("let us skedaddle", "admin")


def test_it_needs_a_file_that_can_be_written(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Where shall they be written"):
        invoke(home, "learning", "export")
    with pytest.raises(UsageError, match="cannot be written"):
        invoke(home, "learning", "export", "--out", str(tmp_path / "no" / "such.tsv"))
    assert "learning" in groundwork.list_commands(None)  # type: ignore[attr-defined, arg-type]
