"""What the policies cost a question: the traits of its plan, a decision that is made, and one that is kept.

    python -m bench.policy_cost [--repeat 2000]

Over the plans of the questions in planner_questions.txt, by a collection of sixteen documents, and over one
plan of thirty nodes; for a principal with one role. Milliseconds, median and 95th percentile.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from core.domain.principal import Principal
from core.encode.identity import BUILT_IN, find_model
from core.encode.minilm import MiniLm
from core.guard.policies.in_force import Policies
from core.plan.door import request_of
from core.plan.ir.node import MAX_NODES, Condition
from core.plan.ir.nodes import Plan, Scope, Select
from core.plan.readers.trained.trained import TrainedReader
from core.plan.reading_planner import ReadingPlanner
from tests.support.known_collection import known_collection

QUESTIONS = Path(__file__).parent / "planner_questions.txt"
READER = Principal("ann", frozenset({"contract_read"}))


def plans() -> list[Plan]:
    """Plans of the questions."""
    reader = TrainedReader.load(MiniLm.load(find_model(BUILT_IN)))
    planner = ReadingPlanner(known_collection(), reader, today=date(2024, 11, 22))
    made = map(planner.plan, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return [each for each in made if isinstance(each, Plan)]


def say(name: str, spent: Sequence[float]) -> None:
    """One line of the report."""
    ordered = sorted(spent)
    print(f"{name:<44} {statistics.median(ordered):8.4f} {ordered[int(len(ordered) * 0.95)]:8.4f}")


def timed(deed: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    deed()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=2_000)
    repeat = parser.parse_args().repeat
    collection, known = known_collection(), plans()
    condition = Condition(field="insurance", op="=", value="true")
    largest = [
        Select(id=f"s{at}", purpose="p", scope=Scope(schema_name="contracts"), conditions=(condition,) * 50)
        for at in range(MAX_NODES)
    ]
    with tempfile.TemporaryDirectory() as folder:
        requests = [request_of(each.nodes, collection) for each in known]
        policies = Policies(Path(folder))
        policies.decide(READER, requests[0])
        print(f"{'ms':<44} {'median':>8} {'p95':>8}")
        say(
            f"traits of {len(known)} plans",
            [timed(lambda p=p: request_of(p.nodes, collection)) for p in known],
        )
        say(
            f"traits of {MAX_NODES} nodes with 50 conditions each",
            [timed(lambda: request_of(largest, collection)) for _ in range(20)],
        )
        others = [Principal(f"u{at}", READER.roles) for at in range(200)]
        say("decision, made", [timed(lambda who=who: policies.decide(who, requests[0])) for who in others])
        say("decision, kept", [timed(lambda: policies.decide(READER, requests[0])) for _ in range(repeat)])


if __name__ == "__main__":
    main()
