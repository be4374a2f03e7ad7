"""Images of PDF pages, and where characters stand on them, drawn in processes of their own.

A PDF that crashes or hangs PDFium takes its process down and nothing else. Plain child processes, since
`multiprocessing` would import the app's `__main__` again in every child.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import core
from core.domain.span import Box
from core.errors import DeadlineError, InputError
from core.ingest.parse_process import read_frame, write_frame
from core.ingest.render_process import RenderReply, RenderTask

_MIN_WIDTH_PX, _MAX_WIDTH_PX = 50, 4_000
_MAX_TASKS = 2_000  # PDFium's caches grow with every file: a child is renewed after so many pages


class PageRenderer:
    """Draws pages in child processes, each call within a time limit. Thread-safe; calls block.

    Every method raises InputError where the file is damaged, locked or crashes the child, and DeadlineError
    where the limit is passed. A child starts with the first call that needs it.
    """

    def __init__(self, processes: int = 1, *, timeout_s: float = 20.0) -> None:
        self._timeout_s = timeout_s
        self._count = processes
        self._idle: queue.LifoQueue[_Child | None] = queue.LifoQueue()
        self._lock = threading.Lock()  # guards _busy and _is_closed: no child outlives `close`
        self._busy: set[_Child] = set()
        self._is_closed = False
        for _ in range(processes):
            self._idle.put(None)

    def start(self) -> None:
        """Start one child ahead of the first page, which else waits for its imports (about 2 s)."""
        self._give_back(self._take(self._idle.get(), Path()))

    def jpeg(self, path: Path, page_no: int, width_px: int = 1_000) -> bytes:
        """The page as a JPEG `width_px` wide, less for a page of extreme proportions."""
        width = min(max(width_px, _MIN_WIDTH_PX), _MAX_WIDTH_PX)
        image: bytes = self._run("jpeg", path, page_no, width)
        return image

    def boxes(
        self, path: Path, page_no: int, spans: Sequence[tuple[int, int]], page_text: str
    ) -> list[list[Box]]:
        """For each span of the stored page text, a box for every line that it runs over, from top to bottom.

        [] for every span where `page_text` is not what this file gives.
        """
        boxes: list[list[Box]] = self._run("boxes", path, page_no, list(spans), page_text)
        return boxes

    def words(self, path: Path, page_no: int) -> list[tuple[str, Box]]:
        """The page's words in reading order with their boxes, for a transparent layer of text."""
        words: list[tuple[str, Box]] = self._run("words", path, page_no)
        return words

    def size(self, path: Path, page_no: int) -> tuple[float, float]:
        """Width and height of the page in points, as it is shown."""
        size: tuple[float, float] = self._run("size", path, page_no)
        return size

    def close(self) -> None:
        """End the children at once, also one that is at work; safe to call twice."""
        with self._lock:
            self._is_closed = True
            busy = list(self._busy)
        for child in busy:
            child.kill()
        with contextlib.suppress(queue.Empty):
            while True:
                idle = self._idle.get_nowait()
                if idle is not None:
                    idle.kill()
        for _ in range(self._count):
            self._idle.put(None)

    def _run(self, name: str, path: Path, *arguments: object) -> Any:
        child = self._take(self._idle.get(), path)
        try:
            reply = child.ask(RenderTask(name, (path, *arguments)), self._timeout_s)
        except TimeoutError:
            raise DeadlineError(
                f"A page of {path.name!r} took more than {self._timeout_s:g} s to draw.",
                next_step="Read its text instead.",
            ) from None
        except (EOFError, OSError) as error:
            raise InputError(
                "The page cannot be drawn.", source=path.name, next_step="Read its text instead."
            ) from error
        finally:
            self._give_back(child)
        if reply.reason:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        return reply.result

    def _take(self, child: _Child | None, path: Path) -> _Child:
        with self._lock:
            if self._is_closed:
                self._idle.put(None)
                raise InputError("The page renderer is closed.", source=path.name, next_step="Open it again.")
            try:
                taken = child if child is not None and child.is_usable else _Child()
            except OSError as error:
                self._idle.put(None)
                raise InputError(
                    f"No process can be started to draw the page: {error.strerror or error}.",
                    source=path.name,
                    next_step="Free some memory and try again.",
                ) from error
            self._busy.add(taken)
            return taken

    def _give_back(self, child: _Child) -> None:
        with self._lock:
            self._busy.discard(child)
            keeps = child.is_usable and not self._is_closed
        if not keeps:
            child.kill()
        self._idle.put(child if keeps else None)


class _Child:
    """One drawing process and its pipes."""

    def __init__(self) -> None:
        root = str(Path(core.__file__).parents[1])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            # Not -m: what runs as __main__ cannot send its own types.
            # -P: a folder called `core` where the user stands must not be imported.
            [sys.executable, "-P", "-c", "from core.ingest.render_process import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for the parent
        )
        self._tasks = 0
        self._is_late = False
        self._is_broken = False

    @property
    def is_usable(self) -> bool:
        """Whether it lives and may take another task."""
        return not self._is_broken and self._tasks < _MAX_TASKS and self._process.poll() is None

    def ask(self, task: RenderTask, timeout_s: float) -> RenderReply:
        """Raises TimeoutError where it takes too long, EOFError or OSError where it crashed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._tasks += 1
        alarm = threading.Timer(timeout_s, self._stop_late)
        alarm.daemon = True
        alarm.start()
        try:
            write_frame(self._process.stdin, task)
            reply: RenderReply = read_frame(self._process.stdout)
        except (EOFError, OSError):
            self._is_broken = True
            if self._is_late:
                raise TimeoutError from None
            raise
        finally:
            alarm.cancel()
        return reply

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._is_broken = True
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _stop_late(self) -> None:
        self._is_late = True
        self._process.kill()
