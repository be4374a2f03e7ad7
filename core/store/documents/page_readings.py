"""Text read off the images of pages, by the original that they belong to."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.document import PageReading, ReadLine
from core.domain.ids import ContentHash
from core.domain.span import Box
from core.store.database.db import Repository, insert_or_update, slices
from core.store.database.schema import document_versions, documents, page_readings

_FRACTION_DIGITS = 5


class PageReadings(Repository):
    """Kept for as long as a document has that original. Thread-safe; knows no visibility."""

    def put(self, original: ContentHash, reading: PageReading) -> None:
        """Keep one page, in place of an earlier reading of it."""
        lines = [
            [line.start, line.end, *_fractions(line.box), round(line.confidence, 4)] for line in reading.lines
        ]
        row = {
            "content_hash": original,
            "page_no": reading.page_no,
            "text": reading.text,
            "lines": lines,
        }
        with self._database.write_rows() as connection:
            insert_or_update(connection, page_readings, row)

    def of(self, original: ContentHash) -> list[PageReading]:
        """All pages that were read of an original, in order."""
        statement = (
            sa.select(page_readings)
            .where(page_readings.c.content_hash == original)
            .order_by(page_readings.c.page_no)
        )
        return [_reading_of(row) for row in self._database.rows(statement)]

    def page(self, original: ContentHash, page_no: int) -> PageReading | None:
        """One page; None where it was not read."""
        statement = sa.select(page_readings).where(
            page_readings.c.content_hash == original, page_readings.c.page_no == page_no
        )
        row = self._database.first(statement)
        return None if row is None else _reading_of(row)

    def pages(self, original: ContentHash) -> frozenset[int]:
        """The numbers of the pages that were read."""
        statement = sa.select(page_readings.c.page_no).where(page_readings.c.content_hash == original)
        return frozenset(self._database.scalars(statement))

    def originals(self) -> frozenset[ContentHash]:
        """The originals of which some page was read."""
        statement = sa.select(page_readings.c.content_hash).distinct()
        return frozenset(ContentHash(each) for each in self._database.scalars(statement))


def remove_unused(connection: Connection, originals: Collection[ContentHash]) -> None:
    """Delete the readings of originals that no document has any more, within the caller's transaction."""
    for some in slices(sorted(originals)):
        used = sa.union(
            sa.select(document_versions.c.content_hash), sa.select(documents.c.failed_hash)
        ).subquery()
        connection.execute(
            sa.delete(page_readings).where(
                page_readings.c.content_hash.in_(some),
                page_readings.c.content_hash.not_in(sa.select(used.c.content_hash)),
            )
        )


def _fractions(box: Box) -> list[float]:
    return [round(side, _FRACTION_DIGITS) for side in (box.x0, box.y0, box.x1, box.y1)]


def _reading_of(row: sa.Row[Any]) -> PageReading:
    lines = tuple(
        ReadLine(start, end, Box(x0, y0, x1, y1), confidence)
        for start, end, x0, y0, x1, y1, confidence in row.lines
    )
    return PageReading(row.page_no, row.text, lines)
