"""Assembly of a query out of what the words of a question mean, wherever in the question they stand.

Beside the reader of wordings (`core.plan.tables.interpret`): values, bounds and days become filters by the
same exact readers, and what is asked of the rows follows from the kinds of the columns that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.domain.fields import FieldType
from core.plan.language.pieces import (
    Comparator,
    Currency,
    Filler,
    HavingWord,
    Quantity,
)
from core.plan.reader.reading import Operation, QuestionReading
from core.plan.tables.assembly.absence import AbsenceReader
from core.plan.tables.assembly.combining import (
    takings,
    worths,
)
from core.plan.tables.assembly.groups import GroupReader
from core.plan.tables.assembly.leftovers import LeftoverReader
from core.plan.tables.assembly.pairs import PairReader
from core.plan.tables.assembly.projection import ProjectionReader
from core.plan.tables.assembly.question import (
    DEFAULT_DOUBT,
    ENTITIES,
    OF_OTHERS,
    AssemblyQuestion,
    NamedColumn,
)
from core.plan.tables.assembly.ranking import ALL_GROUPS, FUNCTIONS, RankReader, Superlative
from core.plan.tables.assembly.wide_table import WideTable
from core.plan.tables.comparing import SideReader, set_minus_apart
from core.plan.tables.header import ColumnKind
from core.plan.tables.links import WordLikeness
from core.plan.tables.measures import (
    is_additive,
    is_rate_name,
    is_unique,
    quantity_of,
    says_sum,
)
from core.plan.tables.mentions import ColumnMention, FlagMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import (
    ChosenOrder,
    GroupBy,
    Having,
    TableOperation,
    TableQuery,
)
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.wordings.alternatives import compare_values, join_alternatives, share_values
from core.plan.tables.wordings.extremes import extreme_of_each, measure_of_extreme
from core.plan.tables.wordings.losses import read_losses
from core.plan.tables.wordings.parts import choose_parts
from core.plan.tables.wordings.totals_of_groups import read_totals
from core.text.words import word_lines, word_list

_COMING_AGAIN = (ColumnKind.CATEGORY, ColumnKind.DAY, ColumnKind.PERIOD)
_JOINED, _ELSEWHERE, _WEAK = 0.1, 0.3, 0.4


class QueryAssembler:
    """Assembles one query over a table and those beside it. reading: of a trained reader, if there is one."""

    def __init__(
        self,
        sequence: PieceSequence,
        wide: WideTable,
        today: date,
        reading: QuestionReading | None,
        meaning: WordLikeness | None = None,
    ) -> None:
        self._question = question = AssemblyQuestion(sequence, wide, today, reading, meaning)
        self._pieces = sequence
        self._wide = wide
        self._words = wide.words
        self._query = question.query
        self._filters = question.filters
        self._absence = AbsenceReader(question)
        self._groups = GroupReader(question)
        self._pairs = PairReader(question)
        self._ranking = RankReader(question)
        self._shown = ProjectionReader(question)
        self._leftovers = LeftoverReader(question)

    def assemble(self) -> TableQuery | None:
        """The query; None where the table has nothing that could answer the question."""
        own = (ColumnMention, ValueMention, FlagMention, RowMention, MentionedTable)
        is_own = any(True for _ in self._pieces.places(own))
        if not is_own and not self._question.may_answer():
            return None
        self._absence.release()
        choose_parts(self._pieces, self._query)
        set_minus_apart(self._pieces)
        read_losses(self._pieces, self._query, self._filters)
        self._pairs.per()
        self._filters.read_values()
        self._filters.read_periods()
        self._absence.read()
        share_values(self._pieces, self._query, self._filters)
        if self._query.having is None:
            self._often()
        if self._query.having is None:
            read_totals(self._pieces, self._query)
        self._filters.read_numbers(self._question.first_number())
        join_alternatives(self._pieces, self._query, self._filters)
        compare_values(self._pieces, self._query, self._filters)
        self._filters.read_currencies()
        sides = SideReader(self._pieces, self._query, self._filters, self._question.ask)
        if sides.read():
            return self._finished()
        for at in self._question.asks:
            self._pieces.use(at)
        self._groups.read()
        if not self._decide():
            return None
        return self._finished()

    def _finished(self) -> TableQuery:
        for at in self._question.asks:
            self._pieces.use(at)
        self._join()
        self._leftovers.read()
        self._query.notes += [note for note in self._pieces.notes if note not in self._query.notes]
        return self._query

    def _decide(self) -> bool:
        """Set operation, measure, order and what is shown. False where nothing is asked of the table."""
        query = self._query
        function = self._ranking.function()
        extreme = self._ranking.extreme()
        named = self._question.named()
        numbers = [each for each in named if each.column.kind is ColumnKind.MEASURE]
        others = [each for each in named if each.column.kind is not ColumnKind.MEASURE]
        if self._question.lacks is not None:
            self._of_those(named)
        elif self._pairs.combines(named, extreme, function):
            self._pairs.combine(named, extreme, function)
        elif query.having is not None:
            self._having(function, numbers, others)
        elif extreme is not None and not query.groups:
            self._ranking.rank(extreme, function, numbers, others)
        elif query.groups:
            self._grouped(extreme, function, numbers)
        elif self._question.ask == "count":
            self._counted(function, numbers, others)
        elif self._question.ask == "whether":
            query.operation = TableOperation.EXISTS
        elif function is not None:
            self._computed(function, numbers)
        elif (
            (self._question.ask in ("much", "long") and not self._question.names_one())
            or self._asks_worth(numbers)
            or self._asks_money(numbers)
            or self._is_sum(numbers, others)
        ):
            self._computed(TableOperation.SUM, numbers)
        else:
            self._shown.rows(named)
            self._list_values(others)
        for each in named:
            self._pieces.use(each.at, f"is the column {each.column.entry.name}")
            self._query.doubt += _WEAK * (1 - each.weight) * (each.weight < 1)
        if query.operation in FUNCTIONS.values() and query.measure is None:
            return False
        asked = (query.clauses, query.groups, query.shown, query.order, self._question.lacks)
        return any(asked) or query.operation is not TableOperation.ROWS

    def _list_values(self, others: Sequence[NamedColumn]) -> None:
        """ "On which days": each day once, where several rows may be of one."""
        query = self._query
        lists = next((at for at in self._question.asks if self._question.how(at) == "list"), -1)
        begin = self._question.ask_at if self._question.ask else lists
        place = self._pieces.after(begin, over=(Filler, HavingWord))
        before = self._question.ask_at - 2
        if before >= 0 and self._pieces.words_between(before, self._question.ask_at) == ["on"]:
            place = before  # "the days on which"
        nouns = [each for each in others if not self._question.is_row_noun(each)]
        asked = next((each.column for each in nouns if each.at == place), None)
        is_list = not self._question.ask and lists >= 0 and len(others) == 1 and not query.clauses
        if asked is None or not (is_list or (self._question.ask == "which" and query.clauses)):
            return
        comes_again = asked.kind in _COMING_AGAIN and not is_unique(asked)
        if comes_again and self._wide.is_own(asked) and asked is not self._words.subject:
            query.operation, query.groups, query.shown = TableOperation.COUNT, [GroupBy(asked)], []
            query.lists_values = True

    def _of_those(self, named: Sequence[NamedColumn]) -> None:
        """Rows that have none of another table: which, how many, or whether there are any."""
        counts = {"count": TableOperation.COUNT, "whether": TableOperation.EXISTS}
        if self._question.ask in counts:
            self._query.operation = counts[self._question.ask]
            return
        self._shown.rows(named)

    def _often(self) -> None:
        """ "More than once", "at least two visits": of how many rows there are for each."""
        for at in list(self._pieces.places(Comparator, unused=True)):
            comparator = self._pieces.of(at, Comparator)
            found = self._number_of_rows(at)
            if comparator is not None and found is not None:
                number, places = found
                self._query.having = Having(comparator.op, (number,))
                for each in (at, *places):
                    self._pieces.use(each, f"{comparator.op.value} {number} of them")
                return

    def _number_of_rows(self, at: int) -> tuple[str, tuple[int, ...]] | None:
        """The number of rows that a comparison is with, and where it stands; None for any other number."""
        known = {line[0]: line[1] for line in word_lines("tables", "times")}
        place = self._pieces.after(at, over=(Filler,))
        for each in (at + 1, place):
            if (number := known.get(self._pieces.word(each))) is not None:
                return number, (each,)
        for number_at, noun_at in ((at + 1, at + 2), (at - 1, at + 1)):  # "two or more visits"
            number = self._plain_number(number_at)
            if number and self._calls_rows(noun_at):
                return number, (number_at, noun_at)
        return None

    def _plain_number(self, at: int) -> str:
        """A number without a unit; "" for anything else."""
        said = self._pieces.text(at)
        quantity = self._pieces.of(at, Quantity)
        if quantity is not None and quantity.value.type is FieldType.NUMBER and not quantity.value.unit:
            return quantity.value.text
        return "1" if said in ("one", "a") else said if said.isdecimal() else ""

    def _calls_rows(self, at: int) -> bool:
        """True of what the rows that are asked are called, and of "times"."""
        rows = self._pieces.of(at, RowMention)
        is_own = rows is not None and rows.words in (None, self._words)
        return is_own or self._pieces.word(at) in word_list("tables", "occasions")

    def _having(
        self, function: TableOperation | None, numbers: Sequence[NamedColumn], others: Sequence[NamedColumn]
    ) -> None:
        """What there is so much of, or so often."""
        query = self._query
        entity = self._question.entity(
            [each for each in others if not self._question.is_filtered(each.column)]
        )
        entity = entity or self._words.subject
        if entity is not None and not query.groups:
            query.groups.append(GroupBy(entity))
        query.operation = TableOperation.DISTINCT if query.shares else TableOperation.COUNT
        if function is not None and numbers and not query.shares:
            query.operation, query.measure = function, numbers[0].column
        if self._question.ask == "count":
            query.over_groups = "groups"
        if entity is not None and self._wide.is_own(entity) and is_unique(entity):
            query.doubt += OF_OTHERS

    def _grouped(
        self,
        extreme: Superlative | None,
        function: TableOperation | None,
        numbers: list[NamedColumn],
    ) -> None:
        query = self._query
        query.measure = numbers[0].column if numbers else None
        counts = self._question.counts_rows()
        asks_money = self._question.ask == "much" or self._question.asks_takings()
        asks_money = asks_money or any(True for _ in self._pieces.places(Currency))
        if query.measure is None and (function is not None or asks_money) and not counts:
            query.measure = self._question.default()
        if query.measure is None:
            query.operation = TableOperation.COUNT
            if function is TableOperation.AVG:
                query.over_groups = "average"
        else:
            is_worth = self._question.asks_takings() and quantity_of(self._words) is None
            is_sum = is_additive(query.measure) or (is_worth and not is_rate_name(query.measure.entry.name))
            query.operation = function or (TableOperation.SUM if is_sum else TableOperation.AVG)
        if (
            extreme is not None
            and function is None
            and extreme_of_each(self._pieces, self._question.ask) >= 0
        ):
            self._pieces.use(extreme.at, "is asked of each")
            measure = query.measure or measure_of_extreme(self._pieces, extreme.at, self._words)
            query.measure = measure or self._question.default()
            query.operation = TableOperation.MAX if extreme.descending else TableOperation.MIN
        elif extreme is not None:
            at, most, count = extreme.at, extreme.descending, extreme.count
            self._pieces.use(at, "says which come first")
            query.order = ChosenOrder(None, most, count or ALL_GROUPS, 0)

    def _counted(
        self, function: TableOperation | None, numbers: list[NamedColumn], others: list[NamedColumn]
    ) -> None:
        query = self._query
        if numbers and self._question.number_asked() and numbers[0].at > self._question.ask_at:
            self._computed(function or TableOperation.SUM, numbers)
            return
        said = {token.word for token in self._pieces.tokens}
        place = self._pieces.after(self._question.ask_at, over=(Filler, HavingWord))
        if function is TableOperation.AVG:
            entity = self._question.entity([each for each in others if not self._question.is_row_noun(each)])
            if entity is not None:
                query.groups.append(GroupBy(entity))
                query.operation, query.over_groups = TableOperation.COUNT, "average"
                return
        asked = next(
            (each for each in others if each.at == place and not self._question.is_row_noun(each)), None
        )
        is_told = asked is not None and asked.column.kind in ENTITIES
        if asked is not None and is_told and not self._question.is_filtered(asked.column):
            query.operation, query.measure = TableOperation.DISTINCT, asked.column
            return
        if said & {"different", "distinct", "unique"} and others:
            query.operation, query.measure = TableOperation.DISTINCT, others[0].column
            return
        self._question.of_other_rows(place)
        query.operation = TableOperation.COUNT

    def _computed(self, function: TableOperation, numbers: list[NamedColumn]) -> None:
        query = self._query
        query.operation = function
        money = [each for each in numbers if each.column.entry.type is FieldType.MONEY]
        chosen = (money if self._question.ask == "much" and money else numbers)[:1]
        query.measure = chosen[0].column if chosen else self._question.default()
        said = {token.word for token in self._pieces.tokens}
        made = takings(self._words) if said & worths() else None
        if function is TableOperation.SUM and made is not None:
            query.measure, query.combined = made.measure, made.combined
            return
        if function is TableOperation.SUM and query.measure is not None and not is_additive(query.measure):
            self._pairs.times(query.measure)
            query.doubt += DEFAULT_DOUBT if query.combined is None else 0.0

    def _is_sum(self, numbers: Sequence[NamedColumn], others: Sequence[NamedColumn]) -> bool:
        """True where a column of numbers is asked for of many rows, and a trained reader would compute."""
        if not numbers or not is_additive(numbers[0].column) or self._question.names_one():
            return False
        if says_sum([token.word for token in self._pieces.tokens]):
            return True
        plain = self._question.ask in ("", "what", "text") and all(each.at > numbers[0].at for each in others)
        return plain and self._question.operation(Operation.COMPUTE, Operation.LOOKUP, Operation.LIST)

    def _asks_money(self, numbers: Sequence[NamedColumn]) -> bool:
        """ "What do we owe in dollars": what rows come to, where nothing else is asked of them."""
        said = {token.word for token in self._pieces.tokens}
        asks_sum = any(True for _ in self._pieces.places(Currency)) or bool(said & {"did", "do"})
        is_money = asks_sum and bool(said & (word_list("tables", "money") | word_list("tables", "parts_of")))
        has_money = any(c.entry.type is FieldType.MONEY for c in self._words.columns)
        return not numbers and is_money and has_money and self._question.ask in ("what", "text", "")

    def _asks_worth(self, numbers: Sequence[NamedColumn]) -> bool:
        """ "What is it worth": prices times pieces; sets both."""
        said = {token.word for token in self._pieces.tokens}
        found = takings(self._words) if said & worths() else None
        return found is not None and self._question.ask in ("what", "much", "text", "")

    def _join(self) -> None:
        """Bring in the tables of columns that are not the own ones."""
        query = self._query
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
            if each is self._question.lacks:
                query.used.append(self._wide.used(each, shows=False, lacks=True))
            elif needs and (each.is_looked_up or not shows):
                query.used.append(self._wide.used(each, shows=shows))
                query.doubt += _JOINED if each.is_looked_up else OF_OTHERS / 2
            elif needs:
                query.doubt += 2.0  # several rows there for one here: nothing of them can be shown
        if all(not self._wide.is_own(column) for column in measures) and measures:
            query.doubt += _ELSEWHERE
        query.used.sort(key=lambda used: used.how == "with")

    def _name_codes(self) -> None:
        """Codes come with the names that they stand for."""
        query = self._query
        for column in list(query.shown):
            name = self._wide.names_of(column) if self._wide.is_own(column) else None
            if name is not None and name not in query.shown:
                query.shown.insert(query.shown.index(column), name)
        for column in list(query.shown):
            given = self._wide.given_name_of(column)
            if given is not None and given not in query.shown:
                query.shown.insert(query.shown.index(column), given)
        for group in list(query.groups):
            name = self._wide.names_of(group.column)
            if name is not None and len(query.groups) < 3 and not group.aspect:
                query.groups.insert(query.groups.index(group) + 1, GroupBy(name))
                given = self._wide.given_name_of(name)
                if given is not None and len(query.groups) < 3:
                    query.groups.insert(query.groups.index(group) + 1, GroupBy(given))
