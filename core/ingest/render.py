"""Images of PDF pages, and where characters stand on them, drawn in processes of their own.

A PDF that crashes or hangs PDFium takes its process down and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.domain.span import Box
from core.errors import DeadlineError, InputError
from core.ingest.render_process import RenderReply, RenderTask
from core.processes.children import Child, ChildPool, PoolClosedError

_MIN_WIDTH_PX, _MAX_WIDTH_PX = 50, 4_000
_MAX_TASKS = 2_000  # PDFium's caches grow with every file: a child is renewed after so many pages


class PageRenderer:
    """Draws pages in child processes, each call within a time limit. Thread-safe; calls block.

    Every method raises InputError where the file is damaged, locked or crashes the child, and DeadlineError
    where the limit is passed. A child starts with the first call that needs it.
    """

    def __init__(self, processes: int = 1, *, timeout_s: float = 20.0) -> None:
        self._timeout_s = timeout_s
        self._pool = ChildPool(processes, _Drawer)

    def start(self) -> None:
        """Start one child ahead of the first page, which else waits for its imports (about 2 s)."""
        with self._child(Path()):
            pass

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
        self._pool.close()

    def _run(self, name: str, path: Path, *arguments: object) -> Any:
        with self._child(path) as child:
            try:
                reply: RenderReply = child.exchange(RenderTask(name, (path, *arguments)), self._timeout_s)
            except TimeoutError:
                raise DeadlineError(
                    f"A page of {path.name!r} took more than {self._timeout_s:g} s to draw.",
                    next_step="Read its text instead.",
                ) from None
            except EOFError as error:
                raise InputError(
                    "The page cannot be drawn.", source=path.name, next_step="Read its text instead."
                ) from error
        if reply.reason:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        return reply.result

    @contextmanager
    def _child(self, path: Path) -> Iterator[_Drawer]:
        """A child for this file. Raises InputError where there is none."""
        try:
            with self._pool.taken() as child:
                yield child
        except PoolClosedError:
            raise InputError(
                "The page renderer is closed.", source=path.name, next_step="Open it again."
            ) from None
        except OSError as error:
            raise InputError(
                f"No process can be started to draw the page: {error.strerror or error}.",
                source=path.name,
                next_step="Free some memory and try again.",
            ) from error


class _Drawer(Child):
    """A drawing process; spent after a number of pages."""

    def __init__(self) -> None:
        super().__init__("core.ingest.render_process")
        self._tasks = 0

    def exchange(self, message: object, timeout_s: float) -> Any:
        """See Child."""
        self._tasks += 1
        reply = super().exchange(message, timeout_s)
        self.is_spent = self._tasks >= _MAX_TASKS
        return reply
