"""The child that reads page images, one after the other; `core.ingest.ocr_pool` starts it.

It speaks the frames of `core.ingest.parse_process`: first `OcrSetup` in and None out, then an `OcrTask` in
and an `OcrReply` out, until its input ends.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from core.domain.reading import PageReading
from core.errors import InputError
from core.ingest.image_text import arrange
from core.ingest.ocr import LineReader
from core.ingest.parse.dispatch import limit_memory
from core.ingest.parse_process import memory_mb
from core.ingest.pdfium import PdfDamagedError, PdfFile, PdfLockedError
from core.processes.frames import read_frame, write_frame

DPI = 200
_LEAST_PX, _MOST_PX = 600, 3_000
_NICENESS = 10  # a scan can wait; people and other files come first
_RENEW_ABOVE_MB = 2_000


@dataclass(frozen=True, slots=True)
class OcrSetup:
    """reader: `module:class` of a LineReader. memory_mb: what the process may take."""

    reader: str
    memory_mb: int


@dataclass(frozen=True, slots=True)
class OcrTask:
    """A page of a PDF, from 1."""

    path: str
    page_no: int


@dataclass(frozen=True, slots=True)
class OcrReply:
    """A page as it was read, or why it was not. is_last: the child ends after it."""

    reading: PageReading | None
    reason: str = ""
    next_step: str = ""
    is_last: bool = False


def read_page(task: OcrTask, reader: LineReader) -> OcrReply:
    """Draw a page and read it; every way to fail is a reply with its reason."""
    is_last = False
    try:
        with PdfFile(Path(task.path)) as file, file.page(task.page_no) as page:
            width_pt, _ = page.size
            image = page.jpeg(min(_MOST_PX, max(_LEAST_PX, round(width_pt / 72 * DPI))))
        reading = arrange(task.page_no, reader.read(image))
        is_last = memory_mb() > _RENEW_ABOVE_MB
        return OcrReply(reading, is_last=is_last)
    except InputError as error:
        return OcrReply(None, error.message, error.next_step)
    except (PdfLockedError, PdfDamagedError, OSError):
        return OcrReply(None, "The page cannot be drawn.", "Save the file again in its own program.")
    except MemoryError:
        return OcrReply(None, *out_of_memory(), is_last=True)


def out_of_memory() -> tuple[str, str]:
    """The reason and the next step for a page that takes too much memory."""
    return "Text recognition ran out of memory.", "Raise ingest.parse_memory_mb."


def main() -> None:
    """Serve tasks until the input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    tasks = sys.stdin.buffer
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        setup: OcrSetup = read_frame(tasks)
        module, _, name = setup.reader.partition(":")
        limit_memory(setup.memory_mb)
        reader: LineReader = getattr(importlib.import_module(module), name)()
        write_frame(replies, None)
        is_last = False
        while not is_last:
            reply = read_page(read_frame(tasks), reader)
            is_last = reply.is_last
            write_frame(replies, reply)
