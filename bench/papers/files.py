"""Papers as files: text, CSV, DOCX and PDF."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.papers.wording import Paper


def write(folder: Path, papers: Sequence[Paper]) -> None:
    """Write the papers as files of the kinds that their names end with."""
    for paper in papers:
        kind = paper.name.rsplit(".", 1)[1]
        (folder / paper.name).write_bytes(_WRITERS[kind](paper))


def _txt(paper: Paper) -> bytes:
    rows = [" | ".join(row) for table in paper.tables for row in table]
    return "\n\n".join((paper.title, "\n".join(paper.prose), "\n".join(rows))).encode()


def _csv(paper: Paper) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(paper.tables[0])
    return out.getvalue().encode()


def _docx(paper: Paper) -> bytes:
    from docx import Document

    made, out = Document(), io.BytesIO()
    made.add_heading(paper.title, 0)
    for line in paper.prose:
        made.add_paragraph(line)
    for rows in paper.tables:
        table = made.add_table(0, len(rows[0]))
        for row in rows:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
        made.add_paragraph("")
    made.save(out)
    return out.getvalue()


def _pdf(paper: Paper) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    styles, out = getSampleStyleSheet(), io.BytesIO()
    parts = [Paragraph(paper.title, styles["Title"])]
    for line in paper.prose:
        parts += [Paragraph(line, styles["BodyText"]), Spacer(1, 4)]
    for rows in paper.tables:
        grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")]
        parts += [Table([list(row) for row in rows], colWidths=[170, 170], style=grid), Spacer(1, 12)]
    SimpleDocTemplate(out, title=paper.title, invariant=1).build(parts)
    return out.getvalue()


_WRITERS: Mapping[str, Callable[[Paper], bytes]] = {"txt": _txt, "csv": _csv, "docx": _docx, "pdf": _pdf}
