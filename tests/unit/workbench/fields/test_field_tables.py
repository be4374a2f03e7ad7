"""Fields of documents asked by SQL beside a dataset: rows, citations, the unknown, access, freshness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, Quote, TypedValue
from core.domain.ids import ContentHash, DocumentId
from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import RefusedError
from core.plan.readers.model.catalogue_text import catalogue_prompt
from core.store.base import NewVersion
from core.store.store import Records
from core.values.names import normal_name
from core.workbench import Workbench
from tests.support.roles import MAY_ASK

BOB = Principal("bob", MAY_ASK | {"compliance_officer"})
EVE = Principal("eve", MAY_ASK)
JOIN = """SELECT f.document, s.since FROM fields_contracts f
JOIN sanctions s ON name_key(f.vendor) = name_key(s.name) ORDER BY 1"""
SANCTIONS = "Name,Since,Class\nAcme Corporation,2021-03-04,5\nZeta AG,2022-01-01,7\nYork Ltd,2023-01-01,9\n"


def _put(
    records: Records,
    name: str,
    vendor: str,
    fee: str = "",
    parties: tuple[str, ...] = (),
    acl: tuple[str, ...] | None = None,
) -> DocumentId:
    text = f"Supply contract {name}\nVendor: {vendor}\nParties: {', '.join(parties)}\nFee: {fee}"

    def present(*values: TypedValue) -> Finding:
        starts = [text.rindex(each.original) for each in values]
        spans = (PageSpan(1, at, at + len(each.original)) for at, each in zip(starts, values, strict=True))
        quotes = tuple(Quote(span, each.original) for span, each in zip(spans, values, strict=True))
        return Finding(CellStatus.PRESENT, values, quotes, 1.0, "pattern")

    def party(words: str) -> TypedValue:
        return TypedValue(FieldType.PARTY, words, None, "", words, normal_name(words))

    absent = Finding(CellStatus.ABSENT, confidence=1.0)
    findings = {
        "vendor": present(party(vendor)) if vendor else Finding(CellStatus.UNCERTAIN),
        "parties": present(*map(party, parties)) if parties else absent,
        "arbitration": absent,
    }
    if fee:
        unit, amount = fee.split()
        money = TypedValue(FieldType.MONEY, amount, int(amount) * 10_000, unit, fee)
        findings["annual_fee"] = present(money)
    parsed = ParsedDocument(name, "text/plain", (Page(1, text),), "en")
    digest = ContentHash(f"{ord(name):064x}")
    version = NewVersion("contracts", f"{name}.txt", parsed, digest, len(text), acl=acl)
    made = records.documents.publish(version)
    records.fields.put(made.document, made.version, Extraction("contracts", findings), "test")
    return made.document


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home = tmp_path_factory.mktemp("home")
    with Records.open(Settings(home=home)) as records:
        _put(records, "A", "ACME Corp.", fee="EUR 10", parties=("ACME Corp.", "Beta GmbH"))
        _put(records, "B", "Other Ltd", fee="USD 20")
        _put(records, "C", "")
        _put(records, "H", "Zeta AG", acl=("board",))
    file = Path(home) / "sanctions.csv"
    file.write_text(SANCTIONS, "utf-8")
    with Workbench.open(home=home) as bench:
        bench.local.datasets.register([file])
        yield bench


def test_names_meet_and_rows_lead_to_words_of_both(bench: Workbench) -> None:
    answer = bench.local.plans.run(bench.local.datasets.plan(JOIN, "Sanctioned vendors"))
    quotes = [[each.quote for each in claim.citations] for claim in answer.claims if claim.citations]
    assert quotes == [
        ["ACME Corp.", "Acme Corporation | 2021-03-04 | 5"],
        ["Zeta AG", "Zeta AG | 2022-01-01 | 7"],
    ]
    assert any("1 of 4 documents has no decided value of 'vendor'" in each for each in answer.gaps)
    assert any("name_key" in each for each in answer.gaps)


def test_who_may_not_see_a_document_finds_nothing_of_it(bench: Workbench) -> None:
    found = bench.for_principal(BOB).datasets.query(JOIN)
    assert [row[0] for row in found.rows] == ["A"]
    assert [each.quote for each in found.sources] == ["ACME Corp.", ""]
    assert "1 of 3 documents" in found.notes[0]
    counted = bench.for_principal(BOB).datasets.query("SELECT count(*) FROM fields_contracts")
    assert counted.rows == (("3",),)


def test_what_is_missing_or_adds_up_money_takes_the_role_for_it(bench: Workbench) -> None:
    with pytest.raises(RefusedError, match="compliance_officer"):
        bench.for_principal(EVE).datasets.query(JOIN)
    with pytest.raises(RefusedError, match="finance_read"):
        bench.for_principal(BOB).datasets.query("SELECT annual_fee FROM fields_contracts")


def test_absent_and_unknown_are_told_apart_and_money_keeps_its_currency(bench: Workbench) -> None:
    query = bench.local.datasets.query
    found = query(
        "SELECT document, vendor_status, arbitration, annual_fee, annual_fee_currency, annual_fee_status "
        "FROM fields_contracts WHERE bucket = 'contracts' ORDER BY 1"
    )
    assert found.rows == (
        ("A", "present", False, "10.00", "EUR", "present"),
        ("B", "present", False, "20.00", "USD", "present"),
        ("C", "uncertain", False, None, None, "unread"),
        ("H", "present", False, None, None, "unread"),
    )
    with pytest.raises(RefusedError, match="several currencies"):
        query("SELECT sum(annual_fee) FROM fields_contracts")
    assert query("SELECT parties FROM fields_contracts WHERE parties IS NOT NULL").rows == (
        ("ACME Corp.; Beta GmbH",),
    )
    values = query("SELECT document, parties, parties_status FROM fields_contracts_parties ORDER BY 1, 2")
    assert values.rows[:3] == (
        ("A", "ACME Corp.", "present"),
        ("A", "Beta GmbH", "present"),
        ("B", None, "absent"),
    )


def test_a_table_of_fields_is_listed_and_told_to_models(bench: Workbench) -> None:
    tables = {each.table for each in bench.local.datasets.of_documents()}
    assert {"fields_contracts", "fields_contracts_parties"} <= tables
    catalogue = bench.local.datasets._catalogue
    told = catalogue_prompt(catalogue, "contracts whose vendor is on the sanctions list")
    assert "the 4 documents of kind contracts: document" in told.text
    assert ("fields:contracts|0",) in told.tables.values()


def test_what_changes_is_there_at_the_next_question_and_written_once(bench: Workbench) -> None:
    count = "SELECT count(*) FROM fields_contracts WHERE vendor = 'Omega Inc'"
    folder = Path(bench.local.settings.status().home) / "tables"
    assert bench.local.datasets.query(count).rows == (("0",),)
    before = sorted(folder.glob("fields-*.parquet"))
    bench.local.datasets.query(count)
    assert sorted(folder.glob("fields-*.parquet")) == before
    with Records.open(Settings(home=folder.parent)) as records:
        _put(records, "N", "Omega Inc")
    assert bench.local.datasets.query(count).rows == (("1",),)
