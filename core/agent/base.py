"""Records, language models, prose and tools as the orchestrator needs them; a test holds them in memory."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Literal, Protocol

from core.answer.prose.more_evidence import EvidenceSearch
from core.answer.prose.units import EvidencePool
from core.config.models import LlmSettings
from core.domain.answer import Answer, OtherReading
from core.domain.document import DocumentSummary
from core.domain.event import Event, Trace
from core.domain.ids import TraceId
from core.domain.trust.review import FlaggedAnswer
from core.errors import RecordsError
from core.evidence.base import PageSource
from core.llm.base import ModelCalls
from core.records.base import BucketSummary, DocumentQuery
from core.records.database.visibility import Visibility


class DocumentSource(PageSource, Protocol):
    """Pages, and what there is to search; `records.documents` is the real one."""

    def list(self, visible: Visibility, query: DocumentQuery = ...) -> Sequence[DocumentSummary]:
        """The visible documents that fit the query."""
        ...

    def buckets(self, visible: Visibility) -> Sequence[BucketSummary]:
        """Every bucket with the visible documents and passages in it."""
        ...


class TraceStore(Protocol):
    """Keeps traces; `records.traces` is the real one."""

    def save(self, trace: Trace, *, origin: str = "", flagged: FlaggedAnswer | None = None) -> None:
        """Keep a trace with its answer, and the flags of that."""
        ...

    def add_follow_ups(self, trace: TraceId, questions: Sequence[str], user: str) -> None:
        """Keep the follow-ups of a user's answer that were planned once it was there."""
        ...

    def add_readings(self, trace: TraceId, readings: Sequence[OtherReading], user: str) -> None:
        """Keep the other readings of a user's answer, counted once it was there."""
        ...


class ChangeSource(Protocol):
    """Tells the state of the collection; `records.changes` is the real one."""

    def data_version(self) -> int:
        """Rises with every change of the collection."""
        ...


Agent = Literal["", "orchestrator", "loop"]
"""Agent that works with a model: one that plans first, or one conversation with tools; "": as set."""

Way = Literal["", "text", "whatever", "afresh"]
"""text: search the text of everything. whatever: do so where something would have to be asked back.
afresh: as if nothing had been chosen in the conversation.
"""


class ModelSource(Protocol):
    """The configured language models; `core.llm` has the real one."""

    @property
    def settings(self) -> LlmSettings:
        """The settings that hold now; an admin may change them between two questions."""
        ...

    def calls(
        self,
        user: str,
        trace_id: str,
        *,
        on_wait: Callable[[float], None] = ...,
        on_unkept: Callable[[RecordsError], None] = ...,
    ) -> ModelCalls | None:
        """The calls of one question, with the budget and deadline of one; None where there is no model.

        on_wait: gets the seconds for which a call waits for the token budget, as it begins to. on_unkept: is
        told once where what the calls spend cannot be recorded.
        """
        ...


class ProseWriter(Protocol):
    """Writes an answer's prose; `core.answer.prose.writer.AnswerWriter` is the real one."""

    def write(
        self,
        answer: Answer,
        pool: EvidencePool,
        calls: ModelCalls,
        settings: LlmSettings,
        visibility: Visibility,
        at_ms: Callable[[], float],
        search: EvidenceSearch | None = None,
        rounds: int = 0,
    ) -> Generator[Event, None, Answer]:
        """The answer in prose, or as it was; every event of the way there.

        search: looks for what the model misses; rounds: how often it may.
        """
        ...


class ToolBox(Protocol):
    """The tools that a model may call; `core.retrieval.tools.Tools` is the real one."""

    def schemas(self) -> list[dict[str, Any]]:
        """Every tool: name, description and JSON schema of its arguments."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Result of a tool. Raises UsageError and NotFoundError, in words that a model can act on."""
        ...


class AnswerRecords(Protocol):
    """The parts of the records that answering needs; `core.records.store.Records` is the real one."""

    @property
    def documents(self) -> DocumentSource:
        """Documents and their pages."""
        ...

    @property
    def traces(self) -> TraceStore:
        """Store of traces."""
        ...

    @property
    def changes(self) -> ChangeSource:
        """The state of the collection."""
        ...
