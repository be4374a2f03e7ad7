"""Computations with two columns of a row: which are meant, and what is asked of them."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Aspect,
    Comparator,
    Grouping,
    Negator,
    Quantity,
    UnknownWord,
)
from core.plan.tables.assembly.combining import (
    Combination,
    both_together,
    compared,
    days_between,
    product,
    remainder,
    worth,
)
from core.plan.tables.assembly.question import (
    UNANSWERED,
    AssemblyStep,
    NamedColumn,
)
from core.plan.tables.assembly.ranking import ALL_GROUPS, Superlative
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    is_unique,
)
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.query import (
    ChosenOrder,
    CombinedWith,
    GroupBy,
    Having,
    TableOperation,
)
from core.text.words import word_list

_STRONG = 0.6  # weight of a column that is more than like a word
_TOGETHER = frozenset(["both", "together", "combined"])


class PairReader(AssemblyStep):
    """Reads computations with two columns of a row."""

    def per(self) -> None:
        """ "Litres per 100 km": one column by another."""
        for at in self._pieces.places(Grouping):
            if self._pieces.text(at) not in ("per", "for each", "for every"):
                continue
            below, scale = self._divisor(at + 1)
            above = next(
                (c for n in range(at - 1, -1, -1) if (c := self._question.measure_at(n)) is not None), None
            )
            if below is None or above is None or above is below:
                continue
            self._query.measure = above
            self._query.combined = CombinedWith("per", below, scale)
            for each in (at, at + 1):
                self._pieces.use(each, f"{above.entry.name} by {below.entry.name}")
            return

    def _divisor(self, place: int) -> tuple[ColumnWords | None, int]:
        quantity = self._pieces.of(place, Quantity)
        if quantity is None:
            return self._question.measure_at(place), 1
        unit, text = quantity.value.unit.casefold(), quantity.value.text
        found = [c for c in self._words.of_kind(ColumnKind.MEASURE) if unit and c.unit == unit]
        return (found[0], int(text)) if len(found) == 1 and text.isdigit() else (None, 1)

    def combines(
        self, named: Sequence[NamedColumn], extreme: Superlative | None, function: TableOperation | None
    ) -> bool:
        """True where two columns are computed together; sets which."""
        query = self._query
        if query.combined is not None:
            return True
        said = [token.word for token in self._pieces.tokens]
        columns = [each.column for each in named]
        found = (
            self._time_between(said, columns)
            or self._left_over(said, columns)
            or self._over(said, columns)
            or self._together(named, said)
        )
        if found is None:
            return False
        query.measure, query.combined = found.measure, found.combined
        return True

    def _time_between(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        extremes = [
            line for word in said if word.endswith("est") and (line := adjective_of(word)) is not None
        ]
        is_extreme = any(line[0] in word_list("tables", "of_time") for line in extremes)
        asks = self._question.ask == "long" or "days" in said or "between" in said or is_extreme
        if not asks or not (is_extreme or set(said) & word_list("tables", "lengths_of_time")):
            return None
        if is_extreme and any(by_adjective(self._words, word)[0] is not None for word in said):
            return None
        strong = [each.column for each in self._question.named() if each.weight >= _STRONG]
        if any(column.kind is ColumnKind.MEASURE for column in strong):
            return None
        return days_between(self._words, columns)

    def _left_over(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        flagged = any(
            each.column.kind is ColumnKind.FLAG for clause in self._query.clauses for each in clause
        )
        compared = {
            word
            for at in self._pieces.places(Comparator)
            if at in self._pieces.used
            for word in self._pieces.text(at).split()
        }  # "cost over 2" leaves nothing over
        cues = set(said) & word_list("tables", "remainders") - compared
        if flagged or not cues:
            return None
        own = {word for column in self._words.columns for word in column.words}
        found = remainder(self._words, columns) if cues - own else None
        begins = next((token.word for token in self._pieces.tokens), "")
        asks_rows = self._question.ask in ("which", "who", "list") or (
            self._question.ask == "" and begins.endswith("s")
        )
        if found is not None and asks_rows and self._query.having is None:
            self._query.having = Having(Operator.GREATER, ("0",))
        if found is not None:
            for at in range(len(self._pieces)):
                open_one = isinstance(self._pieces.mention(at), UnknownWord | Negator | Comparator)
                if open_one and self._pieces.word(at) in cues:
                    self._pieces.use(at, "asks for what is left")
        return found

    def _together(self, named: Sequence[NamedColumn], said: Sequence[str]) -> Combination | None:
        """ "How many adults and children": a sum of two columns, which are named together."""
        found = both_together([each.column for each in named])
        if found is None:
            return None
        places = sorted(each.at for each in named if each.column in (found.measure, found.combined.column))
        is_joined = self._pieces.joined(places[0], places[-1]) and self._question.ask in ("count", "much")
        return found if is_joined or set(said) & _TOGETHER else None

    def _over(self, said: Sequence[str], columns: Sequence[ColumnWords]) -> Combination | None:
        open_ones = list(self._pieces.places(Comparator, unused=True))
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
        self._query.having = Having(Operator.LESS if is_less else Operator.GREATER, ("0",))
        return found

    def combine(
        self, named: Sequence[NamedColumn], extreme: Superlative | None, function: TableOperation | None
    ) -> None:
        """What rows come to by two columns: of each, of the first of them, or of all together."""
        query = self._query
        assert query.combined is not None  # as the caller says
        assert query.measure is not None  # as above
        is_time = query.measure.kind is ColumnKind.DAY
        both = (query.measure, query.combined.column)
        others = [each for each in named if all(each.column is not column for column in both)]
        shown = [each.column for each in others if each.column.kind is not ColumnKind.MEASURE]
        if is_time:
            self._use_times()
            self._query.clauses = [
                clause
                for clause in query.clauses
                if not (clause[0].op is Operator.MISSING and clause[0].column in both)
            ]  # "how long do they stay open"
        query.operation = function or (TableOperation.AVG if is_time else TableOperation.SUM)
        is_each = extreme is not None or query.having is not None
        if not query.groups and (
            is_each or (self._question.ask in ("which", "who", "list") and function is None)
        ):
            subject = self._words.subject
            keys = [column for column in shown if not self._question.is_filtered(column)]
            if subject is not None and not any(is_unique(c) or c.kind is ColumnKind.IDENTITY for c in keys):
                keys = [subject, *(column for column in keys if column is not subject)]
            query.groups = [GroupBy(column) for column in keys[:3]]
            query.operation = function or TableOperation.SUM
        if extreme is not None and is_time and self._question.ask in ("count", "long"):
            self._pieces.use(extreme.at, "asks for the first of them")
            query.operation = TableOperation.MAX if extreme.descending else TableOperation.MIN
            query.groups = []
        elif extreme is not None:
            at, most, count = extreme.at, extreme.descending, extreme.count
            self._pieces.use(at, "says which come first")
            query.order = ChosenOrder(None, most, count or ALL_GROUPS, 0)
        if query.having is not None and self._question.ask == "count":
            query.over_groups = "groups"
        if self._question.ask == "whether":
            query.doubt += UNANSWERED

    def _use_times(self) -> None:
        """Words for a length of time, and "between", say that days are counted."""
        known = word_list("tables", "lengths_of_time") | {
            "day",
            "date",
            "time",
            "until",
            "till",
            "before",
            "to",
        }
        for at in range(len(self._pieces)):
            open_one = isinstance(self._pieces.mention(at), UnknownWord | Comparator | Aspect | ColumnMention)
            if open_one and at not in self._pieces.used and self._pieces.word(at) in known:
                self._pieces.use(at, "counts days")

    def times(self, measure: ColumnWords) -> None:
        """A sum of a rate, or of prices, is one of what it comes to in each row."""
        said = [token.word for token in self._pieces.tokens]
        looked_up = [each.words for each in self._wide.neighbours if each.is_looked_up]
        columns = [c for words in (self._words, *looked_up) for c in words.columns]
        found = product(columns, measure, said)
        if found is None and self._wide.is_own(measure) and not self._question.names_one():
            found = worth(self._words, measure)
        if found is not None:
            self._query.measure, self._query.combined = found.measure, found.combined
