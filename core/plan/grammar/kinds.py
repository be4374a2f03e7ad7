"""Kinds of documents that the titles of the collection name: "supply agreements", "consulting contracts"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.plan.grammar.lexicon import KIND_WORDS, NAME, Lexicon
from core.plan.grammar.pieces import Fields, Noun, Piece, Unknown, stems


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
