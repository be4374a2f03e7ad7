"""Patterns as most of them are meant: whatever the case."""

from __future__ import annotations

import re


def any_case(*patterns: str) -> re.Pattern[str]:
    """A pattern for any of some, in small and in large letters alike."""
    return re.compile("|".join(patterns), re.IGNORECASE)
