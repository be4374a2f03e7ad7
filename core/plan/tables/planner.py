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
    RowMention,
    TablePiece,
    TitleMention,
    ValueMention,
    grammar_of,
    pieces_over,
)
from core.plan.tables.plans import PlanBuilder
from core.plan.tables.query import TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableKey, TablesVocabulary, TableVocabulary, tables_vocabulary
from core.text.analyse import STOP_WORDS

_READ = 6  # tables that a question is read over
_KEYS = 3  # tables that are tried beside one of them
_JOINED = 0.1  # doubt of what needs two tables, or one that was made of another
_DERIVED = 0.05
UNPIVOTED = 100_000  # as `core.extract.unpivot` numbers the tables that it makes


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
    """The plan over the tables that say most of the question; None where none could answer it.

    reading: of a trained reader, as further evidence.
    """
    tokens = tokens_of(question)
    vocabulary = tables_vocabulary(lexicon)
    said = {token.stem for token in tokens}
    likeliest = vocabulary.likeliest(said, buckets, _READ)
    if not likeliest:
        return None
    grammar = grammar_of(question, tokens, today)
    asked = _Asked(question, tokens, grammar, today)
    found: list[_Candidate] = []
    for words in likeliest:
        found += _candidates(asked, words, vocabulary)
    if not found:
        return None
    best = min(found, key=lambda each: each.rank)
    planned = _planned(question, best.query, buckets, today)
    return TablePlan(planned, best.named, not best.query.uncovered, best.hits, _share(tokens, best.query))


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    tokens: Sequence[Token]
    grammar: Sequence[MentionProposal]
    today: date


def _candidates(asked: _Asked, words: TableVocabulary, vocabulary: TablesVocabulary) -> list[_Candidate]:
    """The question over one table, and over it with another that goes with it, where words are left."""
    single = _candidate(asked, words)
    found = [single] if single is not None else []
    keys = vocabulary.keys_of(words)[:_KEYS]
    for key, other in keys:
        codes = single is not None and not single.query.uncovered and _shows_codes(single.query, key)
        is_short = single is None or single.query.uncovered or single.query.doubt > 0 or codes
        if is_short and (joined := _candidate(asked, words, other, key, single_codes=codes)) is not None:
            found.append(joined)
    return found


def _shows_codes(query: TableQuery, key: TableKey) -> bool:
    columns = (*query.shown, *(group.column for group in query.groups))
    return any(column is key.left for column in columns)


def _candidate(
    asked: _Asked,
    words: TableVocabulary,
    other: TableVocabulary | None = None,
    key: TableKey | None = None,
    *,
    single_codes: bool = False,
) -> _Candidate | None:
    """single_codes: over the one table alone, codes would be shown for what the other one names."""
    tables = [words] if other is None else [words, other]
    pieces = pieces_over(asked.question, asked.tokens, asked.grammar, tables)
    sequence = PieceSequence(asked.question, asked.tokens, pieces)
    query = TableReader(sequence, words, asked.today, other, key).read()
    if query is None:
        return None
    own = (ColumnMention, ValueMention, FlagMention)
    hits = sum(piece.score for piece in pieces if isinstance(piece.mention, own))
    hits += 0.5 * sum(isinstance(piece.mention, TitleMention | RowMention) for piece in pieces)
    names_codes = key is not None and single_codes and _shows_codes(query, key)
    query.doubt += (-_JOINED if names_codes else _JOINED) * (other is not None) + _DERIVED * is_derived(words)
    return _Candidate(query, pieces, hits, _is_named(words, asked.tokens))


def is_derived(words: TableVocabulary) -> bool:
    """True of a table that was made of the columns of another."""
    return any(part.number >= UNPIVOTED for part in words.table.parts)


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
