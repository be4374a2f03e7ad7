"""Annotations and fields of a page, as PDFium gives them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from core.ingest.clean import normalise
from core.ingest.pdfium.base import Bounds, NoteKind, PageNote

_MOST_OF_PAGE, _MOST_OF_FILE, _ALWAYS = 20_000, 100_000, 500
_PASSWORD, _BUTTON = 1 << 13, 1 << 16  # Source: ISO 32000-1, tables 228 and 226: flags of fields
_USUAL_LAYER = 1_000  # bytes of a name
_LONGEST_LAYER = 100_000
_MAX_VALUE = 1_000_000  # characters of a field or a note
Shown = Callable[[float, float, float, float], Bounds]


def most_notes(page_count: int) -> int:
    """Number of annotations that are read of each page: thousands of pages may share one list of them."""
    return min(_MOST_OF_PAGE, max(_ALWAYS, _MOST_OF_FILE // max(1, page_count)))


def read_notes(page: Any, form: Any, shown: Shown, most: int) -> list[PageNote]:
    """The first fields and annotations of a page. shown: a rectangle as lines of text see it."""
    import pypdfium2.raw as pdfium

    found: list[PageNote] = []
    for at in range(min(most, max(0, pdfium.FPDFPage_GetAnnotCount(page)))):
        each = pdfium.FPDFPage_GetAnnot(page, at)
        if not each:
            continue
        try:
            note = _note(each, form, shown)
        finally:
            pdfium.FPDFPage_CloseAnnot(each)
        if note is not None:
            found.append(note)
    return found


def _note(annotation: Any, form: Any, shown: Shown) -> PageNote | None:
    import pypdfium2.raw as pdfium

    subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
    if subtype in (pdfium.FPDF_ANNOT_LINK, pdfium.FPDF_ANNOT_POPUP):
        return None
    area = pdfium.FS_RECTF()
    if not pdfium.FPDFAnnot_GetRect(annotation, area):
        return None
    box = shown(area.left, area.bottom, area.right, area.top)
    flags = pdfium.FPDFAnnot_GetFlags(annotation)
    is_hidden = bool(flags & (pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW))
    if subtype == pdfium.FPDF_ANNOT_WIDGET:
        return _field(form, annotation, box, is_hidden)
    kind = _kinds().get(subtype, NoteKind.COMMENT)
    if _string(annotation, b"StateModel"):
        return None  # "accepted", "marked": a state of another note
    if kind is NoteKind.FILE:
        file = pdfium.FPDFAnnot_GetFileAttachment(annotation)
        return PageNote(kind, box, file_name(file), is_hidden=is_hidden)
    text = _string(annotation, b"Contents")
    label = _string(annotation, b"Name") if kind is NoteKind.STAMP else ""
    quads = _quads(annotation, shown)
    return PageNote(kind, box, text, label, _string(annotation, b"T"), quads, is_hidden=is_hidden)


def _field(form: Any, widget: Any, box: Bounds, is_hidden: bool) -> PageNote | None:
    """A field by its widget; None for buttons and for what belongs to no form."""
    import pypdfium2.raw as pdfium

    if form is None:
        return None
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, widget)
    if kind < 0:
        return _lone_field(widget, box, is_hidden)
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


def _lone_field(widget: Any, box: Bounds, is_hidden: bool) -> PageNote | None:
    """A field whose place among the others is broken, by what it says itself."""
    import pypdfium2.raw as pdfium

    number = ctypes.c_float()
    flags = int(number.value) if pdfium.FPDFAnnot_GetNumberValue(widget, b"Ff", number) else 0
    value, label = _string(widget, b"V"), _string(widget, b"TU") or _string(widget, b"T")
    match _string(widget, b"FT"):
        case "Tx":
            is_secret = bool(flags & _PASSWORD)
            return PageNote(NoteKind.TEXT_FIELD, box, value, label, is_hidden=is_hidden or is_secret)
        case "Ch":
            return PageNote(NoteKind.CHOICE, box, value, label, is_hidden=is_hidden)
        case "Btn" if not flags & _BUTTON:
            is_ticked = _string(widget, b"AS") not in ("", "Off")
            return PageNote(NoteKind.BOX, box, label=label, is_ticked=is_ticked, is_hidden=is_hidden)
    return None


def _quads(annotation: Any, shown: Shown) -> tuple[Bounds, ...]:
    """The rectangles that a highlight or a line through words covers."""
    import pypdfium2.raw as pdfium

    points = pdfium.FS_QUADPOINTSF()
    found = []
    for at in range(min(2_000, pdfium.FPDFAnnot_CountAttachmentPoints(annotation))):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, at, points):
            across = (points.x1, points.x2, points.x3, points.x4)
            up = (points.y1, points.y2, points.y3, points.y4)
            found.append(shown(min(across), min(up), max(across), max(up)))
    return tuple(found)


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


def layer_of(mark: Any) -> str | None:
    """Name of the layer that a mark of content puts it on; None for other marks."""
    import pypdfium2.raw as pdfium

    def text(read: Callable[..., int], room: int = _USUAL_LAYER) -> str:
        buffer, size = ctypes.create_string_buffer(room), ctypes.c_ulong()
        told = read(ctypes.cast(buffer, ctypes.POINTER(pdfium.FPDF_WCHAR)), room, size)
        if room < size.value <= _LONGEST_LAYER:
            return text(read, size.value)
        return buffer.raw[: max(0, size.value - 2)].decode("utf-16-le", "replace") if told else ""

    if text(lambda *to: pdfium.FPDFPageObjMark_GetName(mark, *to)) != "OC":
        return None
    return text(lambda *to: pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"Name", *to))


def file_name(file: Any) -> str:
    """Name of an attached file."""
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
