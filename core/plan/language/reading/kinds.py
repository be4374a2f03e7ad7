"""What stands right before a kind of document: "supply agreements", "ACME and Beta contracts"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.plan.language.lexicon.lexicon import KIND_WORDS, NAME, Lexicon
from core.plan.language.pieces import Connective, Fields, Filler, Noun, Parties, Piece, Unknown, stems


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
        if not isinstance(each.meaning, (Fields, Unknown)) or each.end != after.first:
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
