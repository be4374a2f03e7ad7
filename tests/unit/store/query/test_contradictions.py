from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.config.schema_store import shipped_schemas
from core.domain.certainty.contradiction import ValueContradiction
from core.domain.fields import Extraction, FieldType, Finding
from core.store.database.visibility import Visibility
from core.store.query import contradictions
from core.store.store import Records
from tests.support.stated_values import ALL, day, money, number, present, row, text, uncertain
from tests.support.versions import new_version

PARTIES = present(text("ACME", FieldType.PARTY), text("Delta", FieldType.PARTY))
LEASE = {"parties": PARTIES, "document_name": present(text("Lease"))}
BILL = {
    "vendor": present(text("ACME", FieldType.PARTY)),
    "invoice_number": present(text("A-1")),
    "document_kind": present(text("invoice", FieldType.ENUM)),
}


def put(
    records: Records,
    source: str,
    schema: str,
    findings: Mapping[str, Finding],
    *rows: object,
    acl: tuple[str, ...] = (),
    family: str = "",
) -> None:
    new = new_version(source, f"First text. {source}", acl=acl, passages=0)
    made = records.documents.publish(new)
    extraction = Extraction(schema, dict(findings), rows, family=family)  # type: ignore[arg-type]
    records.fields.put(made.document, made.version, extraction, "f")


def find(records: Records, visible: Visibility = ALL) -> list[tuple[str, str, list[str]]]:
    return [said(each) for each in records.contradictions.find(visible, SCHEMAS).contradictions]


def said(each: ValueContradiction) -> tuple[str, str, list[str]]:
    return each.state.value, each.about, [side.value.text for side in each.sides]


SCHEMAS = tuple(shipped_schemas().values())


def test_documents_of_one_thing_contradict_one_another_and_others_do_not(records: Records) -> None:
    put(records, "a", "invoices", {**BILL, "total": present(money("10"))})
    put(records, "b", "invoices", {**BILL, "total": present(money("12"))})
    put(
        records,
        "c",
        "invoices",
        {**BILL, "invoice_number": present(text("A-2")), "total": present(money("9"))},
    )
    kind = present(text("credit_note", FieldType.ENUM))
    put(records, "d", "invoices", {**BILL, "document_kind": kind, "total": present(money("3"))})

    assert find(records) == [("open", "total", ["10", "12"])]


def test_an_amendment_resolves_by_its_date_for_who_may_see_it(records: Records) -> None:
    ends = {"expiration_date": present(day("2030-01-01")), "agreement_date": present(day("2024-01-01"))}
    later = {"expiration_date": present(day("2031-01-01")), "agreement_date": present(day("2025-01-01"))}
    put(records, "a", "contracts", LEASE | ends)
    put(records, "b", "contracts", LEASE | ends | {"expiration_date": present(day("2029-01-01"))}, acl=("g",))
    put(records, "c", "contracts", {"parties": PARTIES, **later}, acl=("boss",), family="lease")

    sides = ["2029-01-01", "2030-01-01"]
    assert [(state, sorted(of)) for state, _, of in find(records, Visibility(frozenset({"g"})))] == [
        ("open", sides)
    ]
    assert find(records, Visibility(frozenset())) == []
    [found] = records.contradictions.find(ALL, SCHEMAS).contradictions
    assert found.resolution.endswith("of 2025-01-01")
    assert found.sides[-1].value.text == "2031-01-01"


def test_a_guess_makes_a_contradiction_possible_also_where_it_tells_the_subject(records: Records) -> None:
    put(records, "a", "invoices", {**BILL, "total": present(money("10")), "tax": present(money("1"))})
    put(records, "b", "invoices", {**BILL, "total": uncertain(0.8, money("12")), "tax": present(money("1"))})
    assert find(records) == [("possible", "total", ["10", "12"])]

    put(
        records,
        "c",
        "invoices",
        BILL | {"vendor": uncertain(0.9, text("ACME", FieldType.PARTY)), "tax": present(money("7"))},
    )
    assert ("possible", "tax", ["1", "7"]) in find(records)


def test_labelled_lines_and_rows_of_tables_are_held_against_cells_and_one_another(records: Records) -> None:
    lines = (row(-1, 0, product="XR-5", weight=number("14", "kg")),)
    put(
        records,
        "sheet",
        "datasheets",
        {"model": present(text("XR-5")), "weight": present(number("12", "kg"))},
    )
    put(records, "manual", "generic", {}, *lines)
    put(records, "list", "generic", {}, row(0, 0, tag="T1", place=text("Hall"), price=money("5")))
    put(
        records,
        "other",
        "generic",
        {},
        row(0, 0, tag="T1", place=text("Hall"), price=money("6")),
        row(0, 1, tag="T2", place="Yard", price="9"),
    )
    pairs = (
        row(0, 0, item="Noise", value=number("60", "dB")),
        row(1, 0, item="Noise", value=number("70", "dB")),
    )
    put(records, "within", "generic", {}, *pairs)

    assert sorted(find(records)) == [
        ("open", "noise", ["60", "70"]),
        ("open", "price", ["5", "6"]),
        ("open", "weight", ["14", "12"]),
    ]


def test_lists_of_other_years_are_no_contradiction(records: Records) -> None:
    for year, price in (("2021", "5"), ("2024", "6")):
        put(
            records,
            f"prices {year}.csv",
            "generic",
            {},
            row(0, 0, tag="T1", place="Hall", price=money(price)),
        )

    assert find(records) == []


def test_a_report_that_is_too_long_says_so(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    put(records, "a", "invoices", {**BILL, "total": present(money("10")), "tax": present(money("1"))})
    put(records, "b", "invoices", {**BILL, "total": present(money("12")), "tax": present(money("2"))})
    monkeypatch.setattr(contradictions, "MOST_CONTRADICTIONS", 1)
    report = records.contradictions.find(ALL, SCHEMAS)

    assert (len(report.contradictions), report.is_whole) == (1, False)
