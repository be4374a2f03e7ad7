"""Matches of a few hundred weighted patterns in a sentence: features of the clause heads, never rules.

RE2 runs them all in one pass over the literals that each needs and then those that may match: linear in the
text whatever the patterns are, and a tenth of the time that `re` takes (30 ms instead of 400 for a contract
of 19 pages).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MEMORY_BYTES = 4 << 20  # a pattern; measured: a matrix of contracts stays far below it


@dataclass(frozen=True, slots=True)
class ClausePattern:
    """One pattern on lower-cased text. unless: it does not count where this matches too.

    type: the title of the clause type that it speaks for, or "_signals".
    """

    type: str
    pattern: str
    unless: str = ""


class PatternBits:
    """Compiled patterns; thread-safe once made."""

    def __init__(self, patterns: Sequence[ClausePattern]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = _MEMORY_BYTES
        options.never_capture = True
        options.log_errors = False
        self.patterns = tuple(patterns)
        self._filter = re2.Filter()
        for each in self.patterns:
            self._filter.Add(each.pattern, options)
        if self.patterns:
            self._filter.Compile()
        self._unless = {
            index: re2.compile(each.unless, options)
            for index, each in enumerate(self.patterns)
            if each.unless
        }

    def of(self, texts: Sequence[str]) -> NDArray[np.uint8]:
        """(n, patterns) of 0 and 1: which pattern matches anywhere in which text."""
        bits = np.zeros((len(texts), len(self.patterns)), np.uint8)
        if not self.patterns:
            return bits
        for row, text in enumerate(texts):
            lowered = text.lower().encode("utf-8", "replace")
            found = self._filter.Match(lowered)
            if found:
                bits[row, found] = 1
                for index, pattern in self._unless.items():
                    if bits[row, index] and pattern.search(lowered):
                        bits[row, index] = 0
        return bits
