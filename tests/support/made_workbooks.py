"""Workbooks for tests: made by openpyxl, changed as other writers write them, and read."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl

from core.domain.document import FilePart, ParsedDocument
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.workbook.xlsx import parse_xlsx


def read(path: Path, *, reads_hidden: bool = False) -> ParsedDocument:
    return parse_xlsx(path, path.name, ParseLimits(reads_hidden=reads_hidden))


def saved(tmp_path: Path, book: openpyxl.Workbook) -> Path:
    path = tmp_path / "book.xlsx"
    book.save(path)
    return path


def rewritten(path: Path, part: str, change: Callable[[str], str]) -> Path:
    """The workbook with the parts changed whose name ends with `part`."""
    target = path.with_name(f"changed-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, change(data.decode()) if name.endswith(part) else data)
    return target


def part(found: ParsedDocument, kind: str) -> FilePart:
    return next(each for each in found.parts if each.kind == kind)


def lines(found: ParsedDocument) -> list[str]:
    return "\n".join(page.text for page in found.pages).split("\n")


def harbour() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Berths"
    for row in (["Berth", "Key", "Fee EUR"], ["N1", 7, 310], ["N2", 8, 420], ["S1", 9, 530], ["S2", 10, 640]):
        sheet.append(row)
    return book
