"""PDF files through PDFium: text, sizes, places of characters, images of pages.

PDFium is not thread-safe: a process uses one file in one thread.
"""

from __future__ import annotations

import ctypes
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from core.domain.span import Box
from core.ingest.clean import normalise

JPEG_QUALITY = 82
_MAX_SIDE_PX = 6_000
_MAX_PIXELS = 20_000_000
_DEVICE = 1_000_000  # device units that page coordinates are mapped to, to read fractions off them
_MAX_OUTLINE = 5_000
_WRONG_PASSWORD = 4


class PdfLockedError(Exception):
    """The file needs a password."""


class PdfDamagedError(Exception):
    """PDFium can make nothing of the file."""


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """A bookmark: its level from 1, and the page it leads to, from 1; 0 where it leads nowhere."""

    level: int
    title: str
    page_no: int


class PdfFile:
    """An open PDF; to be used in a `with` statement."""

    def __init__(self, path: Path) -> None:
        import pypdfium2

        try:
            self._document = pypdfium2.PdfDocument(path)
            self.page_count = len(self._document)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == _WRONG_PASSWORD:
                raise PdfLockedError from error
            raise PdfDamagedError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._document.close()

    def metadata(self) -> dict[str, str]:
        """The information dictionary, without empty entries."""
        found = self._document.get_metadata_dict()
        return {key: normalise(value).strip() for key, value in found.items() if value.strip(" \0")}

    @property
    def joins_hyphens(self) -> bool:
        """True where the file was made by a typesetter that hyphenates words."""
        made_by = " ".join(self.metadata().get(key, "") for key in ("Creator", "Producer")).lower()
        return "tex" in made_by or "indesign" in made_by

    def outline(self) -> list[OutlineItem]:
        """The bookmarks in order, at most 5,000."""
        items: list[OutlineItem] = []
        for mark in self._document.get_toc(max_depth=6):
            destination = mark.get_dest()
            index = destination.get_index() if destination else None
            items.append(
                OutlineItem(mark.level + 1, normalise(mark.get_title()), 0 if index is None else index + 1)
            )
            if len(items) >= _MAX_OUTLINE:
                break
        return items

    def label(self, page_no: int) -> str:
        """The page's own name, such as "iv"; "" where it is just its number."""
        label = str(self._document.get_page_label(page_no - 1) or "")
        return "" if label == str(page_no) else label

    @contextmanager
    def page(self, page_no: int) -> Iterator[PdfPage]:
        """Page `page_no`, from 1. Raises PdfDamagedError where it cannot be loaded."""
        import pypdfium2

        try:
            page = self._document[page_no - 1]
        except pypdfium2.PdfiumError as error:
            raise PdfDamagedError(str(error)) from error
        try:
            yield PdfPage(page)
        finally:
            page.close()


class PdfPage:
    """A loaded page; valid only within its `with` statement."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._text: Any = None

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in points, as the page is shown."""
        width, height = self._page.get_size()
        return float(width), float(height)

    def char_count(self) -> int:
        """Characters on the page, before they are extracted."""
        return int(self._text_page().count_chars())

    def raw_text(self) -> str:
        """The text as PDFium gives it: `\\r\\n` between lines, U+FFFE for hyphens at line ends."""
        return str(self._text_page().get_text_range())

    def font_size(self, index: int) -> float:
        """The size in points that character `index` of the raw text is drawn at, rounded to a half."""
        import pypdfium2.raw as pdfium

        text = self._text_page()
        matrix = pdfium.FS_MATRIX()
        size = pdfium.FPDFText_GetFontSize(text, index)
        scale = math.hypot(matrix.c, matrix.d) if pdfium.FPDFText_GetMatrix(text, index, matrix) else 1.0
        return float(round(2 * float(size) * (scale or 1.0)) / 2)

    def char_places(self, raw: str) -> list[int]:
        """PDFium's character index for every index of `raw`, -1 where it has none."""
        import pypdfium2.raw as pdfium

        text = self._text_page()
        if text.count_chars() == len(raw) and raw.isascii():
            return list(range(len(raw)))
        places: list[int] = []
        unit = 0  # PDFium counts UTF-16 units; a character beyond the first plane is two
        for character in raw:
            places.append(int(pdfium.FPDFText_GetCharIndexFromTextIndex(text, unit)))
            unit += 2 if ord(character) > 0xFFFF else 1
        return places

    def char_box(self, index: int) -> Box | None:
        """Box of PDFium's character `index`; None where it is drawn nowhere."""
        import pypdfium2.raw as pdfium

        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        if not pdfium.FPDFText_GetCharBox(self._text_page(), index, left, right, bottom, top):
            return None
        x0, y0 = self._fraction(left.value, top.value)
        x1, y1 = self._fraction(right.value, bottom.value)
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def image_count(self, least_area: float, at_most: int) -> int:
        """Number of images that cover at least `least_area` of the page each."""
        import pypdfium2
        import pypdfium2.raw as pdfium

        width, height = self.size
        count = 0
        for item in self._page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=2):
            try:
                left, bottom, right, top = item.get_bounds()
            except pypdfium2.PdfiumError:
                continue
            if (right - left) * (top - bottom) >= least_area * width * height:
                count += 1
            if count >= at_most:
                break
        return count

    def link_addresses(self, at_most: int) -> list[str]:
        """The addresses that links on the page lead to."""
        import pypdfium2.raw as pdfium

        found: list[str] = []
        position = ctypes.c_int(0)
        link = pdfium.FPDF_LINK()
        document = self._page.pdf
        while len(found) < at_most and pdfium.FPDFLink_Enumerate(self._page, position, link):
            action = pdfium.FPDFLink_GetAction(link)
            length = pdfium.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
            if length > 1:
                buffer = ctypes.create_string_buffer(length)
                pdfium.FPDFAction_GetURIPath(document, action, buffer, length)
                found.append(buffer.raw[: length - 1].decode("utf-8", "replace"))
        return found

    def jpeg(self, width_px: int) -> bytes:
        """The page drawn `width_px` wide, less where a very tall or very large page would need too much."""
        width, height = self.size
        width, height = max(width, 1.0), max(height, 1.0)
        scale = max(1, width_px) / width
        scale = min(
            scale, _MAX_SIDE_PX / width, _MAX_SIDE_PX / height, math.sqrt(_MAX_PIXELS / (width * height))
        )
        bitmap = self._page.render(scale=max(scale, 1.0 / min(width, height)))
        image = bitmap.to_pil().convert("RGB")
        out = io.BytesIO()
        image.save(out, format="JPEG", quality=JPEG_QUALITY)
        bitmap.close()
        return out.getvalue()

    def _text_page(self) -> Any:
        if self._text is None:
            self._text = self._page.get_textpage()
        return self._text

    def _fraction(self, x: float, y: float) -> tuple[float, float]:
        import pypdfium2.raw as pdfium

        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(self._page, 0, 0, _DEVICE, _DEVICE, 0, x, y, across, down)
        return min(1.0, max(0.0, across.value / _DEVICE)), min(1.0, max(0.0, down.value / _DEVICE))
