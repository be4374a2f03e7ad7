"""The worker process of a home."""

from __future__ import annotations

import threading
from pathlib import Path

from core.config.load import load_settings
from core.jobs.worker import run
from core.workbench.handlers import Handlers
from core.workbench.wiring import Parts


def run_worker(*, home: Path | None, stop: threading.Event) -> None:
    """Run the jobs of `home` until `stop` is set; blocks.

    Raises HomeBusyError where another worker does; on Postgres any number of workers may.
    """
    parts = Parts(load_settings(home))
    try:
        handlers = Handlers(parts)
        run(
            parts.records,
            parts.settings.home,
            handlers.make,
            stop,
            background=handlers.upkeep,
            withheld=handlers.withheld,
        )
    finally:
        parts.close()
