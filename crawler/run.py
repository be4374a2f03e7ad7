"""One run of a crawl, as the parts of this process share it: records, rules, threads, and its end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from core.config.models import CrawlSettings, IngestSettings
from core.domain.crawl.exits import CrawlerExit
from core.domain.ids import CrawlId
from core.errors import GroundworkError, NotFoundError, RecordsError
from core.store.crawl.crawls import CrawlRecord
from core.store.crawl.frontier import Frontier, FrontierLostError
from core.store.store import Records
from crawler.resolver import ConnectionGuard
from crawler.settlement import Settlement

_P = ParamSpec("_P")
_T = TypeVar("_T")


class SerialThread:
    """A thread that does one thing after another, so that the reactor never waits for a disk.

    Errors that end the process end it here, at once: whatever is in flight stays so in the ledger, and is
    fetched again by the next crawler.
    """

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def do(self, act: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """The result of `act` in the thread."""
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, _fatal_aware(act, *args, **kwargs)
        )

    def close(self) -> None:
        """End the thread once it has nothing to do."""
        self._pool.shutdown(wait=True)


def _fatal_aware(act: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Callable[[], _T]:
    def run() -> _T:
        try:
            return act(*args, **kwargs)
        except (FrontierLostError, NotFoundError) as error:
            end_process(CrawlerExit.LOST, error)
        except RecordsError as error:
            end_process(CrawlerExit.STORE, error)
        raise AssertionError("the process has ended")

    return run


def end_process(code: CrawlerExit, error: BaseException | None = None) -> None:
    """End this process now, from any thread; the reason goes to stderr as a sentence."""
    if error is not None:
        print_error(error)
    sys.stderr.flush()
    os._exit(code)


def print_error(error: BaseException) -> None:
    """An error with its next step, on stderr."""
    step = f" {error.next_step}" if isinstance(error, GroundworkError) and error.next_step else ""
    print(f"crawler: {error}{step}", file=sys.stderr)  # noqa: T201


@dataclass(slots=True)
class CrawlerParts:
    """The parts that one process works with. exit_code: how it ends, once it ends."""

    records: Records
    crawl: CrawlId
    record: CrawlRecord
    frontier: Frontier
    settlement: Settlement
    settings: CrawlSettings
    ingest: IngestSettings
    guard: ConnectionGuard
    ledger: SerialThread = field(default_factory=lambda: SerialThread("ledger"))
    judging: SerialThread = field(default_factory=lambda: SerialThread("judging"))
    storing: SerialThread = field(default_factory=lambda: SerialThread("storing"))
    exit_code: CrawlerExit = CrawlerExit.INTERRUPTED
