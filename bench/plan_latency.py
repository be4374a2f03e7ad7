"""How fast plans run over a matrix of many documents and fields, and over the passages of these documents.

    python -m bench.plan_latency [--documents 2000] [--fields 40] [--passages 50000] [--home DIR]

Structured plans ask fields only; hybrid ones search text, too: every run asks another question, which is
encoded, and passages have made-up vectors. Each plan runs `--repeat` times with nothing kept, and once more
from memory; the first run is not counted. The last line of each kind is of all its runs together. How long
planning takes is measured by bench.planner_latency.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.matrix_home import BUCKET, fields_of, fill
from bench.plan_passages import MadeUp, index
from core.config.models import Settings
from core.domain.answer import Kind, Route, Value
from core.domain.matrix import Asking
from core.encode.load import load_query_encoder
from core.index.embedded import EmbeddedEngine
from core.plan.ir.nodes import (
    Aggregate,
    Choice,
    Combine,
    Condition,
    Hop,
    Node,
    Plan,
    Reference,
    Scope,
    Search,
    Select,
)
from core.plan.operators import RecordOperators
from core.plan.run.executor import Executor, NodeStopped, PlanFinished, RunContext
from core.plan.run.memo import Memo
from core.search.search import Retriever
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.doors import OPEN

SCOPE = Scope(buckets=(BUCKET,), schema_name=BUCKET)
VIEWERS = {"all": Visibility.everything(), "some": Visibility(frozenset({"legal"}))}


def main() -> None:
    """Fill a home unless it is there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--fields", type=int, default=40)
    parser.add_argument("--passages", type=int, default=50_000)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    settings = Settings(home=options.home or Path(tempfile.mkdtemp(prefix="gw-plans-")))
    encoder = load_query_encoder(settings)
    made_up = MadeUp.of(encoder.signature.dimension)
    if not (settings.home / "records.sqlite").exists():
        each = options.passages // options.documents
        more = partial(made_up.pages, each)
        cells = fill(settings.home, options.documents, options.fields, more=more, encoder=encoder.signature)
        print(f"filled {cells:,} cells")
    names = [each.name for each in fields_of(options.fields)]
    asking = Asking({name: frozenset({BUCKET}) for name in names}, {BUCKET: frozenset({BUCKET})})
    with Records.open(settings) as records:
        print(f"{index(records, settings, encoder.signature):,} passages")
        engine = EmbeddedEngine.open(settings.home / "index", encoder.signature)
        retriever = Retriever(records, engine, encoder, settings)
        retriever.warm()
        operators = RecordOperators(records, retriever, lambda _visible: asking, _no_values)
        questions = [made_up.question() for _ in range(options.repeat + 1)]
        for kind, shapes in (("structured", plans), ("hybrid", hybrid_plans)):
            every: list[float] = []
            labels = list(shapes(questions[0]))
            for label in labels:
                for viewer, visible in VIEWERS.items():
                    runs = [shapes(question)[label] for question in questions]
                    every += measure(f"{label} ({viewer})", runs, operators, visible)
            _show(f"all {kind} plans", every)
        engine.close()


def hybrid_plans(question: str) -> dict[str, tuple[Node, ...]]:
    """Plans that search text too: alone, in what fields chose, before fields choose, and in hops."""
    law = Condition(field="governing_law", op="=", value="Texas")
    later = Condition(field="expiration_date", op=">", value="2015-01-01")
    search = Search(id="f", purpose="p", text=question, scope=Scope(buckets=(BUCKET,)))
    hop = Hop(id="h", purpose="p", inputs=("f",), follow="titles")
    return {
        "search": (search,),
        "search in what 2 conditions choose": (
            _select("s", law, later),
            search.model_copy(update={"inputs": ("s",)}),
        ),
        "search, then a condition, then count": (
            search.model_copy(update={"top_k": 100}),
            _select("s", later).model_copy(update={"inputs": ("f",)}),
            _aggregate("count", ""),
        ),
        "search and not a": (
            search.model_copy(update={"top_k": 100}),
            _select("a", law),
            Combine(id="c", purpose="p", inputs=("f", "a"), how="difference"),
        ),
        "search, hop, search": (
            search,
            hop,
            search.model_copy(update={"id": "g", "inputs": ("f", "h"), "pairs_with": Reference(node="f")}),
        ),
    }


def plans(_question: str) -> dict[str, tuple[Node, ...]]:
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
    label: str, runs: Sequence[Sequence[Node]], operators: RecordOperators, visible: Visibility
) -> list[float]:
    """Milliseconds of each run with nothing kept; the first one warms up."""
    times: list[float] = []
    memo = Memo()
    plan = None
    for nodes in runs:
        plan = Plan(
            question=label,
            kind=Kind.AGGREGATE,
            route=Route.STRUCTURED,
            nodes=tuple(nodes),
            answer_node=nodes[-1].id,
        )
        memo = Memo()
        times.append(_run(plan, operators, memo, visible))
    assert plan is not None
    _show(label, times[1:], _run(plan, operators, memo, visible))
    return times[1:]


def _run(plan: Plan, operators: RecordOperators, memo: Memo, visible: Visibility) -> float:
    started = time.perf_counter()
    events = list(Executor(operators, memo).run(plan, RunContext(visible, data_version=1, door=OPEN)))
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
