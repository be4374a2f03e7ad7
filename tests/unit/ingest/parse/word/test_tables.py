"""Tables of Word files."""

from __future__ import annotations

from pathlib import Path

from tests.support.word import paragraph, run, table, text_of


def test_tables_keep_merged_cells_nested_tables_and_no_deleted_row(tmp_path: Path) -> None:
    wide = f'<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{paragraph("Wide")}'
    begins = f'<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>{paragraph("Tall")}'
    goes_on = f"<w:tcPr><w:vMerge/></w:tcPr>{paragraph('')}"
    inner = paragraph("Outer") + table(("Role", "Person"), ("Quality", "Berit"))
    rows = table(
        (wide, "End"), (begins, "b", "c"), (goes_on, "d", "e"), ("f", inner, "g"), ("gone", "x", "y")
    )
    body = rows.replace(
        "<w:tr><w:tc><w:p><w:pPr></w:pPr>" + run("gone"), "<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p>"
    )
    text = text_of(tmp_path, body)

    assert (
        text == "Wide |  | End\nTall | b | c\nTall | d | e\nf | Outer | g\n\nRole | Person\nQuality | Berit"
    )


def test_a_frame_of_one_column_is_text(tmp_path: Path) -> None:
    assert (
        text_of(tmp_path, table((paragraph("Dear Sir,") + paragraph("We agree."),)))
        == "Dear Sir,\n\nWe agree."
    )
