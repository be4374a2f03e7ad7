"""How long a question about sets waits for its answer as Ask asks it: until the stream gives the answer.

    python -m bench.ask_latency [--home DIR] [--rounds 2] [--step 2]

Over a copy of a home with the sample collection (made where --home names none). The questions are those of
the suite over contracts, every `--step`th; the first round is not counted. What comes after the answer, such
as its follow-ups, does not count: nobody waits for it. To hold two versions side by side, run this file with
PYTHONPATH at either checkout, in turn.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from pathlib import Path

from core.config.models import Settings
from core.workbench import Workbench

SETS = Path(__file__).parent / "plans"


def questions(step: int) -> list[str]:
    """Every `step`th question of the suite over contracts."""
    lines = [
        line for name in ("written", "generated") for line in (SETS / f"{name}.jsonl").open(encoding="utf-8")
    ]
    return [json.loads(line)["question"] for line in lines][::step]


def wait_ms(bench: Workbench, question: str) -> float:
    """Milliseconds until the first event with an answer; the stream is read to its end."""
    started, waited = time.perf_counter(), 0.0
    for event in bench.stream(question):
        if not waited and getattr(event, "answer", None) is not None:
            waited = 1000 * (time.perf_counter() - started)
    return waited


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--step", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        if options.home is not None:
            shutil.copytree(options.home, home)
        with Workbench.open(home, Settings(home=home)) as bench:
            if options.home is None:
                bench.local.documents.ingest_sample()
            bench.warm()
            waits: list[float] = []
            for number in range(options.rounds):
                found = [wait_ms(bench, question) for question in questions(options.step)]
                waits += found if number else []
    waits.sort()
    p50, p95 = (waits[int(share * (len(waits) - 1))] for share in (0.5, 0.95))
    print(f"{len(waits)} answers: p50 {p50:.1f} ms, p95 {p95:.1f} ms, mean {sum(waits) / len(waits):.1f} ms")


if __name__ == "__main__":
    main()
