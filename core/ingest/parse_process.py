"""The child that parses and chunks, one file after the other; `core.ingest.workers` starts it.

It speaks frames over its pipes: first `ParseSetup` in and None out, then a `ParseTask` in and a `ParseReply`
out, until its input ends, which it also does when the parent is killed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from core.config.models import IngestSettings, Settings
from core.domain.document import ParsedDocument
from core.domain.passage import Passage
from core.domain.reading import PageReading
from core.encode.base import TokenCounter
from core.errors import InputError
from core.processes.frames import read_frame, write_frame

_NICENESS = 5  # the encoder's threads come first: one that waits for a core holds up all of its batch
_RENEW_ABOVE_MB = 1000
_MOST_PROCESSES = 4


@dataclass(frozen=True, slots=True)
class ParseSetup:
    """What a child needs once."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class ParseTask:
    """A file to parse; `source` is what the user calls it. readings: what was read off its page images."""

    path: str
    source: str
    readings: tuple[PageReading, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A document and its passages; their `document` and `version` are not set yet."""

    parsed: ParsedDocument
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class ParseReply:
    """What came of a task: a file, or why there is none. is_last: the child ends after it."""

    file: ParsedFile | None
    reason: str = ""
    next_step: str = ""
    is_last: bool = False


def parse_and_chunk(task: ParseTask, settings: Settings, counter: TokenCounter) -> ParseReply:
    """Parse one file and cut it into passages; every way to fail is a reply with its reason."""
    from core.ingest.chunk import chunk
    from core.ingest.parse.base import ParseLimits
    from core.ingest.parse.dispatch import parse_file

    try:
        parsed = parse_file(Path(task.path), task.source, ParseLimits.of(settings.ingest))
        if task.readings:
            from core.ingest.image_text import with_readings

            parsed = with_readings(parsed, task.readings)
        passages = chunk(parsed.pages, counter, settings.ingest.profile, links=parsed.links)
        if not passages and not parsed.unreadable_reason:
            parsed = replace(parsed, unreadable_reason="It holds no text.")
        return ParseReply(ParsedFile(parsed, tuple(passages)))
    except InputError as error:
        return ParseReply(None, error.message, error.next_step)
    except MemoryError:
        return ParseReply(None, *out_of_memory())
    except Exception as error:
        # Chunking met text that it cannot cut: the file is listed, the batch goes on.
        return ParseReply(
            None, f"Its text could not be cut into passages ({type(error).__name__}).", "Report this file."
        )


def pool_size(settings: IngestSettings) -> int:
    """How many parser processes there are."""
    return settings.processes or max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def out_of_memory() -> tuple[str, str]:
    """The reason and the next step for a file that takes too much memory."""
    return "The parser ran out of memory.", "Split the file, or raise ingest.parse_memory_mb."


def main() -> None:
    """Serve tasks until the input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a parser prints must not get between the frames
    tasks = sys.stdin.buffer
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        setup: ParseSetup = read_frame(tasks)
        counter = _start(setup.settings)
        write_frame(replies, None)
        is_last = False
        while not is_last:
            task: ParseTask = read_frame(tasks)
            reply = parse_and_chunk(task, setup.settings, counter)
            is_last = memory_mb() > _RENEW_ABOVE_MB
            write_frame(replies, replace(reply, is_last=is_last))


def _start(settings: Settings) -> TokenCounter:
    from core.encode.load import load_token_counter
    from core.ingest.parse.dispatch import limit_memory

    limit_memory(settings.ingest.parse_memory_mb, pool_size(settings.ingest))
    return load_token_counter(settings)


def memory_mb() -> float:
    """The most memory that this process has held so far."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
