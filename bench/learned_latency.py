"""How much longer a question takes to plan once questions of its shape were corrected.

    python -m bench.learned_latency [--documents 500] [--corrections 20] [--repeats 30]

Questions of one shape are planned without any correction and with that many, in one home and process. Each is
another one, so that nothing of it is known; the first ones are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.matrix_home import fill
from core.plan.ir.nodes import Plan
from core.workbench import Workbench

FIELDS = 40
WORDS = ("skedaddle", "vamoose", "decamp", "scarper", "abscond", "bolt out", "clear off", "get shot of it")
_WARM = 3


def main() -> None:
    """Fill a home, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--corrections", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gw-learned-") as folder:
        home = Path(folder) / "home"
        fill(home, options.documents, FIELDS)
        with Workbench.open(home=home) as bench:
            asked = questions(9)
            _show("no corrections", [_planned(bench, next(asked)) for _ in range(_WARM + options.repeats)])
            taught = questions(2)
            for _ in range(options.corrections):
                _teach(bench, next(taught))
            asked = questions(7)
            found = [_planned(bench, next(asked)) for _ in range(_WARM + options.repeats)]
            _show(f"{options.corrections} corrections of one shape", found)
            plan = bench.plan(next(asked))
            is_used = isinstance(plan, Plan) and "corrected" in plan.notes[-1].reading
            print("the correction is used" if is_used else "no correction is used")


def questions(first: int) -> Iterator[str]:
    """Questions of one shape, each with another amount."""
    number = 0
    while True:
        yield f"Which contracts over ${first}.{number:03d} million let us {WORDS[number % len(WORDS)]}?"
        number += 1


def _teach(bench: Workbench, question: str) -> None:
    amount = question.split("$")[1].split(" let")[0]
    plan = bench.plan(f"Which contracts are over ${amount}?")
    assert isinstance(plan, Plan)  # the rules know amounts
    bench.local.learning.correct(question, plan)


def _planned(bench: Workbench, question: str) -> float:
    started = time.perf_counter()
    bench.plan(question)
    return (time.perf_counter() - started) * 1000


def _show(label: str, took: list[float]) -> None:
    counted = sorted(took[_WARM:])
    last = counted[min(len(counted) - 1, round(0.95 * (len(counted) - 1)))]
    print(f"{label}: median {statistics.median(counted):.1f} ms, p95 {last:.1f} ms of {len(counted)}")


if __name__ == "__main__":
    main()
