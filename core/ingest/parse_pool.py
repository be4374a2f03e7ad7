"""Parsing and chunking in child processes: a file at a time, with a time limit, unharmed by a crash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.config.models import Settings
from core.domain.document import PageReading, ParsedDocument
from core.domain.passage import Passage
from core.encode.base import TokenCounter
from core.errors import InputError
from core.processes.children import TaskPool
from core.processes.loop import Reply, limit_memory, pool_size, serve

_LEAST_TIME = 0.2
_FULL_TIME_MB = 15.0
_NICENESS = 5  # the encoder's threads come first: one that waits for a core holds up all of its batch
_AFTER_A_CRASH = "Open it in its own program, save it again and retry."
_AFTER_TOO_LONG = "Split the file, or raise ingest.parse_timeout_s."
_OUT_OF_MEMORY = ("The parser ran out of memory.", "Split the file, or raise ingest.parse_memory_mb.")


@dataclass(frozen=True, slots=True)
class ParseTask:
    """A file to parse; `source` is what the user calls it. readings: what was read off its page images."""

    path: Path
    source: str
    readings: tuple[PageReading, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A document and its passages; their `document` and `version` are not set yet."""

    parsed: ParsedDocument
    passages: tuple[Passage, ...]


class ParsePool(TaskPool):
    """Parses files in child processes that start when they are needed. Thread-safe."""

    def __init__(self, settings: Settings, module: str = __name__) -> None:
        self._most_s = settings.ingest.parse_timeout_s
        super().__init__(module, settings, pool_size(settings.ingest), "parser", _OUT_OF_MEMORY)

    def parse(self, path: Path, source: str, readings: Sequence[PageReading] = ()) -> ParsedFile:
        """The document and its passages; blocks, and waits for a free process.

        readings: what was read off its page images, for pages without text.
        Raises InputError, also where the parser crashed or took too long; ChildStartError; PoolClosedError
        once the pool is closed.
        """
        task = ParseTask(path, source, tuple(readings))
        allowed_s = time_allowed(path, self._most_s)
        reply = self.reply(task, allowed_s, late=_AFTER_TOO_LONG, crashed=_AFTER_A_CRASH)
        if reply.value is None:
            raise InputError(reply.reason, source=source, next_step=reply.next_step)
        file: ParsedFile = reply.value
        return file


def time_allowed(path: Path, most_s: float) -> float:
    """Seconds that a file may take: a fifth of the most where it is small, all of it from 12 MB on.

    The largest ordinary files need seconds (2,000 pages of PDF: 6 s), so what is small and still slow is
    damaged or hostile, and should not hold up a parser as long as a large one may.
    """
    try:
        size_mb = path.stat().st_size / 1e6
    except OSError:  # the parser says what is wrong with it
        size_mb = 0.0
    return most_s * min(1.0, _LEAST_TIME + size_mb / _FULL_TIME_MB)


def parse_and_chunk(task: ParseTask, settings: Settings, counter: TokenCounter) -> Reply[ParsedFile]:
    """Parse one file and cut it into passages; every way to fail is a reply with its reason."""
    from core.ingest.chunk import chunk
    from core.ingest.parse.base import ParseLimits
    from core.ingest.parse.dispatch import parse_file

    try:
        parsed = parse_file(task.path, task.source, ParseLimits.of(settings.ingest))
        if task.readings:
            from core.ingest.image_text import with_readings

            parsed = with_readings(parsed, task.readings)
        passages = chunk(parsed.pages, counter, settings.ingest.profile, links=parsed.links)
        if not passages and not parsed.unreadable_reason:
            parsed = replace(parsed, unreadable_reason="It holds no text.")
        return Reply(ParsedFile(parsed, tuple(passages)))
    except InputError as error:
        return Reply(None, error.message, error.next_step)
    except MemoryError:
        return Reply(None, *_OUT_OF_MEMORY)
    except Exception as error:
        # Chunking met text that it cannot cut: the file is listed, the batch goes on.
        return Reply(
            None, f"Its text could not be cut into passages ({type(error).__name__}).", "Report this file."
        )


def main() -> None:
    """Serve tasks until the input ends."""
    serve(_start, niceness=_NICENESS)


def _start(settings: Settings) -> Callable[[ParseTask], Reply[ParsedFile]]:
    from core.encode.load import load_token_counter

    limit_memory(settings.ingest.parse_memory_mb, pool_size(settings.ingest))
    counter = load_token_counter(settings)
    return lambda task: parse_and_chunk(task, settings, counter)
