from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.fields import (
    Candidate,
    CellStatus,
    Clause,
    Extraction,
    FieldType,
    Financial,
    Finding,
    PartyRow,
    ReviewAction,
    Special,
    Summary,
    SummaryKind,
)
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixQuery
from core.domain.predicate import Predicate
from core.errors import NotFoundError, UsageError
from core.store.backup import backup, restore
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.databases import on_sqlite
from tests.support.stated_values import (
    ALL,
    absent,
    day,
    money,
    present,
    put,
    quote,
    row,
    special,
    text,
    uncertain,
    unreadable,
)
from tests.support.versions import new_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = "This Agreement is governed by the laws of Delaware. The fee is USD 1,250.00."
NOBODY = Visibility(frozenset())
LEGAL = Visibility(frozenset({"legal"}))


def test_what_was_put_is_read_back_whole(records: Records) -> None:
    law = present(text("Delaware", FieldType.PARTY, "delaware"), spans=(quote(PAGE, "Delaware"),))
    fee = uncertain(0.4, money("1250.00"), quote(PAGE, "USD 1,250.00"))
    term = present(special(FieldType.DATE, Special.PERPETUAL))
    document = put(records, page=PAGE, law=law, fee=fee, term=term, penalty=absent())
    found = {cell.field: cell for cell in records.fields.cells(ALL)}
    expected = {"law": law, "fee": fee, "term": term, "penalty": absent()}
    assert {name: cell.finding for name, cell in found.items()} == expected
    cell = records.fields.cell(document, "law", ALL)
    assert cell == found["law"]
    assert (cell.version, cell.review, cell.extracted, cell.event) == (1, None, law, 0)


def test_a_cell_that_was_never_extracted_is_uncertain_and_empty(records: Records) -> None:
    document = put(records)
    cell = records.fields.cell(document, "law", ALL)
    assert (cell.finding.status, cell.finding.candidates) == (CellStatus.UNCERTAIN, ())
    with pytest.raises(NotFoundError):
        records.fields.cell(DocumentId("none"), "law", ALL)


def test_putting_again_replaces_cells_rows_and_facts(records: Records) -> None:
    document = put(records, law=present(text("Delaware")), rows=(row(0, 0, item="Pen"),))
    before = records.changes.data_version()
    put(records, law=present(text("Texas")), rows=(row(0, 0, item="Ink"),))
    (cell,) = records.fields.cells(ALL)
    assert cell.finding.values[0].text == "Texas"
    assert [each.cells[0].value.text for each in records.fields.rows(document, ALL)] == ["Ink"]
    assert records.changes.data_version() > before
    assert records.changes.of_facts_since(before).documents == {document}


def test_a_field_that_is_no_longer_looked_for_keeps_its_cell(records: Records) -> None:
    document = put(records, law=present(text("Delaware")), fee=absent())
    put(records, fee=absent())
    assert records.fields.cell(document, "law", ALL).finding.values[0].text == "Delaware"


def test_some_fields_can_be_put_without_touching_the_rest(records: Records) -> None:
    document = put(records, law=present(text("Delaware")), rows=(row(0, 0, item="Pen"),))
    extraction = Extraction("contracts", {"law": absent(), "fee": absent()})
    records.fields.put(document, 1, extraction, "f2", fields=["fee"])
    statuses = {cell.field: cell.finding.status for cell in records.fields.cells(ALL)}
    assert statuses == {"law": CellStatus.PRESENT, "fee": CellStatus.ABSENT}
    assert records.fields.rows(document, ALL)
    assert records.fields.lacking("b", "f2") == []


def test_a_version_that_is_not_current_any_more_is_not_put(records: Records) -> None:
    document = put(records, law=present(text("Delaware")))
    records.documents.publish(new_version(text="Second text."))
    assert not records.fields.put(document, 1, Extraction("contracts", {"law": absent()}), "f1")
    assert not records.fields.put(DocumentId("none"), 1, Extraction("contracts", {}), "f1")
    assert records.fields.cell(document, "law", ALL).finding.status is CellStatus.PRESENT


def test_documents_lack_what_was_extracted_of_another_version_or_otherwise(records: Records) -> None:
    one, two = put(records, "1"), put(records, "2", fingerprint="old")
    three = records.documents.publish(new_version("3")).document
    records.documents.record_failure("b", "4", "broken")
    assert records.fields.lacking("b", "f1") == sorted([two, three])
    records.documents.publish(new_version("1", text="Second text."))
    assert records.fields.lacking(None, "f1") == sorted([one, two, three])
    assert records.fields.lacking("other", "f1") == []
    assert (records.fields.extracted_version(one), records.fields.extracted_version(three)) == (1, None)


def test_removing_a_document_removes_all_that_it_states(records: Records) -> None:
    document = put(records, law=present(text("Delaware")), rows=(row(0, 0, item="Pen"),))
    records.documents.remove([document])
    assert list(records.fields.cells(ALL)) == []
    assert records.annotations.names(ALL, None) == {}


def test_who_may_not_see_a_document_sees_nothing_that_it_states(records: Records) -> None:
    clause = Clause("law", "Law", quote(PAGE, "Delaware"), ())
    findings = {"law": present(text("Delaware")), "fee": uncertain()}
    document = put(records, "1", PAGE, acl=("legal",), rows=(row(0, 0, item="Pen"),), **findings)
    extraction = Extraction("contracts", findings, clauses=(clause,))
    records.fields.put(document, 1, extraction, "f1")
    for visible, count in ((ALL, 1), (LEGAL, 1), (NOBODY, 0)):
        assert len(list(records.fields.cells(visible, fields=["law"]))) == count
        page = records.fields.matrix_page(visible, MatrixQuery("b", fields=("law",)))
        assert (page.total, len(page.rows)) == (count, count)
        assert len(records.fields.counts(visible, "b")) == 2 * count
        assert len(records.fields.worklist(visible, "b")) == count
        assert len(records.facts.of(Clause, visible)) == count
    with pytest.raises(NotFoundError):
        records.fields.cell(document, "law", NOBODY)


def test_facts_are_read_back_with_the_version_that_states_them(records: Records) -> None:
    document = put(records, page=PAGE)
    where = quote(PAGE, "USD 1,250.00")
    clause = Clause("fee", "Fees", where, ("2", "Fees"), ("if due",), 0.9)
    party = PartyRow("Acme Inc.", "acme", where, "buyer", "inc", "Delaware", (("lei", "5493"),))
    financial = Financial("fee", money("1250.00"), where, "2024-01-01", "", "monthly", 2024, None)
    summary = Summary(SummaryKind.LEGAL, (where,), ("Acme",), (where,))
    extraction = Extraction(
        "contracts", {}, (), (clause,), (party,), (financial,), (summary,), "master", ("a note",)
    )
    records.fields.put(document, 1, extraction, "f1")
    (stated,) = records.facts.of(Clause, ALL, documents=[document])
    assert (stated.document, stated.version, stated.fact) == (document, 1, clause)
    assert [each.fact for each in records.facts.of(PartyRow, ALL, bucket="b")] == [party]
    (found,) = records.facts.of(Financial, ALL, documents=[document])
    assert found.fact.value.amount == financial.value.amount
    assert [each.fact for each in records.facts.of(Summary, ALL)] == [summary]
    assert records.facts.family(document, ALL) == "master"
    assert records.facts.notes(document, ALL) == ("a note",)
    assert records.facts.of(Clause, ALL, bucket="other") == []


def test_the_matrix_is_sorted_by_value_with_empty_cells_last(records: Records) -> None:
    put(records, "1", fee=present(money("20")))
    put(records, "2", fee=absent())
    put(records, "3", fee=present(money("100")))
    put(records, "4", fee=uncertain())
    put(records, "5", fee=present(money("3")))

    def order(**options: object) -> str:
        page = records.fields.matrix_page(ALL, MatrixQuery("b", "contracts", ("fee",), **options))  # type: ignore[arg-type]
        return "".join(each.document.source for each in page.rows)

    assert order(order_field="fee") == "51342"
    assert order(order_field="fee", descending=True) == "31542"
    assert order(order_field="fee@status", descending=True)[:2] == "24"
    assert order(descending=True) == "54321"
    assert order(order_field="@source", offset=1, limit=2) == "23"
    assert order(where=(Predicate("fee", "is", "uncertain"),)) == "4"
    assert order(where=(Predicate("fee", ">=", "20 USD"),), order_field="fee") == "13"
    assert order(text="OF 2") == "2"
    with pytest.raises(UsageError, match="ordered"):
        order(order_field="@nothing")


def test_a_page_of_the_matrix_counts_all_rows_and_holds_the_fields_asked_for(records: Records) -> None:
    put(records, "1", fee=present(money("20")), law=absent())
    put(records, "2")
    page = records.fields.matrix_page(ALL, MatrixQuery("b", fields=("fee", "other"), limit=1))
    assert page.total == 2
    assert [list(each.cells) for each in page.rows] == [["fee"]]
    other = records.fields.matrix_page(ALL, MatrixQuery("b", "invoices", ("fee",)))
    assert other.total == 0


def test_the_order_of_rows_is_kept_for_a_view_until_something_changes(records: Records) -> None:
    put(records, "1", fee=present(money("20")))
    put(records, "2", fee=present(money("30")), acl=("legal",))

    def order(visible: Visibility = ALL) -> str:
        page = records.fields.matrix_page(visible, MatrixQuery("b", fields=("fee",), order_field="fee"))
        return "".join(each.document.source for each in page.rows)

    assert (order(), order(), order(NOBODY), order(LEGAL)) == ("12", "12", "1", "12")
    third = put(records, "3", fee=present(money("25")))
    assert order() == "132"
    records.reviews.review(third, "fee", ReviewAction.CORRECT, "ann", NOW, money("5"), visible=ALL)
    assert order() == "312"
    records.documents.remove([third])
    assert order() == "12"


def test_cells_are_counted_by_status(records: Records) -> None:
    put(records, "1", fee=present(money("20")), law=absent())
    put(records, "2", fee=uncertain(), law=absent())
    put(records, "3", fee=unreadable())
    counts = records.fields.counts(ALL, "b")
    assert counts["fee"].statuses == {
        CellStatus.PRESENT: 1,
        CellStatus.UNCERTAIN: 1,
        CellStatus.UNREADABLE: 1,
    }
    law = counts["law"]  # of the third document it was never read
    assert (law.total, law.pending, law.reviewed, law.check_again) == (3, 1, 0, 0)
    assert law.statuses == {CellStatus.ABSENT: 2, CellStatus.UNCERTAIN: 1}
    assert list(records.fields.counts(ALL, None, ["law"])) == ["law"]


def test_the_work_list_begins_with_what_is_closest_to_even_odds(records: Records) -> None:
    put(records, "1", fee=uncertain(0.2), law=uncertain(0.45))
    put(records, "2", fee=uncertain(0.6), law=present(text("Texas")))
    items = records.fields.worklist(ALL, "b")
    assert [(each.field, each.probability) for each in items] == [("law", 0.45), ("fee", 0.6), ("fee", 0.2)]
    assert len(records.fields.worklist(ALL, "b", ["fee"], limit=1)) == 1
    assert records.fields.worklist(ALL, "other") == []


def test_the_work_list_asks_early_where_a_document_states_two_different_values(records: Records) -> None:
    def stated(*amounts: str) -> Finding:
        found = tuple(Candidate(money(each), (), 0.9, "pattern") for each in amounts)
        return Finding(CellStatus.UNCERTAIN, confidence=0.5, method="pattern", candidates=found)

    put(records, "1", fee=stated("5"), cap=stated("5", "5"), rent=stated("5", "7"))
    put(records, "2", fee=uncertain(0.3))
    items = records.fields.worklist(ALL, "b")
    assert [(each.field, each.probability) for each in items[:2]] == [("rent", 0.5), ("fee", 0.3)]
    assert {(each.field, each.probability) for each in items[2:]} == {("fee", 0.9), ("cap", 0.9)}


def test_cells_to_check_again_come_first_and_in_one_order_whatever_the_limit(
    records: Records,
) -> None:
    documents = [put(records, f"{number}", PAGE, law=uncertain(), fee=uncertain()) for number in range(3)]
    for document in documents[1:]:
        for field in ("law", "fee"):
            value, span = text("Delaware"), quote(PAGE, "Delaware")
            records.reviews.review(
                DocumentId(document), field, ReviewAction.CORRECT, "ann", NOW, value, [span], visible=ALL
            )
    for number in (1, 2):
        put(records, f"{number}", "Nothing of it.", law=uncertain(), fee=uncertain())

    items = records.fields.worklist(ALL, "b")

    assert [each.check_again for each in items] == [True] * 4 + [False] * 2
    order = [(each.document, each.field) for each in items]
    assert order[:4] == sorted(order[:4])
    for limit in range(1, 7):
        assert records.fields.worklist(ALL, "b", limit=limit) == items[:limit]


def test_amounts_beyond_what_the_database_can_hold_are_kept_but_not_computed_with(records: Records) -> None:
    huge = present(money("9" * 30))
    put(records, "1", fee=huge)
    put(records, "2", fee=present(money("5")))
    assert next(iter(records.fields.cells(ALL, fields=["fee"]))).finding.values[0].type is FieldType.MONEY
    assert huge in [cell.finding for cell in records.fields.cells(ALL)]
    result = records.annotations.aggregate(ALL, "b", (), (), "sum", "fee")
    assert (str(result.groups[0].value), result.excluded[0].reason) == ("5", "too large")


@on_sqlite
def test_a_restored_home_holds_cells_reviews_and_facts(
    records: Records, settings: Settings, tmp_path: Path
) -> None:

    document = put(records, law=present(text("Delaware")), end=present(day("2024-01-31")))
    records.reviews.review(document, "law", ReviewAction.ABSENT, "ann", NOW, visible=ALL)
    backup(records, settings.home, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "new")
    with Records.open(Settings(home=tmp_path / "new")) as copy:
        assert list(copy.fields.cells(ALL)) == list(records.fields.cells(ALL))
        assert copy.reviews.history(document, "law", ALL) == records.reviews.history(document, "law", ALL)


def test_an_opening_stands_at_once_and_leaves_the_document_lacking_the_rest(records: Records) -> None:
    document = records.documents.publish(new_version()).document
    opening = Extraction("leases", {"tenant": Finding(CellStatus.ABSENT, confidence=0.9, method="rule")})

    assert records.fields.put(document, 1, opening, "now", is_opening=True)

    assert records.fields.cell(document, "tenant", ALL).finding.status is CellStatus.ABSENT
    assert records.fields.lacking(None, "now") == [document]
    assert records.fields.unread(ALL, [document]) == {document}
    assert not records.fields.is_read(document)
    kept = records.fields.opening(document, "now")
    assert kept is not None
    assert (kept.schema, kept.findings) == ("leases", opening.findings)
    assert records.fields.opening(document, "later") is None


def test_an_opening_never_takes_the_place_of_all_that_was_read(records: Records) -> None:
    document = records.documents.publish(new_version()).document
    whole = Extraction(
        "leases", {"tenant": Finding(CellStatus.UNCERTAIN), "rent": Finding(CellStatus.ABSENT)}
    )
    records.fields.put(document, 1, whole, "now")

    late = Extraction("leases", {"tenant": Finding(CellStatus.ABSENT)})

    assert not records.fields.put(document, 1, late, "now", is_opening=True)
    assert records.fields.cell(document, "tenant", ALL).finding.status is CellStatus.UNCERTAIN
    assert records.fields.lacking(None, "now") == []
    assert records.fields.unread(ALL, [document]) == frozenset()
