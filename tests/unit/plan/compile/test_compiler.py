"""Readings in a few words, and the plans that they make."""

from __future__ import annotations

from typing import Any

import pytest

from core.plan.clarify import AskBackError
from core.plan.compile.context import ReadingError
from core.plan.compile.names import UnknownNameError
from core.plan.ir.nodes import Aggregate, Hop, Plan, Select
from core.plan.reading import Reading
from tests.support.compact_readings import COLLECTION, TABLES, line_of, plan_of, read, step
from tests.support.known_collection import in_a_line

K = "contracts"
ALL = "contracts[]"
HALDEN = "parties = halden | vendor = halden | customer = halden"
LARGEST = "contracts[] by -liability_cap_amount first 1"


def largest(**parts: Any) -> Any:
    return step("s1", "rank", kind=K, order="-liability_cap_amount 1", **parts)


def contracts(operation: str, *steps: Any, **parts: Any) -> Reading:
    return read(operation, *steps, **{"kind": K, **parts})


def sets(operation: str = "list", **parts: Any) -> Reading:
    return read(
        operation,
        step("s1", "list", kind=K, where=["insurance is present"]),
        step("s2", "list", kind=K, where=["governing_law = Texas"]),
        sides=["s1", "s2"],
        **parts,
    )


def counted(outcome: str, *laws: str, function: str = "") -> Reading:
    made = [
        step(f"s{at}", "count", kind=K, where=[f"governing_law = {law}"], function=function)
        for at, law in enumerate(laws, 1)
    ]
    return read("compare", *made, sides=[each.id for each in made], labels=laws, outcome=outcome)


INSURED = "contracts[insurance = true]"
TEXAN = "contracts[governing_law = Texas]"

DOCUMENTS = [
    # kinds that are left out: what they are called by, and not their kind
    (
        contracts("list", names=["kind contracts", "kind not franchise agreements"]),
        "contracts[document_kind = agreement] -> contracts[document_name contains franchise] -> "
        "difference select-1, select-2",
    ),
    (
        contracts("list", names=["kind not franchise agreements"]),
        f"{ALL} -> contracts[document_name contains franchise] -> difference select-1, select-2",
    ),
    (
        contracts("count", names=["kind not NDAs"]),
        f"{ALL} -> contracts[document_name contains nondisclosure | document_name contains non-disclosure | "
        "document_name contains confidentiality] -> difference select-1, select-2 -> count()",
    ),
    (
        contracts("list", names=["kind contracts", "kind not amendments"]),
        "contracts[document_kind = agreement]",
    ),
    (
        contracts("list", names=["kind not amendments"]),
        "contracts[document_kind != amendment | document_kind is-missing]",
    ),
    (
        contracts(
            "rank", names=["kind not leases"], where=["insurance is present"], order="-contract_value 3"
        ),
        f"{INSURED} -> contracts[document_name contains lease] -> difference select-1, select-2 -> "
        "contracts[] by -contract_value first 3",
    ),
    # kinds that the catalogue does not know
    (
        contracts("list", names=["kind licenses"]),
        "contracts[document_name contains license]",
    ),
    (
        read("list", names=["kind licenses"], where=["governing_law = Texas"]),
        "contracts[document_name contains license; governing_law = Texas]",
    ),
    (
        read("count", names=["kind outsourcing deals"]),
        "contracts[document_kind = agreement; document_name contains outsourcing] -> count()",
    ),
    (
        read("count", names=["kind cleanings"]),
        "contracts[document_name contains cleaning] -> count()",
    ),
    (read("count", names=["kind elephants"]), "all[] -> count() (not covered: elephants)"),
    (
        read("list", names=["kind unicorns"], kind="datasheets"),
        "datasheets[] (not covered: unicorns)",
    ),
    # what other steps found
    (
        contracts(
            "list",
            step("s1", "lookup", kind="invoices", names=["document Invoice 88"], asked=["vendor"]),
            names=["party = s1"],
        ),
        "invoices in d11[] show vendor -> hop(vendor) -> contracts["
        "parties = @hop-1 | vendor = @hop-1 | customer = @hop-1]",
    ),
    (
        contracts(
            "list", step("s1", "group", kind="invoices", by=["vendor"], order="- 1"), names=["party = s1"]
        ),
        "invoices[] -> count() per vendor top 1 -> hop(vendor) -> contracts["
        "parties = @hop-1 | vendor = @hop-1 | customer = @hop-1]",
    ),
    (
        contracts("list", largest(), where=["governing_law = $s1"]),
        f"{LARGEST} -> hop(governing_law) -> contracts[governing_law = @hop-1]",
    ),
    (
        contracts("list", largest(), where=["expiration_date > $s1"]),
        f"{LARGEST} -> hop(expiration_date) -> contracts[expiration_date > @hop-1]",
    ),
    (
        contracts("list", largest(asked=["contract_value"]), where=["contract_value >= $s1"]),
        f"{LARGEST.replace(' by', ' show contract_value by')} -> hop(contract_value) -> "
        "contracts[contract_value >= @hop-1]",
    ),
    (
        contracts("lookup", largest(), names=["document = s1"], asked=["governing_law"]),
        f"{LARGEST} -> contracts[] show governing_law",
    ),
    (
        contracts("list", largest(), names=["document not = s1"]),
        f"{LARGEST} -> {ALL} -> difference select-2, select-1",
    ),
    (
        contracts(
            "count",
            step("s1", "list", kind=K, where=["insurance is present"]),
            step("s2", "list", kind=K, where=["governing_law = Texas"]),
            within=["s1"],
            names=["document = s2"],
        ),
        f"{INSURED} -> {TEXAN} -> intersect select-1, select-2 -> count()",
    ),
    (
        contracts(
            "list",
            step("s1", "compute", kind=K, asked=["contract_value"], function="avg"),
            where=["contract_value > $s1"],
        ),
        f"{ALL} -> avg(contract_value) -> contracts[contract_value > @aggregate-1]",
    ),
    (
        contracts(
            "list",
            step("s1", "compute", kind=K, asked=["contract_value"], function="avg"),
            step("s2", "compute", kind=K, asked=["contract_value"], function="max"),
            where=["contract_value between $s1 and $s2"],
        ),
        f"{ALL} -> avg(contract_value) -> {ALL} -> max(contract_value) -> "
        "contracts[contract_value >= @aggregate-1; contract_value <= @aggregate-2]",
    ),
    (
        contracts("list", step("s1", "text", kind=K, text="steel"), within=["s1"]),
        "contracts[] -> search -> contracts[]",
    ),
    # groups and shares
    (
        contracts("group", by=["vendor"], function="share", where=["insurance is present"]),
        f"{INSURED} -> count() per vendor (not covered: share)",
    ),
    (
        contracts("group", by=["governing_law"], asked=["vendor"], function="distinct"),
        f"{ALL} -> distinct(vendor) per governing_law",
    ),
    (contracts("group", asked=["vendor"], function="distinct"), f"{ALL} -> count() per vendor"),
    (contracts("list", asked=["vendor"], function="distinct"), f"{ALL} -> count() per vendor"),
    (contracts("count", asked=["vendor"], function="distinct"), f"{ALL} -> distinct(vendor)"),
    (
        contracts("group", by=["vendor"], order="-contract_value 3"),
        f"{ALL} -> sum(contract_value) per vendor top 3",
    ),
    (contracts("group", by=["agreement_date"]), f"{ALL} -> count() per agreement_date.year"),
    (contracts("group", by=["agreement_date.month"]), f"{ALL} -> count() per agreement_date.month"),
    (
        contracts("compute", asked=["contract_value"], function="share", names=["party Halden"]),
        f"contracts[{HALDEN}] -> {ALL} -> sum(contract_value) -> sum(contract_value) -> share of those / all",
    ),
    (
        contracts("compute", asked=["contract_value"], function="share", where=["governing_law = Texas"]),
        f"{TEXAN} -> {ALL} -> sum(contract_value) -> sum(contract_value) -> share of those / all",
    ),
    (
        contracts("count", function="share", where=["insurance is present"]),
        f"{INSURED} -> count() in percent",
    ),
    (
        contracts("compute", asked=["contract_value"], function="sum", order="-contract_value 3"),
        f"{ALL} by -contract_value first 3 -> sum(contract_value)",
    ),
    # sides
    (
        read(
            "compare",
            step("s1", "count", kind=K, where=["insurance is present"]),
            step("s2", "count", kind=K, where=["governing_law = Texas"]),
            sides=["s1", "s2"],
            labels=["insured", "Texan"],
        ),
        f"{INSURED} -> count() -> {TEXAN} -> count() -> values of insured / Texan",
    ),
    (
        counted("greatest", "Texas", "Texas"),
        f"{TEXAN} -> count() -> {TEXAN} -> count() -> greatest of Texas / Texas (2)",
    ),
    (
        counted("values", "Texas", "Texas", function="share"),
        f"{TEXAN} -> {ALL} -> count() -> count() -> share of those / all -> {TEXAN} -> {ALL} -> count() -> "
        "count() -> share of those / all -> values of Texas / Texas (2)",
    ),
    (
        contracts("compare", where=["insurance is present", "governing_law = Texas"]),
        f"{INSURED} -> {TEXAN} -> count() -> count() -> values of Insurance / Texas",
    ),
    (
        contracts(
            "compare", where=["governing_law = Texas", "governing_law = Germany", "insurance is present"]
        ),
        "contracts[insurance = true; governing_law = Texas] -> "
        "contracts[insurance = true; governing_law = Germany] -> "
        "count() -> count() -> values of Texas / Germany",
    ),
    (
        contracts(
            "compare",
            names=["document Supply Agreement", "document Cleaning Contract"],
            asked=["contract_value"],
        ),
        "contracts in d01[] show contract_value -> contracts in d02[] show contract_value -> "
        "compare contract_value of Supply Agreement / Cleaning Contract",
    ),
    (
        contracts(
            "compare",
            names=["document Supply Agreement", "document Cleaning Contract"],
            asked=["contract_value"],
            outcome="ratio",
        ),
        "contracts in d01[] show contract_value -> contracts in d02[] show contract_value -> "
        "sum(contract_value) -> sum(contract_value) -> ratio of Supply Agreement / Cleaning Contract",
    ),
    # sets of steps
    (sets(outcome="union"), f"{INSURED} -> {TEXAN} -> union select-1, select-2"),
    (sets("count", outcome="intersect"), f"{INSURED} -> {TEXAN} -> intersect select-1, select-2 -> count()"),
    (
        sets(outcome="without", asked=["vendor"], order="-contract_value 3"),
        f"{INSURED} -> {TEXAN} -> difference select-1, select-2 -> "
        "contracts[] show vendor by -contract_value first 3",
    ),
    (
        sets("group", outcome="union", by=["vendor"]),
        f"{INSURED} -> {TEXAN} -> union select-1, select-2 -> count() per vendor",
    ),
    # names
    (
        contracts("lookup", where=["contract_value > 1000000 USD"], asked=["governing_law"]),
        "contracts[contract_value > 1000000.00 USD] show governing_law",
    ),
    (
        contracts(
            "lookup", names=["document Supply Agreement", "document Cleaning Contract"], asked=["vendor"]
        ),
        "contracts in d01,d02[] show vendor",
    ),
    (
        contracts("exists", where=["insurance is present"], names=["document Cleaning Contract"]),
        "contracts in d02[insurance = true]",
    ),
    (
        contracts("exists", where=["insurance is missing"], names=["party Halden"]),
        f"contracts[{HALDEN}; insurance is-missing]",
    ),
    (
        contracts("list", names=["document not Supply Agreement"]),
        f"{ALL} -> all in d01[] -> difference select-1, select-2",
    ),
    (contracts("check", where=["insurance is present"]), "contracts[insurance = true]"),
    # values
    (
        contracts("list", where=["contract_value >= 100000"]),
        "contracts[contract_value >= 100000.00 USD]",
    ),
    (
        contracts("list", where=["contract_value > $500"]),
        "contracts[contract_value > 500.00 USD]",
    ),
    (
        contracts("list", where=["liability_cap_amount between 100k and 200k"]),
        "contracts[liability_cap_amount between 100000.00 USD .. 200000.00 USD]",
    ),
    (
        contracts("list", where=["discount > 5 percent"]),
        "contracts[discount > 5 %]",
    ),
    (
        contracts("list", where=["contract_value.unit = eur"]),
        "contracts[contract_value.unit = EUR]",
    ),
    (
        contracts("list", where=["agreement_date.year = 2023"]),
        "contracts[agreement_date between 2023-01-01 .. 2023-12-31]",
    ),
    (
        contracts("list", where=["agreement_date.year in 2021, 2023"]),
        "contracts[agreement_date between 2021-01-01 .. 2021-12-31 | "
        "agreement_date between 2023-01-01 .. 2023-12-31]",
    ),
    (
        contracts("list", where=["agreement_date.quarter = 2023-Q2"]),
        "contracts[agreement_date between 2023-04-01 .. 2023-06-30]",
    ),
    (
        contracts("list", where=["agreement_date != 2023"]),
        "contracts[agreement_date < 2023-01-01 | agreement_date > 2023-12-31]",
    ),
    (
        contracts("list", where=["governing_law != Narnia"]),
        "contracts[governing_law is present] -> "
        "contracts[governing_law contains Narnia] -> difference select-1, select-2",
    ),
    (
        contracts("list", where=["governing_law in Narnia, Texas"]),
        "contracts[governing_law contains Narnia | governing_law = Texas]",
    ),
    (
        contracts("list", where=["not governing_law contains York"]),
        f"{ALL} -> contracts[governing_law contains York] -> difference select-1, select-2",
    ),
    (
        contracts("list", where=["|1 insurance is present", "|1 not governing_law contains York"]),
        f"{ALL} -> contracts[insurance is-missing; governing_law contains York] -> "
        "difference select-1, select-2",
    ),
    # words of the question that name a kind, and those that do not
    (
        read(
            "list",
            reader="trained",
            question="order all of them by value",
            where=["insurance is present"],
            order="-contract_value",
        ),
        f"{INSURED} by -contract_value",
    ),
    (
        read("count", reader="trained", question="how many receipts do we have"),
        "invoices[document_kind = receipt] -> count()",
    ),
    (
        read("exists", reader="trained", question="is there a receipt"),
        "invoices[document_kind = receipt]",
    ),
]

ROWS = [
    (
        read("list", is_rows=True, where=["not Product contains panel"]),
        "rows[] -> rows[product contains panel] -> difference select-1, select-2",
    ),
    (
        read("compute", is_rows=True, asked=["Amount (EUR)"], where=["not Product = Glass"]),
        "rows[] -> rows[product contains Glass] -> difference select-1, select-2 -> sum(amount (eur))",
    ),
    (
        read("rank", is_rows=True, where=["not Product contains panel"], order="-Qty 2", asked=["Product"]),
        "rows[] show product -> rows[product contains panel] -> difference select-1, select-2 -> "
        "rows[] show product by -qty first 2",
    ),
    (read("list", is_rows=True, where=["Product != panel"]), "rows[product != Oak panel]"),
    (
        read("count", is_rows=True, where=["not Qty between 5 and 10"]),
        "rows[qty < 5 | qty > 10] -> count()",
    ),
    (
        read("count", is_rows=True, where=["not Status in shipped, open"]),
        "rows[status != shipped; status != open] -> count()",
    ),
    (
        read("list", is_rows=True, where=["|1 Product = Glass", "|1 not Qty between 2 and 5"]),
        "rows[product contains Glass | qty < 2 | qty > 5]",
    ),
    (
        read("list", is_rows=True, where=['"Order Date.year" = 2024']),
        "rows[order date between 2024-01-01 .. 2024-12-31]",
    ),
    (read("list", is_rows=True, where=['"Amount (EUR)" > 100']), "rows[amount (eur) > 100.00 EUR]"),
    (read("list", is_rows=True, where=["Discount > 3"]), "rows[discount > 3 %]"),
    (read("list", is_rows=True, where=["Discount > 3 percent"]), "rows[discount > 3 %]"),
    (
        read("compute", is_rows=True, function="share", asked=["Amount (EUR)"], where=["Status = shipped"]),
        "rows[status = shipped] -> rows[] -> sum(amount (eur)) -> sum(amount (eur)) -> share of those / all",
    ),
    (
        read("group", is_rows=True, function="distinct", asked=["Customer"], by=["Product"]),
        "rows[] -> distinct(customer) per product",
    ),
    (
        read("group", is_rows=True, function="share", by=["Product"], where=["Status = open"]),
        "rows[status = open] -> count() per product (not covered: share)",
    ),
    (
        read("compare", is_rows=True, where=["Status = shipped", "Status = open"]),
        "rows[status = shipped] -> rows[status = open] -> count() -> count() -> values of shipped / open",
    ),
    (
        read(
            "count",
            step("s1", "list", is_rows=True, where=["Status = shipped"]),
            within=["s1"],
            where=["Qty > 5"],
        ),
        "rows[status = shipped] -> rows[qty > 5] -> count()",
    ),
    (
        read(
            "list",
            step("s1", "rank", is_rows=True, order="-Qty 1", where=["Status = shipped"]),
            is_rows=True,
            where=["Qty = $s1"],
        ),
        "rows[status = shipped] by -qty first 1 -> max(qty) -> rows[qty = @aggregate-1]",
    ),
    (
        read(
            "count",
            step("s1", "list", is_rows=True, where=["Status = shipped"]),
            step("s2", "list", is_rows=True, where=["Qty > 5"]),
            sides=["s1", "s2"],
            outcome="without",
        ),
        "rows[status = shipped] -> rows[qty > 5] -> difference select-1, select-2 -> count()",
    ),
    (
        read("list", is_rows=True, names=["party Brandt Holz"], asked=["City"]),
        "rows[name = Brandt Holz] show city",
    ),
    (
        read("list", is_rows=True, names=["party Zorblax"], asked=["City"]),
        "rows[] show city (not covered: Zorblax)",
    ),
]


@pytest.mark.parametrize(("reading", "expected"), DOCUMENTS, ids=[line for _, line in DOCUMENTS])
def test_a_reading_of_documents_makes_its_plan(reading: Reading, expected: str) -> None:
    assert line_of(reading) == expected


@pytest.mark.parametrize(("reading", "expected"), ROWS, ids=[line for _, line in ROWS])
def test_a_reading_of_rows_makes_its_plan(reading: Reading, expected: str) -> None:
    assert line_of(reading, TABLES) == expected


SAID = [
    (read("list", kind="no kind"), "There is no kind 'no kind'"),
    (contracts("list", where=["governing_law > Texas"]), "holds texts"),
    (contracts("list", where=["contract_value contains 5"]), "no text that contains"),
    (contracts("list", where=["contract_value = cheap"]), "'cheap' is no value"),
    (contracts("list", where=["agreement_date.quarter = Q2"]), "no day of Agreement date"),
    (contracts("list", where=["governing_law.year = 2023"]), "has no year"),
    (contracts("list", where=["governing_law = $s9"]), "no step 's9' before"),
    (contracts("list", within=["set"]), "no result to go on from"),
    (contracts("list", names=["document Zorblax"]), "called “Zorblax”"),
    (contracts("list", names=["document "]), "called “”"),
    (contracts("list", order="-governing_law 3"), "has no order"),
    (contracts("compute", asked=["governing_law"], function="avg"), "has no avg"),
    (contracts("compute", asked=["contract_value"], function="share"), "which part the share"),
    (contracts("count", having="vendor > 2"), "nothing to group by"),
    (contracts("group", by=["vendor"], having="vendor = many"), "no number that groups compare with"),
    (contracts("compare", names=["party Halden"]), "fewer than two"),
    (counted("difference", "Texas", "Germany", "Iowa"), "3 things have no difference"),
    (
        contracts(
            "list", step("s1", "group", kind=K, by=["vendor"]), where=["contract_value = $s1"], names=[]
        ),
        None,
    ),
    (contracts("list", where=[f"|{at} insurance is present" for at in range(1, 9)] * 3), None),
    (contracts("list", where=[f"not contract_value between {at} and 90" for at in range(30)]), None),
    (
        contracts("list", where=[f"|1 not governing_law in Texas, Germany, L{at}" for at in range(30)]),
        "more than one plan can say",
    ),
    (contracts("list", asked=["vendor", "no_field"]), "no field 'no_field'"),
    (contracts("text"), "No plan over fields"),
]


@pytest.mark.parametrize(("reading", "said"), SAID, ids=[str(at) for at in range(len(SAID))])
def test_what_no_plan_says_is_an_error_in_plain_words(reading: Reading, said: str | None) -> None:
    if said is None:
        assert plan_of(reading).nodes
        return
    with pytest.raises(ReadingError) as error:
        plan_of(reading)
    assert said in error.value.message
    assert error.value.next_step


@pytest.mark.parametrize(
    ("having", "expected"),
    [("vendor > 2", ("rows", ">", "2")), ("vendor between 2 and 4", ("rows", "between", ("2", "4")))],
)
def test_a_condition_on_groups_is_on_what_they_come_to(having: str, expected: tuple[Any, ...]) -> None:
    node = plan_of(contracts("group", by=["vendor"], having=having)).nodes[-1]
    assert isinstance(node, Aggregate)
    assert node.having is not None
    assert (node.having.field, node.having.op.value, node.having.value) == expected


def test_a_condition_on_sums_is_on_the_field() -> None:
    reading = contracts("group", by=["vendor"], asked=["contract_value"], having="contract_value >= 50000")
    node = plan_of(reading).nodes[-1]
    assert isinstance(node, Aggregate)
    assert node.having is not None
    assert (node.having.field, node.having.value) == ("contract_value", "50000")


def test_what_is_looked_up_is_asked_of_the_text_where_no_cell_states_it() -> None:
    reading = contracts("list", largest(), where=["governing_law = $s1"])
    (hop,) = (each for each in plan_of(reading).nodes if isinstance(each, Hop))
    assert hop.template == "What is the governing law of {titles}?"


def test_a_value_is_looked_up_once() -> None:
    reading = contracts("list", largest(), where=["|1 governing_law = $s1", "|1 not governing_law = $s1"])
    assert sum(isinstance(each, Hop) for each in plan_of(reading).nodes) == 1


def _in_hand(reading: Reading) -> Plan:
    return plan_of(reading)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (contracts("list", where=["insurance is present"]), f"{INSURED} -> count()"),
        (contracts("count", where=["insurance is present"]), f"{INSURED} -> count()"),
        (contracts("group", by=["vendor"], where=["insurance is present"]), f"{INSURED} -> count()"),
    ],
    ids=["list", "count", "group"],
)
def test_a_set_in_hand_is_gone_on_from(hand: Reading, expected: str) -> None:
    assert line_of(read("count", within=["set"]), in_hand=_in_hand(hand)) == expected


def test_nodes_in_hand_keep_their_names() -> None:
    hand = _in_hand(contracts("list", where=["insurance is present"]))
    renamed = hand.model_copy(
        update={"nodes": (hand.nodes[0].model_copy(update={"id": "select-2"}),), "answer_node": "select-2"}
    )
    plan = plan_of(contracts("list", within=["set"], where=["governing_law = Texas"]), in_hand=renamed)
    assert [each.id for each in plan.nodes] == ["select-2", "select-3"]
    assert plan.nodes[1].inputs == ("select-2",)


def test_documents_in_hand_are_taken_where_their_plan_has_no_set() -> None:
    compared = _in_hand(counted("values", "Texas", "Germany"))
    reading = read("list", within=["set"], where=["governing_law = Texas"])
    plan = plan_of(reading, in_hand=compared, members=("d01", "d02"))
    assert in_a_line(plan) == "contracts in d01,d02[] -> contracts[governing_law = Texas]"
    assert isinstance(plan.nodes[1], Select)
    assert plan.nodes[1].inputs == ("select-1",)


def test_an_unknown_name_is_told_as_such() -> None:
    with pytest.raises(UnknownNameError):
        plan_of(contracts("lookup", names=["document Zorblax"], asked=["vendor"]))


def test_two_documents_that_fit_a_name_as_well_are_asked_about() -> None:
    with pytest.raises(AskBackError):
        plan_of(
            read("lookup", names=["document Solis module"], asked=["power"], kind="datasheets"), COLLECTION
        )


def test_there_are_sixty_lines_at_least() -> None:
    assert len(DOCUMENTS) + len(ROWS) >= 60
