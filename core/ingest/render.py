"""Images of pages, and where characters stand on them, drawn in processes of their own.

A file that crashes or hangs PDFium, or the renderer of a plug-in, takes its process down and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.domain.span import Box
from core.errors import ChildStartError, DeadlineError, InputError
from core.ingest.page_images import OF_PDF
from core.ingest.render_process import RenderTask
from core.processes.children import PoolClosedError, TaskEndedError, TaskLateError, TaskPool

_MIN_WIDTH_PX, _MAX_WIDTH_PX = 50, 4_000
_OUT_OF_MEMORY = ("The page cannot be drawn.", "Read its text instead.")


class PageRenderer:
    """Draws pages in child processes, each call within a time limit. Thread-safe; calls block.

    of: the format, by the name of its parser, such as "pdf".

    Every method raises InputError where the file is damaged, locked or crashes the child, and DeadlineError
    where the limit is passed. A child starts with the first call that needs it.
    """

    def __init__(self, processes: int = 1, *, timeout_s: float = 20.0) -> None:
        self._timeout_s = timeout_s
        self._pool = TaskPool("core.ingest.render_process", None, processes, "page renderer", _OUT_OF_MEMORY)

    def start(self) -> None:
        """Start one child ahead of the first page, which else waits for its imports (about 2 s)."""
        self._pool.warm()

    def jpeg(self, path: Path, page_no: int, width_px: int = 1_000, *, of: str = OF_PDF) -> bytes:
        """The page as a JPEG `width_px` wide, less for a page of extreme proportions."""
        width = min(max(width_px, _MIN_WIDTH_PX), _MAX_WIDTH_PX)
        image: bytes = self._run(of, "jpeg", path, page_no, width)
        return image

    def boxes(
        self,
        path: Path,
        page_no: int,
        spans: Sequence[tuple[int, int]],
        page_text: str,
        *,
        of: str = OF_PDF,
    ) -> list[list[Box]]:
        """For each span of the stored page text, a box for every line that it runs over, from top to bottom.

        [] for every span where `page_text` is not what this file gives.
        """
        boxes: list[list[Box]] = self._run(of, "boxes", path, page_no, list(spans), page_text)
        return boxes

    def words(self, path: Path, page_no: int, *, of: str = OF_PDF) -> list[tuple[str, Box]]:
        """The page's words in reading order with their boxes, for a transparent layer of text."""
        words: list[tuple[str, Box]] = self._run(of, "words", path, page_no)
        return words

    def size(self, path: Path, page_no: int, *, of: str = OF_PDF) -> tuple[float, float]:
        """Width and height of the page in points, as it is shown."""
        size: tuple[float, float] = self._run(of, "size", path, page_no)
        return size

    def close(self) -> None:
        """End the children at once, also one that is at work; safe to call twice."""
        self._pool.close()

    def _run(self, of: str, name: str, path: Path, *arguments: object) -> Any:
        try:
            reply = self._pool.ask(RenderTask(name, (path, *arguments), of), self._timeout_s)
        except TaskLateError:
            raise DeadlineError(
                f"A page of {path.name!r} took more than {self._timeout_s:g} s to draw.",
                next_step="Read its text instead.",
            ) from None
        except (TaskEndedError, ChildStartError) as error:
            raise InputError(
                "The page cannot be drawn.", source=path.name, next_step="Read its text instead."
            ) from error
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
        if reply.reason:
            raise InputError(reply.reason, source=path.name, next_step=reply.next_step)
        return reply.value
