"""The process of a crawler: started, watched, and ended in order. It ends by itself once this one is gone."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import core
from core.domain.ids import CrawlId
from core.errors import ChildStartError

_CRAWLER = ("-m", "crawler")
_LINES = 40  # of its last words, of which a traceback takes many
_END_WITHIN_S = 1.0  # a job ends within 2 s of its cancel; what is in flight then is fetched again

StartCrawler = Callable[[CrawlId, str], "CrawlerProcess"]
"""Starts the crawler of a crawl under the name that alone may write to its ledger."""


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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
