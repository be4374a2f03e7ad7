"""Fields end to end: ingest, cells, reviews, schemas, with the real extractor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.fields import FieldDefinition, PatternExtractor
from core.config.load import load_settings
from core.domain.fields import CellStatus, FieldType, ReviewAction
from core.domain.ids import DocumentId
from core.domain.job import JobState
from core.domain.matrix import MatrixQuery
from core.domain.principal import Principal
from core.errors import RefusedError, UsageError
from core.jobs.worker import run
from core.workbench import Workbench
from core.workbench.verdicts import unfound
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK

ANN = Principal("ann", roles=MAY_ASK | {"reviewer"}, groups=frozenset({"legal"}))
BOB = Principal("bob", MAY_ASK)
LEASE = """WAREHOUSE LEASE AGREEMENT

This Lease Agreement is entered into as of March 1, 2024 by and between Mill Road Holdings LLC ("Landlord")
and Orchard Foods Inc. ("Tenant"). The monthly rent is $15,000.

GOVERNING LAW

This Agreement shall be governed by and construed in accordance with the laws of the State of Delaware.
"""
DEPOSIT = FieldDefinition(
    name="deposit",
    title="Deposit",
    type=FieldType.MONEY,
    extractors=(PatternExtractor(patterns=(r"deposit of (\$[\d,]+)",)),),
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """One home with its worker for all tests here: worker and extractor take seconds to start."""
    home = tmp_path_factory.mktemp("fields") / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    handlers = Handlers(parts)
    worker = threading.Thread(target=run, args=(parts.records, home, handlers.make, stop))
    worker.start()
    try:
        with Workbench(parts) as opened:
            while not opened.local.settings.status().worker_alive:
                worker.join(0.05)
            yield opened
            stop.set()
            worker.join()
    finally:
        stop.set()


@pytest.fixture
def lease(bench: Workbench, tmp_path: Path, request: pytest.FixtureRequest) -> DocumentId:
    return add(bench, tmp_path, LEASE, request.node.name)


def add(bench: Workbench, folder: Path, text: str, name: str, acl: tuple[str, ...] = ()) -> DocumentId:
    path = folder / f"{abs(hash(name))}.txt"
    path.write_text(text)
    document = bench.ingest([path], bucket="contracts", acl=acl).items[0].document
    assert document is not None
    return document


def test_after_an_ingest_the_cells_are_there_with_their_exact_words(
    bench: Workbench, lease: DocumentId
) -> None:
    facts = bench.local.documents.facts(lease)

    found = {cell.field: cell for cell in facts.cells}
    law = found["governing_law"].finding
    assert facts.schema == "contracts"
    assert (law.status, law.values[0].text) == (CellStatus.PRESENT, "Delaware")
    pages = {page.page_no: page.text for page in bench.local.documents.get(lease).pages}
    for cell in facts.cells:
        for quote in cell.finding.spans:
            assert pages[quote.span.page_no][quote.span.start : quote.span.end] == quote.quote
    assert any(each.field == "agreement_date" for each in facts.dates)


def test_what_a_principal_may_not_see_has_no_cells(bench: Workbench, tmp_path: Path) -> None:
    secret = add(bench, tmp_path, f"{LEASE}\nA secret one.\n", "secret", acl=("legal",))

    mine = bench.matrix("contracts", ["governing_law"], ANN)
    others = bench.matrix("contracts", ["governing_law"], BOB)

    assert secret in {cell.document for cell in mine.cells}
    assert secret not in {cell.document for cell in others.cells}
    assert secret not in {document.id for document in others.documents}
    page = bench.for_principal(BOB).matrix.page(MatrixQuery("contracts"))
    assert secret not in {row.document.id for row in page.rows}


def test_only_a_reviewer_reviews_and_only_an_admin_changes_schemas(
    bench: Workbench, lease: DocumentId
) -> None:
    with pytest.raises(RefusedError, match="may not review"):
        bench.for_principal(BOB).matrix.review(lease, "governing_law", ReviewAction.CONFIRM)
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).schemas.add_field("contracts", DEPOSIT)
    with pytest.raises(RefusedError):
        bench.for_principal(ANN).thresholds.move("contracts", "insurance", 0.1, 0.8)
    with pytest.raises(RefusedError):
        bench.for_principal(BOB).schemas.submit_extract()

    assert (
        bench.for_principal(ANN).matrix.review(lease, "governing_law", ReviewAction.CONFIRM).review
        is not None
    )


def test_a_correction_is_read_as_the_type_of_its_field_and_survives_an_extraction(
    bench: Workbench, lease: DocumentId
) -> None:
    with pytest.raises(UsageError, match="is no date"):
        bench.for_principal(ANN).matrix.review(lease, "effective_date", ReviewAction.CORRECT, value="soon")
    bench.for_principal(ANN).matrix.review(
        lease, "effective_date", ReviewAction.CORRECT, value="April 2, 2024"
    )

    job = bench.local.schemas.extract("contracts", again=True)

    cell = bench.local.matrix.cell(lease, "effective_date")
    assert job.state is JobState.DONE
    assert (cell.finding.values[0].text, cell.review and cell.review.user) == ("2024-04-02", "ann")
    assert [event.user for event in bench.local.matrix.history(lease, "effective_date")] == ["ann"]
    undone = bench.for_principal(ANN).matrix.undo(lease, "effective_date")
    assert undone.review is None


def test_a_review_stands_in_a_new_version_that_still_says_it_and_is_checked_again_where_not(
    bench: Workbench, tmp_path: Path
) -> None:
    document = add(bench, tmp_path, LEASE, "versions")
    bench.for_principal(ANN).matrix.review(document, "governing_law", ReviewAction.CONFIRM)
    add(bench, tmp_path, "A preamble of one line.\n\n" + LEASE, "versions")
    moved = bench.local.matrix.cell(document, "governing_law")
    add(bench, tmp_path, LEASE.replace("Delaware", "Nevada"), "versions")
    gone = bench.local.matrix.cell(document, "governing_law")

    assert (moved.version, moved.review and moved.review.check_again) == (2, False)
    [quote] = moved.finding.spans[:1]
    text = bench.for_principal(ANN).documents.page(document, 2, quote.span.page_no).text
    assert text[quote.span.start : quote.span.end] == quote.quote
    assert gone.review is not None
    assert gone.review.check_again
    assert gone.extracted is not None
    assert gone.extracted.values[0].text == "Nevada"


def test_a_new_field_is_tried_then_added_and_filled_by_its_job_and_comes_back_when_restored(
    bench: Workbench, tmp_path: Path
) -> None:
    document = add(bench, tmp_path, LEASE + "\nThe Tenant pays a deposit of $30,000.", "deposit")

    [(_, tried)] = bench.local.schemas.try_field(DEPOSIT, "contracts", [document])
    job = bench.local.schemas.add_field("contracts", DEPOSIT)
    assert job is not None
    bench.local.documents._writing.complete(job, None)
    filled = bench.local.matrix.cell(document, "deposit").finding
    bench.local.schemas.remove_field("contracts", "deposit")
    hidden = {column.name for column in bench.local.matrix.columns("contracts")}
    bench.local.schemas.restore_field("contracts", "deposit")

    assert (tried.status, tried.values[0].amount) == (CellStatus.PRESENT, 300_000_000)
    assert filled.values == tried.values
    assert "deposit" not in hidden
    assert {cell.field for cell in bench.matrix("contracts", ["deposit"]).cells} == {"deposit"}


def test_an_unknown_field_is_refused_with_those_that_there_are(bench: Workbench) -> None:
    with pytest.raises(UsageError) as refused:
        bench.matrix("contracts", ["lawyer"])

    assert "governing_law" in refused.value.next_step


def test_what_a_person_writes_is_looked_up_and_the_parties_of_the_document_follow(
    bench: Workbench, lease: DocumentId
) -> None:
    texts = ["Orchard Foods Inc.", "Quince Bakery GmbH"]
    found, strange = bench.for_principal(ANN).matrix.read_values(lease, "parties", texts)

    bench.for_principal(ANN).matrix.review(
        lease,
        "parties",
        ReviewAction.CORRECT,
        value=[found.value, strange.value],
        quotes=[*found.quotes, *strange.quotes],
    )

    assert [quote.quote for quote in found.quotes] == ["Orchard Foods Inc."]
    assert not strange.is_found
    assert [value.text for value in unfound(bench.for_principal(ANN).matrix.cell(lease, "parties"))] == [
        "Quince Bakery GmbH"
    ]
    parties = bench.for_principal(ANN).documents.facts(lease).parties
    assert [(party.name, party.quote is None, party.reviewed_by) for party in parties] == [
        ("Orchard Foods Inc.", False, "ann"),
        ("Quince Bakery GmbH", True, "ann"),
    ]

    bench.for_principal(ANN).matrix.review(lease, "parties", ReviewAction.ABSENT)
    assert bench.for_principal(ANN).documents.facts(lease).parties == ()


def test_the_same_day_in_other_words_is_found_in_the_document(bench: Workbench, lease: DocumentId) -> None:
    (found,) = bench.for_principal(ANN).matrix.read_values(lease, "effective_date", ["2024-03-01"])

    assert [quote.quote for quote in found.quotes] == ["March 1, 2024"]


def test_words_are_found_with_their_sentence(bench: Workbench, lease: DocumentId) -> None:
    (quote,) = bench.for_principal(ANN).matrix.find_words(lease, "laws of  the state")

    assert quote.quote == (LEASE.splitlines()[-1])


def test_a_new_field_is_looked_for_in_documents_of_its_schema_alone(
    bench: Workbench, tmp_path: Path, lease: DocumentId
) -> None:
    (tmp_path / "notes.txt").write_text(
        "Notes on the weather. It rained for most of the week in the north.\n"
    )
    (tmp_path / "lease.txt").write_text(LEASE)
    bench.ingest([tmp_path / "notes.txt", tmp_path / "lease.txt"], bucket="mixed")
    everything = bench.documents(bucket="mixed")
    kinds = {each.title: bench.local.documents.facts(each.id).schema for each in everything}
    assert sorted(kinds.values()) == ["contracts", "generic"]
    field = DEPOSIT.model_copy(update={"name": "key_money", "title": "Key money"})

    job = bench.local.schemas.add_field("contracts", field)

    assert job is not None
    assert bench.local.documents._writing.complete(job, None).state is JobState.DONE
    notes = next(each.id for each in everything if kinds[each.title] == "generic")
    concerned = {item.document for item in bench.local.jobs.items(job)}
    assert notes not in concerned
    assert lease in concerned
    assert bench._parts.extractions.lacking("mixed") == []


def test_the_work_list_is_for_those_who_may_ask_or_review(bench: Workbench) -> None:
    for role in ("analyst", "reviewer"):
        bench.for_principal(Principal("ann", frozenset({role}))).matrix.worklist()
    with pytest.raises(RefusedError):
        bench.for_principal(Principal("eve", frozenset())).matrix.worklist()
