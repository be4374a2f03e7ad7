"""Files that could not be read, in a bucket whose documents are each of the kind that they look like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.answer import Answer
from core.domain.document import DocumentStatus
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, ReviewAction
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixQuery
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench
from tests.support.stated_values import absent, present, put, text
from tests.support.versions import new_version

DEALS, NAMED = "deals", "agreements"  # the schema of contracts claims the other bucket
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LACKING = "Which contracts lack audit rights?"


def locked(records: Records, source: str, bucket: str, kind: str) -> DocumentId:
    """A file that needs a password; kind: the schema that extraction noted."""
    new = new_version(source, "", bucket=bucket, passages=0)
    new = replace(new, parsed=replace(new.parsed, unreadable_reason="It needs a password."))
    document = records.documents.publish(new).document
    finding = Finding(CellStatus.UNREADABLE, note="It needs a password.")
    records.fields.put(document, 1, Extraction(kind, {"governing_law": finding}), "f1")
    return document


@pytest.fixture
def home(tmp_path: Path) -> Path:
    records = Records.open(Settings(home=tmp_path))
    for bucket in (DEALS, NAMED):
        for number, cap in enumerate((present(text("true", FieldType.BOOLEAN)), absent(0.99), absent(0.99))):
            law = present(text(("Iowa", "Texas", "Ohio")[number]))
            put(records, f"{number}.txt", bucket=bucket, governing_law=law, audit_rights=cap)
    locked(records, "locked.pdf", DEALS, "generic")
    locked(records, "locked.pdf", NAMED, "contracts")
    records.documents.record_failure(DEALS, "broken.pdf", "It is damaged.")
    records.close()
    return tmp_path


@pytest.fixture
def bench(home: Path) -> Iterator[Workbench]:
    with Workbench.open(home=home) as opened:
        yield opened


def counts(answer: Answer) -> tuple[int, int, int, int]:
    ledger = answer.ledger
    assert ledger is not None
    assert ledger.scope == ledger.present + ledger.absent + ledger.uncertain + ledger.unreadable
    return ledger.scope, ledger.unreadable, ledger.unknown_kind, len(ledger.documents.unknown_kind)


@pytest.mark.parametrize("question", [LACKING, "How many contracts are governed by Texas law?"])
def test_a_file_of_unknown_kind_is_counted_beside_the_contracts(bench: Workbench, question: str) -> None:
    answer = bench.ask(question, buckets=[DEALS])
    assert counts(answer) == (3, 0, 2, 2)
    assert "2 documents of the bucket “deals” could not be read; their kinds are unknown." in answer.gaps
    assert not any("contracts could not be read" in gap for gap in answer.gaps)


def test_a_file_of_a_bucket_of_contracts_by_choice_is_an_unreadable_contract(bench: Workbench) -> None:
    answer = bench.ask(LACKING, buckets=[NAMED])
    assert counts(answer) == (4, 1, 0, 0)
    assert "1 contract could not be read." in answer.gaps


def test_a_question_about_documents_of_any_kind_has_them_in_scope(bench: Workbench) -> None:
    answer = bench.ask("List all documents", buckets=[DEALS])
    assert counts(answer) == (5, 2, 0, 0)


def test_the_matrix_of_a_kind_does_not_list_them_and_tells_their_number(bench: Workbench) -> None:
    matrix = bench.local.matrix
    assert matrix.page(MatrixQuery(DEALS, "contracts")).total == 3
    assert matrix.page(MatrixQuery(DEALS)).total == 5
    assert matrix.page(MatrixQuery(NAMED, "contracts")).total == 4
    assert matrix.page(MatrixQuery(None, "contracts")).total == 4  # three have copies in the other bucket
    assert matrix.of_unknown_kind(DEALS) == {DocumentStatus.UNREADABLE: 1, DocumentStatus.FAILED: 1}
    assert matrix.of_unknown_kind(NAMED) == {}


def test_a_field_of_contracts_decided_by_hand_makes_it_a_contract(home: Path) -> None:
    records = Records.open(Settings(home=home))
    document = locked(records, "known.pdf", DEALS, "generic")
    everything = Visibility.everything()
    records.reviews.review(document, "governing_law", ReviewAction.ABSENT, "ann", NOW, visible=everything)
    records.close()
    with Workbench.open(home=home) as bench:
        assert counts(bench.ask(LACKING, buckets=[DEALS])) == (4, 1, 2, 2)
        assert bench.local.matrix.page(MatrixQuery(DEALS, "contracts")).total == 4


def test_a_contract_that_became_unreadable_stays_one(home: Path) -> None:
    records = Records.open(Settings(home=home))
    locked(records, "2.txt", DEALS, "contracts")
    records.close()
    with Workbench.open(home=home) as bench:
        assert counts(bench.ask(LACKING, buckets=[DEALS])) == (3, 1, 2, 2)
