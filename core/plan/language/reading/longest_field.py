"""Fields whose name goes on where that of another ends: "right to terminate for convenience"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import FieldMatch, Fields, Filler, Piece, Unknown, stems


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
            kept[at:end] = [replace(whole, meaning=Fields((match,)))]
        at += 1
    return kept


def _longer(pieces: Sequence[Piece], at: int, lexicon: Lexicon) -> tuple[FieldMatch, int] | None:
    """The field whose name goes on where that of a piece ends, and where its words end."""
    meaning = pieces[at].meaning
    if not isinstance(meaning, Fields):
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
    if not isinstance(one, Fields) or not isinstance(other, Fields) or one.is_verb:
        return None
    said, title = stems(f"{pieces[at].text} {pieces[at + 1].text}"), stems(one.matches[0].field.title)
    if len(title) > 1 and said[-len(title) :] == title and stems(pieces[at].text) != title:
        return one.matches[0], at + 2
    return None


def _end_of(pieces: Sequence[Piece], at: int, rest: tuple[str, ...]) -> int:
    """Where the pieces from a place have said some words, in order; 0 where they say others."""
    said: tuple[str, ...] = ()
    while at < len(pieces) and len(said) < len(rest):
        if not isinstance(pieces[at].meaning, (Filler, Unknown, Fields)):
            return 0
        said = (*said, *stems(pieces[at].text))
        at += 1
    return at if said == rest else 0
