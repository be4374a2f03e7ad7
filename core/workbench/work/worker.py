"""The worker process of a home."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path

from core.config.load import load_settings
from core.jobs.base import host_of
from core.jobs.queue import live_workers
from core.jobs.worker import run
from core.store.store import Records
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Handlers


def is_worker_here(home: Path | None) -> bool:
    """True where a worker of `home` runs on this machine (or in this container) and holds its lease."""
    with Records.open(load_settings(home)) as records:
        return any(host_of(lease.owner) == socket.gethostname() for lease in live_workers(records))


def run_worker(*, home: Path | None, stop: threading.Event) -> None:
    """Run the jobs of `home` until `stop` is set; blocks. It goes over to another variant that serves.

    Raises HomeBusyError where another worker does; on Postgres any number of workers may.
    """
    while not stop.is_set():
        with contextlib.closing(Parts(load_settings(home))) as parts:
            handlers = Handlers(parts)
            run(
                parts.records,
                parts.settings.home,
                handlers.make,
                stop,
                background=handlers.upkeep,
                withheld=handlers.withheld,
                is_wanted=handlers.is_serving,
            )
