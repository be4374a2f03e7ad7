"""The ledger of a crawl as CSV: one line an address, whoever asks for it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from core.domain.crawl.ledger import UrlRow
from core.spreadsheet import safe

COLUMNS = (
    "url",
    "state",
    "reason",
    "detail",
    "status",
    "depth",
    "found_on",
    "leads_to",
    "media_type",
    "size_bytes",
    "title",
    "content_hash",
    "change",
    "document",
    "requests",
    "repeats",
    "run",
    "fetched_at",
)


def ledger_csv(rows: Iterable[UrlRow]) -> Iterator[str]:
    """The header, then a line for each row, as they come: a ledger of any length takes no memory.

    States and reasons are those of UrlState and UrlReason; times are UTC in ISO form; what is not known is
    empty. Words that sites chose are marked where a spreadsheet program would take them for a formula.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    for row in rows:
        if buffer.tell() > 60_000:
            yield _taken(buffer)
        writer.writerow([_cell(getattr(row, column)) for column in COLUMNS])
    yield _taken(buffer)


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return safe(value)
    iso = getattr(value, "isoformat", None)
    return iso(timespec="seconds") if iso is not None else value


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
