"""Words of a question about sets that nothing is called by: a field by its meaning, or a question back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.answer import Attempt
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, Clarify, Option, option_for
from core.plan.grammar.lexicon import Lexicon
from core.plan.grammar.meaning import CERTAIN, MARGIN, NEAR, FieldMeanings
from core.plan.grammar.pieces import Clause, FieldMatch, Fields, Filler, Link, Negator, Noun, Piece, Unknown
from core.plan.grammar.read import Reading

_SAYING = ("mention", "mentions", "mentioning", "address", "addresses", "cover", "covers", "state", "states")
_MAX_WORDS = 8


def settled(
    reading: Reading, schema: SchemaEntry | None, lexicon: Lexicon, meanings: FieldMeanings | None
) -> Reading:
    """The reading with unknown phrases read as fields where their meaning decides. Raises AskBackError.

    What stands where no field is named ("with", "without", "clause") is left to be named as not covered.
    """
    pieces = list(reading.pieces)
    at = 0
    while at < len(pieces):
        if not isinstance(pieces[at].meaning, Unknown):
            at += 1
            continue
        end = _run(pieces, at)
        phrase = reading.question[
            reading.tokens[pieces[at].first].start : reading.tokens[pieces[end - 1].end - 1].end
        ]
        field = _field(reading, pieces, at, end, phrase, schema, lexicon, meanings)
        if field is not None:
            because = f"“{phrase}” is nearest in meaning to {field.title!r}"
            meaning = Fields((FieldMatch(field, 0.7, because),))
            merged = replace(
                pieces[at], end=pieces[end - 1].end, text=phrase, meaning=meaning, reason=because
            )
            pieces[at:end] = [merged]
            end = at + 1
        at = end
    return replace(reading, pieces=tuple(pieces))


def _run(pieces: Sequence[Piece], at: int) -> int:
    """The end of a phrase that begins with an unknown word; small words may stand within it."""
    end = at + 1
    ahead = end
    while ahead < len(pieces) and ahead - at < _MAX_WORDS:
        if isinstance(pieces[ahead].meaning, Unknown):
            end = ahead + 1
        elif not isinstance(pieces[ahead].meaning, Filler):
            break
        ahead += 1
    return end


def _field(
    reading: Reading,
    pieces: Sequence[Piece],
    at: int,
    end: int,
    phrase: str,
    schema: SchemaEntry | None,
    lexicon: Lexicon,
    meanings: FieldMeanings | None,
) -> FieldEntry | None:
    before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    after = next((p for p in pieces[end:] if not isinstance(p.meaning, Filler)), None)
    is_clause = after is not None and isinstance(after.meaning, Clause)
    says = before is not None and isinstance(before.meaning, (Link, Negator))
    is_text = before is not None and before.text.casefold() in _SAYING and not is_clause
    if _is_name(reading, pieces[at], after) and not is_text:
        raise AskBackError(_no_name(reading.question, phrase, lexicon))
    is_done = before is not None and before.text.casefold() in ("has", "have", "had")
    if is_done and phrase.casefold().endswith(("ed", "en")) and not is_clause:
        return None  # "has shipped" says what was done
    if not (is_clause or says) or schema is None:
        return None
    near = meanings.nearest(phrase, schema) if meanings is not None else []
    if near and near[0][1] >= CERTAIN and (len(near) < 2 or near[0][1] - near[1][1] >= MARGIN):
        return near[0][0]
    close = [field for field, score in near if score >= NEAR]
    if is_text and not close:
        return None
    raise AskBackError(_no_field(reading.question, phrase, schema, close))


def _is_name(reading: Reading, piece: Piece, after: Piece | None) -> bool:
    """Whether a word is written as names are; the first of a question only before what it would be of."""
    token = reading.tokens[piece.first]
    if not token.text[0].isupper():
        return False
    of_noun = after is not None and isinstance(after.meaning, Noun)
    return piece.first > 0 or of_noun or (token.text.isupper() and len(token.text) > 2)


def _no_name(question: str, phrase: str, lexicon: Lexicon) -> Clarify:
    from rapidfuzz import fuzz, process

    names = {party.name: party.documents for party in lexicon.catalogue.parties}
    close = process.extract(phrase, list(names), scorer=fuzz.WRatio, score_cutoff=60, limit=5)
    return Clarify(
        type="no_match",
        question=question,
        phrase=phrase,
        reason=f"No organisation, document or value that you may see is called “{phrase}”.",
        attempts=(Attempt(tool="names", args={"name": phrase}, hits=0),),
        options=tuple(option_for(question, phrase, name, names[name]) for name, _, _ in close),
    )


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
