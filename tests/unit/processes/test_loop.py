from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
# The parent is a process of its own: what it held would stay with the whole run of the tests.
LARGE_PARENT = """
held = bytearray(1_500_000_000)
held[::4096] = b"x" * len(held[::4096])
from core.processes.children import TaskPool
with TaskPool("tests.support.echo_child", None, 1, "echo", ("", "")) as pool:
    print([pool.ask(number, 20.0).value for number in range(3)])
"""


def test_a_child_of_a_large_parent_stays_for_the_next_task() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LARGE_PARENT], cwd=ROOT, capture_output=True, text=True, check=True
    )

    replies: list[tuple[int, float]] = ast.literal_eval(done.stdout)
    assert len({pid for pid, _ in replies}) == 1
    assert all(0 < peak < 500 for _, peak in replies)
