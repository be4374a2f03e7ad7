"""Whole questions that a turn may stand for, with the noun of what is in hand in the place of what points.

Several forms are made of one turn; a planner says which of them it can plan whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.fields import FieldType
from core.plan.conversation.turn import Pointer, PointerKind, SetNoun, TurnReading
from core.plan.language.pieces import (
    Ask,
    Connective,
    FieldSenses,
    Filler,
    Grouping,
    HavingWord,
    Meaning,
    Negator,
    Noun,
    Ordering,
    Parties,
    Piece,
    Statistic,
    Top,
    UnknownWord,
    Values,
)
from core.plan.language.reading.read import ParsedQuestion

Reader = Callable[[str], ParsedQuestion]
MOST_FORMS = 6

_QUANTIFIERS = re.compile(
    r"\b(?:which|how many|any|all|none|no|each|some|what|many|most|number|every|count|list|show|sort|order|"
    r"rank|group|split|arrange)\s*$",
    re.IGNORECASE,
)
_SOME = re.compile(r"^(?:any|some|all|every|each|no)\s+(?=\S)", re.IGNORECASE)
_COPULA = re.compile(r"^(?:how many|which|what)\s+(?:are|is|were|was)\s*$", re.IGNORECASE)
_SHOWING = ("list", "what", "which", "one")
_WHICH = ("which", "what", "whose")  # "which have" is a link between words, too
_AGREEING = {"do": "does", "are": "is", "have": "has", "were": "was"}
_ONES = re.compile(r"\b(?:the\s+)?(?P<before>(?:[\w.&'’-]+\s+){0,4}?)ones\b", re.IGNORECASE)
_EVERYTHING = re.compile(r"^(?:everything|anything|whatever)\b(?:\s+(?:that|which))?", re.IGNORECASE)
_DESCRIBED = re.compile(r"^(?:the\s+)?(?P<what>\w+)\s+(?P<noun>\w+)$", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_SORTING = re.compile(
    r"^(?:(?:put|arrange|list|show|sort|order|rank)\s+)*(?:in\s+order\s+of|by)\s+", re.IGNORECASE
)
_SPLITTING = re.compile(
    r"^(?:split|break|group|divide|bucket|cluster|categori[sz]e|sort|show|count)?\s*(?:down|up|out|into)?\s*"
    r"(?=(?:by|per|for each|according to)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Antecedents:
    """Antecedents of words that point at no document: the value that was given, the thing asked about.

    field: the title of the field that a value by itself is of, "" for none. year: that was spoken of, or 0.
    """

    value: str = ""
    thing: str = ""
    field: str = ""
    year: int = 0


def forms(turn: TurnReading, noun: SetNoun, known: Antecedents, read: Reader, *, of_one: bool) -> list[str]:
    """Whole questions of a turn, the likeliest first, at most MOST_FORMS. of_one: one document is meant."""
    made = _of_one(turn, noun, known, read) if of_one else _of_many(turn, noun, known, read)
    return list(dict.fromkeys(_plain(each) for each in made if each.strip()))[:MOST_FORMS]


def _of_many(turn: TurnReading, noun: SetNoun, known: Antecedents, read: Reader) -> Iterator[str]:
    text = _put(turn, noun, known, is_single=False)
    single = _agreed(_put(turn, noun, known, is_single=True), noun)
    reading = read(text)
    yield from _of_their_own(turn, noun, read)
    if _names_documents(reading):
        yield from _about_documents(text, reading, noun)
        yield single
        return
    yield from _with_noun(text, reading, noun, known)
    yield f"What is the {_bare(single)} of the {noun.singular}"


def _of_their_own(turn: TurnReading, noun: SetNoun, read: Reader) -> Iterator[str]:
    """Forms of "give me their parties": what is shown of each, and nothing is computed."""
    owns = turn.of(PointerKind.SET_OWN)
    if len(owns) != 1:
        return
    reading = read(turn.text[: owns[0].start])
    shown = read(turn.text[owns[0].end :])
    computing = (Statistic, Ordering, Top, Grouping)
    said = [
        piece.meaning for piece in (*reading.pieces, *shown.pieces) if not isinstance(piece.meaning, Filler)
    ]
    if any(isinstance(each, computing) for each in said) or not _are_fields(shown):
        return
    if any(
        not (isinstance(each, Ask) and each.how in _SHOWING)
        for each in said
        if not isinstance(each, FieldSenses)
    ):
        return
    what = turn.text[owns[0].end :].strip()
    yield f"the {noun.singular}'s {what}"
    yield f"{what} of the {noun.plural}"


def _are_fields(reading: ParsedQuestion) -> bool:
    """True where a text names fields alone, none of them by something to compute ("total value")."""
    meanings = [
        piece.meaning for piece in reading.pieces if not isinstance(piece.meaning, Filler | Connective)
    ]
    return bool(meanings) and all(
        isinstance(each, FieldSenses) and each.function is None for each in meanings
    )


def _of_one(turn: TurnReading, noun: SetNoun, known: Antecedents, read: Reader) -> Iterator[str]:
    text = _agreed(_put(turn, noun, known, is_single=True), noun)
    reading = read(text)
    if _names_documents(reading):
        yield text
        if re.match(rf"the {noun.singular}['’]s\b", text, re.IGNORECASE):
            yield f"What is {text}"
        yield from _of_its_field(reading, noun)
        return
    first = _first(reading)
    if isinstance(first, Ask):
        yield f"{text} of the {noun.singular}"
        yield f"{text} in the {noun.singular}"
        yield f"{text} the {noun.singular}"
        return
    yield f"the {noun.singular}'s {_bare(text)}"
    yield f"What is the {_bare(text)} of the {noun.singular}"
    yield f"Does the {noun.singular} have {text}"
    yield f"Is the {noun.singular} {text}"


def _of_its_field(reading: ParsedQuestion, noun: SetNoun) -> Iterator[str]:
    """The plain question for the one field of a text: of "what does it state as its date?"."""
    fields = [piece for piece in reading.pieces if isinstance(piece.meaning, FieldSenses)]
    idle = (FieldSenses, Filler, Ask, HavingWord, Noun)
    is_noun = len(fields) == 1 and not (
        isinstance(fields[0].meaning, FieldSenses) and fields[0].meaning.is_verb
    )
    if is_noun and all(isinstance(piece.meaning, idle) for piece in reading.pieces):
        yield f"the {noun.singular}'s {fields[0].text}"


def _put(turn: TurnReading, noun: SetNoun, known: Antecedents, *, is_single: bool) -> str:
    """The text with nouns, and values, in the place of what points."""
    text = turn.text
    for pointer in reversed(turn.pointers):
        before, after = text[: pointer.start], text[pointer.end :]
        is_end = not after.strip(" ?.!")
        text = before + _said(pointer, before, noun, known, is_single=is_single, is_end=is_end) + after
    text = _ONES.sub(lambda found: f"{found['before']}{noun.plural}", text)
    text = _EVERYTHING.sub(noun.plural, text)
    return _plain(text).lstrip(" ,;:")


def _said(
    pointer: Pointer, before: str, noun: SetNoun, known: Antecedents, *, is_single: bool, is_end: bool
) -> str:
    one, many = f"the {noun.singular}", f"the {noun.plural}"
    kind = pointer.kind
    if kind is PointerKind.VALUE:
        return known.value
    if kind is PointerKind.YEAR:
        return f"in {known.year + pointer.nth}" if known.year else ""
    if kind is PointerKind.THING:
        return known.thing or "it"
    if kind is PointerKind.ONE_OWN:
        return f"{one}'s"
    if kind is PointerKind.SET_OWN:
        return f"{one}'s" if is_single else f"{many}'"
    if kind in (PointerKind.SET, PointerKind.OTHERS):
        if pointer.is_strict and not before.strip():
            return " "
        if _QUANTIFIERS.search(before):
            return noun.plural
        says_more = not is_end and before.casefold().lstrip().startswith("what")  # "what are they worth"
        if _COPULA.search(before) and not is_single and not says_more:
            return "there"
        of = "of " if pointer.is_strict else ""
        return of + (one if is_single else many)
    return one


def _agreed(text: str, noun: SetNoun) -> str:
    """The verbs in front of one document in the singular: `do the contract` is `does the contract`."""
    pattern = rf"\b({'|'.join(_AGREEING)})(?=\s+the {re.escape(noun.singular)}\b)"
    return re.sub(pattern, lambda found: _AGREEING[found[1].casefold()], text, flags=re.IGNORECASE)


def _about_documents(text: str, reading: ParsedQuestion, noun: SetNoun) -> Iterator[str]:
    """Forms of a text that has the noun already."""
    described = _DESCRIBED.match(text)
    said = [piece.meaning for piece in reading.pieces if not isinstance(piece.meaning, Filler)]
    is_adjective = len(said) == 2 and isinstance(said[0], FieldSenses) and isinstance(said[1], Noun)
    if described is not None and is_adjective:
        yield f"{noun.plural} that are {described['what']}"
    first = _first(reading)
    sorting = re.match(
        rf"^(?:sort|order|rank|arrange|put)\s+(?:the\s+)?(?P<noun>{re.escape(noun.plural)})\s+(?P<rest>.+)$",
        text,
        re.IGNORECASE,
    )
    if sorting is not None:
        rest = _SORTING.sub("", sorting["rest"])
        yield f"{noun.plural} sorted by {rest}"
    splitting = re.match(
        rf"^(?:split|break|group|divide|categori[sz]e|bucket)\s+(?:the\s+)?{re.escape(noun.plural)}\s+(?P<rest>.+)$",
        text,
        re.IGNORECASE,
    )
    if splitting is not None:
        yield f"{noun.plural} {_SPLITTING.sub('', splitting['rest'])}"
    yield text
    if isinstance(first, Noun) and not text.casefold().startswith("the "):
        yield f"which {text}"


def _with_noun(text: str, reading: ParsedQuestion, noun: SetNoun, known: Antecedents) -> Iterator[str]:
    """Forms with the noun where it belongs, by the first words of a text that has none."""
    place = _place_of_first(reading)
    if place is None:
        return
    piece, many = reading.pieces[place], noun.plural
    some = _SOME.match(text)
    if some is not None:
        yield f"{some[0]}{many} {text[some.end() :]}"
    meaning, rest = piece.meaning, _after(text, reading, place)
    before = _before(text, reading, place)
    if isinstance(meaning, Ask):
        yield from _asked(text, meaning, reading, place, noun)
    elif isinstance(meaning, (Top, Statistic)) and meaning_is_order(meaning):
        if re.search(r"\bfirst$", piece.text, re.IGNORECASE) and not re.match(r"first\b", piece.text, re.I):
            yield f"{many} {text}"
        yield f"{before}{piece.text} {many} {rest}"
        yield f"{text} {many}"
    elif isinstance(meaning, Ordering):
        yield f"{many} sorted by {rest}"
    elif isinstance(meaning, Grouping):
        yield f"{many} {_SPLITTING.sub('', text)}"
        yield f"how many {many} by {rest}"
    elif isinstance(meaning, Parties):
        owns = piece.text.endswith(("'s", "’s"))
        yield f"{text} {many}" if owns else f"{many} with {text}"
    elif isinstance(meaning, Values | UnknownWord) and not rest:
        if known.field:
            yield f"{many} with {known.field} {text}"
        yield f"{many} with {text}"
    elif isinstance(meaning, FieldSenses):
        yield from _of_field(text, reading, place, noun)
    else:
        yield f"{many} {text}"
        yield f"which {many} are {text}"
    yield f"{many} {text}"
    yield f"{many} with {text}"
    if known.field:
        yield f"{many} with {known.field} {text}"


def meaning_is_order(meaning: Meaning) -> bool:
    """True where words put documents in an order, or take an end of it."""
    return isinstance(meaning, Top) or (isinstance(meaning, Statistic) and meaning.is_extreme)


def _asked(text: str, ask: Ask, reading: ParsedQuestion, place: int, noun: SetNoun) -> Iterator[str]:
    words, rest = reading.pieces[place].text, _after(text, reading, place)
    following = [
        piece.meaning for piece in reading.pieces[place + 1 :] if not isinstance(piece.meaning, Filler)
    ]
    head = following[0] if following else None
    if ask.how == "count" and not (isinstance(head, FieldSenses) and not head.is_verb):
        yield f"how many {noun.plural} {rest}"
    elif ask.how == "count":
        yield f"{text} do the {noun.plural} have"
        yield f"how many {noun.plural} {rest}"
    elif ask.how in ("which", "what") and not isinstance(head, FieldSenses | Statistic | Values):
        yield f"which {noun.plural} {rest}"
    elif ask.how == "which":
        yield f"which {noun.plural} {rest}"
        yield f"{text} of the {noun.plural}"
    elif ask.how in ("list", "one") and not isinstance(head, FieldSenses):
        yield f"{words} {noun.plural} {rest}"
    yield f"{text} of the {noun.plural}"
    yield f"{text} of the {noun.singular}"
    yield f"{text} in the {noun.plural}"


def _of_field(text: str, reading: ParsedQuestion, place: int, noun: SetNoun) -> Iterator[str]:
    meaning = reading.pieces[place].meaning
    assert isinstance(meaning, FieldSenses)
    if meaning.is_verb:
        yield f"{noun.plural} {text}"
        yield f"which {noun.plural} {text}"
    if meaning.matches and meaning.matches[0].field.type is FieldType.BOOLEAN:
        yield f"{noun.plural} with {text}"
    is_alone = all(isinstance(piece.meaning, Filler | FieldSenses | Statistic) for piece in reading.pieces)
    if is_alone:
        yield f"{text} of the {noun.plural}"
        yield f"What is the {_bare(text)} of the {noun.singular}"
    yield f"{noun.plural} with {text}"


def _names_documents(reading: ParsedQuestion) -> bool:
    return any(isinstance(piece.meaning, Noun) for piece in reading.pieces)


def _first(reading: ParsedQuestion) -> Meaning | None:
    place = _place_of_first(reading)
    return reading.pieces[place].meaning if place is not None else None


def _place_of_first(reading: ParsedQuestion) -> int | None:
    """The place of the first piece that says something."""
    places: Sequence[int] = range(len(reading.pieces))
    return next((at for at in places if not isinstance(reading.pieces[at].meaning, Filler)), None)


def _after(text: str, reading: ParsedQuestion, place: int) -> str:
    return text[reading.tokens[_last(reading.pieces[place])].end :].strip()


def _before(text: str, reading: ParsedQuestion, place: int) -> str:
    return text[: reading.tokens[reading.pieces[place].first].start]


def _last(piece: Piece) -> int:
    return piece.end - 1


def _bare(text: str) -> str:
    """A text without an article, or a list word, in front."""
    return re.sub(r"^(?:(?:the|a|an|show|list|give|me|their|its|all)\s+)+", "", text, flags=re.IGNORECASE)


def _plain(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def asks(reading: ParsedQuestion) -> bool:
    """True where words say what is to be done: asked, listed, counted, computed, ordered."""
    doing = (Ask, Statistic, Ordering, Top)
    first = reading.tokens[0].word if reading.tokens else ""
    return first in _WHICH or any(isinstance(piece.meaning, doing) for piece in reading.pieces)


def is_negation_alone(reading: ParsedQuestion) -> bool:
    """True where nothing is said but that something does not hold: "which don't?"."""
    idle = (Ask, Filler, Negator, HavingWord)
    meanings = [piece.meaning for piece in reading.pieces]
    return any(isinstance(each, Negator) for each in meanings) and all(isinstance(m, idle) for m in meanings)
