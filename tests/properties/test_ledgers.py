"""Of any plan over any documents: every ledger adds up, and what is hidden is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.answer.value import stated_values
from core.config.models import Settings
from core.domain.answer import Value
from core.domain.results import Documents, FoundValue, Groups, Result
from core.plan.ir.nodes import Aggregate, Choice, Combine, Compare, Condition, Node, Scope, Select
from core.plan.operators import RecordOperators
from core.plan.operators.base import documents_of
from core.plan.run.executor import Executor, PlanFinished, RunContext
from core.plan.run.memo import Memo
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.doors import OPEN
from tests.support.examples import examples
from tests.support.judged import ASKING, EVERYBODY, LEGAL, NOBODY, collection, fill
from tests.support.operating import NoIndex
from tests.support.plans import plan_of


def values_in(question: str, sentence: str) -> list[Value]:
    return [stated.value for stated in stated_values(question, sentence)]


class Places:
    """The whole collection, and by itself what each principal sees of it."""

    def __init__(self, home: Path) -> None:
        documents = collection(seed=23, count=50)
        self.opened: list[Records] = []
        self.whole = self._open(home / "whole")
        fill(self.opened[-1], documents)
        self.alone: dict[Visibility, RecordOperators] = {}
        for at, visible in enumerate((NOBODY, LEGAL)):
            self.alone[visible] = self._open(home / str(at))
            fill(self.opened[-1], documents, visible)

    def _open(self, home: Path) -> RecordOperators:
        self.opened.append(Records.open(Settings(home=home)))
        return RecordOperators(self.opened[-1], NoIndex(), lambda _visible: ASKING, values_in)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    made = Places(tmp_path_factory.mktemp("homes"))
    yield made
    for records in made.opened:
        records.close()


CONDITIONS = st.sampled_from(
    [
        Condition(field="law", op="=", value="Delaware"),
        Condition(field="law", op="!=", value="Texas"),
        Condition(field="law", op="is-missing"),
        Condition(field="fee", op=">", value="$5,000"),
        Condition(field="fee", op="between", value=("1000 USD", "8000 USD")),
        Condition(field="end", op="<", value="2022-06-01"),
        Condition(field="notice", op=">=", value="60 days"),
        Condition(field="vendor", op="contains", value="new"),
        Condition(field="end", op="is", value="present"),
    ]
)
SCOPES = st.builds(
    Scope,
    buckets=st.sampled_from([(), ("mixed",), ("deals", "bills")]),
    schema_name=st.sampled_from(["", "contracts", "invoices"]),
)


@st.composite
def nodes(draw: st.DrawFn) -> list[Node]:
    made: list[Node] = []
    for at in range(draw(st.integers(1, 6))):
        names = [node.id for node in made]
        some = tuple(draw(st.lists(st.sampled_from(names), max_size=2, unique=True))) if names else ()
        made.append(draw(_node(f"n{at}", some)))
    return made


@st.composite
def _node(draw: st.DrawFn, id: str, inputs: tuple[str, ...]) -> Node:
    kind = draw(st.sampled_from(["select", "combine", "aggregate", "compare"] if inputs else ["select"]))
    if kind == "combine":
        how = draw(st.sampled_from(["intersect", "union", "difference"]))
        return Combine(id=id, purpose="p", inputs=inputs, how=how)
    if kind == "aggregate":
        return Aggregate.model_validate(
            {
                "id": id,
                "purpose": "p",
                "inputs": inputs[:1],
                "function": draw(st.sampled_from(["count", "max", "sum", "distinct"])),
                "field": draw(st.sampled_from(["fee", "notice", "end"])),
                "group_by": draw(st.sampled_from([(), ("law",), ("fee.unit",), ("end.year", "fee.unit")])),
                "top": draw(st.sampled_from([0, 0, 1])),
            }
        )
    if kind == "compare" and len(inputs) == 2:
        return Compare(id=id, purpose="p", inputs=inputs, labels=("x", "y"), fields=("law", "fee"))
    chosen = draw(st.lists(CONDITIONS, max_size=2))
    conditions = (
        (Choice(any_of=tuple(chosen)),) if len(chosen) == 2 and draw(st.booleans()) else tuple(chosen)
    )
    return Select(
        id=id,
        purpose="p",
        inputs=inputs,
        scope=draw(SCOPES),
        conditions=conditions,
        order_by=draw(st.sampled_from(["", "", "end", "notice"])),
        limit=draw(st.sampled_from([None, None, 1, 5])),
    )


def run(operators: RecordOperators, made: list[Node], visible: Visibility) -> PlanFinished:
    *_, last = Executor(operators, Memo(), workers=1).run(plan_of(*made), RunContext(visible, 1, OPEN))
    assert isinstance(last, PlanFinished)
    return last


def adds_up(found: Documents) -> None:
    parts = (found.present, found.absent, found.uncertain, found.unreadable)
    assert sum(map(len, parts)) == len(found.scope)
    assert set(found.unknown) >= found.uncertain
    assert set(found.order) <= found.present


def own_ledger(result: Result) -> Documents | None:
    return result.documents if isinstance(result, Groups) else documents_of(result)


quick = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(made=nodes(), visible=st.sampled_from([EVERYBODY, NOBODY, LEGAL]))
def test_every_ledger_of_a_plan_adds_up(places: Places, made: list[Node], visible: Visibility) -> None:
    done = run(places.whole, made, visible)
    by_id = {node.id: node for node in made}
    for name, result in done.results.items():
        assert not isinstance(result, FoundValue)
        ledger = own_ledger(result)
        assert ledger is not None
        adds_up(ledger)
        if isinstance(result, Groups):
            over = documents_of(done.results[by_id[name].inputs[0]])
            assert over is not None
            assert ledger.scope == over.scope
            assert ledger.present <= over.present
            assert {id for group in result.groups for id in group.documents} <= ledger.present
    for stopped in done.stopped.values():
        assert stopped.reason
        assert stopped.next_step


@quick
@given(made=nodes(), visible=st.sampled_from([NOBODY, LEGAL]))
def test_a_plan_gives_what_it_would_if_nothing_hidden_were_there(
    places: Places, made: list[Node], visible: Visibility
) -> None:
    among_all, alone = run(places.whole, made, visible), run(places.alone[visible], made, EVERYBODY)
    assert among_all.results == alone.results
    assert among_all.stopped == alone.stopped
