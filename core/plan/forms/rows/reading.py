"""A question in pieces, as it reads when it is about the rows of one table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from core.plan.catalogue import ColumnEntry
from core.plan.forms.rows.words import COLLECTIONS, MOST_WORDS, ROW_NOUNS, TableWords, is_identity, texts_of
from core.plan.language.lexicon.stop_phrases import is_light_word
from core.plan.language.pieces import (
    Cells,
    Column,
    Fields,
    Filler,
    Flag,
    Piece,
    RowNoun,
    Source,
    Token,
    Unknown,
    singular,
    stems,
)
from core.plan.language.reading.read import Proposal, Reading, of_grammar, pieces_of
from core.text.analyse import STOP_WORDS
from core.values.months import MONTH

_JOINTS = frozenset(["of", "the", "for"])
_NOUNS = frozenset(tuple(name.replace("-", " ").split()) for name in ROW_NOUNS)
_IDLE_WORDS = (
    "bought buy made make take took taken booked book books purchased use used done single individual"
    " posted entered recorded registered filed appear appears occur altogether shown got get gave run go"
    " went goes put there happen happened stand stands come comes came contain contains still yet"
    " already consumed consume filled overall according against under marked flagged labelled labeled"
    " classified assigned summarise summarize summary break breakdown down figures please amongst"
    " mentioned owed due everything distributed spread"
)
_IDLE = frozenset([*_IDLE_WORDS.split(), "in all", "each time"])
_MONTH = re.compile(MONTH, re.IGNORECASE)
_HELPERS = frozenset(["did", "do", "does"])
_COMMON = frozenset(["amount of", "the amount of"])


@dataclass(frozen=True, slots=True)
class RowReading:
    """A question in pieces over one table. named: whether its document is called by its whole name.

    hits: how many of the words are the table's own; uncovered: what nothing took.
    """

    words: TableWords
    pieces: tuple[Piece, ...]
    named: bool
    hits: int
    uncovered: tuple[str, ...]
    stems: frozenset[str] = frozenset()


def spoken(reading: Reading, today: date) -> tuple[Proposal, ...]:
    """What the words mean whatever the table: made once for a question, for all tables."""
    tokens = reading.tokens
    found = of_grammar(reading.question, tokens, today)
    nouns = (each for at, token in enumerate(tokens) if token.is_word for each in _nouns(tokens, at))
    return (*(each for each in found if _said(tokens, each) not in _COMMON), *nouns)


def read_rows(reading: Reading, words: TableWords, grammar: Sequence[Proposal]) -> RowReading:
    """The question over a table; every piece that is not idle says something of its rows.

    grammar: what `spoken` gave for the question.
    """
    tokens = reading.tokens
    made = pieces_of(reading.question, tokens, (*grammar, *_proposals(tokens, words)))
    pieces = _without_verb(tuple(_idle(piece) for piece in made))
    said = frozenset(stem for p in pieces if isinstance(p.meaning, Source) for stem in p.meaning.stems)
    own = (Column, Cells, Flag, Source)
    return RowReading(
        words,
        pieces,
        named=any(
            {word for word in title if not word.isdigit()} <= said for title in words.titles.values() if title
        ),
        hits=sum(p.end - p.first for p in pieces if isinstance(p.meaning, own))
        + sum(bool(set(stems(p.text)) & words.topics) for p in pieces if isinstance(p.meaning, RowNoun)),
        uncovered=tuple(p.text for p in pieces if isinstance(p.meaning, Unknown)),
        stems=said,
    )


def _without_verb(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """What is done with the rows: the verb behind "did", "how many kilometres did Ines drive"."""
    helped = False
    for at, piece in enumerate(pieces):
        helped = helped or piece.text.casefold().split()[-1] in _HELPERS
        word = piece.text
        if helped and isinstance(piece.meaning, Unknown) and word.islower() and word.isalpha():
            verb = Piece(piece.first, piece.end, word, Filler(), "is what is done")
            return (*pieces[:at], verb, *pieces[at + 1 :])
    return pieces


def _idle(piece: Piece) -> Piece:
    word = piece.text.casefold()
    is_idle = isinstance(piece.meaning, Unknown | Fields) and word in _IDLE
    may_name = piece.first > 0 and not piece.text.islower()
    is_idle = is_idle or (isinstance(piece.meaning, Unknown) and not may_name and is_light_word(word))
    return Piece(piece.first, piece.end, piece.text, Filler(), "") if is_idle else piece


def _said(tokens: Sequence[Token], proposal: Proposal) -> str:
    return " ".join(token.word for token in tokens[proposal.first : proposal.end])


def _proposals(tokens: Sequence[Token], words: TableWords) -> Iterator[Proposal]:
    for at, token in enumerate(tokens):
        if token.is_word:
            yield from _columns(tokens, at, words)
            yield from _cells(tokens, at, words)
            yield from _source(tokens, at, words)


def _columns(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[Proposal]:
    for end in range(min(len(tokens), at + 4), at, -1):
        key = tuple(token.stem for token in tokens[at:end])
        for column in words.columns.get(key, ())[:1]:
            if is_identity(column) and tokens[end - 1].word.endswith("s"):
                yield Proposal(at, end, RowNoun(is_plural=True), f"each row is of one {column.name}", 1.4)
            yield Proposal(at, end, Column(column), f"is the column {column.name}", 1.6)
        flag = words.flags.get(key)
        if flag is not None:
            yield Proposal(at, end, Flag(*flag), f"is said by the column {flag[0].name}", 1.5)


def _cells(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[Proposal]:
    for end in range(min(len(tokens), at + MOST_WORDS), at, -1):
        key = tuple(token.stem for token in tokens[at:end])
        found = words.cells.get(key, [])
        whole = [each for each in found if len(_key(each[1])) == len(key)]
        chosen = whole or found
        if chosen:
            column = chosen[0][0]
            meaning = Cells(column, texts_of(chosen, column), is_part=not whole)
            rank = -0.5 if whole and _is_identified(tokens, at, end, column, words) else 1.0 if whole else 2.9
            yield Proposal(at, end, meaning, f"stands in the column {column.name}", rank)
    inside = words.cell_words.get(tokens[at].stem, [])
    if inside and tokens[at].word not in STOP_WORDS:
        column = inside[0][0]
        meaning = Cells(column, texts_of(inside, column), is_part=True)
        yield Proposal(at, at + 1, meaning, f"is part of what stands in the column {column.name}", 3.3)


def _is_identified(
    tokens: Sequence[Token], at: int, end: int, column: ColumnEntry, words: TableWords
) -> bool:
    """Whether digits are the number of a row: "invoice 10398", or long enough to be no amount."""
    before = (tokens[at - 1].stem,) if at else ()
    is_called = column in words.columns.get(before, ())
    return is_identity(column) and (is_called or sum(len(t.word) for t in tokens[at:end]) > 4)


def _key(text: str) -> tuple[str, ...]:
    return stems(text.replace("_", " "))


def _source(tokens: Sequence[Token], at: int, words: TableWords) -> Iterator[Proposal]:
    """Words of the name of the document, with small ones between them: "register of invoices"."""
    if tokens[at].word.isdigit() and at and _MONTH.fullmatch(tokens[at - 1].word):
        return  # "the September 2024 fuel purchases": a time, which its rows tell
    titles, has_word, has_digits = words.title_stems, False, False
    found: list[str] = []
    for end in range(at, min(len(tokens), at + 7)):
        token = tokens[end]
        if found and token.word in _JOINTS:
            continue
        of_year = token.word.isdigit() and token.stem in titles
        if not (of_year or token.stem in words.topics or token.stem in COLLECTIONS):
            return
        found.append(token.stem)
        has_digits, has_word = has_digits or of_year, has_word or not of_year
        if has_word:
            meaning = Source(frozenset(found))
            yield Proposal(at, end + 1, meaning, "names the table", 2.6, bonus=4 if has_digits else 0)


def _nouns(tokens: Sequence[Token], at: int) -> Iterator[Proposal]:
    for size in (2, 1):
        words = [token.word for token in tokens[at : at + size]]
        if len(words) == size and (*words[:-1], singular(words[-1])) in _NOUNS:
            plural = words[-1].endswith("s")
            yield Proposal(at, at + size, RowNoun(plural), "is a row of the table", 2.7)
