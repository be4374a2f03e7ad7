"""Filters out of the values, numbers and days that a question names: each becomes a condition on a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.ir.verbalise import OPERATORS
from core.plan.language.pieces import (
    Comparator,
    Connective,
    Currency,
    DayRange,
    Filler,
    Grouping,
    HavingWord,
    Negator,
    Quantity,
    Statistic,
    UnknownWord,
)
from core.plan.tables.clauses import flag_clause, holds_code, of_texts, said_of
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.measures import numeric_of
from core.plan.tables.mentions import ColumnMention, FlagMention, ValueMention, ValueOption
from core.plan.tables.periods import has_edge_of, negated, period_clause_of, spanning
from core.plan.tables.quantities import chief, fits, written
from core.plan.tables.query import Clause, ColumnFilter, Having, TableQuery
from core.plan.tables.sequence import PieceSequence, is_noun
from core.text.words import word_list

_ORDERED = (
    Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.EQUAL,
    Operator.NOT_EQUAL, Operator.BETWEEN,
)  # fmt: skip
_FLIPPED = {
    Operator.GREATER: Operator.LESS_EQUAL, Operator.GREATER_EQUAL: Operator.LESS,
    Operator.LESS: Operator.GREATER_EQUAL, Operator.LESS_EQUAL: Operator.GREATER,
    Operator.EQUAL: Operator.NOT_EQUAL,
}  # fmt: skip
_THROUGH = frozenset(["to", "through", "thru", "until", "till"])
_SYMMETRIC = 0.3  # of the values of two columns that are the same: whichever of both says a name
_DOUBTED = 0.3
_MOST_ASKED = 8  # names that are asked about


class FilterReader:
    """Reads the filters of one question into its query."""

    def __init__(self, sequence: PieceSequence, query: TableQuery, today: date) -> None:
        self._pieces = sequence
        self._query = query
        self.today = today
        self.meant: Callable[[int, Sequence[ColumnWords]], ColumnWords | None] | None = None
        """Of some columns the one that the words around a place are of; None where nothing can tell."""
        self.clause_places: dict[int, Clause] = {}
        """By the place of a value, a number or a period the clause that was made of it."""

    # -- texts -----------------------------------------------------------------------------------------

    def read_values(self, skip: frozenset[int] = frozenset()) -> None:
        """Conditions of the texts that are named; those of one column joined by "and" or "or" are one."""
        last: tuple[int, ValueOption, bool] | None = None
        for at in list(self._pieces.places(ValueMention, unused=True)):
            if at in skip:
                continue
            mention = self._pieces.of(at, ValueMention)
            assert mention is not None  # as its places say
            is_negated = self._is_negated(at)
            option = self._option(at, mention, last[1] if last is not None else None)
            known = last is not None and last[2] is is_negated and last[1].column is option.column
            if known and last is not None and self._goes_on(last[0], at):
                self._join(last[0], at, option, is_negated)
            else:
                self._add_value(at, mention, option, is_negated)
            last = (at, option, is_negated)
        for at in list(self._pieces.places(FlagMention, unused=True)):
            if at not in skip:
                self._add_flag(at)

    def _goes_on(self, one: int, other: int) -> bool:
        between = [self._pieces.text(at) for at in range(one + 1, other)]
        is_against = len(between) == 1 and between[0] in word_list("tables", "against")
        return self._pieces.joined(one, other) or other == one + 1 or is_against

    def _option(self, at: int, mention: ValueMention, before: ValueOption | None) -> ValueOption:
        """The column that a text is meant in: one beside it, that of the text before, else the first."""
        options = mention.options
        for step in (-1, 1):
            place = self._pieces.near(at, step, _is_column, stops=_stops_column, reach=1)
            if place < 0:
                continue
            named = self._pieces.of(place, ColumnMention)
            columns = [column for column, _ in named.columns] if named is not None else []
            fitting = [option for option in options if any(option.column is each for each in columns)]
            if fitting:
                if (step < 0 and not self._is_asked(place)) or step > 0:
                    self._pieces.use(place)
                return fitting[0]
        if before is not None:
            same = [option for option in options if option.column is before.column]
            if same:
                return same[0]
        whole = [option for option in options if not option.is_part] or list(options)
        own = [option for option in whole if option.column.table is self._query.words.table] or whole
        return own[0]

    def _is_asked(self, place: int) -> bool:
        """True where a column is what is asked for: "which city ..."."""
        before = self._pieces.text(place - 1)
        return before in ("which", "what", "name", "list", "which of the", "whose", "how many", "number of")

    def _is_vague(self, at: int, option: ValueOption) -> bool:
        """True where a part of a name may be that of several: "Omar"; and asks which."""
        piece = self._pieces.pieces[at]
        if not (option.is_part and 1 < len(option.texts) <= _MOST_ASKED) or piece.text.endswith("s"):
            return False
        is_name = bool(set(option.column.words) & word_list("tables", "named_persons", "named_sellers"))
        if not is_name and self._pieces.word(at - 1) != "the":
            return False
        self._query.ambiguous = (piece.text, option.texts)
        return True

    def _is_stuff(self, at: int, option: ValueOption) -> bool:
        """ "Spent on tires": what money is spent on is no part of the name of whom it is paid to."""
        before = self._pieces.words_between(at - 1, at) or [self._pieces.word(at - 1)]
        is_name = bool(set(option.column.words) & word_list("tables", "named_persons", "named_sellers"))
        return (
            option.is_part
            and is_name
            and self._pieces.pieces[at].text.islower()
            and before[-1] in ("on", "for")
        )

    def _add_value(self, at: int, mention: ValueMention, option: ValueOption, is_negated: bool) -> None:
        self._is_vague(at, option)
        if self._is_stuff(at, option):
            self._query.uncovered.append(self._pieces.pieces[at].text)
            name = option.column.entry.name
            self._pieces.use(at, f"read as a part of what stands in {name}: {' or '.join(option.texts)}")
        options = [option]
        same = [each for each in mention.options if each.is_part is option.is_part and not each.is_total]
        if (
            not is_negated
            and len(same) > 1
            and option in same
            and option.column.table is same[0].column.table
        ):
            others = [
                each for each in same if each is not option and _are_symmetric(each.column, option.column)
            ]
            options += [each for each in others if each.column.table is option.column.table]
            if len(options) == 1:
                self._query.doubt += _DOUBTED / 2
        clause = tuple(of_texts(each, is_negated) for each in options)
        self._put(at, clause)
        if option.is_total:
            self._query.with_totals = True

    def _join(self, first: int, at: int, option: ValueOption, is_negated: bool) -> None:
        """Another text of the same column."""
        clause = self.clause_places[first]
        own = next((each for each in clause if each.column is option.column), None)
        if own is None or is_negated or own.op is Operator.NOT_EQUAL:
            self._put(at, (of_texts(option, is_negated),))
            return
        texts = tuple(dict.fromkeys((*own.values, *option.texts)))
        widened = replace(own, op=Operator.IN, values=texts)
        self._replace(clause, tuple(widened if each is own else each for each in clause))
        self.clause_places[at] = self.clause_places[first]
        self._pieces.use(at, said_of(widened))

    def _replace(self, old: Clause, new: Clause) -> None:
        self._query.clauses = [new if each is old else each for each in self._query.clauses]
        for place, clause in self.clause_places.items():
            if clause is old:
                self.clause_places[place] = new

    def _add_flag(self, at: int) -> None:
        mention = self._pieces.of(at, FlagMention)
        assert mention is not None  # as its places say
        holds = mention.holds is not (self._is_negated(at) or self._is_undone(at))
        if mention.column.kind is ColumnKind.DAY:
            if not holds:
                self._put(at, (ColumnFilter(mention.column, Operator.MISSING),))
            return
        clause = flag_clause(mention.column, holds)
        if clause is not None:
            self._put(at, clause)

    def _is_negated(self, at: int) -> bool:
        """True where "not", "other than" or "except" stands before, with no more than a column between."""
        place = self._pieces.near(
            at,
            -1,
            lambda m: isinstance(m, Negator),
            stops=lambda m: not isinstance(m, Filler | ColumnMention) and m != Connective("but"),
            reach=1,
        )
        if place < 0:
            return self._negated_with(at)
        self._pieces.use(place, "leaves these out")
        return True

    def _is_undone(self, at: int) -> bool:
        """ "Have not had their acid", "didn't take his tablets": "not" stands before what is done."""
        place = self._pieces.near(
            at,
            -1,
            lambda m: isinstance(m, Negator),
            stops=lambda m: not isinstance(m, Filler | UnknownWord | HavingWord | Grouping),
            reach=2,
        )
        if place < 0 or place in self._pieces.used:
            return False
        for each in range(place, at):
            self._pieces.use(each, "says that it is not so" if each == place else "")
        return True

    def _negated_with(self, at: int) -> bool:
        """ "not in X or Y": the text before is negated, and goes on here."""
        before = self._pieces.before(at, over=(Filler, Connective))
        return (
            before in self.clause_places
            and self._pieces.joined(before, at)
            and any(each.op is Operator.NOT_EQUAL for each in self.clause_places[before])
        )

    # -- numbers ---------------------------------------------------------------------------------------

    def read_numbers(self, default: ColumnWords | None, skip: frozenset[int] = frozenset()) -> None:
        """Conditions of numbers; default: the column that a number without one is compared with."""
        for at in list(self._pieces.places(Comparator, unused=True)):
            if at not in skip and at not in self._pieces.used:
                self._compared(at, default)
        for at in list(self._pieces.places(Quantity, unused=True)):
            if at not in skip and at not in self._pieces.used:
                self._bare(at)
        for at in list(self._pieces.places(Statistic, unused=True)):
            self._averaged(at, default)
        for at in list(self._pieces.places(UnknownWord, unused=True)):
            self._signed(at, default)

    def _compared(self, at: int, default: ColumnWords | None) -> None:
        """ "more than 500 kg", "amount over 500", "500 or more"."""
        comparator = self._pieces.of(at, Comparator)
        assert comparator is not None  # as its places say
        first = self._pieces.after(at, over=(Filler,))
        behind = self._pieces.before(at, over=(Filler,))
        if self._pieces.of(first, Quantity) is None:
            if comparator.op is Operator.EQUAL:
                return
            if self._pieces.of(behind, Quantity) is not None and behind not in self._pieces.used:
                first = behind  # "500 or more"
            else:
                return
        places = [first]
        if comparator.op is Operator.BETWEEN:
            second = self._pieces.after(first, over=(Filler, Connective))
            if self._pieces.of(second, Quantity) is None:
                return
            places.append(second)
        op = comparator.op
        negator = self._pieces.before(at, over=(Filler,))
        if isinstance(self._pieces.mention(negator), Negator) and op in _FLIPPED:
            op = _FLIPPED[op]
            self._pieces.use(negator, "turns the comparison round")
        quantities = [q for place in places if (q := self._pieces.of(place, Quantity)) is not None]
        if op not in _ORDERED:
            return
        counted = self._counted(places[-1])
        column = None if counted else self._column_for(at, places, quantities, comparator.hint)
        if column is None and not counted:
            fitting = [c for c in self._query.words.columns if c.is_number and fits(quantities[0], c)]
            column = (self.meant(at, fitting) if self.meant is not None else None) or default
        if column is None and not counted:
            return
        values = tuple(written(each, column) for each in quantities)
        if counted:
            self._query.having = Having(op, values)
            said = f"{OPERATORS[op].form} {' and '.join(values)} of them"
        else:
            assert column is not None  # as above
            found = ColumnFilter(column, op, values)
            self._put(places[0], (found,), uses=False)
            said = said_of(found)
        for place in (at, *places):
            self._pieces.use(place, said)

    def _counted(self, at: int) -> bool:
        """True where rows or texts of a column are counted: "more than 3 orders", "at least two medals"."""
        place = self._pieces.after(at, over=(Filler,))
        mention = self._pieces.mention(place)
        if isinstance(mention, ColumnMention):
            numbers = [column for column, _ in mention.columns if column.is_number]
            return not numbers and self._pieces.word(place).endswith("s")
        if is_noun(mention) and self._pieces.word(place).endswith("s"):
            return True
        return self._pieces.text(place) in ("times", "time")

    def _column_for(
        self, at: int, places: Sequence[int], quantities: Sequence[Quantity], hint: str
    ) -> ColumnWords | None:
        quantity = next((each for each in quantities if each.value.unit), quantities[0])
        unit = self._unit_behind(places[-1])
        if unit is not None:
            return unit
        same = self._of_same_unit(quantity)
        if same is not None:
            return same
        behind = self._pieces.near(places[-1], 1, _is_column, stops=_stops_number, reach=0)
        column = self._numeric(behind, quantity)
        if column is not None:
            self._pieces.use(behind)
            return column
        before = self._pieces.near(at, -1, _is_column, stops=_stops_number, reach=2)
        column = self._numeric(before, quantity)
        if column is not None:
            if not self._is_asked(before):
                self._pieces.use(before)
            return column
        return self._by_unit(quantity) or self._by_hint(hint)

    def _of_same_unit(self, quantity: Quantity) -> ColumnWords | None:
        """The only column in the unit that is said: "dockets of 250 kg" are of kilos, and not of dockets."""
        unit = quantity.value.unit.casefold()
        if not unit or quantity.value.type is not FieldType.NUMBER:
            return None
        same = [c for c in self._query.words.columns if c.is_number and c.unit == unit]
        plain = [c for c in same if c.entry.name.casefold().strip() == unit]
        return (plain or same)[0] if len(plain or same) == 1 else None

    def _unit_behind(self, at: int) -> ColumnWords | None:
        """The column whose unit stands behind a number: "100000 km"."""
        place = at + 1
        if not isinstance(self._pieces.mention(place), UnknownWord):
            return None
        said = self._pieces.text(place)
        found = [
            c for c in self._query.words.columns if c.is_number and c.unit in (said, said.removesuffix("s"))
        ]
        if len(found) != 1:
            return None
        self._pieces.use(place, f"is the unit of {found[0].entry.name}")
        return found[0]

    def _numeric(self, place: int, quantity: Quantity) -> ColumnWords | None:
        named = self._pieces.of(place, ColumnMention)
        columns = [column for column, _ in named.columns if column.is_number] if named is not None else []
        return next((column for column in columns if fits(quantity, column)), None)

    def _by_unit(self, quantity: Quantity) -> ColumnWords | None:
        value = quantity.value
        columns = [column for column in self._query.words.columns if column.is_number]
        if value.type is FieldType.MONEY:
            money = [c for c in columns if c.entry.type is FieldType.MONEY and fits(quantity, c)]
            return money[0] if len(money) == 1 else chief(money)
        if value.type is FieldType.NUMBER and value.unit:
            united = [c for c in columns if c.entry.unit and fits(quantity, c)]
            same = [c for c in united if c.entry.unit.casefold() == value.unit.casefold()]
            return (same or united)[0] if len(same or united) == 1 else None
        if value.type is FieldType.DURATION:
            timed = [c for c in columns if fits(quantity, c)]
            return timed[0] if len(timed) == 1 else None
        return None

    def _by_hint(self, hint: str) -> ColumnWords | None:
        known = self._query.words.called(hint) if hint else []
        return next((column for column, _ in known if column.is_number), None)

    def _bare(self, at: int) -> None:
        """A number that nothing compares: it stands beside its column, or only one column has it."""
        quantity = self._pieces.of(at, Quantity)
        assert quantity is not None  # as its places say
        behind = self._pieces.after(at, over=(Filler,))
        before = self._pieces.before(at, over=(Filler,))
        if any(isinstance(self._pieces.mention(place), Comparator) for place in (behind, before)):
            return  # it is compared with something, and nobody knows with what
        column = None
        for place in (behind, before):
            is_near = place >= 0 and abs(place - at) <= 2
            column = self._numeric(place, quantity) if is_near else None
            if column is not None and not (place == before and self._is_asked(place)):
                self._pieces.use(place)
                break
            column = None
        column = column or self._by_unit(quantity) or self._holding(quantity)
        if column is None:
            return
        self._put(at, (ColumnFilter(column, Operator.EQUAL, (written(quantity, column),)),))

    def _holding(self, quantity: Quantity) -> ColumnWords | None:
        """The only column with a number; a year is looked for among years."""
        text = quantity.value.text
        holding = [c for c in self._query.words.columns if c.is_number and text in c.entry.numbers]
        years = [c for c in holding if c.kind is ColumnKind.YEAR]
        chosen = years or holding
        if len(chosen) == 1 and (len(text) > 1 or chosen[0].kind is ColumnKind.PLACE):
            self._query.doubt += _DOUBTED
            return chosen[0]
        return None

    def _signed(self, at: int, default: ColumnWords | None) -> None:
        """ "A negative return"."""
        word = self._pieces.text(at)
        is_below = word in word_list("tables", "negative")
        if not is_below and word not in word_list("tables", "positive"):
            return
        place = self._pieces.near(at, 1, _is_column, stops=_stops_number, reach=1)
        place = place if place >= 0 else self._pieces.near(at, -1, _is_column, stops=_stops_number, reach=2)
        column = numeric_of(self._pieces.of(place, ColumnMention)) or default
        if column is not None:
            op = Operator.LESS if is_below else Operator.GREATER
            unit = column.entry.unit if column.entry.type is FieldType.MONEY else ""
            self._put(at, (ColumnFilter(column, op, (f"0 {unit}".strip(),)),))
            if place >= 0:
                self._pieces.use(place)

    def _averaged(self, at: int, default: ColumnWords | None) -> None:
        """ "above average": compared with what the column comes to over all."""
        computed = self._pieces.of(at, Statistic)
        before = self._pieces.before(at, over=(Filler,))
        comparator = self._pieces.of(before, Comparator)
        is_middle = computed is not None and computed.name in (Calculation.AVG, Calculation.MEDIAN)
        if comparator is None or not is_middle or before in self._pieces.used:
            return
        place = self._pieces.near(at, 1, _is_column, stops=_stops_number, reach=1)
        if place < 0:
            place = self._pieces.near(before, -1, _is_column, stops=_stops_number, reach=2)
        named = self._pieces.of(place, ColumnMention)
        numeric = [c for c, _ in named.columns if c.is_number] if named is not None else []
        column = next(iter(numeric), default)
        if computed is None or column is None:
            return
        name = "median" if computed.name is Calculation.MEDIAN else "avg"
        self._put(at, (ColumnFilter(column, comparator.op, average=name),))
        for each in (before, place):
            if each >= 0:
                self._pieces.use(each)

    # -- days ------------------------------------------------------------------------------------------

    def read_periods(self, skip: frozenset[int] = frozenset()) -> None:
        """Conditions of days, months and years."""
        last = -1
        for at in list(self._pieces.places(DayRange, unused=True)):
            if at in skip or self._is_ongoing(at):
                continue
            period = self._pieces.of(at, DayRange)
            assert period is not None  # as its places say
            clause = self.period_clause(at, period)
            if not clause:
                continue
            known = self.clause_places.get(last, ())
            same = bool(known) and known[0].column is clause[0].column
            if same and set(self._pieces.words_between(last, at)) & _THROUGH:
                self._replace(known, spanning(known, clause))  # "July through September"
                self.clause_places[at] = self.clause_places[last]
                self._pieces.use(at, " or ".join(said_of(each) for each in self.clause_places[at]))
            elif last >= 0 and same and self._pieces.joined(last, at):
                self._replace(known, (*known, *clause))  # "in July or August"
                self.clause_places[at] = self.clause_places[last]
                self._pieces.use(at, " or ".join(said_of(each) for each in clause))
            else:
                self._put(at, clause)
            last = at

    def _is_ongoing(self, at: int) -> bool:
        """ "Right now": something goes on, and no day is said."""
        return self._pieces.word(at) in word_list("tables", "lasting")

    def period_clause(self, at: int, period: DayRange) -> Clause:
        """The condition of a period, on the column of days beside it, or the first; () for none."""
        columns = self._dated(at)
        if not columns:
            return ()
        column = columns[0]
        if len(columns) > 1:
            self._query.guess(0.2, self._pieces.pieces[at].text, f"taken by {column.entry.name}")
        found = period_clause_of(column, period, self._pieces.text(at), self.today)
        before = self._pieces.before(at, over=(Filler,))
        if found and isinstance(self._pieces.mention(before), Negator):
            self._pieces.use(before, "leaves these out")
            found = negated(found)
        return found

    def _dated(self, at: int) -> list[ColumnWords]:
        words = self._query.words
        kinds = (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)
        for step in (-1, 1):
            place = self._pieces.near(at, step, _is_dated, stops=_stops_day, reach=1)
            named = self._pieces.of(place, ColumnMention)
            if named is not None:
                if not self._is_asked(place):
                    self._pieces.use(place)
                return [column for column, _ in named.columns if column.kind in kinds][:1]
        period = self._pieces.of(at, DayRange)
        columns = words.of_kind(*kinds)
        if period is not None:
            columns = [c for c in columns if has_edge_of(c, period)] or columns
        if self.meant is not None and (told := self.meant(at, columns)) is not None:
            return [told]
        for kind in kinds:
            found = [column for column in columns if column.kind is kind]
            if found:
                return found
        return []

    # -- units -----------------------------------------------------------------------------------------

    def read_currencies(self) -> None:
        """ "in euros": amounts of that currency; nothing where all are in it."""
        for at in list(self._pieces.places(Currency, unused=True)):
            currency = self._pieces.of(at, Currency)
            money = [c for c in self._query.words.columns if c.entry.type is FieldType.MONEY]
            if currency is None:
                continue
            coded = next((c for c in self._query.words.columns if holds_code(c, currency.code)), None)
            if not any(currency.code in c.entry.units for c in money) and coded is not None:
                op = Operator.NOT_EQUAL if self._is_negated(at) else Operator.EQUAL
                self._put(at, (ColumnFilter(coded, op, (currency.code,)),))
                continue
            if not money:
                continue
            column = self._query.measure if self._query.measure in money else money[0]
            assert column is not None  # one of the columns of money
            if column.entry.units == (currency.code,):
                self._pieces.use(at, f"{column.entry.name} is in {currency.code}")
            elif currency.code in column.entry.units:
                is_out = self._is_negated(at)
                op = Operator.NOT_EQUAL if is_out else Operator.EQUAL
                self._put(at, (ColumnFilter(column, op, (currency.code,), aspect="unit"),))

    # -- what was read ---------------------------------------------------------------------------------

    def put(self, at: int, clause: Clause) -> None:
        """A clause that something else read at a place."""
        self._put(at, clause)

    def replace_both(self, one: Clause, other: Clause) -> None:
        """Two clauses as one, of which either part is enough."""
        both = (*one, *other)
        self._query.clauses = [
            both if each is one else each for each in self._query.clauses if each is not other
        ]
        for place, clause in self.clause_places.items():
            if clause is one or clause is other:
                self.clause_places[place] = both

    def _put(self, at: int, clause: Clause, *, uses: bool = True) -> None:
        self._query.clauses.append(clause)
        self.clause_places[at] = clause
        if uses:
            self._pieces.use(at, " or ".join(said_of(each) for each in clause))

    def take_back(self, at: int) -> Clause | None:
        """The clause of a place, which something else needs; it is no filter of the whole any more."""
        clause = self.clause_places.get(at)
        if clause is not None:
            self._query.clauses = [each for each in self._query.clauses if each is not clause]
        return clause


def _are_symmetric(one: ColumnWords, other: ColumnWords) -> bool:
    """True where two columns hold the same kind of names: home and away teams."""
    mine, others = set(one.entry.texts), set(other.entry.texts)
    return len(mine & others) >= max(2, _SYMMETRIC * min(len(mine), len(others)))


def _is_column(mention: object) -> bool:
    return isinstance(mention, ColumnMention)


def _is_dated(mention: object) -> bool:
    kinds = (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)
    return isinstance(mention, ColumnMention) and any(column.kind in kinds for column, _ in mention.columns)


def _stops_column(mention: object) -> bool:
    return isinstance(mention, ValueMention | Quantity | DayRange | Connective)


def _stops_number(mention: object) -> bool:
    return isinstance(mention, Quantity | DayRange | Comparator)


def _stops_day(mention: object) -> bool:
    return isinstance(mention, DayRange | Quantity | ValueMention)
