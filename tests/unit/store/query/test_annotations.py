from decimal import Decimal

import pytest

from core.domain.annotation import AggregateResult, AnnotationSource
from core.domain.fields import FieldType, Special
from core.domain.matrix import MatrixQuery
from core.domain.predicate import Predicate, parse_condition
from core.errors import DeadlineError, UsageError
from core.store.database.visibility import Visibility
from core.store.query.conditions import matching
from core.store.query.fact_conditions import FactConditions
from core.store.store import Records
from tests.support.stated_values import (
    ALL,
    absent,
    day,
    days,
    money,
    number,
    present,
    put,
    row,
    special,
    text,
    uncertain,
)

NOBODY = Visibility(frozenset())


def found(records: Records, *conditions: str, visible: Visibility = ALL, **options: object) -> str:
    """The sources of the documents that fulfil the conditions."""
    predicates = [parse_condition(each) for each in conditions]
    hits = records.annotations.search(visible, "b", predicates, 100, **options)  # type: ignore[arg-type]
    return "".join(hit.document.source for hit in hits.hits)


def computed(records: Records, what: str, *conditions: str, by: tuple[str, ...] = ()) -> AggregateResult:
    aggregate, _, field = what.partition(":")
    predicates = [parse_condition(each) for each in conditions]
    return records.annotations.aggregate(ALL, "b", by, predicates, aggregate, field)


def one(result: AggregateResult) -> str:
    (group,) = result.groups
    return f"{group.value} {group.unit}".strip()


@pytest.fixture
def contracts(records: Records) -> Records:
    put(
        records,
        "1",
        law=present(text("Delaware")),
        fee=present(money("100"), money("50.5")),
        end=present(day("2024-03-31")),
        notice=present(days(30)),
        party=present(text("Acme Inc.", FieldType.PARTY, "acme"), text("Bolt", FieldType.PARTY, "bolt")),
    )
    put(
        records,
        "2",
        law=present(text("  New   YORK ")),
        fee=present(money("7", "EUR")),
        end=present(special(FieldType.DATE, Special.PERPETUAL)),
        notice=present(days(60)),
        party=present(text("ACME", FieldType.PARTY, "acme")),
    )
    put(
        records,
        "3",
        law=uncertain(),
        fee=absent(),
        end=present(special(FieldType.DATE, Special.AMBIGUOUS)),
        notice=absent(),
    )
    return records


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("law = delaware", "1"),
        ("law = New York", "2"),
        ("law != delaware", "2"),
        ("law in texas, delaware", "1"),
        ("law contains 'EW Y'", "2"),
        ("law ~ ^(del|x)", "1"),
        ("law < e", "1"),
        ("fee > 60 USD", "1"),
        ("fee > $60", "1"),
        ("fee between 1 EUR and 10 EUR", "2"),
        ("fee = 50.50 USD", "1"),
        ("fee is-missing", "3"),
        ("fee is absent", "3"),
        ("law is uncertain", "3"),
        ("end <= 2024-12-31", "1"),
        ("end = perpetual", "2"),
        ("end in perpetual, 2024-03-31", "12"),
        ("notice >= 2 months", ""),
        ("notice >= 1 month", "2"),
        ("party = Acme", "12"),
        ("party != bolt", "2"),
        ("party contains inc", "1"),
    ],
)
def test_values_are_compared_by_their_type(contracts: Records, condition: str, expected: str) -> None:
    assert found(contracts, condition) == expected


def test_all_conditions_must_hold(contracts: Records) -> None:
    assert found(contracts, "party = acme", "notice > 40 days") == "2"
    assert found(contracts) == "123"


def test_a_search_says_how_many_there_are_and_of_how_many_it_is_not_known(contracts: Records) -> None:
    hits = contracts.annotations.search(ALL, "b", [parse_condition("law != texas")], top_k=1)
    assert (len(hits.hits), hits.total, hits.scope) == (1, 2, 3)
    assert [cell.field for cell in hits.hits[0].cells] == ["law"]
    assert [(each.field, each.reason, each.rows) for each in hits.excluded] == [("law", "uncertain", 1)]


def test_a_value_in_another_currency_does_not_compare(contracts: Records) -> None:
    hits = contracts.annotations.search(ALL, "b", [parse_condition("fee < 1000 GBP")])
    assert hits.total == 0
    assert [(each.reason, each.rows) for each in hits.excluded] == [("EUR", 1), ("USD", 1)]


def test_an_amount_without_a_currency_is_refused_where_there_are_several(contracts: Records) -> None:
    with pytest.raises(UsageError, match=r"USD \(2 rows\), EUR \(1 rows\)"):
        found(contracts, "fee > 5")


def test_an_amount_without_a_currency_is_in_the_one_that_there_is(records: Records) -> None:
    put(records, "1", fee=present(money("7", "EUR")))
    assert found(records, "fee > 5") == "1"
    predicate = Predicate("fee", ">", number("6.5"))
    assert records.annotations.search(ALL, "b", [predicate]).total == 1


@pytest.mark.parametrize(
    "condition",
    ["end > soon", "end = 31/02/2020", "fee > many", "law is lost", "law ~ (", "lw = x", "law ~ (a)\\1"],
)
def test_what_cannot_be_asked_is_refused_with_what_to_do(contracts: Records, condition: str) -> None:
    with pytest.raises(UsageError) as refused:
        found(contracts, condition)
    assert refused.value.next_step


def test_a_pattern_is_stopped_at_its_deadline() -> None:
    times = iter([0.0, 0.5, 3.0])
    with pytest.raises(DeadlineError, match="1,000 values"):
        matching("a", ["b"] * 2_001, clock=lambda: next(times))


def test_a_pattern_over_very_many_values_finds_them_all(records: Records) -> None:
    names = [text(f"Party {number_of}", FieldType.PARTY) for number_of in range(1_200)]
    put(records, "1", party=present(*names))
    put(records, "2", party=present(text("Party 1199", FieldType.PARTY)))
    put(records, "3", party=present(text("Nobody", FieldType.PARTY)))
    assert found(records, "party ~ ^party") == "12"


def test_sums_averages_and_medians_are_exact(records: Records) -> None:
    for at, amount in enumerate(["922337203685477.5807", "922337203685477.5807", "0.0001"]):
        put(records, str(at), fee=present(money(amount)))
    assert one(computed(records, "sum:fee")) == "1844674407370955.1615 USD"
    assert one(computed(records, "median:fee")) == "922337203685477.5807 USD"
    assert one(computed(records, "avg:fee")) == "614891469123651.7205 USD"
    assert one(computed(records, "min:fee")) == "0.0001 USD"
    assert one(computed(records, "distinct:fee")) == "2"
    assert one(computed(records, "count:fee")) == "3"


def test_values_of_a_field_that_takes_many_count_each(contracts: Records) -> None:
    result = computed(contracts, "count:party", by=("party",))
    assert [(group.key, group.rows) for group in result.groups] == [(("ACME",), 2), (("Bolt",), 1)]
    assert one(computed(contracts, "count")) == "3"


def test_a_condition_on_the_field_itself_chooses_among_its_values(contracts: Records) -> None:
    assert one(computed(contracts, "sum:fee", "fee > 60 USD")) == "100 USD"
    assert one(computed(contracts, "sum:fee", "law = delaware")) == "150.5 USD"


def test_mixed_currencies_are_refused_with_how_many_rows_each_has(contracts: Records) -> None:
    with pytest.raises(UsageError, match=r"EUR \(1 value\), USD \(2 values\)") as refused:
        computed(contracts, "sum:fee")
    assert "fee.unit" in refused.value.next_step
    assert one(computed(contracts, "count:fee")) == "3"
    groups = computed(contracts, "sum:fee", by=("fee.unit",)).groups
    assert [(group.key[0], str(group.value), group.unit) for group in groups] == [
        ("EUR", "7", "EUR"),
        ("USD", "150.5", "USD"),
    ]


def test_a_stated_rate_lets_currencies_be_added_and_compared(contracts: Records) -> None:
    rates = {"EUR": Decimal("10")}

    def converted(aggregate: str) -> str:
        result = contracts.annotations.aggregate(ALL, "b", (), (), aggregate, "fee", rates=rates, into="USD")
        assert result.rates == (("EUR", Decimal("10")),)
        assert result.groups[0].documents == 2
        return one(result)

    assert converted("sum") == "220.5 USD"
    assert converted("min") == "50.5 USD"
    assert converted("median") == "70 USD"
    assert converted("avg") == "73.5 USD"
    with pytest.raises(UsageError, match="none for EUR"):
        contracts.annotations.aggregate(ALL, "b", (), (), "sum", "fee", rates={"GBP": Decimal(2)}, into="USD")
    with pytest.raises(UsageError, match="leads to"):
        contracts.annotations.aggregate(ALL, "b", (), (), "sum", "fee", rates=rates)


def test_what_could_not_take_part_is_said_with_its_reason(contracts: Records) -> None:
    put(contracts, "4", law=present(text("Ohio")))
    put(contracts, "5", end=present(special(FieldType.DATE, Special.BLANK)))
    result = computed(contracts, "max:end")
    assert (one(result), result.scope, result.rows) == ("2024-03-31", 5, 1)
    reasons = {each.reason: each.rows for each in result.excluded}
    assert reasons == {"perpetual": 1, "ambiguous": 1, "not extracted": 1, "blank": 1}
    assert one(computed(contracts, "count:end")) == "2"


def test_dates_are_grouped_by_year_and_quarter(records: Records) -> None:
    for at, when in enumerate(["2024-01-31", "2024-12-01", "2025-04-01"]):
        put(records, str(at), end=present(day(when)))
    by_year = computed(records, "count", by=("end.year",)).groups
    assert [(group.key[0], group.rows) for group in by_year] == [("2024", 2), ("2025", 1)]
    by_quarter = computed(records, "count", by=("end.quarter",)).groups
    assert [group.key[0] for group in by_quarter] == ["2024-Q1", "2024-Q4", "2025-Q2"]
    assert computed(records, "count", by=("end.month",)).groups[0].key == ("2024-01",)
    assert one(computed(records, "median:end")) == "2024-12-01"


def test_groups_by_several_fields_are_named_by_all_of_them(contracts: Records) -> None:
    groups = computed(contracts, "count", by=("law", "party")).groups
    keys = [group.key for group in groups]
    assert ("Delaware", "Bolt") in keys
    assert len(keys) == 3


@pytest.mark.parametrize("what", ["sum:law", "avg:end", "sum:end", "sum", "mode:fee", "sum:nothing"])
def test_what_has_no_such_value_is_refused(contracts: Records, what: str) -> None:
    with pytest.raises(UsageError) as refused:
        computed(contracts, what)
    assert refused.value.next_step


def test_least_and_greatest_of_texts_do_not_depend_on_case(records: Records) -> None:
    for at, name in enumerate(["beta", "Alpha", "Zeta", "alpha"]):
        put(records, str(at), law=present(text(name)))
    assert one(computed(records, "min:law")) == "Alpha"
    assert one(computed(records, "max:law")) == "Zeta"


def test_nothing_that_takes_part_gives_no_value_but_the_reasons(records: Records) -> None:
    put(records, "1", fee=absent())
    result = computed(records, "sum:fee")
    assert (result.groups[0].value, result.rows) == (None, 0)
    assert [(each.reason, each.rows) for each in result.excluded] == [("missing", 1)]
    put(records, "2", law=present(text("Texas")))
    assert computed(records, "min:law", "law = ohio").groups[0].value is None


def test_a_new_version_takes_part_only_once_it_is_extracted(contracts: Records) -> None:
    from tests.support.versions import new_version

    contracts.documents.publish(new_version("1", text="Second text.", passages=1))
    assert found(contracts, "law = delaware") == ""
    result = computed(contracts, "count:law")
    assert ("law", "not extracted", 1) in [(each.field, each.reason, each.rows) for each in result.excluded]


def test_what_may_not_be_seen_is_not_computed_with_and_not_counted(contracts: Records) -> None:
    put(contracts, "4", acl=("legal",), law=present(text("Delaware")), fee=present(money("1000")))
    mine = contracts.annotations.aggregate(NOBODY, "b", (), (), "count", "law")
    assert (one(mine), mine.scope) == ("2", 3)
    assert found(contracts, "law = delaware", visible=NOBODY) == "1"
    assert found(contracts, "law = delaware") == "14"
    assert sum(each.rows for each in mine.excluded) == 1


@pytest.fixture
def invoices(records: Records) -> Records:
    rows = (
        row(0, 0, Item="Pen", Unit_price=money("2"), Quantity=number("3")),
        row(0, 1, Item="Ink", Unit_price=money("5"), Quantity="n/a"),
        row(0, 2, Item="Paper", Quantity=number("10")),
        row(1, 0, Remark="none"),
    )
    put(records, "1", rows=rows, vendor=present(text("Acme")))
    put(records, "2", rows=(row(0, 0, item="pen", Unit_price=money("4")),), vendor=present(text("Bolt")))
    put(records, "3", rows=(row(0, 0, item="pen", Unit_price=money("9")),), acl=("legal",))
    return records


def test_rows_of_tables_are_searched_by_column_whatever_its_case(invoices: Records) -> None:
    hits = invoices.annotations.search(ALL, "b", [parse_condition("ITEM = pen")])
    assert (hits.source, hits.total, hits.scope) == (AnnotationSource.ROWS, 3, 5)
    assert [cell.column for cell in hits.hits[0].row.cells] == ["Item", "Unit price", "Quantity"]  # type: ignore[union-attr]
    only = invoices.annotations.search(
        ALL, "b", [parse_condition("item = pen")], document=hits.hits[1].document.id
    )
    assert only.total == 1
    assert found(invoices, "'unit price' is-missing") == "1"
    assert invoices.annotations.search(NOBODY, "b", [parse_condition("item = pen")]).total == 2


def test_rows_of_tables_are_computed_with_by_column(invoices: Records) -> None:
    result = computed(invoices, "sum:unit PRICE", "item contains P", by=("item",))
    assert [(group.key, str(group.value)) for group in result.groups] == [(("Pen",), "15")]
    assert [(each.field, each.reason, each.rows) for each in result.excluded] == [
        ("unit PRICE", "missing", 1)
    ]
    quantity = computed(invoices, "sum:Quantity")
    assert (one(quantity), quantity.excluded[0].reason) == ("13", "not a number")


def test_a_condition_on_rows_may_be_about_their_document(invoices: Records) -> None:
    assert one(computed(invoices, "max:unit price", "vendor = acme")) == "5 USD"
    by_vendor = computed(invoices, "count:item", by=("vendor",)).groups
    assert [(group.key[0], group.rows) for group in by_vendor] == [("Acme", 3), ("Bolt", 1)]


def test_what_is_asked_may_be_chosen(invoices: Records) -> None:
    with pytest.raises(UsageError, match="called 'item'"):
        found(invoices, "item = pen", source=AnnotationSource.CELLS)
    assert found(invoices, "vendor = acme", source=AnnotationSource.CELLS) == "1"
    assert invoices.annotations.names(ALL, "b")["vendor"] is AnnotationSource.CELLS
    assert invoices.annotations.types(ALL, "b", "Unit price", AnnotationSource.ROWS) == [FieldType.MONEY]


@pytest.mark.parametrize(
    ("condition", "sources"),
    [
        ("fee > 99999999999999999999999 USD", ""),
        ("fee >= 99999999999999999999999 USD", ""),
        ("fee = 99999999999999999999999 USD", ""),
        ("fee < 99999999999999999999999 USD", "1"),
        ("fee != 99999999999999999999999 USD", "1"),
        ("fee > -99999999999999999999999 USD", "1"),
        ("fee < -99999999999999999999999 USD", ""),
        ("fee between 1 USD and 99999999999999999999999 USD", "1"),
        ("fee in 99999999999999999999999 USD, 100 USD", "1"),
        ("notice < 99999999999999999999999 days", "12"),
    ],
)
def test_amounts_beyond_all_that_is_stored_compare_too(
    contracts: Records, condition: str, sources: str
) -> None:
    assert found(contracts, condition) == sources
    page = contracts.fields.matrix_page(
        ALL, MatrixQuery("b", fields=("fee",), where=(parse_condition(condition),))
    )
    assert "".join(row.document.source for row in page.rows) == sources


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "=", "!="])
def test_facts_compare_with_any_amount_too(contracts: Records, operator: str) -> None:
    conditions = FactConditions(contracts.database)

    for amount in (f"{'9' * 40} USD", f"-{'9' * 40} USD", "9" * 400):
        assert not conditions.keys(ALL, "financials", [Predicate("amount", operator, amount)])
    with pytest.raises(UsageError, match="greater end comes first"):
        conditions.keys(ALL, "financials", [Predicate("amount", "between", ("9 USD", "1 USD"))])
    with pytest.raises(UsageError, match="needs more values"):
        conditions.keys(ALL, "financials", [Predicate("amount", "between", ("9 USD",))])


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("fee between 100 USD and 1 USD", "greater end comes first"),
        ("end between 2024-12-31 and 2024-01-01", "greater end comes first"),
        ("law between Texas and Alabama", "greater end comes first"),
        ("fee between 1 EUR and 100 USD", "kinds or units differ"),
    ],
)
def test_a_range_that_holds_nothing_is_refused(contracts: Records, condition: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        found(contracts, condition)


def test_a_unit_that_is_missing_is_asked_for_by_one_that_is_there(records: Records) -> None:
    put(records, "1", size=present(number("1")))
    put(records, "2", size=present(number("2")))
    put(records, "3", size=present(number("3", "kg")))

    with pytest.raises(UsageError, match="no unit") as refused:
        found(records, "size > -12")
    assert refused.value.next_step == "Write the unit too, such as '-12 kg'."

    with pytest.raises(UsageError, match="there is none for no unit"):
        records.annotations.aggregate(ALL, "b", (), (), "sum", "size", rates={"kg": Decimal(1)}, into="kg")


def test_a_text_among_days_is_neither_before_nor_after_one(records: Records) -> None:
    put(
        records,
        rows=(
            row(0, 0, project="Falcon", ends=day("2023-05-01")),
            row(0, 1, project="Heron", ends=day("2026-01-15")),
            row(0, 2, project="General", ends=text("postponed")),
        ),
    )
    for condition, project in (("ends > 2024-12-31", "Heron"), ("ends < 2024-12-31", "Falcon")):
        counted = computed(records, "count", condition)
        named = computed(records, "count", condition, f"project = {project}")
        assert (one(counted), one(named)) == ("1", "1")
        assert [each.reason for each in counted.excluded] == ["not a date"]
