"""What a planner may ask of the text of documents, within what the person who asks may see."""

from __future__ import annotations

from typing import Protocol


class Texts(Protocol):
    """Whether words are written anywhere, and what a document says."""

    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        """Whether a passage, title or file name has all words of the phrase close together."""
        ...

    def of(self, document: str) -> str:
        """The whole text of a document; "" where it has none or may not be seen."""
        ...


class NoTexts:
    """Knows of no text, so that only titles, names and values exist."""

    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        """Never."""
        return False

    def of(self, document: str) -> str:
        """Nothing."""
        return ""
