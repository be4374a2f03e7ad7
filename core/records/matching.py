"""Regular expressions over stored texts: RE2, which never backtracks, and a deadline on top."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from core.errors import DeadlineError, UsageError

_LONGEST_PATTERN = 1_000
_MEMORY_BYTES = 8 << 20
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
    import re2  # here: nothing but a condition with ~ needs it

    compiled = _compile(re2, pattern)
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


def _compile(re2: Any, pattern: str) -> Any:
    if len(pattern) > _LONGEST_PATTERN:
        raise UsageError(
            f"The pattern has {len(pattern):,} characters, more than {_LONGEST_PATTERN:,}.",
            next_step="Write a shorter pattern.",
        )
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY_BYTES
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        said = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise UsageError(
            f"The pattern {pattern!r} cannot be used: {said}.",
            next_step="Write a regular expression as RE2 takes it: no look-around, no back references.",
        ) from error
