"""A page of a PDF: text, sizes and places of characters, images, what is drawn of it."""

from __future__ import annotations

import ctypes
import io
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from core.domain.span import Box
from core.ingest.pdfium.annotations import layer_of, most_notes, read_notes
from core.ingest.pdfium.base import Bounds, PageNote

JPEG_QUALITY = 82
_MAX_SIDE_PX = 6_000
_MAX_PIXELS = 20_000_000
_DEVICE = 1_000_000  # device units that page coordinates are mapped to, to read fractions off them
_MAX_OBJECTS = 50_000
_MAX_MARKS = 20
_MAX_STROKES = 2_000
_THIN = 2.5  # points that a line through words is high at most
_TURN_SAMPLE = 12  # characters that say how a page is turned


class PdfPage:
    """A loaded page; valid only within its `with` statement."""

    def __init__(self, page: Any, form: Any = None) -> None:
        import pypdfium2.raw as pdfium

        self._page = page
        self._form = form
        self._most_notes = most_notes(len(page.pdf))
        self._text: Any = None
        self._turned: PageTurn | None = None
        self._box = pdfium.FS_RECTF()

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
        wide = (
            [at for at, character in enumerate(raw) if ord(character) > 0xFFFF] if not raw.isascii() else []
        )
        if text.count_chars() == len(raw) + len(wide) and not wide:
            return list(range(len(raw)))

        def place(at: int) -> int:
            # PDFium counts UTF-16 units; a character beyond the first plane is two
            return int(pdfium.FPDFText_GetCharIndexFromTextIndex(text, at + bisect_left(wide, at)))

        places = [-1] * len(raw)
        stack = [(0, len(raw) - 1, place(0), place(len(raw) - 1))] if raw else []
        while stack:  # places rise with the index: equal distances at both ends hold for all between
            low, high, first, last = stack.pop()
            if first >= 0 and last - first == high - low:
                places[low : high + 1] = range(first, last + 1)
            elif high - low < 2:
                places[low], places[high] = first, last
            else:
                middle = (low + high) // 2
                between = place(middle)
                stack += [(low, middle, first, between), (middle, high, between, last)]
        return places

    def char_bounds(self, index: int) -> Bounds | None:
        """The room of PDFium's character `index`, as tall as its font; None where it is drawn nowhere."""
        import pypdfium2.raw as pdfium

        box = self._box
        if not pdfium.FPDFText_GetLooseCharBox(self._text_page(), index, box):
            return None
        found = self._turn.shown(box.left, box.bottom, box.right, box.top)
        return found if found.x1 > found.x0 or found.y1 > found.y0 else None

    def char_box(self, index: int) -> Box | None:
        """Box of PDFium's character `index`; None where it is drawn nowhere."""
        import pypdfium2.raw as pdfium

        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        if not pdfium.FPDFText_GetCharBox(self._text_page(), index, left, right, bottom, top):
            return None
        return self._fractions(left.value, bottom.value, right.value, top.value)

    def fractions(self, area: Bounds) -> Box:
        """A rectangle as fractions of the page."""
        return self._fractions(*self._turn.back(area))

    def _fractions(self, left: float, bottom: float, right: float, top: float) -> Box:
        x0, y0 = self._fraction(left, top)
        x1, y1 = self._fraction(right, bottom)
        return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))

    def images(self, least_area: float, at_most: int) -> list[Bounds]:
        """Places of the images that cover at least `least_area` of the page each."""
        import pypdfium2.raw as pdfium

        width, height = self.size
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        found: list[Bounds] = []
        for each in self._image_objects():
            if not pdfium.FPDFPageObj_GetBounds(each, left, bottom, right, top):
                continue
            if (right.value - left.value) * (top.value - bottom.value) >= least_area * width * height:
                found.append(self._turn.shown(left.value, bottom.value, right.value, top.value))
            if len(found) >= at_most:
                break
        return found

    def _image_objects(self) -> Iterator[Any]:
        """Images of the page and of the forms on it, of which the place is that of the form."""
        import pypdfium2.raw as pdfium

        for each in self._objects():
            kind = pdfium.FPDFPageObj_GetType(each)
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                yield each
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                kinds = (pdfium.FPDFPageObj_GetType(one) for one in _inner(each))
                yield from (each for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_IMAGE)

    def hide_layers(self, names: Collection[str]) -> int:
        """Let what stands on layers of these names be none of the page's text; gives how many pieces."""
        import pypdfium2.raw as pdfium

        hidden = 0
        for each in (one for top in self._objects() for one in (top, *_inner(top))):
            marks = range(min(_MAX_MARKS, max(0, pdfium.FPDFPageObj_CountMarks(each))))
            if any(layer_of(pdfium.FPDFPageObj_GetMark(each, at)) in names for at in marks):
                pdfium.FPDFPageObj_SetIsActive(each, False)
                hidden += pdfium.FPDFPageObj_GetType(each) in (
                    pdfium.FPDF_PAGEOBJ_TEXT,
                    pdfium.FPDF_PAGEOBJ_FORM,
                )
        if hidden:
            self._text = self._turned = None
        return hidden

    def strokes(self) -> list[Bounds]:
        """Thin lines along the text that touch some letter, at a few places that are looked at."""
        import pypdfium2.raw as pdfium

        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        found: list[Bounds] = []
        for each in self._objects():
            if pdfium.FPDFPageObj_GetType(each) == pdfium.FPDF_PAGEOBJ_PATH and pdfium.FPDFPageObj_GetBounds(
                each, left, bottom, right, top
            ):
                box = self._turn.shown(left.value, bottom.value, right.value, top.value)
                is_line = box.height <= _THIN and box.x1 - box.x0 > 2 * _THIN
                if is_line and len(found) < _MAX_STROKES and self._touches_text(box):
                    found.append(box)
        return found

    def _touches_text(self, line: Bounds) -> bool:
        import pypdfium2.raw as pdfium

        for part in (0.2, 0.4, 0.6, 0.8):
            across = line.x0 + part * (line.x1 - line.x0)
            x, y, *_ = self._turn.back(Bounds(across, line.middle, across, line.middle))
            if pdfium.FPDFText_GetCharIndexAtPos(self._text_page(), x, y, 1.0, 1.0) >= 0:
                return True
        return False

    def _objects(self) -> Iterator[Any]:
        import pypdfium2.raw as pdfium

        for at in range(min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(self._page))):
            yield pdfium.FPDFPage_GetObject(self._page, at)

    def has_text_in(self, area: Bounds, least: int) -> bool:
        """True where at least `least` letters or digits are drawn within the rectangle."""
        found = self._text_page().get_text_bounded(*self._turn.back(area))
        return sum(map(str.isalnum, found)) >= least

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

    @property
    def has_too_many_notes(self) -> bool:
        """True where `notes` are not all."""
        import pypdfium2.raw as pdfium

        return bool(pdfium.FPDFPage_GetAnnotCount(self._page) > self._most_notes)

    def notes(self) -> list[PageNote]:
        """Fields of forms and annotations, in the order of the file; links and what says nothing are left."""
        return read_notes(self._page, self._form, self._turn.shown, self._most_notes)

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

    @property
    def _turn(self) -> PageTurn:
        if self._turned is None:
            self._turned = PageTurn(self._page, self._text_page())
        return self._turned

    def _text_page(self) -> Any:
        if self._text is None:
            self._text = self._page.get_textpage()
        return self._text

    def _fraction(self, x: float, y: float) -> tuple[float, float]:
        import pypdfium2.raw as pdfium

        across, down = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(self._page, 0, 0, _DEVICE, _DEVICE, 0, x, y, across, down)
        return min(1.0, max(0.0, across.value / _DEVICE)), min(1.0, max(0.0, down.value / _DEVICE))


def _inner(form: Any) -> Iterator[Any]:
    """Objects of a form on a page; nothing of other objects."""
    import pypdfium2.raw as pdfium

    if pdfium.FPDFPageObj_GetType(form) == pdfium.FPDF_PAGEOBJ_FORM:
        for number in range(min(_MAX_OBJECTS, pdfium.FPDFFormObj_CountObjects(form))):
            yield pdfium.FPDFFormObj_GetObject(form, number)


class PageTurn:
    """Between the coordinates of a page and those in which its lines run from left to right."""

    def __init__(self, page: Any, text: Any) -> None:
        import pypdfium2.raw as pdfium

        count = text.count_chars()
        sample = range(0, count, max(1, count // _TURN_SAMPLE))
        # PDFium measures clockwise
        angles = [pdfium.FPDFText_GetCharAngle(text, at) for at in sample]
        turns = Counter(-round(angle / (math.pi / 2)) % 4 for angle in angles if angle >= 0)
        self._quarters = turns.most_common(1)[0][0] if turns else page.get_rotation() // 90

    def shown(self, left: float, bottom: float, right: float, top: float) -> Bounds:
        """A rectangle of the page as lines of text see it."""
        left, right = min(left, right), max(left, right)
        bottom, top = min(bottom, top), max(bottom, top)
        match self._quarters:
            case 1:
                return Bounds(bottom, -right, top, -left)
            case 2:
                return Bounds(-right, -top, -left, -bottom)
            case 3:
                return Bounds(-top, left, -bottom, right)
        return Bounds(left, bottom, right, top)

    def back(self, box: Bounds) -> tuple[float, float, float, float]:
        """Left, bottom, right and top on the page."""
        match self._quarters:
            case 1:
                return -box.y1, box.x0, -box.y0, box.x1
            case 2:
                return -box.x1, -box.y1, -box.x0, -box.y0
            case 3:
                return box.y0, -box.x1, box.y1, -box.x0
        return box.x0, box.y0, box.x1, box.y1
