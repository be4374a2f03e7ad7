"""Pieces put together: longer names of fields, kinds by their titles, dates, and words on amendments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.lexicon.lexicon import KIND_WORDS, NAME, Lexicon
from core.plan.language.lexicon.words import SEVERAL_MEANINGS
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    Comparator,
    Connective,
    DateInterval,
    DayRange,
    Described,
    DocumentSet,
    FieldMatch,
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
    Token,
    Top,
    UnknownWord,
    Values,
    stem,
    stems,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.reading.roles import is_side, with_roles
from core.text.words import word_list


def said_further(pieces: Sequence[Piece], lexicon: Lexicon) -> list[Piece]:
    """The pieces in which a field with words behind it is the field that has both in its name."""
    kept = list(pieces)
    at = 0
    while at < len(kept):
        found = _longer(kept, at, lexicon) or _whole(kept, at)
        if found is not None:
            match, end = found
            text = " ".join(each.text for each in kept[at:end])
            whole = replace(kept[at], end=kept[end - 1].end, text=text, reason=match.because)
            kept[at:end] = [replace(whole, meaning=FieldSenses((match,)))]
        at += 1
    return kept


def _longer(pieces: Sequence[Piece], at: int, lexicon: Lexicon) -> tuple[FieldMatch, int] | None:
    """The field whose name goes on where that of a piece ends, and where its words end."""
    meaning = pieces[at].meaning
    if not isinstance(meaning, FieldSenses):
        return None
    first = meaning.matches[0].field
    schema = lexicon.catalogue.schema(first.schema)
    begun = stems(first.title)
    for other in schema.fields if schema is not None else ():
        title = stems(other.title)
        end = _end_of(pieces, at + 1, title[len(begun) :]) if title[: len(begun)] == begun != title else 0
        if end:
            because = f"“{pieces[at].text}” with the words behind it is {other.title!r}"
            return FieldMatch(other, meaning.matches[0].weight, because), end
    return None


def _whole(pieces: Sequence[Piece], at: int) -> tuple[FieldMatch, int] | None:
    """ "payment due" and "date": the field that both together name in full."""
    one, other = pieces[at].meaning, pieces[at + 1].meaning if at + 1 < len(pieces) else None
    if not isinstance(one, FieldSenses) or not isinstance(other, FieldSenses) or one.is_verb:
        return None
    said, title = stems(f"{pieces[at].text} {pieces[at + 1].text}"), stems(one.matches[0].field.title)
    if len(title) > 1 and said[-len(title) :] == title and stems(pieces[at].text) != title:
        return one.matches[0], at + 2
    return None


def _end_of(pieces: Sequence[Piece], at: int, rest: tuple[str, ...]) -> int:
    """End of some words in the pieces from a place, in order; 0 where others stand there."""
    said: tuple[str, ...] = ()
    while at < len(pieces) and len(said) < len(rest):
        if not isinstance(pieces[at].meaning, (Filler, UnknownWord, FieldSenses)):
            return 0
        said = (*said, *stems(pieces[at].text))
        at += 1
    return at if said == rest else 0


def of_titled_kinds(pieces: Sequence[Piece], lexicon: Lexicon) -> tuple[Piece, ...]:
    """The pieces with the words right before a kind of document in it, where titles have them there, too."""
    found = list(pieces)
    for size in range(KIND_WORDS, 0, -1):
        at = size
        while at < len(found):
            named = _titled(found[at - size : at], found[at], lexicon)
            if named is not None:
                found[at - size : at + 1] = [named]
            at += 1
    return tuple(found)


def _titled(before: Sequence[Piece], kind: Piece, lexicon: Lexicon) -> Piece | None:
    noun = kind.meaning
    if not isinstance(noun, Noun) or noun.title_words or before[-1].end != kind.first:
        return None
    if lexicon.catalogue.field(NAME, noun.schema) is None:
        return None
    for each, after in zip(before, [*before[1:], kind], strict=True):
        if not isinstance(each.meaning, (FieldSenses, UnknownWord)) or each.end != after.first:
            return None
    written = lexicon.before_kinds(noun.schema, stems(" ".join(each.text for each in before)))
    if not written:
        return None
    text = " ".join([*(each.text for each in before), kind.text])
    reason = f"is a kind of document: {' or '.join(written)} in its name"
    return replace(
        kind, text=text, first=before[0].first, meaning=replace(noun, title_words=written), reason=reason
    )


def of_either_party(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces in which "ACME and Beta contracts" are those of one and those of the other.

    Behind the kind ("contracts with ACME and Beta") both are parties of the same document.
    """
    found = list(pieces)
    for at, piece in enumerate(found):
        if not (isinstance(piece.meaning, Noun) and piece.meaning.is_plural):
            continue
        start = at
        while start > 0 and isinstance(found[start - 1].meaning, (Parties, Connective, Filler)):
            start -= 1
        names = [n for n in range(start, at) if isinstance(found[n].meaning, Parties)]
        if len(names) < 2 or names[-1] != at - 1:
            continue
        for n in range(names[0], names[-1]):
            meaning = found[n].meaning
            if isinstance(meaning, Connective) and meaning.word == "and":
                found[n] = replace(found[n], meaning=Connective("or"))
    return tuple(found)


_SOME = r"(?:(?:any|all|the|its|their|later|subsequent)\s+)*"
_AMENDMENT = r"(?:amendments?|addend(?:um|a))(?:\s+(?:no\.?|number)?\s*\d{1,2})?"
_PHRASES = re.compile(
    rf"\bas\s+(?:they|it|these)\s+(?:now\s+)?stands?(?:\s+(?:now|today))?(?:\s+after\s+{_SOME}{_AMENDMENT})?"
    r"|\bas\s+(?:subsequently\s+|last\s+)?amended(?:\s+to\s+date)?\b"
    rf"|\b(?:after|including|considering|counting|given|with)\s+{_SOME}{_AMENDMENT}(?:\s+(?:included|considered))?"
    rf"|\b(?:once|when|with|taking|if)\s+{_SOME}{_AMENDMENT}\s+(?:(?:are|is|being)\s+)?"
    r"(?:(?:taken\s+)?into\s+account|considered|included|applied|counted)\b",
    re.IGNORECASE,
)


def without_amending(reading: ParsedQuestion) -> ParsedQuestion:
    """The reading in which such words say nothing of their own; it keeps them in `amending`."""
    found = _PHRASES.search(reading.question)
    if found is None:
        return reading
    first, last = found.span()
    pieces = tuple(
        replace(piece, meaning=Filler(), reason="what amendments changed holds")
        if reading.tokens[piece.first].start >= first and reading.tokens[piece.end - 1].end <= last
        else piece
        for piece in reading.pieces
    )
    return replace(reading, pieces=pieces, amending=found[0])


_INCLUDED = re.compile(
    r"\s+(?:(?:being|are|is)\s+)?(?:included|as\s+well|counted\s+in)\b\s*(?=[,.;:?!)]|$)", re.IGNORECASE
)
_INCLUDING = re.compile(rf"\b(?:including|incl\.?|inclusive\s+of)\s+{_SOME}$", re.IGNORECASE)


def is_included(question: str, start: int, end: int) -> bool:
    """True of words that something is only said to be in: "everything from them, [amendments] included"."""
    return bool(_INCLUDING.search(question[:start])) or (
        bool(_INCLUDED.match(question, end)) and bool(_APART.search(question[:start]))
    )


_APART = re.compile(rf"(?:[,(;–—-]\s*|\bwith\s+){_SOME}$", re.IGNORECASE)


def without_included(reading: ParsedQuestion) -> ParsedQuestion:
    """The reading in which a kind that is but said to be in as well restricts nothing."""
    tokens, question = reading.tokens, reading.question
    ends = {
        n: end
        for n, p in enumerate(reading.pieces)
        if n and isinstance(p.meaning, Noun)
        for end in [tokens[p.end - 1].end]
        if is_included(question, tokens[p.first].start, end)
    }
    if not ends:
        return reading
    words = [found.end() for end in ends.values() if (found := _INCLUDED.match(question, end))]
    pieces = tuple(
        replace(p, meaning=Filler(), reason="is in it as well")
        if n in ends
        or any(max(e for e in ends.values() if e <= w) <= tokens[p.first].start < w for w in words)
        or tokens[p.first].word in _INCLUDES
        else p
        for n, p in enumerate(reading.pieces)
    )
    also = [p.meaning for n, p in enumerate(reading.pieces) if n in ends and isinstance(p.meaning, Noun)]
    with_kinds = tuple(
        replace(p, meaning=with_kinds_of(p.meaning, also)) if isinstance(p.meaning, Noun) else p
        for p in pieces
    )
    return replace(reading, pieces=with_kinds)


def with_kinds_of(noun: Noun, others: Sequence[Noun]) -> Noun:
    """The noun for documents of its kind and of those of others: "contracts, amendments included"."""
    own = [each for each in others if each.schema == noun.schema]
    if not own or not noun.kind:
        return noun
    if not all(each.kind for each in own):
        return replace(noun, kind="")
    kinds = dict.fromkeys(kind for each in (noun, *own) for kind in each.kind.split("|"))
    return replace(noun, kind="|".join(kinds))


_INCLUDES = frozenset(["including", "incl", "inclusive"])
_IN_FORCE = frozenset(
    ["in force", "in effect", "active", "valid", "current", "currently active", "still active",
     "currently in force", "still in force", "still in effect", "still valid", "ongoing"]
)  # fmt: skip
_AT_PRESENT = frozenset(["moment", "present", "presently", "nowadays"])
_NOW = frozenset(["in force", "in effect", "currently in force", "currently in effect"])
_NEAR = 4  # pieces between the words of a field that is said in two places


def joined(pieces: Sequence[Piece], lexicon: Lexicon, today: date) -> tuple[Piece, ...]:
    """The pieces with those that belong together as one, and each organisation with its side."""
    found = _overlapping(list(said_further(pieces, lexicon)), lexicon)
    found = _of_dates(_of_today(_in_force(found, today), today))
    return with_roles(_said_again(_said_apart(found, lexicon)), lexicon)


def _overlapping(pieces: list[Piece], lexicon: Lexicon) -> list[Piece]:
    """ "days to pay an invoice": "pay an invoice" says the same field, and its noun is no kind asked for."""
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, FieldSenses):
            continue
        end = next((n for n in range(at + 1, len(pieces)) if not isinstance(pieces[n].meaning, Filler)), -1)
        if end < 0 or end == at + 1 or not isinstance(pieces[end].meaning, Noun):
            continue
        words = [piece.text.split()[-1], *(each.text for each in pieces[at + 1 : end + 1])]
        again = lexicon.fields(stems(" ".join(words)))
        names = {(each.field.schema, each.field.name) for each in piece.meaning.matches[:1]}
        if again is None or names.isdisjoint((each.field.schema, each.field.name) for each in again.matches):
            continue
        text = " ".join([piece.text, *words[1:]])
        return [*pieces[:at], replace(piece, end=pieces[end].end, text=text), *pieces[end + 1 :]]
    return pieces


def _in_force(pieces: list[Piece], today: date) -> list[Piece]:
    """ "in force on 1 July 2025", "active during 2024"; by itself of today."""
    for at, piece in enumerate(pieces):
        text = piece.text.casefold()
        if text not in _IN_FORCE or not isinstance(piece.meaning, (FieldSenses, DayRange)):
            continue
        after = next((n for n in range(at + 1, len(pieces)) if not isinstance(pieces[n].meaning, Filler)), -1)
        period = pieces[after].meaning if after > 0 else None
        if isinstance(period, DayRange) and not period.hint:
            covered = _covered(pieces[after], period)
            if covered is not None:
                reason = "begun by then, and not ended before"
                pieces[after] = replace(
                    pieces[after], text=f"{piece.text} {pieces[after].text}", meaning=covered, reason=reason
                )
                pieces[at] = replace(piece, meaning=Filler())
        elif text in _NOW and isinstance(piece.meaning, FieldSenses):
            pieces[at] = replace(piece, meaning=DayRange(today, today, is_relative=True, covered=True))
    return pieces


def _of_today(pieces: list[Piece], today: date) -> list[Piece]:
    """ "Still running today": the day says when, and is no condition beside that on what has not ended."""

    def is_day(piece: Piece) -> bool:
        said = piece.meaning
        if isinstance(said, UnknownWord | FieldSenses) and piece.text.casefold() in _AT_PRESENT:
            return True
        is_plain = isinstance(said, DayRange) and said.is_relative and not said.hint and not said.covered
        return is_plain and isinstance(said, DayRange) and said.first == today and said.last in (None, today)

    said = [each for each in pieces if not isinstance(each.meaning, Filler)]
    states = [isinstance(p.meaning, DayRange) and bool(p.meaning.hint or p.meaning.covered) for p in said]
    idle = [
        piece
        for at, piece in enumerate(said)
        if is_day(piece) and (any(states[max(0, at - 1) : at + 2]) or (at == 0 and any(states)))
    ]
    reason = "says when that is"
    return [replace(p, meaning=Filler(), reason=reason) if p in idle else p for p in pieces]


def _covered(piece: Piece, period: DayRange) -> DayRange | None:
    text = piece.text.casefold()
    if period.first is not None and (period.last is not None or text.startswith(("as of", "as at"))):
        return replace(period, last=period.last or period.first, covered=True, length=None)
    return None


def _of_dates(pieces: list[Piece]) -> list[Piece]:
    """ "from their effective date to their expiry": two dates that nothing is compared with."""
    at = 0
    while at < len(pieces):
        if not _is_date(pieces[at]):
            at += 1
            continue
        words: list[str] = []
        end = at + 1
        while (end < len(pieces) and isinstance(pieces[end].meaning, Filler)) or (
            end < len(pieces) and pieces[end].text.casefold() in ("and", "to", "until", "up to", "till")
        ):
            words += pieces[end].text.casefold().split()
            end += 1
        is_second = (
            end < len(pieces) and _is_date(pieces[end]) and set(words) & {"to", "and", "until", "till"}
        )
        before = _before(pieces, at)
        opens = before >= 0 and pieces[before].text.casefold() in ("from", "between", "time between")
        if is_second and opens:
            first, last = pieces[at].meaning, pieces[end].meaning
            assert isinstance(first, FieldSenses) and isinstance(last, FieldSenses)  # noqa: PT018 - as `_is_date` has it
            text = " ".join(each.text for each in pieces[before : end + 1])
            whole = Piece(
                pieces[before].first,
                pieces[end].end,
                text,
                DateInterval(first, last),
                "the time between two dates",
            )
            pieces[before : end + 1] = [whole]
            at = before
        at += 1
    return pieces


def _before(pieces: Sequence[Piece], at: int) -> int:
    """The place of the "from" or "between" before a date, past articles."""
    for place in range(at - 1, max(-1, at - 4), -1):
        piece = pieces[place]
        is_between = isinstance(piece.meaning, Comparator) and piece.meaning.op is Operator.BETWEEN
        if piece.text.casefold() in ("from", "between") or is_between:
            return place
        if not isinstance(piece.meaning, Filler):
            break
    return -1


def _is_date(piece: Piece) -> bool:
    return isinstance(piece.meaning, FieldSenses) and any(
        match.field.type is FieldType.DATE for match in piece.meaning.matches[:3]
    )


def _said_apart(pieces: list[Piece], lexicon: Lexicon) -> list[Piece]:
    """ "cap the supplier's liability": a word of several meanings with another that makes it one field."""
    several = {stems(word) for word in SEVERAL_MEANINGS}
    for at, piece in enumerate(pieces):
        key = stems(piece.text)
        if not isinstance(piece.meaning, FieldSenses) or key not in several:
            continue
        for other in _nearby(pieces, at):
            own = stems(pieces[other].text)
            fields = lexicon.fields((*own, *key)) or lexicon.fields((*key, *own))
            if fields is None or len(own) != 1 or fields.is_verb:
                continue
            reason = f"“{pieces[other].text} … {piece.text}” is {fields.matches[0].field.title!r}"
            first, second = sorted((at, other))
            said = f"{pieces[first].text} {pieces[second].text}"
            pieces[second] = replace(pieces[second], text=said, meaning=fields, reason=reason)
            pieces[first] = replace(pieces[first], meaning=Filler())
            for between in range(first + 1, second):
                if is_side(pieces[between]):
                    pieces[between] = replace(pieces[between], meaning=Filler())
            break
    return pieces


def _said_again(pieces: list[Piece]) -> list[Piece]:
    """ "a liability limit in USD ... the mean limit": the last word of a field that was named in full."""
    named: dict[str, Piece] = {}
    for at, piece in enumerate(pieces):
        key = stems(piece.text)
        if len(key) == 1 and key[0] in named and isinstance(piece.meaning, (UnknownWord, FieldSenses)):
            earlier = named[key[0]]
            reason = f"stands for “{earlier.text}”"
            pieces[at] = replace(piece, meaning=earlier.meaning, reason=reason)
        elif isinstance(piece.meaning, FieldSenses) and len(key) > 1 and not piece.meaning.is_verb:
            named.setdefault(key[-1], piece)
    return pieces


def _nearby(pieces: Sequence[Piece], at: int) -> list[int]:
    """Words near a place with which it may make one field, the nearest first."""
    near = [n for n in range(max(0, at - _NEAR), min(len(pieces), at + _NEAR + 1)) if n != at]
    fitting = [
        n
        for n in near
        if not isinstance(pieces[n].meaning, (Filler, HavingWord, ClauseNoun, Noun))
        and pieces[n].text[:1].isalpha()
    ]
    return sorted(fitting, key=lambda n: abs(n - at))


_COURTESY = word_list("politeness", "common", "closing")
_LIGHT = _COURTESY | word_list("idle", "verbs", "adverbs")
_DETERMINERS = frozenset(["the", "a", "an", "any", "no", "this", "each", "every", "such", "whose"])
_OBJECTS = frozenset(
    [
        "out", "which", "what", "whether", "how", "if", "the", "all", "every", "our", "for", "me", "us",
        "up", "together",
    ]
)  # fmt: skip
_MARKING = (HavingWord, Negator)
IDLE = "carries the question, says nothing itself"
"""The reason of a piece that was emptied because its word is light."""


def without_light(pieces: Sequence[Piece], tokens: Sequence[Token]) -> tuple[Piece, ...]:
    """The pieces with light words, and those that only name a field again, as fillers."""
    kept = list(pieces)
    if not any(_is_of_set(piece.meaning) for piece in pieces):
        return tuple(_without_courtesy(pieces, tokens))
    named = {part for piece in pieces for part in _title_of(piece)}
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, UnknownWord) and not _is_said_first(pieces, at, tokens):
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
            is_polite = isinstance(piece.meaning, UnknownWord) and tokens[piece.first].word in _COURTESY
            if is_polite:
                kept[at] = replace(piece, meaning=Filler(), reason=IDLE)
            elif not isinstance(piece.meaning, Filler):
                break
    return kept


def _is_of_set(meaning: Meaning) -> bool:
    """True where a piece says that several documents are asked about."""
    is_many = isinstance(meaning, Noun) and meaning.is_plural
    is_count = isinstance(meaning, Ask) and meaning.how == "count"
    return is_many or is_count or isinstance(meaning, (Statistic, Top, Grouping, Ordering))


def _title_of(piece: Piece) -> tuple[str, ...]:
    """The words of the field that other words of the question name: "walk away ... for convenience"."""
    meaning = piece.meaning
    if not isinstance(meaning, FieldSenses) or len(piece.text.split()) < 2:
        return ()
    return stems(meaning.matches[0].field.title)


def _is_said_first(pieces: Sequence[Piece], at: int, tokens: Sequence[Token]) -> bool:
    """ "work out the total", "check which ...": an order to us, though some value has the word."""
    piece = pieces[at]
    is_loose = isinstance(piece.meaning, DocumentSet) and not piece.meaning.is_exact
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
    if isinstance(after, ClauseNoun) or before in _DETERMINERS:
        return False
    earlier = pieces[at - 1].meaning if at else None
    is_named = isinstance(earlier, _MARKING) and (after is None or isinstance(after, UnknownWord))
    return not is_named  # "without say": what is lacked
