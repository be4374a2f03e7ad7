"""One document's cells read by a language model: asked, judged by its text, and kept together."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from core.config.fields import FieldDefinition
from core.config.llm_choices import TITLE
from core.config.models import LlmSettings
from core.domain.fields import CellStatus, Finding
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId
from core.domain.job import CurrentItem
from core.domain.llm.cells import CONTRADICTION, MODEL
from core.domain.llm.use import ModelOutcome
from core.errors import JobError, LlmError, NotFoundError
from core.extract.base import Definitions, uncertain
from core.extract.jobs.service import read_text
from core.extract.model.accept import WORTH_A_SECOND_LOOK, Answered, Refusal, findings_of, weighed
from core.extract.model.calls import (
    MOST_WINDOWS,
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
from core.llm.batch import BatchServer
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
POLL_S = 0.2
_MOST_FAILED = 3  # calls in a row without a reply: the server is the matter, not the document
_NOTHING_SENT = f"Not read: it has no text, or more than the model can be given in {MOST_WINDOWS} parts."
_BUDGET_TOO_SMALL = (
    f"Not read: within the budgets it takes more than {MOST_WINDOWS} calls. Raise "
    f"{TITLE['tokens_per_minute']!r} or {TITLE['tokens_per_day']!r} in Settings, then try it again."
)
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


class ReadCellsPayload(Frozen):
    """Request of such a job. bucket, fields, documents: None for all. cells: how many waited then.

    with_decided: cells that extraction decided are read, too, and compared with it.
    """

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

    def batches(self) -> BatchServer | None:
        """The server's batches; None where no model is configured."""
        ...


@dataclass(slots=True)
class Counts:
    """Outcome of one document's cells in this attempt."""

    decided: int = 0
    uncertain: int = 0
    failed: str = ""


class SliceEnd(Exception):  # noqa: N818 - no error: others have their turn, and the document is gone on with
    """The slice is over, and what is left of a document waits for the next one."""


@dataclass(slots=True)
class ReadingSlice:
    """State that the threads of one slice share. not_before: when the minute's budget is free again."""

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


class DocumentReader:
    """Reads documents, several at once. Thread-safe."""

    def __init__(self, records: Records, models: JobModels, clock: Callable[[], float]) -> None:
        self._records, self._models, self._clock = records, models, clock
        self._failed_calls = 0

    def waiting(
        self, shared: ReadingSlice, bucket: str | None, documents: Sequence[DocumentId] | None
    ) -> list[WaitingDocument]:
        """Documents that wait for the job of this slice."""
        return waiting(
            self._records,
            shared.definitions,
            self._models.settings,
            bucket=bucket,
            fields=shared.payload.fields,
            documents=documents,
            with_decided=shared.payload.with_decided,
        )

    def groups(self, found: WaitingDocument) -> list[tuple[CellCall, ...]] | None:
        """The calls for its cells in groups; None for no cells, and where its text is gone."""
        if not found.cells:
            return None
        try:
            text = read_text(self._records, found.document, found.version)
        except NotFoundError:
            return None
        return pack(text, found.cells, self._models.settings)

    def read(self, document: DocumentId, shared: ReadingSlice) -> Counts:
        """Read one document. Raises LlmError where no other would fare better, SliceEnd."""
        counts, job = Counts(), shared.context.order.id
        for found in self.waiting(shared, None, [document]):
            counts.decided += self._records.model_readings.keep(
                found.document, found.version, found.kept, job
            )
            groups = self.groups(found)
            if groups is None:
                continue
            if not groups:
                counts.failed = self._not_sent(found)
            judged: dict[str, Finding | Refusal] = {}
            for at, group in enumerate(groups):
                judged |= self._judged(group, (at, len(groups)), shared, counts) or {}
            # All of it at once: after a kill what is left would be asked in other groups.
            self._keep(found, judged, shared, counts)
        if not counts.failed:
            self._records.model_readings.forget_replies(document)
        return counts

    def _not_sent(self, found: WaitingDocument) -> str:
        """Reason for a document to have no calls."""
        settings = self._models.settings
        without = settings.model_copy(
            update={"tokens_per_minute": 0, "tokens_per_day": settings.reading_tokens}
        )
        text = read_text(self._records, found.document, found.version)
        return _BUDGET_TOO_SMALL if pack(text, found.cells, without) else _NOTHING_SENT

    def _judged(
        self, group: Sequence[CellCall], place: tuple[int, int], shared: ReadingSlice, counts: Counts
    ) -> dict[str, Finding | Refusal] | None:
        """What the answers of a group come to, those whose words do not stand looked at once more.

        None where a call failed. place: which of how many groups. Raises LlmError, SliceEnd.
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

    def _reply(self, call: CellCall, shared: ReadingSlice) -> CellReplies:
        """The reply to a call, of this or an earlier attempt. Raises LlmError, SliceEnd."""
        key = reply_key(call, self._models.settings.reading_model)
        known = self._records.model_readings.reply(key)
        if known is not None:
            return CellReplies.model_validate_json(known)
        while True:
            while self._clock() < shared.not_before and not shared.is_over:
                time.sleep(POLL_S)
            if shared.is_over:
                raise SliceEnd
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

    def _ask(self, call: CellCall, shared: ReadingSlice) -> CellReplies:
        order = shared.context.order
        calls = self._models.open(order.user, order.id)
        if calls is None:
            raise no_model()
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
        judged: Mapping[str, Finding | Refusal],
        shared: ReadingSlice,
        counts: Counts,
    ) -> None:
        settings, label = self._models.settings, prompt_label()
        compared = self._compared(found, judged, shared.definitions)
        asked = [each for each in found.cells if each.name in judged]
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
        job = shared.context.order.id
        decided = self._records.model_readings.keep(found.document, found.version, readings, job)
        counts.decided += decided
        counts.uncertain += len(readings) - decided

    def _compared(
        self, found: WaitingDocument, judged: Mapping[str, Finding | Refusal], known: Definitions
    ) -> dict[str, Finding | Refusal]:
        """The same, values that contradict other cells of the document as candidates with the reason."""
        definitions: Sequence[FieldDefinition] = next(
            (schema.fields for schema in known.schemas if all(each in schema.fields for each in found.cells)),
            found.cells,
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

    def _note_failure(self, error: LlmError, counts: Counts) -> None:
        """Leave the cells of a call for a later attempt; raises the error where others would end so, too."""
        self._failed_calls += 1
        if ModelOutcome(error.outcome) not in _OF_THE_CALL or self._failed_calls >= _MOST_FAILED:
            raise error
        counts.failed = error.message


def _reading(judged: Finding | Refusal, empty: ModelReading, known: Finding | None) -> ModelReading:
    """The answer as it is kept. known: the cell as extraction has it."""
    if isinstance(judged, Refusal):
        return replace(empty, reason=judged.value)
    judged = weighed(judged, known)
    if judged.status is CellStatus.UNCERTAIN:  # another cell or the head is against it: shown, not counted
        return replace(empty, finding=judged, reason=judged.note)
    finding = replace(judged, candidates=(), note=f"{empty.model} ({empty.prompt}).")
    if known is None or known.status is CellStatus.UNCERTAIN or not in_dispute(known, judged):
        return replace(empty, finding=finding)
    values = ", ".join(f"\u201c{each.text}\u201d" for each in judged.values[:3])
    found = "none in the whole text" if judged.status is CellStatus.ABSENT else values
    return replace(empty, finding=finding, reason=f"{CONTRADICTION}{empty.model} found {found}.")


def no_model() -> JobError:
    """The error of a job whose model is gone."""
    return JobError(
        "No language model is configured any more.",
        next_step="Choose one in Settings, then resume the job.",
    )


def in_dispute(one: Finding, other: Finding) -> bool:
    """True of two findings of a cell, one present and the other absent, or without a value in common."""
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
