"""What sheets of a workbook share: their order and state, texts, formats, the day that days count from."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.ingest.parse.office import DamagedPartError, OfficePackage, is_on, local

_EAST_ASIAN_DAYS = frozenset([*range(27, 37), *range(50, 59)])


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A sheet in its workbook: its name, whether it is shown, and the part with its cells."""

    name: str
    is_hidden: bool
    path: str
    is_chart: bool = False


@dataclass(frozen=True, slots=True)
class Workbook:
    """A workbook. formats: codes by style. distrusts_zeros: its writer left computing to whoever opens it."""

    package: OfficePackage
    sheets: Sequence[SheetFile]
    texts: Sequence[str]
    formats: Sequence[str]
    epoch: datetime.datetime
    distrusts_zeros: bool

    def value(self, kind: str, text: str) -> object:
        """What a cell holds: a number, a text, True or False."""
        try:
            if kind == "s":
                return self.texts[int(text)]
            if kind == "b":
                return is_on(text)
            if kind != "n":
                return text
            return int(text) if text.lstrip("-").isdigit() else float(text)
        except (ValueError, IndexError):
            return text

    def format_of(self, style: int) -> str:
        """The number format of a style."""
        return self.formats[style] if 0 <= style < len(self.formats) else "General"

    def shown(self, value: object, style: int) -> object:
        """A number that stands for a day or a time as such; anything else as it is."""
        code = self.format_of(style)
        if isinstance(value, bool) or not isinstance(value, int | float) or not _is_day(code):
            return value
        from openpyxl.styles.numbers import is_timedelta_format
        from openpyxl.utils.datetime import from_excel

        try:
            day: object = from_excel(value, self.epoch, timedelta=is_timedelta_format(code))
        except (ValueError, OverflowError, TypeError):
            return value
        return day


@lru_cache(maxsize=1_024)
def _is_day(code: str) -> bool:
    from openpyxl.styles.numbers import is_date_format

    return bool(is_date_format(code))


def open_book(package: OfficePackage) -> Workbook:
    """The workbook in a file. Raises DamagedPartError where its list of sheets cannot be read."""
    from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH

    parts = package.relations(package.main)
    sheets: list[SheetFile] = []
    is_mac = distrusts = False
    for each in package.elements(package.main, "sheet", "workbookPr", "calcPr"):
        is_mac = is_mac or is_on(attribute(each, "date1904"))
        distrusts = distrusts or is_on(attribute(each, "fullCalcOnLoad"))
        relation = parts.get(attribute(each, "id"))
        if relation is not None and not relation.is_external:
            name, state = each.get("name", ""), each.get("state", "visible")
            sheets.append(SheetFile(name, state != "visible", relation.target, relation.kind != "worksheet"))
    return Workbook(
        package,
        sheets,
        [words_of(each) for each in package.elements(path, "si")]
        if (path := package.related("sharedStrings"))
        else (),
        _formats(package),
        MAC_EPOCH if is_mac else WINDOWS_EPOCH,
        distrusts,
    )


def _formats(package: OfficePackage) -> list[str]:
    """The format of every style of cells; [] where styles are damaged: cells are then plain numbers."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS

    codes: dict[int, str] = {**BUILTIN_FORMATS, **dict.fromkeys(_EAST_ASIAN_DAYS, "yyyy-mm-dd")}
    found: list[str] = []
    try:
        for each in package.elements(package.related("styles"), "numFmt", "cellXfs"):
            if local(each) == "cellXfs":
                found = [codes.get(whole(style.get("numFmtId")) or 0, "General") for style in each]
            elif (number := whole(each.get("numFmtId"))) is not None:
                codes[number] = each.get("formatCode", "General")
    except DamagedPartError:
        pass
    return found


def whole(text: str | None, last: int = 1 << 31) -> int | None:
    """A whole number from 0 as files write it ("7", "7.0"); None for anything else, and above `last`."""
    try:
        number = int(float(text or ""))
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= last else None


def attribute(element: Any, name: str) -> str:
    """An attribute in whatever namespace; "" where it is not there."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def words_of(element: Any) -> str:
    """The text of all `t` below an element, but for what a reader of the sheet does not see (phonetics)."""
    return "".join(
        each.text or ""
        for each in element.iter("{*}t")
        if not any(local(above) == "rPh" for above in each.iterancestors())
    )
