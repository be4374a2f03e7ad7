"""Compiled statements that outlive their engine: each new home would compile all of its own anew."""

from __future__ import annotations

from typing import Any

from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

_MOST = 5_000


def share_statements() -> None:
    """From now on engines of one dialect have one cache of statements."""
    shared: LRUCache[Any] = LRUCache(_MOST)
    make = Engine.__init__

    def made(engine: Engine, *given: Any, **named: Any) -> None:
        make(engine, *given, **named)
        engine._compiled_cache = shared

    Engine.__init__ = made  # type: ignore[method-assign]
    DefaultDialect.__eq__ = _is_alike  # type: ignore[method-assign, assignment]
    DefaultDialect.__hash__ = _hash  # type: ignore[method-assign, assignment]


def _is_alike(dialect: DefaultDialect, other: object) -> bool:
    return type(dialect) is type(other)


def _hash(dialect: DefaultDialect) -> int:
    return hash(type(dialect))
