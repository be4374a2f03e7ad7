"""Names of sheets and documents in a question, by some words of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.plan.catalogue import TablePart
from core.plan.language.pieces import Token, stem
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list
from core.values.dates import month_number

_LONGEST_TITLE = 8  # words
_JOINTS = frozenset(["of", "the", "for", "and", "-"])


class MentionedTitle(NamedTuple):
    """The parts of a table whose name the tokens from `first` to before `end` have."""

    first: int
    end: int
    parts: tuple[TablePart, ...]
    score: float


def titles(tokens: Sequence[Token], words: TableVocabulary) -> Iterator[MentionedTitle]:
    """Words of the name of a sheet or document, with small ones between them: "register of invoices 2024"."""
    collections = {stem(word) for word in word_list("tables", "collections")}
    titled = {word for title in words.titles.values() for word in title} - words.rivals
    for at in range(len(tokens)):
        run: list[str] = []
        for end in range(at, min(len(tokens), at + _LONGEST_TITLE)):
            token = tokens[end]
            if run and token.word in _JOINTS:
                continue
            is_time = token.word.isdigit() and end > 0 and bool(month_number(tokens[end - 1].word))
            called = _called(token, titled)
            if is_time or not (called or token.stem in collections):
                break
            run.append(called or token.stem)
            proposal = _titled(at, end + 1, run, words, collections)
            if proposal is not None:
                yield proposal


def _called(token: Token, titled: set[str]) -> str:
    """The word of a title that a word is, or whose month it is: "February" of "Feb"; "" for none."""
    if token.stem in titled:
        return token.stem
    month = month_number(token.word) if len(token.word) > 2 and token.is_capital else None
    return next((word for word in sorted(titled) if month and month_number(word) == month), "")


def _titled(
    at: int, end: int, run: Sequence[str], words: TableVocabulary, collections: set[str]
) -> MentionedTitle | None:
    """The table by some words of its name; None where these are only figures."""
    said = set(run)
    if all(word.isdigit() for word in run):
        return None
    hits = {part: len(said & title) for part, title in words.titles.items()}
    most = max(hits.values(), default=0)
    parts = tuple(part for part, count in hits.items() if count == most) if most else words.parts
    own = sum(word not in collections for word in run)
    score = 1.25 * own + 0.8 * (len(run) - own) + 0.3 * (end - at - len(run))
    if any(word.isdigit() for word in run):
        score += 4.5  # a year beside the name belongs to it
    return MentionedTitle(at, end, parts, score)
