"""Sides of a question: a difference, a share, a change, and rows that stand before or behind another."""

from __future__ import annotations

import re
from dataclasses import replace

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Comparator,
    Comparing,
    Connective,
    DayRange,
    Filler,
    HavingWord,
    Statistic,
)
from core.plan.language.reading.dates import find_periods
from core.plan.tables.filters import FilterReader
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import by_adjective, default_measure, numeric_of, text_of
from core.plan.tables.mentions import ColumnMention, RowMention, ValueMention
from core.plan.tables.query import Clause, ColumnFilter, QuerySide, TableOperation, TableQuery
from core.plan.tables.sequence import PieceSequence
from core.text.words import word_list

_ENDS = re.compile(r"\s+(?:to|and|until|till|through)\s+|\s*[-\u2013]\s*")
_LEAD = re.compile(r"^(?:from|between|in|since|during)\s+")


def set_minus_apart(pieces: PieceSequence) -> None:
    """ "Revenue in May minus revenue in April": it stands between two sides, and leaves no rows out."""
    for at in range(len(pieces)):
        if pieces.text(at) != "minus":
            continue
        named = list(pieces.places((ValueMention, DayRange)))
        before, behind = [n for n in named if n < at][-1:], [n for n in named if n > at][:1]
        sides = [type(pieces.mention(n)) for n in (*before, *behind)]
        if len(sides) == 2 and sides[0] is sides[1]:
            pieces.pieces[at] = replace(pieces.pieces[at], mention=Comparing())


class SideReader:
    """Reads what a question says of two sides, or of rows beside another, where it does."""

    def __init__(self, sequence: PieceSequence, query: TableQuery, filters: FilterReader, ask: str) -> None:
        self._pieces = sequence
        self._query = query
        self._filters = filters
        self._ask = ask

    def read(self) -> bool:
        """True where the query has sides now, or steps."""
        return self._beside() or self._share() or self._compared()

    # -- rows beside others ----------------------------------------------------------------------------

    def _beside(self) -> bool:
        """ "which team came after X", "the album previous to Y"."""
        for at in range(len(self._pieces)):
            if isinstance(self._pieces.mention(at), ColumnMention | ValueMention):
                continue
            words = self._pieces.text(at).split()
            step = (
                1
                if set(words) & word_list("tables", "next")
                else -1
                if set(words) & word_list("tables", "previous")
                else 0
            )
            if not step or self._pieces.of(at, DayRange) is not None or self._is_number(at):
                continue
            place = self._row_named(at)
            if place < 0:
                continue
            is_bound = words[0] in ("above", "over", "under", "below")
            if is_bound and not any(word in word_list("tables", "bearing") for word in self._before(at)):
                continue
            self._query.steps = step
            self._pieces.use(at, "the row behind it" if step > 0 else "the row before it")
            for near in (at - 1, at + 1):
                if self._pieces.first_word(near) in word_list("tables", "bearing"):
                    self._pieces.use(near)
            self._query.shown = self._asked()
            return True
        return False

    def _is_number(self, at: int) -> bool:
        """True where a number or a day follows: "after 2010" is no row."""
        after = self._pieces.after(at, over=(Filler, Connective))
        return isinstance(self._pieces.mention(after), DayRange) or (
            self._pieces.of(after, ColumnMention) is not None
            and (numeric_of(self._pieces.of(after, ColumnMention)) is not None)
        )

    def _before(self, at: int) -> list[str]:
        first = self._pieces.pieces[at].first
        return [token.word for token in self._pieces.tokens[max(0, first - 3) : first]]

    def _row_named(self, at: int) -> int:
        """The place of a text behind, which names the row that others stand beside."""
        place = self._pieces.after(at, over=(Filler, HavingWord, Connective, RowMention))
        if isinstance(self._pieces.mention(place), ColumnMention):
            place = self._pieces.after(place, over=(Filler, HavingWord))
        if isinstance(self._pieces.mention(place), ValueMention) and place in self._filters.clause_places:
            clause = self._filters.clause_places[place]
            texts = {text for each in clause for text in each.values}
            if len(texts) == 1 and all(each.op is Operator.EQUAL for each in clause):
                return place
            if len(texts) <= 3 and len(clause) == 1:
                return place
        return -1

    def _asked(self) -> list[ColumnWords]:
        for at in self._pieces.places(ColumnMention, unused=True):
            mention = self._pieces.of(at, ColumnMention)
            column = text_of(mention) or numeric_of(mention)
            if column is not None:
                self._pieces.use(at, f"is the column {column.entry.name}")
                return [column]
        for clause in self._query.clauses:
            return [clause[0].column]
        return []

    # -- shares ----------------------------------------------------------------------------------------

    def _share(self) -> bool:
        """ "What percentage of orders were cancelled", "the share of North in revenue"."""
        at = next((n for n in range(len(self._pieces)) if self._is_share(n)), -1)
        if at < 0:
            return False
        places = self._filters.clause_places
        whole, part = self._split(at)
        if not part and not whole:
            return False
        if not part:
            part, whole = whole, []
        clauses: list[Clause] = []
        for place in part:
            clause = self._filters.take_back(place)
            if clause is not None and not any(clause is each for each in clauses):
                clauses.append(clause)
        if not clauses:
            return False
        label = " and ".join(self._pieces.pieces[place].text for place in part if place in places)
        measure = self._number_named()
        operation = TableOperation.SUM if measure is not None else TableOperation.COUNT
        self._pieces.use(at, "asks for a share")
        self._query.operation = TableOperation.SHARE
        self._query.measure = measure
        self._query.sides = [
            QuerySide(label, tuple(clauses), measure, operation),
            QuerySide("all", (), measure, operation),
        ]
        return True

    def _is_share(self, at: int) -> bool:
        is_column = (
            isinstance(self._pieces.mention(at), ColumnMention) and self._pieces.pieces[at].score > 1.9
        )
        return self._pieces.word(at) in word_list("tables", "shares") and not is_column

    def _split(self, at: int) -> tuple[list[int], list[int]]:
        """Places of filters on the whole ("of the orders in May") and on the part ("are cancelled")."""
        verb = next(
            (n for n in range(at + 1, len(self._pieces)) if self._is_verb(n) and not self._opens(at, n)),
            len(self._pieces),
        )
        places = sorted(self._filters.clause_places)
        whole = [place for place in places if at < place < verb]
        part = [place for place in places if place > verb]
        if not part:  # "what share of cancelled orders", "the share of North"
            return [], whole or [place for place in places if place < at]
        return whole, part

    def _is_verb(self, at: int) -> bool:
        return self._pieces.first_word(at) in word_list("tables", "verbs_between")

    def _opens(self, at: int, place: int) -> bool:
        return place == at + 1

    # -- two sides -------------------------------------------------------------------------------------

    def _compared(self) -> bool:
        cue, operation = self._cue()
        if operation is None:
            return False
        sides = self._by_function() or self._by_values() or self._by_columns() or self._by_times()
        if len(sides) != 2:
            return False
        self._put(cue, operation, sides)
        return True

    def _cue(self) -> tuple[list[int], TableOperation | None]:
        """The words that ask to hold two sides against one another, and what is asked of them."""
        words = {at: self._pieces.text(at).split() for at in range(len(self._pieces))}
        has_than = any("than" in said for said in words.values())
        is_percent = any(set(said) & word_list("tables", "shares") for said in words.values())
        for at, said in words.items():
            if set(said) & word_list("tables", "changes") and not isinstance(
                self._pieces.mention(at), ColumnMention
            ):
                shares = [n for n, each in words.items() if set(each) & word_list("tables", "shares")]
                return [at, *shares], TableOperation.CHANGE if is_percent else TableOperation.DIFFERENCE
            if said == ["minus"] and isinstance(self._pieces.mention(at), Comparing):
                return [at], TableOperation.DIFFERENCE
            if set(said) & word_list("tables", "gaps"):
                return [at], TableOperation.CHANGE if is_percent else TableOperation.GAP
            if "ratio" in said or ("times" in said and has_than):
                return [at], TableOperation.RATIO
        if not has_than:
            return [], None
        compared = [
            at
            for at, said in words.items()
            if set(said) & word_list("tables", "more", "less") and at not in self._pieces.used
        ]
        if not compared:
            return [], None
        than = [at for at, said in words.items() if "than" in said and at not in compared]
        is_less = bool(set(words[compared[0]]) & word_list("tables", "less"))
        if self._ask == "whether":
            return [*compared, *than], TableOperation.LESS if is_less else TableOperation.MORE
        if self._ask in ("much", "count", "long") or is_percent:
            return [*compared, *than], TableOperation.CHANGE if is_percent else TableOperation.GAP
        return [], None

    def _by_function(self) -> list[QuerySide]:
        """ "the highest and the lowest price"."""
        found = []
        for at in self._pieces.places(Statistic, unused=True):
            function = self._pieces.of(at, Statistic)
            if function is not None and function.is_extreme:
                most = function.name is Calculation.MAX
                operation = TableOperation.MAX if most else TableOperation.MIN
                found.append((at, QuerySide(self._pieces.pieces[at].text, (), None, operation)))
        if len(found) != 2 or found[0][1].operation is found[1][1].operation:
            return []
        measure = self._number_named() or self._day_named()
        if measure is None:
            column, _ = by_adjective(self._query.words, self._pieces.word(found[0][0]))
            measure = column or default_measure(self._query.words)
        if measure is None:
            return []
        for at, _ in found:
            self._pieces.use(at)
        ordered = sorted((side for _, side in found), key=lambda side: side.operation is TableOperation.MIN)
        return [QuerySide(side.label, (), measure, side.operation) for side in ordered]

    def _by_values(self) -> list[QuerySide]:
        """Two texts, or two periods, of one column."""
        places = self._filters.clause_places
        named = [at for at in sorted(places) if isinstance(self._pieces.mention(at), ValueMention | DayRange)]
        for one in named:
            for other in named:
                if one < other and places[one][0].column is places[other][0].column:
                    return self._of_places(one, other)
        return []

    def _by_times(self) -> list[QuerySide]:
        """Two times in one phrase: "from 2019 to 2022", "between May and July 2023"."""
        for at in sorted(self._filters.clause_places):
            if self._pieces.of(at, DayRange) is None:
                continue
            ends = _ENDS.split(self._pieces.text(at))
            texts = [f"in {_LEAD.sub('', end.strip())}" for end in ends]
            times = [
                found[0][2] for text in texts if len(found := find_periods(text, self._filters.today)) == 1
            ]
            if len(times) != 2 or len(ends) != 2:
                continue
            clauses = [self._filters.period_clause(at, time) for time in times]
            measure = self._number_named() or self._by_cue()
            if all(clauses):
                self._filters.take_back(at)
                return [
                    QuerySide(text.removeprefix("in "), (clause,), measure, None)
                    for text, clause in zip(texts, clauses, strict=True)
                ]
        return []

    def _of_places(self, one: int, other: int) -> list[QuerySide]:
        measure = self._number_named() or self._by_cue()
        sides = []
        for at in (one, other):
            clause = self._alone(at)
            sides.append(QuerySide(self._pieces.pieces[at].text, (clause,), measure, None))
        self._filters.take_back(one)
        self._filters.take_back(other)
        return sides

    def _alone(self, at: int) -> Clause:
        """The filter of one place, without texts that were joined to it."""
        clause = self._filters.clause_places[at]
        mention = self._pieces.of(at, ValueMention)
        if mention is None:
            return clause
        columns = [each.column for each in clause]
        options = [option for option in mention.options if any(option.column is c for c in columns)]
        return (
            tuple(
                ColumnFilter(each.column, Operator.EQUAL if len(each.texts) == 1 else Operator.IN, each.texts)
                for each in options
            )
            or clause
        )

    def _by_columns(self) -> list[QuerySide]:
        """Two columns of numbers: "the difference between budget and actual"."""
        found = []
        for at in self._pieces.places(ColumnMention, unused=True):
            column = numeric_of(self._pieces.of(at, ColumnMention))
            if column is not None and column.kind in (ColumnKind.MEASURE, ColumnKind.YEAR):
                found.append((at, column))
        if len(found) < 2 or found[0][1] is found[1][1]:
            return []
        for at, column in found[:2]:
            self._pieces.use(at, f"is the column {column.entry.name}")
        return [QuerySide(column.entry.name, (), column, TableOperation.SUM) for _, column in found[:2]]

    def _by_cue(self) -> ColumnWords | None:
        for at in range(len(self._pieces)):
            column, _ = by_adjective(self._query.words, self._pieces.word(at))
            if column is not None:
                return column
        return None

    def _put(self, cue: list[int], operation: TableOperation, sides: list[QuerySide]) -> None:
        query = self._query
        measure = sides[0].measure
        function = self._asked_function()
        if measure is None and not self._counts():
            measure = default_measure(query.words)
            if measure is not None:
                query.guess(0.25, "", f"compared by {measure.entry.name}, since nothing else is named")
        if measure is not None and measure.kind is ColumnKind.DAY:
            own = TableOperation.MIN
        else:
            own = function or (TableOperation.COUNT if measure is None else TableOperation.SUM)
        made = [
            QuerySide(side.label, side.clauses, side.measure or measure, side.operation or own)
            for side in sides
        ]
        is_change = operation in (TableOperation.CHANGE, TableOperation.DIFFERENCE)
        if is_change and self._goes_forward(made):
            made.reverse()  # "from 2022 to 2023": the later less the earlier
        query.operation, query.measure, query.sides = operation, measure, made
        for at in cue:
            self._pieces.use(at, "holds two sides against one another")
        for at in self._pieces.places((Comparing, Ask), unused=True):
            self._pieces.use(at)
        for at in self._pieces.places(ColumnMention, unused=True):
            if measure is not None and numeric_of(self._pieces.of(at, ColumnMention)) is measure:
                self._pieces.use(at)  # "revenue in May minus revenue in April"
        for at in self._pieces.places(Comparator, unused=True):
            if self._pieces.text(at).split()[-1] in ("than", "between", "to", "with"):
                self._pieces.use(at)

    def _goes_forward(self, sides: list[QuerySide]) -> bool:
        """True where the side named first is what the other is compared with: "from 2022 to 2023"."""
        said = [token.word for token in self._pieces.tokens]
        if "from" in said and "to" in said and said.index("from") < len(said) - 1 - said[::-1].index("to"):
            return True
        first, second = (side.clauses[0][0].values if side.clauses else (side.label,) for side in sides)
        is_than = "than" in said or "over" in said
        return not is_than and "between" in said and first < second

    def _asked_function(self) -> TableOperation | None:
        known = {Calculation.AVG: TableOperation.AVG, Calculation.MEDIAN: TableOperation.MEDIAN,
                 Calculation.SUM: TableOperation.SUM}  # fmt: skip
        for at in self._pieces.places(Statistic, unused=True):
            function = self._pieces.of(at, Statistic)
            if function is not None and function.name in known:
                self._pieces.use(at)
                return known[function.name]
        return None

    def _counts(self) -> bool:
        """True where rows are counted: "how many more orders"."""
        rows = any(True for _ in self._pieces.places(RowMention, unused=True))
        return rows and self._ask == "count"

    def _number_named(self) -> ColumnWords | None:
        for at in self._pieces.places(ColumnMention, unused=True):
            column = numeric_of(self._pieces.of(at, ColumnMention))
            if column is not None and column.kind is ColumnKind.MEASURE:
                self._pieces.use(at, f"is the column {column.entry.name}")
                return column
        return None

    def _day_named(self) -> ColumnWords | None:
        for at in self._pieces.places(ColumnMention, unused=True):
            mention = self._pieces.of(at, ColumnMention)
            column = (
                next((c for c, _ in mention.columns if c.kind is ColumnKind.DAY), None) if mention else None
            )
            if column is not None:
                self._pieces.use(at, f"is the column {column.entry.name}")
                return column
        return None
