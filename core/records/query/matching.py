"""Regular expressions over stored texts: RE2, which never backtracks, and a deadline on top."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from core.config.pattern import compile_pattern
from core.errors import DeadlineError, UsageError

_LONGEST_PATTERN = 1_000
_LIMIT_S = 2.0
_LOOK_EVERY = 1_000


def matching(
    pattern: str,
    texts: Iterable[str],
    *,
    limit_s: float = _LIMIT_S,
    clock: Callable[[], float] = time.monotonic,
) -> list[str]:
    """The texts in which the pattern is found, whatever the case.

    Raises UsageError for a pattern that RE2 does not take, DeadlineError after `limit_s`.
    """
    compiled = _compile(pattern)
    ends_at = clock() + limit_s
    found = []
    for number, text in enumerate(texts):
        if number % _LOOK_EVERY == 0 and clock() > ends_at:
            raise DeadlineError(
                f"The pattern {pattern!r} was looked for in {number:,} values and took over {limit_s:g} s.",
                next_step="Narrow it down with another condition, or use 'contains'.",
            )
        if compiled.search(text):
            found.append(text)
    return found


def _compile(pattern: str) -> Any:
    if len(pattern) > _LONGEST_PATTERN:
        raise UsageError(
            f"The pattern has {len(pattern):,} characters, more than {_LONGEST_PATTERN:,}.",
            next_step="Write a shorter pattern.",
        )
    compile_pattern(pattern)  # as it was written, for the error that names it
    return compile_pattern(f"(?i){pattern}")
