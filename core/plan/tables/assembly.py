"""Assembly of a query out of what the words of a question mean, wherever in the question they stand.

Beside the reader of wordings (`core.plan.tables.interpret`): values, bounds and days become filters by the
same exact readers, and what is asked of the rows follows from the kinds of the columns that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.ir.nodes import Note
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Comparator,
    Connective,
    Currency,
    Filler,
    Function,
    Grouping,
    HavingWord,
    Negator,
    Period,
    Quantity,
    Top,
    UnknownWord,
)
from core.plan.reader.reading import Operation, QuestionReading, SpanRole
from core.plan.tables.combining import Combination, compared, days_between, product, remainder, takings, worth
from core.plan.tables.comparing import SideReader
from core.plan.tables.filters import FilterReader, said_of
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import is_general
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    default_measure,
    is_additive,
    is_unique,
    of_class,
    says_sum,
)
from core.plan.tables.mentions import ColumnMention, FlagMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import (
    ChosenOrder,
    ColumnFilter,
    CombinedWith,
    GroupBy,
    Having,
    TableOperation,
    TableQuery,
)
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableVocabulary
from core.plan.tables.wide_table import Neighbour, WideTable
from core.text.words import word_lines, word_list

_FUNCTIONS = {
    Calculation.SUM: TableOperation.SUM,
    Calculation.AVG: TableOperation.AVG,
    Calculation.MEDIAN: TableOperation.MEDIAN,
    Calculation.MIN: TableOperation.MIN,
    Calculation.MAX: TableOperation.MAX,
}
_DATED = (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)
_ENTITIES = (ColumnKind.NAME, ColumnKind.CATEGORY, ColumnKind.IDENTITY, ColumnKind.FLAG, ColumnKind.PERIOD)
_REACH = 6  # pieces between a word of absence and what is not there
_SURE = 0.5  # of an operation that only the trained reader says
_JOINED, _OF_OTHERS, _ELSEWHERE, _DEFAULT, _UNANSWERED, _WEAK = 0.1, 0.5, 0.3, 0.25, 0.8, 0.4
_NAMED_THERE = 0.7  # less doubt where a table is named as that in which nothing is
_GUESSED_LACK = 0.35
_ALL_GROUPS = 1_000
_BETTER = {"better": True, "best": True, "worse": False, "worst": False}
_STOPS = frozenset("?.!;:()")


Extreme = tuple[int, bool, int, bool]
"""Where a superlative stands, whether the most is wanted, how many, and whether it is of time."""


@dataclass(frozen=True, slots=True)
class _Named:
    """A column that is named at a place and is no part of a filter."""

    at: int
    column: ColumnWords
    weight: float


class QueryAssembler:
    """Assembles one query over a table and those beside it. reading: of a trained reader, if there is one."""

    def __init__(
        self, sequence: PieceSequence, wide: WideTable, today: date, reading: QuestionReading | None
    ) -> None:
        self._pieces = sequence
        self._wide = wide
        self._words = wide.words
        self._reading = reading
        self.query = TableQuery(wide.words)
        self._filters = FilterReader(sequence, self.query, today)
        self._lacks: Neighbour | None = None
        self._asks = [at for at in self._pieces.places(Ask)]
        self._ask, self._ask_at = self._asked()

    def assemble(self) -> TableQuery | None:
        """The query; None where the table has nothing that could answer the question."""
        self._release()
        self._per()
        self._filters.read_values()
        self._filters.read_periods()
        self._absence()
        self._often()
        self._filters.read_numbers(self._first_number())
        self._filters.read_currencies()
        sides = SideReader(self._pieces, self.query, self._filters, self._ask)
        if sides.read():
            return self._finished()
        for at in self._asks:
            self._pieces.use(at)
        self._groups()
        if not self._decide():
            return None
        return self._finished()

    def _finished(self) -> TableQuery:
        for at in self._asks:
            self._pieces.use(at)
        self._join()
        self._leave()
        self.query.notes += [note for note in self._pieces.notes if note not in self.query.notes]
        return self.query

    # -- how it asks -----------------------------------------------------------------------------------

    def _asked(self) -> tuple[str, int]:
        """How the question asks, and where: the first word that says it, of several the more telling one."""
        found = [(self._how(at), at) for at in self._asks]
        strong = [each for each in found if each[0] not in ("whether", "text", "list", "")]
        if found and found[0][0] == "whether" and found[0][1] == self._first_content():
            names = [how for how, at in strong if self._begins(at)]
            return ("whether", found[0][1]) if not names and not self._asks_name() else ("which", found[0][1])
        return (strong or [("", -1)])[0]

    def _how(self, at: int) -> str:
        ask = self._pieces.of(at, Ask)
        return ask.how if ask is not None else ""

    def _first_content(self) -> int:
        return next((at for at in range(len(self._pieces)) if not self._is_filler(at)), -1)

    def _is_filler(self, at: int) -> bool:
        return isinstance(self._pieces.mention(at), Filler)

    def _asks_name(self) -> bool:
        """ "Is there one that ...? Its name?": the name is asked for, and no yes or no."""
        return any(self._pieces.text(at) in ("name", "names") and self._begins(at) for at in self._asks)

    def _begins(self, at: int) -> bool:
        """True where a piece begins a further question: behind a stop, a comma or "and"."""
        place = at - 1
        while place >= 0 and self._is_filler(place) and not self._stops(place):
            place -= 1
        return self._stops(place) or isinstance(self._pieces.mention(place), Connective)

    def _stops(self, at: int) -> bool:
        """True where a sentence or a part in brackets ends behind a piece."""
        if not 0 <= at < len(self._pieces):
            return False
        end = self._pieces.tokens[self._pieces.pieces[at].end - 1].end
        return bool(_STOPS & set(self._pieces.question[end : end + 2].split(" ")[0]))

    def _operation(self, *wanted: Operation) -> bool:
        """True where a trained reader is sure that the question asks for one of these."""
        if self._reading is None:
            return False
        return sum(share for operation, share in self._reading.operations if operation in wanted) >= _SURE

    # -- what is not there -----------------------------------------------------------------------------

    def _release(self) -> None:
        """ "Whether paid or not" leaves nothing out."""
        words = [token.word for token in self._pieces.tokens]
        if "whether" not in words:
            return
        first = words.index("whether")
        last = next((n for n in range(first, len(words)) if words[n] in ("not", "unpaid")), -1)
        for at, piece in enumerate(self._pieces.pieces):
            if first <= piece.first and piece.end - 1 <= last:
                self._pieces.use(at, "leaves nothing out")

    def _is_absence(self, at: int) -> bool:
        if at in self._pieces.used:
            return False
        if isinstance(self._pieces.mention(at), Negator):
            return True
        return self._pieces.word(at) in word_list("tables", "absent") and not isinstance(
            self._pieces.mention(at), ValueMention | FlagMention
        )

    def _absence(self) -> None:
        """Nothing stands in a column near a word of absence; or rows have none of another table."""
        signs = [at for at in range(len(self._pieces)) if self._is_absence(at)]
        if not signs:
            self._lasts()
            return
        plain = [at for at in signs if self._pieces.word(at) not in ("yet", "pending", "waiting", "unknown")]
        for at in plain or signs:
            named = self._named_behind(at)
            if named is not None:
                self._lack(at, named)
                self.query.doubt -= _NAMED_THERE
                return
        for at in plain or signs:
            after = self._pieces.after(at)
            if isinstance(self._pieces.mention(after), Comparator | Quantity):
                continue
            found = self._missing_at(at)
            if found is not None:
                place, column = found
                clause: tuple[ColumnFilter, ...] = (ColumnFilter(column, Operator.MISSING),)
                if self._may_be_none(column):
                    clause = (ColumnFilter(column, Operator.EQUAL, ("0",)), *clause)
                if clause not in self.query.clauses:
                    self.query.clauses.append(clause)
                self._pieces.use(at, "says that nothing is there")
                self._pieces.use(place, said_of(clause[0]))
                self._use_around(at, place)
                return
        if self._lasts():
            return
        for at in plain or signs:
            lacking = next((each for each in self._wide.neighbours if not each.is_looked_up), None)
            if lacking is not None and not self.query.clauses:
                self._lack(at, lacking)
                self.query.doubt += _GUESSED_LACK
                return

    def _lasts(self) -> bool:
        """ "Still out", "at the moment": no day in the one column of days that has gaps."""
        at = next(
            (n for n in range(len(self._pieces)) if self._pieces.word(n) in word_list("tables", "lasting")), -1
        )
        open_ended = [c for c in self._words.of_kind(ColumnKind.DAY) if self._has_gaps(c)]
        has_flag = any(True for _ in self._pieces.places(FlagMention))
        cues = {token.word for token in self._pieces.tokens} & word_list("tables", "remainders")
        if at < 0 or len(open_ended) != 1 or has_flag or cues:
            return False
        clause = (ColumnFilter(open_ended[0], Operator.MISSING),)
        self.query.clauses.append(clause)
        self._pieces.use(at, said_of(clause[0]))
        for place in range(at + 1, min(len(self._pieces), at + 3)):
            if self._pieces.of(place, ColumnMention) is not None or self._pieces.of(place, UnknownWord):
                self._pieces.use(place)
        return True

    def _lack(self, sign: int, neighbour: Neighbour) -> None:
        self._lacks = neighbour
        self._pieces.use(sign, "has none of these")
        self._use_behind(sign)

    def _named_behind(self, sign: int) -> Neighbour | None:
        """The other table of many rows that a part of the sentence behind a word of absence names."""
        others = [each for each in self._wide.neighbours if not each.is_looked_up]
        for at in range(sign + 1, len(self._pieces)):
            rows = self._pieces.of(at, RowMention)
            found = next((each for each in others if rows is not None and rows.words is each.words), None)
            if found is not None:
                return found
            if self._stops(at) or self._pieces.text(at) == ",":
                break
        return None

    def _missing_at(self, sign: int) -> tuple[int, ColumnWords] | None:
        """The column with gaps that is named nearest to a word of absence, in its part of the sentence."""
        best: tuple[float, int, ColumnWords] | None = None
        for step in (1, -1):
            place, passed = sign + step, 0
            while 0 <= place < len(self._pieces) and passed <= _REACH:
                if self._stops(place if step < 0 else place - 1) or self._pieces.text(place) == ",":
                    break
                mention = self._pieces.of(place, ColumnMention)
                if mention is not None:
                    for column, weight in mention.columns:
                        score = weight - 0.04 * passed
                        may_lack = self._has_gaps(column) or (passed <= 1 and self._may_be_none(column))
                        is_open = may_lack and self._wide.is_own(column)
                        if is_open and (best is None or score > best[0]):
                            best = (score, place, column)
                passed += not self._is_filler(place)
                place += step
        return (best[1], best[2]) if best is not None else None

    def _has_gaps(self, column: ColumnWords) -> bool:
        return column.entry.rows < column.table.rows

    def _may_be_none(self, column: ColumnWords) -> bool:
        """True of numbers of pieces, where "no bids" is 0 of them."""
        return column.kind is ColumnKind.MEASURE and column.entry.low == 0 and not column.unit

    def _use_around(self, sign: int, place: int) -> None:
        """Words between a word of absence and the column, and verbs joined to it, say the same."""
        first, last = min(sign, place), max(sign, place)
        for at in range(first, min(len(self._pieces), last + 3)):
            if at > last and (self._stops(at - 1) or self._pieces.text(at) == ","):
                return
            if isinstance(self._pieces.mention(at), ColumnMention | UnknownWord | Grouping | Connective):
                self._pieces.use(at)

    def _use_behind(self, sign: int) -> None:
        """What was not done, up to the end of its part of the sentence."""
        for at in range(sign + 1, len(self._pieces)):
            mention = self._pieces.mention(at)
            if self._pieces.text(at) == ",":
                return
            if isinstance(mention, UnknownWord | RowMention | MentionedTable | ColumnMention | Period):
                self._pieces.use(at)
            if self._stops(at):
                return

    # -- groups ----------------------------------------------------------------------------------------

    def _groups(self) -> None:
        for at in list(self._pieces.places(Grouping, unused=True)):
            if self._pieces.text(at) == "by" and self._is_passive(at):
                continue
            place = at + 1
            while place < min(len(self._pieces), at + 4) and not self._group_at(at, place):
                if self._stops(place):
                    break
                place += 1
        for at in range(len(self._pieces)):
            named = isinstance(self._pieces.mention(at + 1), ColumnMention | RowMention)
            if self._pieces.word(at) in ("each", "every") and named and not self.query.groups:
                self._group_at(at, at + 1)
        self._read_groups()
        words = [token.word for token in self._pieces.tokens]
        for at in list(self._pieces.places(Aspect, unused=True)):
            piece = self._pieces.pieces[at]
            again = words[piece.end : piece.end + 2] == ["by", words[piece.first]]
            if not self.query.groups and (again or words[piece.first].endswith("ly")):
                self._group_at(at, at)

    def _read_groups(self) -> None:
        """Groups that only a trained reader saw: "how many has every driver made"."""
        reading = self._reading
        if self.query.groups or reading is None or not self._operation(Operation.GROUP):
            return
        for span in reading.of(SpanRole.GROUP):
            for at in list(self._pieces.places((ColumnMention, Aspect), unused=True)):
                piece = self._pieces.pieces[at]
                start = self._pieces.tokens[piece.first].start
                if span.start <= start < span.end and self._group_at(at, at):
                    return

    def _is_passive(self, at: int) -> bool:
        before = self._pieces.word(at - 1)
        return before.endswith("ed") or before in word_list("tables", "participles")

    def _group_at(self, sign: int, place: int) -> bool:
        """Group by what stands at a place, and by what is joined to it."""
        group = self._group(place)
        if group is None or any(each.key == group.key for each in self.query.groups):
            return False
        self.query.groups.append(group)
        self._pieces.use(sign, "asks for a result for each")
        self._pieces.use(place, f"for each {group.key}")
        joined = self._pieces.after(place, over=(Filler,))
        if isinstance(self._pieces.mention(joined), Connective) and not self._stops(joined - 1):
            further = self._pieces.after(joined, over=(Filler,))
            if self._group(further) is not None and self._pieces.text(joined) == "and":
                self._group_at(joined, further)
        return True

    def _group(self, place: int) -> GroupBy | None:
        aspect = self._pieces.of(place, Aspect)
        if aspect is not None and aspect.name == "unit":
            coded = [c for c in self._words.columns if "currency" in c.words]
            return GroupBy(coded[0]) if coded else None
        if aspect is not None:
            day = self._day()
            return GroupBy(day, aspect.name) if day is not None else None
        rows = self._pieces.of(place, RowMention)
        if rows is not None and (key := self._key_to(rows)) is not None:
            return GroupBy(key)
        mention = self._pieces.of(place, ColumnMention)
        if mention is None or place in self._pieces.used:
            return None
        column = self._of_kinds(mention, (*_ENTITIES, *_DATED))
        return GroupBy(column) if column is not None else None

    def _of_kinds(self, mention: ColumnMention, kinds: Sequence[ColumnKind]) -> ColumnWords | None:
        """The likeliest column of some kinds, one of the table that is asked first."""
        near = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - 0.2 and c.kind in kinds]
        near.sort(key=lambda pair: (-round(pair[1], 1), not self._wide.is_own(pair[0])))
        return near[0][0] if near else None

    def _key_to(self, rows: RowMention) -> ColumnWords | None:
        """The column that says which row of another table is meant: of orders, that of customers."""
        found = (e for e in self._wide.neighbours if e.is_looked_up and e.words is rows.words)
        return next((each.key.left for each in found), None)

    def _day(self) -> ColumnWords | None:
        return next(iter(self._words.of_kind(ColumnKind.DAY)), None)

    # -- columns that are named ------------------------------------------------------------------------

    def _first_number(self) -> ColumnWords | None:
        named = [each for each in self._named() if each.column.kind is ColumnKind.MEASURE]
        return named[0].column if named else default_measure(self._words)

    def _named(self) -> list[_Named]:
        """The columns that are named and not yet used, in order, each once."""
        found: dict[int, _Named] = {}
        for at in self._pieces.places(ColumnMention, unused=True):
            mention = self._pieces.of(at, ColumnMention)
            if mention is None:
                continue
            near = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - 0.16]
            near.sort(key=lambda pair: (not self._wide.is_own(pair[0]), -pair[1]))
            column, weight = near[0]
            known = found.get(id(column))
            if known is None or weight > known.weight + 0.2:
                found[id(column)] = _Named(at, column, weight)
        return sorted(found.values(), key=lambda each: each.at)

    def _is_filtered(self, column: ColumnWords) -> bool:
        return any(
            each.column is column and not (each.op is Operator.IN and len(each.values) > 1)
            for clause in self.query.clauses
            for each in clause
        )

    def _is_row_noun(self, named: _Named) -> bool:
        """True where a noun calls rows by their own column: "jobs" of jobs, "batches" with a number each."""
        is_plural = self._pieces.word(named.at).endswith("s")
        header = {word for word in named.column.words}
        is_form = named.column.kind in _DATED and is_plural and self._pieces.word(named.at) not in header
        is_own = named.column is self._words.subject or named.column.kind is ColumnKind.IDENTITY
        is_key = any(named.column is each.key.left for each in self._wide.neighbours if each.is_looked_up)
        return is_form or (is_own and self._wide.is_own(named.column) and not is_key)

    # -- what is asked ---------------------------------------------------------------------------------

    def _decide(self) -> bool:
        """Set operation, measure, order and what is shown. False where nothing is asked of the table."""
        query = self.query
        function = self._function()
        extreme = self._extreme()
        named = self._named()
        numbers = [each for each in named if each.column.kind is ColumnKind.MEASURE]
        others = [
            each for each in named if each.column.kind is not ColumnKind.MEASURE
        ]
        if self._lacks is not None:
            self._of_those(named)
        elif self._combines(named, extreme, function):
            self._combined(named, extreme, function)
        elif query.having is not None:
            self._having(others)
        elif extreme is not None and not query.groups:
            self._ranked(extreme, function, numbers, others)
        elif query.groups:
            self._grouped(extreme, function, numbers)
        elif self._ask == "count":
            self._counted(function, numbers, others)
        elif self._ask == "whether":
            query.operation = TableOperation.EXISTS
        elif function is not None:
            self._computed(function, numbers)
        elif self._ask in ("much", "long") and not self._names_one():
            self._computed(TableOperation.SUM, numbers)
        elif self._asks_worth(numbers) or self._asks_money(numbers):
            self._computed(TableOperation.SUM, numbers)
        elif self._is_sum(numbers, others):
            self._computed(TableOperation.SUM, numbers)
        else:
            self._rows(named)
        for each in named:
            self._pieces.use(each.at, f"is the column {each.column.entry.name}")
            self.query.doubt += _WEAK * (1 - each.weight) * (each.weight < 1)
        if query.operation in _FUNCTIONS.values() and query.measure is None:
            return False
        asked = (query.clauses, query.groups, query.shown, query.order, self._lacks)
        return any(asked) or query.operation is not TableOperation.ROWS

    # -- two columns ------------------------------------------------------------------------------------

    def _per(self) -> None:
        """ "Litres per 100 km": one column by another."""
        for at in self._pieces.places(Grouping):
            if self._pieces.text(at) not in ("per", "for each", "for every"):
                continue
            below, scale = self._divisor(at + 1)
            above = next((c for n in range(at - 1, -1, -1) if (c := self._measure_at(n)) is not None), None)
            if below is None or above is None or above is below:
                continue
            self.query.measure = above
            self.query.combined = CombinedWith("per", below, scale)
            for each in (at, at + 1):
                self._pieces.use(each, f"{above.entry.name} by {below.entry.name}")
            return

    def _divisor(self, place: int) -> tuple[ColumnWords | None, int]:
        quantity = self._pieces.of(place, Quantity)
        if quantity is None:
            return self._measure_at(place), 1
        unit, text = quantity.value.unit.casefold(), quantity.value.text
        found = [c for c in self._words.of_kind(ColumnKind.MEASURE) if unit and c.unit == unit]
        return (found[0], int(text)) if len(found) == 1 and text.isdigit() else (None, 1)

    def _measure_at(self, place: int) -> ColumnWords | None:
        mention = self._pieces.of(place, ColumnMention)
        if mention is None:
            return None
        return next((c for c, _ in mention.columns if c.kind is ColumnKind.MEASURE), None)

    def _combines(
        self, named: Sequence[_Named], extreme: Extreme | None, function: TableOperation | None
    ) -> bool:
        """True where two columns are computed together; sets which."""
        query = self.query
        if query.combined is not None:
            return True
        said = [token.word for token in self._pieces.tokens]
        columns = [each.column for each in named]
        found = self._time_between(said, columns) or self._left_over(said, columns) or self._over(said, columns)
        if found is None:
            return False
        query.measure, query.combined = found.measure, found.combined
        return True

    def _time_between(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        extremes = [line for word in said if word.endswith("est") and (line := adjective_of(word)) is not None]
        is_extreme = any(line[0] in word_list("tables", "of_time") for line in extremes)
        asks = self._ask == "long" or "days" in said or "between" in said or is_extreme
        if not asks or not (is_extreme or set(said) & word_list("tables", "lengths_of_time")):
            return None
        if is_extreme and any(by_adjective(self._words, word)[0] is not None for word in said):
            return None
        if any(column.kind is ColumnKind.MEASURE for column in columns):
            return None
        return days_between(self._words, columns)

    def _left_over(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        flagged = any(each.column.kind is ColumnKind.FLAG for clause in self.query.clauses for each in clause)
        if flagged or not set(said) & word_list("tables", "remainders"):
            return None
        own = {word for column in self._words.columns for word in column.words}
        cues = set(said) & word_list("tables", "remainders")
        found = remainder(self._words, columns) if cues - own else None
        begins = next((token.word for token in self._pieces.tokens), "")
        asks_rows = self._ask in ("which", "who", "list") or (self._ask == "" and begins.endswith("s"))
        if found is not None and asks_rows and self.query.having is None:
            self.query.having = Having(Operator.GREATER, ("0",))
        return found

    def _over(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        open_ones = [at for at in self._pieces.places(Comparator, unused=True)]
        cues = set(said) & word_list("tables", "exceeding")
        if not open_ones and not cues:
            return None
        own = [c for words in self._wide.tables[:1] for c in words.columns]
        others = [c for each in self._wide.neighbours if each.is_looked_up for c in each.words.columns]
        found = compared([*own, *others], columns)
        if found is None or (not cues and len([c for c in columns if c.is_number]) < 2):
            return None
        is_less = False
        for at in open_ones:
            comparator = self._pieces.of(at, Comparator)
            is_less = comparator is not None and comparator.op in (Operator.LESS, Operator.LESS_EQUAL)
            self._pieces.use(at, "holds two columns against one another")
        self.query.having = Having(Operator.LESS if is_less else Operator.GREATER, ("0",))
        return found

    def _combined(
        self, named: Sequence[_Named], extreme: Extreme | None, function: TableOperation | None
    ) -> None:
        """What rows come to by two columns: of each, of the first of them, or of all together."""
        query = self.query
        assert query.combined is not None  # as the caller says
        assert query.measure is not None  # as above
        is_time = query.measure.kind is ColumnKind.DAY
        both = (query.measure, query.combined.column)
        others = [each for each in named if all(each.column is not column for column in both)]
        shown = [each.column for each in others if each.column.kind is not ColumnKind.MEASURE]
        if is_time:
            self._use_times()
            self.query.clauses = [
                clause
                for clause in query.clauses
                if not (clause[0].op is Operator.MISSING and clause[0].column in both)
            ]  # "how long do they stay open"
        query.operation = function or (TableOperation.AVG if is_time else TableOperation.SUM)
        is_each = extreme is not None or query.having is not None
        if not query.groups and (is_each or (self._ask in ("which", "who", "list") and function is None)):
            subject = self._words.subject
            keys = [column for column in shown if not self._is_filtered(column)]
            if subject is not None and not any(is_unique(c) or c.kind is ColumnKind.IDENTITY for c in keys):
                keys = [subject, *(column for column in keys if column is not subject)]
            query.groups = [GroupBy(column) for column in keys[:3]]
            query.operation = function or TableOperation.SUM
        if extreme is not None:
            at, most, count, _ = extreme
            self._pieces.use(at, "says which come first")
            query.order = ChosenOrder(None, most, count or _ALL_GROUPS, 0)
        if query.having is not None and self._ask == "count":
            query.over_groups = "groups"
        if self._ask == "whether":
            query.doubt += _UNANSWERED

    def _use_times(self) -> None:
        """Words for a length of time, and "between", say that days are counted."""
        known = word_list("tables", "lengths_of_time") | {"day", "date", "time", "until", "till", "before", "to"}
        for at in range(len(self._pieces)):
            open_one = isinstance(self._pieces.mention(at), UnknownWord | Comparator | Aspect | ColumnMention)
            if open_one and at not in self._pieces.used and self._pieces.word(at) in known:
                self._pieces.use(at, "counts days")

    def _of_those(self, named: Sequence[_Named]) -> None:
        """Rows that have none of another table: which, how many, or whether there are any."""
        counts = {"count": TableOperation.COUNT, "whether": TableOperation.EXISTS}
        if self._ask in counts:
            self.query.operation = counts[self._ask]
            return
        self._rows(named)

    def _often(self) -> None:
        """ "More than once", "at least twice": of how many rows there are for each."""
        known = {line[0]: line[1] for line in word_lines("tables", "times")}
        for at in list(self._pieces.places(Comparator, unused=True)):
            comparator = self._pieces.of(at, Comparator)
            place = self._pieces.after(at, over=(Filler,))
            number = known.get(self._pieces.word(at + 1)) or known.get(self._pieces.word(place))
            if comparator is not None and number is not None:
                self.query.having = Having(comparator.op, (number,))
                for each in (at, at + 1):
                    self._pieces.use(each, f"{comparator.op.value} {number} of them")
                return

    def _having(self, others: Sequence[_Named]) -> None:
        """What there is so much of, or so often."""
        query = self.query
        entity = self._entity([each for each in others if not self._is_filtered(each.column)])
        entity = entity or self._words.subject
        if entity is not None and not query.groups:
            query.groups.append(GroupBy(entity))
        query.operation = TableOperation.COUNT
        if self._ask == "count":
            query.over_groups = "groups"
        if entity is not None and self._wide.is_own(entity) and is_unique(entity):
            query.doubt += _OF_OTHERS

    def _function(self) -> TableOperation | None:
        """The computation that is asked for; of several the first that is no sum."""
        found: list[TableOperation] = []
        for at in list(self._pieces.places(Function, unused=True)):
            function = self._pieces.of(at, Function)
            if function is None or function.is_extreme:
                continue
            self._pieces.use(at, f"asks for the {function.name.value}")
            if function.name in _FUNCTIONS:
                found.append(_FUNCTIONS[function.name])
        apart = [each for each in found if each is not TableOperation.SUM]
        return (apart or found or [None])[0]

    def _extreme(self) -> Extreme | None:
        """Where a superlative stands, whether the most is wanted, how many, and whether it is of time."""
        for at in range(len(self._pieces)):
            if at in self._pieces.used:
                continue
            top, function = self._pieces.of(at, Top), self._pieces.of(at, Function)
            word = self._pieces.word(at)
            if top is not None:
                down = top.descending is not False
                return at, down, top.count or self._count_near(at), top.of_time
            if function is not None and function.is_extreme:
                return at, function.name is Calculation.MAX, self._count_near(at), function.of_time
            line = adjective_of(word) if word.endswith("est") or self._ask in ("which", "who") else None
            if line is not None and word != line[0] and not self._compares(at):
                return at, line[1] == "+", self._count_near(at), False
            if word in _BETTER and self._ask in ("which", "who") and not self._compares(at):
                return at, _BETTER[word], 1, False
        return None

    def _compares(self, at: int) -> bool:
        return "than" in [token.word for token in self._pieces.tokens]

    def _count_near(self, at: int) -> int:
        for place in (at - 1, at + 1, at - 2):
            quantity = self._pieces.of(place, Quantity)
            if quantity is not None and place not in self._pieces.used and quantity.value.text.isdigit():
                self._pieces.use(place, f"asks for {quantity.value.text}")
                return max(1, int(quantity.value.text))
        return 1

    def _ranked(
        self,
        extreme: Extreme,
        function: TableOperation | None,
        numbers: list[_Named],
        others: list[_Named],
    ) -> None:
        """The first rows of an order, the first groups, or the greatest value itself."""
        at, most, count, of_time = extreme
        query = self.query
        column, most = self._ranked_by(at, most, of_time, numbers, others)
        self._pieces.use(at, "says which come first")
        entities = [each for each in others if each.column is not column and not self._is_row_noun(each)]
        entity = self._entity(entities)
        sums = column is not None and column.kind is ColumnKind.MEASURE and is_additive(column)
        is_whole = self._pieces.text(at).split()[0] in ("most", "least", "fewest") or function is not None
        is_many = is_whole or self._is_plural_measure(at, column)
        counts = column is None or (column.kind is not ColumnKind.MEASURE and not of_time)
        counts = counts and self._counts_often(at)
        is_single = entity is not None and is_unique(entity) and self._wide.is_own(entity)
        if entity is not None and not is_single and (counts or (sums and is_many)):
            query.groups.append(GroupBy(entity))
            query.operation = TableOperation.COUNT if counts else function or TableOperation.SUM
            query.measure = None if counts else column
            query.order = ChosenOrder(None, most, count or _ALL_GROUPS, 0)
            return
        if column is None:
            column = default_measure(self._words)
            query.doubt += _DEFAULT
        shows = [each.column for each in others if each.column is not column]
        is_value = self._ask in ("what", "much", "count", "long", "") and not shows and count == 1
        names_rows = any(True for _ in self._pieces.places(RowMention)) and self._ask == "what"
        if is_value and column is not None and column.kind is ColumnKind.MEASURE and not names_rows:
            query.operation = TableOperation.MAX if most else TableOperation.MIN
            query.measure = column
            return
        query.order = ChosenOrder(column, most, count or None, 0)
        self._show([*others, *numbers], column)

    def _counts_often(self, at: int) -> bool:
        """ "Most often", "the most visits": rows are counted; "the biggest" is of something that is measured."""
        said = set(self._pieces.text(at).split()) | {self._pieces.word(at + 1)}
        return bool(said & word_list("tables", "often"))

    def _ranked_by(
        self, at: int, most: bool, of_time: bool, numbers: list[_Named], others: list[_Named]
    ) -> tuple[ColumnWords | None, bool]:
        """The column that a superlative is of: one named behind it, or before, or the one it is said of."""
        line = adjective_of(self._pieces.word(at))
        if of_time or (line is not None and line[0] in ("old", "young", "new")):
            dated = [each.column for each in others if each.column.kind in _DATED]
            own, down = by_adjective(self._words, self._pieces.word(at))
            if own is not None and line is not None:
                return own, down
            return next(iter(dated), None) or self._day(), most
        own, down = by_adjective(self._words, self._pieces.word(at))
        if line is not None and line[0] in word_list("tables", "of_time") and own is None and not numbers:
            days = [c for words in self._wide.tables for c in words.of_kind(ColumnKind.DAY, ColumnKind.YEAR)]
            if len(days) == 1:
                return days[0], line[0] not in ("long", "slow")  # the longest since the first day
        near = sorted(numbers, key=lambda each: (each.at < at, abs(each.at - at)))
        if near:
            return near[0].column, (line[1] == "+") if line is not None else most
        return own, down if own is not None else most

    def _is_plural_measure(self, at: int, column: ColumnWords | None) -> bool:
        """ "The highest takings" of several rows, and not "the biggest bill" of one."""
        behind = [n for n in range(at + 1, min(len(self._pieces), at + 3)) if not self._is_filler(n)]
        word = self._pieces.word(behind[0]) if behind else ""
        return word.endswith("s") and column is not None and word not in column.words

    def _entity(self, named: Sequence[_Named]) -> ColumnWords | None:
        """What is asked for: the first column of names or kinds behind the word that asks."""
        fitting = [each for each in named if each.column.kind in _ENTITIES]
        behind = [each for each in fitting if each.at > self._ask_at]
        chosen = next(iter(behind or fitting), None)
        if chosen is not None:
            return chosen.column
        for at in self._pieces.places(RowMention):
            rows = self._pieces.of(at, RowMention)
            if rows is not None and at - self._ask_at in (1, 2) and (key := self._key_to(rows)) is not None:
                return key
        if self._ask == "who":
            return of_class(self._words, "who")
        return None

    def _grouped(
        self,
        extreme: Extreme | None,
        function: TableOperation | None,
        numbers: list[_Named],
    ) -> None:
        query = self.query
        query.measure = numbers[0].column if numbers else None
        counts = self._counts_rows()
        asks_money = self._ask == "much" or any(True for _ in self._pieces.places(Currency))
        if query.measure is None and (function is not None or asks_money) and not counts:
            query.measure = self._default()
        if query.measure is None:
            query.operation = TableOperation.COUNT
            if function is TableOperation.AVG:
                query.over_groups = "average"
        else:
            is_sum = is_additive(query.measure)
            query.operation = function or (TableOperation.SUM if is_sum else TableOperation.AVG)
        if extreme is not None:
            at, most, count, _ = extreme
            self._pieces.use(at, "says which come first")
            query.order = ChosenOrder(None, most, count or _ALL_GROUPS, 0)

    def _counts_rows(self) -> bool:
        text = " ".join(token.word for token in self._pieces.tokens)
        return "number of" in text or (self._ask == "count" and not self._number_asked())

    def _number_asked(self) -> bool:
        """True where a column of numbers stands directly behind "how many"."""
        place = self._pieces.after(self._ask_at, over=(Filler, HavingWord))
        mention = self._pieces.of(place, ColumnMention)
        return mention is not None and any(c.kind is ColumnKind.MEASURE for c, _ in mention.columns)

    def _counted(
        self, function: TableOperation | None, numbers: list[_Named], others: list[_Named]
    ) -> None:
        query = self.query
        if numbers and self._number_asked() and numbers[0].at > self._ask_at:
            self._computed(function or TableOperation.SUM, numbers)
            return
        said = {token.word for token in self._pieces.tokens}
        place = self._pieces.after(self._ask_at, over=(Filler, HavingWord))
        if function is TableOperation.AVG:
            entity = self._entity([each for each in others if not self._is_row_noun(each)])
            if entity is not None:
                query.groups.append(GroupBy(entity))
                query.operation, query.over_groups = TableOperation.COUNT, "average"
                return
        asked = next((each for each in others if each.at == place and not self._is_row_noun(each)), None)
        is_told = asked is not None and asked.column.kind in _ENTITIES
        if asked is not None and is_told and not self._is_filtered(asked.column):
            query.operation, query.measure = TableOperation.DISTINCT, asked.column
            return
        if said & {"different", "distinct", "unique"} and others:
            query.operation, query.measure = TableOperation.DISTINCT, others[0].column
            return
        self._of_other_rows(place)
        query.operation = TableOperation.COUNT

    def _of_other_rows(self, place: int) -> None:
        """Doubt where the rows that are counted are those of a table beside."""
        mention = self._pieces.of(place, RowMention)
        if mention is not None and mention.words is not None and mention.words is not self._words:
            self.query.doubt += _OF_OTHERS

    def _times(self, measure: ColumnWords) -> None:
        """A sum of a rate, or of prices, is one of what it comes to in each row."""
        said = [token.word for token in self._pieces.tokens]
        looked_up = [each.words for each in self._wide.neighbours if each.is_looked_up]
        columns = [c for words in (self._words, *looked_up) for c in words.columns]
        found = product(columns, measure, said)
        if found is None and self._wide.is_own(measure) and not self._names_one():
            found = worth(self._words, measure)
        if found is not None:
            self.query.measure, self.query.combined = found.measure, found.combined

    def _computed(self, function: TableOperation, numbers: list[_Named]) -> None:
        query = self.query
        query.operation = function
        money = [each for each in numbers if each.column.entry.type is FieldType.MONEY]
        chosen = (money if self._ask == "much" and money else numbers)[:1]
        query.measure = chosen[0].column if chosen else self._default()
        said = {token.word for token in self._pieces.tokens}
        made = takings(self._words) if said & _worths() else None
        if function is TableOperation.SUM and made is not None:
            query.measure, query.combined = made.measure, made.combined
            return
        if function is TableOperation.SUM and query.measure is not None and not is_additive(query.measure):
            self._times(query.measure)
            query.doubt += _DEFAULT if query.combined is None else 0.0

    def _default(self) -> ColumnWords | None:
        said = {token.word for token in self._pieces.tokens}
        money = [c for c in self._words.of_kind(ColumnKind.MEASURE) if c.entry.type is FieldType.MONEY]
        of_parts = [c for c in money if set(c.words) & word_list("tables", "parts_of")]
        came_in = bool(said & (word_list("tables", "parts_of") | {"came", "come", "in", "pay", "collect"}))
        others = [c for c in money if c not in of_parts]
        pool = of_parts if came_in else others
        found = default_measure(self._words) or (pool[0] if len(money) > 1 and len(pool) == 1 else None)
        if found is not None:
            self.query.guess(_DEFAULT, "", f"computed with {found.entry.name}, since nothing else is named")
        return found

    def _is_sum(self, numbers: Sequence[_Named], others: Sequence[_Named]) -> bool:
        """True where a column of numbers is asked for of many rows, and a trained reader would compute."""
        if not numbers or not is_additive(numbers[0].column) or self._names_one():
            return False
        if says_sum([token.word for token in self._pieces.tokens]):
            return True
        plain = self._ask in ("", "what", "text") and all(each.at > numbers[0].at for each in others)
        return plain and self._operation(Operation.COMPUTE, Operation.LOOKUP, Operation.LIST)

    def _asks_money(self, numbers: Sequence[_Named]) -> bool:
        """ "What do we owe in dollars": what rows come to, where nothing else is asked of them."""
        said = {token.word for token in self._pieces.tokens}
        asks_sum = any(True for _ in self._pieces.places(Currency)) or bool(said & {"did", "do"})
        is_money = asks_sum and bool(said & (word_list("tables", "money") | word_list("tables", "parts_of")))
        has_money = any(c.entry.type is FieldType.MONEY for c in self._words.columns)
        return not numbers and is_money and has_money and self._ask in ("what", "text", "")

    def _asks_worth(self, numbers: Sequence[_Named]) -> bool:
        """ "What is it worth": prices times pieces; sets both."""
        said = {token.word for token in self._pieces.tokens}
        found = takings(self._words) if said & _worths() else None
        return found is not None and self._ask in ("what", "much", "text", "")

    def _names_one(self) -> bool:
        return any(
            each.op is Operator.EQUAL and is_unique(each.column) and self._wide.is_own(each.column)
            for clause in self.query.clauses
            for each in clause
        )

    def _rows(self, named: Sequence[_Named]) -> None:
        self.query.operation = TableOperation.ROWS
        place = self._pieces.after(self._ask_at, over=(Filler, HavingWord))
        self._of_other_rows(place)
        self._show(named, None)

    def _show(self, named: Sequence[_Named], ordered: ColumnWords | None) -> None:
        """The columns asked of each row: those that are named, what "when" and "who" ask, or the subject."""
        query = self.query
        shown = [each.column for each in sorted(named, key=lambda each: each.at)]
        shown = [each for each in shown if not self._is_filtered(each)]
        for at in self._asks:
            how = self._how(at)
            if how not in ("when", "who", "where") or any(self._answers(how, each) for each in shown):
                continue
            found = self._class_of(how)
            if found is not None:
                shown.append(found)
            else:
                query.doubt += _UNANSWERED
        if ordered is not None and ordered not in shown:
            shown.append(ordered)
        subject = self._words.subject
        wants_row = self._ask in ("which", "what", "list", "one", "", "count") or not shown
        if subject is not None and wants_row and subject not in shown and not self._asks_only(shown):
            shown.insert(0, subject)
        query.shown = list(dict.fromkeys(shown))

    def _asks_only(self, shown: Sequence[ColumnWords]) -> bool:
        """True where other columns than those by which rows are known are asked for."""
        return self._ask in ("what", "who", "when", "where") and bool(shown)

    def _answers(self, how: str, column: ColumnWords) -> bool:
        if how == "when":
            return column.kind in _DATED
        return column.kind in (ColumnKind.NAME, ColumnKind.CATEGORY)

    def _class_of(self, how: str) -> ColumnWords | None:
        looked_up = [each.words for each in self._wide.neighbours if each.is_looked_up]
        tables = (self._words, *looked_up)
        found = [each for words in tables if (each := of_class(words, how)) is not None]
        named = [each for each in found if how == "when" or each is not each_subject(tables, each)]
        return next(iter(named or found), None)

    # -- other tables ----------------------------------------------------------------------------------

    def _join(self) -> None:
        """Bring in the tables of columns that are not the own ones."""
        query = self.query
        self._name_codes()
        measures = [query.measure] if query.measure is not None else []
        measures += [query.combined.column] if query.combined is not None else []
        ordered = [query.order.column] if query.order is not None and query.order.column is not None else []
        measures += [side.measure for side in query.sides if side.measure is not None]
        wanted = [*query.shown, *(each.column for each in query.groups), *measures, *ordered]
        clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
        filtered = [each.column for clause in clauses for each in clause]
        for each in self._wide.neighbours:
            shows = any(column.table is each.words.table for column in wanted)
            needs = shows or any(column.table is each.words.table for column in filtered)
            if each is self._lacks:
                query.used.append(self._wide.used(each, shows=False, lacks=True))
            elif needs and (each.is_looked_up or not shows):
                query.used.append(self._wide.used(each, shows=shows))
                query.doubt += _JOINED if each.is_looked_up else _OF_OTHERS / 2
            elif needs:
                query.doubt += 2.0  # several rows there for one here: nothing of them can be shown
        if all(not self._wide.is_own(column) for column in measures) and measures:
            query.doubt += _ELSEWHERE
        query.used.sort(key=lambda used: used.how == "with")

    def _name_codes(self) -> None:
        """Codes come with the names that they stand for."""
        query = self.query
        for column in list(query.shown):
            name = self._wide.names_of(column) if self._wide.is_own(column) else None
            if name is not None and name not in query.shown:
                query.shown.insert(query.shown.index(column), name)
        for group in list(query.groups):
            name = self._wide.names_of(group.column)
            if name is not None and len(query.groups) < 3 and not group.aspect:
                query.groups.insert(query.groups.index(group) + 1, GroupBy(name))

    # -- what is left ----------------------------------------------------------------------------------

    def _leave(self) -> None:
        for at in range(len(self._pieces)):
            if at in self._pieces.used or self._is_idle(at):
                continue
            self.query.uncovered.append(self._pieces.pieces[at].text)

    def _is_idle(self, at: int) -> bool:
        mention = self._pieces.mention(at)
        if isinstance(mention, UnknownWord):
            word = self._pieces.word(at)
            return is_general(word) or self._is_verb(at) or self._restates(at) or self._is_aside(at)
        if isinstance(mention, RowMention):
            others = {id(each.words) for each in self._wide.neighbours}
            is_near = mention.words is None or mention.words is self._words or id(mention.words) in others
            return is_near
        if isinstance(mention, Quantity | Period | ValueMention | FlagMention | Currency):
            return False
        if isinstance(mention, Comparator):
            return self._pieces.text(at) in ("over", "under", "about", "around", "same", "the same", "top")
        if isinstance(mention, Negator):
            return False
        return True

    def _is_verb(self, at: int) -> bool:
        """True of verbs, which say again what columns say: forms in -ed and -ing, and what stands behind "to"."""
        word = self._pieces.word(at)
        before = self._pieces.tokens[self._pieces.pieces[at].first - 1].word if at else ""
        if word in word_list("tables", "states"):
            return False
        is_form = word.endswith(("ed", "ing", "en")) or word in word_list("tables", "participles")
        is_verb = is_form or before in word_list("tables", "helping") - {"which", "is", "are"}
        if is_verb and word.isalpha() and word.islower():
            self.query.doubt += 0.12
            self.query.notes.append(Note(phrase=word, reading="says what is done"))
            return True
        return False

    def _is_aside(self, at: int) -> bool:
        """True of words in brackets: they explain what is asked."""
        start = self._pieces.tokens[self._pieces.pieces[at].first].start
        before = self._pieces.question[:start]
        return before.count("(") > before.count(")") and ")" in self._pieces.question[start:]

    def _restates(self, at: int) -> bool:
        """ "A jab (vaccinations)": what stands in brackets behind a word says it again."""
        piece = self._pieces.pieces[at]
        place = self._pieces.after(at, over=(Filler, RowMention, MentionedTable, HavingWord))
        if not isinstance(self._pieces.mention(place), ValueMention):
            return False
        start = self._pieces.tokens[self._pieces.pieces[place].first].start
        return "(" in self._pieces.question[self._pieces.tokens[piece.end - 1].end : start]


def _worths() -> frozenset[str]:
    """Words that ask what prices times pieces come to."""
    return word_list("tables", "worths") | {"value", "revenue", "turnover", "money"}


def each_subject(tables: Sequence[TableVocabulary], column: ColumnWords) -> ColumnWords | None:
    """What the rows of a column's table are about."""
    return next((words.subject for words in tables if words.table is column.table), None)
