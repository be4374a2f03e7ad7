"""A parser process that does to itself what the name of the file says."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

from core.domain.document import ParsedDocument
from core.ingest.parse_process import ParsedFile, ParseReply, ParseSetup, ParseTask
from core.processes.frames import read_frame, write_frame


def main() -> None:
    """As core.ingest.parse_process.main."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    setup = read_frame(sys.stdin.buffer)
    assert isinstance(setup, ParseSetup)
    write_frame(replies, None)
    while True:
        try:
            task: ParseTask = read_frame(sys.stdin.buffer)
        except EOFError:
            return
        if task.source == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif task.source == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif task.source == "killed once" and not (mark := Path(task.path + ".begun")).exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        elif task.source == "hang":
            Path(task.path + ".begun").touch()
            threading.Event().wait()
        elif task.source == "refuse":
            write_frame(replies, ParseReply(None, "It is a picture.", "Add its text."))
            continue
        elif task.source == "print":
            os.write(1, b"warning: odd file\n")
        parsed = ParsedDocument(task.source, "text/plain", (), metadata={"pid": str(os.getpid())})
        write_frame(replies, ParseReply(ParsedFile(parsed, ()), is_last=task.source == "last"))
