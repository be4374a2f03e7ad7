"""Extraction in child processes, so that every core is used and no text harms the worker.

A child opens no database: what it needs of the records comes with the task, and what it found is written by
the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.config.models import Settings
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import Extraction, Finding
from core.extract.base import Definitions, DocumentText
from core.processes.children import TaskPool
from core.processes.loop import Reply, pool_size, serve

_SHORT_S, _PER_MILLION_S, _LONG_S = 60.0, 120.0, 900.0  # a million characters take about 10 s
_NICENESS = 5  # the app and the encoder come first
_OUT_OF_MEMORY = (
    "The extractor ran out of memory.",
    "Split the document, or raise ingest.parse_memory_mb.",
)


@dataclass(frozen=True, slots=True)
class ExtractSetup:
    """Setup that a child needs once."""

    settings: Settings
    definitions: Definitions


@dataclass(frozen=True, slots=True)
class ExtractTask:
    """A document to extract. schema: "" for the one that it looks like.

    fields: only these of its schema, and no table rows and facts but their clauses; None for all.
    original: a file to read PDF tables from; "" for none. is_opening: only the fields that are read first.
    known: what was found of those before; they are not read again. beside: cells as they count that checks
    compare with.
    """

    text: DocumentText
    vectors: SentenceVectors | None = None
    schema: str = ""
    fields: tuple[str, ...] | None = None
    original: str = ""
    is_opening: bool = False
    known: Mapping[str, Finding] = field(default_factory=dict)
    beside: Mapping[str, Finding] = field(default_factory=dict)


Work = Callable[[ExtractTask], Extraction]


class ExtractPool(TaskPool):
    """Child processes that extract under one set of definitions. Thread-safe; starts what it needs."""

    def __init__(
        self, settings: Settings, definitions: Definitions, module: str = "core.extract.jobs.work"
    ) -> None:
        self.definitions = definitions
        setup = ExtractSetup(settings, definitions)
        super().__init__(module, setup, pool_size(settings.ingest), "extractor", _OUT_OF_MEMORY)

    def extract(self, task: ExtractTask) -> Reply[Extraction]:
        """Reply to a task; blocks, and waits for a free process.

        Every way in which a document can fail is a reply. Raises ChildStartError, and PoolClosedError once
        the pool is closed.
        """
        allowed_s = time_allowed(len(task.text.text))
        return self.reply(task, allowed_s, late="Split the document.", crashed="Report this document.")


def time_allowed(characters: int) -> float:
    """Seconds that a text may take: many times what it needs."""
    return min(_LONG_S, _SHORT_S + _PER_MILLION_S * characters / 1e6)


def serve_with(start: Callable[[ExtractSetup], Work]) -> None:
    """Serve tasks until the input ends; `start` makes what does them."""

    def begin(setup: ExtractSetup) -> Callable[[ExtractTask], Reply[Extraction]]:
        work = start(setup)
        return lambda task: _attempt(work, task)

    serve(begin, niceness=_NICENESS)


def _attempt(work: Work, task: ExtractTask) -> Reply[Extraction]:
    try:
        return Reply(work(task))
    except MemoryError:
        return Reply(None, *_OUT_OF_MEMORY)
    except Exception as error:
        # A fault of ours that this text brings out: its cells say so, the other documents go on.
        return Reply(
            None, f"Its fields could not be read ({type(error).__name__}: {error}).", "Report this document."
        )
