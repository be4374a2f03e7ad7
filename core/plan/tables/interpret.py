"""Interpretation of a question over one table: from its pieces to a query."""

from __future__ import annotations

from datetime import date

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Comparator,
    Comparing,
    Connective,
    Currency,
    Filler,
    Function,
    Grouping,
    HavingWord,
    Negator,
    Ordering,
    Period,
    Quantity,
    Top,
    UnknownWord,
)
from core.plan.reader.reading import Operation, QuestionReading
from core.plan.tables.comparing import SideReader
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    default_measure,
    is_additive,
    is_unique,
    numeric_of,
    of_class,
    text_of,
)
from core.plan.tables.mentions import ColumnMention, FlagMention, RowMention, TitleMention, ValueMention
from core.plan.tables.query import COMPUTED, ChosenOrder, GroupBy, TableOperation, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list
from core.values.numbers import parse_ordinal

_FUNCTIONS = {
    Calculation.SUM: TableOperation.SUM,
    Calculation.AVG: TableOperation.AVG,
    Calculation.MEDIAN: TableOperation.MEDIAN,
    Calculation.MIN: TableOperation.MIN,
    Calculation.MAX: TableOperation.MAX,
}
_WHICH = ("which", "what", "who", "when", "where", "list", "one")
_COMPARATIVES = frozenset(["more", "less", "fewer", "greater", "higher", "lower", "larger", "smaller", "better",
                           "longer", "shorter", "bigger", "older", "younger", "earlier", "later", "taller",
                           "cheaper"])  # fmt: skip
_DOWN = frozenset(["less", "fewer", "lower", "smaller", "shorter", "cheaper", "earlier"])
_ALL_GROUPS = 1_000
_GUESSED = 0.25


class TableReader:
    """Reads one question over one table."""

    def __init__(
        self,
        sequence: PieceSequence,
        words: TableVocabulary,
        today: date,
        reading: QuestionReading | None = None,
    ) -> None:
        self._pieces = sequence
        self._words = words
        self._reading = reading
        self.query = TableQuery(words)
        self._filters = FilterReader(sequence, self.query, today)
        self._ask, self._ask_at = self._asks()
        self._measure: ColumnWords | None = None

    def read(self) -> TableQuery | None:
        """The query; None where the table has nothing that could answer the question."""
        self._choose_parts()
        self._order_words()
        skip = self._grouped_places()
        self._filters.read_values()
        self._filters.read_periods()
        sides = SideReader(self._pieces, self.query, self._filters, self._ask)
        if not sides.read():
            self._filters.read_numbers(self._number_column(), skip)
            self._groups()
            self._extremes()
            self._operation()
        else:
            self._filters.read_numbers(self._number_column(), skip)
        self.query.measure = self.query.measure or None
        self._filters.read_currencies()
        self._use_the_rest()
        if not self._is_something():
            return None
        self.query.notes += [note for note in self._pieces.notes if note not in self.query.notes]
        return self.query

    # -- what is asked ---------------------------------------------------------------------------------

    def _asks(self) -> tuple[str, int]:
        """How the question asks, and at which piece: the first word that says it, "is" only at its beginning."""
        found = [
            (at, ask.how) for at in self._pieces.places(Ask) if (ask := self._pieces.of(at, Ask)) is not None
        ]
        strong = [(at, how) for at, how in found if how not in ("whether", "text")]
        if found and found[0][1] == "whether" and (not strong or self._is_first(found[0][0])):
            return "whether", found[0][0]
        for at, how in strong:
            return how, at
        for at, how in found:
            return how, at
        return "", -1

    def _is_first(self, at: int) -> bool:
        return self._pieces.before(at) < 0

    def _choose_parts(self) -> None:
        """The sheets that the question names, of several with the same columns."""
        words = self._words
        if len(words.table.parts) < 2:
            return
        for at in self._pieces.places(TitleMention):
            mention = self._pieces.of(at, TitleMention)
            if mention is not None and 0 < len(mention.parts) < len(words.table.parts):
                self.query.parts = mention.parts
                self._pieces.use(at, "names the table")

    def _order_words(self) -> None:
        """Words that only say how an answer is to be given."""
        for at in self._pieces.places(Ask):
            self._pieces.use(at)

    def _grouped_places(self) -> frozenset[int]:
        return frozenset()

    def _number_column(self) -> ColumnWords | None:
        """The column that a number without one is compared with."""
        named = [
            column
            for at in self._pieces.places(ColumnMention, unused=True)
            if (column := numeric_of(self._pieces.of(at, ColumnMention))) is not None
        ]
        return named[0] if named else default_measure(self._words)

    # -- groups ----------------------------------------------------------------------------------------

    def _groups(self) -> None:
        """ "per region", "by month and product", "for each customer"."""
        for at in list(self._pieces.places(Grouping, unused=True)):
            place = self._pieces.after(at, over=(Filler, HavingWord))
            while place >= 0:
                group = self._group(place, self._pieces.text(at))
                if group is None:
                    break
                self._pieces.use(at, "asks for a result for each")
                self._pieces.use(place, f"for each {group.key}" if group.column is not None else "")
                self.query.groups.append(group)
                joined = self._pieces.after(place, over=(Filler,))
                if not isinstance(self._pieces.mention(joined), Connective):
                    break
                place = self._pieces.after(joined, over=(Filler,))

    def _group(self, place: int, said: str) -> GroupBy | None:
        aspect = self._pieces.of(place, Aspect)
        if aspect is not None and aspect.name != "unit":
            day = next(iter(self._words.of_kind(ColumnKind.DAY)), None)
            return GroupBy(day, aspect.name) if day is not None else None
        mention = self._pieces.of(place, ColumnMention)
        if mention is None:
            return None
        column = next((c for c, _ in mention.columns if c.kind is not ColumnKind.MEASURE), None)
        if column is None:
            if said.endswith("by") and mention.first.is_number and self.query.order is None:
                return None  # "by amount" orders
            return None
        if column.kind is ColumnKind.DAY:
            word = self._pieces.word(place)
            return GroupBy(column, word if word in ("month", "quarter", "year") else "")
        return GroupBy(column)

    # -- orders and extremes ---------------------------------------------------------------------------

    def _extremes(self) -> None:
        """ "the largest order", "top 5 customers by revenue", "sorted by date", "the second highest price"."""
        for at in list(self._pieces.places(Top, unused=True)):
            top = self._pieces.of(at, Top)
            if top is not None:
                self._put_order(at, top.count or None, top.descending, top.of_time, top.hint)
        for at in list(self._pieces.places(Function, unused=True)):
            function = self._pieces.of(at, Function)
            if function is not None and function.is_extreme and self.query.order is None:
                most = function.name is Calculation.MAX
                self._put_order(at, self._count_beside(at), most, function.of_time, function.hint)
        for at in list(self._pieces.places(UnknownWord, unused=True)):
            word = self._pieces.word(at)
            if word.endswith("est") and adjective_of(word) is not None and self.query.order is None:
                self._put_order(at, self._count_beside(at), None, False, "")
        for at in list(self._pieces.places(Ordering, unused=True)):
            place = self._pieces.after(at, over=(Filler,))
            mention = self._pieces.of(place, ColumnMention)
            if mention is not None:
                column = mention.first
                known = self.query.order
                down = known.descending if known is not None else column.is_number
                limit = known.limit if known is not None else None
                self.query.order = ChosenOrder(column, down, limit)
                self._pieces.use(at, "asks for an order")
                self._pieces.use(place, f"ordered by {column.entry.name}")
        self._either_or()

    def _count_beside(self, at: int) -> int:
        """How many are wanted: "the 5 largest", "three highest"; 1 where it does not say."""
        for place in (self._pieces.after(at, over=(Filler,)), self._pieces.before(at, over=(Filler,))):
            quantity = self._pieces.of(place, Quantity)
            if quantity is not None and place not in self._pieces.used and abs(place - at) <= 2:
                number = quantity.value.text
                if number.isdigit() and 0 < int(number) <= 1000 and not quantity.value.unit:
                    self._pieces.use(place, f"asks for {number}")
                    return int(number)
        return 1

    def _put_order(
        self, at: int, count: int | None, descending: bool | None, of_time: bool, hint: str
    ) -> None:
        column, most = self._measured(at, of_time, hint)
        descending = most if descending is None else descending
        adjective = adjective_of(self._pieces.word(at))
        if adjective is not None and column is not None and not of_time:
            descending = most
        skip = self._ordinal(at)
        self._pieces.use(at, "says which come first")
        self.query.order = ChosenOrder(column, descending, count, skip)

    def _ordinal(self, at: int) -> int:
        """How many come before: "the second highest"."""
        before = self._pieces.before(at, over=(Filler,))
        place = before if before >= 0 and at - before <= 2 else at - 1
        number = parse_ordinal(self._pieces.text(place)) if place >= 0 else None
        if number is not None and number > 1 and self._pieces.text(place) not in ("second half",):
            self._pieces.use(place, "counts from the first")
            return number - 1
        return 0

    def _measured(self, at: int, of_time: bool, hint: str) -> tuple[ColumnWords | None, bool]:
        """The column that an extreme is of, and whether its greatest value is meant."""
        column, most = by_adjective(self._words, self._pieces.word(at))
        if column is not None and (not of_time or column.kind in (ColumnKind.DAY, ColumnKind.YEAR)):
            return column, most
        if of_time:
            dated = self._near_column(
                at, lambda c: c.kind in (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PLACE)
            )
            days = (*self._words.of_kind(ColumnKind.DAY), *self._words.of_kind(ColumnKind.YEAR))
            return dated or next(iter(days), None), True
        named = self._near_column(at, lambda c: c.is_number or c.kind is ColumnKind.DAY)
        if named is not None:
            return named, True
        if hint:
            known = self._words.aliases.get(hint, [])
            found = next((c for c, _ in known if c.is_number), None)
            if found is not None:
                return found, True
        return None, True

    def _near_column(self, at: int, fits: object) -> ColumnWords | None:
        """The column behind an extreme, or else one named elsewhere, that is computed with."""
        assert callable(fits)  # a test of columns
        behind = [p for p in self._pieces.places(ColumnMention, unused=True) if p > at]
        before = [p for p in self._pieces.places(ColumnMention, unused=True) if p < at]
        for place in (*behind, *reversed(before)):
            mention = self._pieces.of(place, ColumnMention)
            column = next((c for c, _ in mention.columns if fits(c)), None) if mention is not None else None
            if column is not None:
                self._pieces.use(place, f"is the column {column.entry.name}")
                return column
        return None

    def _either_or(self) -> None:
        """ "which has more gold, Spain or Italy": the first of the sides by their value."""
        if self.query.order is not None:
            return
        joined = [at for at in self._pieces.places(Connective) if self._pieces.text(at) == "or"]
        named = [
            at for at in self._filters.clause_places if isinstance(self._pieces.mention(at), ValueMention)
        ]
        pairs = [(a, b) for a in named for b in named if a < b and any(a < at < b for at in joined)]
        if not pairs or self._ask == "whether":
            return
        for at in range(len(self._pieces)):
            word = self._pieces.first_word(at)
            is_open = at not in self._pieces.used or isinstance(self._pieces.mention(at), Filler | Comparator)
            if word in _COMPARATIVES and is_open:
                column, most = self._measured(at, word in ("earlier", "later", "older", "younger"), "")
                if adjective_of(word) is None:
                    most = word not in _DOWN
                self._pieces.use(at, "says which of them is wanted")
                self.query.order = ChosenOrder(column, most, 1)
                return

    # -- the operation ---------------------------------------------------------------------------------

    def _operation(self) -> None:
        query = self.query
        function = self._function()
        asked = self._asked_columns()
        numbers = [c for c in asked if c.is_number and c.kind is not ColumnKind.IDENTITY]
        texts = [c for c in asked if not c.is_number or c.kind is ColumnKind.IDENTITY]
        if self._ask == "whether" and function is None and query.order is None:
            self._whether(texts)
        elif query.having is not None:
            self._having(texts, numbers, function)
        elif query.groups:
            self._for_groups(function, numbers, texts)
        elif query.order is not None:
            self._ordered(function, numbers, texts)
        elif function is not None:
            self._computed(function, numbers, texts)
        elif self._ask == "count":
            self._counted(numbers, texts)
        elif self._ask in ("much", "long"):
            self._much(numbers, texts)
        else:
            self._rows(numbers, texts)

    def _function(self) -> TableOperation | None:
        for at in list(self._pieces.places(Function, unused=True)):
            function = self._pieces.of(at, Function)
            if function is None or function.is_extreme:
                continue
            if function.name is Calculation.DISTINCT:
                self._pieces.use(at, "counts different ones")
                continue
            self._pieces.use(at, f"asks for the {function.name.value}")
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
        best = [(c, w) for c, w in mention.columns if w >= mention.columns[0][1] - 0.16]
        if len(best) == 1:
            return best[0][0]
        wants_number = self._ask in ("count", "much", "long") or self._pieces.text(at - 1) in (
            "total",
            "average",
        )
        fitting = [c for c, _ in best if c.is_number is wants_number]
        unfiltered = [c for c in fitting or [c for c, _ in best] if not self._is_filtered(c)]
        if len({c.kind for c, _ in best}) == 1 and len(best) > 1 and best[0][1] < 1.0:
            self.query.doubt += _GUESSED / 2
        return (unfiltered or fitting or [best[0][0]])[0]

    def _is_filtered(self, column: ColumnWords) -> bool:
        return any(each.column is column for clause in self.query.clauses for each in clause)

    def _whether(self, texts: list[ColumnWords]) -> None:
        """ "Did any order exceed 500?", "Are all orders shipped?", "Is order 17 paid?"."""
        said = {token.word for token in self._pieces.tokens}
        self.query.operation = TableOperation.ALL if said & {"all", "every"} else TableOperation.EXISTS

    def _having(
        self, texts: list[ColumnWords], numbers: list[ColumnWords], function: TableOperation | None
    ) -> None:
        """ "customers with more than 3 orders"; counted where the question counts them."""
        query = self.query
        column = next((c for c in texts if not self._is_filtered(c)), None) or self._words.subject
        if column is not None and not query.groups:
            query.groups.append(GroupBy(column))
        query.operation = TableOperation.COUNT
        if numbers:
            query.operation, query.measure = function or TableOperation.SUM, numbers[0]
        if self._ask == "count":
            query.over_groups = "groups"

    def _for_groups(
        self, function: TableOperation | None, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        query = self.query
        measure = query.order.column if query.order is not None and query.order.column is not None else None
        measure = measure or next(iter(numbers), None)
        if measure is not None:
            query.measure = measure
            query.operation = function or (TableOperation.SUM if is_additive(measure) else TableOperation.AVG)
            if query.operation not in COMPUTED:
                query.operation = TableOperation.SUM
        elif self._ask == "count" or (function is None and not self._says_money()):
            others = [c for c in texts if all(c is not g.column for g in query.groups)]
            distinct = next((c for c in others if not is_unique(c)), None)
            query.operation = TableOperation.COUNT if distinct is None else TableOperation.DISTINCT
            query.measure = distinct
            if function is TableOperation.AVG:
                query.over_groups = "average"
        elif function is TableOperation.AVG and self._counts_rows():
            query.operation, query.over_groups = TableOperation.COUNT, "average"
        else:
            self._computed(function or TableOperation.SUM, numbers, texts)
        if query.order is not None:
            order = query.order
            query.order = ChosenOrder(None, order.descending, order.limit, order.skip)

    def _counts_rows(self) -> bool:
        """True where rows are what is counted: "the average number of orders per customer"."""
        said = " ".join(token.word for token in self._pieces.tokens)
        return "number of" in said or "how many" in said

    def _ordered(
        self, function: TableOperation | None, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        """The first rows of an order; or groups by what they come to; or the value itself."""
        query, order = self.query, self.query.order
        assert order is not None  # as the caller says
        entity = next((c for c in texts if not self._is_compared(c)), None)
        entity = entity if entity is not None else self._compared_column()
        column = order.column
        if function in (TableOperation.SUM, TableOperation.AVG, TableOperation.MEDIAN) and entity is None:
            query.measure = next(iter(numbers), None) or column or default_measure(self._words)
            query.operation = function  # "the average of the five highest prices"
            return
        if entity is not None and self._is_grouped(entity, column, function):
            query.groups.append(GroupBy(entity))
            measure = column or next(iter(numbers), None)
            if measure is None and self._says_money():
                measure = default_measure(self._words)
            query.measure = measure if measure is not None and measure.is_number else None
            query.operation = (
                (function or TableOperation.SUM) if query.measure is not None else TableOperation.COUNT
            )
            limit = order.limit or (None if order.limit is None else 1)
            query.order = ChosenOrder(None, order.descending, limit or _ALL_GROUPS, order.skip)
            return
        if column is None:
            column = self._ranked_by(numbers)
        asked_value = self._ask in ("what", "much", "count", "") and not texts and not self._names_rows()
        if asked_value and column is not None and column.is_number and order.limit == 1 and not order.skip:
            query.order = None
            query.measure = column
            query.operation = TableOperation.MAX if order.descending else TableOperation.MIN
            return
        query.order = ChosenOrder(column, order.descending, order.limit, order.skip)
        query.operation = TableOperation.ROWS
        query.shown = self._shown(texts, numbers, column, asked_value=asked_value)

    def _ranked_by(self, numbers: list[ColumnWords]) -> ColumnWords | None:
        found = next(iter(numbers), None)
        if found is None:
            found = default_measure(self._words)
            said = {token.word for token in self._pieces.tokens}
            if said & {"first", "last", "top", "bottom", "latest", "earliest"} and not self._says_money():
                places = self._words.of_kind(ColumnKind.PLACE)
                return places[0] if places and said & {"top", "bottom"} else None
            if found is not None:
                self.query.guess(_GUESSED, "", f"ranked by {found.entry.name}")
        return found

    def _is_compared(self, column: ColumnWords) -> bool:
        """True where a column is only named for its values: "city Berlin"."""
        return self._is_filtered(column) and not self._is_one_of_several(column)

    def _is_one_of_several(self, column: ColumnWords) -> bool:
        return any(
            each.column is column and each.op is Operator.IN and len(each.values) > 1
            for clause in self.query.clauses
            for each in clause
        )

    def _compared_column(self) -> ColumnWords | None:
        """ "Spain or Italy": the column that holds both."""
        joined = any(self._pieces.text(at) == "or" for at in self._pieces.places(Connective))
        if not joined:
            return None
        several = (
            c for clause in self.query.clauses for each in clause if self._is_one_of_several(c := each.column)
        )
        return next(several, None)

    def _is_grouped(
        self, entity: ColumnWords, column: ColumnWords | None, function: TableOperation | None
    ) -> bool:
        """True where an entity has several rows, which count together: "which region sold most"."""
        if is_unique(entity) or entity.kind is ColumnKind.DAY or self._names_rows():
            return False
        if column is None:
            said = {token.word for token in self._pieces.tokens}
            return not said & {"first", "last", "latest", "earliest", "newest", "oldest"}
        if not column.is_number or column.kind is not ColumnKind.MEASURE:
            return False
        if function is not None:
            return True
        return is_additive(column) and entity.kind in (
            ColumnKind.CATEGORY,
            ColumnKind.IDENTITY,
            ColumnKind.PERIOD,
        )

    def _names_rows(self) -> bool:
        """True where rows are asked for: "the largest order", "which single purchase"."""
        subject = self._words.subject
        heads = set(subject.stems) if subject is not None else set()
        return any(
            isinstance(self._pieces.mention(at), RowMention)
            and self._pieces.tokens[self._pieces.pieces[at].first].stem not in heads
            for at in range(len(self._pieces))
        ) or "single" in {token.word for token in self._pieces.tokens}

    def _says_money(self) -> bool:
        said = {token.word for token in self._pieces.tokens}
        return bool(said & word_list("tables", "money"))

    def _computed(
        self, function: TableOperation, numbers: list[ColumnWords], texts: list[ColumnWords]
    ) -> None:
        query = self.query
        query.operation = function
        query.measure = next(iter(numbers), None)
        if query.measure is None and function is TableOperation.SUM and not self._says_amounts():
            self._counted([], texts)  # "the total number of teams"
            return
        if query.measure is None:
            query.measure = default_measure(self._words)
            if query.measure is None:
                self._ask_which(function)
            else:
                query.guess(
                    _GUESSED, "", f"{query.measure.entry.name} is computed with, since nothing else is named"
                )

    def _says_amounts(self) -> bool:
        said = " ".join(token.word for token in self._pieces.tokens)
        counts = "number of" in said or "how many" in said or "count" in said.split()
        return not counts

    def _ask_which(self, function: TableOperation) -> None:
        """Several columns may be meant: that is asked."""
        measures = self._words.of_kind(ColumnKind.MEASURE)
        if measures:
            names = tuple(column.entry.name for column in measures[:8])
            self.query.ambiguous = (f"the {function.value} of what", names)
        self.query.doubt += 1.0

    def _counted(self, numbers: list[ColumnWords], texts: list[ColumnWords]) -> None:
        query = self.query
        at = self._pieces.after(self._ask_at, over=(Filler, HavingWord)) if self._ask == "count" else -1
        named = self._pieces.of(at, ColumnMention)
        if numbers and (named is None or numeric_of(named) is not None or not texts):
            number = next((c for c, _ in named.columns if c in numbers), numbers[0]) if named else numbers[0]
            if number.kind in (ColumnKind.YEAR, ColumnKind.PLACE):
                query.operation, query.measure = TableOperation.DISTINCT, number
                return
            query.operation, query.measure = TableOperation.SUM, number
            return
        said = {token.word for token in self._pieces.tokens}
        is_distinct = bool(said & {"different", "distinct", "unique"})
        column = next((c for c in texts if not self._is_filtered(c)), None)
        if column is not None and (is_distinct or not is_unique(column)) and not self._names_rows():
            if column.kind in (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.FLAG) and not is_distinct:
                query.operation = TableOperation.COUNT
                return
            query.operation, query.measure = TableOperation.DISTINCT, column
            return
        query.operation = TableOperation.COUNT

    def _much(self, numbers: list[ColumnWords], texts: list[ColumnWords]) -> None:
        query = self.query
        at = self._pieces.after(self._ask_at, over=())
        column, _ = by_adjective(self._words, self._pieces.text(at)) if at >= 0 else (None, True)
        if column is None and self._ask == "long":
            column, _ = by_adjective(self._words, "long")
        if column is not None and not numbers:
            query.shown = [column]
            return
        query.operation = TableOperation.SUM
        query.measure = next(iter(numbers), None) or default_measure(self._words)
        if query.measure is None:
            self._ask_which(TableOperation.SUM)

    def _rows(self, numbers: list[ColumnWords], texts: list[ColumnWords]) -> None:
        query = self.query
        query.operation = TableOperation.ROWS
        plain = self._ask in ("", "what")
        if plain and numbers and not texts and not self._names_one() and is_additive(numbers[0]):
            query.operation, query.measure = TableOperation.SUM, numbers[0]
            query.guess(_GUESSED / 2, "", f"{numbers[0].entry.name} is added up, since nothing else is said")
            return
        query.shown = self._shown(texts, numbers, None)

    def _names_one(self) -> bool:
        """True where a filter names one row: its value is looked up, and nothing is added up."""
        return any(
            each.op is Operator.EQUAL
            and (is_unique(each.column) or each.column.kind in (ColumnKind.YEAR, ColumnKind.PLACE))
            for clause in self.query.clauses
            for each in clause
        )

    def _shown(
        self,
        texts: list[ColumnWords],
        numbers: list[ColumnWords],
        ordered: ColumnWords | None,
        *,
        asked_value: bool = False,
    ) -> list[ColumnWords]:
        """The columns that are asked of each row."""
        asked = [c for c in (*texts, *numbers) if not self._is_filtered(c) or self._is_one_of_several(c)]
        asked = sorted(asked, key=lambda c: self._named_at(c))
        if asked:
            return asked[:1] if self._ask in ("which", "what", "who", "when", "where") else asked
        if self._ask in ("who", "when", "where"):
            found = of_class(self._words, self._ask)
            if found is not None:
                return [found]
        if asked_value and ordered is not None:
            return [ordered]
        if self._ask in ("which", "what", "one"):
            compared = self._compared_column()
            subject = compared or self._words.subject
            return [subject] if subject is not None else []
        return []

    def _named_at(self, column: ColumnWords) -> int:
        for at in self._pieces.places(ColumnMention):
            mention = self._pieces.of(at, ColumnMention)
            if mention is not None and any(c is column for c, _ in mention.columns):
                return at
        return len(self._pieces)

    # -- what is left ----------------------------------------------------------------------------------

    def _use_the_rest(self) -> None:
        """Words that need no part in the query; what is left is not covered."""
        idle = (Filler, HavingWord, Connective, RowMention, TitleMention, Ask)
        for at in range(len(self._pieces)):
            if at in self._pieces.used:
                continue
            mention = self._pieces.mention(at)
            if isinstance(mention, idle) or self._is_idle(at):
                continue
            self.query.uncovered.append(self._pieces.pieces[at].text)

    def _is_idle(self, at: int) -> bool:
        mention, word = self._pieces.mention(at), self._pieces.word(at)
        if isinstance(mention, UnknownWord):
            known = word_list("tables", "general", "persons", "row_nouns") | word_list(
                "idle", "rows", "verbs", "adverbs"
            )
            return word in known or word.removesuffix("s") in known
        if isinstance(mention, Aspect | Grouping | Comparing):
            return isinstance(mention, Grouping) or bool(self.query.groups) or bool(self.query.sides)
        if isinstance(mention, Comparator):
            return self._pieces.text(at) in ("same", "the same", "under", "top", "over", "above", "below")
        if isinstance(
            mention, Negator | Quantity | Period | Currency | ColumnMention | ValueMention | FlagMention
        ):
            return False
        return isinstance(mention, Function | Top | Ordering) and self.query.order is not None

    def _is_something(self) -> bool:
        """True where the query asks for more than all rows of a table that nobody named."""
        query = self.query
        if query.operation in COMPUTED and query.measure is None and query.ambiguous is None:
            return False
        if (
            query.clauses
            or query.groups
            or query.order is not None
            or query.sides
            or query.having is not None
        ):
            return True
        if query.operation is not TableOperation.ROWS or query.shown:
            return True
        named = any(isinstance(piece.mention, RowMention | TitleMention) for piece in self._pieces.pieces)
        return self._ask in ("list", "which", "what") and named


def operation_of(reading: QuestionReading | None) -> Operation | None:
    """The operation that a trained reader is sure enough of; None where it is not, or there is none."""
    if reading is None or not reading.operations:
        return None
    operation, probability = reading.operations[0]
    return operation if probability >= 0.6 else None


__all__ = ["TableReader", "operation_of", "text_of"]
