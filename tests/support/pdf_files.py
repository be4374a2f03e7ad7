"""PDFs with forms, annotations and attached files, made on the spot."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.domain.document import ParsedDocument
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.pdf import parse_pdf
from tests.support.files import pdf

Rectangle = tuple[float, float, float, float]


def drawn(draw: Callable[[Any], None]) -> bytes:
    """A PDF of what is drawn on a canvas of reportlab."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842), invariant=1)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def lines(canvas: Any, x: float, y: float, texts: Sequence[str], size: float = 10) -> None:
    """Draw texts one below the other, 13 points apart."""
    canvas.setFont("Helvetica", size)
    for number, text in enumerate(texts):
        canvas.drawString(x, y - 13 * number, text)


def edited(data: bytes, edit: Callable[[Any], None]) -> bytes:
    """The same PDF after `edit` changed it through a writer of pypdf."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    edit(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def annotated(page: str, *notes: tuple[str, Rectangle, Mapping[str, str]]) -> bytes:
    """A page with annotations: subtype, rectangle and entries; `Quad` makes quad points of the rectangle."""
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

    def edit(writer: Any) -> None:
        found = []
        for subtype, (x0, y0, x1, y1), entries in notes:
            note = DictionaryObject({NameObject("/Subtype"): NameObject(subtype)})
            note[NameObject("/Rect")] = ArrayObject(map(FloatObject, (x0, y0, x1, y1)))
            for key, value in entries.items():
                if key == "Quad":
                    corners = (x0, y1, x1, y1, x0, y0, x1, y0)
                    note[NameObject("/QuadPoints")] = ArrayObject(map(FloatObject, corners))
                else:
                    is_name = value.startswith("/")
                    note[NameObject(f"/{key}")] = NameObject(value) if is_name else TextStringObject(value)
            found.append(writer._add_object(note))
        writer.pages[0][NameObject("/Annots")] = ArrayObject(found)

    return edited(pdf([page]), edit)


def with_files(page: str, files: Mapping[str, bytes]) -> bytes:
    """A page with attached files."""

    def edit(writer: Any) -> None:
        for name, data in files.items():
            writer.add_attachment(name, data)

    return edited(pdf([page]), edit)


def with_xfa(page: str, xml: bytes, *, is_dynamic: bool, template: bytes = b"") -> bytes:
    """A page of an XFA form with these values."""
    from pypdf.generic import (
        ArrayObject,
        BooleanObject,
        DecodedStreamObject,
        DictionaryObject,
        NameObject,
        TextStringObject,
    )

    def edit(writer: Any) -> None:
        packets = ArrayObject()
        for name, data in (("template", template), ("datasets", xml)):
            stream = DecodedStreamObject()
            stream.set_data(data)
            packets += [TextStringObject(name), writer._add_object(stream)]
        form = {NameObject("/XFA"): packets, NameObject("/Fields"): ArrayObject()}
        writer.root_object[NameObject("/AcroForm")] = DictionaryObject(form)
        writer.root_object[NameObject("/NeedsRendering")] = BooleanObject(is_dynamic)

    return edited(pdf([page]), edit)


def with_layers(shown: str, hidden: str, names: tuple[str, str]) -> bytes:
    """A page with words on two layers of those names, of which the first is switched off."""
    from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, TextStringObject

    def edit(writer: Any) -> None:
        off, on = (
            writer._add_object(
                DictionaryObject(
                    {NameObject("/Type"): NameObject("/OCG"), NameObject("/Name"): TextStringObject(name)}
                )
            )
            for name in names
        )
        usual = DictionaryObject({NameObject("/OFF"): ArrayObject([off])})
        writer.root_object[NameObject("/OCProperties")] = DictionaryObject(
            {NameObject("/OCGs"): ArrayObject([off, on]), NameObject("/D"): usual}
        )
        page = writer.pages[0]
        layers = {NameObject("/MC0"): off, NameObject("/MC1"): on}
        page["/Resources"][NameObject("/Properties")] = DictionaryObject(layers)
        (font,) = page["/Resources"]["/Font"]
        stream = DecodedStreamObject()
        draw = "/OC /MC{0} BDC BT {1} 12 Tf 60 {2} Td ({3}) Tj ET EMC "
        stream.set_data((draw.format(1, font, 780, shown) + draw.format(0, font, 740, hidden)).encode())
        page[NameObject("/Contents")] = writer._add_object(stream)

    return edited(pdf([""]), edit)


def parsed(folder: Path, data: bytes) -> ParsedDocument:
    """The document that the parser makes of a PDF."""
    path = folder / "paper.pdf"
    path.write_bytes(data)
    return parse_pdf(path, path.name, ParseLimits())
