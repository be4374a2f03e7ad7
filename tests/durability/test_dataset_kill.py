"""A registration that is killed while it reads a file goes on: one dataset, one version, no leftovers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from core.datasets.job import FOLDER
from core.domain.job import JobState
from core.workbench import Workbench
from tests.support.row_files import written

ROOT = Path(__file__).parents[2]
REGISTER = """
import sys
from core.workbench import Workbench
with Workbench.open(home=sys.argv[1]) as bench:
    bench.local.datasets.register([sys.argv[2], sys.argv[3]])
"""
ROWS = 120_000
WITHIN_S = 120.0


def test_a_killed_registration_goes_on(tmp_path: Path) -> None:
    home = tmp_path / "home"
    small = written(tmp_path, "small.csv", "a,b\n1,2\n3,4\n")
    lines = "\n".join(f"{number},Vendor {number % 97},{number % 1000}.50" for number in range(ROWS))
    large = written(tmp_path, "large.csv", f"id,vendor,amount_usd\n{lines}\n")
    command = [sys.executable, "-c", REGISTER, str(home), str(small), str(large)]
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True) as process:
        _wait_for_rows(home / FOLDER)
        os.kill(process.pid, signal.SIGKILL)

    with Workbench.open(home=home) as bench:
        datasets = bench.local.datasets
        (job,) = bench.local.jobs.list()
        assert (job.state, job.done) == (JobState.RUNNING, 1)
        assert [each.table for each in datasets.list()] == ["small"]

        bench.local.jobs.resume(job.id)
        datasets.register([small])  # does what waits first

        assert bench.local.jobs.get(job.id).state is JobState.DONE
        found = {each.table: (each.version, each.rows) for each in datasets.list()}
        assert found == {"large": (1, ROWS), "small": (1, 2)}
        assert datasets.query("SELECT count(*), sum(amount_usd) FROM large").rows[0][0] == str(ROWS)
        kept = {Path(each.file).parts[0] for each in datasets.list()}
        assert {each.name for each in (home / FOLDER).iterdir()} == kept


def _wait_for_rows(folder: Path) -> None:
    """Until the child has read some of the large file."""
    until = time.monotonic() + WITHIN_S
    while time.monotonic() < until:
        for part in folder.glob(".part-*/progress.json"):
            if "00 rows" in part.read_text():
                return
        time.sleep(0.05)
    raise AssertionError("nothing was read")
