"""The child that draws pages and finds places on them: run by `core.ingest.render`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core import plugins
from core.domain.span import Box
from core.errors import GroundworkError, InputError
from core.ingest.page_images import OF_PDF, PageImages
from core.ingest.pdf.page_text import PlacedText, read_page_text
from core.ingest.pdfium.base import PdfDamagedError, PdfLockedError
from core.ingest.pdfium.document import PdfFile
from core.ingest.pdfium.page import PdfPage
from core.processes.loop import Reply, limit_memory, serve

_T = TypeVar("_T")
_PAD = 0.12  # of a line's height: PDFium's boxes hug the letters
_MEMORY_MB = 3_000
_MOST_TASKS = 2_000  # PDFium's caches grow with every file: a child is renewed after so many pages


@dataclass(frozen=True, slots=True)
class RenderTask:
    """A part of the `PageImages` of a format by its name, with its arguments."""

    name: str
    arguments: tuple[Any, ...]
    format: str = OF_PDF


def draw_page(path: Path, page_no: int, width_px: int) -> bytes:
    """The page as a JPEG of that width."""
    return _with_page(path, page_no, lambda file, page: page.jpeg(width_px))


def find_boxes(path: Path, page_no: int, spans: Sequence[tuple[int, int]], page_text: str) -> list[list[Box]]:
    """For each span of the stored page text, its boxes, a line each; [] for all where the text is another."""

    def find(file: PdfFile, page: PdfPage) -> list[list[Box]]:
        text = read_page_text(file, page, page_no, joins_hyphens=file.joins_hyphens)
        if text.stored.text != page_text:
            return [[] for _ in spans]
        return [_line_boxes(page, text, start, end) for start, end in spans]

    return _with_page(path, page_no, find)


def find_words(path: Path, page_no: int) -> list[tuple[str, Box]]:
    """The words in reading order with their boxes."""

    def find(file: PdfFile, page: PdfPage) -> list[tuple[str, Box]]:
        text = read_page_text(file, page, page_no, joins_hyphens=file.joins_hyphens)
        found = []
        for start, end in _word_spans(text.stored.text):
            boxes = _line_boxes(page, text, start, end)
            if boxes:
                found.append((text.stored.text[start:end], boxes[0]))
        return found

    return _with_page(path, page_no, find)


def measure_page(path: Path, page_no: int) -> tuple[float, float]:
    """Width and height in points, as the page is shown."""
    return _with_page(path, page_no, lambda file, page: page.size)


def _with_page(path: Path, page_no: int, use: Callable[[PdfFile, PdfPage], _T]) -> _T:
    try:
        with PdfFile(path) as file:
            if not 1 <= page_no <= file.page_count:
                raise InputError(
                    f"It has {file.page_count} pages, no page {page_no}.",
                    source=path.name,
                    next_step="Choose another page.",
                )
            with file.page(page_no) as page:
                return use(file, page)
    except PdfLockedError as error:
        raise InputError(
            "It needs a password.", source=path.name, next_step="Save a copy without one and add that."
        ) from error
    except PdfDamagedError as error:
        raise InputError(
            "The page is damaged and cannot be drawn.", source=path.name, next_step="Read its text instead."
        ) from error


def _line_boxes(page: PdfPage, text: PlacedText, start: int, end: int) -> list[Box]:
    boxes: list[Box] = []
    for origin in text.stored.raw_indices(start, end):
        box = text.box(page, origin)
        if box is None or (box.x1 <= box.x0 and box.y1 <= box.y0):
            continue
        if boxes and _is_same_line(boxes[-1], box):
            last = boxes[-1]
            boxes[-1] = Box(
                min(last.x0, box.x0), min(last.y0, box.y0), max(last.x1, box.x1), max(last.y1, box.y1)
            )
        else:
            boxes.append(box)
    return [_padded(box) for box in boxes]


def _is_same_line(line: Box, box: Box) -> bool:
    """True where a character continues the line: beside it, not below it, and not a column away."""
    overlap = min(line.y1, box.y1) - max(line.y0, box.y0)
    # A comma and an apostrophe of one line do not overlap; both lie within the line's reach.
    reach = 0.6 * max(line.y1 - line.y0, box.y1 - box.y0)
    is_beside = overlap > 0 or -overlap < 0.4 * reach
    return (is_beside and -0.01 <= box.x0 - line.x1 + 0.002 <= 0.15) or (
        overlap > 0 and line.x0 <= box.x0 <= line.x1
    )


def _padded(box: Box) -> Box:
    pad = _PAD * (box.y1 - box.y0)
    return Box(box.x0, max(0.0, box.y0 - pad), box.x1, min(1.0, box.y1 + pad))


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for word in text.split():
        start = text.index(word, position)
        position = start + len(word)
        yield start, position


PDF_IMAGES = PageImages(draw_page, measure_page, find_boxes, find_words)


def perform(task: RenderTask) -> Reply[Any]:
    """Do one task; every way to fail is a reply with its reason."""
    try:
        images = plugins.registry().load(plugins.PAGE_IMAGES, task.format, PageImages)
        work = getattr(images, task.name)
        if work is None:
            return Reply([[] for _ in task.arguments[2]] if task.name == "boxes" else [])
        given = work(*task.arguments)
        if task.format != OF_PDF and not _is_right(task, given):
            return Reply(
                None, f"The renderer {task.format!r} gave no right {task.name!r}.", "Read its text instead."
            )
        return Reply(given)
    except GroundworkError as error:
        return Reply(None, error.message, error.next_step)
    except FileNotFoundError:
        return Reply(None, "The original file is no longer there.", "Add the document again.")
    except Exception as error:  # PDFium's on a damaged file, or whatever a renderer of others raises
        return Reply(None, f"The page cannot be drawn ({type(error).__name__}).", "Read its text instead.")


def _is_right(task: RenderTask, given: Any) -> bool:
    """True where a renderer of others gave what it should."""
    match task.name:
        case "jpeg":
            return isinstance(given, bytes) and given.startswith(b"\xff\xd8")
        case "size":
            return len(given) == 2 and all(isinstance(side, int | float) and side > 0 for side in given)
        case "boxes":
            return len(given) == len(task.arguments[2]) and all(
                isinstance(b, Box) for line in given for b in line
            )
        case _:
            return all(isinstance(word, str) and isinstance(box, Box) for word, box in given)


def main() -> None:
    """Serve tasks until the input ends."""
    serve(_start, renew_above_mb=_MEMORY_MB, most_tasks=_MOST_TASKS)


def _start(_setup: None) -> Callable[[RenderTask], Reply[Any]]:
    limit_memory(_MEMORY_MB)
    return perform
