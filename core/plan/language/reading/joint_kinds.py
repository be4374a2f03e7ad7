"""Kinds of documents that share their noun: "sponsorship and consulting agreements" are of either kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.plan.language.lexicon.lexicon import KIND_WORDS, Lexicon
from core.plan.language.pieces import Connective, DocumentSet, FieldSenses, Noun, Piece, UnknownWord, stems

_JOINING = ("and", "or")


def with_joint_kinds(pieces: Sequence[Piece], lexicon: Lexicon) -> tuple[Piece, ...]:
    """The pieces with every kind that is said before the noun of several in it: it means any of them.

    A word that no title has is a kind too, where it is nothing else: kinds are an open list.
    """
    found = list(pieces)
    at = 0
    while at < len(found):
        meaning = found[at].meaning
        start = at
        titles: tuple[str, ...] = ()
        if isinstance(meaning, Noun) and meaning.title_words:
            start, titles = _before(found, at, meaning, lexicon)
        if isinstance(meaning, Noun) and titles:
            words = " ".join(piece.text for piece in found[start : at + 1])
            known = tuple(dict.fromkeys((*titles, *meaning.title_words)))
            joint = replace(meaning, title_words=known, is_plural=True)
            reason = f"are kinds of documents: {' or '.join(known)} in their names"
            found[start : at + 1] = [
                replace(found[at], first=found[start].first, text=words, meaning=joint, reason=reason)
            ]
            at = start
        at += 1
    return tuple(found)


def either_kind(one: Noun, other: Noun) -> Noun | None:
    """The noun for documents of either kind; None where one noun cannot say that."""
    if one.schema != other.schema or bool(one.title_words) != bool(other.title_words):
        return None
    if not one.title_words and not (one.kind and other.kind):
        return None
    kinds = dict.fromkeys(each for each in (*one.kind.split("|"), *other.kind.split("|")) if each)
    titles = tuple(dict.fromkeys((*one.title_words, *other.title_words)))
    return replace(one, kind="|".join(kinds), title_words=titles, is_plural=True)


def _before(pieces: Sequence[Piece], at: int, noun: Noun, lexicon: Lexicon) -> tuple[int, tuple[str, ...]]:
    """Begin of the kinds said before a noun, and their words in titles."""
    start, titles = at, tuple[str, ...]()
    while True:
        joint = start - 1
        if joint < 1 or not _joins(pieces[joint], is_last=start == at) or not _touch(pieces, joint):
            return start, titles
        if pieces[joint - 1].text == "," and _touch(pieces, joint - 1):  # "hosting, consulting, and ..."
            joint -= 1
        size = next(
            (n for n in range(KIND_WORDS, 0, -1) if _titles(pieces, joint - n, joint, noun, lexicon)), 0
        )
        if not size:
            return start, titles
        titles = (*_titles(pieces, joint - size, joint, noun, lexicon), *titles)
        start = joint - size


def _joins(piece: Piece, *, is_last: bool) -> bool:
    """True of "and" and "or", and of a comma before other kinds that are joined so."""
    meaning = piece.meaning
    return isinstance(meaning, Connective) and (
        meaning.word in _JOINING or (meaning.word == "," and not is_last)
    )


def _touch(pieces: Sequence[Piece], at: int) -> bool:
    return pieces[at - 1].end == pieces[at].first and pieces[at].end == pieces[at + 1].first


def _titles(pieces: Sequence[Piece], start: int, end: int, noun: Noun, lexicon: Lexicon) -> tuple[str, ...]:
    """Words in titles of the kind that some pieces name; () where they name none."""
    if start < 0:
        return ()
    words = pieces[start:end]
    if any(one.end != other.first for one, other in pairwise(words)):
        return ()
    if not all(isinstance(each.meaning, (DocumentSet, FieldSenses, UnknownWord)) for each in words):
        return ()
    said = " ".join(each.text for each in words)
    written = lexicon.before_kinds(noun.schema, stems(said))
    is_new = len(words) == 1 and isinstance(words[0].meaning, UnknownWord) and said.islower()
    return written or ((said,) if is_new else ())
