from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.config.models import Settings
from core.domain.document import IngestOutcome, Page, ParsedDocument
from core.domain.fields import CellStatus
from core.domain.ids import ContentHash, DocumentId, JobId
from core.extract.jobs.job import ExtractJob, IngestExtraction, Priority
from core.ingest.job import IngestGroup, IngestJob, IngestPayload
from core.jobs import queue
from core.jobs.base import JobInterrupted
from core.jobs.kinds import EXTRACT, INGEST
from core.store.base import JobOrder, NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.extracting import DOCUMENTS, Extracting, fill_home, opened
from tests.support.ingesting import opened as ingesting

ALL = Visibility.everything()


class Slice:
    """A JobContext that ends its slice, or the job, when a test says so."""

    def __init__(self, order: JobOrder) -> None:
        self.order = order
        self.created_at = datetime.now(UTC)
        self.looks_left = 10_000
        self.is_over = False

    def check(self) -> None:
        self.looks_left -= 1
        if self.looks_left < 0:
            raise JobInterrupted

    def should_yield(self) -> bool:
        return self.is_over


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Extracting]:
    with opened(tmp_path) as made:
        yield made


def submitted(place: Extracting, **payload: object) -> tuple[ExtractJob, Slice, JobId]:
    job = queue.submit(place.records, EXTRACT, "test", payload)
    return ExtractJob(place.records, place.extractions), Slice(place.records.jobs.order(job)), job


def test_a_job_fills_what_lacks_cells_and_notes_each_document(place: Extracting) -> None:
    fill_home(place.records)
    handler, context, job = submitted(place)

    handler.prepare(context)
    more = handler.work(context)

    items = place.records.jobs.items(job)
    assert not more
    assert [item.outcome for item in items] == [IngestOutcome.READY] * DOCUMENTS
    assert place.extractions.lacking() == []


def test_a_slice_that_is_over_or_a_stop_leaves_the_rest_for_the_next(place: Extracting) -> None:
    fill_home(place.records)
    handler, context, job = submitted(place)
    handler.prepare(context)
    context.is_over = True

    assert handler.work(context)
    context.is_over, context.looks_left = False, 3
    with pytest.raises(JobInterrupted):
        handler.work(context)
    context.looks_left = 10_000
    while handler.work(context):
        pass

    assert len(place.records.jobs.items(job)) == DOCUMENTS
    assert place.extractions.lacking() == []


def test_a_job_for_one_bucket_or_again_takes_what_it_says(place: Extracting) -> None:
    fill_home(place.records)
    handler, context, elsewhere = submitted(place, bucket="bills")
    handler.prepare(context)
    some = [row.id for row in place.records.documents.list(ALL)[:3]]
    handler, context, chosen = submitted(place, documents=some)
    handler.prepare(context)
    handler.work(context)
    handler, context, again = submitted(place, documents=some, again=True)
    handler.prepare(context)
    handler, context, by_field = submitted(place, documents=some, fields=["deposit"])
    handler.prepare(context)

    totals = [place.records.jobs.get(job).total for job in (elsewhere, chosen, again, by_field)]
    assert totals == [0, 3, 3, 3]


def test_an_ingest_ends_with_the_cells_of_what_it_published_also_where_one_cannot_be_read(
    tmp_path: Path, place: Extracting
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "lease.txt").write_text("The rent is $900 a month.")
    (folder / "bad.txt").write_text("CRASH")
    with ingesting(tmp_path) as home:
        payload = IngestPayload(groups=(IngestGroup(paths=(str(folder),), bucket="leases"),))
        job = queue.submit(home.records, INGEST, "test", payload.model_dump())
        after = IngestExtraction(home.records, place.extractions)
        handler = IngestJob(home.records, home.settings, home.pipeline, after)
        context = Slice(home.records.jobs.order(job))
        handler.prepare(context)
        while handler.work(context):
            pass

        items = {Path(item.source).name: item for item in home.records.jobs.items(job)}
        assert {item.outcome for item in items.values()} == {IngestOutcome.READY}
        status = {
            name: place.records.fields.cell(DocumentId(str(item.document)), "rent", ALL).finding.status
            for name, item in items.items()
        }
        assert status == {"lease.txt": CellStatus.PRESENT, "bad.txt": CellStatus.UNCERTAIN}
        assert not handler.work(context)


def test_an_ingest_publishes_no_further_than_its_fields_follow(tmp_path: Path, place: Extracting) -> None:
    """Else what it says is left would be the time to publish, and not that to extract, too."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}.txt").write_text(f"The rent of shed {number} is $900 a month.")
    with ingesting(tmp_path) as home:
        payload = IngestPayload(groups=(IngestGroup(paths=(str(folder),), bucket="leases"),))
        job = queue.submit(home.records, INGEST, "test", payload.model_dump())
        ahead: list[int] = []
        context = Slice(home.records.jobs.order(job))
        extraction = IngestExtraction(home.records, place.extractions)
        handler = IngestJob(home.records, home.settings, home.pipeline, extraction)
        handler.prepare(context)
        put = place.records.fields.put

        def put_slowly(document: DocumentId, *given: Any, **named: Any) -> bool:
            published = [item.document for item in home.records.jobs.items(job) if item.document]
            ahead.append(len(place.extractions.lacking(documents=published)))
            return put(document, *given, **named)

        place.records.fields.put = put_slowly  # type: ignore[method-assign]
        while handler.work(context):
            pass

    assert len(ahead) == 200
    assert max(ahead) <= 120


def test_what_questions_wait_for_is_taken_first_also_where_it_is_asked_for_meanwhile(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        ids = [publish(records, str(number)) for number in range(5)]
        now = 0.0
        records.reading_queue.add({ids[3]})
        order = Priority(records, lambda: now).order(ids)

        first, second = next(order), next(order)
        records.reading_queue.add({ids[4]})
        now = 1.0
        rest = list(order)

    assert (first, second) == (ids[3], ids[0])
    assert rest == [ids[4], ids[1], ids[2]]


def publish(records: Records, name: str) -> DocumentId:
    parsed = ParsedDocument(name, "text/plain", (Page(1, name),))
    return records.documents.publish(NewVersion("b", name, parsed, ContentHash(name), 1)).document
