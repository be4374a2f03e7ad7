"""Whatever is read, what comes out is a plan that can run, a question back, or an error in plain words."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.predicate import Operator
from core.plan.clarify import AskBackError
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.ir.validate import validate
from core.plan.reading import (
    IN_HAND,
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
)
from tests.support.compact_readings import COLLECTION, TABLES, TODAY
from tests.support.examples import examples

EVERYTHING = replace(
    COLLECTION,
    fingerprint="all",
    documents=(*COLLECTION.documents, *TABLES.documents),
    tables=TABLES.tables,
)
IDS = ("s1", "s2", "s3")
OF_CONTRACTS = (
    "governing_law",
    "vendor",
    "parties",
    "contract_value",
    "discount",
    "agreement_date",
    "insurance",
    "renewal_term",
    "document_kind",
    "document_name",
)
OF_ORDERS = ("Qty", "Product", "Status", "Amount (EUR)", "Order Date", "Closed", "Customer")
OTHERS = ("total", "nothing_of_the_kind", "Net amount")
VALUES = st.sampled_from(
    (
        "",
        "Texas",
        "100000",
        "$1,000",
        "100 USD",
        "5 %",
        "2023",
        "2023-Q2",
        "2024-05-06",
        "9999-99-99",
        "true",
        "Halden",
        "$s1",
        "$s2",
        "$s9",
        "$set",
        "30 days",
        "((",
        "panel",
        "3",
    )
)
WORDS = st.sampled_from(
    (
        "",
        "Halden",
        "Orion",
        "contracts",
        "franchise agreements",
        "licenses",
        "NDAs",
        "Supply Agreement",
        "Invoice 88",
        "Zorblax",
        "of the",
        "?!",
        "a" * 300,
        "orders",
        "Aldo",
    )
)
FAMILIES = (("contracts", OF_CONTRACTS), ("", OF_ORDERS), ("", (*OF_CONTRACTS, *OF_ORDERS, *OTHERS)))


def _few(kind: st.SearchStrategy[object], most: int) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(kind, max_size=most).map(tuple)


def _fields(names: tuple[str, ...]) -> st.SearchStrategy[ReadField]:
    parts = st.sampled_from(("",) * 40 + ("year", "month", "quarter", "unit"))
    return st.builds(ReadField, name=st.sampled_from(names), part=parts)


def _conditions(fields: st.SearchStrategy[ReadField]) -> st.SearchStrategy[ReadCondition]:
    return st.builds(
        ReadCondition,
        field=fields,
        op=st.sampled_from((Operator.EQUAL, Operator.IS, Operator.CONTAINS, *Operator)),
        values=st.lists(VALUES, max_size=3).map(tuple) | st.sampled_from((("Texas",), ("3",), ("2023",))),
        negated=st.booleans(),
        either=st.integers(0, 2),
    )


@st.composite
def _parts(draw: st.DrawFn, known: tuple[str, ...]) -> dict[str, object]:
    """The parts of a step: mostly of one family of fields, now and then of none that fit."""
    is_odd = draw(st.integers(0, 5)) == 0
    kind, own = draw(st.sampled_from(FAMILIES[:2])) if not is_odd else FAMILIES[2]
    is_rows = own is OF_ORDERS
    fields = _fields(own)
    conditions = _conditions(fields)
    names = st.builds(
        ReadName,
        words=WORDS if is_odd else st.sampled_from(("Halden", "contracts", "NDAs", "licenses", "orders")),
        role=st.sampled_from(("document", "party", "kind") if is_odd else ("party", "kind")),
        documents=st.sampled_from(((), (), ("d01",), ("d99",), ("d01", "d02")) if is_odd else ((),)),
        negated=st.booleans(),
        described=st.sampled_from(("", "", *known)),
    )
    order = st.builds(
        ReadOrder,
        field=st.none() | fields,
        descending=st.booleans(),
        limit=st.integers(0, 3),
        skip=st.integers(0, 2),
    )
    operations = tuple(each for each in Operation if each is not Operation.HELP)
    has_sides = len(known) > 1 and draw(st.booleans())
    return {
        "operation": draw(st.sampled_from(tuple(Operation) if is_odd else operations)),
        "kind": draw(st.sampled_from(("", "invoices", "datasheets", "no kind"))) if is_odd else kind,
        "is_rows": is_rows,
        "tables": ("d9|9",) if is_odd and draw(st.booleans()) else (),
        "names": draw(_few(names, 2)) if not is_rows or is_odd else (),
        "conditions": draw(_few(conditions, 30 if draw(st.integers(0, 9)) == 0 else 2)),
        "asked": draw(_few(fields, 2)),
        "function": draw(st.sampled_from(Function)),
        "groups": draw(_few(fields, 3 if is_odd else 1)),
        "having": draw(st.none() | conditions) if is_odd else None,
        "order": draw(st.none() | order),
        "within": draw(_few(st.sampled_from((IN_HAND, *known)), 2)) if draw(st.booleans()) else (),
        "sides": draw(st.lists(st.sampled_from(known), min_size=1, max_size=3).map(tuple))
        if has_sides
        else (),
        "labels": draw(_few(WORDS.map(lambda text: text[:100]), 2)),
        "outcome": draw(st.sampled_from(Outcome)),
        "text": draw(WORDS),
    }


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Readings that mostly mean nothing, of up to four steps."""
    known = IDS[: draw(st.integers(0, 3))]
    steps = [Step.model_validate({"id": id, **draw(_parts(known[:at]))}) for at, id in enumerate(known)]
    parts = draw(_parts(known))
    by = draw(st.sampled_from(("model", "trained", "person")))
    question = draw(st.sampled_from(("?", "order all of them", "how many contracts and 3 invoices")))
    return Reading.model_validate({"by": by, "question": question, "steps": steps, **parts})


@settings(max_examples=examples(400), deadline=None)
@given(readings(), st.sampled_from((True, True, True, False)))
def test_a_reading_gives_a_plan_or_says_why_not(reading: Reading, has_hand: bool) -> None:
    members = ("d01", "d02") if has_hand else ()
    try:
        plan = compile_reading(reading, CompileContext(EVERYTHING, TODAY, members=members))
    except (ReadingError, AskBackError):
        return
    for problem in validate(plan, EVERYTHING):
        assert problem.message.endswith(".")
        assert problem.next_step
