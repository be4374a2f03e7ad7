"""Sections into files: one function a format, all deterministic."""

from __future__ import annotations

import html
import io
from collections.abc import Sequence
from pathlib import Path

Sections = Sequence[tuple[str, str]]


def write(path: Path, title: str, opening: str, sections: Sections, *, is_numbered: bool) -> None:
    """Write a document in the format of `path`'s suffix."""
    writers = {".txt": _txt, ".md": _md, ".html": _html, ".docx": _docx, ".pdf": write_pdf}
    numbered = [(f"{i}. {name}" if is_numbered else name, text) for i, (name, text) in enumerate(sections, 1)]
    path.parent.mkdir(parents=True, exist_ok=True)
    writers[path.suffix](path, title, opening, numbered)


def _rows(text: str) -> tuple[list[str], list[list[str]]]:
    """The plain lines and the table rows of a section text."""
    plain, table = [], []
    for line in text.splitlines():
        if line.startswith("| "):
            table.append([cell.strip() for cell in line[2:].split(" | ")])
        else:
            plain.append(line)
    return plain, table


def _txt(path: Path, title: str, opening: str, sections: Sections) -> None:
    blocks = [title.upper(), *([opening] if opening else [])]
    for heading, text in sections:
        plain, table = _rows(text)
        blocks.append("\n".join([heading.upper(), *plain, *("   ".join(row) for row in table)]))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _md(path: Path, title: str, opening: str, sections: Sections) -> None:
    blocks = [f"# {title}", *([opening] if opening else [])]
    for heading, text in sections:
        plain, table = _rows(text)
        rows = [f"| {' | '.join(row)} |" for row in table]
        if rows:
            rows.insert(1, "|" + " --- |" * len(table[0]))
        blocks += [f"## {heading}", "\n".join([*plain, *rows])]
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _html(path: Path, title: str, opening: str, sections: Sections) -> None:
    body = [f"<h1>{html.escape(title)}</h1>", *([f"<p>{html.escape(opening)}</p>"] if opening else [])]
    for heading, text in sections:
        plain, table = _rows(text)
        body.append(f"<h2>{html.escape(heading)}</h2>")
        body += [f"<p>{html.escape(line)}</p>" for line in plain]
        if table:
            cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in table]
            body.append("<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>")
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title></head>\n'
        "<body><nav>Home | Documents | Contact</nav>\n<main>\n" + "\n".join(body) + "\n</main>\n"
        "<footer>Page 1 of 1</footer></body></html>\n"
    )
    path.write_text(page, encoding="utf-8")


def _docx(path: Path, title: str, opening: str, sections: Sections) -> None:
    import docx

    document = docx.Document()
    document.core_properties.title = title
    document.add_heading(title, 0)
    if opening:
        document.add_paragraph(opening)
    for heading, text in sections:
        plain, table = _rows(text)
        document.add_heading(heading, 1)
        for line in plain:
            document.add_paragraph(line)
        if table:
            grid = document.add_table(rows=0, cols=len(table[0]))
            for row in table:
                for cell, value in zip(grid.add_row().cells, row, strict=True):
                    cell.text = value
    document.save(str(path))


def write_pdf(path: Path, title: str, opening: str, sections: Sections, password: str = "") -> None:
    """A PDF with real headings and tables; encrypted with `password` where one is given."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    styles = getSampleStyleSheet()
    story: list[object] = [Paragraph(html.escape(title), styles["Title"])]
    if opening:
        story.append(Paragraph(html.escape(opening), styles["BodyText"]))
    for heading, text in sections:
        plain, table = _rows(text)
        story.append(Paragraph(html.escape(heading), styles["Heading2"]))
        story += [Paragraph(html.escape(line), styles["BodyText"]) for line in plain]
        if table:
            story += [
                Spacer(1, 4),
                Table(table, hAlign="LEFT", style=[("GRID", (0, 0), (-1, -1), 0.4, "#999999")]),
            ]
    SimpleDocTemplate(
        str(path), title=title, author="", invariant=True,
        encrypt=StandardEncryption(password, strength=128) if password else None,
    ).build(story)  # fmt: skip


def write_scan(path: Path, title: str, opening: str, sections: Sections) -> None:
    """A PDF whose pages are pictures: what a scanner without text recognition makes."""
    import pypdfium2
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = path.with_suffix(".text.pdf")
    write_pdf(buffer, title, opening, sections)
    source = pypdfium2.PdfDocument(str(buffer))
    canvas = Canvas(str(path), pagesize=(612, 792), invariant=True)
    for number in range(len(source)):
        picture = io.BytesIO()
        source[number].render(scale=1.4, grayscale=True).to_pil().rotate(0.6, fillcolor=255).save(
            picture, "PNG"
        )
        picture.seek(0)
        canvas.drawImage(ImageReader(picture), 0, 0, 612, 792)
        canvas.showPage()
    canvas.save()
    source.close()
    buffer.unlink()
