"""Subject of a turn: one that names documents of its own, and points at nothing, stands alone."""

from __future__ import annotations

import re
from dataclasses import replace

from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.conversation.completion import asks
from core.plan.conversation.turn import Move, Pointer, PointerKind, SetNoun, TurnReading
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    DocumentSet,
    Filler,
    Noun,
    Parties,
    Piece,
    UnknownWord,
    Values,
    singular,
    tokens_of,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.names.index import names_of
from core.plan.names.resolve import resolve
from core.text.analyse import content_terms
from core.text.words import word_list

_ASKED = re.compile(r"\b(?:which|what|who|how many|how much)\b", re.IGNORECASE)
LONG = 9  # content terms from which on a turn that points at nothing is a question of its own
_DESCRIBING = re.compile(
    r"\b(?:ones|those|anything|everything|any|whichever|which)\s+(?:\w+\s+){0,2}?(?:where|that|which|who|you|one|whose|in\s+which|"
    r"under\s+which|let|lets|allow|make)\b",
    re.IGNORECASE,
)
_OF_US = re.compile(
    r"^who(?:\s+\w+){1,5}\s+us$|^who(?:\s+(?:is|are|was|were)|['’]s)\s+our\s+\w+$", re.IGNORECASE
)
_OF_ONE = ("who", "what", "where", "when", "much", "long", "text")
_AUXILIARIES = word_list("asking", "auxiliaries")
_PRONOUNS = (PointerKind.SET_OWN, PointerKind.ONE, PointerKind.ONE_OWN)
_GOING_ON = frozenset(
    {
        Move.CONTINUING,
        Move.INSTEAD,
        Move.EITHER,
        Move.NARROWING,
        Move.EXCLUDING,
        Move.RELEASING,
        Move.RETURNING,
    }
)


def noun_of(schema: str, lexicon: Lexicon) -> SetNoun:
    """The noun for documents of a schema, as questions have it: `contracts`, `contract`."""
    entry = lexicon.catalogue.schema(schema)
    if entry is None:
        return SetNoun()
    for word in (entry.name.replace("_", " "), *entry.title.casefold().split(" and "), *entry.words):
        known = lexicon.nouns(tuple(singular(each.word) for each in tokens_of(word)))
        if any(each.schema == schema and not each.title_words for each in known):
            one = singular(word)
            return SetNoun(word if word != one else _plural(word), one)
    return SetNoun()


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def schema_of_documents(documents: tuple[str, ...], catalogue: Catalogue) -> str:
    """The schema that documents have in common; "" where they have none."""
    found = {entry.schema for id in documents[:200] if (entry := catalogue.document(id)) is not None}
    return found.pop() if len(found) == 1 else ""


def without_bound_pointers(turn: TurnReading, reading: ParsedQuestion) -> TurnReading:
    """The turn without pronouns that a name, or a kind, in front of them explains.

    reading: of the text with blanks in the place of what points.
    """
    named = [
        _start(piece, reading)
        for piece in reading.pieces
        if isinstance(piece.meaning, Noun | DocumentSet | Parties)
    ]
    first = min(named, default=None)

    def is_bound(pointer: Pointer) -> bool:
        if pointer.kind in _PRONOUNS and _DESCRIBING.search(turn.text[: pointer.start]):
            return True  # "the ones where you need permission to hand it over"
        if first is None or first >= pointer.start or pointer.is_definite:
            return False
        asked = len(_ASKED.findall(turn.text[: pointer.start]))
        return pointer.kind in _PRONOUNS or (
            pointer.kind is PointerKind.SET and (asked > 1 or not pointer.is_strict)
        )

    kept = tuple(each for each in turn.pointers if not is_bound(each))
    return replace(turn, pointers=kept)


def stands_alone(turn: TurnReading, reading: ParsedQuestion) -> bool:
    """True where a turn is a question of its own. reading: of its text without what points.

    Its own kind of documents says so, and a name of which something is asked, or we ourselves ("who insures
    us?"); words that point, or that go on from something without naming a kind, say the opposite.
    """
    definite = [each for each in turn.pointers if each.is_definite]
    pointing = [each for each in turn.pointers if not each.is_definite]
    if pointing:
        return False
    names_kind = any(isinstance(piece.meaning, Noun) for piece in reading.pieces)
    names_one = any(isinstance(piece.meaning, DocumentSet) for piece in reading.pieces)
    names_party = any(isinstance(piece.meaning, Parties) for piece in reading.pieces)
    cuts = turn.moves & (_GOING_ON - {Move.CONTINUING})
    if names_kind or names_one:
        return not cuts and (Move.CONTINUING not in turn.moves or asks(reading))
    if Move.EVERYWHERE in turn.moves:
        return True
    if definite:
        return False
    if turn.moves & _GOING_ON:
        return False
    names_model = any(isinstance(piece.meaning, Values) and is_code(piece.text) for piece in reading.pieces)
    if ((names_party or names_model) and _asks_of_name(reading)) or _OF_US.search(turn.text):
        return True
    if _has_own_subject(reading):
        return True
    return sum(len(content_terms(token.text)) for token in reading.tokens) >= LONG


def is_code(text: str) -> bool:
    """True of the name of a model: "AS-400"."""
    return any(each.isdigit() for each in text) and any(each.isalpha() for each in text)


def _asks_of_name(reading: ParsedQuestion) -> bool:
    """True where something is asked of a name: "What is ACME's cap?", and not "which are ACME's?"."""
    said = [piece for piece in reading.pieces if not isinstance(piece.meaning, Filler)]
    first = said[0].meaning if said else None
    return isinstance(first, Ask) and first.how not in ("which", "count", "list") and len(said) > 2


def _has_own_subject(reading: ParsedQuestion) -> bool:
    """True of a whole question about what nothing in hand is called by: "who is the mayor of Lisbon?".

    Its question word comes first, a verb behind it; "which ..." and "how many" may ask of what is in hand.
    """
    said = [piece for piece in reading.pieces if not isinstance(piece.meaning, Filler)]
    first = said[0] if said else None
    if first is None or not isinstance(first.meaning, Ask) or first.meaning.how not in _OF_ONE or first.first:
        return False
    words = {token.word for token in reading.tokens}
    unknown = [
        piece for piece in said if isinstance(piece.meaning, UnknownWord) and content_terms(piece.text)
    ]
    return bool(unknown) and bool(words & _AUXILIARIES)


def _start(piece: Piece, reading: ParsedQuestion) -> int:
    return reading.tokens[piece.first].start


def named_documents(
    name: str, catalogue: Catalogue, among: tuple[str, ...] = (), schema: str = ""
) -> tuple[DocumentEntry, ...]:
    """The documents that a name means: of those in `among` where it fits any of them, else of all.

    Several where they are really alike; () where nothing is called so.
    """
    found = resolve(name, names_of(catalogue), schemas=(schema,) if schema else ())
    inside = [each for each in found.candidates if each.document.id in set(among)]
    if inside and inside[0].probability >= _FITS * max(found.none, found.candidates[0].probability):
        first = inside[0].probability
        return tuple(each.document for each in inside if each.probability * _APART >= first)
    return found.documents


_FITS = 0.15  # share of the best document's probability from which one in hand is meant rather
_APART = 5.0  # times as probable: one of several in hand is meant
