"""What reviews may put into cells, by the calls that reviews come in by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.fields import FieldDefinition
from core.config.load import load_settings
from core.domain.document import PDF, Page, PageSize
from core.domain.fields import Candidate, Extraction, FieldType, Special, TypedValue
from core.domain.ids import DocumentId
from core.errors import ConflictError, GroundworkError, NotFoundError, SettingsError, UsageError
from core.workbench import Workbench
from tests.support.files import pdf
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.stated_values import day, money, number, present, put, quote, special, text, uncertain
from tests.support.versions import new_version

PAGE = "The fee is $5,000 from March 5, 2024. Law of Texas."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verdicts")


@pytest.fixture
def bench(home: Path) -> Iterator[Workbench]:
    parts = PartsWith(load_settings(home), HashedEncoder())
    with Workbench(parts) as opened:
        if opened.local.schemas.list()[0].field("fee") is None:
            for name, kind, many in (
                ("fee", "money", False),
                ("size", "number", False),
                ("law", "text", True),
            ):
                opened.local.schemas.add_field(
                    "contracts", FieldDefinition(name=name, title=name, type=FieldType(kind), many=many)
                )
        yield opened


@pytest.fixture
def document(bench: Workbench) -> DocumentId:
    records = bench._parts.records
    return DocumentId(put(records, "a.txt", PAGE, fee=uncertain(), end=present(day("2024-03-05"))))


@pytest.mark.parametrize(
    ("field", "given", "why"),
    [
        ("no_such_field", "5", "no field 'no_such_field'"),
        ("fee'; DROP TABLE field_cells; --", "5", "There is no field"),
        ("fee\0", "5", "There is no field"),
        ("\ud800", "5", "There is no field"),
        ("x" * 100_000, "5", r"There is no field 'x{60}'\.\.\."),
        ("fee", "banana", "is no money"),
        ("fee", day("2024-03-05"), "it is a date"),
        ("fee", TypedValue(FieldType.DATE, "banana"), "it is a date"),
        ("effective_date", TypedValue(FieldType.DATE, "banana", 5), "differ"),
        ("effective_date", special(FieldType.DATE, Special.AMBIGUOUS), "can be read as"),
        ("fee", TypedValue(FieldType.MONEY, str(10**30), 10**34, "USD"), "too large"),
        ("fee", TypedValue(FieldType.MONEY, "5", 7, "USD"), "differ"),
        ("fee", TypedValue(FieldType.MONEY, "5", None, "USD"), "missing"),
        ("fee", [money("5"), money("6")], "takes one value, not 2"),
        ("law", "half a pair \ud800", "is no text"),
        ("law", TypedValue(FieldType.TEXT, "half a pair \ud800"), "cannot be kept"),
        ("law", text("x" * 3_000), "longer than 2,000"),
        ("law", text(" "), "empty"),
        ("size", TypedValue(FieldType.NUMBER, "NaN", 5), "differ"),
    ],
)
def test_what_a_field_does_not_take_is_refused_and_changes_nothing(
    bench: Workbench, document: DocumentId, field: str, given: object, why: str
) -> None:
    for action in ("correct", "confirm"):
        with pytest.raises(UsageError, match=why) as refused:
            bench.local.matrix.review(document, field, action, value=given)  # type: ignore[arg-type]
        assert len(refused.value.message) < 500

    assert bench.local.matrix.cell(document, "fee").review is None
    assert not bench.local.matrix.history(document, "fee")


def test_readings_that_tie_are_chosen_and_not_confirmed(bench: Workbench) -> None:
    records = bench._parts.records
    alike = replace(
        uncertain(0.6, money("5")),
        candidates=tuple(Candidate(money(each), (), 0.6, "rule") for each in ("5", "6")),
    )
    several = replace(
        alike, candidates=tuple(Candidate(text(each), (), 0.6, "rule") for each in ("Texas", "Ohio"))
    )
    tie = DocumentId(put(records, "tie.txt", PAGE, fee=alike, law=several))

    with pytest.raises(
        UsageError, match="2 readings of the field 'fee' are equally likely: 'USD 5', 'USD 6'"
    ):
        bench.local.matrix.review(tie, "fee", "confirm")
    chosen = bench.local.matrix.decide(tie, "fee", "confirm", candidates=[1], saw="USD 6").cell
    both = bench.local.matrix.decide(tie, "law", "confirm", candidates=[0, 1], saw="Texas; Ohio").cell

    assert [value.text for value in chosen.finding.values] == ["6"]
    assert [value.text for value in both.finding.values] == ["Texas", "Ohio"]


def test_a_verdict_on_what_the_cell_says_no_more_is_a_conflict(bench: Workbench) -> None:
    records = bench._parts.records
    document = DocumentId(put(records, "moved.txt", PAGE, fee=uncertain(0.6, money("5"))))

    with pytest.raises(ConflictError, match="it says 'USD 5' now, not 'USD 4'"):
        bench.local.matrix.decide(document, "fee", "confirm", candidates=[0], saw="USD 4", expected=0)

    assert bench.local.matrix.cell(document, "fee").review is None


def test_what_it_takes_is_kept(bench: Workbench, document: DocumentId) -> None:
    kept = [
        bench.local.matrix.review(document, "fee", "correct", value="$1,250.50"),
        bench.local.matrix.review(document, "fee", "correct", value=money("7")),
        bench.local.matrix.review(document, "size", "correct", value=number("12.5")),
        bench.local.matrix.review(document, "law", "correct", value=[text("Texas"), text("Ohio")]),
        bench.local.matrix.review(document, "law", "absent"),
    ]

    assert [[value.text for value in cell.finding.values] for cell in kept] == [
        ["1250.50"], ["7"], ["12.5"], ["Texas", "Ohio"], [],
    ]  # fmt: skip


def test_marked_words_alone_are_read_as_the_field_needs_them(bench: Workbench, document: DocumentId) -> None:
    cell = bench.local.matrix.review(document, "fee", "correct", quotes=[quote(PAGE, "$5,000")])
    assert [(value.type, value.text) for value in cell.finding.values] == [(FieldType.MONEY, "5000.00")]
    with pytest.raises(UsageError, match="is no money"):
        bench.local.matrix.review(document, "fee", "correct", quotes=[quote(PAGE, "Texas")])
    clause = bench.local.matrix.review(document, "insurance", "correct", quotes=[quote(PAGE, "Law of Texas")])
    assert [value.text for value in clause.finding.values] == ["true"]


def test_unknown_actions_and_documents_are_named(bench: Workbench, document: DocumentId) -> None:
    with pytest.raises(UsageError, match="Unknown action 'banana'"):
        bench.local.matrix.review(document, "fee", "banana", value="$5")
    with pytest.raises(NotFoundError):
        bench.local.matrix.review(DocumentId("d0"), "no_such_field", "absent")
    with pytest.raises(GroundworkError):
        bench.local.matrix.review(document, "no_such_field", "absent")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"name": "a b", "title": "A", "type": "text"}, "Field 'a b' is wrong at 'name': A name has small"),
        ({"name": "ab", "title": "A", "type": "color"}, "'color' is no type of a field"),
        ({"name": "ab", "type": "text"}, "at 'title'"),
        ({}, "at 'name'"),
    ],
)
def test_a_field_that_is_given_as_keys_and_values_is_refused_plainly(
    bench: Workbench, values: dict[str, str], why: str
) -> None:
    schemas = bench.local.schemas
    for call in (schemas.add_field, schemas.change_field):
        with pytest.raises(SettingsError, match=why):
            call("contracts", values)


def test_a_field_may_be_given_as_keys_and_values(bench: Workbench) -> None:
    bench.local.schemas.add_field("contracts", {"name": "ship", "title": "Ship", "type": "text"})

    schema = next(each for each in bench.local.schemas.list() if each.name == "contracts")
    assert schema.field("ship") == FieldDefinition(name="ship", title="Ship", type=FieldType.TEXT)


def test_a_candidate_without_a_value_is_confirmed_of_a_clause_only(bench: Workbench) -> None:
    records = bench._parts.records
    found = uncertain(0.6, None, quote(PAGE, "$5,000"))
    document = DocumentId(put(records, "open.txt", PAGE, fee=found, exclusivity=found))
    with pytest.raises(UsageError, match="no money to confirm"):
        bench.local.matrix.review(document, "fee", "confirm")
    assert bench.local.matrix.cell(document, "fee").review is None
    assert bench.local.matrix.review(document, "exclusivity", "confirm").finding.values[0].text == "true"


def with_pdf(bench: Workbench, size: PageSize | None) -> DocumentId:
    """A PDF of one page with a fee, and its original."""
    records, data = bench._parts.records, pdf([PAGE])
    new = new_version("a.pdf", PAGE, passages=0, content_hash=records.blobs.put(data), force=True)
    parsed = replace(new.parsed, media_type=PDF, pages=(Page(1, PAGE, size=size),))
    published = records.documents.publish(replace(new, parsed=parsed))
    extraction = Extraction("contracts", {"fee": present(money("5000"))}, ())
    records.fields.put(published.document, published.version, extraction, "f1")
    return published.document


def test_a_verdict_gives_what_is_shown_beside_the_cell_then(bench: Workbench) -> None:
    matrix = bench.local.matrix
    before = with_pdf(bench, None)
    document = with_pdf(bench, PageSize(600.5, 800.25))
    decided = matrix.decide(document, "fee", "confirm")
    after = matrix.decide(document, "fee", "undo")

    assert before == document
    assert (decided.version, decided.document) == (after.version, bench.local.documents.get(document).summary)
    assert (decided.size, decided.cell.finding.method) == (PageSize(600.5, 800.25), "reviewer")
    assert [each.action.value for each in after.history] == ["undo", "confirm"]
    assert (after.cell, list(after.history)) == (
        matrix.cell(document, "fee"),
        matrix.history(document, "fee"),
    )
    assert decided.data_version < after.data_version == bench.data_version()
    assert after == matrix.details(document, "fee")


def test_a_stored_size_is_given_without_a_look_at_the_file_and_only_while_that_is_there(
    bench: Workbench,
) -> None:
    document = with_pdf(bench, PageSize(600.5, 800.25))
    version, path = bench.local.documents.get(document).version, bench.local.documents.original(document).path
    stored = bench.local.documents.page_size(document, None, 1)
    path.unlink()

    assert stored == PageSize(600.5, 800.25)
    assert bench.local.matrix.details(document, "fee").size is None
    assert bench.local.documents.page_size(document, version, 1) is None


def test_a_page_that_was_never_measured_is_measured(bench: Workbench) -> None:
    document = with_pdf(bench, None)
    found = bench.local.documents.page_size(document, None, 1)

    assert bench.local.matrix.details(document, "fee").size is None
    assert found is not None
    assert (found.width_pt, found.height_pt) == pytest.approx((595.3, 841.9), abs=0.1)
