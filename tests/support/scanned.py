"""A scan as a file, a reader of its pages that needs no model, and the context of a job that reads it."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from core.domain.document import PageReading
from core.domain.span import Box
from core.errors import InputError
from core.ingest.image_text import arrange
from core.ingest.ocr import FoundLine
from core.jobs.base import JobInterrupted
from core.store.base import JobOrder

WORDS = "The tenant pays the rent of $900 on the first day of each month."


def write_scan(path: Path, pages: int = 3) -> Path:
    """A PDF of blank page images, each of another size: bytes that no other scan has."""
    images = [Image.new("L", (200 + number, 280), 255) for number in range(pages)]
    images[0].save(path, "PDF", save_all=True, append_images=images[1:])
    return path


def write_typed_scan(path: Path, pages: Sequence[Sequence[str]]) -> Path:
    """A PDF of page images at 200 dpi with these lines on them, the first 400 pixels from the top."""
    import reportlab

    font = ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"), 32)
    images = []
    for lines in pages:
        images.append(Image.new("RGB", (1700, 2200), "white"))
        draw = ImageDraw.Draw(images[-1])
        for number, line in enumerate(lines):
            draw.text((200, 400 + 200 * number), line, fill="black", font=font)
    images[0].save(path, "PDF", resolution=200, save_all=True, append_images=images[1:])
    return path


class ScriptedReader:
    """A LineReader: one line a page."""

    def read(self, image: bytes) -> list[FoundLine]:
        return [FoundLine(WORDS, Box(0.1, 0.1, 0.9, 0.12), 0.8)]


class DeadlyReader:
    """A LineReader that takes its process down."""

    def read(self, image: bytes) -> list[FoundLine]:
        os.kill(os.getpid(), signal.SIGSEGV)
        return []


class ScriptedPages:
    """A PageSource that counts; pages of `broken` cannot be read."""

    def __init__(self, broken: Sequence[int] = ()) -> None:
        self.read_pages: list[int] = []
        self._broken = broken

    def read(self, path: Path, page_no: int) -> PageReading:
        self.read_pages.append(page_no)
        if page_no in self._broken:
            raise InputError("It is smudged.", source=path.name, next_step="Look at it.")
        return arrange(page_no, [FoundLine(f"Page {page_no}. {WORDS}", Box(0.1, 0.1, 0.9, 0.12), 0.8)])


class Turn:
    """The context of one slice of a job; it yields, or is interrupted, after so many checks."""

    def __init__(self, order: JobOrder, *, yields_after: int = 1_000, ends_after: int = 1_000) -> None:
        self.order = order
        self.created_at = datetime.now(UTC)
        self._left, self._ends = yields_after, ends_after

    def check(self) -> None:
        self._ends -= 1
        if self._ends < 0:
            raise JobInterrupted

    def should_yield(self) -> bool:
        self._left -= 1
        return self._left <= 0
