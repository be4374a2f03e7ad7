"""Superlatives: the first rows of an order, the first groups, or the greatest value itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.plan.language.pieces import (
    Quantity,
    Statistic,
    Top,
)
from core.plan.reader.reading import Operation
from core.plan.tables.assembly.combining import Combination, worth, worths
from core.plan.tables.assembly.projection import ProjectionReader
from core.plan.tables.assembly.question import (
    DATED,
    DEFAULT_DOUBT,
    AssemblyQuestion,
    AssemblyStep,
    NamedColumn,
)
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    default_measure,
    is_additive,
    is_unique,
)
from core.plan.tables.mentions import RowMention
from core.plan.tables.query import (
    ChosenOrder,
    GroupBy,
    TableOperation,
)
from core.text.words import word_list
from core.values.numbers import parse_ordinal

FUNCTIONS = {
    Calculation.SUM: TableOperation.SUM,
    Calculation.AVG: TableOperation.AVG,
    Calculation.MEDIAN: TableOperation.MEDIAN,
    Calculation.MIN: TableOperation.MIN,
    Calculation.MAX: TableOperation.MAX,
}
ALL_GROUPS = 1_000
_BETTER = {"better": True, "best": True, "worse": False, "worst": False}


@dataclass(frozen=True, slots=True)
class Superlative:
    """A superlative at a place. count: how many are wanted; of_time: it is of days, and not of amounts.

    skip: how many come before what is wanted: 1 of "the second highest".
    """

    at: int
    descending: bool
    count: int
    of_time: bool = False
    skip: int = 0


class RankReader(AssemblyStep):
    """Reads superlatives: the first rows of an order, the first groups, or the greatest value."""

    def __init__(self, question: AssemblyQuestion) -> None:
        super().__init__(question)
        self._shown = ProjectionReader(question)

    def function(self) -> TableOperation | None:
        """The computation that is asked for; of several the first that is no sum."""
        found: list[TableOperation] = []
        for at in list(self._pieces.places(Statistic, unused=True)):
            function = self._pieces.of(at, Statistic)
            if function is None or function.is_extreme:
                continue
            self._pieces.use(at, f"asks for the {function.name.value}")
            if function.name in FUNCTIONS:
                found.append(FUNCTIONS[function.name])
        apart = [each for each in found if each is not TableOperation.SUM]
        return (apart or found or [None])[0]

    def extreme(self) -> Superlative | None:
        """The superlative of the question, with the ordinal before it: "the second highest"."""
        found = self._superlative()
        if found is None or found.count != 1:
            return found
        place = self._pieces.before(found.at)
        number = parse_ordinal(self._pieces.text(place)) if place >= 0 else None
        if number is None or number < 2 or place in self._pieces.used:
            return found
        self._pieces.use(place, f"asks for number {number}")
        return replace(found, skip=number - 1)

    def _superlative(self) -> Superlative | None:
        """Where a superlative stands, whether the most is wanted, how many, and whether it is of time."""
        for at in range(len(self._pieces)):
            if at in self._pieces.used or self._is_of_condition(at):
                continue
            top, function = self._pieces.of(at, Top), self._pieces.of(at, Statistic)
            word = self._pieces.word(at)
            if top is not None:
                down = top.descending is not False
                return Superlative(at, down, top.count or self._count_near(at), top.of_time)
            if function is not None and function.is_extreme:
                return Superlative(
                    at, function.name is Calculation.MAX, self._count_near(at), function.of_time
                )
            line = (
                adjective_of(word) if word.endswith("est") or self._question.ask in ("which", "who") else None
            )
            if line is not None and word != line[0] and not self._compares(at):
                return Superlative(at, line[1] == "+", self._count_near(at), False)
            if word in _BETTER and self._question.ask in ("which", "who") and not self._compares(at):
                return Superlative(at, _BETTER[word], 1, False)
        return None

    def _is_of_condition(self, at: int) -> bool:
        """ "The last day to send an offer": a part of a condition of a question that ranks nothing."""
        return self._question.spans.span_at(at) is not None and not self._question.may_be(
            Operation.RANK, Operation.COMPUTE, Operation.LOOKUP
        )

    def _compares(self, at: int) -> bool:
        return "than" in [token.word for token in self._pieces.tokens]

    def _count_near(self, at: int) -> int:
        for place in (at - 1, at + 1, at - 2):
            quantity = self._pieces.of(place, Quantity)
            if quantity is not None and place not in self._pieces.used and quantity.value.text.isdigit():
                self._pieces.use(place, f"asks for {quantity.value.text}")
                return max(1, int(quantity.value.text))
        return 1

    def rank(
        self,
        extreme: Superlative,
        function: TableOperation | None,
        numbers: list[NamedColumn],
        others: list[NamedColumn],
    ) -> None:
        """The first rows of an order, the first groups, or the greatest value itself."""
        at, most, count, of_time = extreme.at, extreme.descending, extreme.count, extreme.of_time
        query = self._query
        column, most = self._ranked_by(at, most, of_time, numbers, others)
        self._pieces.use(at, "says which come first")
        entities = [
            each for each in others if each.column is not column and not self._question.is_row_noun(each)
        ]
        entity = self._question.entity(entities)
        made = self._worth(column)
        sums = column is not None and column.kind is ColumnKind.MEASURE and is_additive(column)
        sums = sums or made is not None
        is_whole = self._pieces.text(at).split()[0] in ("most", "least", "fewest") or function is not None
        is_many = is_whole or self._is_plural_measure(at, column)
        counts = column is None or (column.kind is not ColumnKind.MEASURE and not of_time)
        counts = counts and self._counts_often(at)
        is_single = entity is not None and is_unique(entity) and self._wide.is_own(entity)
        if entity is not None and not is_single and (counts or (sums and is_many)):
            query.groups.append(GroupBy(entity))
            query.operation = TableOperation.COUNT if counts else function or TableOperation.SUM
            query.measure = None if counts else column
            if counts and self._pieces.word(at + 1) in word_list("tables", "often"):
                self._pieces.use(at + 1, "asks for how many rows there are")
            if made is not None and not counts:
                query.measure, query.combined = made.measure, made.combined
            query.order = ChosenOrder(None, most, count or ALL_GROUPS, extreme.skip)
            return
        if column is None:
            column = default_measure(self._words)
            query.doubt += DEFAULT_DOUBT
        shows = [each.column for each in others if each.column is not column]
        is_value = self._question.ask in ("what", "much", "count", "long", "") and not shows and count == 1
        is_value = is_value and not extreme.skip
        names_rows = any(True for _ in self._pieces.places(RowMention)) and self._question.ask == "what"
        if is_value and column is not None and column.kind is ColumnKind.MEASURE and not names_rows:
            query.operation = TableOperation.MAX if most else TableOperation.MIN
            query.measure = column
            return
        query.order = ChosenOrder(column, most, count or None, extreme.skip)
        self._shown.show([*others, *numbers], column)

    def _worth(self, column: ColumnWords | None) -> Combination | None:
        """ "Earned the most": by what a price comes to in each row, and not by the price."""
        said = {token.word for token in self._pieces.tokens}
        is_asked = said & (worths() | word_list("tables", "money"))
        if column is None or not is_asked or set(column.words) & said or not self._wide.is_own(column):
            return None
        return worth(self._words, column)

    def _counts_often(self, at: int) -> bool:
        """ "Most often", "the most visits": rows are counted; "the biggest" is of something measured."""
        said = set(self._pieces.text(at).split()) | {self._pieces.word(at + 1)}
        pays = self._pieces.word(self._pieces.before(at)) in word_list("tables", "money")
        has_money = any(c.entry.type is FieldType.MONEY for c in self._words.columns)
        is_paid = pays and has_money and not isinstance(self._pieces.mention(at + 1), RowMention)
        return bool(said & word_list("tables", "often")) and not is_paid

    def _ranked_by(
        self, at: int, most: bool, of_time: bool, numbers: list[NamedColumn], others: list[NamedColumn]
    ) -> tuple[ColumnWords | None, bool]:
        """The column that a superlative is of: one named behind it, or before, or the one it is said of."""
        line = adjective_of(self._pieces.word(at))
        if of_time or (line is not None and line[0] in ("old", "young", "new")):
            dated = [each.column for each in others if each.column.kind in DATED]
            own, down = by_adjective(self._words, self._pieces.word(at))
            if own is not None and line is not None:
                return own, down
            return next(iter(dated), None) or self._question.day(), most
        own, down = by_adjective(self._words, self._pieces.word(at))
        if line is not None and line[0] in word_list("tables", "of_time") and own is None and not numbers:
            days = self._words.of_kind(ColumnKind.DAY, ColumnKind.YEAR) or [
                c for words in self._wide.tables for c in words.of_kind(ColumnKind.DAY, ColumnKind.YEAR)
            ]
            if len(days) == 1:
                return days[0], line[0] not in ("long", "slow")  # the longest since the first day
        near = sorted(numbers, key=lambda each: (each.at < at, abs(each.at - at)))
        if near:
            return near[0].column, (line[1] == "+") if line is not None else most
        return own, down if own is not None else most

    def _is_plural_measure(self, at: int, column: ColumnWords | None) -> bool:
        """ "The highest takings" of several rows, and not "the biggest bill" of one."""
        behind = [n for n in range(at + 1, min(len(self._pieces), at + 3)) if not self._question.is_filler(n)]
        word = self._pieces.word(behind[0]) if behind else ""
        return word.endswith("s") and column is not None and word not in column.words
