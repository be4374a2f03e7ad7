"""The process of a crawler: started, watched, and ended in order. It ends by itself once this one is gone."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import IO, Self

import core
from core.domain.crawl.exits import CrawlerExit
from core.domain.ids import CrawlId
from core.errors import ChildStartError, GroundworkError, JobError
from core.jobs.base import Control, JobInterrupted
from core.store.store import Records

_CRAWLER = ("-m", "crawler")
_LINES = 40  # of its last words, of which a traceback takes many
_END_WITHIN_S = 1.0  # a job ends within 2 s of its cancel; what is in flight then is fetched again
StartCrawler = Callable[[CrawlId, str], "CrawlerProcess"]
"""Starts the crawler of a crawl under the name that alone may write to its ledger."""
MOST_STARTS = 4  # once, and three times more after a crash
_LOOK_EVERY_S = 0.25
_STOP_WITHIN_S = 8.0  # a crawler that is to stop settles what it has in flight
_OWNER_SEEN_S = 0.5  # longer than the answer of `check` may be old


class CrawlerProcess:
    """A crawler at work; to be used in a `with` statement, whose end ends it.

    Its input is a pipe that nothing is written to: it closes with this process, whatever that dies of, and
    the crawler then ends. For one thread at a time. Raises ChildStartError where it cannot be started.
    """

    def __init__(
        self,
        home: Path,
        crawl: CrawlId,
        runner: str,
        secrets: Collection[str] = (),
        program: Sequence[str] = _CRAWLER,
    ) -> None:
        root = str(Path(core.__file__).parents[1])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        # -P: a folder called `core` where the user stands must not be imported.
        command = [sys.executable, "-P", *program]
        command += ["--home", str(home), "--crawl", crawl, "--runner", runner]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                start_new_session=True,  # Ctrl-C is for the parent, which then ends it in order
            )
        except OSError as error:
            raise ChildStartError(
                f"The crawler does not start: {error.strerror or error}.",
                next_step="Free some memory, then resume the job.",
            ) from error
        self._secrets = [secret for secret in secrets if secret]
        self._lines: deque[str] = deque(maxlen=_LINES)
        self._reading = threading.Thread(target=self._read, name=f"crawler-{crawl}", daemon=True)
        self._reading.start()

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it lives."""
        return self._process.poll()

    def close(self) -> int:
        """End it, in order where it does so soon; gives its exit code. Safe to call twice."""
        self._close(self._process.stdin)
        try:
            code = self._process.wait(_END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._reading.join(_END_WITHIN_S)
        self._close(self._process.stderr)
        return code

    @property
    def last_words(self) -> str:
        """The last line that it wrote to standard error, without secrets; "" for none. After `close`."""
        for line in reversed(self._lines):
            if words := line.strip():
                return words[:500]
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):  # closed while it is read
            for line in self._process.stderr:
                self._lines.append(self._without_secrets(line.decode(errors="replace")))

    def _without_secrets(self, line: str) -> str:
        for secret in self._secrets:
            line = line.replace(secret, "***")
        return line

    @staticmethod
    def _close(pipe: IO[bytes] | None) -> None:
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


class CrawlerSupervisor:
    """Starts a crawler, starts it again after a crash, and ends it once the job is to end.

    control: of the job; it is asked here too, so a crawler ends within a second of a cancel, whoever has the
    turn. tell: called about four times a second while the crawler lives. `begin` and `close` are for one
    thread; nothing is at work before the one and after the other.
    """

    def __init__(
        self,
        records: Records,
        crawl: CrawlId,
        control: Control,
        start: StartCrawler,
        tell: Callable[[], None] = lambda: None,
    ) -> None:
        self._records = records
        self._crawl = crawl
        self._control = control
        self._start = start
        self._tell = tell
        self._closing = threading.Event()
        self._ended = threading.Event()
        self._failure: BaseException | None = None
        self._is_finished = False
        self._thread = threading.Thread(target=self._run, name=f"supervisor-{crawl}", daemon=True)

    def begin(self) -> None:
        """Start the crawler where that was not done; returns at once."""
        if self._thread.ident is None:
            self._thread.start()

    @property
    def is_finished(self) -> bool:
        """True where the crawler came to its end: every address is settled, or the run was stopped.

        Raises what kept it from that: JobInterrupted, or a GroundworkError for the job.
        """
        if self._failure is not None:
            raise self._failure
        return self._is_finished

    def wait(self, timeout_s: float) -> None:
        """Wait until the crawler has ended, or for so long."""
        self._ended.wait(timeout_s)

    def close(self) -> None:
        """End the crawler, and wait for that; safe to call twice."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._supervise()
            self._is_finished = True
        except BaseException as error:  # raised again where the job runs
            self._failure = error
        finally:
            self._ended.set()

    def _supervise(self) -> None:
        words = ""
        for _ in range(MOST_STARTS):
            runner = secrets.token_hex(8)
            self._records.crawls.hand_over(self._crawl, runner)
            if self._is_stopping():
                self._records.frontier(self._crawl, runner).conclude()
                return
            with self._start(self._crawl, runner) as process:
                code = self._follow(process)
                process.close()
                words = process.last_words
            if code == CrawlerExit.FINISHED:
                return
            if code == CrawlerExit.LOST:
                time.sleep(_OWNER_SEEN_S)
                self._control.check()
            if (hopeless := _hopeless(code, words)) is not None:
                raise hopeless
        raise JobError(
            f"The crawler ended {MOST_STARTS} times in the middle: {words or 'without a word'}",
            next_step="Resume the job to go on: what is fetched stays.",
        )

    def _follow(self, process: CrawlerProcess) -> int:
        """Its exit code. Raises JobInterrupted once the job is to end."""
        stop_by: float | None = None
        while (code := process.poll()) is None:
            if self._closing.wait(_LOOK_EVERY_S):
                raise JobInterrupted
            self._control.check()
            self._tell()
            if stop_by is None and self._is_stopping():
                stop_by = time.monotonic() + _STOP_WITHIN_S
            if stop_by is not None and time.monotonic() >= stop_by:
                return process.close()  # then the next start finds that there is nothing to start
        return code

    def _is_stopping(self) -> bool:
        return self._records.crawls.get(self._crawl).is_stopping


def _hopeless(code: int, words: str) -> GroundworkError | None:
    """The error of a crawler that would end the same way again; None where another start may help."""
    if code == CrawlerExit.STORE:
        return JobError(
            f"Pages cannot be stored. {words}".strip(),
            next_step="Free some disk space, then resume the job: what is fetched stays.",
        )
    if code == CrawlerExit.USAGE:
        return JobError(
            f"The crawler does not start. {words}".strip(), next_step="Correct that, then resume the job."
        )
    if code == CrawlerExit.LOST:
        return JobError(
            "Another process works on this crawl.", next_step="Wait until it has ended, then resume the job."
        )
    return None
