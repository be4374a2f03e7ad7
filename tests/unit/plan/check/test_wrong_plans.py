"""Wrong readings are caught whoever gave them, and right ones pass."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from time import process_time
from typing import Any

import pytest

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, TableEntry, TablePart
from core.plan.check.checker import DOUBTFUL, LEAST_OFFERED, LEAST_PROBABLE, PlanVerdict, asked_back, check
from core.plan.check.context import Severity
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.ir.nodes import Condition, Plan, Select
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadDoubt,
    ReaderName,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
)
from tests.support.known_collection import known_collection

TODAY = date(2024, 11, 22)
CITIES = TableEntry(
    (
        ColumnEntry("School", FieldType.TEXT, texts=("Lambeth Academy", "Oasis College"), rows=20),
        ColumnEntry("Borough", FieldType.TEXT, texts=("Lambeth", "Camden"), rows=20),
        ColumnEntry("Pupils", FieldType.NUMBER, rows=20),
        ColumnEntry("Incidents", FieldType.NUMBER, rows=20),
    ),
    ("d08",),
    "contracts",
    20,
    (TablePart("d08", 1, "Schools"),),
)
COLLECTION = replace(
    known_collection(),
    fingerprint="checked",
    tables=(CITIES,),
    columns=("School", "Borough", "Pupils", "Incidents"),
)
READERS: tuple[ReaderName, ...] = ("model", "trained", "person")


@dataclass(frozen=True)
class Case:
    """A question with a reading of it. problem: the name of what is wrong, "" for nothing."""

    question: str
    parts: dict[str, Any]
    problem: str = ""

    def reading(self, by: ReaderName) -> Reading:
        return Reading(by=by, question=self.question, probability=0.9, **self.parts)


def f(name: str, words: str = "", schema: str = "contracts", part: Any = "") -> ReadField:
    return ReadField(name=name, schema_name=schema, words=words, part=part)


def c(
    name: str, op: str, *values: str, words: str = "", schema: str = "contracts", **more: Any
) -> ReadCondition:
    return ReadCondition(field=f(name, "", schema), op=Operator(op), values=values, words=words, **more)


def col(name: str, op: str, *values: str, words: str = "", **more: Any) -> ReadCondition:
    return ReadCondition(field=f(name, "", ""), op=Operator(op), values=values, words=words, **more)


def has(name: str, words: str, **more: Any) -> ReadCondition:
    return c(name, "is", words=words, **more)


def lacks(name: str, words: str) -> ReadCondition:
    return c(name, "is-missing", words=words)


def doc(words: str, *ids: str, **more: Any) -> ReadName:
    return ReadName(words=words, role="document", documents=ids, **more)


def party(words: str, **more: Any) -> ReadName:
    return ReadName(words=words, role="party", **more)


def kind(words: str, **more: Any) -> ReadName:
    return ReadName(words=words, role="kind", **more)


def by(
    name: str, words: str, limit: int = 0, *, skip: int = 0, up: bool = False, schema: str = "contracts"
) -> ReadOrder:
    return ReadOrder(field=f(name, words, schema), descending=not up, limit=limit, skip=skip, words=words)


def of(operation: str, *conditions: ReadCondition, schema: str = "contracts", **parts: Any) -> dict[str, Any]:
    return {"operation": Operation(operation), "kind": schema, "conditions": conditions, **parts}


I = "invoices"  # noqa: E741

WRONG = (
    # negation lost, turned, on the wrong thing
    Case(
        "Which contracts have no liability cap?",
        of("list", has("cap_on_liability", "liability cap")),
        "lost_negation",
    ),
    Case(
        "Which contracts do not lack insurance?", of("list", lacks("insurance", "insurance")), "lost_negation"
    ),
    Case(
        "All contracts except those without insurance",
        of("list", lacks("insurance", "insurance")),
        "lost_negation",
    ),
    Case(
        "Which contracts have no limit on liability?",
        of("list", lacks("uncapped_liability", "no limit on liability")),
        "lost_denial",
    ),
    Case(
        "Which licenses are transferable?",
        of("list", has("non_transferable_license", "transferable")),
        "lost_denial",
    ),
    Case(
        "Contracts with non-exclusive rights",
        of("list", has("exclusivity", "non-exclusive rights")),
        "lost_denial",
    ),
    Case(
        "Which contracts can be assigned without consent?",
        of("list", has("anti_assignment", "can be assigned without consent")),
        "lost_denial",
    ),
    Case(
        "Which contracts can be terminated without notice?",
        of("list", has("termination_for_convenience", "can be terminated without notice")),
        "lost_negation",
    ),
    Case("Do all contracts have insurance?", of("exists", has("insurance", "insurance")), "lost_every"),
    Case("How many invoices have insurance?", of("count", has("insurance", "insurance")), "lost_kind"),
    Case("Contracts without insurance", of("list", has("insurance", "without insurance")), "lost_negation"),
    Case(
        "Which contracts are not governed by Texas law?",
        of("list", c("governing_law", "=", "Texas", words="not governed by Texas law")),
        "lost_negation",
    ),
    Case(
        "Which contracts do not state a governing law?",
        of("list", asked=(f("governing_law", "governing law"),)),
        "lost_negation",
    ),
    Case(
        "Contracts with insurance but without an audit right",
        of("list", lacks("insurance", "insurance"), has("audit_rights", "audit right")),
        "lost_negation",
    ),
    Case("Which agreements lack a warranty?", of("count", has("warranties", "warranty")), "lost_negation"),
    Case("All contracts except those with Halden", of("list", names=(party("Halden"),)), "lost_negation"),
    Case(
        "How many agreements don't mention arbitration?",
        of("count", has("arbitration", "arbitration")),
        "lost_negation",
    ),
    # invented values, limits, conditions
    Case(
        "Which contracts are governed by Texas law?",
        of("list", c("governing_law", "=", "New York", words="governed by Texas law")),
        "invented_value",
    ),
    Case(
        "Contracts over 50000 USD",
        of("list", c("contract_value", ">", "500000 USD", words="over 50000 USD")),
        "invented_value",
    ),
    Case(
        "Contracts signed in 2019",
        of("list", c("agreement_date", "between", "2021-01-01", "2021-12-31", words="signed in 2019")),
        "invented_value",
    ),
    Case(
        "Which contracts have a force majeure clause?",
        of("list", has("force_majeure", "force majeure clause"), c("governing_law", "=", "Germany")),
        "invented_value",
    ),
    Case(
        "Invoices from Brightwater",
        of("list", c("vendor", "=", "Halden Corporation", words="Brightwater", schema=I), schema=I),
        "invented_value",
    ),
    Case("The largest contracts", of("rank", order=by("contract_value", "largest", 7)), "invented_limit"),
    Case(
        "Which contracts have an indemnity?",
        of("list", has("indemnification", "indemnity"), has("exclusivity", "")),
        "unsaid_condition",
    ),
    Case(
        "How many contracts did Halden sign?",
        of("count", has("non_compete", "covenant not to compete"), names=(party("Halden"),)),
        "unsaid_condition",
    ),
    Case(
        "Invoices due in March 2024",
        of(
            "list",
            c("due_date", "between", "2024-09-01", "2024-09-30", words="due in March 2024", schema=I),
            schema=I,
        ),
        "invented_value",
    ),
    # comparisons that are turned
    Case(
        "Contracts worth more than 50000 USD",
        of("list", c("contract_value", "<", "50000 USD", words="worth more than 50000 USD")),
        "turned_comparison",
    ),
    Case(
        "Contracts that expire before 2020",
        of("list", c("expiration_date", ">", "2020", words="expire before 2020")),
        "turned_comparison",
    ),
    Case(
        "Agreements with a termination notice of at least 60 days",
        of("list", c("termination_notice", "<=", "60 days", words="termination notice of at least 60 days")),
        "turned_comparison",
    ),
    Case(
        "Invoices of no more than 200 USD",
        of("list", c("total", ">", "200 USD", words="no more than 200 USD", schema=I), schema=I),
        "turned_comparison",
    ),
    Case(
        "Contracts signed since 2018",
        of("list", c("agreement_date", "<", "2018", words="signed since 2018")),
        "turned_comparison",
    ),
    # functions, orders, groups: turned or lost
    Case(
        "What is the average contract value?",
        of("compute", asked=(f("contract_value", "contract value"),), function=Function.SUM),
        "turned_function",
    ),
    Case(
        "The median invoice total",
        of("compute", asked=(f("total", "total", I),), function=Function.AVG, schema=I),
        "turned_function",
    ),
    Case(
        "What percentage of contracts have insurance?",
        of("count", has("insurance", "have insurance"), function=Function.COUNT),
        "turned_function",
    ),
    Case(
        "Which contract has the highest value?",
        of("rank", order=by("contract_value", "value", 1, up=True)),
        "turned_order",
    ),
    Case(
        "Which contract has the second highest value?",
        of("rank", order=by("contract_value", "highest value", 1)),
        "wrong_place",
    ),
    Case(
        "The three cheapest invoices",
        of("rank", order=by("total", "cheapest", 1, up=True, schema=I), schema=I),
        "wrong_place",
    ),
    Case(
        "Which contract has the highest value?",
        of("lookup", asked=(f("contract_value", "value"),)),
        "lost_order",
    ),
    Case("How many contracts have insurance?", of("list", has("insurance", "insurance")), "lost_function"),
    Case("How many contracts per governing law?", of("count"), "lost_words"),
    Case(
        "Is the notice of the Supply Agreement shorter than that of the Cleaning Contract?",
        of(
            "compare",
            names=(doc("the Supply Agreement", "d01"), doc("the Cleaning Contract", "d02")),
            asked=(f("termination_notice", "notice"),),
            outcome=Outcome.MORE,
        ),
        "turned_comparison",
    ),
    # contradictions
    Case(
        "Contracts under New York law and under Texas law",
        of(
            "list",
            c("governing_law", "=", "New York", words="under New York law"),
            c("governing_law", "=", "Texas", words="under Texas law"),
        ),
        "contradiction",
    ),
    Case(
        "Contracts signed after 2015 and before 2012",
        of(
            "list",
            c("agreement_date", ">", "2015", words="after 2015"),
            c("agreement_date", "<", "2012", words="before 2012"),
        ),
        "contradiction",
    ),
    # words, figures and names that nothing takes; one shared word
    Case("Which contracts mention vacation days for pilots?", of("list"), "small_part"),
    Case(
        "Which airlines had more fatal crashes than their liability?",
        of("list", has("limitation_of_liability", "liability")),
        "small_part",
    ),
    Case(
        "Contracts with insurance for 14 vehicles", of("list", has("insurance", "insurance")), "lost_figure"
    ),
    Case(
        'Contracts with insurance that say "act of war"',
        of("list", has("insurance", "insurance")),
        "lost_name",
    ),
    Case(
        "How many incident reports are there?",
        {
            "operation": Operation.COMPUTE,
            "is_rows": True,
            "tables": ("d08|1",),
            "asked": (f("Incidents", "incident", ""),),
            "function": Function.SUM,
        },
        "lost_words",
    ),
    Case(
        "Desk allowance on vacation in the contracts with insurance",
        of("list", has("insurance", "insurance")),
        "small_part",
    ),
)

RIGHT = (
    Case(
        "Which contracts have unlimited liability?",
        of("list", has("uncapped_liability", "unlimited liability")),
    ),
    Case(
        "Which contracts do not have uncapped liability?",
        of("list", lacks("uncapped_liability", "do not have uncapped liability")),
    ),
    Case("Where may the parties not compete?", of("list", has("non_compete", "not compete"))),
    Case("Which contracts restrict assignment?", of("list", has("anti_assignment", "restrict assignment"))),
    Case(
        "Which contracts have a non-transferable license?",
        of("list", has("non_transferable_license", "non-transferable license")),
    ),
    Case("Which contracts do not lack insurance?", of("list", has("insurance", "insurance"))),
    Case("Do all contracts have insurance?", of("check", has("insurance", "insurance"))),
    Case("Which contracts have no liability cap?", of("list", lacks("cap_on_liability", "liability cap"))),
    Case("show me the agreements that lack insurance, please", of("list", lacks("insurance", "insurance"))),
    Case(
        "Which contracts are not governed by Texas law?",
        of("list", c("governing_law", "=", "Texas", words="governed by Texas law", negated=True)),
    ),
    Case(
        "Contracts that let us walk away without giving a reason",
        of("list", has("termination_for_convenience", "walk away without giving a reason")),
    ),
    Case("Which contracts cannot be assigned?", of("list", has("anti_assignment", "cannot be assigned"))),
    Case(
        "Have we any deal where poaching employees is off limits?",
        of("exists", has("no_solicit_of_employees", "poaching employees is off limits")),
    ),
    Case("How many contracts are there?", of("count")),
    Case("list all invoices", of("list", schema=I)),
    Case("How many agreements don't mention arbitration?", of("count", lacks("arbitration", "arbitration"))),
    Case(
        "Contracts with insurance but without an audit right",
        of("list", has("insurance", "insurance"), lacks("audit_rights", "audit right")),
    ),
    Case(
        "Contracts worth more than $50,000",
        of("list", c("contract_value", ">", "50000 USD", words="worth more than $50,000")),
    ),
    Case(
        "deals above two million dollars",
        of("list", c("contract_value", ">", "2000000 USD", words="above two million dollars")),
    ),
    Case(
        "Invoices of no more than 200 USD",
        of("list", c("total", "<=", "200 USD", words="no more than 200 USD", schema=I), schema=I),
    ),
    Case(
        "Contracts that expire before 2020",
        of("list", c("expiration_date", "<", "2020", words="expire before 2020")),
    ),
    Case(
        "Agreements signed in the nineties",
        of(
            "list", c("agreement_date", "between", "1990-01-01", "1999-12-31", words="signed in the nineties")
        ),
    ),
    Case(
        "anything signed in the third quarter of 2018?",
        of(
            "exists",
            c(
                "agreement_date",
                "between",
                "2018-07-01",
                "2018-09-30",
                words="signed in the third quarter of 2018",
            ),
        ),
    ),
    Case(
        "Invoices from the last two years",
        of(
            "list",
            c(
                "invoice_date",
                "between",
                "2022-11-22",
                "2024-11-22",
                words="from the last two years",
                schema=I,
            ),
            schema=I,
        ),
    ),
    Case(
        "which contracts run out within the next six months",
        of(
            "list",
            c(
                "expiration_date",
                "between",
                "2024-11-22",
                "2025-05-22",
                words="run out within the next six months",
            ),
        ),
    ),
    Case(
        "not signed before 2005",
        of("list", c("agreement_date", "<", "2005", words="signed before 2005", negated=True)),
    ),
    Case(
        "Agreements with at least 60 days notice of termination",
        of("list", c("termination_notice", ">=", "60 days", words="at least 60 days notice of termination")),
    ),
    Case(
        "What is the average contract value?",
        of("compute", asked=(f("contract_value", "contract value"),), function=Function.AVG),
    ),
    Case(
        "What did we spend altogether with Quickstop?",
        of(
            "compute",
            asked=(f("total", "spend", I),),
            function=Function.SUM,
            names=(party("Quickstop"),),
            schema=I,
        ),
    ),
    Case(
        "median total of our receipts please",
        of(
            "compute",
            asked=(f("total", "total", I),),
            function=Function.MEDIAN,
            names=(kind("receipts"),),
            schema=I,
        ),
    ),
    Case(
        "What percentage of contracts have insurance?",
        of("compute", has("insurance", "have insurance"), function=Function.SHARE),
    ),
    Case(
        "How many contracts per governing law?",
        of("group", groups=(f("governing_law", "governing law"),), function=Function.COUNT),
    ),
    Case(
        "Total spend for each vendor, largest first",
        of(
            "group",
            asked=(f("total", "spend", I),),
            groups=(f("vendor", "vendor", I),),
            function=Function.SUM,
            order=ReadOrder(descending=True, words="largest first"),
            schema=I,
        ),
    ),
    Case(
        "Which contract has the second highest value?",
        of("rank", order=by("contract_value", "highest value", 1, skip=1)),
    ),
    Case(
        "The three cheapest invoices after the first",
        of("rank", order=by("total", "cheapest", 3, skip=1, up=True, schema=I), schema=I),
    ),
    Case(
        "top five agreements by liability cap",
        of("rank", order=by("liability_cap_amount", "liability cap", 5)),
    ),
    Case(
        "Sort the contracts by expiry date, oldest first",
        of("rank", order=by("expiration_date", "expiry date, oldest first", up=True)),
    ),
    Case(
        "How many different vendors billed us?",
        of("count", asked=(f("vendor", "vendors", I),), function=Function.DISTINCT, schema=I),
    ),
    Case(
        "What law governs the Supply Agreement?",
        of("lookup", names=(doc("the Supply Agreement", "d01"),), asked=(f("governing_law", "law governs"),)),
    ),
    Case(
        "Is the notice of the Supply Agreement shorter than that of the Cleaning Contract?",
        of(
            "compare",
            names=(doc("the Supply Agreement", "d01"), doc("the Cleaning Contract", "d02")),
            asked=(f("termination_notice", "notice"),),
            outcome=Outcome.LESS,
        ),
    ),
    Case(
        "Does the Halden cleaning contract contain an indemnity?",
        of("check", has("indemnification", "indemnity"), names=(doc("the Halden cleaning contract", "d02"),)),
    ),
    Case(
        "Contracts under New York or Texas law",
        of(
            "list",
            c("governing_law", "=", "New York", words="under New York", either=1),
            c("governing_law", "=", "Texas", words="Texas law", either=1),
        ),
    ),
    Case(
        "contracts governed by English law",
        of("list", c("governing_law", "=", "England", words="governed by English law")),
    ),
    Case(
        "are there more contracts with insurance or with arbitration?",
        of(
            "compare",
            has("insurance", "insurance"),
            has("arbitration", "arbitration"),
            outcome=Outcome.GREATEST,
        ),
    ),
    Case(
        "Which schools in Lambeth have more than 900 pupils?",
        {
            "operation": Operation.LIST,
            "is_rows": True,
            "tables": ("d08|1",),
            "conditions": (
                col("Borough", "=", "Lambeth", words="in Lambeth"),
                col("Pupils", ">", "900", words="more than 900 pupils"),
            ),
            "asked": (f("School", "schools", ""),),
        },
    ),
    Case(
        "How many pupils are there in Camden altogether?",
        {
            "operation": Operation.COMPUTE,
            "is_rows": True,
            "tables": ("d08|1",),
            "conditions": (col("Borough", "=", "Camden", words="in Camden"),),
            "asked": (f("Pupils", "pupils", ""),),
            "function": Function.SUM,
        },
    ),
    Case(
        "What is the ratio of contracts with insurance to those with arbitration?",
        {
            "operation": Operation.COMPARE,
            "sides": ("a", "b"),
            "outcome": Outcome.RATIO,
            "steps": (
                Step(
                    id="a",
                    operation=Operation.COUNT,
                    kind="contracts",
                    conditions=(has("insurance", "with insurance"),),
                ),
                Step(
                    id="b",
                    operation=Operation.COUNT,
                    kind="contracts",
                    conditions=(has("arbitration", "with arbitration"),),
                ),
            ),
        },
    ),
)


def judged(case: Case, by: ReaderName) -> PlanVerdict:
    reading = case.reading(by)
    return check(compile_reading(reading, CompileContext(COLLECTION, TODAY)), reading, COLLECTION)


@pytest.mark.parametrize("by", READERS)
@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.question)
def test_a_wrong_reading_is_caught_whoever_gave_it(case: Case, by: ReaderName) -> None:
    verdict = judged(case, by)

    plan = verdict.plan
    assert plan is None or not verdict.answers or plan.uncovered or doubted(plan)
    assert case.problem in {each.name for each in verdict.problems}


def doubted(plan: Plan) -> bool:
    """True where the status of an answer is lowered."""
    return min((note.confidence for note in plan.notes), default=0.0) <= DOUBTFUL


@pytest.mark.parametrize("by", READERS)
@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.question)
def test_a_right_reading_passes_whoever_gave_it(case: Case, by: ReaderName) -> None:
    verdict = judged(case, by)

    assert verdict.answers, verdict.problems
    assert verdict.plan is not None
    assert not verdict.plan.uncovered
    assert not verdict.problems


def test_there_are_more_than_forty_of_each() -> None:
    assert (len(WRONG), len(RIGHT)) == (49, 47)


def _insured() -> Reading:
    return Case("Contracts with insurance", of("list", has("insurance", "insurance"))).reading("trained")


def test_a_plan_of_a_field_that_is_gone_is_refused_with_a_next_step() -> None:
    reading = _insured()
    plan = compile_reading(reading, CompileContext(COLLECTION, TODAY))
    node = plan.nodes[0]
    assert isinstance(node, Select)
    gone = node.model_copy(
        update={"conditions": (Condition(field="insurrance", op=Operator.IS, value="present"),)}
    )

    verdict = check(plan.model_copy(update={"nodes": (gone,)}), reading, COLLECTION)

    assert (verdict.plan, verdict.problems[0].name) == (None, "cannot_run")
    assert "insurance" in verdict.problems[0].next_step


def test_an_improbable_reading_is_offered_and_does_not_answer() -> None:
    said = Case("Contracts with protection", of("list", has("insurance", "protection"))).reading("trained")
    low = {"probability": (LEAST_OFFERED + LEAST_PROBABLE) / 2}
    reading = said.model_copy(update=low)
    plan = compile_reading(reading, CompileContext(COLLECTION, TODAY))

    verdict = check(plan, reading, COLLECTION)

    assert (verdict.answers, verdict.is_offered) == (False, True)
    assert check(plan, _insured().model_copy(update=low), COLLECTION).answers  # "insurance" is called so
    assert check(plan, reading.model_copy(update={"by": "model"}), COLLECTION).answers


def test_words_that_a_model_lost_make_a_plan_less_sure() -> None:
    """What names nothing of the collection is a doubt, and not left out."""
    reading = Case("Contracts with insurance of pilots", of("list", has("insurance", "insurance"))).reading(
        "model"
    )
    plan = compile_reading(reading, CompileContext(COLLECTION, TODAY))

    verdict = check(plan, reading, COLLECTION)

    assert verdict.plan is not None
    assert verdict.plan.uncovered == ()
    assert [(each.words, each.severity) for each in verdict.problems] == [("pilots", Severity.DOUBTS)]
    assert max(note.confidence for note in verdict.plan.notes) < 0.7
    assert verdict.answers


def test_the_document_means_one() -> None:
    reading = Case(
        "What is the governing law of the agreement?",
        of("lookup", asked=(f("governing_law", "governing law"),)),
    )
    plan = compile_reading(reading.reading("trained"), CompileContext(COLLECTION, TODAY))

    verdict = check(plan, reading.reading("trained"), COLLECTION)

    assert verdict.plan is not None
    assert verdict.plan.single == "the agreement"


def test_a_doubt_of_the_reader_is_asked_back() -> None:
    doubt = ReadDoubt(reason="Which side is meant?", words="side", options=("As customer?", "As vendor?"))
    reading = _insured().model_copy(update={"doubt": doubt})

    back = asked_back(reading)

    assert back is not None
    assert [each.label for each in back.options] == ["As customer?", "As vendor?"]


@pytest.mark.parametrize(
    "text",
    [
        "9F86D081884C7D659A2FEAA0C55AD015 " * 100,
        "([" * 2000,
        "not " * 1000,
        "five million " * 500,
        "1,2,3,4," * 900,
        '"a"' * 900,
    ],
)
def test_a_strange_question_is_judged_at_once(text: str) -> None:
    reading = Case(text, of("list", has("insurance", "insurance"))).reading("model")
    plan = compile_reading(reading, CompileContext(COLLECTION, TODAY))
    began = process_time()

    verdict = check(plan, reading, COLLECTION)

    assert verdict.plan is None
    assert process_time() - began < 2


NO_INSURANCE = has("insurance", "insurance", negated=True)


@pytest.mark.parametrize(
    ("question", "second", "is_wrong"),
    [
        ("Contracts that lack insurance end in 2024", ("between", True), True),
        ("Contracts that lack insurance end in 2024", ("between", False), False),
        ("Contracts without insurance, audit rights or escrow", ("is", False), True),
        ("Contracts without insurance, audit rights or escrow", ("is", True), False),
        ("Contracts without insurance and with audit rights", ("is", False), False),
    ],
)
def test_a_negation_reaches_as_far_as_the_words_say(
    question: str, second: tuple[str, bool], is_wrong: bool
) -> None:
    op, negated = second
    is_dated = op == "between"
    part = (
        c("expiration_date", op, "2024-01-01", "2024-12-31", words="end in 2024", negated=negated)
        if is_dated
        else has("audit_rights", "audit rights", negated=negated)
    )
    third = () if "escrow" not in question else (has("source_code_escrow", "escrow", negated=True),)
    reading = Case(question, of("list", NO_INSURANCE, part, *third)).reading("trained")

    verdict = check(compile_reading(reading, CompileContext(COLLECTION, TODAY)), reading, COLLECTION)

    assert ("carried_negation" in {each.name for each in verdict.problems}) is is_wrong


@pytest.mark.parametrize(
    ("question", "parts", "left"),
    [
        (
            "How many contracts lack insurance and how many have it?",
            of("count", lacks("insurance", "insurance"), function=Function.COUNT),
            ("how many have it",),
        ),
        (
            "How many contracts have insurance, and what is their total value?",
            of(
                "count",
                has("insurance", "insurance"),
                function=Function.COUNT,
                asked=(f("contract_value", "total value"),),
            ),
            ("total value",),
        ),
        (
            "How many contracts and invoices do we have?",
            of("count", function=Function.COUNT, names=(kind("contracts"), kind("invoices"))),
            ("invoices",),
        ),
        (
            "How many contracts that lack insurance and which have audit rights are there?",
            of(
                "count",
                lacks("insurance", "lack insurance"),
                has("audit_rights", "which have audit rights"),
                function=Function.COUNT,
            ),
            (),
        ),
    ],
)
def test_what_is_asked_for_beside_the_one_thing_that_is_given_is_left_out(
    question: str, parts: dict[str, Any], left: tuple[str, ...]
) -> None:
    verdict = judged(Case(question, parts), "trained")

    assert verdict.plan is not None
    assert verdict.plan.uncovered[: len(left)] == left
    assert verdict.answers is not bool(left)
