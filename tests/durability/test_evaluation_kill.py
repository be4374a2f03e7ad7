"""Runs of a suite killed with SIGKILL: what is measured is not asked again, and two at once do not mix."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.domain.job import JobState
from core.evaluate.suite import load_suite
from core.workbench import Workbench
from core.workbench.work.measured_home import HomeAsker

ROOT = Path(__file__).parents[2]
QUESTIONS = (
    "How long is the notice period?",
    "What is the notice period of the lease?",
    "Who may end it?",
    "When?",
)
KILLED = """
import os, signal, sys
from core.workbench import Workbench
from core.workbench.work.measured_home import HomeAsker
asked, answer = [], HomeAsker.answer
def dying(self, question, bucket):
    asked.append(question)
    if len(asked) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return answer(self, question, bucket)
HomeAsker.answer = dying
with Workbench.open(sys.argv[1]) as bench:
    bench.local.evaluations.follow(sys.argv[2])
"""


def test_a_killed_run_goes_on_with_what_is_missing_and_another_one_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lease.txt").write_text(
        "# Lease\n\nThe notice period is thirty days. Either party may end it.\n"
    )
    rows = [
        {
            "id": f"case-{n}",
            "shape": "lookup",
            "question": question,
            "expect": {"status": "answered", "documents": ["lease.txt"]},
            "why": "It stands there.",
        }
        for n, question in enumerate(QUESTIONS)
    ]
    file = tmp_path / "own.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked: list[str] = []
    answer = HomeAsker.answer

    def noting(self: HomeAsker, question: str, bucket: str | None) -> object:
        asked.append(question)
        return answer(self, question, bucket)

    with Workbench.open(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        evaluations = bench.local.evaluations
        run, other = (evaluations.start("own", cases=load_suite(file)) for _ in range(2))
        command = [sys.executable, "-c", KILLED, str(tmp_path / "home"), run]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
        before = evaluations.run(run)
        monkeypatch.setattr(HomeAsker, "answer", noting)
        evaluations.resume(run)
        after = evaluations.follow(run)
        beside = evaluations.run(other)
        again = evaluations.follow(other)

    assert ended.returncode == -signal.SIGKILL
    assert (before.run.done, after.run.done, beside.run.done) == (2, 4, 0)
    assert after.run.job is not None
    assert after.run.job.state is JobState.DONE
    assert asked == [*QUESTIONS[2:], *QUESTIONS]
    assert after.cases[:2] == before.cases
    assert (
        [each.id for each in after.cases] == [row["id"] for row in rows] == [each.id for each in again.cases]
    )
