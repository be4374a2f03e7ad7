"""Which side an organisation is on where the words say so: "that ACME supplies", "with Beta as customer"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import FieldType
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    Connective,
    Fields,
    Filler,
    Function,
    Link,
    Negator,
    Noun,
    Parties,
    Piece,
    Quantity,
    Unknown,
    Values,
    stems,
)

_SUPPLYING = frozenset(stems("supply sell provide deliver perform render license"))
_BUYING = frozenset(stems("buy purchase procure rent acquire hire obtain source commission bought"))
_GOODS = frozenset(stems("goods services products equipment work works items things material materials"))
_IS = frozenset(["as", "is", "are", "was", "were", "being", "acts", "acting", "act", "be"])
_APART = _IS | {"to", "by"}
_OPPOSITE = {"vendor": "customer", "customer": "vendor"}
_SMALL = (Filler, Ask)
_HAVING = frozenset(
    ["with", "with a", "with an", "have", "has", "having", "had", "contain", "contains", "name", "names",
     "state", "states", "stating", "naming", "include", "includes", "mention", "mentions", "do have"]
)  # fmt: skip


def with_roles(pieces: Sequence[Piece], lexicon: Lexicon) -> tuple[Piece, ...]:
    """The pieces with the side of each organisation in it, and without the words that said so."""
    sides = _Sides(list(pieces), lexicon)
    at = 0
    while at < len(sides.pieces):
        at = sides.assign(at) if isinstance(sides.pieces[at].meaning, Parties) else at + 1
    return tuple(sides.pieces)


def without_idle_roles(pieces: Sequence[Piece]) -> list[Piece]:
    """Without a bare side that is only spoken of: "must the customer pay", "the supplier's liability"."""
    kept: list[Piece] = []
    for at, piece in enumerate(pieces):
        if not is_side(piece):
            kept.append(piece)
            continue
        before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        after = next((p for p in pieces[at + 1 :] if not isinstance(p.meaning, Filler)), None)
        is_asked = before is not None and (
            isinstance(before.meaning, Negator)
            or (isinstance(before.meaning, Link) and before.text.casefold() in _HAVING)
        )
        is_compared = after is not None and isinstance(after.meaning, (Parties, Values, Unknown, Negator))
        is_owner = _is_possessive(piece.text) and after is not None and isinstance(after.meaning, Fields)
        if is_owner or not (is_asked or is_compared):
            piece = replace(piece, meaning=Filler())
        kept.append(piece)
    return kept


def is_side(piece: Piece) -> bool:
    """Whether a piece is a noun for the side of an organisation: "supplier", "customer"."""
    meaning = piece.meaning
    return (
        isinstance(meaning, Fields)
        and not meaning.is_verb
        and meaning.matches[0].field.type is FieldType.PARTY
    )


class _Sides:
    """Assigns sides from left to right."""

    def __init__(self, pieces: list[Piece], lexicon: Lexicon) -> None:
        self.pieces = pieces
        self._vendor = lexicon.fields(stems("vendor"))
        self._customer = lexicon.fields(stems("customer"))

    def assign(self, first: int) -> int:
        """Reads the side of the organisations that begin at a place; gives the place behind them."""
        last = self._last(first)
        after = self._next(last + 1)
        role, gone = self._behind(first, last, after)
        if role is None:
            role, gone = self._before(first)
        if role is None:
            role, gone = self._possessed(last, after)
        if role is None:
            return last + 1
        for at in range(first, last + 1):
            meaning = self.pieces[at].meaning
            if isinstance(meaning, Parties) and meaning.role is None:
                self.pieces[at] = replace(self.pieces[at], meaning=replace(meaning, role=role))
        for at in gone:
            self.pieces[at] = replace(self.pieces[at], meaning=Filler())
        return last + 1

    def _last(self, first: int) -> int:
        """The last of several organisations that are joined: "ACME and Beta", "ACME as well as with Beta"."""
        last, at = first, first + 1
        while at < len(self.pieces):
            meaning, text = self.pieces[at].meaning, self.pieces[at].text.casefold()
            if isinstance(meaning, Parties):
                last = at
            elif text in _APART or not (
                isinstance(meaning, (Connective, Filler)) or text in ("with", "from")
            ):
                break
            at += 1
        return last

    def _next(self, at: int) -> int:
        while at < len(self.pieces) and isinstance(self.pieces[at].meaning, _SMALL):
            at += 1
        return at

    def _words(self, start: int, end: int) -> set[str]:
        return {word for piece in self.pieces[start:end] for word in piece.text.casefold().split()}

    def _behind(self, first: int, last: int, after: int) -> tuple[Fields | None, list[int]]:
        if after >= len(self.pieces):
            return None, []
        between = self._words(last + 1, after)
        piece = self.pieces[after]
        if isinstance(piece.meaning, Link) and piece.text.casefold() in ("have", "has"):
            beyond = self._next(after + 1)
            if beyond < len(self.pieces) and "as" in self._words(after + 1, beyond):
                between, piece, after = {"as"}, self.pieces[beyond], beyond
        is_said = bool(between & _IS) or bool(self._words(max(0, first - 1), first) & (_IS - {"as"}))
        if is_said and is_side(piece) and isinstance(piece.meaning, Fields):
            return piece.meaning, [after]
        if isinstance(piece.meaning, Noun) and _is_possessive(self.pieces[last].text):
            beyond = self._next(after + 1)
            if beyond < len(self.pieces) and "as" in self._words(after + 1, beyond):
                other = self.pieces[beyond]  # "ACME's agreements as supplier"
                if is_side(other) and isinstance(other.meaning, Fields):
                    return other.meaning, [beyond]
        word = stems(piece.text)
        ahead = self._next(after + 1)
        following = self._words(after + 1, ahead)
        if ahead >= len(self.pieces) or not isinstance(self.pieces[ahead].meaning, Parties):
            following -= {"by"}  # "that ACME supplies by value"
        if len(word) == 1 and not following & {"by", "to"} and piece.text.casefold()[-1:] != "d":
            kind = self.pieces[after + 1] if after + 1 < len(self.pieces) else None
            if kind is not None and isinstance(kind.meaning, Noun) and piece.text[-1:] != "s":
                return None, []  # "the Harbor supply agreement" says which agreement
            if word[0] in _SUPPLYING:
                return self._vendor, [after, *self._goods(after + 1)]
            if word[0] in _BUYING and "from" not in following:
                return self._customer, [after, *self._goods(after + 1)]
        return None, []

    def _before(self, first: int) -> tuple[Fields | None, list[int]]:
        """ "buy from ACME", "sold to Northwind"."""
        start = first
        while start > 0 and isinstance(self.pieces[start - 1].meaning, (*_SMALL, Link)):
            start -= 1
        if start == 0:
            return None, []
        between, word = self._words(start, first), stems(self.pieces[start - 1].text)
        if not word:
            return None, []
        said = self.pieces[start - 1].text.casefold().split()
        earlier = self.pieces[start - 1].meaning
        if isinstance(earlier, Parties) and earlier.role is self._vendor and "to" in between:
            return self._customer, []  # "supplied by ACME to Northwind"
        if word[0] in _BUYING | {"order", "get", "got", "receiv", "suppli"} and (
            "from" in between or said[-1] == "from"
        ):
            return self._vendor, [start - 1]
        if word[0] in _SUPPLYING | {"bill", "invoic", "leas", "let"} and (
            "to" in between or said[-1] == "to"
        ):
            return self._customer, [start - 1]
        if word[0] in _BUYING and ("by" in between or said[-1] == "by"):
            return self._customer, [start - 1]
        if word[0] in _SUPPLYING and ("by" in between or said[-1] == "by"):
            return self._vendor, [start - 1]
        return None, []

    def _possessed(self, last: int, after: int) -> tuple[Fields | None, list[int]]:
        """ "Northwind's supplier agreements" are those in which it is the customer; so are its suppliers."""
        while after < len(self.pieces) and isinstance(self.pieces[after].meaning, (Quantity, Filler)):
            after += 1
        if (
            after >= len(self.pieces)
            or not _is_possessive(self.pieces[last].text)
            or not is_side(self.pieces[after])
        ):
            return None, []
        meaning = self.pieces[after].meaning
        assert isinstance(meaning, Fields)  # as `is_side` has it
        other = _OPPOSITE.get(meaning.matches[0].field.name)
        role = self._vendor if other == "vendor" else self._customer if other == "customer" else None
        beyond = self.pieces[after + 1] if after + 1 < len(self.pieces) else None
        is_kind = beyond is not None and isinstance(beyond.meaning, Noun)
        return role, [after] if is_kind else []

    def _goods(self, at: int) -> list[int]:
        """What is supplied, where it says nothing: "the goods or services"."""
        found: list[int] = []
        while at < len(self.pieces):
            piece = self.pieces[at]
            if set(stems(piece.text)) <= _GOODS and piece.text:
                found.append(at)
            elif not isinstance(piece.meaning, (Filler, Connective, Function)) or (
                not found and not isinstance(piece.meaning, Filler)
            ):
                break
            at += 1
        joins = [
            n
            for n in range(found[0], found[-1] + 1)
            if n not in found and isinstance(self.pieces[n].meaning, Connective)
        ] if found else []  # fmt: skip
        return [*found, *joins]


def _is_possessive(text: str) -> bool:
    return text.casefold().replace("’", "'").endswith(("'s", "s'"))
