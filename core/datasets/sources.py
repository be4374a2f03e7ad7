"""Rows of files as texts, one after the other, with where each stands; no file is ever held as a whole."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, TextIO
from zipfile import BadZipFile, ZipFile

from core.datasets.problems import Problems
from core.errors import InputError
from core.ingest.clean import normalise
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.decode import encoding_of
from core.ingest.parse.office import DamagedPartError, OfficePackage
from core.ingest.parse.table import sniff_delimiter
from core.ingest.parse.workbook.book import SheetFile, Workbook, open_book
from core.ingest.parse.workbook.sheet import Results, SheetRows
from core.ingest.parse.zips import check_zip
from core.text.table_shape import TableShape, is_figure, shape_of
from core.text.words import word_list

Row = tuple[int, Sequence[str]]
Header = Literal["auto", "first", "none"]
ENDINGS = (".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".parquet", ".jsonl", ".ndjson", ".json")
"""Endings of the files that can be registered."""

MOST_COLUMNS = 2_000
_MOST_NOTED = 20
_CELLS_AT_ONCE = 200_000
_AHEAD = 400  # rows by which the head is told
_SAMPLE_CHARS = 64_000
_FEW, _MOST_CONTROLS = 30, 0.02  # characters that do not show, of which texts have few
_LONGEST_CELL = 10_000_000
_MOST_JSON_BYTES = 200_000_000  # of a list that stands in one piece


@dataclass(slots=True)
class TextRows:
    """The rows of a file or sheet. heads: as they are written; "" where nothing names a column.

    done: how many of the file's bytes were read so far.
    """

    sheet: str
    heads: tuple[str, ...]
    rows: Iterator[Row]
    problems: Problems
    done: Callable[[], int] = field(default=lambda: 0)


def sources_of(path: Path, header: Header = "auto") -> Iterator[TextRows]:
    """The tables of a file, each to be read before the next. Raises InputError where there is none."""
    ending = path.suffix.casefold()
    if ending not in ENDINGS:
        raise InputError(
            f"It is no file of rows: {ending or 'it has no ending'!r}.",
            source=path.name,
            next_step=f"Register one of {', '.join(ENDINGS)}.",
        )
    if not path.stat().st_size:
        raise InputError("It is empty.", source=path.name, next_step="Register a file with rows.")
    if ending in (".xlsx", ".xlsm"):
        yield from _sheets(path, header)
    elif ending == ".parquet":
        yield from _parquet(path)
    elif ending in (".jsonl", ".ndjson", ".json"):
        yield _json(path)
    else:
        yield from _csv(path, header)


def _csv(path: Path, header: Header) -> Iterator[TextRows]:
    problems, encoding = Problems(), encoding_of(path)
    if encoding.others:
        problems.add(f"Its characters were read as {encoding.label}.")
    csv.field_size_limit(_LONGEST_CELL)
    with path.open(encoding=encoding.codec, errors="replace", newline="") as file:
        delimiter = _delimiter(file, path)
        rows = _noted(enumerate(_csv_rows(file, delimiter, path, problems), start=1), problems)
        source = _headed("", rows, problems, header)
        source.done = lambda: os.lseek(file.fileno(), 0, os.SEEK_CUR)  # `tell` of a text would go back to it
        yield source


def _delimiter(file: TextIO, path: Path) -> str:
    """What stands between cells; the file is left where its rows begin. Raises InputError for no text."""
    sample = file.read(_SAMPLE_CHARS)
    file.seek(0)
    if sum(char < " " and not char.isspace() for char in sample) > _FEW + len(sample) * _MOST_CONTROLS:
        raise InputError(
            "It is no text, whatever its name says.", source=path.name, next_step="Save it as CSV anew."
        )
    first = sample.partition("\n")[0].strip()
    if (
        first.casefold().startswith("sep=") and len(first) == len("sep=") + 1
    ):  # as spreadsheet programs write it
        file.readline()
        return first[-1]
    return "\t" if path.suffix.casefold() in (".tsv", ".tab") else sniff_delimiter(sample)


def _csv_rows(file: TextIO, delimiter: str, path: Path, problems: Problems) -> Iterator[list[str]]:
    quotes = 0
    long: list[int] = []

    def lines() -> Iterator[str]:
        nonlocal quotes
        for line in file:
            quotes += line.count('"')
            yield line.replace("\0", " ")

    reader = csv.reader(lines(), delimiter=delimiter)
    try:
        for number, row in enumerate(reader, start=1):
            if len(long) < _MOST_NOTED and any("\n" in cell for cell in row):
                long.append(number)
            yield row
    except csv.Error as error:
        raise InputError(
            f"It cannot be read behind line {reader.line_num:,}: {error}.",
            source=path.name,
            next_step="Look whether a quotation mark there is never closed.",
        ) from error
    if quotes % 2 and long:
        problems.add("A quotation mark is never closed: cells may hold rows that follow them.", rows=long)


def _noted(rows: Iterator[tuple[int, list[str]]], problems: Problems) -> Iterator[Row]:
    """Rows cleaned of invisible characters; damaged characters are noted."""
    for number, row in rows:
        cells = [cell.strip() if cell.isascii() else normalise(cell).strip() for cell in row]
        if any("\ufffd" in cell for cell in cells):
            problems.note("Characters are damaged: their bytes are none of its encoding.", number)
        yield number, cells


def _headed(
    sheet: str,
    rows: Iterator[Row],
    problems: Problems,
    header: Header,
) -> TextRows:
    """The table below a head, which is told by the first rows unless a person said."""
    first = list(islice(rows, _AHEAD))
    while first and not any(first[0][1]):
        first.pop(0)
    shape = _shape([row for _, row in first], problems, header)
    heads = shape.names if shape.headers else ()
    if shape.captions and first:
        problems.add(
            "What stands above the head is left out.",
            rows=[no for no, row in first[: shape.captions] if any(row)],
        )
    body = chain(first[shape.first :], rows)
    return TextRows(sheet, heads, _entries(body, problems), problems)


def _shape(rows: Sequence[Sequence[str]], problems: Problems, header: Header) -> TableShape:
    width = max(map(len, rows), default=0)
    if header == "none":
        return TableShape(0, 0, ("",) * width)
    shape = shape_of(rows)
    if header == "first" or (width == 1 and rows and not shape.headers and not is_figure(rows[0][0])):
        shape = TableShape(0, 1, tuple(rows[0]) if rows else ())
    if not shape.headers:
        problems.add("It has no head: its columns are named column_1, column_2 and so on.")
    elif not any(is_figure(cell) for row in rows[shape.first :] for cell in row) and header == "auto":
        said = ", ".join(filter(None, shape.names[:4]))
        problems.add(f"Its first row is taken as names of columns ({said}): say so where it is none.")
    return shape


def _entries(rows: Iterator[Row], problems: Problems) -> Iterator[Row]:
    """The rows that are entries: no blank ones, and none that add up others."""
    totals = word_list("tables", "totals")
    for number, row in rows:
        filled = [cell for cell in row if cell]
        if not filled:
            continue
        if filled[0].rstrip(":").casefold() in totals and len(filled) > 1 and all(map(is_figure, filled[1:])):
            problems.note("Rows that add up others are left out.", number)
            continue
        yield number, row


def _sheets(path: Path, header: Header) -> Iterator[TextRows]:
    size = path.stat().st_size
    try:
        check_zip(path, path.name, ParseLimits(max_file_bytes=size))
        with ZipFile(path) as archive:
            book = open_book(OfficePackage(archive, "xl/workbook.xml"))
            for sheet in book.sheets:
                if not sheet.is_chart:
                    yield _sheet(book, sheet, Results(book), header)
    except (DamagedPartError, BadZipFile) as error:
        raise InputError(
            "It is damaged: its list of sheets or its texts cannot be read.",
            source=path.name,
            next_step="Open it in a spreadsheet program, save it anew and register that.",
        ) from error


def _sheet(book: Workbook, sheet: SheetFile, results: Results, header: Header) -> TextRows:
    problems = Problems()
    read = SheetRows(book, sheet, results, reads_hidden=True)
    if sheet.is_hidden:
        problems.add("The sheet is hidden; it is read like the others.")

    def numbered() -> Iterator[tuple[int, list[str]]]:
        for at, row in enumerate(read):
            yield read.numbers[at], row
        if read.hidden_rows:
            problems.add("Rows are hidden; they are read like the others.", rows=read.hidden_rows)
        if read.unknown:
            cells = ", ".join(read.unknown[:5])
            problems.add(f"Formulas have no stored result, and are read as empty: {cells}.")
        if read.damaged_behind is not None:
            problems.add(f"The sheet breaks off behind row {read.damaged_behind:,}: the file is damaged.")

    return _headed(sheet.name, _noted(numbered(), problems), problems, header)


def _json(path: Path) -> TextRows:
    problems = Problems()
    heads: dict[str, None] = {}
    for _, entry in _entries_of_json(path, Problems()):
        heads.update(dict.fromkeys(entry))
        if len(heads) > MOST_COLUMNS:
            raise too_wide(path.name, len(heads))
    if not heads:
        raise InputError(
            "No line of it is an object of names and values.",
            source=path.name,
            next_step='Write one object a line: {"name": "ACME", "amount": 5}.',
        )

    def rows() -> Iterator[Row]:
        for number, entry in _entries_of_json(path, problems):
            yield number, [_json_text(entry.get(head)) for head in heads]

    return TextRows("", tuple(heads), rows(), problems)


def _entries_of_json(path: Path, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open(encoding=encoding_of(path).codec, errors="replace") as file:
        is_list = file.read(1_000).lstrip().startswith("[")
        file.seek(0)
        if is_list and path.stat().st_size > _MOST_JSON_BYTES:
            raise InputError(
                "It is one list of over 200 MB.", source=path.name, next_step="Write an object a line."
            )
        try:
            lines: Iterator[Any] = iter(json.load(file, parse_float=str)) if is_list else iter(file)
        except ValueError as error:
            raise InputError(
                f"It is no JSON: {error}.", source=path.name, next_step="Correct it there."
            ) from error
        for number, line in enumerate(lines, start=1):
            try:
                entry = line if is_list else json.loads(line, parse_float=str) if line.strip() else {}
            except (ValueError, RecursionError):
                entry = None
            if isinstance(entry, dict):
                if entry:
                    yield number, entry
            else:
                problems.note("Lines that are no objects are left out.", number)


def _json_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return normalise(value).strip()
    return json.dumps(value, ensure_ascii=False)


def _parquet(path: Path) -> Iterator[TextRows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(
            "It is damaged, or no Parquet file.", source=path.name, next_step="Write it anew."
        ) from error
    with file:
        heads = tuple(file.schema_arrow.names)
        yield TextRows(
            "", heads, _parquet_rows(file, max(1, _CELLS_AT_ONCE // max(1, len(heads)))), Problems()
        )


def _parquet_rows(file: Any, at_once: int) -> Iterator[Row]:
    number = 0
    for batch in file.iter_batches(batch_size=at_once):
        for cells in zip(*(_parquet_texts(column) for column in batch.columns), strict=True):
            number += 1
            yield number, cells


def _parquet_texts(column: Any) -> list[str]:
    return [_parquet_text(each) for each in column.to_pylist()]


def _parquet_text(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}" if "e" not in f"{value:.15g}" else f"{value:.20f}".rstrip("0")
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "isoformat"):
        return str(value.isoformat(" ") if hasattr(value, "hour") else value.isoformat())
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return normalise(str(value)).strip()


def too_wide(source: str, columns: int) -> InputError:
    """The error of a table with too many columns."""
    return InputError(
        f"It has {columns:,} columns or more; at most {MOST_COLUMNS:,} are read.",
        source=source,
        next_step="Register the columns that are asked for, or write several files.",
    )
