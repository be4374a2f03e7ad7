"""Word files written part by part, so that each has just what a test is about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.domain.document import ParsedDocument, PartState
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from tests.support.files import archive

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    f' xmlns:r="{_OFFICE}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:v="urn:schemas-microsoft-com:vml"'
    ' xmlns:o="urn:schemas-microsoft-com:office:office"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"'
)


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(content: str, properties: str = "") -> str:
    """A paragraph of runs; content without a tag is one run."""
    inner = content if content.startswith("<") else run(content)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


NOTE = '<w:r><w:{0}Reference w:id="{1}"/></w:r>'
"""The mark of a note or comment: its kind and id go in."""


def field(code: str, result: str = "", form: str = "") -> str:
    """A field with its code, its result, and the data of a form."""
    between = f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}' if result else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{form}</w:fldChar></w:r>'
        f"<w:r><w:instrText> {code} </w:instrText></w:r>{between}"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def item(text: str, level: int = 0, list_id: int = 1) -> str:
    """A paragraph with an automatic number."""
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>')


def table(*rows: tuple[str, ...]) -> str:
    """A table; a cell that begins with a tag is taken as it is."""
    cells = ("".join(f"<w:tc>{_cell(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{each}</w:tr>' for each in cells)}</w:tbl>"


def _cell(cell: str) -> str:
    return cell if cell.startswith("<") else paragraph(cell)


def root(name: str, content: str) -> str:
    """A part's XML: its root element `w:name` with all names declared."""
    return f"<w:{name} {_NAMES}>{content}</w:{name}>"


def word_file(body: str, parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """A file of that body. parts: further ones by their name in the folder `word`, each with a relation.

    "header1.xml" is related as rIdheader1; digits at the end are no part of the relation's type.
    """
    found = {name: data if isinstance(data, bytes) else data.encode() for name, data in (parts or {}).items()}
    relations = "".join(
        f'<Relationship Id="rId{stem}" Type="{_OFFICE}/{stem.rstrip("0123456789")}" Target="{name}"/>'
        for name in found
        if (stem := name.partition(".")[0])
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    document = root("document", f"<w:body>{body}</w:body>")
    return archive(
        {
            "word/document.xml": document.encode(),
            "word/_rels/document.xml.rels": (
                f'<Relationships xmlns="{package}">{relations}</Relationships>'.encode()
            ),
            **{f"word/{name}": data for name, data in found.items()},
        }
    )


def read_word(folder: Path, body: str, parts: Mapping[str, str | bytes] | None = None) -> ParsedDocument:
    """The document that `word_file` makes, as the parser reads it."""
    path = folder / "made.docx"
    path.write_bytes(word_file(body, parts))
    return parse_file(path, "made.docx", ParseLimits())


def text_of(folder: Path, body: str, parts: Mapping[str, str | bytes] | None = None) -> str:
    """Its text, pages joined."""
    return "\n\f\n".join(page.text for page in read_word(folder, body, parts).pages)


def states(parsed: ParsedDocument) -> dict[str, tuple[PartState, int]]:
    """What was met beside plain text, with its state and count."""
    return {part.kind: (part.state, part.count) for part in parsed.parts}
