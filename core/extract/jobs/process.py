"""The child that extracts, one document after the other; `core.extract.jobs.pool` starts it.

It speaks the frames of `core.ingest.parse_process`: first `ExtractSetup` in and None out, then an
`ExtractTask` in and an `ExtractReply` out, until its input ends. It opens no database: what it needs of the
records comes with the task, and what it found is written by the worker.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from core.extract.jobs.task import ExtractReply, ExtractSetup, ExtractTask, Work
from core.ingest.parse_process import memory_mb, pool_size
from core.processes.frames import read_frame, write_frame

_NICENESS = 5  # the app and the encoder come first
_RENEW_ABOVE_MB = 1000


def attempt(work: Work, task: ExtractTask) -> ExtractReply:
    """Extract one document; every way to fail is a reply with its reason."""
    try:
        return ExtractReply(work(task))
    except MemoryError:
        return ExtractReply(None, *out_of_memory())
    except Exception as error:
        # A fault of ours that this text brings out: its cells say so, the other documents go on.
        return ExtractReply(
            None, f"Its fields could not be read ({type(error).__name__}: {error}).", "Report this document."
        )


def out_of_memory() -> tuple[str, str]:
    """The reason and the next step for a document that takes too much memory."""
    return "The extractor ran out of memory.", "Split the document, or raise ingest.parse_memory_mb."


def main() -> None:
    """Serve tasks with the product's extractor until the input ends."""
    serve(_start)


def serve(start: Callable[[ExtractSetup], Work]) -> None:
    """Serve tasks until the input ends; `start` makes what does them."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between the frames
    tasks = sys.stdin.buffer
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        setup: ExtractSetup = read_frame(tasks)
        work = start(setup)
        write_frame(replies, None)
        is_last = False
        while not is_last:
            reply = attempt(work, read_frame(tasks))
            is_last = memory_mb() > _RENEW_ABOVE_MB
            write_frame(replies, replace(reply, is_last=is_last))


def _start(setup: ExtractSetup) -> Work:
    from core.extract.jobs.work import make_work
    from core.ingest.parse.dispatch import limit_memory

    limit_memory(setup.settings.ingest.parse_memory_mb, pool_size(setup.settings.ingest))
    return make_work(setup.settings, setup.definitions)
