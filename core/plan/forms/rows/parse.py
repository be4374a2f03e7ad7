"""Syntax of a question about rows of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from core.domain.annotation import Calculation as Function
from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry
from core.plan.forms.rows.reading import COLLECTIONS, ROW_NOUNS, RowReading, TableWords, is_identity, is_name
from core.plan.ir.nodes import Condition, Note
from core.plan.language import pieces as p
from core.plan.language.pieces import Piece, Top, singular

_TOTALS = ("total", "sum")
_SIGNS = (Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL, Operator.EQUAL)


@dataclass(slots=True)
class RowTree:
    """Tree of a question about table rows. entity: a column whose texts are asked for; shown: columns asked.

    one_row, one_text: it is asked for in the singular. per_row: "per line", "each purchase". of_stuff: "how
    much fuel". ambiguous: words with the texts that each of them may mean.
    """

    ask: str = ""
    conditions: list[Condition] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    entity: ColumnEntry | None = None
    function: Function | None = None
    extreme: p.Function | None = None
    top: p.Top | None = None
    measure: ColumnEntry | None = None
    ordered_by: ColumnEntry | None = None
    shown: list[ColumnEntry] = field(default_factory=list)
    flags: list[tuple[ColumnEntry, bool]] = field(default_factory=list)
    has_noun: bool = False
    one_row: bool = False
    one_text: bool = False
    per_row: bool = False
    says_money: bool = False
    of_stuff: bool = False
    ambiguous: list[tuple[str, ColumnEntry, tuple[str, ...]]] = field(default_factory=list)
    periods: list[tuple[Piece, p.Period]] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def parse_rows(reading: RowReading) -> RowTree:
    """The tree of a question about rows; what it cannot place is in `uncovered`."""
    return _Parser(reading).parse()


class _Parser:
    def __init__(self, reading: RowReading) -> None:
        self._words = reading.words
        self._pieces: Sequence[Piece] = reading.pieces
        self._at = 0
        self._values: dict[tuple[str, bool], tuple[ColumnEntry, list[str]]] = {}
        self._each = False
        self.tree = RowTree()

    def parse(self) -> RowTree:
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            self._at += 1
            self._take(piece)
        self._sides()
        for (_, is_negated), (column, texts) in self._values.items():
            self.tree.conditions += _is_any(column, tuple(dict.fromkeys(texts)), is_negated)
        return self.tree

    def _take(self, piece: Piece) -> None:
        meaning = piece.meaning
        if isinstance(meaning, p.Ask):
            self._ask(meaning.how)
        elif isinstance(meaning, p.Negator):
            self._negated(piece)
        elif isinstance(meaning, p.Grouping):
            self._grouping(piece)
        elif isinstance(meaning, p.TableColumn):
            self._column(piece, meaning.column)
        elif isinstance(meaning, p.Cells):
            self._cells(piece, meaning, is_negated=False)
        elif isinstance(meaning, p.Flag):
            self._flag(piece, meaning, is_negated=False)
        elif isinstance(meaning, p.Period):
            self.tree.periods.append((piece, meaning))
        elif isinstance(meaning, p.Comparator):
            self._compared(piece, meaning.op)
        elif isinstance(meaning, p.Quantity):
            self._quantity(piece, meaning)
        elif isinstance(meaning, p.Function):
            self._function(piece, meaning)
        elif isinstance(meaning, p.Top):
            self._top(meaning)
        elif isinstance(meaning, p.Ordering):
            self._ordering()
        elif isinstance(meaning, p.RowNoun):
            self._noun(piece, is_plural=meaning.is_plural)
        elif isinstance(meaning, p.TableName):
            if _is_noun(piece):
                self._noun(piece, is_plural=piece.text.endswith("s"))
        elif isinstance(meaning, p.UnknownWord | p.Aspect):
            self.tree.uncovered.append(piece.text)

    def _sides(self) -> None:
        """ "X vs Y", "at X and Y each": a result for each of the texts that are named."""
        compares = any(isinstance(piece.meaning, p.Comparing) for piece in self._pieces) or self._each
        named = [column for (_, out), (column, texts) in self._values.items() if len(texts) > 1 and not out]
        if compares and len(named) == 1 and not self.tree.groups and self.tree.entity is None:
            self.tree.groups.append(named[0].key)

    # -- words of the grammar --------------------------------------------------------------------------

    def _ask(self, how: str) -> None:
        tree = self.tree
        weak = tree.ask in ("", "what", "list", "whether", "text")
        if weak and not (tree.ask and how in ("whether", "what", "list", "text")):
            tree.ask = how
        if how == "much":
            self._of_stuff()

    def _of_stuff(self) -> None:
        """ "How much fuel", "the most fuel": a quantity of what the table is about, rather than its price."""
        following = self._pieces[self._at] if self._at < len(self._pieces) else None
        if following is not None and isinstance(following.meaning, p.TableName) and not _is_noun(following):
            self.tree.of_stuff = True

    def _function(self, piece: Piece, meaning: p.Function) -> None:
        if meaning.is_extreme:
            self.tree.extreme = self.tree.extreme or meaning
            self._of_stuff()
            return
        self.tree.function = meaning.name
        self._note(piece, f"asks for the {meaning.name.value}")

    def _top(self, meaning: p.Top) -> None:
        known = self.tree.top
        count = meaning.count or (known.count if known is not None else 0)
        self.tree.top = p.Top(count, meaning.descending if meaning.descending is not None else None)

    def _ordering(self) -> None:
        following = self._following()
        if following is not None and isinstance(following.meaning, p.TableColumn):
            self._at = self._pieces.index(following) + 1
            self.tree.ordered_by = following.meaning.column
            self.tree.top = self.tree.top or p.Top(0, None)

    def _grouping(self, piece: Piece) -> None:
        """ "per vehicle", "by category and month", "per line"."""
        while True:
            following = self._following()
            meaning = following.meaning if following is not None else None
            aspect = meaning.name if isinstance(meaning, p.Aspect) else ""
            if following is None:
                self._each = piece.text.casefold().endswith("each")
                return
            if isinstance(meaning, p.TableColumn):
                column = meaning.column
                if column.type in AMOUNTS:
                    self._by_number(piece, following, column)
                    return
                self.tree.groups.append(_grouped(column))
            elif aspect and aspect != "unit" and self._words.date is not None:
                self.tree.groups.append(f"{self._words.date.key}.{aspect}")
            elif isinstance(meaning, p.RowNoun) or (isinstance(meaning, p.TableName) and _is_noun(following)):
                self.tree.per_row = self.tree.has_noun = self.tree.one_row = True
                self._at = self._pieces.index(following) + 1
                return
            else:
                return
            self._note(following, f"for each {self.tree.groups[-1]}")
            self._at = self._pieces.index(following) + 1
            joined = self._following()
            if joined is None or not isinstance(joined.meaning, p.Connective):
                return
            start = self._at
            self._at = self._pieces.index(joined) + 1
            after = self._following()
            if after is None or not isinstance(after.meaning, p.TableColumn | p.Aspect):
                self._at = start
                return

    def _by_number(self, piece: Piece, following: Piece, column: ColumnEntry) -> None:
        """ "By amount" orders; "per gallon" would divide, which no column does."""
        if piece.text.casefold() != "by" and self.tree.top is None and self.tree.extreme is None:
            self.tree.uncovered.append(f"{piece.text} {following.text}")
        else:
            self.tree.ordered_by = column
            self.tree.top = self.tree.top or p.Top(0, None)
        self._at = self._pieces.index(following) + 1

    # -- columns and cells -----------------------------------------------------------------------------

    def _column(self, piece: Piece, column: ColumnEntry) -> None:
        tree = self.tree
        following = self._following()
        after = following.meaning if following is not None else None
        if isinstance(after, p.Cells) and any(self._has(column, text) for text in after.texts):
            return  # "category fleet"
        if column.type in AMOUNTS:
            if tree.measure is None or tree.measure.type is FieldType.MONEY:
                tree.measure = column
            tree.says_money = tree.says_money or column.type is FieldType.MONEY
            if piece.text.casefold().split()[0] in _TOTALS and tree.function is None:
                tree.function = Function.SUM
            self._note(piece, f"is the column {column.name}")
            return
        if any(column.key == key for key, _ in self._values):
            return  # "the fleet category"
        if is_identity(column) and tree.ask == "count":
            tree.has_noun = True
            return
        if column.type is FieldType.DATE:
            tree.shown.append(column)
        elif tree.entity is None and (
            tree.ask in ("which", "count", "who") or piece.text.endswith("s") or tree.top
        ):
            tree.entity = column
            tree.one_text = not piece.text.endswith("s")
        else:
            tree.shown.append(column)
        self._note(piece, f"is the column {column.name}")

    def _cells(self, piece: Piece, meaning: p.Cells, *, is_negated: bool) -> None:
        texts = meaning.texts
        if meaning.is_part and len(texts) > 1 and not piece.text.casefold().endswith("s"):
            self.tree.ambiguous.append((piece.text, meaning.column, texts))
            return
        if meaning.is_part and self._is_stuff(piece) and is_name(meaning.column):
            self.tree.uncovered.append(piece.text)
            self._note(piece, f"read as a part of what stands in {meaning.column.name}: {' or '.join(texts)}")
        _, listed = self._values.setdefault((meaning.column.key, is_negated), (meaning.column, []))
        listed += texts
        self._note(piece, f"{meaning.column.name} is {'not ' if is_negated else ''}{' or '.join(texts)}")

    def _is_stuff(self, piece: Piece) -> bool:
        """True where words say what money is spent on, rather than whom it is paid to: "spend on tires"."""
        before = self._pieces[self._at - 2].text.casefold() if self._at > 1 else ""
        return piece.text.islower() and before in ("on", "for")

    def _flag(self, piece: Piece, meaning: p.Flag, *, is_negated: bool) -> None:
        is_verb = self.tree.ask == "much" or (self.tree.ask == "what" and not self.tree.has_noun)
        if is_verb and not is_negated and meaning.holds and self._words.amount is not None:
            self.tree.says_money = True  # "how much was paid to ..."
            self._note(piece, "asks for what was paid")
            return
        self.tree.flags.append((meaning.column, meaning.holds is not is_negated))
        said = "yes" if meaning.holds is not is_negated else "no"
        self._note(piece, f"{meaning.column.name} is {said}")

    def _negated(self, piece: Piece) -> None:
        following = self._following()
        if following is not None and isinstance(following.meaning, p.Connective):
            self._at = self._pieces.index(following) + 1  # "not yet"
            following = self._following()
        if following is not None and isinstance(following.meaning, p.TableColumn):
            self._at = self._pieces.index(following) + 1  # "not in the category fleet"
            behind = self._following()
            if behind is None or not isinstance(behind.meaning, p.Cells):
                self.tree.uncovered.append(f"{piece.text} {following.text}")
                return
            following = behind
        if following is None or not isinstance(following.meaning, p.Cells | p.Flag):
            self.tree.uncovered.append(piece.text)
            return
        self._at = self._pieces.index(following) + 1
        if isinstance(following.meaning, p.Flag):
            self._flag(following, following.meaning, is_negated=True)
        else:
            self._cells(following, following.meaning, is_negated=True)
        self._note(piece, "leaves these out")

    # -- numbers ---------------------------------------------------------------------------------------

    def _compared(self, piece: Piece, op: Operator) -> None:
        following = self._following()
        if following is None or not isinstance(following.meaning, p.Quantity | p.Period):
            return  # "booked under services"
        if isinstance(following.meaning, p.Period):
            self._at = self._pieces.index(following) + 1
            date = self._words.date
            edge = following.meaning.first if op.value.startswith("<") else following.meaning.last
            if date is None or edge is None or op not in _SIGNS:
                self.tree.uncovered.append(f"{piece.text} {following.text}")
                return
            self.tree.conditions.append(Condition(field=date.key, op=op, value=edge.isoformat()))
            self._note(following, f"{date.name} {op.value} {edge.isoformat()}")
            return
        self._at = self._pieces.index(following) + 1
        values = [following.meaning]
        if op is Operator.BETWEEN:
            joined = self._following()
            self._at += joined is not None and isinstance(joined.meaning, p.Connective)
            high = self._following()
            if high is None or not isinstance(high.meaning, p.Quantity):
                self.tree.uncovered.append(f"{piece.text} {following.text}")
                return
            values.append(high.meaning)
            self._at = self._pieces.index(high) + 1
        self._condition(piece, following, op, values)

    def _condition(self, piece: Piece, first: Piece, op: Operator, values: list[p.Quantity]) -> None:
        after = self._following()
        column = None
        if (
            after is not None
            and isinstance(after.meaning, p.TableColumn)
            and after.meaning.column.type in AMOUNTS
        ):
            column = after.meaning.column
            self._at = self._pieces.index(after) + 1
        column = column or self._numeric(values[0])
        if column is None or op not in (*_SIGNS, Operator.BETWEEN):
            self.tree.uncovered.append(f"{piece.text} {first.text}")
            return
        unit = column.unit if column.type is FieldType.MONEY else ""
        texts = tuple(f"{each.value.text} {each.value.unit or unit}".strip() for each in values)
        value = texts if op is Operator.BETWEEN else texts[0]
        self.tree.conditions.append(Condition(field=column.key, op=op, value=value))
        if self.tree.measure is column and self.tree.function is None:
            self.tree.measure = None
        said = f"{column.name} {op.value} {' and '.join(texts)}"
        self._note(piece, said)
        self._note(first, said)

    def _numeric(self, quantity: p.Quantity) -> ColumnEntry | None:
        if quantity.value.type is FieldType.MONEY:
            return self._words.amount
        measure = self.tree.measure
        if measure is not None:
            return measure
        return self._words.amount or next(iter(self._words.quantities), None)

    def _quantity(self, piece: Piece, quantity: p.Quantity) -> None:
        """ "Which two suppliers": how many are wanted; any other number has to be compared with something."""
        following = self._following()
        value = quantity.value
        is_small = value.type is FieldType.NUMBER and not value.unit and Decimal(value.text) <= 100
        if (
            is_small
            and following is not None
            and isinstance(following.meaning, p.TableColumn | p.RowNoun | p.TableName)
        ):
            if value.text == "1":
                return
            if following.text.endswith("s"):
                self.tree.top = p.Top(int(Decimal(value.text)), None)
                return
        if following is not None and isinstance(following.meaning, p.Comparator):
            self._at = self._pieces.index(following) + 1  # "100 dollars or more"
            self._condition(piece, piece, following.meaning.op, [quantity])
            return
        self.tree.uncovered.append(piece.text)

    def _noun(self, piece: Piece, *, is_plural: bool) -> None:
        self.tree.has_noun = True
        self.tree.one_row = self.tree.one_row or not is_plural
        self._note(piece, "is a row of the table")

    # -- looking around --------------------------------------------------------------------------------

    def _following(self) -> Piece | None:
        """The next piece that is more than filling; the name of the table is passed over, but as a noun."""
        for piece in self._pieces[self._at :]:
            is_name = isinstance(piece.meaning, p.TableName) and not _is_noun(piece)
            if not (isinstance(piece.meaning, p.Filler | p.ClauseNoun) or is_name):
                return piece
        return None

    def _has(self, column: ColumnEntry, text: str) -> bool:
        return text in column.texts

    def _note(self, piece: Piece, reading: str) -> None:
        self.tree.notes.append(Note(phrase=piece.text, reading=reading))


def _is_noun(piece: Piece) -> bool:
    """True where the name of the table ends in what its rows are called: "fuel purchases"."""
    last = singular(piece.text.casefold().split()[-1])
    return last in ROW_NOUNS and last not in COLLECTIONS


def _grouped(column: ColumnEntry) -> str:
    return f"{column.key}.year" if column.type is FieldType.DATE else column.key


def _is_any(column: ColumnEntry, texts: tuple[str, ...], is_negated: bool) -> list[Condition]:
    if is_negated:
        return [Condition(field=column.key, op=Operator.NOT_EQUAL, value=text) for text in texts]
    if len(texts) == 1:
        return [Condition(field=column.key, op=Operator.EQUAL, value=texts[0])]
    return [Condition(field=column.key, op=Operator.IN, value=texts)]


ALL_GROUPS = 1_000
_PIECES = frozenset(["quantity", "qty", "pieces", "units", "count", "number of units", "pcs"])
_COMPUTED = (Function.SUM, Function.AVG, Function.MEDIAN)


@dataclass(frozen=True, slots=True)
class RowComputation:
    """function None: the rows themselves, in the order of `order_by` where there is one, or their `shown`.

    top: as an Aggregate has it; limit: of rows.
    """

    function: Function | None = None
    field: ColumnEntry | None = None
    groups: tuple[str, ...] = ()
    top: int = 0
    descending: bool = True
    order_by: ColumnEntry | None = None
    limit: int | None = None
    shown: tuple[ColumnEntry, ...] = ()
    is_guess: bool = False


def what_is_asked(tree: RowTree, words: TableWords) -> RowComputation | None:
    """Computation that the tree asks for; None where the table has no column that could answer it."""
    if tree.entity is not None or tree.groups:
        return _for_each(tree, words)
    if tree.extreme is not None:
        return _extreme(tree, words)
    if tree.function in _COMPUTED or tree.per_row:
        return _of(tree.function if tree.function in _COMPUTED else Function.AVG, _measure(tree, words))
    if tree.ask == "count":
        pieces = tree.measure or _pieces(tree, words)
        return RowComputation(Function.COUNT) if pieces is None else _of(Function.SUM, pieces)
    if tree.top is not None:
        return _ordered(tree, tree.ordered_by or _measure(tree, words), tree.top.count or None)
    if tree.ask == "much" or (tree.ask == "what" and tree.says_money and not _names_row(tree, words)):
        return _of(Function.SUM, _measure(tree, words))
    if tree.ask == "whether" and (_names_row(tree, words) or not tree.has_noun):
        return _whether(tree, words)
    if tree.shown or (tree.measure is not None and _names_row(tree, words)):
        shown = (*tree.shown, *((tree.measure,) if tree.measure is not None else ()))
        return RowComputation(shown=shown)
    if tree.measure is not None and tree.ask in ("", "what"):
        return RowComputation(Function.SUM, tree.measure, is_guess=True)
    if tree.ask == "when" and words.date is not None:
        return RowComputation(shown=(words.date,))
    is_list = tree.ask in ("list", "which", "what", "whether", "") and (tree.has_noun or bool(tree.flags))
    return RowComputation() if is_list and (tree.conditions or tree.flags or tree.periods) else None


def _for_each(tree: RowTree, words: TableWords) -> RowComputation | None:
    """A result for each text of a column: "per vehicle", "which two suppliers have the highest total"."""
    entity, extreme = tree.entity, tree.extreme
    groups = (*((entity.key,) if entity is not None else ()), *tree.groups)[:3]
    is_bare = tree.measure is None and not tree.says_money and tree.function not in _COMPUTED
    if entity is not None and tree.ask == "count" and not tree.groups and is_bare and extreme is None:
        return RowComputation(Function.DISTINCT, entity)
    if extreme is not None and entity is None:
        found = _of(extreme.name, _measure(tree, words))
        return None if found is None else RowComputation(found.function, found.field, groups)
    if extreme is not None and entity is not None and tree.has_noun and tree.one_row:
        order = words.date if extreme.of_time else _measure(tree, words)
        by = extreme.name is Function.MAX
        return (
            None if order is None else RowComputation(order_by=order, limit=1, descending=by, shown=(entity,))
        )
    function, column = _of_each(tree, words, is_bare)
    if function is not Function.COUNT and column is None:
        return None
    top, descending = 0, True
    if extreme is not None or tree.top is not None:
        wanted = tree.top or Top(1 if tree.one_text else 0, None)
        top = wanted.count or (1 if extreme is not None and tree.one_text else ALL_GROUPS)
        descending = extreme.name is Function.MAX if extreme is not None else wanted.descending is not False
    return RowComputation(function, column, groups, top, descending)


def _of_each(tree: RowTree, words: TableWords, is_bare: bool) -> tuple[Function, ColumnEntry | None]:
    if tree.function in _COMPUTED or tree.per_row:
        return (tree.function if tree.function in _COMPUTED else Function.AVG) or Function.AVG, _measure(
            tree, words
        )
    counts = tree.ask == "count" or (tree.ask in ("which", "who", "list") and tree.has_noun)
    ranked = tree.extreme is not None or tree.top is not None
    is_count = counts or (tree.entity is not None and not ranked) or _measure(tree, words) is None
    if is_bare and is_count and not tree.of_stuff and tree.ask != "much" and tree.ordered_by is None:
        return Function.COUNT, None
    return Function.SUM, tree.ordered_by or _measure(tree, words)


def _extreme(tree: RowTree, words: TableWords) -> RowComputation | None:
    """ "The largest purchase" is a row; "the highest amount" a value, which the row with it shows."""
    extreme = tree.extreme
    assert extreme is not None  # asked for where there is one
    order = words.date if extreme.of_time else _measure(tree, words)
    descending = extreme.name is Function.MAX
    asks_row = tree.ask in ("which", "list", "who", "when") or tree.shown or extreme.of_time
    count = tree.top.count if tree.top is not None else 1
    if asks_row and order is not None:
        shown = tuple(tree.shown) or ((words.date,) if tree.ask == "when" and words.date else ())
        shown = shown or ((order,) if count == 1 and tree.measure is not None else ())  # what it comes to
        return RowComputation(order_by=order, limit=count or 1, descending=descending, shown=shown)
    return _of(extreme.name, order)


def _ordered(tree: RowTree, column: ColumnEntry | None, limit: int | None) -> RowComputation | None:
    assert tree.top is not None  # asked for where there is one
    if column is None:
        return None
    return RowComputation(order_by=column, limit=limit, descending=tree.top.descending is not False)


def _whether(tree: RowTree, words: TableWords) -> RowComputation | None:
    """ "Is invoice 10398 paid?": the flag of one row."""
    if not _names_row(tree, words) or len(tree.flags) != 1:
        return None
    column, _ = tree.flags.pop()
    return RowComputation(shown=(column,))


def _pieces(tree: RowTree, words: TableWords) -> ColumnEntry | None:
    """ "How many winter tires": the column that says how many of what a row is about."""
    if tree.has_noun or not tree.conditions:
        return None
    named = [column for column in words.quantities if column.key in _PIECES]
    return named[0] if len(named) == 1 else None


def _names_row(tree: RowTree, words: TableWords) -> bool:
    """True where a condition says which row is meant."""
    named = {column.key for column in words.table.columns if is_identity(column)}
    return any(condition.field in named for condition in tree.conditions)


def _measure(tree: RowTree, words: TableWords) -> ColumnEntry | None:
    """Column of a computation: the one that is named, else money; of "how much fuel" the one quantity."""
    if tree.measure is not None:
        return tree.measure
    amounts = [column for column in words.quantities if not is_identity(column)]
    if tree.of_stuff and not tree.says_money and len(amounts) == 1:
        return amounts[0]
    return words.amount or (amounts[0] if len(amounts) == 1 else None)


def _of(function: Function | None, column: ColumnEntry | None) -> RowComputation | None:
    is_date = column is not None and column.type is FieldType.DATE
    if column is None or (is_date and function in _COMPUTED):
        return None
    return RowComputation(function, column)
