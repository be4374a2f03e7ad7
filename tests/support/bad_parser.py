"""A parser process that does to itself what the name of the file says."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

from core.config.models import Settings
from core.domain.document import ParsedDocument
from core.ingest.parse_pool import ParsedFile, ParseTask
from core.processes.loop import Reply, serve


def main() -> None:
    """As core.ingest.parse_pool.main."""
    serve(start)


def start(setup: Settings) -> Callable[[ParseTask], Reply[ParsedFile]]:
    """Does what the source says."""
    assert isinstance(setup, Settings)
    return work


def work(task: ParseTask) -> Reply[ParsedFile]:
    """Harms itself, or answers with its process id."""
    mark = Path(f"{task.path}.begun")
    if task.source == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif task.source == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif task.source == "killed once" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    elif task.source == "hang":
        mark.touch()
        threading.Event().wait()
    elif task.source == "refuse":
        return Reply(None, "It is a picture.", "Add its text.")
    elif task.source == "print":
        os.write(1, b"warning: odd file\n")
    parsed = ParsedDocument(task.source, "text/plain", (), metadata={"pid": str(os.getpid())})
    return Reply(ParsedFile(parsed, ()), is_last=task.source == "last")
