"""Pieces of a question in a row, with what was made of each so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from core.plan.ir.nodes import Note
from core.plan.language.pieces import Connective, Filler, HavingWord, Token
from core.plan.tables.joints import with_joints_apart
from core.plan.tables.mentions import ColumnMention, MentionedTable, RowMention, TablePiece

_M = TypeVar("_M")


class PieceSequence:
    """The pieces of one question; `used` are those that something was made of."""

    def __init__(self, question: str, tokens: Sequence[Token], pieces: Sequence[TablePiece]) -> None:
        self.question = question
        self.tokens = tokens
        self.pieces = with_joints_apart(tokens, pieces)
        self.used: set[int] = set()
        self.notes: list[Note] = []

    def __len__(self) -> int:
        return len(self.pieces)

    def mention(self, at: int) -> object:
        """What the piece at a place mentions; None beyond the ends."""
        return self.pieces[at].mention if 0 <= at < len(self.pieces) else None

    def text(self, at: int) -> str:
        """Its words in small letters."""
        return self.pieces[at].text.casefold() if 0 <= at < len(self.pieces) else ""

    def word(self, at: int) -> str:
        """Its last word in small letters."""
        return self.tokens[self.pieces[at].end - 1].word if 0 <= at < len(self.pieces) else ""

    def first_word(self, at: int) -> str:
        """Its first word in small letters."""
        return self.tokens[self.pieces[at].first].word if 0 <= at < len(self.pieces) else ""

    def places(self, kind: type[_M] | tuple[type[_M], ...], *, unused: bool = False) -> Iterator[int]:
        """The places of pieces that mention something of a kind, in order."""
        for at, piece in enumerate(self.pieces):
            if isinstance(piece.mention, kind) and not (unused and at in self.used):
                yield at

    def of(self, at: int, kind: type[_M]) -> _M | None:
        """What is mentioned at a place, where it is of a kind."""
        found = self.mention(at)
        return found if isinstance(found, kind) else None

    def after(self, at: int, *, over: tuple[type, ...] = (Filler, HavingWord)) -> int:
        """The next place that is more than filling; -1 at the end."""
        place = at + 1
        while place < len(self.pieces):
            if not isinstance(self.pieces[place].mention, over):
                return place
            place += 1
        return -1

    def before(self, at: int, *, over: tuple[type, ...] = (Filler, HavingWord)) -> int:
        """The place before that is more than filling; -1 at the beginning."""
        place = at - 1
        while place >= 0 and isinstance(self.pieces[place].mention, over):
            place -= 1
        return place

    def near(
        self,
        at: int,
        step: int,
        fits: Callable[[object], bool],
        *,
        stops: Callable[[object], bool],
        reach: int = 4,
    ) -> int:
        """The nearest place before (step -1) or behind (1) that fits, with nothing between that stops; -1."""
        place, passed = at + step, 0
        while 0 <= place < len(self.pieces) and passed <= reach:
            mention = self.pieces[place].mention
            if fits(mention):
                return place
            if stops(mention):
                return -1
            passed += not isinstance(mention, Filler)
            place += step
        return -1

    def use(self, at: int, reading: str = "") -> None:
        """Take a piece, and note what it was read as."""
        self.used.add(at)
        if reading:
            self.notes.append(Note(phrase=self.pieces[at].text[:500], reading=reading))

    def joined(self, one: int, other: int) -> bool:
        """True where "and", "or" or a comma, and no more than filling, stand between two places."""
        between = [self.pieces[at].mention for at in range(one + 1, other)]
        others = [m for m in between if not isinstance(m, Filler)]
        return bool(others) and all(isinstance(m, Connective) for m in others)

    def words_between(self, one: int, other: int) -> list[str]:
        """The words between two places."""
        if one >= other:
            return []
        return [t.word for t in self.tokens[self.pieces[one].end : self.pieces[other].first]]


def is_noun(mention: object) -> bool:
    """True of what stands as a noun: a column, a row, a title."""
    return isinstance(mention, ColumnMention | RowMention | MentionedTable)
