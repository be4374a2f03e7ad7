"""Words of a question about sets that nothing is called by: a field by its meaning, or a question back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.answer import Attempt
from core.domain.fields import ORDERED, FieldType
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for
from core.plan.guards.unknown_names import no_name
from core.plan.language.lexicon.meaning import CERTAIN, MARGIN, NEAR, Known
from core.plan.language.pieces import (
    ClauseNoun,
    FieldMatch,
    FieldSenses,
    Filler,
    Grouping,
    HavingWord,
    Mentions,
    Negator,
    Ordering,
    Piece,
    UnknownWord,
    stems,
)
from core.text.analyse import STOP_WORDS

_SAYING = ("mention", "mentions", "mentioning", "address", "addresses", "cover", "covers", "state", "states")
_MAX_WORDS = 8
ALIKE = 0.80  # of a compound and a field whose name it begins with: another word for the same


class NamedInTextError(Exception):
    """A name that no field has and the text does: the text has to answer."""


def settled(mentions: Mentions, schema: SchemaEntry | None, known: Known) -> tuple[Piece, ...]:
    """The pieces with unknown phrases read as fields where their meaning decides.

    Raises AskBackError, NamedInTextError. What stands where no field is named ("with", "without", "clause")
    is left to be named as not covered.
    """
    pieces = list(mentions.pieces)
    at = 0
    while at < len(pieces):
        if not isinstance(pieces[at].meaning, UnknownWord):
            at += 1
            continue
        end = _run(pieces, at)
        phrase = _said(mentions, pieces[at:end])
        field = _field(mentions, pieces, at, end, phrase, schema, known)
        if field is not None:
            pieces[at:end] = [_named(pieces[at], pieces[end - 1], phrase, field)]
            end = at + 1
        at = end
    return tuple(pieces)


def compounds(mentions: Mentions, schema: SchemaEntry | None, known: Known) -> tuple[Piece, ...]:
    """The pieces with "liability floor" taken whole: no liability, but what its last word says.

    Where meaning decides for a field it is that; where the text has the words they are left to it; else the
    nearest are offered. Raises AskBackError.
    """
    pieces = list(mentions.pieces)
    at = 1
    while at < len(pieces):
        first, piece = pieces[at - 1], pieces[at]
        if schema is None or not _is_compound(mentions, first, piece):
            at += 1
            continue
        phrase = _said(mentions, pieces[at - 1 : at + 1])
        near = known.meanings.nearest(phrase, schema) if known.meanings is not None else []
        field = near[0][0] if near and (near[0][1] >= ALIKE or _is_certain(near)) else None
        if field is not None and _says_no_more(first, piece, field):
            at += 1
            continue
        if field is not None:
            pieces[at - 1 : at + 1] = [_named(first, piece, phrase, field)]
            continue
        if known.texts.holds(phrase, known.buckets):
            at += 1
            continue
        assert isinstance(first.meaning, FieldSenses)  # as `_is_compound` has it
        own = [each.field for each in first.meaning.matches if each.field.schema == schema.name]
        close = [each for each, score in near if score >= NEAR]
        raise AskBackError(
            _no_field(mentions.question, phrase, schema, list(dict.fromkeys([*own[:1], *close])))
        )
    return tuple(pieces)


def _says_no_more(first: Piece, last: Piece, field: FieldEntry) -> bool:
    """True where a clause is what the first word means alone: "force majeure premium" is more than that."""
    assert isinstance(first.meaning, FieldSenses)  # as `_is_compound` has it
    own = any(each.field.name == field.name for each in first.meaning.matches)
    told = stems(" ".join((field.title, field.description, *field.synonyms)))
    return field.type is FieldType.BOOLEAN and own and not set(stems(last.text)) & set(told)


def unordered(mentions: Mentions, schema: SchemaEntry | None, known: Known) -> None:
    """Raises AskBackError where documents are to be sorted or grouped by what no field and no text has."""
    pieces = mentions.pieces
    for at, piece in enumerate(pieces):
        if schema is None or not isinstance(piece.meaning, (Grouping, Ordering)):
            continue
        after = next(
            (n for n in range(at + 1, len(pieces)) if not isinstance(pieces[n].meaning, Filler)), None
        )
        if after is None or not isinstance(pieces[after].meaning, UnknownWord):
            continue
        phrase = _said(mentions, pieces[after : _run(pieces, after)])
        if known.texts.holds(phrase, known.buckets):
            continue
        near = known.meanings.nearest(phrase, schema) if known.meanings is not None else []
        close = [each for each, score in near if score >= NEAR and each.type in ORDERED]
        raise AskBackError(_no_field(mentions.question, phrase, schema, close))


def _is_compound(mentions: Mentions, first: Piece, piece: Piece) -> bool:
    """True where an unknown noun stands right behind the name of a field, with nothing between."""
    if (
        not isinstance(piece.meaning, UnknownWord)
        or not isinstance(first.meaning, FieldSenses)
        or first.meaning.is_verb
    ):
        return False
    if first.meaning.matches[0].field.type in (FieldType.PARTY, FieldType.TEXT):
        return False
    between = mentions.question[mentions.tokens[first.end - 1].end : mentions.tokens[piece.first].start]
    word = mentions.tokens[piece.first].word
    return (
        between == " "
        and word.isalpha()
        and word not in STOP_WORDS
        and not word.endswith(("ed", "ing", "ly"))
    )


def _named(first: Piece, last: Piece, phrase: str, field: FieldEntry) -> Piece:
    because = f"“{phrase}” is nearest in meaning to {field.title!r}"
    return replace(
        first,
        end=last.end,
        text=phrase,
        meaning=FieldSenses((FieldMatch(field, 0.7, because),)),
        reason=because,
    )


def _said(mentions: Mentions, pieces: Sequence[Piece]) -> str:
    return mentions.question[mentions.tokens[pieces[0].first].start : mentions.tokens[pieces[-1].end - 1].end]


def _is_certain(near: Sequence[tuple[FieldEntry, float]]) -> bool:
    return near[0][1] >= CERTAIN and (len(near) < 2 or near[0][1] - near[1][1] >= MARGIN)


def _run(pieces: Sequence[Piece], at: int) -> int:
    """The end of a phrase that begins with an unknown word; small words may stand within it."""
    end = at + 1
    ahead = end
    while ahead < len(pieces) and ahead - at < _MAX_WORDS:
        if isinstance(pieces[ahead].meaning, UnknownWord):
            end = ahead + 1
        elif not isinstance(pieces[ahead].meaning, Filler):
            break
        ahead += 1
    return end


def _field(
    mentions: Mentions,
    pieces: Sequence[Piece],
    at: int,
    end: int,
    phrase: str,
    schema: SchemaEntry | None,
    known: Known,
) -> FieldEntry | None:
    before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    after = next((p for p in pieces[end:] if not isinstance(p.meaning, Filler)), None)
    is_clause = after is not None and isinstance(after.meaning, ClauseNoun)
    says = before is not None and isinstance(before.meaning, (HavingWord, Negator))
    is_text = before is not None and before.text.casefold() in _SAYING and not is_clause
    if _is_name(mentions, pieces[at]) and not is_text:
        if known.texts.holds(phrase, known.buckets):
            raise NamedInTextError
        raise AskBackError(no_name(mentions.question, phrase, known.lexicon))
    is_done = before is not None and before.text.casefold() in ("has", "have", "had")
    if is_done and phrase.casefold().endswith(("ed", "en")) and not is_clause:
        return None  # "has shipped" says what was done
    if not (is_clause or says) or schema is None:
        return None
    near = known.meanings.nearest(phrase, schema) if known.meanings is not None else []
    if near and _is_certain(near):
        return near[0][0]
    close = [field for field, score in near if score >= NEAR]
    if is_text and not close:
        return None
    raise AskBackError(_no_field(mentions.question, phrase, schema, close))


def _is_name(mentions: Mentions, piece: Piece) -> bool:
    """True where a word is written as names are, where any other word would be small."""
    return piece.first > 0 and mentions.tokens[piece.first].text[0].isupper()


def _no_field(question: str, phrase: str, schema: SchemaEntry, close: Sequence[FieldEntry]) -> Clarify:
    said = f"{schema.title} have no field called “{phrase}”."
    fields = tuple(option_for(question, phrase, each.title.lower(), each.documents) for each in close)
    return Clarify(
        type="no_match",
        question=question,
        phrase=phrase,
        reason=f"{said} Do you mean one of these?" if close else f"{said} Its text may still speak of it.",
        attempts=(Attempt(tool="fields", args={"name": phrase, "schema": schema.name}, hits=0),),
        options=(
            *fields,
            Option(label=f"Search the text for “{phrase}”", question=f"What is said about {phrase}?"),
        ),
    )
