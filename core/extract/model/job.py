"""Reading of uncertain cells by a language model as a durable job: a document at a time, call by call.

What a call gave is kept before the next one is made, with what did not count; so a job that goes on after a
kill asks for nothing twice, and pays at most for the one call that was under way.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.document import IngestOutcome
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.domain.job import CurrentItem, IngestItem
from core.domain.llm.use import ModelOutcome
from core.errors import JobError, LlmError, NotFoundError
from core.extract.base import Definitions, uncertain
from core.extract.jobs.service import read_task
from core.extract.model.accept import Refusal, findings_of
from core.extract.model.calls import (
    CellCall,
    CellReplies,
    cell_prompt,
    described,
    pack,
    prompt_label,
    room_for,
)
from core.extract.model.evidence import PlaceFinder, field_words
from core.extract.words.ranking import FieldWords
from core.fields.consistency import consistent
from core.jobs.base import JobContext
from core.llm.base import ModelCalls
from core.store.base import JobItem
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
_POLL_S = 0.2
_MOST_FAILED = 3  # calls in a row without a reply: the server is the matter, not the document
_OF_THE_CALL = frozenset(
    {
        ModelOutcome.INVALID,
        ModelOutcome.CUT_SHORT,
        ModelOutcome.FILTERED,
        ModelOutcome.TOO_LARGE,
        ModelOutcome.TIMED_OUT,
    }
)
"""Outcomes that tell of one call; after any other the next one would fare no better."""


class ReadCellsPayload(BaseModel):
    """Request of such a job. bucket, fields, documents: None for all. cells: how many waited then."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cells: int = 0
    bucket: str | None = None
    fields: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None


class JobModels(Protocol):
    """The configured models, as a job takes them."""

    @property
    def settings(self) -> LlmSettings:
        """The settings that hold now."""
        ...

    def open(self, user: str, job: str) -> ModelCalls | None:
        """Calls of one step of a job; None where no model is configured."""
        ...


@dataclass(slots=True)
class _Counts:
    """What came of one document's cells in this attempt."""

    decided: int = 0
    uncertain: int = 0
    failed: str = ""


class ReadCellsJob:
    """The handler of the job kind `read_cells`.

    load: what is asked of documents now. words: gives what sentences are compared with, see `field_words`;
    None where there is no encoder.
    """

    def __init__(
        self,
        records: Records,
        load: Callable[[], Definitions],
        models: JobModels,
        words: Callable[[], Callable[[FieldDefinition], FieldWords]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._records, self._load, self._models, self._clock = records, load, models, clock
        self._given_words, self._without_encoder = words, field_words(None)
        self._not_before = 0.0
        self._failed_calls = 0

    def prepare(self, context: JobContext) -> None:
        """Write the job's items, a document each, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        payload = ReadCellsPayload.model_validate(context.order.payload)
        given = None if payload.documents is None else [DocumentId(each) for each in payload.documents]
        found = [
            each
            for each in waiting(
                self._records,
                self._load(),
                self._models.settings,
                bucket=payload.bucket,
                fields=payload.fields,
                documents=given,
            )
            if each.cells or each.kept
        ]
        known = self._records.documents.get_many([each.document for each in found], _EVERYTHING)
        self._records.jobs.add_items(
            job,
            [
                JobItem(summary.source, summary.bucket, {"document": each.document})
                for each in found
                if (summary := known.get(each.document)) is not None
            ],
        )

    def work(self, context: JobContext) -> bool:
        """Read documents until none is left or the slice has lasted long enough.

        Raises LlmError where no further call can be made: the budget of the day, the key, the server.
        """
        payload = ReadCellsPayload.model_validate(context.order.payload)
        definitions = self._load()
        pending = self._records.jobs.pending(context.order.id)
        for item in pending:
            document = DocumentId(str(item.payload["document"]))
            found = waiting(
                self._records,
                definitions,
                self._models.settings,
                fields=payload.fields,
                documents=[document],
            )
            counts = _Counts()
            if found and not self._read(found[0], definitions, context, counts):
                return True
            outcome = self._outcome(document, item, counts)
            self._records.jobs.set_items(context.order.id, {item.ordinal: outcome})
            if context.should_yield():
                return bool(self._records.jobs.pending(context.order.id))
        return False

    def _read(
        self, found: WaitingDocument, definitions: Definitions, context: JobContext, counts: _Counts
    ) -> bool:
        """Read what is left of one document; gives whether all of it was asked."""
        job = context.order.id
        counts.decided += self._records.model_readings.keep(found.document, found.version, found.kept, job)
        if not found.cells:
            return True
        try:
            task = read_task(self._records, definitions, found.document, found.version)
        except NotFoundError:
            return True
        vectors = task.vectors if self._given_words is not None else None
        words = self._without_encoder if self._given_words is None else self._given_words()
        calls = pack(PlaceFinder(task.text, vectors, words), found.cells, room_for(self._models.settings))
        title = task.text.title or task.text.source
        for at, call in enumerate(calls):
            context.check()
            self._records.jobs.set_current(job, CurrentItem(title, at, len(calls)))
            if not self._wait(context):
                return False
            try:
                replies = self._ask(call, context)
            except LlmError as error:
                if error.outcome == ModelOutcome.OVER_BUDGET and error.retry_after_s:
                    self._not_before = self._clock() + error.retry_after_s
                    return False  # the minute is used up; the cells that are left come with the next slice
                self._note_failure(error, counts)
                continue
            self._failed_calls = 0
            self._keep(found, call, replies, job, counts)
            if context.should_yield() and at + 1 < len(calls):
                return False
        return True

    def _ask(self, call: CellCall, context: JobContext) -> CellReplies:
        """The reply, while the job is looked after: cancelled, it gives the call up. Raises LlmError."""
        order = context.order
        calls = self._models.open(order.user, order.id)
        if calls is None:
            raise JobError(
                "No language model is configured any more.",
                next_step="Choose one in Settings, then resume the job.",
            )
        prompt, schema = cell_prompt(call)
        with ThreadPoolExecutor(1, thread_name_prefix="read-cells") as thread:
            try:
                running = thread.submit(calls.structured, prompt, CellReplies, schema)
                while not wait([running], _POLL_S).done:
                    context.check()
                return running.result()
            finally:
                calls.stop()

    def _keep(
        self, found: WaitingDocument, call: CellCall, replies: CellReplies, job: str, counts: _Counts
    ) -> None:
        settings, label = self._models.settings, prompt_label()
        judged = self._compared(found, call, findings_of(call, replies))
        readings = [
            _reading(judged[each.name], each.name, basis(each, settings), settings.reading_model, label)
            for each in (cell.definition for cell in call.cells)
        ]
        decided = self._records.model_readings.keep(found.document, found.version, readings, job)
        counts.decided += decided
        counts.uncertain += len(readings) - decided

    def _compared(
        self, found: WaitingDocument, call: CellCall, judged: Mapping[str, Finding | Refusal]
    ) -> dict[str, Finding | Refusal]:
        """The same, values that contradict other cells of the document as candidates with the reason."""
        definitions = next(
            (
                schema.fields
                for schema in self._load().schemas
                if all(each.definition in schema.fields for each in call.cells)
            ),
            tuple(each.definition for each in call.cells),
        )
        named = {check.field for each in definitions for check in each.checks}
        checked = {each.name for each in definitions if each.checks}
        if not (named | checked) & judged.keys():
            return dict(judged)
        own = {name: each for name, each in judged.items() if isinstance(each, Finding)}
        cells = self._records.fields.cells(_EVERYTHING, documents=[found.document], fields=named | checked)
        beside = {
            cell.field: cell.finding
            for cell in cells
            if cell.version == found.version
            and cell.field not in own
            and not (cell.review is not None and cell.review.check_again)
        }
        return {**judged, **consistent(definitions, own, beside)}

    def _note_failure(self, error: LlmError, counts: _Counts) -> None:
        """Leave the cells of a call for a later attempt; raises the error where others would end so, too."""
        self._failed_calls += 1
        if ModelOutcome(error.outcome) not in _OF_THE_CALL or self._failed_calls >= _MOST_FAILED:
            raise error
        counts.failed = error.message

    def _wait(self, context: JobContext) -> bool:
        """True once the minute's budget is free again; False where others should have their turn before."""
        while self._clock() < self._not_before:
            context.check()
            if context.should_yield():
                return False
            time.sleep(_POLL_S)
        return True

    def _outcome(self, document: DocumentId, item: JobItem, counts: _Counts) -> IngestItem:
        try:
            found = self._records.documents.get(document, _EVERYTHING)
        except NotFoundError:
            source, reason = item.source, "It was removed meanwhile."
            return IngestItem(document, source, source, item.bucket, IngestOutcome.UNCHANGED, reason, 0, 0)
        outcome = IngestOutcome.FAILED if counts.failed else IngestOutcome.READY
        said = counts.failed or f"{counts.decided:,} decided, {counts.uncertain:,} stay uncertain."
        return IngestItem(
            document, found.source, found.title, found.bucket, outcome, said, found.pages, found.passages
        )


def _reading(judged: Finding | Refusal, field: str, basis: str, model: str, prompt: str) -> ModelReading:
    if isinstance(judged, Refusal):
        return ModelReading(field, uncertain(0.0, ""), basis, model, prompt, judged.value)
    if judged.status is CellStatus.UNCERTAIN:  # it contradicts another cell: shown beside it, not counted
        return ModelReading(field, judged, basis, model, prompt, judged.note)
    said = f"{model} ({prompt})."
    finding = Finding(judged.status, judged.values, judged.spans, judged.confidence, judged.method, (), said)
    return ModelReading(field, finding, basis, model, prompt)


def sequence_of_calls(
    records: Records,
    definitions: Definitions,
    settings: LlmSettings,
    found: Sequence[WaitingDocument],
    words: Callable[[FieldDefinition], FieldWords],
    *,
    with_vectors: bool = True,
) -> list[CellCall]:
    """The calls that these documents take, as the job would make them. words: see `field_words`."""
    calls: list[CellCall] = []
    for each in found:
        try:
            task = read_task(records, definitions, each.document, each.version)
        except NotFoundError:
            continue
        finder = PlaceFinder(task.text, task.vectors if with_vectors else None, words)
        calls += pack(finder, each.cells, room_for(settings))
    return calls


_EVERYTHING = Visibility.everything()


@dataclass(slots=True)
class WaitingDocument:
    """Cells of one document. cells: to be asked. kept: answers that count, of this very text and question.

    in_vain: how many were asked before and did not count.
    """

    document: DocumentId
    version: int
    cells: list[tuple[FieldDefinition, Finding]] = field(default_factory=list)
    kept: list[ModelReading] = field(default_factory=list)
    in_vain: int = 0


def waiting(
    records: Records,
    definitions: Definitions,
    settings: LlmSettings,
    *,
    bucket: str | None = None,
    fields: Collection[str] | None = None,
    documents: Collection[DocumentId] | None = None,
    visible: Visibility = _EVERYTHING,
) -> list[WaitingDocument]:
    """Cells that wait, by document. Those of which a model was asked the same in vain are only counted.

    Cells of fields that no schema has any more are left out.
    """
    cells = records.model_readings.open_cells(visible, bucket, fields, documents)
    known = records.model_readings.known({each.document for each in cells})
    schemas = {each.name: {own.name: own for own in each.fields} for each in definitions.schemas}
    found: dict[DocumentId, WaitingDocument] = {}
    for each in cells:
        definition = schemas.get(each.schema, {}).get(each.cell.field)
        if definition is None:
            continue
        of = found.setdefault(each.document, WaitingDocument(each.document, each.version))
        version, reading = known.get((each.document, each.cell.field), (0, None))
        if reading is None or version != each.version or reading.basis != basis(definition, settings):
            of.cells.append((definition, each.cell.finding))
        elif reading.finding.status is not CellStatus.UNCERTAIN:
            of.kept.append(reading)
        else:
            of.in_vain += 1
    return [each for each in found.values() if each.cells or each.kept or each.in_vain]


def basis(definition: FieldDefinition, settings: LlmSettings) -> str:
    """Equal where a model would be asked the same of the same text."""
    asked = [described(definition), prompt_label(), settings.reading_model, room_for(settings)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
