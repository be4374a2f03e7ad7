"""Words of the language that carry a question and nothing in it: light verbs, adverbs, politeness.

They are dropped only from questions about sets, where nothing of the collection is called so, and where they
stand as a verb or adverb: behind "the", "any" or "no", or before "clause", the same word is a noun, and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.plan.language.pieces import (
    Ask,
    Clause,
    Described,
    Documents,
    Fields,
    Filler,
    Function,
    Grouping,
    Link,
    Meaning,
    Negator,
    Noun,
    Ordering,
    Piece,
    Token,
    Top,
    Unknown,
    Values,
    stem,
    stems,
)

_VERBS = (
    "get gets got gotten getting say says said saying calculate calculates calculated compute computed "
    "determine figure reckon establish check verify confirm work put puts putting place arrange line lay "
    "print prepare produce draw pull bring dig grab fetch extract compile collect gather select pick "
    "come comes came coming go goes going went make makes making let lets "
    "help helps try wonder wondering wish hope like love care mind think believe guess suppose understand "
    "learn hear remind inform advise appear appears seem seems tend tends look looks looking read reads "
    "use uses used using deal deals take takes took turn turns end wind bear bears hand point answer "
    "consist consists comprise comprises remain remains stay stays keep keeps talk speak speaks spoke"
)
_ADVERBS = (
    "actually basically simply quickly roughly generally kindly currently presently already perhaps maybe "
    "possibly probably really literally honestly frankly ideally specifically particularly precisely "
    "altogether overall anyway anyhow otherwise likewise thereby therefore hence thus moreover furthermore "
    "additionally accordingly indeed certainly definitely surely obviously clearly apparently ultimately "
    "eventually essentially effectively somehow somewhere anywhere everywhere instead rather quite pretty "
    "merely purely strictly namely explicitly expressly again once back ahead away aside apart now here "
    "there today's asap afaik btw etc everything"
)
_POLITE = (
    "thanks thank thx cheers pls plz hi hello hey dear sorry excuse pardon ok okay sure oh well yes yep "
    "kindly mate folks guys team quick curious"
)
_COURTESY = frozenset(_POLITE.split())
_LIGHT = frozenset(f"{_VERBS} {_ADVERBS} {_POLITE}".split())
_DETERMINERS = frozenset(["the", "a", "an", "any", "no", "this", "each", "every", "such", "whose"])
_OBJECTS = frozenset(
    [
        "out", "which", "what", "whether", "how", "if", "the", "all", "every", "our", "for", "me", "us",
        "up", "together",
    ]
)  # fmt: skip
_MARKING = (Link, Negator)
IDLE = "carries the question, says nothing itself"
"""The reason of a piece that was emptied because its word is light."""


def without_light(pieces: Sequence[Piece], tokens: Sequence[Token]) -> tuple[Piece, ...]:
    """The pieces with light words, and those that only name a field again, as fillers."""
    kept = list(pieces)
    if not any(_is_of_set(piece.meaning) for piece in pieces):
        return tuple(_without_courtesy(pieces, tokens))
    named = {part for piece in pieces for part in _title_of(piece)}
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Unknown) and not _is_said_first(pieces, at, tokens):
            continue
        if stem(piece.text) not in named and not _is_light(pieces, at, tokens):
            continue
        kept[at] = replace(piece, meaning=Filler(), reason=IDLE)
    return tuple(kept)


def _without_courtesy(pieces: Sequence[Piece], tokens: Sequence[Token]) -> list[Piece]:
    """The pieces with politeness at either end as fillers, whatever is asked: "cert number of ... pls"."""
    kept = list(pieces)
    for places in (range(len(kept)), reversed(range(len(kept)))):
        for at in places:
            piece = kept[at]
            is_polite = isinstance(piece.meaning, Unknown) and tokens[piece.first].word in _COURTESY
            if is_polite:
                kept[at] = replace(piece, meaning=Filler(), reason=IDLE)
            elif not isinstance(piece.meaning, Filler):
                break
    return kept


def is_light_word(word: str) -> bool:
    """Whether a word in lower case only carries questions: "calculate", "please", "altogether"."""
    return word in _LIGHT


def _is_of_set(meaning: Meaning) -> bool:
    """Whether a piece says that several documents are asked about."""
    is_many = isinstance(meaning, Noun) and meaning.is_plural
    is_count = isinstance(meaning, Ask) and meaning.how == "count"
    return is_many or is_count or isinstance(meaning, (Function, Top, Grouping, Ordering))


def _title_of(piece: Piece) -> tuple[str, ...]:
    """The words of the field that other words of the question name: "walk away ... for convenience"."""
    meaning = piece.meaning
    if not isinstance(meaning, Fields) or len(piece.text.split()) < 2:
        return ()
    return stems(meaning.matches[0].field.title)


def _is_said_first(pieces: Sequence[Piece], at: int, tokens: Sequence[Token]) -> bool:
    """ "work out the total", "check which ...": an order to us, though some value has the word."""
    piece = pieces[at]
    is_loose = isinstance(piece.meaning, Documents) and not piece.meaning.is_exact
    is_loose = is_loose or isinstance(piece.meaning, (Values, Described))
    if not is_loose or piece.end >= len(tokens):
        return False
    opens = all(isinstance(each.meaning, (Filler, Ask)) for each in pieces[:at])
    return opens and tokens[piece.end].word in _OBJECTS


def _is_light(pieces: Sequence[Piece], at: int, tokens: Sequence[Token]) -> bool:
    piece = pieces[at]
    token = tokens[piece.first]
    if piece.end - piece.first != 1 or token.word not in _LIGHT:
        return False
    if piece.first and token.is_capital:
        return False  # written as a name
    before = tokens[piece.first - 1].word if piece.first else ""
    if before in ("what", "how", "why"):
        return False  # "what happened": it is what is asked
    after = pieces[at + 1].meaning if at + 1 < len(pieces) else None
    if isinstance(after, Clause) or before in _DETERMINERS:
        return False
    earlier = pieces[at - 1].meaning if at else None
    is_named = isinstance(earlier, _MARKING) and (after is None or isinstance(after, Unknown))
    return not is_named  # "without say": what is lacked
