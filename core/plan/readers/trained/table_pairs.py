"""Two tables that a question is about, whose rows go together by one column of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry, TableEntry, TablePart, column_key
from core.plan.readers.trained.condition_values import content_words
from core.plan.readers.trained.reading import QuestionReading, ReadSpan, SpanRole
from core.plan.readers.trained.tables_meant import (
    Found,
    TableMeant,
    TableWords,
    Terms,
    name_terms,
    table_index,
)
from core.plan.reading import Function, Operation, ReadCondition, ReadField, Step
from core.text.analyse import text_terms
from core.text.words import word_groups

_ASKED = word_groups("checks", "asked")
_MOST_OUTSIDE = 0.2  # of the values of a column, that its key may lack
_LEAST_VALUES = 2
_LEAST_SAME = 5  # values of two columns with the same ones, from which on these need not be called alike
_SURE_LINK = 0.7  # probability of a column from which on a table says words that do not call it
_ADDED = (Operation.COMPUTE, Operation.GROUP)


@dataclass(frozen=True, slots=True)
class Side:
    """One of two tables. key: its column that says what that of the other says; sheets: its own names."""

    table: TableEntry
    parts: tuple[TablePart, ...]
    key: ColumnEntry
    words: TableWords
    sheets: Terms = frozenset()

    def has(self, name: str) -> bool:
        """True where it has a column of that name."""
        return any(column.key == column_key(name) for column in self.table.columns)


@dataclass(frozen=True, slots=True)
class TablePair(TableMeant):
    """Two tables as one with the columns of both. one: that of which each row of the other names one.

    share: of the values of the other's key that stand in its own. is_even: so does each row of the one.
    told: words that only the table surely says which is not meant first.
    """

    many: Side
    one: Side
    share: float
    is_even: bool
    told: tuple[str, ...] = ()

    def side_of(self, name: str) -> Side | None:
        """The table that has a column; None of the keys, which say the same in both."""
        if column_key(name) in (self.many.key.key, self.one.key.key):
            return None
        return self.many if self.many.has(name) else self.one

    def is_in_both(self, name: str) -> bool:
        """True of a column that each has, and that says other things in each."""
        is_key = column_key(name) == self.many.key.key == self.one.key.key
        return self.many.has(name) and self.one.has(name) and not is_key


@dataclass(frozen=True, slots=True)
class _Key:
    many: ColumnEntry
    one: ColumnEntry
    share: float
    is_alike: bool


def pair_meant(reading: QuestionReading, meant: TableMeant, catalogue: Catalogue) -> TablePair | None:
    """The table that a question is about with the one that says most of what it does not; None for no such.

    A table says what stands in its cells or is called as its columns or sheets are. Exactly one has to say
    most, and to go together with the first by exactly one column of each.
    """
    if reading.operation is Operation.COMPARE:
        return None
    index = table_index(catalogue)
    own = meant.words.find(reading.question)
    said = text_terms(reading.question)
    found: list[tuple[float, TablePair]] = []
    for table, words in zip(catalogue.rows_by_sql, index.words, strict=True):
        if words is meant.words or index.sheets.isdisjoint(table.documents):
            continue
        more = [each for each in words.find(reading.question) if not any(map(each.touches, own))]
        linked = [each for each in reading.spans if _is_linked(each, table, meant.table, (*own, *more))]
        worth = len(more) + len(linked) + 0.5 * bool(said & (words.sheets - meant.words.sheets))
        made = _pair(meant, table, words) if worth else None
        if made is not None:
            cells = (each for each in more if each.role is SpanRole.VALUE and not each.column.affirmed)
            said_so = (reading.question[each.start : each.end] for each in cells)
            found.append((worth, replace(made, told=(*said_so, *map(reading.text, linked)))))
    most = max((worth for worth, _ in found), default=0.0)
    best = [pair for worth, pair in found if worth == most]
    return best[0] if len(best) == 1 else None


def _is_linked(span: ReadSpan, table: TableEntry, first: TableEntry, found: Sequence[Found]) -> bool:
    """True of words that surely mean a column of a table which the first has not, and call none."""
    own = {column.key for column in first.columns}
    link = next((each for each in span.links if not each.schema), None)
    if link is None or link.probability < _SURE_LINK or any(each.touches(span) for each in found):
        return False
    key = column_key(link.field)
    return key not in own and any(column.key == key for column in table.columns)


def _pair(meant: TableMeant, table: TableEntry, words: TableWords) -> TablePair | None:
    forth, back = _keys(meant.table, table), _keys(table, meant.table)
    keys = forth or back
    if len(keys) > 1:
        keys = [each for each in keys if each.is_alike]
    if len(keys) != 1:
        return None
    (key,) = keys
    ours, theirs = (key.many, key.one) if forth else (key.one, key.many)
    left = Side(meant.table, meant.parts, ours, meant.words, meant.words.sheets - words.sheets)
    right = Side(table, table.parts, theirs, words, words.sheets - meant.words.sheets)
    many, one = (left, right) if forth else (right, left)
    own = {column.key for column in many.table.columns}
    both = TableEntry(
        (*many.table.columns, *(each for each in one.table.columns if each.key not in own)),
        tuple(dict.fromkeys((*many.table.documents, *one.table.documents))),
        rows=many.table.rows,
        parts=(*many.parts, *one.parts),
    )
    added, cells = (
        {terms: each for terms, each in found.items() if each[0].key not in own}
        for found in (one.words.columns, one.words.cells)
    )
    called = (*many.words.called, *one.words.called)
    together = TableWords(cells | many.words.cells, added | many.words.columns, called)
    is_even = bool(forth and back)
    return TablePair(both, both.parts, together, meant.is_all, many, one, key.share, is_even)


def _keys(many: TableEntry, one: TableEntry) -> list[_Key]:
    """The columns of a table whose values are, nearly all, in a column of another that has each only once.

    Of numbers, and of tables in two documents, those that are called alike or have the same values.
    """
    found = []
    is_near = not set(many.documents).isdisjoint(one.documents)
    for right in one.columns:
        values = _values(right)
        is_of_most = right.rows >= (1 - _MOST_OUTSIDE) * one.rows
        if not (right.is_whole and is_of_most) or len(values) < max(_LEAST_VALUES, right.rows):
            continue
        for left in many.columns:
            own = _values(left)
            share = len(own & values) / max(1, len(own))
            is_same = own == values and len(own) >= _LEAST_SAME
            is_alike = left.key == right.key or bool(name_terms(left) & name_terms(right)) or is_same
            is_telling = is_near and not all(map(str.isdigit, own))  # "1" to "9" are in many a column
            if len(own) >= _LEAST_VALUES and share >= 1 - _MOST_OUTSIDE and (is_telling or is_alike):
                found.append(_Key(left, right, share, is_alike))
    return found


def _values(column: ColumnEntry) -> frozenset[str]:
    """The different values of a column of texts or numbers; none of others."""
    known = column.texts or (column.numbers if column.type is FieldType.NUMBER else ())
    return frozenset(each.strip().casefold() for each in known)


def paired(step: Step, pair: TablePair, reading: QuestionReading) -> tuple[Step, ...] | None:
    """The step over two tables as one that a reading can say, with that over the second before it.

    reading: over the columns of both.
    None where the question needs no second table, or where it is not plain which rows are asked about.
    """
    ordered = () if step.order is None or step.order.field is None else (step.order.field,)
    shown = (*step.asked, *step.groups, *ordered)
    if step.having is not None or step.sides or step.within or step.function is Function.SHARE:
        return None
    is_each = bool(_ASKED["each"].intersection(reading.question.casefold().split()))
    is_mentioned = any(pair.side_of(each.name) is None for each in step.groups) and not is_each
    if is_mentioned or any(pair.is_in_both(each.name) for each in step.fields):
        return None  # of "the average of orders from [customers] in Munich", nothing is grouped
    sides = [side for each in shown if (side := pair.side_of(each.name)) is not None]
    main = _main(step, sides, pair, reading)
    if main is None:
        return None
    if any(each is not main for each in sides):
        on = tuple(ReadField(name=each.key.name) for each in (pair.many, pair.one))
        is_plain = main is pair.many and _is_plain(step, pair, reading)
        return (step.model_copy(update={"on": on}),) if is_plain else None
    other = pair.one if main is pair.many else pair.many
    others = tuple(each for each in step.conditions if pair.side_of(each.field.name) is other)
    own = tuple(each for each in step.conditions if each not in others)
    either = {each.either for each in others} - {0}
    if not _is_read_so(others, main, pair) or any(each.either in either for each in own):
        return None
    is_key_counted = step.operation in (Operation.LIST, Operation.COUNT) and bool(step.asked) and not sides
    if not others or (is_key_counted and main is pair.many):
        return None  # of a key that is counted: the rows, or how many of the other table they are of
    is_denied = main is pair.one and others[0].negated
    first = Step(
        id="s1",
        operation=Operation.LIST,
        tables=tuple(each.name for each in other.parts),
        is_rows=True,
        conditions=tuple(map(_affirmed, others)) if is_denied else others,
        asked=(ReadField(name=other.key.name),),
    )
    among = ReadCondition(
        field=ReadField(name=main.key.name),
        op=Operator.IN,
        values=("$s1",),
        negated=is_denied,
        words=others[0].words,
        probability=min(each.probability for each in others),
    )
    return first, _narrowed(step, main, (*own, among), pair)


def _main(step: Step, sides: Sequence[Side], pair: TablePair, reading: QuestionReading) -> Side | None:
    """The table whose rows are asked about; None where nothing says it.

    That of the columns that are shown, or the first that the question calls, before all that it says of the
    other; where columns of both are shown, the one that has several rows for one of the other.
    """
    head = _head(pair, reading) or ((pair.many, 0) if pair.is_even else None)
    is_plain = step.function in (Function.COUNT, Function.NONE)
    is_counted = is_plain and step.operation in (Operation.COUNT, Operation.GROUP)
    if sides and not is_counted:
        return sides[0] if all(each is sides[0] for each in sides) else pair.many
    if step.operation is Operation.EXISTS and not sides:
        return pair.many
    if head is None:
        return None
    main, start = head
    others = [each for each in step.conditions if pair.side_of(each.field.name) not in (main, None)]
    places = [reading.question.find(each.words) for each in others if each.words]
    if any(at < start or "," in reading.question[start:at] for at in places):
        return None
    return main


def _head(pair: TablePair, reading: QuestionReading) -> tuple[Side, int] | None:
    """The table that is called first, by its sheet or else by a column of its own, and where."""
    question = reading.question
    found = pair.words.find(question)
    cells = [each for each in found if each.role is SpanRole.VALUE]
    for start, end in content_words(question):
        if any(start < each.end and end > each.start for each in cells):
            continue
        terms = text_terms(question[start:end])
        called = [side for side in (pair.many, pair.one) if terms & side.sheets]
        if len(called) == 1:
            return called[0], start
    for each in found:
        side = pair.side_of(each.column.name)
        if each.role is SpanRole.ASKED and side is not None and not pair.is_in_both(each.column.name):
            return side, each.start
    return None


def _is_plain(step: Step, pair: TablePair, reading: QuestionReading) -> bool:
    """True where columns of both tables are shown or added up, so that no row counts twice."""
    is_ranked = reading.operation is Operation.RANK and step.operation is Operation.GROUP
    is_added = step.operation in _ADDED and any(pair.side_of(each.name) is pair.one for each in step.asked)
    return not is_ranked and (pair.is_even or not is_added)


def _is_read_so(others: Sequence[ReadCondition], main: Side, pair: TablePair) -> bool:
    """True where conditions on several rows of one say no more than that there is such a row, or none."""
    if main is pair.many or not any(each.negated for each in others):
        return True
    return len(others) == 1 and not others[0].values and others[0].op is Operator.IS


def _affirmed(read: ReadCondition) -> ReadCondition:
    field = read.field.model_copy(update={"words": ""})
    return read.model_copy(update={"negated": False, "words": "", "field": field})


def _own(read: ReadField, main: Side, pair: TablePair) -> ReadField:
    """A field of the table; the key of the other is its own."""
    is_key = pair.side_of(read.name) is None
    return read.model_copy(update={"name": main.key.name}) if is_key else read


def _narrowed(step: Step, main: Side, conditions: Sequence[ReadCondition], pair: TablePair) -> Step:
    """The step over the rows of one of the tables; whole rows where only their key is shown."""
    asked = tuple(dict.fromkeys(_own(each, main, pair) for each in step.asked))
    is_key = main is pair.one and bool(asked) and all(pair.side_of(each.name) is None for each in asked)
    is_listed = is_key and step.operation not in _ADDED
    function = step.function
    if is_listed and function is Function.DISTINCT:
        function = Function.COUNT if step.operation is Operation.COUNT else Function.NONE
    order = step.order
    if order is not None and order.field is not None:
        order = order.model_copy(update={"field": _own(order.field, main, pair)})
    return step.model_copy(
        update={
            "tables": tuple(each.name for each in main.parts),
            "conditions": tuple(
                each.model_copy(update={"field": _own(each.field, main, pair)}) for each in conditions
            ),
            "asked": () if is_listed else asked,
            "function": function,
            "groups": tuple(_own(each, main, pair) for each in step.groups),
            "order": order,
        }
    )
