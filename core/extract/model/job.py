"""Reading of cells by a language model as a durable job: several documents at once, each of them whole.

A reply is kept before the next call is made, and goes when its cells are decided; so a job that goes on after
a kill asks for nothing twice, and pays at most for the calls that were under way.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from core.config.models import LlmSettings
from core.domain.document import IngestOutcome
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId, JobId
from core.domain.job import CurrentItem, IngestItem
from core.domain.llm.cells import CONTRADICTION, MODEL
from core.domain.llm.use import ModelOutcome
from core.errors import JobError, LlmError, NotFoundError
from core.extract.base import Definitions, uncertain
from core.extract.jobs.service import read_text
from core.extract.model.accept import WORTH_A_SECOND_LOOK, Answered, Refusal, findings_of, weighed
from core.extract.model.calls import (
    CellCall,
    CellReplies,
    cell_prompt,
    pack,
    prompt_label,
    second_look,
)
from core.extract.model.waiting import WaitingDocument, basis, reply_key, waiting
from core.fields.consistency import consistent
from core.fields.typed import same
from core.jobs.base import JobContext
from core.llm.base import ModelCalls
from core.store.base import JobItem
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
_POLL_S = 0.2
_MOST_FAILED = 3  # calls in a row without a reply: the server is the matter, not the document
_NOTHING_SENT = "Not read: it has no text, or more than the model can be given in parts."
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
    """Request of such a job. bucket, fields, documents: None for all. cells: how many waited then.

    with_decided: cells that extraction decided are read, too, and compared with it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cells: int = 0
    bucket: str | None = None
    fields: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    with_decided: bool = False


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


class _SliceEnd(Exception):  # noqa: N818 - no error: others have their turn, and the document is gone on with
    """The slice is over, and what is left of a document waits for the next one."""


@dataclass(slots=True)
class _Slice:
    """What the threads of one slice share. not_before: when the minute's budget is free again."""

    context: JobContext
    payload: ReadCellsPayload
    definitions: Definitions
    is_over: bool = False
    not_before: float = 0.0
    running: set[ModelCalls] = field(default_factory=set)
    lock: Lock = field(default_factory=Lock)  # guards what runs

    def stop(self) -> None:
        """Give up what runs."""
        self.is_over = True
        with self.lock:
            for calls in self.running:
                calls.stop()


class ReadCellsJob:
    """The handler of the job kind `read_cells`. load: what is asked of documents now."""

    def __init__(
        self,
        records: Records,
        load: Callable[[], Definitions],
        models: JobModels,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._records, self._load, self._models, self._clock = records, load, models, clock
        self._failed_calls = 0

    def prepare(self, context: JobContext) -> None:
        """Write the job's items, a document each, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        payload = ReadCellsPayload.model_validate(context.order.payload)
        given = None if payload.documents is None else [DocumentId(each) for each in payload.documents]
        found = self._waiting(payload, self._load(), payload.bucket, given)
        known = self._records.documents.get_many([each.document for each in found], _EVERYTHING)
        self._records.jobs.add_items(
            job,
            [
                JobItem(summary.source, summary.bucket, {"document": each.document})
                for each in found
                if (each.cells or each.kept) and (summary := known.get(each.document)) is not None
            ],
        )

    def work(self, context: JobContext) -> bool:
        """Read documents, several at once, until none is left or the slice has lasted long enough.

        Raises LlmError where no further call can be made: the budget of the day, the key, the server.
        """
        job = context.order.id
        payload = ReadCellsPayload.model_validate(context.order.payload)
        at_once = self._models.settings.reading_at_once
        shared = _Slice(context, payload, self._load())
        waiting_items = deque(self._records.jobs.pending(job))
        running: dict[Future[_Counts], JobItem] = {}
        error: LlmError | None = None
        with ThreadPoolExecutor(at_once, thread_name_prefix="read-cells") as pool:
            try:
                while running or (waiting_items and not shared.is_over):
                    while waiting_items and len(running) < at_once and not shared.is_over:
                        item = waiting_items.popleft()
                        running[pool.submit(self._read, item, shared)] = item
                    ended, _ = wait(running, _POLL_S, FIRST_COMPLETED)
                    context.check()
                    shared.is_over = shared.is_over or context.should_yield()
                    for each in ended:
                        try:
                            self._note(running.pop(each), each.result(), job)
                        except _SliceEnd:
                            shared.is_over = True
                        except LlmError as raised:  # the others finish what they pay for
                            error, shared.is_over = error or raised, True
            except BaseException:
                shared.stop()
                raise
        if error is not None:
            raise error
        return bool(self._records.jobs.pending(job))

    def _read(self, item: JobItem, shared: _Slice) -> _Counts:
        """Read one document. Raises _SliceEnd where it is not done."""
        document, job = DocumentId(str(item.payload["document"])), shared.context.order.id
        counts = _Counts()
        for found in self._waiting(shared.payload, shared.definitions, None, [document]):
            counts.decided += self._records.model_readings.keep(
                found.document, found.version, found.kept, job
            )
            if not found.cells:
                continue
            try:
                text = read_text(self._records, document, found.version)
            except NotFoundError:
                continue
            groups = pack(text, found.cells, self._models.settings)
            if not groups:
                counts.failed = _NOTHING_SENT
            judged = [
                (group[0], self._judged(group, (at, len(groups)), shared, counts))
                for at, group in enumerate(groups)
            ]
            for call, own in judged:  # not before: what is left would be asked in other groups after a kill
                if own is not None:
                    self._keep(found, call, own, job, counts)
        if not counts.failed:
            self._records.model_readings.forget_replies(document)
        return counts

    def _judged(
        self, group: Sequence[CellCall], place: tuple[int, int], shared: _Slice, counts: _Counts
    ) -> dict[str, Finding | Refusal] | None:
        """What the answers of a group come to, those whose words do not stand looked at once more.

        None where a call failed. place: which of how many groups. Raises LlmError, _SliceEnd.
        """
        text, job = group[0].document, shared.context.order.id
        answered: list[tuple[CellCall, CellReplies]] = []
        try:
            for at, call in enumerate(group):
                steps = place[1] * len(group)
                current = CurrentItem(text.title or text.source, place[0] * len(group) + at, steps)
                self._records.jobs.set_current(job, current)
                answered.append((call, self._reply(call, shared)))
            judged = findings_of(answered)
            if again := _doubted(answered, judged):
                looked = findings_of([(again, self._reply(again, shared))])
                judged |= {name: each for name, each in looked.items() if isinstance(each, Finding)}
        except LlmError as error:
            self._note_failure(error, counts)
            return None
        return judged

    def _reply(self, call: CellCall, shared: _Slice) -> CellReplies:
        """The reply to a call, of this or an earlier attempt. Raises LlmError, _SliceEnd."""
        key = reply_key(call, self._models.settings.reading_model)
        known = self._records.model_readings.reply(key)
        if known is not None:
            return CellReplies.model_validate_json(known)
        while True:
            while self._clock() < shared.not_before and not shared.is_over:
                time.sleep(_POLL_S)
            if shared.is_over:
                raise _SliceEnd
            try:
                replies = self._ask(call, shared)
            except LlmError as error:
                if error.outcome != ModelOutcome.OVER_BUDGET or not error.retry_after_s:
                    raise
                shared.not_before = self._clock() + error.retry_after_s  # the minute is used up
            else:
                self._failed_calls = 0
                self._records.model_readings.keep_reply(
                    call.document.document, key, replies.model_dump_json()
                )
                return replies

    def _ask(self, call: CellCall, shared: _Slice) -> CellReplies:
        order = shared.context.order
        calls = self._models.open(order.user, order.id)
        if calls is None:
            raise JobError(
                "No language model is configured any more.",
                next_step="Choose one in Settings, then resume the job.",
            )
        with shared.lock:
            shared.running.add(calls)
        try:
            prompt, schema = cell_prompt(call)
            return calls.structured(prompt, CellReplies, schema)
        finally:
            with shared.lock:
                shared.running.discard(calls)
            calls.stop()

    def _keep(
        self,
        found: WaitingDocument,
        call: CellCall,
        judged: Mapping[str, Finding | Refusal],
        job: str,
        counts: _Counts,
    ) -> None:
        settings, label = self._models.settings, prompt_label()
        compared = self._compared(found, call, judged)
        asked = [cell.definition for cell in call.cells]
        cells = self._records.fields.cells(
            _EVERYTHING, documents=[found.document], fields=[each.name for each in asked]
        )
        decided_before = {
            each.field: each.finding
            for each in cells
            if each.version == found.version and each.finding.method != MODEL
        }
        readings = [
            _reading(
                compared[each.name],
                ModelReading(
                    each.name, uncertain(0.0, ""), basis(each, settings), settings.reading_model, label
                ),
                decided_before.get(each.name),
            )
            for each in asked
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

    def _waiting(
        self,
        payload: ReadCellsPayload,
        definitions: Definitions,
        bucket: str | None,
        documents: Sequence[DocumentId] | None,
    ) -> list[WaitingDocument]:
        return waiting(
            self._records,
            definitions,
            self._models.settings,
            bucket=bucket,
            fields=payload.fields,
            documents=documents,
            with_decided=payload.with_decided,
        )

    def _note(self, item: JobItem, counts: _Counts, job: JobId) -> None:
        document = DocumentId(str(item.payload["document"]))
        self._records.jobs.set_items(job, {item.ordinal: self._outcome(document, item, counts)})

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


def _reading(judged: Finding | Refusal, empty: ModelReading, known: Finding | None) -> ModelReading:
    """The answer as it is kept. known: the cell as extraction has it."""
    if isinstance(judged, Refusal):
        return replace(empty, reason=judged.value)
    judged = weighed(judged, known)
    if (
        judged.status is CellStatus.UNCERTAIN
    ):  # it contradicts another cell or the head: shown beside it, not counted
        return replace(empty, finding=judged, reason=judged.note)
    finding = replace(judged, candidates=(), note=f"{empty.model} ({empty.prompt}).")
    if known is None or known.status is CellStatus.UNCERTAIN or not differ(known, judged):
        return replace(empty, finding=finding)
    values = ", ".join(f"\u201c{each.text}\u201d" for each in judged.values[:3])
    found = "none in the whole text" if judged.status is CellStatus.ABSENT else values
    return replace(empty, finding=finding, reason=f"{CONTRADICTION}{empty.model} found {found}.")


def differ(one: Finding, other: Finding) -> bool:
    """True where one says present and the other absent, or no value of one is a value of the other."""
    if one.status is not other.status:
        return True
    return bool(one.values and other.values) and not any(
        same(mine, its) for mine in one.values for its in other.values
    )


def _doubted(answered: Answered, judged: Mapping[str, Finding | Refusal]) -> CellCall | None:
    """A second look at those whose words or values do not stand; None where there are none."""
    call = answered[0][0]
    doubts = {
        cell.id: (
            refusal.value + _said(answered, cell.id),
            {each.block for _, replies in answered for each in replies.found if each.cell == cell.id},
        )
        for cell in call.cells
        if isinstance(refusal := judged[cell.definition.name], Refusal) and refusal in WORTH_A_SECOND_LOOK
    }
    return second_look(call, doubts)


def _said(answered: Answered, cell: str) -> str:
    """The first answers about a cell, to be mended."""
    said = [each for _, replies in answered for each in replies.found if each.cell == cell]
    return "".join(f"\nvalue: {each.value}\nquote: {each.quote[:300]}" for each in said[:3])
