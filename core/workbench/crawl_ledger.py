"""The ledger of a crawl as a CSV file, in words, with nothing that a spreadsheet takes for a formula."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from core.domain.crawl.ledger import UrlRow
from core.domain.crawl.words import CHANGE_WORDS, REASON_WORDS, STATE_WORDS
from core.errors import UsageError
from core.spreadsheet import replaced, write_csv

COLUMNS = (
    "Address",
    "Depth",
    "State",
    "Reason",
    "Detail",
    "HTTP status",
    "Media type",
    "Bytes",
    "Title",
    "Found on",
    "Leads to",
    "Change",
    "Document id",
    "Content hash",
    "Fetched at",
    "Requests",
    "Repeats",
)

_AT_ONCE = 500  # lines of a piece


def write_ledger(path: Path, rows: Iterable[UrlRow]) -> int:
    """Write the file as a whole or not at all; gives how many addresses it holds.

    Raises UsageError for another ending than .csv, or a bad place.
    """
    if path.suffix.lower() != ".csv":
        raise UsageError(f"{str(path)!r} is of an unknown kind.", next_step="Give a file that ends in .csv.")
    with replaced(path) as part, part.open("w", encoding="utf-8-sig", newline="") as file:
        return write_rows(file, rows)


def ledger_csv(rows: Iterable[UrlRow]) -> Iterator[str]:
    """The same file in pieces, for an answer of any length that is sent as the rows are read."""
    yield "\ufeff"
    lines = iter(chain([None], rows))
    while some := list(islice(lines, _AT_ONCE)):
        piece = io.StringIO(newline="")
        write_csv(piece, (COLUMNS if row is None else _line(row) for row in some))
        yield piece.getvalue()


def write_rows(file: TextIO, rows: Iterable[UrlRow]) -> int:
    """Write to a file that is open as text without newline translation; gives the number of addresses."""
    count = 0

    def lines() -> Iterator[Sequence[Any]]:
        nonlocal count
        yield COLUMNS
        for row in rows:
            count += 1
            yield _line(row)

    write_csv(file, lines())
    return count


def _line(row: UrlRow) -> Sequence[Any]:
    return (
        row.url,
        row.depth,
        STATE_WORDS[row.state],
        REASON_WORDS[row.reason],
        row.detail,
        row.status,
        row.media_type,
        row.size_bytes or None,
        row.title,
        row.found_on,
        row.leads_to,
        CHANGE_WORDS[row.change],
        row.document,
        row.content_hash,
        None if row.fetched_at is None else row.fetched_at.isoformat(timespec="seconds"),
        row.requests,
        row.repeats,
    )
