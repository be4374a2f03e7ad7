from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.fields import CellStatus, FieldType, Finding, ReviewAction, TypedValue
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL, UNEARNED, ModelSample, resting_said
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.reading_cells import fill_home, opened

ALL = Visibility.everything()
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


def absent(field: str) -> ModelReading:
    finding = Finding(CellStatus.ABSENT, confidence=UNEARNED, method=MODEL)
    return ModelReading(field, finding, "b", "m", "p@1")


def filled(records: Records, count: int = 16, *fields: str) -> list[DocumentId]:
    documents = fill_home(records, count)
    for document in documents:
        records.model_readings.keep(document, 1, [absent(field) for field in fields], "j1", NOW)
    return documents


def review(records: Records, count: int, field: str, wrong: int = 0) -> None:
    """Confirm so many of the sample; of those that are wrong, a value is there."""
    for at, item in enumerate(records.model_readings.sample_items(ALL, "leases", [field])[:count]):
        cell = records.fields.cell(item.document, field, ALL)
        value = TypedValue(FieldType.MONEY, "1.00", 10_000, "USD") if at < wrong else None
        action = ReviewAction.CONFIRM if value is None else ReviewAction.CORRECT
        records.reviews.review(
            item.document, field, action, "eve", NOW, value, visible=ALL, expected=cell.event
        )


def confidences(records: Records, field: str) -> set[float]:
    return {
        cell.finding.confidence
        for cell in records.fields.cells(ALL, fields=[field])
        if cell.review is None and cell.finding.method == MODEL
    }


def test_nothing_is_earned_before_ten_are_reviewed(records: Records) -> None:
    filled(records, 16, "rent")
    review(records, 9, "rent")

    assert confidences(records, "rent") == {UNEARNED}


def test_ten_reviews_earn_what_they_say_and_an_undo_takes_it_back(records: Records) -> None:
    filled(records, 16, "rent")
    last = records.model_readings.sample_items(ALL, "leases", ["rent"])[9].document
    review(records, 10, "rent", wrong=1)

    assert confidences(records, "rent") == {round(10 / 12, 4)}
    records.reviews.review(last, "rent", ReviewAction.UNDO, "eve", NOW, visible=ALL)
    assert confidences(records, "rent") == {UNEARNED}


def test_each_field_earns_its_own_and_others_what_the_bucket_did(records: Records) -> None:
    filled(records, 16, "rent", "pets")
    review(records, 10, "rent", wrong=10)

    sample = records.model_readings.sample(ALL, "leases")
    assert confidences(records, "rent") == {round(1 / 12, 4)}
    of_bucket = sample.confidence
    assert confidences(records, "pets") == {UNEARNED if of_bucket is None else round(of_bucket, 4)}


def test_cells_that_are_read_later_begin_with_what_was_earned(records: Records) -> None:
    documents = filled(records, 12, "rent")
    review(records, 10, "rent")
    records.model_readings.keep(documents[0], 1, [absent("pets")], "j2", NOW)

    assert confidences(records, "pets") == {round(11 / 12, 4)}


def test_the_ledger_is_told_how_many_rest_on_a_model_and_how_right_it_was(records: Records) -> None:
    documents = filled(records, 16, "rent")
    review(records, 10, "rent", wrong=1)

    found = records.model_readings.resting(ALL, documents, ["rent"])

    assert len(found.documents) == 6
    assert resting_said(6, found.sample) == (
        "6 documents rest on cells that a language model read and nobody checked; of 10 such cells that "
        "people checked, 9 were right (90%, 95 % interval 60% to 98%)."
    )
    assert resting_said(0, ModelSample()) == ""
