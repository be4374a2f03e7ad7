"""Characters of a page with their places."""

from __future__ import annotations

from pathlib import Path

from core.ingest.pdf.glyphs import Glyphs
from core.ingest.pdfium.document import PdfFile
from tests.support.files import pdf


def test_lines_and_words_are_known_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf(["Upper line.\n\nLower words here."]))
    with PdfFile(path) as file, file.page(1) as page:
        glyphs = Glyphs(page)
        assert [glyphs.raw[a:b] for a, b in glyphs.lines] == ["Upper line.", "Lower words here."]
        above = glyphs.words_above(glyphs.words[0].box.y1, 1)
        assert [glyphs.raw[word.start : word.end] in ("Upper", "line.") for word in above] == [True]
        row = glyphs.words_between(glyphs.words[0].box.y0, glyphs.words[0].box.y1)
        assert sorted(glyphs.raw[word.start : word.end] for word in row) == ["Lower", "here.", "words"]
        assert glyphs.around(11, 13) is None  # a line's end is drawn nowhere
