"""How fast structured plans run over a matrix of many documents and fields.

    python -m bench.plan_latency --documents 2000 --fields 40 [--home FOLDER] [--repeat 20]

Each plan runs `--repeat` times with nothing kept, and once more from memory; the first run is not counted.
The last line is of all runs together: what a question of any of these kinds waits for.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Collection, Sequence
from pathlib import Path

from bench.matrix_home import BUCKET, fields_of, fill
from core.config.models import Settings
from core.domain.answer import Kind, Route, Value
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.search import SearchQuery, SearchReport
from core.errors import IndexUnavailableError
from core.plan.ir import Aggregate, Choice, Combine, Condition, Hop, Node, Plan, Reference, Scope, Select
from core.records.store import Records
from core.records.visibility import Visibility
from core.retrieval.executor import Executor, NodeStopped, PlanFinished, RunContext
from core.retrieval.memo import Memo
from core.retrieval.operators import RecordOperators
from core.retrieval.search import Retrieval

SCOPE = Scope(buckets=(BUCKET,), schema_name=BUCKET)
VIEWERS = {"all": Visibility.everything(), "some": Visibility(frozenset({"legal"}))}


class NoFinder:
    """Structured plans search nothing."""

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """Never."""
        raise IndexUnavailableError("A structured plan searched.", next_step="Look at the plan.")

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """Never."""
        raise IndexUnavailableError("A structured plan searched.", next_step="Look at the plan.")

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        """Never asked."""
        return [()] * len(texts)


def main() -> None:
    """Fill a home unless it is there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--fields", type=int, default=40)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    home = options.home or Path(tempfile.mkdtemp(prefix="gw-plans-"))
    if not (home / "records.sqlite").exists():
        print(f"filled {fill(home, options.documents, options.fields):,} cells")
    names = [each.name for each in fields_of(options.fields)]
    asking = Asking({name: frozenset({BUCKET}) for name in names}, {BUCKET: frozenset({BUCKET})})
    with Records.open(Settings(home=home)) as records:
        operators = RecordOperators(records, NoFinder(), lambda _visible: asking, _no_values)
        every: list[float] = []
        for label, nodes in plans().items():
            for viewer, visible in VIEWERS.items():
                every += measure(f"{label} ({viewer})", nodes, operators, visible, options.repeat)
        _show("all plans", every)


def plans() -> dict[str, tuple[Node, ...]]:
    """Plans of the shapes that questions over fields take."""
    law = Condition(field="governing_law", op="=", value="Texas")
    value = Condition(field="contract_value", op=">", value="$100,000")
    usd = Condition(field="contract_value", op=">", value="0 USD")
    later = Condition(field="expiration_date", op=">", value="2015-01-01")
    lacking = Condition(field="non_compete", op="is-missing")
    either = Choice(any_of=(law, Condition(field="governing_law", op="=", value="Delaware")))
    three = _select("s", law, value, later)
    return {
        "3 conditions": (three,),
        "3 conditions, one a choice": (_select("s", either, value, later),),
        "lack": (_select("s", lacking),),
        "sum where 2 conditions": (_select("s", usd, later), _aggregate("sum")),
        "count by law": (_select("s", later), _aggregate("count", "", ("governing_law",))),
        "sum by law and year, the first 5": (
            _select("s", usd),
            _aggregate("sum", "contract_value", ("governing_law", "expiration_date.year"), 5),
        ),
        "top 10 by value": (_select("s", usd, order_by="contract_value", limit=10),),
        "a and not b": (
            _select("a", law, value),
            _select("b", lacking),
            Combine(id="c", purpose="p", inputs=("a", "b"), how="difference"),
        ),
        "above the greatest of Texas": (
            _select("s", law, usd),
            _aggregate("max"),
            Hop(id="h", purpose="p", inputs=("g",), field="contract_value"),
            Select(
                id="above",
                purpose="p",
                scope=SCOPE,
                inputs=("h",),
                conditions=(Condition(field="contract_value", op=">", value=Reference(node="h")),),
            ),
        ),
    }


def measure(
    label: str, nodes: Sequence[Node], operators: RecordOperators, visible: Visibility, repeat: int
) -> list[float]:
    """Milliseconds of each run with nothing kept."""
    plan = Plan(
        question=label,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=tuple(nodes),
        answer_node=nodes[-1].id,
    )
    times: list[float] = []
    memo = Memo()
    for _ in range(repeat + 1):
        memo = Memo()
        times.append(_run(plan, operators, memo, visible))
    _show(label, times[1:], _run(plan, operators, memo, visible))
    return times[1:]


def _run(plan: Plan, operators: RecordOperators, memo: Memo, visible: Visibility) -> float:
    started = time.perf_counter()
    events = list(Executor(operators, memo).run(plan, RunContext(visible, data_version=1)))
    spent = (time.perf_counter() - started) * 1_000
    assert isinstance(events[-1], PlanFinished)
    stopped = [each.stopped.reason for each in events if isinstance(each, NodeStopped)]
    if stopped:
        raise SystemExit(f"{plan.question}: {stopped[0]}")
    return spent


def _show(label: str, times: Sequence[float], kept: float | None = None) -> None:
    p95 = statistics.quantiles(times, n=20)[-1]
    again = "" if kept is None else f"   from memory {kept:5.1f} ms"
    print(f"{label:44s} median {statistics.median(times):6.1f}   p95 {p95:6.1f} ms{again}")


def _select(id: str, *conditions: Condition | Choice, order_by: str = "", limit: int | None = None) -> Select:
    return Select(
        id=id,
        purpose="p",
        scope=SCOPE,
        conditions=conditions,
        order_by=order_by,
        descending=True,
        limit=limit,
    )


def _aggregate(
    function: str, field: str = "contract_value", group_by: tuple[str, ...] = (), top: int = 0
) -> Aggregate:
    return Aggregate.model_validate(
        {
            "id": "g",
            "purpose": "p",
            "inputs": ("s",),
            "function": function,
            "field": field,
            "group_by": group_by,
            "top": top,
        }
    )


def _no_values(question: str, sentence: str) -> list[Value]:
    return []


if __name__ == "__main__":
    main()
