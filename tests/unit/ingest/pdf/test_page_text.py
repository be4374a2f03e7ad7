"""Stored text of PDF pages with the places of its characters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.ingest.pdf.page_text import read_page_text
from core.ingest.pdfium.document import PdfFile
from tests.support.files import pdf
from tests.support.pdf_files import drawn


def test_each_character_has_the_place_from_which_it_was_read(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(["Plain words.\nOf two lines."]))
    with PdfFile(path) as file, file.page(1) as page:
        text = read_page_text(file, page, 1, joins_hyphens=False)
        assert text.stored.text == "Plain words.\nOf two lines."
        first, second = (text.box(page, text.stored.origins[at]) for at in (0, 13))
        assert first is not None
        assert second is not None
        assert first.y1 < second.y0
        assert text.character(13) == 14  # a line's end is two characters in PDFium


def test_words_of_fields_are_no_characters_of_the_page_and_have_a_place(tmp_path: Path) -> None:
    def draw(canvas: Any) -> None:
        canvas.drawString(60, 780, "Sum:")
        canvas.acroForm.textfield(name="sum", x=200, y=770, width=100, height=20, value="61")

    path = tmp_path / "a.pdf"
    path.write_bytes(drawn(draw))
    with PdfFile(path) as file, file.page(1) as page:
        text = read_page_text(file, page, 1, joins_hyphens=False)
        at = text.stored.text.index("61")
        box = text.box(page, text.stored.origins[at])
        assert text.character(at) == -1
        assert box is not None
        assert abs(box.x0 - 200 / 595) < 0.01
