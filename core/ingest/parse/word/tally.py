"""What was met in a file beside its plain text, counted by kind."""

from __future__ import annotations

from collections import Counter

from core.domain.document import FilePart, PartState

DELETED = "Deletions that are tracked are no text of the document."
_MOST_PLACES = 5


class PartTally:
    """Counts parts as a parser meets them; the same kind, state and reason is one part."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, PartState, str]] = Counter()
        self._places: dict[tuple[str, PartState, str], dict[str, None]] = {}

    def read(self, kind: str, count: int = 1) -> None:
        """Its words stand in the text."""
        self._add((kind, PartState.READ, ""), count, "")

    def left_out(self, kind: str, reason: str, count: int = 1) -> None:
        """A reader of the file does not see it either."""
        self._add((kind, PartState.LEFT_OUT, reason), count, "")

    def unread(self, kind: str, reason: str, place: str = "") -> None:
        """A reader of the file sees it, and it is a gap here."""
        self._add((kind, PartState.UNREAD, reason), 1, place)

    def parts(self) -> tuple[FilePart, ...]:
        """All of it, in the order in which it was met."""
        return tuple(
            FilePart(kind, state, count, self._place((kind, state, reason)), reason)
            for (kind, state, reason), count in self._counts.items()
        )

    def _place(self, key: tuple[str, PartState, str]) -> str:
        places = list(self._places.get(key, ()))
        more = len(places) - _MOST_PLACES
        return ", ".join(places[:_MOST_PLACES]) + (f" and {more} more" if more > 0 else "")

    def _add(self, key: tuple[str, PartState, str], count: int, place: str) -> None:
        if not count:
            return
        self._counts[key] += count
        if place:
            self._places.setdefault(key, {})[place[:80]] = None
