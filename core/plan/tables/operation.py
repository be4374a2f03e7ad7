"""Operation of a question: out of what it asks for, what it computes, and the columns that it names."""

from __future__ import annotations

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.plan.language.pieces import Currency, Filler, HavingWord, Statistic, UnknownWord
from core.plan.tables.context import TableQuestion
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import (
    by_adjective,
    default_measure,
    is_additive,
    is_unique,
    numeric_of,
    of_class,
    quantity_of,
    says_sum,
)
from core.plan.tables.mentions import ColumnMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import COMPUTED, ChosenOrder, GroupBy, TableOperation
from core.plan.tables.wordings.extremes import extreme_of_each, measure_of_extreme

_FUNCTIONS = {
    Calculation.SUM: TableOperation.SUM,
    Calculation.AVG: TableOperation.AVG,
    Calculation.MEDIAN: TableOperation.MEDIAN,
    Calculation.MIN: TableOperation.MIN,
    Calculation.MAX: TableOperation.MAX,
}
_FIRST = frozenset(["first", "last", "latest", "earliest", "newest", "oldest", "next", "youngest", "recent"])
_PAYING = frozenset(["paid", "pay", "spent", "spend", "cost", "costs"])
_OFTEN = frozenset(["often", "frequent", "frequently", "common", "times", "popular"])
_ALL_GROUPS = 1_000
_GUESSED = 0.25
_NEAR = 0.16


class OperationReader:
    """Decides the operation of a question whose filters, groups and orders were read."""

    def __init__(self, question: TableQuestion) -> None:
        self._question = question
        self._pieces = question.pieces
        self._words = question.words
        self._query = question.query

    def read(self) -> None:
        """Set the operation with its measure and the columns that are shown."""
        query, ask = self._query, self._question.ask
        function = self._function()
        asked = self._asked_columns()
        numbers = [column for column in asked if column.kind is ColumnKind.MEASURE]
        texts = [column for column in asked if column.kind is not ColumnKind.MEASURE]
        if ask == "whether" and function is None and query.order is None and not query.groups:
            self._whether(texts, numbers)
        elif query.having is not None:
            self._having(texts, numbers, function)
        elif query.groups:
            self._for_groups(function, numbers, texts)
        elif query.order is not None:
            self._ordered(function, numbers, texts)
        elif ask == "count":
            self._counted(numbers, texts, function)
        elif function is not None:
            self._computed(function, numbers, texts)
        elif ask in ("much", "long"):
            self._much(numbers, texts)
        else:
            self._rows(numbers, texts)
        self._left_open(texts)

    def _left_open(self, texts: list[ColumnWords]) -> None:
        """ "How much fuel did the truck take", where there are several: which of them is asked."""
        query = self._query
        if query.operation not in (*COMPUTED, TableOperation.COUNT) or query.ambiguous is not None:
            return
        grouped = [group.column for group in query.groups]
        for column in texts:
            place = self._named_at(column)
            word, before = self._pieces.word(place), self._pieces.text(self._pieces.before(place, over=()))
            is_used = column in grouped or column is query.measure or self._question.is_filtered(column)
            is_one = before == "the" and not word.endswith("s") and column.is_text
            if is_one and not is_used and len(column.entry.texts) > 1:
                query.ambiguous = (self._pieces.pieces[place].text, column.entry.texts[:8])
                return

    def _function(self) -> TableOperation | None:
        for at in list(self._pieces.places(Statistic, unused=True)):
            function = self._pieces.of(at, Statistic)
            if function is None or function.is_extreme:
                continue
            self._pieces.use(at, f"asks for the {function.name.value}")
            if function.name is not Calculation.DISTINCT:
                return _FUNCTIONS.get(function.name)
        return None

    def _asked_columns(self) -> list[ColumnWords]:
        """The columns that are named and no part of a filter, in order."""
        found: list[ColumnWords] = []
        for at in list(self._pieces.places(ColumnMention, unused=True)):
            mention = self._pieces.of(at, ColumnMention)
            if mention is None:
                continue
            column = self._meant(at, mention)
            if column not in found:
                found.append(column)
            self._pieces.use(at, f"is the column {column.entry.name}")
        return found

    def _meant(self, at: int, mention: ColumnMention) -> ColumnWords:
        """Of several columns the one that fits how the question asks."""
        best = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - _NEAR]
        if len(best) == 1:
            return best[0][0]
        ask = self._question.ask
        if ask == "when":
            dated = [c for c, _ in best if c.kind in (ColumnKind.DAY, ColumnKind.YEAR)]
            if dated:
                return dated[0]
        wants_number = ask in ("count", "much", "long") or self._pieces.text(at - 1) in ("total", "average")
        fitting = [c for c, _ in best if c.is_number is wants_number] or [c for c, _ in best]
        money = [c for c in fitting if c.entry.type is FieldType.MONEY] if ask == "much" else []
        open_ones = [c for c in money or fitting if not self._question.is_filtered(c)]
        if best[0][1] < 1.0 and len({c.kind for c, _ in best}) == 1:
            self._query.doubt += _GUESSED / 2
        return (open_ones or fitting)[0]

    # -- yes and no ------------------------------------------------------------------------------------

    def _whether(self, texts: list[ColumnWords], numbers: list[ColumnWords]) -> None:
        """ "Did any order exceed 500?", "Are all orders shipped?", "Is order 17 paid?"."""
        is_all = bool(self._question.said & {"all", "every", "each"})
        self._query.operation = TableOperation.ALL if is_all else TableOperation.EXISTS

    # -- groups ----------------------------------------------------------------------------------------

    def _having(
        self, texts: list[ColumnWords], numbers: list[ColumnWords], function: TableOperation | None
    ) -> None:
        """ "customers with more than 3 orders"; counted where the question counts them."""
        query = self._query
        column = next((c for c in texts if not self._question.is_filtered(c)), None) or self._words.subject
        if column is not None and not query.groups:
            query.groups.append(GroupBy(column))
        query.operation = TableOperation.DISTINCT if query.shares else TableOperation.COUNT
        if numbers and not query.shares:
            query.operation, query.measure = function or TableOperation.SUM, numbers[0]
        if self._question.ask == "count":
            query.over_groups = "groups"

    def _for_groups(
        self, function: TableOperation | None, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        query, order = self._query, self._query.order
        at = extreme_of_each(self._pieces, self._question.ask)
        if order is not None and at >= 0 and function is None and order.limit == 1 and not order.skip:
            named = order.column or measure_of_extreme(self._pieces, at, self._words)
            query.measure = named or next(iter(numbers), None) or self._ranked_by()
            query.operation = TableOperation.MAX if order.descending else TableOperation.MIN
            query.order = None
            return
        ordered_by = order.column if order is not None else None
        measure = ordered_by if ordered_by is not None and ordered_by.is_number else next(iter(numbers), None)
        others = [c for c in texts if all(c is not g.column for g in query.groups)]
        if measure is None and function is not None and not self._question.counts:
            measure = self._named_or_default(function)
        if (
            function is TableOperation.AVG
            and measure is not None
            and all(is_unique(g.column) for g in query.groups)
        ):
            query.groups.clear()  # "the average per department", where each has one row
        if measure is not None:
            query.measure = measure
            query.operation = function or (TableOperation.SUM if is_additive(measure) else TableOperation.AVG)
        elif function is None and self._question.says_money and not self._question.counts and not others:
            query.measure = self._named_or_default(TableOperation.SUM)
            query.operation = TableOperation.SUM if query.measure is not None else TableOperation.COUNT
        else:
            self._count_groups(function, others)
        if order is not None:
            query.order = ChosenOrder(None, order.descending, order.limit or _ALL_GROUPS, order.skip)

    def _count_groups(self, function: TableOperation | None, others: list[ColumnWords]) -> None:
        query = self._query
        distinct = next((c for c in others if not is_unique(c)), None) if self._question.counts else None
        query.operation = TableOperation.COUNT if distinct is None else TableOperation.DISTINCT
        query.measure = distinct
        if function is TableOperation.AVG:
            query.over_groups = "average"

    # -- orders ----------------------------------------------------------------------------------------

    def _ordered(
        self, function: TableOperation | None, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        """The first rows of an order; or groups by what they come to; or the value itself."""
        query, order = self._query, self._query.order
        assert order is not None  # as the caller says
        question = self._question
        if function in (TableOperation.SUM, TableOperation.AVG, TableOperation.MEDIAN) and not texts:
            query.measure = next(iter(numbers), None) or order.column or default_measure(self._words)
            query.operation = function  # "the average of the five highest prices"
            if order.column is None:
                query.order = ChosenOrder(query.measure, order.descending, order.limit, order.skip)
            return
        compared = question.compared_column()
        entity = compared or next((c for c in texts if not question.is_filtered(c)), None)
        column = order.column or next(iter(numbers), None)
        if column is None and entity is not None and not self._is_counted():
            column = self._ranked_by()
        if entity is not None and self._is_grouped(entity, column, function):
            self._first_groups(entity, column, function, order)
            return
        column = column or (None if question.said & _FIRST else self._ranked_by())
        if self._asks_value(texts, column, order):
            query.order, query.measure = None, column
            query.operation = TableOperation.MAX if order.descending else TableOperation.MIN
            return
        query.order = ChosenOrder(column, order.descending, order.limit, order.skip)
        query.operation = TableOperation.ROWS
        query.shown = self._shown(texts, numbers, column)

    def _first_groups(
        self,
        entity: ColumnWords,
        column: ColumnWords | None,
        function: TableOperation | None,
        order: ChosenOrder,
    ) -> None:
        query = self._query
        query.groups.append(GroupBy(entity))
        measure = column if column is not None and column.kind is ColumnKind.MEASURE else None
        query.measure = measure
        query.operation = TableOperation.COUNT if measure is None else function or self._summed(measure)
        limit = order.limit if order.limit is not None else _ALL_GROUPS
        query.order = ChosenOrder(None, order.descending, limit, order.skip)

    def _summed(self, measure: ColumnWords) -> TableOperation:
        return TableOperation.SUM if is_additive(measure) else TableOperation.MAX

    def _asks_value(self, texts: list[ColumnWords], column: ColumnWords | None, order: ChosenOrder) -> bool:
        """ "What is the highest price": the value, and no row."""
        question = self._question
        is_of_row = question.names_rows and not self._says_unit(column) and not question.said & _PAYING
        plain = question.ask in ("what", "much", "count", "") and not texts and not is_of_row
        is_value = column is not None and column.kind is ColumnKind.MEASURE
        asks_one = order.limit == 1 and not order.skip
        return plain and is_value and asks_one and (self._names_measure(column) or self._says_unit(column))

    def _says_unit(self, column: ColumnWords | None) -> bool:
        """ "The longest trip, in kilometres": the value of the row is asked for."""
        for at in self._pieces.places((ColumnMention, Currency)):
            mention = self._pieces.of(at, ColumnMention)
            is_unit = mention is None and column is not None and column.entry.type is FieldType.MONEY
            if is_unit or (mention is not None and mention.first is column):
                return self._pieces.word(self._pieces.before(at, over=())) == "in"
        return False

    def _names_measure(self, column: ColumnWords | None) -> bool:
        """True where the words name the column of an extreme, and do not only describe a row ("cheapest")."""
        for at in self._pieces.places(ColumnMention):
            mention = self._pieces.of(at, ColumnMention)
            if mention is not None and any(c is column for c, _ in mention.columns):
                return True
        return self._question.ask in ("much", "count") or bool(self._question.said & _PAYING)

    def _is_counted(self) -> bool:
        """ "most often", "the most orders": rows are counted."""
        if self._question.said & _OFTEN:
            return True
        for at in self._pieces.places(RowMention):
            before = self._pieces.before(at, over=(Filler, HavingWord))
            if self._pieces.text(before) in ("most", "least", "fewest", "more", "fewer"):
                return True
        return False

    def _ranked_by(self) -> ColumnWords | None:
        found = default_measure(self._words)
        if found is not None:
            self._query.guess(_GUESSED, "", f"ranked by {found.entry.name}, since nothing else is named")
            return found
        if self._question.said & {"top", "best", "bottom", "worst"}:
            return next(iter(self._words.of_kind(ColumnKind.PLACE)), None)
        return None

    def _is_grouped(
        self, entity: ColumnWords, column: ColumnWords | None, function: TableOperation | None
    ) -> bool:
        """True where an entity has several rows, which count together: "which region sold most"."""
        alone = is_unique(entity) or entity.kind in (ColumnKind.DAY, ColumnKind.NAME)
        if (alone or self._question.names_rows) and (is_unique(entity) or not self._is_counted()):
            return False
        if column is None:
            return not self._question.said & _FIRST
        if column.kind is not ColumnKind.MEASURE:
            return False
        return function is not None or is_additive(column)

    # -- values ----------------------------------------------------------------------------------------

    def _named_or_default(self, function: TableOperation) -> ColumnWords | None:
        """The measure where no column of numbers is named; asked about where several may be meant."""
        query = self._query
        found = default_measure(self._words)
        if found is not None:
            query.guess(_GUESSED, "", f"computed with {found.entry.name}, since nothing else is named")
            return found
        self._ask_which(function)
        return None

    def _computed(
        self, function: TableOperation, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        query = self._query
        if not numbers and function is TableOperation.SUM and self._question.counts:
            self._counted([], texts, None)  # "the total number of teams"
            return
        query.operation = function
        query.measure = next(iter(numbers), None) or self._named_or_default(function)

    def _ask_which(self, function: TableOperation) -> None:
        """Several columns may be meant: that is asked."""
        measures = self._words.of_kind(ColumnKind.MEASURE)
        if measures:
            names = tuple(column.entry.name for column in measures[:8])
            self._query.ambiguous = (f"the {function.value} of what", names)
        self._query.doubt += 1.0

    def _counted(
        self, numbers: list[ColumnWords], texts: list[ColumnWords], function: TableOperation | None
    ) -> None:
        """ "how many": of a column of numbers the sum, of texts how many there are, else how many rows."""
        query, question = self._query, self._question
        at = self._pieces.after(question.ask_at, over=(Filler, HavingWord)) if question.ask == "count" else -1
        named = self._pieces.of(at, ColumnMention)
        own = numeric_of(named)
        if numbers and (own in numbers or not (texts or question.names_rows)):
            query.operation = function or TableOperation.SUM
            query.measure = own if own in numbers else numbers[0]
            return
        described = at if at < 0 else self._pieces.after(at - 1, over=(Filler, HavingWord, ValueMention))
        counted = self._pieces.of(described, RowMention)
        counts_rows = counted is not None and counted.words is self._words  # "shipped orders"
        if isinstance(self._pieces.mention(at), ValueMention) and not counts_rows:
            pieces = quantity_of(self._words)
            if pieces is not None:
                query.operation, query.measure = TableOperation.SUM, pieces
                query.guess(_GUESSED / 2, "", f"{pieces.entry.name} says how many")
                return
        if counts_rows:
            query.operation = TableOperation.COUNT
            return
        is_distinct = bool(question.said & {"different", "distinct", "unique"})
        column = next((c for c in texts if not question.is_filtered(c)), None)
        plain = (ColumnKind.DAY, ColumnKind.FLAG)
        is_told = column is not None and (column.kind not in plain or is_distinct)
        if column is not None and is_told and not is_unique(column) and not question.names_rows:
            query.operation, query.measure = TableOperation.DISTINCT, column
            return
        query.operation = TableOperation.COUNT

    def _much(self, numbers: list[ColumnWords], texts: list[ColumnWords]) -> None:
        query = self._query
        at = self._pieces.after(self._question.ask_at, over=())
        column, _ = by_adjective(self._words, self._pieces.text(at)) if at >= 0 else (None, True)
        if column is None and self._question.ask == "long":
            column, _ = by_adjective(self._words, "long")
        if column is not None and not numbers:
            query.shown = [column]
            return
        query.operation = TableOperation.SUM
        query.measure = next(iter(numbers), None) or self._named_or_default(TableOperation.SUM)

    # -- rows ------------------------------------------------------------------------------------------

    def _rows(self, numbers: list[ColumnWords], texts: list[ColumnWords]) -> None:
        query, question = self._query, self._question
        query.operation = TableOperation.ROWS
        says_sum_too = bool(numbers) and says_sum([token.word for token in self._pieces.tokens])
        plain = question.ask in ("", "what") or says_sum_too
        is_of_number = bool(numbers) and (not texts or self._is_of(numbers[0], texts))
        if plain and is_of_number and not question.names_one() and not question.names_rows:
            query.operation = TableOperation.SUM if is_additive(numbers[0]) else TableOperation.ROWS
            if query.operation is TableOperation.SUM:
                query.measure = numbers[0]
                name = numbers[0].entry.name
                query.guess(_GUESSED / 2, "", f"{name} is added up, since nothing else is said")
                return
        query.shown = self._shown(texts, numbers, None)
        self._listed_once()

    def _listed_once(self) -> None:
        """ "Which destinations did Ines reach": each of them once, with how many rows say it."""
        query, question = self._query, self._question
        shown = query.shown
        if (
            len(shown) != 1
            or question.names_rows
            or question.names_one()
            or question.ask in ("when", "where")
        ):
            return
        column = shown[0]
        is_repeated = column.kind is ColumnKind.CATEGORY and not is_unique(column)
        if is_repeated and column.table is self._words.table and not question.is_filtered(column):
            query.operation = TableOperation.COUNT
            query.groups.append(GroupBy(column))
            query.shown = []

    def _is_of(self, number: ColumnWords, texts: list[ColumnWords]) -> bool:
        """ "The hours spent on projects": the column of numbers comes first, and is what is asked."""
        first, places = self._named_at(number), [self._named_at(column) for column in texts]
        return all(place > first and not self._pieces.joined(first, place) for place in places)

    def _shown(
        self, texts: list[ColumnWords], numbers: list[ColumnWords], ordered: ColumnWords | None
    ) -> list[ColumnWords]:
        """The columns that are asked of each row."""
        question = self._question
        ask = question.ask
        open_ones = [c for c in texts if not question.is_filtered(c) or question.is_one_of_several(c)]
        if ask in ("who", "when", "where") and not any(self._is_of_class(c) for c in open_ones):
            found = of_class(self._words, ask)
            if found is not None and not question.is_filtered(found):
                return [found]
        asked = sorted((*open_ones, *numbers), key=self._named_at)
        if asked:
            return asked[:1] if ask in ("which", "what", "who", "when", "where") else asked
        plain = ask in ("what", "much", "") and not question.names_rows
        if ordered is not None and plain and ordered.is_number and self._names_measure(ordered):
            return [ordered]
        if ask in ("which", "one", "who") or (ask == "what" and self._asks_noun()):
            compared = question.compared_column()
            subject = compared or self._words.subject
            return [subject] if subject is not None else []
        return []

    def _asks_noun(self) -> bool:
        """ "What club ...", and not "what is unapproved"."""
        at = self._question.ask_at
        ends = self._pieces.first_word(at) == self._pieces.word(at)
        return ends and isinstance(self._pieces.mention(at + 1), UnknownWord | RowMention | MentionedTable)

    def _is_of_class(self, column: ColumnWords) -> bool:
        """True where a column answers "who", "when" or "where"."""
        if self._question.ask == "when":
            return column.kind in (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)
        return column.is_text and column.kind is not ColumnKind.FLAG

    def _named_at(self, column: ColumnWords) -> int:
        for at in self._pieces.places(ColumnMention):
            mention = self._pieces.of(at, ColumnMention)
            if mention is not None and any(c is column for c, _ in mention.columns):
                return at
        return len(self._pieces)


__all__ = ["COMPUTED", "OperationReader"]
