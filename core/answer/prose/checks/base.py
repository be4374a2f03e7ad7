"""Forms of the checks: a computed value, and the report on one claim."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Check


@dataclass(frozen=True, slots=True)
class ComputedValue:
    """A value that code computed, as it stands in prose ("USD 1,250,000").

    label: what it is the value of, in words ("number of contracts under Delaware law"); it supports a claim
    as the words of a span do.
    """

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """Checks of one claim in a fixed order, and its score of support in [0, 1]."""

    checks: tuple[Check, ...]
    support: float

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if not check.ok)
