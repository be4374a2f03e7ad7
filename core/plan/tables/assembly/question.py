"""A question over a wide table while its query is assembled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Connective,
    DayRange,
    Filler,
    HavingWord,
)
from core.plan.reader.reading import Operation, QuestionReading
from core.plan.tables.assembly.combining import spoken_words
from core.plan.tables.assembly.spans import SpanColumns
from core.plan.tables.assembly.wide_table import Neighbour, WideTable
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import WordLikeness
from core.plan.tables.measures import (
    default_measure,
    is_rate_name,
    is_unique,
    of_class,
)
from core.plan.tables.mentions import ColumnMention, RowMention
from core.plan.tables.query import (
    TableQuery,
)
from core.plan.tables.sequence import PieceSequence
from core.text.words import word_list

DATED = (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)
ENTITIES = (ColumnKind.NAME, ColumnKind.CATEGORY, ColumnKind.IDENTITY, ColumnKind.FLAG, ColumnKind.PERIOD)
OF_OTHERS, UNANSWERED, DEFAULT_DOUBT = 0.5, 0.8, 0.25
"""Doubt of rows of another table, of what is asked and not shown, of a measure that nothing names."""

SPOKEN_OF = "which the question speaks of"
_SURE = 0.5  # of an operation that only the trained reader says
_HARDLY = 0.1  # below which an operation is not asked for
_STOPS = frozenset("?.!;:()")


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A column that is named at a place and is no part of a filter."""

    at: int
    column: ColumnWords
    weight: float


class AssemblyQuestion:
    """A question over a wide table while its query is assembled: its pieces, how it asks, what it names.

    lacks: the other table of which rows have none, where it says so.
    """

    def __init__(
        self,
        sequence: PieceSequence,
        wide: WideTable,
        today: date,
        reading: QuestionReading | None,
        meaning: WordLikeness | None = None,
    ) -> None:
        self.pieces = sequence
        self.wide = wide
        self.words = wide.words
        self.reading = reading
        self.query = TableQuery(wide.words)
        self.filters = FilterReader(sequence, self.query, today)
        self.spans = SpanColumns(sequence, reading, meaning)
        self.filters.meant = self.spans.best
        self.lacks: Neighbour | None = None
        self.asks = list(sequence.places(Ask))
        self.ask, self.ask_at = self._asked()

    def _asked(self) -> tuple[str, int]:
        """How the question asks, and where: the first word that says it, of several the more telling one."""
        found = [(self.how(at), at) for at in self.asks]
        strong = [each for each in found if each[0] not in ("whether", "text", "list", "")]
        if self.pieces.tokens and self.pieces.tokens[0].word == "whose" and not strong:
            return ("who", 0)  # "whose contract runs out"
        if found and found[0][0] == "whether" and found[0][1] == self.first_content():
            names = [how for how, at in strong if self.begins(at)]
            return ("whether", found[0][1]) if not names and not self.asks_name() else ("which", found[0][1])
        return (strong or [("", -1)])[0]

    def may_answer(self) -> bool:
        """True where a question without a word of the table may be of it: of its days, or persons."""
        dated = self.words.of_kind(*DATED)
        said = {token.word for token in self.pieces.tokens}
        if self.ask == "who" and said & word_list("tables", "often"):
            return any(set(c.words) & word_list("tables", "named_persons") for c in self.words.columns)
        periods = self.pieces.places(DayRange)
        return bool(dated) and any(self.spans.span_at(at) is not None for at in periods)

    def how(self, at: int) -> str:
        """How the word at a place asks."""
        ask = self.pieces.of(at, Ask)
        return ask.how if ask is not None else ""

    def first_content(self) -> int:
        """The first place that is more than filling."""
        return next((at for at in range(len(self.pieces)) if not self.is_filler(at)), -1)

    def is_filler(self, at: int) -> bool:
        """True of words that only join others."""
        return isinstance(self.pieces.mention(at), Filler)

    def asks_name(self) -> bool:
        """ "Is there one that ...? Its name?": the name is asked for, and no yes or no."""
        return any(self.pieces.text(at) in ("name", "names") and self.begins(at) for at in self.asks)

    def begins(self, at: int) -> bool:
        """True where a piece begins a further question: behind a stop, a comma or "and"."""
        place = at - 1
        while place >= 0 and self.is_filler(place) and not self.stops(place):
            place -= 1
        return self.stops(place) or isinstance(self.pieces.mention(place), Connective)

    def stops(self, at: int) -> bool:
        """True where a sentence or a part in brackets ends behind a piece."""
        if not 0 <= at < len(self.pieces):
            return False
        end = self.pieces.tokens[self.pieces.pieces[at].end - 1].end
        return bool(_STOPS & set(self.pieces.question[end : end + 2].split(" ")[0]))

    def operation(self, *wanted: Operation) -> bool:
        """True where a trained reader is sure that the question asks for one of these."""
        if self.reading is None:
            return False
        return sum(share for operation, share in self.reading.operations if operation in wanted) >= _SURE

    def may_be(self, *wanted: Operation) -> bool:
        """False where a trained reader is sure that the question asks for none of these."""
        if self.reading is None:
            return True
        return sum(share for operation, share in self.reading.operations if operation in wanted) >= _HARDLY

    def has_gaps(self, column: ColumnWords) -> bool:
        """True where rows say nothing in a column."""
        return column.entry.rows < column.table.rows

    def may_be_none(self, column: ColumnWords) -> bool:
        """True of numbers of pieces, where "no bids" is 0 of them."""
        return column.kind is ColumnKind.MEASURE and column.entry.low == 0 and not column.unit

    def of_kinds(self, mention: ColumnMention, kinds: Sequence[ColumnKind]) -> ColumnWords | None:
        """The likeliest column of some kinds, one of the table that is asked first."""
        near = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - 0.2 and c.kind in kinds]
        near.sort(key=lambda pair: (-round(pair[1], 1), not self.wide.is_own(pair[0])))
        return near[0][0] if near else None

    def key_to(self, rows: RowMention) -> ColumnWords | None:
        """The column that says which row of another table is meant: of orders, that of customers."""
        found = (e for e in self.wide.neighbours if e.is_looked_up and e.words is rows.words)
        return next((each.key.left for each in found), None)

    def day(self) -> ColumnWords | None:
        """The first column of days."""
        return next(iter(self.words.of_kind(ColumnKind.DAY)), None)

    def first_number(self) -> ColumnWords | None:
        """The column that a number without one is compared with."""
        named = [each for each in self.named() if each.column.kind is ColumnKind.MEASURE]
        return named[0].column if named else default_measure(self.words)

    def named(self) -> list[NamedColumn]:
        """The columns that are named and not yet used, in order, each once."""
        found: dict[int, NamedColumn] = {}
        for at in self.pieces.places(ColumnMention, unused=True):
            mention = self.pieces.of(at, ColumnMention)
            if mention is None:
                continue
            near = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - 0.16]
            near.sort(key=lambda pair: (not self.wide.is_own(pair[0]), -pair[1]))
            column, weight = near[0]
            known = found.get(id(column))
            if known is None or weight > known.weight + 0.2:
                found[id(column)] = NamedColumn(at, column, weight)
        return sorted(found.values(), key=lambda each: each.at)

    def is_filtered(self, column: ColumnWords) -> bool:
        """True where a condition leaves one value of a column, or a range."""
        return any(
            each.column is column and not (each.op is Operator.IN and len(each.values) > 1)
            for clause in self.query.clauses
            for each in clause
        )

    def is_row_noun(self, named: NamedColumn) -> bool:
        """True where a noun calls rows by their own column: "jobs" of jobs, "batches" with a number each."""
        is_plural = self.pieces.word(named.at).endswith("s")
        header = set(named.column.words)
        is_form = named.column.kind in DATED and is_plural and self.pieces.word(named.at) not in header
        is_own = named.column is self.words.subject or named.column.kind is ColumnKind.IDENTITY
        is_key = any(named.column is each.key.left for each in self.wide.neighbours if each.is_looked_up)
        return is_form or (is_own and self.wide.is_own(named.column) and not is_key)

    def measure_at(self, place: int) -> ColumnWords | None:
        """The column of numbers that is named at a place."""
        mention = self.pieces.of(place, ColumnMention)
        if mention is None:
            return None
        return next((c for c, _ in mention.columns if c.kind is ColumnKind.MEASURE), None)

    def entity(self, named: Sequence[NamedColumn]) -> ColumnWords | None:
        """What is asked for: the first column of names or kinds behind the word that asks."""
        fitting = [each for each in named if each.column.kind in ENTITIES]
        behind = [each for each in fitting if each.at > self.ask_at]
        chosen = next(iter(behind or fitting), None)
        if chosen is not None:
            return chosen.column
        for at in self.pieces.places(RowMention):
            rows = self.pieces.of(at, RowMention)
            if rows is not None and at - self.ask_at in (1, 2) and (key := self.key_to(rows)) is not None:
                return key
        if self.ask == "who":
            return of_class(self.words, "who")
        return None

    def names_one(self) -> bool:
        """True where a condition chooses one row."""
        return any(
            each.op is Operator.EQUAL and is_unique(each.column) and self.wide.is_own(each.column)
            for clause in self.query.clauses
            for each in clause
        )

    def counts_rows(self) -> bool:
        """True where rows are counted, and no column of numbers is added up."""
        text = " ".join(token.word for token in self.pieces.tokens)
        return "number of" in text or (self.ask == "count" and not self.number_asked())

    def asks_takings(self) -> bool:
        """True where words ask what rows come to in money: "takings", "what it yields"."""
        return bool({token.word for token in self.pieces.tokens} & word_list("tables", "worths"))

    def number_asked(self) -> bool:
        """True where a column of numbers stands directly behind "how many"."""
        place = self.pieces.after(self.ask_at, over=(Filler, HavingWord))
        mention = self.pieces.of(place, ColumnMention)
        return mention is not None and any(c.kind is ColumnKind.MEASURE for c, _ in mention.columns)

    def of_other_rows(self, place: int) -> None:
        """Doubt where the rows that are counted are those of a table beside."""
        mention = self.pieces.of(place, RowMention)
        if mention is not None and mention.words is not None and mention.words is not self.words:
            self.query.doubt += OF_OTHERS

    def default(self) -> ColumnWords | None:
        """The measure where none is named; of what is due and what came in, the one that words speak of."""
        said = {token.word for token in self.pieces.tokens}
        money = [c for c in self.words.of_kind(ColumnKind.MEASURE) if c.entry.type is FieldType.MONEY]
        of_parts = [c for c in money if spoken_words(c) & word_list("tables", "parts_of")]
        parts = word_list("tables", "parts_of") - {"out"} | {"came", "come", "pay", "collect"}
        came_in = bool(said & parts)
        others = [c for c in money if c not in of_parts and not is_rate_name(c.entry.name)]
        pool = of_parts if came_in else others
        found = default_measure(self.words) or (pool[0] if len(money) > 1 and len(pool) == 1 else None)
        if found is not None:
            is_spoken_of = came_in and found in of_parts and len(of_parts) == 1
            why = SPOKEN_OF if is_spoken_of else "since nothing else is named"
            self.query.guess(DEFAULT_DOUBT, "", f"computed with {found.entry.name}, {why}")
        return found


class AssemblyStep:
    """A step of an assembly: it reads a question, and writes what it says into the query."""

    def __init__(self, question: AssemblyQuestion) -> None:
        self._question = question
        self._pieces = question.pieces
        self._wide = question.wide
        self._words = question.words
        self._reading = question.reading
        self._query = question.query
