"""A PDF file: its pages, and what it says of itself."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from core.ingest.clean import normalise
from core.ingest.pdfium.annotations import file_name
from core.ingest.pdfium.base import OutlineItem, PageNote, PdfDamagedError, PdfLockedError
from core.ingest.pdfium.page import PageTurn, PdfPage

_MAX_OUTLINE = 5_000
_MAX_ATTACHMENTS = 5_000
_MAX_XFA_BYTES = 20_000_000
_WRONG_PASSWORD = 4


class PdfFile:
    """An open PDF; to be used in a `with` statement."""

    def __init__(self, path: Path) -> None:
        import pypdfium2

        try:
            # it tells of every form that needs more than it can do; what was read is said beside the file
            logging.getLogger("pypdfium2").setLevel(logging.CRITICAL + 1)
            self.path = path
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
        return [file_name(pdfium.FPDFDoc_GetAttachment(document, at)) for at in places]

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
                self._flat = pypdfium2.PdfDocument(self.path)
            page = self._flat[page_no - 1]
            pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
            page.close()
            page = self._flat[page_no - 1]
            text = page.get_textpage()
            turn = PageTurn(page, text)
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
