"""What is said before a question and asks nothing: "Bottom line please: ...", "I am out of time. Which ...".

It is set aside where it is small change, or about ourselves with nothing of the collection in it; what
narrows the question stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    Clause,
    Comparator,
    Connective,
    Documents,
    Fields,
    Filler,
    Function,
    Link,
    Negator,
    Noun,
    Piece,
    Top,
    Unknown,
    tokens_of,
)
from core.plan.language.reading.read import read
from core.plan.language.rewriting.framing import Framed
from core.text.analyse import STOP_WORDS

_BREAK = re.compile(r"\s*:\s+|\s+[–—-]\s+|[.!?]\s+(?=[A-Z])|(?P<weak>,)\s+")
_MOST = 60  # words of a preamble
_BY_US = frozenset(["i", "we", "me", "my", "myself", "us", "you", "your"])
_POLITE_WORDS = (
    "please pls plz thanks thank thx sorry hi hello hey dear ok okay well right so now then next also again"
    " quick quickly short long story brief briefly simple straight bottom line question questions one another"
    " last final urgent urgently fyi asap heads up help favour favor task note reminder version summary"
    " need fast precise exact careful sure two three thing things point points first second third finally"
    " team all folks everyone boss hurry rush patient quickest way here goes listen look"
)
_POLITE = frozenset(_POLITE_WORDS.split())
_WANTS = re.compile(
    r"\b(?:want|need|interested\s+in|look(?:ing)?\s+(?:for|at)|care\s+(?:about|for)|mean|focus|consider|concerns?"
    r"|about)(?:s|ed|ing)?\s+(?!(?:this|that|it|them|to|you|your|an?\s+answer|some\s+help|help|help\s+with)\b)",
    re.IGNORECASE,
)
_NARROWING = frozenset(["only", "except", "those", "these", "ones", "solely", "exclusively"])
_THINGS = frozenset(["stuff", "things", "ones", "items", "only", "just", "matters", "cases"])
_SIZES = frozenset(["small", "smaller", "big", "bigger", "large", "larger", "little", "cheap", "expensive"])
_IDLE = (Filler, Link, Ask, Connective, Clause, Negator, Function, Top)
_BREAKS = 8  # that are looked at: what is behind each is read anew


def without_preamble(frame: Framed, lexicon: Lexicon) -> Framed:
    """The frame without what is said before its question; the same where that may narrow it."""
    text, notes = frame.text, list(frame.notes)
    for match in islice(_BREAK.finditer(frame.text), _BREAKS):
        before, rest = frame.text[: match.start()], frame.text[match.end() :]
        if len(before.split()) > _MOST:
            break
        if match["weak"] and not (_is_polite(before) and _opens(rest, lexicon, frame.today)):
            continue
        if (
            before.strip()
            and _asks(rest, lexicon, frame.today)
            and _says_nothing(before, rest, lexicon, frame.today)
        ):
            text = rest
            notes = [*frame.notes, (before.strip(" ,.;:–—-"), "says nothing that could be looked for")]
    return replace(frame, text=text, notes=tuple(notes))


def _asks(rest: str, lexicon: Lexicon, today: date) -> bool:
    """Whether words are a question, or name what is wanted."""
    pieces = [p for p in read(rest, lexicon, today).pieces if not isinstance(p.meaning, Filler)]
    if len(pieces) < 2:
        return False
    return isinstance(pieces[0].meaning, (Ask, Function, Top)) or any(
        isinstance(piece.meaning, (Noun, Fields)) for piece in pieces
    )


def _opens(rest: str, lexicon: Lexicon, today: date) -> bool:
    """Whether words begin as a question does."""
    first = next((p for p in read(rest, lexicon, today).pieces if not isinstance(p.meaning, Filler)), None)
    return first is not None and isinstance(first.meaning, Ask)


def _says_nothing(before: str, rest: str, lexicon: Lexicon, today: date) -> bool:
    """Whether words before a question have nothing of the collection, and narrow nothing."""
    reading = read(before, lexicon, today)
    words = [token.word for token in tokens_of(before)]
    if _is_polite(before) or _is_announced(words, rest, lexicon, today):
        return True
    if not _BY_US & set(words) or _NARROWING & set(words) or _WANTS.search(before):
        return False
    return all(_is_said_by_us(piece, reading.tokens[piece.first].text) for piece in reading.pieces)


def _is_polite(before: str) -> bool:
    """Whether words are only the small change of asking."""
    words = {token.word for token in tokens_of(before) if token.is_word}
    return words <= _POLITE | STOP_WORDS and bool(words & _POLITE) and not words & _NARROWING


def _is_said_by_us(piece: Piece, first: str) -> bool:
    """Whether a piece of a sentence about ourselves has nothing of the collection in it."""
    meaning = piece.meaning
    if isinstance(meaning, Unknown):
        return first.isalpha() and (first.islower() or first.casefold() in _POLITE)
    if isinstance(meaning, Documents):
        return not meaning.is_exact and piece.text.islower()  # one word of a title, said in passing
    return isinstance(meaning, _IDLE)


def _is_announced(words: Sequence[str], rest: str, lexicon: Lexicon, today: date) -> bool:
    """ "Small stuff only": a size in words, where the question itself says how large."""
    plain = set(words) <= _THINGS | _SIZES | {"the", "a"}
    compared = any(isinstance(p.meaning, Comparator) for p in read(rest, lexicon, today).pieces)
    return plain and compared
