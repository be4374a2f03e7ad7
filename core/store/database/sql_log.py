"""Overhears what is asked of the database, so that a person can read it: statements with their values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

LONGEST = 200  # characters of a value that are kept; lists of ids are longer


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """A statement as the database got it. values: of its placeholders, in order, each with its name or ""."""

    sql: str
    values: tuple[tuple[str, str], ...] = ()


_overheard: ContextVar[list[SqlStatement] | None] = ContextVar("overheard", default=None)


@contextmanager
def overheard() -> Iterator[list[SqlStatement]]:
    """A list that grows with every statement that this thread runs until the block ends, each once."""
    found: list[SqlStatement] = []
    token = _overheard.set(found)
    try:
        yield found
    finally:
        _overheard.reset(token)


def is_overheard() -> bool:
    """True where statements are traced: then nothing should come from what was found before."""
    return _overheard.get() is not None


def listen(engine: Engine) -> None:
    """Let statements of this engine be overheard."""
    sa.event.listen(engine, "before_cursor_execute", _note)


def _note(
    _connection: object, _cursor: object, sql: str, parameters: Any, _context: object, is_many: bool
) -> None:
    found = _overheard.get()
    if found is None or sql.startswith("BEGIN"):
        return
    one = parameters[0] if is_many and parameters else parameters
    named = one.items() if isinstance(one, dict) else (("", value) for value in one or ())
    said = SqlStatement(sql, tuple((str(name), _brief(value)) for name, value in named))
    if said not in found:
        found.append(said)


def _brief(value: object) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
