"""Cursors of lists: opaque words for the place that the next page begins at."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Query

from core.errors import UsageError

T = TypeVar("T")
MOST = 200
FARTHEST = 10_000_000

Limit = Annotated[int, Query(ge=1, le=MOST, description="Most entries of one page.")]
WholeLimit = Annotated[
    int | None, Query(ge=1, le=MOST, description="Most entries of one page; left out, all of them.")
]
Cursor = Annotated[
    str | None, Query(max_length=200, description="`next_cursor` of the page before; left out, the first.")
]


def offset_of(cursor: str | None, *chosen: Any) -> int:
    """The offset that a cursor stands for, 0 for none.

    chosen: the filters of the list. Raises UsageError where the cursor was not given for them.
    """
    if cursor is None:
        return 0
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii") + b"=="))
        offset, mark = found
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _unknown() from None
    if type(offset) is not int or not 0 <= offset <= FARTHEST or mark != _mark(chosen):
        raise _unknown()
    return offset


def cursor_of(offset: int, *chosen: Any) -> str:
    """The cursor for an offset under these filters."""
    return base64.urlsafe_b64encode(json.dumps([offset, _mark(chosen)]).encode()).rstrip(b"=").decode()


def page_of(rows: Sequence[T], limit: int | None, cursor: str | None) -> tuple[Sequence[T], str | None]:
    """One page of a list that is there as a whole, and the cursor of the next one; None after the last."""
    offset = offset_of(cursor)
    if limit is None:
        return rows[offset:], None
    end = offset + limit
    return rows[offset:end], cursor_of(end) if end < len(rows) else None


def _mark(chosen: tuple[Any, ...]) -> str:
    return hashlib.sha256(json.dumps(chosen).encode()).hexdigest()[:8]


def _unknown() -> UsageError:
    return UsageError(
        "This cursor was not given for this list.", next_step="Leave it out to begin at the first page."
    )
