"""What is told of a PDF beside its text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from core.domain.document import PartState
from tests.support.files import pdf, scan
from tests.support.pdf_files import annotated, drawn, edited, lines, parsed, with_files


def test_hidden_annotations_and_scripts_are_left_out_and_told(tmp_path: Path) -> None:
    from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, TextStringObject

    def edit(writer: Any) -> None:
        writer.pages[0]["/Annots"][0].get_object()[NameObject("/F")] = NumberObject(2)
        script = DictionaryObject({NameObject("/S"): NameObject("/JavaScript")})
        script[NameObject("/JS")] = TextStringObject("app.alert(1)")
        names = DictionaryObject({NameObject("/Names"): ArrayObject([TextStringObject("a"), script])})
        writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/JavaScript"): names})

    data = annotated("Plain words.", ("/Text", (10, 10, 20, 20), {"Contents": "secret"}))
    document = parsed(tmp_path, edited(data, edit))

    assert document.pages[0].text == "Plain words."
    assert [(part.kind, part.state) for part in document.parts] == [
        ("hidden annotations", PartState.LEFT_OUT),
        ("scripts", PartState.LEFT_OUT),
    ]


def test_attached_files_are_named(tmp_path: Path) -> None:
    document = parsed(tmp_path, with_files("Cover.", {"bids.csv": b"a,b\n1,2\n", "plan.pdf": pdf(["Plan."])}))

    assert [(part.kind, part.count, part.place) for part in document.parts] == [
        ("attached files", 2, "bids.csv, plan.pdf")
    ]


def test_large_images_without_words_are_gaps(tmp_path: Path) -> None:
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    def draw(canvas: Any) -> None:
        image = ImageReader(Image.new("L", (20, 20), 90))
        canvas.drawImage(image, 300, 300, 40, 40)
        canvas.drawImage(image, 100, 300, 180, 180)
        canvas.drawImage(image, 60, 600, 400, 200)
        lines(canvas, 80, 700, ["Words on a background."])

    (gap,) = parsed(tmp_path, drawn(draw)).parts
    assert (gap.kind, gap.count, gap.place, gap.is_gap) == ("images without text", 1, "page 1", True)
    assert [part.kind for part in parsed(tmp_path, scan()).parts] == ["pages without text"]
