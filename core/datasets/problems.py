"""Problems of a file of rows, in words that name columns and rows."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.rows.dataset import DatasetProblem

_MOST_ROWS = 20
_MOST = 200


class Problems:
    """Problems as they are met; of one kind the first rows are kept, and all are counted."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, str], list[int]] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def add(self, text: str, column: str = "", rows: Sequence[int] = ()) -> None:
        """A problem that is told once."""
        key = (text, column)
        self._noted[key] = list(rows[:_MOST_ROWS])
        self._counts[key] = len(rows)

    def note(self, text: str, row: int, column: str = "") -> None:
        """A problem of a row; those of other rows are told with it."""
        key = (text, column)
        rows = self._noted.setdefault(key, [])
        self._counts[key] = self._counts.get(key, 0) + 1
        if len(rows) < _MOST_ROWS:
            rows.append(row)

    def all(self) -> tuple[DatasetProblem, ...]:
        """All of them, in the order in which they were met; of very many the last are only counted."""
        found = [
            DatasetProblem(f"{text} {_rows_in_words(rows, self._counts[key])}".strip(), key[1], tuple(rows))
            for key, rows in self._noted.items()
            for text in (key[0],)
        ]
        if len(found) > _MOST:
            found[_MOST:] = [DatasetProblem(f"{len(found) - _MOST:,} more problems are not listed.")]
        return tuple(found)


def _rows_in_words(rows: Sequence[int], count: int) -> str:
    if not count:
        return ""
    said = ", ".join(f"{each:,}" for each in rows[:5])
    more = f" and {count - 5:,} more" if count > 5 else ""
    return f"({'row' if count == 1 else 'rows'} {said}{more})"
