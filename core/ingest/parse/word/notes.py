"""Footnotes, endnotes and comments: their numbers, and their elements by id."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from core.ingest.parse.word.elements import W, number, value
from core.ingest.parse.word.numbering import number_as

_USUAL = {"footnote": "decimal", "endnote": "lowerRoman"}


@dataclass(frozen=True, slots=True)
class NoteMark:
    """A place in the text that a note belongs to. kind: "footnote", "endnote" or "comment"."""

    kind: str
    note_id: str
    label: str


class Notes:
    """Numbers notes in the order in which the text refers to them.

    roots: gives the root of a kind's part, None where it has none that can be read; asked once, when needed.
    """

    def __init__(self, roots: Callable[[str], Any], settings: Any, sections: Iterable[Any]) -> None:
        self._roots = roots
        self._elements: dict[str, dict[str, Any]] = {}
        self._said = [settings, *sections]
        self._counts = dict.fromkeys(_USUAL, 0)
        self._section = 1

    def element(self, kind: str, note_id: str) -> Any:
        """A note's or comment's element; None where there is none."""
        if kind not in self._elements:
            root = self._roots(f"{kind}s")
            found = root.iter(W + kind) if root is not None else ()
            self._elements[kind] = {each.get(f"{W}id", ""): each for each in found}
        return self._elements[kind].get(note_id)

    def refer(self, kind: str, note_id: str, *, is_custom: bool = False) -> NoteMark | None:
        """The next mark of the text. is_custom: the text itself has the mark, and none is counted."""
        if is_custom:
            return NoteMark(kind, note_id, "")
        self._counts[kind] += 1
        count = self._counts[kind] - 1 + number(self._of(kind, "numStart"), 1)
        form = self._of(kind, "numFmt") or _USUAL[kind]
        return NoteMark(kind, note_id, number_as(count, form) or str(count))

    def end_section(self) -> None:
        """A section of the text ends here: its notes may begin anew."""
        self._section = min(self._section + 1, len(self._said) - 1)
        for kind in self._counts:
            if self._of(kind, "numRestart") == "eachSect":
                self._counts[kind] = 0

    def _of(self, kind: str, name: str) -> str:
        section = self._said[self._section] if self._section < len(self._said) else None
        return value(section, f"{kind}Pr/{name}") or value(self._said[0], f"{kind}Pr/{name}")
