"""The first calls of a job's documents as batches: replies are kept as if each had been asked by itself.

A batch has a row before it is sent, with all that it may take; so a job that goes on after a kill finds it
again, by the server's id or by its label, and sends nothing twice. What fails in it is asked one by one.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from core.domain.ids import DocumentId
from core.domain.job import CurrentItem, JobState
from core.domain.llm.cells import BATCH_SHARE
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.errors import LlmError, NotFoundError
from core.extract.model.calls import CellCall, CellReplies, cell_prompt, prompt_label
from core.extract.model.reader import DocumentReader, JobModels, ReadingSlice, no_model
from core.extract.model.waiting import reply_key
from core.jobs.base import JobWaits
from core.llm.base import ChatRequest
from core.llm.batch import MOST_BYTES, MOST_LINES, WINDOW_S, Batch, BatchLine, BatchServer
from core.llm.budget import CHARS_PER_TOKEN, over_day
from core.llm.calls import read_reply
from core.llm.roles import role_settings
from core.llm.schema import strict_schema
from core.store.base import JobItem
from core.store.jobs.model_calls import BATCH, OpenBatch
from core.store.store import Records

_LATE = timedelta(seconds=WINDOW_S + 3_600)  # the server has a day; it may need a while to say so
_MOST_READY = 50  # documents that are looked through before they are read
_MOST_FAILED = 3  # lines of a batch of which none has a reply: the request is the matter, not the text


@dataclass(slots=True)
class _Lines:
    """Requests that become a batch. prompt, completion: tokens that they may take."""

    lines: list[bytes] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    size: int = 0
    prompt: int = 0
    completion: int = 0


class BatchReading:
    """Sends what the documents of a job take, and fetches what came back. poll_s: between two looks."""

    def __init__(
        self,
        records: Records,
        models: JobModels,
        reader: DocumentReader,
        poll_s: float = 20.0,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._records, self._models, self._reader = records, models, reader
        self._poll_s, self._now = poll_s, now
        self._sent: dict[str, set[str]] = {}  # keys of the calls of a batch
        self._singly: set[str] = set()  # of those that failed in one

    def ready(self, shared: ReadingSlice, items: Sequence[JobItem]) -> Sequence[JobItem]:
        """The next documents whose first calls are answered, or failed in a batch.

        Raises JobWaits while a batch is under way, LlmError where none can be.
        """
        job, is_on = shared.context.order.id, self._models.settings.batch
        if not is_on and not self._records.model_calls.open_batches(job):
            return items
        server = self._models.batches()
        if server is None:
            raise no_model()
        with contextlib.closing(server):
            for batch in self._records.model_calls.open_batches(job):
                try:
                    self._follow(server, batch)
                except LlmError as error:
                    if error.is_lasting or self._now() > batch.at + _LATE:
                        raise
                    raise JobWaits(self._poll_s) from None  # a server that is away does not end a batch
            if not is_on:
                return items
            ready, lines = self._collect(server, shared, items)
            if lines.lines:
                self._submit(server, shared, lines)
                raise JobWaits(self._poll_s)
            return ready

    def _collect(
        self, server: BatchServer, shared: ReadingSlice, items: Sequence[JobItem]
    ) -> tuple[list[JobItem], _Lines]:
        """The first documents that can be read; where there is none, the lines of those that come first."""
        ready: list[JobItem] = []
        found, left = _Lines(), self._day_left()
        for item in items:
            shared.context.check()
            document = DocumentId(str(item.payload["document"]))
            missing = list(self._missing(shared, document))
            if (missing and ready) or len(ready) == _MOST_READY:
                break
            if not missing and not found.lines:
                ready.append(item)
            for key, call in missing:
                request = self._request(call)
                line = server.line(f"{document}-{key}", request)
                prompt = len(line) // CHARS_PER_TOKEN
                taken = found.prompt + found.completion + prompt + request.max_tokens
                if taken > left and not found.lines:
                    per_day = self._models.settings.tokens_per_day
                    raise over_day(per_day, per_day - left, taken)
                if taken > left or len(found.lines) == MOST_LINES or found.size + len(line) > MOST_BYTES:
                    return ready, found
                found.lines.append(line)
                found.keys.add(key)
                found.size += len(line)
                found.prompt += prompt
                found.completion += request.max_tokens
        return ready, found

    def _missing(self, shared: ReadingSlice, document: DocumentId) -> Iterator[tuple[str, CellCall]]:
        """The calls of a document that have no reply and did not fail, by key."""
        model = self._models.settings.reading_model
        for found in self._reader.waiting(shared, None, [document]):
            for call in (call for group in self._reader.groups(found) or () for call in group):
                key = reply_key(call, model)
                if key not in self._singly and self._records.model_readings.reply(key) is None:
                    yield key, call

    def _request(self, call: CellCall) -> ChatRequest:
        settings = self._models.settings
        role, (prompt, schema) = role_settings(settings)[ModelRole.READ], cell_prompt(call)
        return ChatRequest(
            role.model,
            prompt.messages,
            prompt.reply_tokens or role.max_tokens,
            settings.timeout_s,
            role.effort,
            schema,
            prompt.name,
        )

    def _day_left(self) -> int:
        return self._models.settings.tokens_per_day - self._records.model_calls.day_tokens()

    def _submit(self, server: BatchServer, shared: ReadingSlice, lines: _Lines) -> None:
        order = shared.context.order
        call = self._call(ModelOutcome.BEGUN, lines.prompt, lines.completion)
        batch = OpenBatch(f"{BATCH}{secrets.token_hex(12)}", order.id, order.user, self._now(), call)
        self._records.model_calls.begin_batch(batch)
        try:
            made = server.submit(batch.id, lines.lines)
        except LlmError as error:
            if ModelOutcome(error.outcome) not in (ModelOutcome.TIMED_OUT, ModelOutcome.CUT_SHORT):
                self._records.model_calls.end_batch(batch, {})  # else the server may have it
            raise
        self._sent[batch.id] = lines.keys
        self._records.model_calls.begin_batch(_with_remote(batch, made.id))
        self._show(batch, replace(made, total=len(lines.lines)))

    def _follow(self, server: BatchServer, batch: OpenBatch) -> None:
        """Fetch what a batch came to. Raises JobWaits while it is under way, LlmError where in vain."""
        state = server.state(batch.remote) if batch.remote else server.find(batch.id)
        if state is None:  # it never came to be, or the server forgot it
            self._records.model_calls.end_batch(batch, {})
            return
        if not batch.remote:
            batch = _with_remote(batch, state.id)
            self._records.model_calls.begin_batch(batch)
        self._show(batch, state)
        is_late = not state.is_ended and self._now() > batch.at + _LATE
        if not state.is_ended and not is_late:
            raise JobWaits(self._poll_s)
        if is_late:
            with contextlib.suppress(LlmError):
                server.cancel(state.id)
        count, said = self._fetch(server, batch, state)
        why = ""
        if is_late:
            why = f"has not ended its batch {state.id!r} by {_moment(batch)}, so it was given up."
        elif state.status == "failed":
            why = f"did not begin its batch {state.id!r}: {state.problem or 'it does not say why'}."
        elif state.status == "expired" and not count:
            why = f"came to nothing of its batch {state.id!r} within a day."
        elif state.status == "completed" and not count and state.total > _MOST_FAILED:
            why = f"answered no request of its batch {state.id!r}: {said or 'it does not say why'}."
        if why:
            raise LlmError(
                f"The server {why}",
                outcome=ModelOutcome.UNAVAILABLE,
                next_step="Resume the job to send it again, or switch batches off in Settings: then it asks "
                "one by one, at the full price.",
                is_lasting=True,
            )

    def _fetch(self, server: BatchServer, batch: OpenBatch, state: Batch) -> tuple[int, str]:
        """Keep what came back; gives how many replies, and the first failure."""
        calls: dict[str, ModelCall] = {}
        left, count, said = self._sent.pop(batch.id, set()), 0, ""
        for line in server.lines(state):
            document, _, key = line.id.partition("-")
            outcome = self._keep(DocumentId(document), key, line)
            if outcome is ModelOutcome.DONE:
                count += 1
                left.discard(key)
            else:
                left.add(key)
                said = said or line.said
            if line.reply is not None:
                tokens = line.reply.prompt_tokens, line.reply.completion_tokens
                calls[key] = self._call(outcome, *tokens, attempts=1)
        if state.status == "completed":
            self._singly |= left
        self._records.model_calls.end_batch(batch, calls)
        return count, said

    def _keep(self, document: DocumentId, key: str, line: BatchLine) -> ModelOutcome:
        if line.reply is None:
            return ModelOutcome.UNAVAILABLE
        replies, _ = read_reply(line.reply, CellReplies, strict_schema(CellReplies))
        if replies is None:
            return ModelOutcome.INVALID
        self._records.model_readings.keep_reply(document, key, replies.model_dump_json())
        return ModelOutcome.DONE

    def _show(self, batch: OpenBatch, state: Batch) -> None:
        said = f"A batch at half the price, by {_moment(batch)} at the latest"
        self._records.jobs.set_current(batch.job, CurrentItem(said, state.done, max(1, state.total)))

    def _call(self, outcome: ModelOutcome, prompt: int, completion: int, attempts: int = 0) -> ModelCall:
        settings = self._models.settings
        price = settings.price_of(settings.reading_model)
        return ModelCall(
            role=ModelRole.READ,
            prompt=prompt_label(),
            model=settings.reading_model,
            outcome=outcome,
            prompt_tokens=prompt,
            completion_tokens=completion,
            cost_usd=None if price is None else BATCH_SHARE * price.cost_usd(prompt, completion),
            attempts=attempts,
        )


def cancel_left(records: Records, models: JobModels, known: set[str]) -> None:
    """Cancel the batches of jobs that were cancelled; known: those that were, which this adds to."""
    for batch in records.model_calls.open_batches():
        if batch.id in known or not batch.remote or not _is_cancelled(records, batch):
            continue
        server = models.batches()
        if server is None:
            return
        with contextlib.closing(server):
            try:
                server.cancel(batch.remote)
            except LlmError as error:
                if not error.is_lasting:
                    continue  # the next look tries again
        known.add(batch.id)


def _is_cancelled(records: Records, batch: OpenBatch) -> bool:
    try:
        return records.jobs.get(batch.job).state is JobState.CANCELLED
    except NotFoundError:
        return True


def _with_remote(batch: OpenBatch, id: str) -> OpenBatch:
    return replace(batch, call=batch.call.model_copy(update={"detail": id}))


def _moment(batch: OpenBatch) -> str:
    return f"{batch.at + _LATE:%d %B, %H:%M} (UTC)"
