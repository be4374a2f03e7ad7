"""Images of pages by format: the object that an entry point of `groundwork.page_images` names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core import plugins
from core.domain.document import PDF
from core.domain.span import Box
from core.ingest.parse.formats import formats

OF_PDF = "pdf"


@dataclass(frozen=True, slots=True)
class PageImages:
    """A renderer of the pages of one format; its entry point has the name of the format's parser.

    Everything runs in a child process, within limits of time and memory; pages count from 1. jpeg: (path,
    page, width in pixels) gives a JPEG. size: (path, page) gives width and height in points. boxes: (path,
    page, spans of the stored text, that text) gives for each span a box a line; words: (path, page) gives the
    words with their boxes. Both may be missing: nothing is marked on the image then. Raises InputError where
    the page cannot be drawn.
    """

    jpeg: Callable[[Path, int, int], bytes]
    size: Callable[[Path, int], tuple[float, float]]
    boxes: Callable[[Path, int, Sequence[tuple[int, int]], str], list[list[Box]]] | None = None
    words: Callable[[Path, int], list[tuple[str, Box]]] | None = None


def drawn_format(media_type: str) -> str:
    """Name of the format whose pages have images, by media type; "" where none is installed."""
    if media_type == PDF:
        return OF_PDF
    names = [name for name in plugins.registry().plugins(plugins.PAGE_IMAGES) if name != OF_PDF]
    known = formats() if names else {}
    return next((name for name in names if name in known and known[name].media_type == media_type), "")
