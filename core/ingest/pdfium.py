"""PDF files through PDFium: text, sizes, places of characters, images of pages.

PDFium is not thread-safe: a process uses one file in one thread.
"""

from __future__ import annotations

import ctypes
import io
import logging
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Self

from core.domain.span import Box
from core.ingest.clean import normalise

JPEG_QUALITY = 82
_MAX_SIDE_PX = 6_000
_MAX_PIXELS = 20_000_000
_DEVICE = 1_000_000  # device units that page coordinates are mapped to, to read fractions off them
_MAX_OUTLINE = 5_000
_MAX_ANNOTATIONS = 20_000  # of a page; the rest of it is damage or an attack
_MAX_OBJECTS = 50_000
_MAX_VALUE = 1_000_000  # characters of a field or a note
_TURN_SAMPLE = 12  # characters that say how a page is turned
_MAX_ATTACHMENTS = 5_000
_MAX_XFA_BYTES = 20_000_000
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


class Bounds(NamedTuple):
    """A rectangle in points along the lines of text and upwards, from an origin that a page shares."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> float:
        """Height of its middle."""
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        """How tall it is."""
        return self.y1 - self.y0

    def union(self, other: Bounds) -> Bounds:
        """The rectangle around both."""
        lows, highs = map(min, self[:2], other[:2]), map(max, self[2:], other[2:])
        return Bounds(*lows, *highs)


class NoteKind(StrEnum):
    """What stands on a page beside its content: annotations, and fields of forms."""

    TEXT_FIELD = "text field"
    CHOICE = "choice"
    BOX = "box"  # to be ticked, alone or one of several
    SIGNATURE = "signature"
    FREE_TEXT = "free text"
    STAMP = "stamp"
    COMMENT = "comment"
    STRIKE_OUT = "strike-out"
    FILE = "file"
    MEDIA = "media"


@dataclass(frozen=True, slots=True)
class PageNote:
    """A field or an annotation. text: value, contents, name of a file; label: tooltip or name of a field."""

    kind: NoteKind
    box: Bounds
    text: str = ""
    label: str = ""
    author: str = ""
    quads: tuple[Bounds, ...] = ()
    is_ticked: bool = False
    is_hidden: bool = False


class PdfFile:
    """An open PDF; to be used in a `with` statement."""

    def __init__(self, path: Path) -> None:
        import pypdfium2

        try:
            # it tells of every form that needs more than it can do; what was read is said beside the file
            logging.getLogger("pypdfium2").setLevel(logging.CRITICAL + 1)
            self._path = path
            self._flat: Any = None
            self._document = pypdfium2.PdfDocument(path)
            self._document.init_forms()  # where it has any; this PDFium is built without scripts
            self.page_count = len(self._document)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == _WRONG_PASSWORD:
                raise PdfLockedError from error
            raise PdfDamagedError(str(error)) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._flat is not None:
            self._flat.close()
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

    @property
    def is_dynamic(self) -> bool:
        """True of a form whose pages are made by the XFA of the file and do not stand in it."""
        import pypdfium2.raw as pdfium

        return bool(self._document.get_formtype() == pdfium.FORMTYPE_XFA_FULL)

    @property
    def script_count(self) -> int:
        """Number of scripts of the document."""
        import pypdfium2.raw as pdfium

        return max(0, int(pdfium.FPDFDoc_GetJavaScriptActionCount(self._document)))

    def attachment_names(self) -> list[str]:
        """Names of the embedded files that the document lists."""
        import pypdfium2.raw as pdfium

        document = self._document
        places = range(min(_MAX_ATTACHMENTS, max(0, document.count_attachments())))
        return [_file_name(pdfium.FPDFDoc_GetAttachment(document, at)) for at in places]

    def xfa_packet(self, packet: str) -> bytes:
        """A part of an XFA form as XML, as `datasets` or `template`; b"" where there is none."""
        import pypdfium2.raw as pdfium

        document = self._document
        for index in range(min(100, pdfium.FPDF_GetXFAPacketCount(document))):
            size = pdfium.FPDF_GetXFAPacketName(document, index, None, 0)
            name = ctypes.create_string_buffer(max(1, size))
            pdfium.FPDF_GetXFAPacketName(document, index, name, size)
            if name.value != packet.encode():
                continue
            length = ctypes.c_ulong()
            pdfium.FPDF_GetXFAPacketContent(document, index, None, 0, length)
            if 0 < length.value <= _MAX_XFA_BYTES:
                content = ctypes.create_string_buffer(length.value)
                pdfium.FPDF_GetXFAPacketContent(document, index, content, length.value, length)
                return content.raw
        return b""

    def shown_texts(self, page_no: int, notes: Sequence[PageNote]) -> list[str]:
        """The words that the page shows within each note, from a copy with its annotations drawn in."""
        import pypdfium2
        import pypdfium2.raw as pdfium

        try:
            if self._flat is None:
                self._flat = pypdfium2.PdfDocument(self._path)
            page = self._flat[page_no - 1]
            pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
            page.close()
            page = self._flat[page_no - 1]
            text = page.get_textpage()
            turn = _Turn(page, text)
            texts = [normalise(text.get_text_bounded(*turn.back(note.box))).strip() for note in notes]
            text.close()
            page.close()
        except pypdfium2.PdfiumError:
            return ["" for _ in notes]
        return texts

    @contextmanager
    def page(self, page_no: int) -> Iterator[PdfPage]:
        """Page `page_no`, from 1. Raises PdfDamagedError where it cannot be loaded."""
        import pypdfium2

        try:
            page = self._document[page_no - 1]
        except pypdfium2.PdfiumError as error:
            raise PdfDamagedError(str(error)) from error
        try:
            yield PdfPage(page, self._document.formenv)
        finally:
            page.close()


class PdfPage:
    """A loaded page; valid only within its `with` statement."""

    def __init__(self, page: Any, form: Any = None) -> None:
        import pypdfium2.raw as pdfium

        self._page = page
        self._form = form
        self._text: Any = None
        self._turned: _Turn | None = None
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

        for at in range(min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(self._page))):
            each = pdfium.FPDFPage_GetObject(self._page, at)
            kind = pdfium.FPDFPageObj_GetType(each)
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                yield each
            elif kind == pdfium.FPDF_PAGEOBJ_FORM:
                inner = range(min(_MAX_OBJECTS, pdfium.FPDFFormObj_CountObjects(each)))
                objects = (pdfium.FPDFFormObj_GetObject(each, number) for number in inner)
                kinds = (pdfium.FPDFPageObj_GetType(one) for one in objects)
                yield from (each for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_IMAGE)

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

        return bool(pdfium.FPDFPage_GetAnnotCount(self._page) > _MAX_ANNOTATIONS)

    def notes(self) -> list[PageNote]:
        """Fields of forms and annotations, in the order of the file; links and what says nothing are left."""
        import pypdfium2.raw as pdfium

        found: list[PageNote] = []
        for at in range(min(_MAX_ANNOTATIONS, max(0, pdfium.FPDFPage_GetAnnotCount(self._page)))):
            each = pdfium.FPDFPage_GetAnnot(self._page, at)
            if not each:
                continue
            try:
                note = self._note(each)
            finally:
                pdfium.FPDFPage_CloseAnnot(each)
            if note is not None:
                found.append(note)
        return found

    def _note(self, annotation: Any) -> PageNote | None:
        import pypdfium2.raw as pdfium

        subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
        if subtype in (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP):
            return None
        area = self._box
        if not pdfium.FPDFAnnot_GetRect(annotation, area):
            return None
        box = self._turn.shown(area.left, area.bottom, area.right, area.top)
        flags = pdfium.FPDFAnnot_GetFlags(annotation)
        is_hidden = bool(flags & (pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW))
        if subtype == pdfium.FPDF_ANNOT_WIDGET:
            return self._field(annotation, box, is_hidden)
        kind = _kinds().get(subtype, NoteKind.COMMENT)
        if _string(annotation, b"StateModel"):
            return None  # "accepted", "marked": a state of another note
        if kind is NoteKind.FILE:
            file = pdfium.FPDFAnnot_GetFileAttachment(annotation)
            return PageNote(kind, box, _file_name(file), is_hidden=is_hidden)
        text = _string(annotation, b"Contents")
        label = _string(annotation, b"Name") if kind is NoteKind.STAMP else ""
        quads = self._quads(annotation)
        return PageNote(kind, box, text, label, _string(annotation, b"T"), quads, is_hidden=is_hidden)

    def _field(self, widget: Any, box: Bounds, is_hidden: bool) -> PageNote | None:
        """A field by its widget; None for buttons and for what belongs to no form."""
        import pypdfium2.raw as pdfium

        form = self._form
        if form is None:
            return None
        kind = pdfium.FPDFAnnot_GetFormFieldType(form, widget)
        label = _utf16(lambda *to: pdfium.FPDFAnnot_GetFormFieldAlternateName(form, widget, *to))
        label = label or _utf16(lambda *to: pdfium.FPDFAnnot_GetFormFieldName(form, widget, *to))
        if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
            is_ticked = bool(pdfium.FPDFAnnot_IsChecked(form, widget))
            return PageNote(NoteKind.BOX, box, label=label, is_ticked=is_ticked, is_hidden=is_hidden)
        if kind == pdfium.FPDF_FORMFIELD_SIGNATURE:
            return PageNote(NoteKind.SIGNATURE, box, label=label, is_hidden=is_hidden)
        value = _utf16(lambda *to: pdfium.FPDFAnnot_GetFormFieldValue(form, widget, *to))
        if kind == pdfium.FPDF_FORMFIELD_TEXTFIELD:
            is_secret = pdfium.FPDFAnnot_GetFormFieldFlags(form, widget) & pdfium.FPDF_FORMFLAG_TEXT_PASSWORD
            return PageNote(NoteKind.TEXT_FIELD, box, value, label, is_hidden=is_hidden or bool(is_secret))
        if kind not in (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX):
            return None
        labels = [
            _utf16(lambda *to, at=at: pdfium.FPDFAnnot_GetOptionLabel(form, widget, at, *to))
            for at in range(min(2_000, max(0, pdfium.FPDFAnnot_GetOptionCount(form, widget))))
            if pdfium.FPDFAnnot_IsOptionSelected(form, widget, at)
        ]
        return PageNote(NoteKind.CHOICE, box, ", ".join(labels) or value, label, is_hidden=is_hidden)

    def _quads(self, annotation: Any) -> tuple[Bounds, ...]:
        """The rectangles that a highlight or a line through words covers."""
        import pypdfium2.raw as pdfium

        points = pdfium.FS_QUADPOINTSF()
        found = []
        for at in range(min(2_000, pdfium.FPDFAnnot_CountAttachmentPoints(annotation))):
            if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, at, points):
                across = (points.x1, points.x2, points.x3, points.x4)
                up = (points.y1, points.y2, points.y3, points.y4)
                found.append(self._turn.shown(min(across), min(up), max(across), max(up)))
        return tuple(found)

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
    def _turn(self) -> _Turn:
        if self._turned is None:
            self._turned = _Turn(self._page, self._text_page())
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


class _Turn:
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
        match self._quarters:
            case 1:
                return -box.y1, box.x0, -box.y0, box.x1
            case 2:
                return -box.x1, -box.y1, -box.x0, -box.y0
            case 3:
                return box.y0, -box.x1, box.y1, -box.x0
        return box.x0, box.y0, box.x1, box.y1


def _kinds() -> dict[int, NoteKind]:
    import pypdfium2.raw as pdfium

    return {
        pdfium.FPDF_ANNOT_FREETEXT: NoteKind.FREE_TEXT,
        pdfium.FPDF_ANNOT_WATERMARK: NoteKind.STAMP,
        pdfium.FPDF_ANNOT_STAMP: NoteKind.STAMP,
        pdfium.FPDF_ANNOT_STRIKEOUT: NoteKind.STRIKE_OUT,
        pdfium.FPDF_ANNOT_FILEATTACHMENT: NoteKind.FILE,
        **dict.fromkeys(
            (
                pdfium.FPDF_ANNOT_SOUND,
                pdfium.FPDF_ANNOT_MOVIE,
                pdfium.FPDF_ANNOT_SCREEN,
                pdfium.FPDF_ANNOT_THREED,
                pdfium.FPDF_ANNOT_RICHMEDIA,
            ),
            NoteKind.MEDIA,
        ),
    }


def _file_name(file: Any) -> str:
    import pypdfium2.raw as pdfium

    return _utf16(lambda *to: pdfium.FPDFAttachment_GetName(file, *to)) if file else ""


def _string(annotation: Any, key: bytes) -> str:
    import pypdfium2.raw as pdfium

    return _utf16(lambda buffer, size: pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size))


def _utf16(read: Callable[[Any, int], int]) -> str:
    """A text that PDFium writes into a buffer, first asked for its length; on one line."""
    import pypdfium2.raw as pdfium

    size = read(None, 0)
    if not 2 < size <= 2 * _MAX_VALUE:
        return "" if size <= 2 else "(a text that is too long)"
    buffer = ctypes.create_string_buffer(size)
    read(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), size)
    return " ".join(normalise(buffer.raw[: size - 2].decode("utf-16-le", "replace")).split())
