"""Planner of questions over tables: the query that says most of a question over the tables there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.plan.clarify import Clarify, option_for
from core.plan.ir.nodes import Plan
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Token, tokens_of
from core.plan.reader.reading import QuestionReading
from core.plan.tables.interpret import TableReader
from core.plan.tables.mentions import (
    ColumnMention,
    FlagMention,
    MentionProposal,
    TablePiece,
    TitleMention,
    ValueMention,
    grammar_of,
    pieces_over,
)
from core.plan.tables.plans import PlanBuilder
from core.plan.tables.query import TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableVocabulary, tables_vocabulary
from core.text.analyse import STOP_WORDS

_READ = 6  # tables that a question is read over


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Plan of a question over tables. named: a table is called by its name; hits: words that are the table's.

    share: of the words that say something, those that it covers.
    """

    planned: Plan | Clarify
    named: bool
    is_whole: bool
    hits: float
    share: float


@dataclass(frozen=True, slots=True)
class _Candidate:
    query: TableQuery
    pieces: tuple[TablePiece, ...]
    hits: float
    named: bool

    @property
    def rank(self) -> tuple[float, float, float]:
        """The lowest is best."""
        return (len(self.query.uncovered) + self.query.doubt, -float(self.named), -self.hits)


def plan_tables(
    question: str,
    lexicon: Lexicon,
    buckets: tuple[str, ...],
    today: date,
    reading: QuestionReading | None = None,
) -> TablePlan | None:
    """The plan over the tables that say most of the question; None where none could answer it."""
    tokens = tokens_of(question)
    vocabulary = tables_vocabulary(lexicon)
    said = {token.stem for token in tokens}
    likeliest = vocabulary.likeliest(said, buckets, _READ)
    if not likeliest:
        return None
    grammar = grammar_of(question, tokens, today)
    found = [
        each
        for words in likeliest
        if (each := _candidate(question, tokens, grammar, words, today, reading)) is not None
    ]
    if not found:
        return None
    best = min(found, key=lambda each: each.rank)
    planned = _planned(question, best.query, buckets, today)
    return TablePlan(planned, best.named, not best.query.uncovered, best.hits, _share(tokens, best.query))


def _candidate(
    question: str,
    tokens: Sequence[Token],
    grammar: Sequence[MentionProposal],
    words: TableVocabulary,
    today: date,
    reading: QuestionReading | None,
) -> _Candidate | None:
    pieces = pieces_over(question, tokens, grammar, [words])
    sequence = PieceSequence(question, tokens, pieces)
    query = TableReader(sequence, words, today, reading).read()
    if query is None:
        return None
    own = (ColumnMention, ValueMention, FlagMention)
    hits = sum(piece.score for piece in pieces if isinstance(piece.mention, own))
    titles = [piece for piece in pieces if isinstance(piece.mention, TitleMention)]
    hits += 0.5 * len(titles)
    return _Candidate(query, pieces, hits, _is_named(words, tokens))


def _is_named(words: TableVocabulary, tokens: Sequence[Token]) -> bool:
    """True where the question has all words of the name of a sheet or of a document."""
    said = {token.stem for token in tokens}
    for title in words.document_titles.values():
        plain = {word for word in title if not word.isdigit()}
        if plain and plain <= said:
            return True
    return False


def _planned(question: str, query: TableQuery, buckets: tuple[str, ...], today: date) -> Plan | Clarify:
    if query.ambiguous is not None:
        phrase, names = query.ambiguous
        return Clarify(
            type="ambiguous",
            question=question,
            phrase=phrase,
            reason=f"It may be {' or '.join(names)}. Which do you mean?",
            options=tuple(option_for(question, question, f"{question} ({name})", 1) for name in names),
        )
    return PlanBuilder(question, query, buckets, today).plan()


def _share(tokens: Sequence[Token], query: TableQuery) -> float:
    said = [token for token in tokens if token.is_word and token.word not in STOP_WORDS]
    left = sum(len(phrase.split()) for phrase in query.uncovered)
    return 1.0 - min(1.0, left / max(1, len(said)))
