"""Plan nodes stand in few places: a kind of node is added by its own file, its operator and one list."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field, ValidationError
from streamlit.testing.v1 import AppTest

from app.panels.plan_results import fields_of
from app.presenting.plan_fields import FormSetting
from app.presenting.plan_parameters import parameters_of
from app.presenting.plan_words import expected, unit_of
from app.views.plan.history import packed, unpacked
from core.answer.computed.compose import compose
from core.config.models import Settings
from core.domain.results import Documents, Result
from core.errors import PlanError
from core.plan.catalogue import SchemaEntry
from core.plan.ir.graph_edits import estimated, purpose_of, with_new
from core.plan.ir.hashing import node_hashes
from core.plan.ir.node import Node
from core.plan.ir.nodes import Plan, Scope, registry, spec_of
from core.plan.ir.serialization import plan_of as read_plan
from core.plan.ir.spec import (
    SETS,
    Checks,
    EstimateSetting,
    FormField,
    NodeEstimate,
    NodeSpec,
    NodeStart,
    Said,
)
from core.plan.ir.statistics import Cost
from core.plan.ir.validate import validate
from core.plan.operators.base import OperatorParts, operator_of, runs
from core.plan.run.executor import Executor, PlanFinished, RunContext
from core.plan.run.memo import Memo, lasting
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.runs.results import fields_of as asked_fields
from tests.support.doors import OPEN
from tests.support.known_collection import known_collection
from tests.support.operating import Desk, condition, select
from tests.support.plans import plan_of
from tests.support.stated_values import present, text

ROOT = Path(__file__).parents[2]
MOST = 8
CATALOGUE = known_collection()


def modules_that_name(classes: frozenset[type]) -> dict[str, set[str]]:
    """By class name the modules of app and core that define it, or import it under any name."""
    found: dict[str, set[str]] = defaultdict(set)
    for root in ("app", "core"):
        for path in sorted((ROOT / root).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            for name in names_in(ast.parse(path.read_text("utf-8")), module, classes):
                found[name].add(module)
    return found


def names_in(tree: ast.AST, module: str, classes: frozenset[type]) -> Iterator[str]:
    homes = {each.__module__ for each in classes}
    packages: dict[str, str] = {}  # local names of modules that have the classes
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and module in homes:
            yield from (each.__name__ for each in classes if (module, node.name) == named(each))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("core.plan.ir"):
            source = importlib.import_module(node.module or "")
            for alias in node.names:
                value = getattr(source, alias.name, None)
                if inspect.ismodule(value):
                    packages[alias.asname or alias.name] = value.__name__
                elif inspect.isclass(value) and value in classes:
                    yield value.__name__
        elif isinstance(node, ast.Import):
            packages |= {alias.asname or alias.name: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in packages:
            name = packages[ast.unparse(node.value)]
            if name.startswith("core.plan.ir"):
                value = getattr(importlib.import_module(name), node.attr, None)
                if inspect.isclass(value) and value in classes:
                    yield value.__name__


def named(each: type) -> tuple[str, str]:
    return each.__module__, each.__name__


def test_a_class_of_a_node_stands_in_at_most_six_modules() -> None:
    classes = frozenset(spec.node for spec in registry.NODES)

    found = modules_that_name(classes)

    assert set(found) == {each.__name__ for each in classes}
    assert {name: sorted(where) for name, where in found.items() if len(where) > MOST} == {}


def test_names_are_told_apart_by_where_they_come_from() -> None:
    classes = frozenset(spec.node for spec in registry.NODES)
    other = "from core.domain.annotation import Aggregate\nfrom core.plan.ir.nodes import Select as S\n"
    through = "from core.plan.ir import nodes as n\nprint(n.Hop, n.Plan)\n"

    assert list(names_in(ast.parse(other), "core.some", classes)) == ["Select"]
    assert list(names_in(ast.parse(through), "core.some", classes)) == ["Hop"]


def test_every_kind_of_node_has_an_operator_and_a_type_of_its_own() -> None:
    importlib.import_module("core.plan.operators")
    for spec in registry.NODES:
        node = spec.new("n", ("a",), NodeStart(None, select().scope, "q"))
        assert not spec.begins or callable(operator_of(node))  # rows that match are said as SQL
        assert spec_of(node) is spec
    assert len({spec.type for spec in registry.NODES}) == len(registry.NODES)


class Take(Node):
    """The first documents of a set."""

    type: Literal["take"] = "take"
    most: int = Field(default=2, ge=1, le=100)


def _checks(node: Take, checks: Checks) -> Said:
    yield from checks.narrowing(node, 1)
    if not node.inputs:
        yield "It has nothing to take from.", "Connect a node that finds documents."


def _estimate(node: Take, setting: EstimateSetting) -> NodeEstimate:
    return NodeEstimate(sum(setting.taken), node.most, "the first of them")


def _purpose(node: Take, noun: str, schema: SchemaEntry | None) -> str:
    return f"Take the first {node.most} {noun}"


TAKE = NodeSpec(
    node=Take,
    word="Take",
    about="The first documents of a set",
    takes=SETS,
    gives=lambda node: "documents",
    unit=lambda node: "document",
    cost=Cost(7.0, 0.0),
    estimate=_estimate,
    checks=_checks,
    begins="Take the first",
    form=(FormField("most", "Takes the first", "number", low=1, high=100),),
    purpose=_purpose,
    fields=lambda node: ("governing_law",),
    words=lambda node: ("first",),
)


@runs(Take)
def take(node: Take, inputs: Mapping[str, Result], parts: OperatorParts) -> Documents:
    [found] = inputs.values()
    assert isinstance(found, Documents)
    kept = frozenset(sorted(found.present)[: node.most])
    return found.model_copy(update={"present": kept, "absent": found.absent | (found.present - kept)})


IN_CONTRACTS = Scope(schema_name="contracts")
FIRST = select(condition("governing_law", "is", "present"), id="first", scope=IN_CONTRACTS)
LAST = Take(id="last", purpose="p", inputs=("first",))


@pytest.fixture
def taking(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line that a new kind of node needs beside its own file and its operator."""
    monkeypatch.setattr(registry, "NODES", (*registry.NODES, TAKE))


def form_of(plan: Plan) -> AppTest:
    def drawn(plan, catalogue):  # type: ignore[no-untyped-def] # its text is run elsewhere, without imports
        import streamlit as st

        from app.presenting.plan_fields import FormSetting
        from app.views.plan.node_form import draw_node_form

        node, why = draw_node_form(FormSetting(plan, plan.nodes[-1], catalogue, "key"))
        st.text(node.model_dump_json() if node is not None else why)

    return AppTest.from_function(drawn, default_timeout=20, args=(plan, CATALOGUE)).run()


@pytest.mark.usefixtures("taking")
def test_a_new_kind_of_node_is_checked_and_estimated() -> None:
    alone = LAST.model_copy(update={"inputs": ()})
    assert validate(plan_of(FIRST, LAST), CATALOGUE) == ()
    assert [each.message for each in validate(plan_of(FIRST, alone), CATALOGUE)] == [
        "It has nothing to take from."
    ]

    found = estimated(plan_of(FIRST, LAST), CATALOGUE).node("last").estimate
    assert found is not None
    assert (found.rows, found.latency_ms, found.because) == (2, 7.0, "the first of them")


@pytest.mark.usefixtures("taking")
def test_a_new_kind_of_node_is_written_and_read() -> None:
    plan = plan_of(FIRST, LAST.model_copy(update={"most": 5}))

    assert read_plan(plan.model_dump(mode="json")) == plan
    assert Plan.model_validate_json(plan.model_dump_json()) == plan
    assert read_plan(json.loads(unpacked(packed(plan)))) == plan
    assert node_hashes(plan)["last"] != node_hashes(plan_of(FIRST, LAST))["last"]
    with pytest.raises(PlanError, match="greater than or equal to 1"):
        read_plan(json.loads(plan.model_dump_json().replace('"most":5', '"most":0')))


@pytest.mark.usefixtures("taking")
def test_a_kind_of_node_that_is_not_in_the_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    written = plan_of(FIRST, LAST).model_dump(mode="json")
    monkeypatch.setattr(registry, "NODES", registry.NODES[:-1])

    with pytest.raises(ValidationError, match="'take'"):
        Plan.model_validate(written)


@pytest.mark.usefixtures("taking")
def test_a_new_kind_of_node_runs_and_its_result_is_kept_and_told(tmp_path: Path) -> None:
    plan, everything = plan_of(FIRST, LAST), Visibility.everything()
    with Records.open(Settings(home=tmp_path / "home")) as records:
        desk = Desk(records)
        for source in "abc":
            desk.put(source, governing_law=present(text("Iowa")))
        executor = Executor(desk.operators, Memo())
        sources = []
        for _ in range(2):
            [*_, done] = executor.run(plan, RunContext(everything, 1, OPEN))
            assert isinstance(done, PlanFinished)
            assert isinstance(done.answer, Documents)
            figures = done.plan.node("last").ran
            sources.append(figures.source if figures is not None else "")
        rows = records.row_selection
        draft = compose(done.plan, done.results, records.fields, CATALOGUE, everything, rows)

    assert len(done.answer.present) == 2
    assert sources == ["sql", "memory"]
    assert lasting(plan) == {"first", "last"}
    assert draft is not None
    assert draft.ledger is not None
    assert draft.ledger.present == 2


@pytest.mark.usefixtures("taking")
def test_a_new_kind_of_node_is_worded() -> None:
    plan = estimated(plan_of(FIRST, LAST), CATALOGUE)
    node = plan.node("last")

    assert spec_of(node).word == "Take"
    assert unit_of(node) == "document"
    assert expected(node, node.estimate) == "about 2 documents, 7 ms"
    assert purpose_of(node, plan, CATALOGUE) == "Take the first 2 contracts"
    assert parameters_of(FormSetting(plan, node, CATALOGUE, "key")) == [
        ("Takes in", "first"),
        ("Takes the first", "2"),
    ]
    assert fields_of(node, plan) == ("governing_law",)
    assert asked_fields(plan) == ("governing_law",)


@pytest.mark.usefixtures("taking")
def test_a_new_kind_of_node_is_added_and_changed_in_the_form() -> None:
    plan, id = with_new(plan_of(FIRST), "take", "first")
    assert plan.node(id) == Take(id="take-1", purpose="Take the first", inputs=("first",))

    form = form_of(plan)
    assert not form.exception
    form.number_input(key="key-most").set_value(9).run()
    assert json.loads(form.text[0].value)["most"] == 9
