"""Groups and orders of a question: "per region", "the largest", "top 5 by revenue", "the second highest"."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.annotation import Calculation
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Aspect,
    Comparator,
    Connective,
    Filler,
    Grouping,
    HavingWord,
    Ordering,
    Quantity,
    Statistic,
    Top,
    UnknownWord,
)
from core.plan.tables.context import TableQuestion
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import adjective_of, by_adjective
from core.plan.tables.mentions import ColumnMention, MentionedTable, RowMention, ValueMention
from core.plan.tables.query import ChosenOrder, ColumnFilter, GroupBy, said_of_key
from core.text.words import word_list
from core.values.numbers import parse_ordinal

_BEST = {"best": True, "worst": False, "top": True, "bottom": False}
_OF_TIME = frozenset(["earlier", "later", "older", "younger", "sooner"])
_DATED = (ColumnKind.DAY, ColumnKind.YEAR)
_RANKED = (ColumnKind.MEASURE, ColumnKind.PLACE)
_AGES = ("old", "young", "new", "early", "late", "recent")
_MOST_WANTED = 1_000


class OrderReader:
    """Reads groups and orders into the query of a question."""

    def __init__(self, question: TableQuestion) -> None:
        self._question = question
        self._pieces = question.pieces
        self._words = question.words
        self._query = question.query

    def read(self) -> None:
        """All of them."""
        self._groups()
        self._extremes()
        self._either_or()
        self._place()

    # -- groups ----------------------------------------------------------------------------------------

    def _groups(self) -> None:
        """ "per region", "by month and product", "for each customer", "monthly"."""
        for at in list(self._pieces.places(Grouping, unused=True)):
            place = self._pieces.after(at, over=(Filler, HavingWord))
            if isinstance(self._pieces.mention(place), RowMention | MentionedTable):
                further = self._pieces.after(place, over=(Filler,))
                is_column = isinstance(self._pieces.mention(further), ColumnMention) and further == place + 1
                place = further if is_column else place  # "each fuel station"
            while place >= 0:
                group = self._group(place, self._pieces.text(at))
                if group is None:
                    self._not_divided(at, place)
                    break
                self._pieces.use(at, "asks for a result for each")
                self._pieces.use(place, f"for each {said_of_key(group.key)}")
                self._query.groups.append(group)
                joined = self._pieces.after(place, over=(Filler,))
                if not isinstance(self._pieces.mention(joined), Connective):
                    break
                place = self._pieces.after(joined, over=(Filler,))

    def _not_divided(self, at: int, place: int) -> None:
        """ "Per kilometre" would divide, which no column does: that is not covered."""
        mention = self._pieces.of(place, ColumnMention)
        is_measure = mention is not None and mention.first.kind is ColumnKind.MEASURE
        if self._pieces.text(at) == "per" and is_measure and place == at + 1:
            self._query.uncovered.append(f"{self._pieces.pieces[at].text} {self._pieces.pieces[place].text}")
            self._pieces.use(at)
            self._pieces.use(place)

    def _group(self, place: int, said: str) -> GroupBy | None:
        aspect = self._pieces.of(place, Aspect)
        if aspect is not None and aspect.name != "unit":
            day = next(iter(self._words.of_kind(ColumnKind.DAY)), None)
            return GroupBy(day, aspect.name) if day is not None else None
        mention = self._pieces.of(place, ColumnMention)
        if mention is None:
            return None
        column = next((c for c, _ in mention.columns if c.kind is not ColumnKind.MEASURE), None)
        if column is None or (mention.first.kind in _RANKED and said.endswith("by")):
            return None  # "by amount" orders
        if column.kind is ColumnKind.DAY:
            word = self._pieces.word(place)
            return GroupBy(column, word if word in ("month", "quarter", "year") else "")
        return GroupBy(column)

    # -- orders ----------------------------------------------------------------------------------------

    def _extremes(self) -> None:
        for at in list(self._pieces.places(Top, unused=True)):
            top = self._pieces.of(at, Top)
            if top is not None and self._query.order is None:
                self._put(at, top.count or None, top.descending, top.of_time, top.hint)
        for at in list(self._pieces.places(Statistic, unused=True)):
            function = self._pieces.of(at, Statistic)
            if function is not None and function.is_extreme and self._query.order is None:
                most = function.name is Calculation.MAX
                self._put(at, self._count_beside(at), most, function.of_time, function.hint)
        for at in list(self._pieces.places((UnknownWord, Filler), unused=True)):
            word = self._pieces.word(at)
            is_extreme = word in _BEST or (word.endswith("est") and adjective_of(word) is not None)
            if is_extreme and self._query.order is None:
                self._put(at, self._count_beside(at), _BEST.get(word), False, "")
        self._sorted()

    def _sorted(self) -> None:
        """ "sorted by date", and the column behind "by" of "top 5 by revenue"."""
        for at in list(self._pieces.places((Ordering, Grouping), unused=True)):
            is_by = self._pieces.text(at) in ("by", "according to")
            place = self._pieces.after(at, over=(Filler,))
            mention = self._pieces.of(place, ColumnMention)
            if mention is None or not (is_by or isinstance(self._pieces.mention(at), Ordering)):
                continue
            column = mention.first
            if is_by and self._query.order is None and column.kind not in _RANKED:
                continue
            known, is_place = self._query.order, column.kind is ColumnKind.PLACE
            down = known.descending if known is not None else column.is_number and not is_place
            limit, skip = (known.limit, known.skip) if known is not None else (None, 0)
            self._query.order = ChosenOrder(column, down, limit, skip)
            self._pieces.use(at, "asks for an order")
            self._pieces.use(place, f"ordered by {column.entry.name}")

    def _count_beside(self, at: int) -> int:
        """How many are wanted: "the 5 largest", "three highest"; 1 where it does not say."""
        beside = (self._pieces.after(at, over=(Filler,)), self._pieces.before(at, over=(Filler,)))
        asked = next((p for p in self._pieces.places(Quantity, unused=True) if self._counts_nouns(p)), -1)
        for place in (*beside, asked):
            quantity = self._pieces.of(place, Quantity)
            is_near = abs(place - at) <= 2 or place == asked
            if quantity is not None and place not in self._pieces.used and is_near:
                number = quantity.value.text
                if number.isdigit() and 0 < int(number) <= _MOST_WANTED and not quantity.value.unit:
                    self._pieces.use(place, f"asks for {number}")
                    return int(number)
        return 1

    def _counts_nouns(self, at: int) -> bool:
        """ "Which two suppliers": a number before what is asked for."""
        mention = self._pieces.mention(at + 1)
        is_noun = isinstance(mention, ColumnMention | RowMention) and self._pieces.word(at + 1).endswith("s")
        return is_noun and isinstance(self._pieces.mention(at - 1), Ask | Filler)

    def _put(self, at: int, count: int | None, descending: bool | None, of_time: bool, hint: str) -> None:
        column, most = self._measured(at, of_time, hint)
        adjective = adjective_of(self._pieces.word(at))
        if descending is None or (adjective is not None and adjective[0] in _AGES and column is not None):
            descending = most if descending is None or column is None or not of_time else descending
            if adjective is not None and column is not None and column.kind is ColumnKind.MEASURE:
                descending = most
        if column is not None and column.kind is ColumnKind.PLACE and self._pieces.first_word(at) in _BEST:
            descending = not _BEST[self._pieces.first_word(at)]  # the best of all stands at place 1
        skip = self._ordinal(at)
        self._pieces.use(at, "says which come first")
        self._query.order = ChosenOrder(column, descending, count, skip)

    def _ordinal(self, at: int) -> int:
        """How many come before: "the second highest"."""
        place = self._pieces.before(at, over=())
        number = parse_ordinal(self._pieces.text(place)) if place >= 0 else None
        if number is not None and number > 1:
            self._pieces.use(place, "counts from the first")
            return number - 1
        return 0

    def _measured(self, at: int, of_time: bool, hint: str) -> tuple[ColumnWords | None, bool]:
        """The column that an extreme is of, and whether its greatest value is meant."""
        word = self._pieces.word(at)
        if of_time:
            column, most = by_adjective(self._words, word)
            named = self._near(at, lambda c: c.kind in (*_DATED, ColumnKind.PLACE))
            days = [*self._words.of_kind(ColumnKind.DAY), *self._words.of_kind(ColumnKind.YEAR)]
            return named or column or next(iter(days), None), most
        column, most = by_adjective(self._words, word)
        named = self._near(at, lambda c: c.kind in _RANKED, sure=column is not None)
        if named is not None:
            return named, most
        if column is not None:
            return column, most
        known = self._words.called(hint) if hint else []
        return next((c for c, _ in known if c.is_number), None), most

    def _near(
        self, at: int, fits: Callable[[ColumnWords], bool], *, sure: bool = False
    ) -> ColumnWords | None:
        """The column behind an extreme, or else one named before it, that is computed with.

        sure: another column is at hand, so that only one that is named by itself counts.
        """
        behind = [p for p in self._pieces.places(ColumnMention, unused=True) if p > at]
        before = [p for p in self._pieces.places(ColumnMention, unused=True) if p < at]
        places = sorted((*behind, *reversed(before)), key=self._is_alias)
        for place in places:
            mention = self._pieces.of(place, ColumnMention)
            if mention is None:
                continue
            best = mention.columns[0][1]
            column = next((c for c, w in mention.columns if fits(c) and w >= best - 0.35), None)
            if column is not None and (not sure or best >= 0.9):
                if self._is_text_better(place, mention):
                    continue
                self._pieces.use(place, f"is the column {column.entry.name}")
                return column
        return None

    def _is_alias(self, place: int) -> bool:
        mention = self._pieces.of(place, ColumnMention)
        return mention is None or mention.columns[0][1] < 0.9

    def _is_text_better(self, place: int, mention: ColumnMention) -> bool:
        """True where words rather name a column of texts, as in "which product"."""
        return not mention.first.is_number and mention.columns[0][1] >= 0.9

    def _either_or(self) -> None:
        """ "which has more gold, Spain or Italy": the first of the sides by their value."""
        if self._query.order is not None or self._question.ask == "whether":
            return
        if self._question.compared_column() is None and not self._joined_by_or():
            return
        for at in range(len(self._pieces)):
            word = self._pieces.first_word(at)
            is_open = at not in self._pieces.used or isinstance(self._pieces.mention(at), Filler | Comparator)
            is_comparative = word in word_list("tables", "more", "less") or word in _OF_TIME
            if not is_open or not is_comparative:
                continue
            column, most = self._measured(at, word in _OF_TIME, "")
            if adjective_of(word) is None or column is None or column.kind is ColumnKind.MEASURE:
                most = word not in word_list("tables", "less")
            self._pieces.use(at, "says which of them is wanted")
            self._query.order = ChosenOrder(column, most, 1)
            return

    def _joined_by_or(self) -> bool:
        joined = [at for at in self._pieces.places(Connective) if self._pieces.text(at) == "or"]
        clauses = self._question.filters.clause_places
        named = [at for at in clauses if isinstance(self._pieces.mention(at), ValueMention)]
        return any(a < at < b for a in named for b in named for at in joined)

    # -- places ----------------------------------------------------------------------------------------

    def _place(self) -> None:
        """ "who is third", "the second row", "the 5th order": by rank, or by where rows stand."""
        if self._query.order is not None:
            return
        for at in list(self._pieces.places((UnknownWord, Filler), unused=True)):
            number = parse_ordinal(self._pieces.text(at))
            if number is None or number > _MOST_WANTED:
                continue
            ranks = self._words.of_kind(ColumnKind.PLACE)
            if ranks:
                clause = (ColumnFilter(ranks[0], Operator.EQUAL, (str(number),)),)
                self._query.clauses.append(clause)
                self._pieces.use(at, f"{ranks[0].entry.name} is {number}")
            else:
                self._query.order = ChosenOrder(None, False, 1, number - 1)
                self._pieces.use(at, f"the row at place {number}")
            return
