"""A child process that answers with its id and its memory."""

from __future__ import annotations

import os
from collections.abc import Callable

from core.processes.loop import Reply, peak_mb, serve


def main() -> None:
    """Serve tasks until the input ends."""
    serve(start)


def start(_setup: None) -> Callable[[object], Reply[tuple[int, float]]]:
    """Gives the process id and the peak of memory."""
    return lambda _task: Reply((os.getpid(), peak_mb()))
