"""How far estimates of plans are off: rows and latency of every node that ran, over a suite of questions.

    python -m bench.estimate_error --home HOME [--suite FILE]

HOME holds the documents that the suite asks about (`groundwork ingest --sample --home HOME`). Every question
that becomes a structured plan is planned, estimated and run; what is given from memory does not count, so
that the home should be a new one. The q-error of an estimate e of a is max((e+1)/(a+1), (a+1)/(e+1)), 1
where it is exact.
Source: Moerkotte et al. 2009, Preventing bad plans by bounding the impact of cardinality estimation errors.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from statistics import median

from core.domain.answer import Route
from core.evaluate.suite import load_suite
from core.plan.ir.nodes import Plan
from core.workbench import Workbench
from core.workbench.services.plans import PlanRan
from samples import QUESTIONS


def q_error(estimated: float, actual: float) -> float:
    """By which factor an estimate is off."""
    over = (estimated + 1) / (actual + 1)
    return max(over, 1 / over)


def measure(home: Path, suite: Path) -> dict[str, object]:
    """The q-errors of all nodes, by type."""
    rows: dict[str, list[float]] = defaultdict(list)
    spent: dict[str, list[float]] = defaultdict(list)
    plans = 0
    with Workbench.open(home=home) as bench:
        for case in load_suite(suite):
            buckets = (case.bucket,) if case.bucket else ()
            plan = bench.plan(case.question, buckets=buckets)
            if (
                not isinstance(plan, Plan)
                or plan.route is not Route.STRUCTURED
                or bench.local.plans.problems(plan)
            ):
                continue
            plans += 1
            *_, last = bench.local.plans.stream(plan)
            for node in last.plan.nodes if isinstance(last, PlanRan) else ():
                if node.ran is None or node.estimate is None or node.ran.source in ("memory", "store"):
                    continue
                given = node.ran.rows if node.type == "aggregate" else node.ran.hits
                rows[node.type].append(q_error(node.estimate.rows, given))
                spent[node.type].append(q_error(node.estimate.latency_ms, node.ran.latency_ms))
    return {"plans": plans, "rows": _told(rows), "latency": _told(spent)}


def _told(errors: dict[str, list[float]]) -> dict[str, object]:
    every = [each for found in errors.values() for each in found]
    return {
        name: {
            "nodes": len(found),
            "median": round(median(found), 2),
            "p90": round(sorted(found)[int(0.9 * (len(found) - 1))], 2),
        }
        for name, found in [*sorted(errors.items()), ("all", every)]
        if found
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--suite", type=Path, default=QUESTIONS)
    asked = parser.parse_args()
    print(json.dumps(measure(asked.home, asked.suite), indent=1))


if __name__ == "__main__":
    main()
