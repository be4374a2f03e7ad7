"""Regular expressions of people, compiled by RE2: they cost time in proportion to the text, never more."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from core.errors import SettingsError

_MAX_MEMORY = 16 << 20  # a pattern that needs more is refused as it is compiled


@lru_cache(maxsize=2_000)
def compile_pattern(pattern: str) -> Any:
    """The compiled pattern, with the methods of `re.Pattern`.

    Raises SettingsError for what RE2 cannot compile: broken patterns, back-references, look-around.
    """
    import re2

    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise SettingsError(
            f"The pattern {pattern!r} cannot be used: {text}.",
            next_step="Write it as RE2 understands it: no look-around and no back-references.",
        ) from None
