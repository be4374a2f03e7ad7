"""Parts of Office files: damaged ones, other writings, odd names, names with a prefix."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from tests.support.files import archive
from tests.support.made_workbooks import harbour, lines, read, rewritten, saved
from tests.support.word import NOTE, paragraph, read_word, run, word_file

STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/"


@pytest.mark.parametrize("broken", ["<w:footnotes", "", "\x00\x01", "<a/>"])
def test_a_damaged_part_costs_only_itself(tmp_path: Path, broken: str) -> None:
    names = ("footnotes", "comments", "styles", "settings", "numbering", "header1", "endnotes")
    section = '<w:sectPr><w:headerReference w:type="default" r:id="rIdheader1"/></w:sectPr>'
    body = paragraph(run("All else is read") + NOTE.format("footnote", 1) + run(".")) + section
    parsed = read_word(tmp_path, body, {f"{name}.xml": broken for name in names})

    assert parsed.pages[0].text == "All else is read¹."
    assert "footnotes" in {part.kind for part in parsed.parts if part.is_gap}


def test_strict_files_templates_and_odd_names_of_the_body_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.dotx"
    with zipfile.ZipFile(io.BytesIO(word_file(paragraph(run("Old ", "<w:strike/>") + run("new"))))) as packed:
        data = packed.read("word/document.xml")
    strict = data.replace(b"http://schemas.openxmlformats.org/wordprocessingml/2006/", STRICT)
    office = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' + (
        b'<Relationship Id="r" Type="%s" Target="/word/document2.xml"/></Relationships>' % office
    )
    path.write_bytes(archive({"word/document2.xml": strict, "_rels/.rels": relations}))

    assert parse_file(path, "a.dotx", ParseLimits()).pages[0].text == "[deleted: Old] new"


@pytest.mark.parametrize("prefix", ["x", "main"])
def test_names_with_a_prefix_are_read(tmp_path: Path, prefix: str) -> None:
    def change(xml: str) -> str:
        return re.sub(r"<(/?)(?=[a-zA-Z])", rf"<\1{prefix}:", xml.replace("xmlns=", f"xmlns:{prefix}="))

    path = rewritten(saved(tmp_path, harbour()), "sheet1.xml", change)
    assert "Berth: N1 | Key: 7 | Fee EUR: 310" in lines(read(path))


def test_a_workbook_whose_main_part_has_another_name_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path, harbour())
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    parts["_rels/.rels"] = parts["_rels/.rels"].replace(b"xl/workbook.xml", b"xl/book.xml")
    for old, new in (("xl/workbook.xml", "xl/book.xml"), ("_rels/workbook.xml", "_rels/book.xml")):
        parts = {name.replace(old, new): data for name, data in parts.items()}
    path.write_bytes(archive(parts))

    assert "Berth: N1 | Key: 7 | Fee EUR: 310" in lines(read(path))
