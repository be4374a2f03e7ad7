from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.config.fields import FieldDefinition, HeadExtractor, Schema
from core.config.models import Settings
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, ReviewAction, TypedValue
from core.domain.ids import DocumentId, JobId
from core.errors import JobError
from core.extract.base import Definitions, Thresholds
from core.extract.clauses.classifier import HeadFinding, decide
from core.extract.clauses.retraining import packed
from core.extract.jobs.retrain_job import RetrainJob, verdicts_of
from core.jobs import queue
from core.jobs.base import JobInterrupted
from core.jobs.kinds import EXTRACT, RETRAIN
from core.store.base import JobOrder
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.small_heads import LIMITS, small_heads
from tests.support.stated_values import quote
from tests.support.versions import new_version

ALL = Visibility.everything()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = "The supplier keeps insurance."
SHIPPED = packed(small_heads())
DOCUMENTS = 60


def schema(*heads: str, name: str = "leases", only_candidates: bool = False) -> Schema:
    fields = tuple(
        FieldDefinition(
            name=head,
            title=head,
            type=FieldType.BOOLEAN,
            extractors=(HeadExtractor(head=head),),
            candidates_only=only_candidates,
        )
        for head in heads
    )
    return Schema(name=name, title=name, buckets=(name,), fields=fields)


class Context:
    """A JobContext; where it is stopped, it interrupts the first time it is looked at."""

    def __init__(self, order: JobOrder, is_stopped: bool = False) -> None:
        self.order = order
        self.created_at = NOW
        self.is_stopped = is_stopped

    def check(self) -> None:
        if self.is_stopped:
            raise JobInterrupted

    def should_yield(self) -> bool:
        return False


class Place:
    """A home in which a head judged every document of a bucket, and people had another view."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.schemas = (schema("insurance", "audit_rights"),)
        self.thresholds: dict[str, dict[str, Thresholds]] = {}
        self.documents: list[DocumentId] = []

    def load(self) -> Definitions:
        model, artefact = self.records.models.active() or ("shipped", SHIPPED)
        return Definitions(self.schemas, self.thresholds, model, artefact)

    def judge(self, probability: float, field: str = "insurance", count: int = DOCUMENTS) -> None:
        definitions = self.load()
        for number in range(count):
            published = self.records.documents.publish(
                new_version(f"{number}.txt", PAGE, bucket="leases", passages=0)
            )
            span = (quote(PAGE, "insurance"), 1.0)
            findings = {field: decide(HeadFinding(field, probability, (span,)), LIMITS)}
            extraction = Extraction("leases", findings)
            fingerprint = definitions.fingerprint("leases")
            self.records.fields.put(published.document, published.version, extraction, fingerprint)
            self.documents.append(published.document)

    def say(self, document: DocumentId, is_there: bool, field: str = "insurance") -> None:
        action = ReviewAction.CORRECT if is_there else ReviewAction.ABSENT
        value = TypedValue(FieldType.BOOLEAN, "true", 1) if is_there else None
        self.records.reviews.review(document, field, action, "ann", NOW, value, visible=ALL)

    def say_mostly_yes(self) -> None:
        for number, document in enumerate(self.documents):
            self.say(document, number % 5 > 0)

    def submit(self) -> JobId:
        return queue.submit(self.records, RETRAIN, "test", {})

    def work(self, job: JobId, *, is_stopped: bool = False) -> None:
        RetrainJob(self.records, self.load).work(Context(self.records.jobs.order(job), is_stopped))

    def extractions(self) -> int:
        return sum(each.kind == EXTRACT for each in self.records.jobs.list())

    def verdicts(self) -> int:
        return len(list(verdicts_of(self.records, self.load(), small_heads().levels)))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with Records.open(Settings(home=tmp_path)) as records:
        yield Place(records)


def test_a_model_that_is_better_is_used_and_everything_extracted_by_it(place: Place) -> None:
    place.judge(0.4)
    place.say_mostly_yes()
    job = place.submit()

    place.work(job)

    (model,) = place.records.models.list()
    assert (model.id, model.is_active) == (f"home-{job}", True)
    assert model.figures["moved"]["insurance"] > 1
    assert model.figures["from"] == "shipped"
    assert place.extractions() == 1


def test_a_model_that_is_not_better_is_kept_with_its_figures_but_not_used(place: Place) -> None:
    place.judge(0.8)
    place.say_mostly_yes()

    place.work(place.submit())

    (model,) = place.records.models.list()
    assert not model.is_active
    assert model.figures["is_better"] is False
    assert place.extractions() == 0


def test_too_few_verdicts_fail_the_job_and_leave_nothing(place: Place) -> None:
    place.judge(0.4, count=5)
    with pytest.raises(JobError, match="0 verdicts"):
        place.work(place.submit())
    place.say_mostly_yes()
    with pytest.raises(JobError, match="5 verdicts"):
        place.work(place.submit())

    assert place.records.models.list() == []
    assert place.extractions() == 0


def test_a_job_that_is_cut_short_while_it_learns_switches_nothing(place: Place) -> None:
    place.judge(0.4)
    place.say_mostly_yes()
    job = place.submit()

    with pytest.raises(JobInterrupted):
        place.work(job, is_stopped=True)

    assert place.records.models.list() == []
    assert place.records.models.active() is None
    assert place.extractions() == 0
    place.work(job)
    assert place.records.models.active_id() == f"home-{job}"


def test_a_job_that_is_cut_short_before_it_switches_ends_that_without_learning_again(place: Place) -> None:
    place.judge(0.4)
    place.say_mostly_yes()
    job = place.submit()
    place.work(job)
    place.records.models.use(None)  # as it stands between the two: the model is kept, the old one in use
    (before,) = place.records.models.list()

    place.work(job)

    (after,) = place.records.models.list()
    assert after == replace(before, is_active=True)


def test_another_model_that_was_chosen_meanwhile_stays_in_use(place: Place) -> None:
    place.judge(0.4)
    place.say_mostly_yes()
    job = place.submit()
    place.work(job)
    place.records.models.put("other", SHIPPED, {}, NOW)
    place.records.models.use("other")

    place.work(job)

    assert place.records.models.active_id() == "other"
    assert place.extractions() == 1


def test_verdicts_on_documents_that_are_gone_or_wait_for_extraction_take_no_part(place: Place) -> None:
    place.judge(0.4)
    place.say_mostly_yes()
    assert place.verdicts() == DOCUMENTS

    place.records.documents.remove(place.documents[:10])
    assert place.verdicts() == DOCUMENTS - 10
    place.records.documents.publish(new_version("20.txt", PAGE + " Now.", bucket="leases", passages=0))
    assert place.verdicts() == DOCUMENTS - 11
    place.records.models.put("other", SHIPPED, {}, NOW)
    place.records.models.use("other")
    assert place.verdicts() == 0


def test_verdicts_on_fields_that_no_head_decides_take_no_part(place: Place) -> None:
    place.schemas = (schema("insurance", "nothing_like_it"), schema("audit_rights", name="other"))
    place.judge(0.4, "nothing_like_it", count=3)
    place.say(place.documents[0], True, "nothing_like_it")
    place.say(place.documents[1], True, "insurance")  # a cell that no head has judged
    place.say(place.documents[2], True, "audit_rights")  # not of these documents' schema

    assert place.verdicts() == 0


def test_a_verdict_comes_with_the_thresholds_in_force(place: Place) -> None:
    place.thresholds = {"leases": {"insurance": Thresholds(0.2, 0.7)}}
    place.judge(0.4, count=1)
    place.say(place.documents[0], False)
    shipped = small_heads().levels

    (moved,) = verdicts_of(place.records, place.load(), shipped)
    assert moved.limits == Thresholds(0.2, 0.7)
    place.schemas = (schema("insurance", only_candidates=True),)
    place.judge(0.4, count=1)
    (only,) = verdicts_of(place.records, place.load(), shipped)
    assert only.limits is not None
    assert only.limits.present_from > 1
    assert (only.probability, only.is_there) == (0.4, False)


def test_the_verdict_of_a_cell_counts_against_what_extraction_said(place: Place) -> None:
    place.judge(0.9, count=1)
    place.say(place.documents[0], False)
    cell = place.records.fields.cell(place.documents[0], "insurance", ALL)
    assert isinstance(cell.extracted, Finding)

    (verdict,) = verdicts_of(place.records, place.load(), small_heads().levels)

    assert cell.extracted.status is CellStatus.PRESENT
    assert (verdict.probability, verdict.is_there) == (0.9, False)
