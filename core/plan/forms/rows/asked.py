"""What is computed for a question about rows: which function, of which column, for each of what."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry
from core.plan.forms.rows.parse import RowTree
from core.plan.forms.rows.words import TableWords, is_identity
from core.plan.language.pieces import Top

ALL_GROUPS = 1_000
_PIECES = frozenset(["quantity", "qty", "pieces", "units", "count", "number of units", "pcs"])
_COMPUTED = (Function.SUM, Function.AVG, Function.MEDIAN)


@dataclass(frozen=True, slots=True)
class Asked:
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


def what_is_asked(tree: RowTree, words: TableWords) -> Asked | None:
    """What the tree asks for; None where the table has no column that could answer it."""
    if tree.entity is not None or tree.groups:
        return _for_each(tree, words)
    if tree.extreme is not None:
        return _extreme(tree, words)
    if tree.function in _COMPUTED or tree.per_row:
        return _of(tree.function if tree.function in _COMPUTED else Function.AVG, _measure(tree, words))
    if tree.ask == "count":
        pieces = tree.measure or _pieces(tree, words)
        return Asked(Function.COUNT) if pieces is None else _of(Function.SUM, pieces)
    if tree.top is not None:
        return _ordered(tree, tree.ordered_by or _measure(tree, words), tree.top.count or None)
    if tree.ask == "much" or (tree.ask == "what" and tree.says_money and not _names_row(tree, words)):
        return _of(Function.SUM, _measure(tree, words))
    if tree.ask == "whether" and (_names_row(tree, words) or not tree.has_noun):
        return _whether(tree, words)
    if tree.shown or (tree.measure is not None and _names_row(tree, words)):
        shown = (*tree.shown, *((tree.measure,) if tree.measure is not None else ()))
        return Asked(shown=shown)
    if tree.measure is not None and tree.ask in ("", "what"):
        return Asked(Function.SUM, tree.measure, is_guess=True)
    if tree.ask == "when" and words.date is not None:
        return Asked(shown=(words.date,))
    is_list = tree.ask in ("list", "which", "what", "whether", "") and (tree.has_noun or bool(tree.flags))
    return Asked() if is_list and (tree.conditions or tree.flags or tree.periods) else None


def _for_each(tree: RowTree, words: TableWords) -> Asked | None:
    """A result for each text of a column: "per vehicle", "which two suppliers have the highest total"."""
    entity, extreme = tree.entity, tree.extreme
    groups = (*((entity.key,) if entity is not None else ()), *tree.groups)[:3]
    is_bare = tree.measure is None and not tree.says_money and tree.function not in _COMPUTED
    if entity is not None and tree.ask == "count" and not tree.groups and is_bare and extreme is None:
        return Asked(Function.DISTINCT, entity)
    if extreme is not None and entity is None:
        found = _of(extreme.name, _measure(tree, words))
        return None if found is None else Asked(found.function, found.field, groups)
    if extreme is not None and entity is not None and tree.has_noun and tree.one_row:
        order = words.date if extreme.of_time else _measure(tree, words)
        by = extreme.name is Function.MAX
        return None if order is None else Asked(order_by=order, limit=1, descending=by, shown=(entity,))
    function, column = _of_each(tree, words, is_bare)
    if function is not Function.COUNT and column is None:
        return None
    top, descending = 0, True
    if extreme is not None or tree.top is not None:
        wanted = tree.top or Top(1 if tree.one_text else 0, None)
        top = wanted.count or (1 if extreme is not None and tree.one_text else ALL_GROUPS)
        descending = extreme.name is Function.MAX if extreme is not None else wanted.descending is not False
    return Asked(function, column, groups, top, descending)


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


def _extreme(tree: RowTree, words: TableWords) -> Asked | None:
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
        return Asked(order_by=order, limit=count or 1, descending=descending, shown=shown)
    return _of(extreme.name, order)


def _ordered(tree: RowTree, column: ColumnEntry | None, limit: int | None) -> Asked | None:
    assert tree.top is not None  # asked for where there is one
    if column is None:
        return None
    return Asked(order_by=column, limit=limit, descending=tree.top.descending is not False)


def _whether(tree: RowTree, words: TableWords) -> Asked | None:
    """ "Is invoice 10398 paid?": the flag of one row."""
    if not _names_row(tree, words) or len(tree.flags) != 1:
        return None
    column, _ = tree.flags.pop()
    return Asked(shown=(column,))


def _pieces(tree: RowTree, words: TableWords) -> ColumnEntry | None:
    """ "How many winter tires": the column that says how many of what a row is about."""
    if tree.has_noun or not tree.conditions:
        return None
    named = [column for column in words.quantities if column.key in _PIECES]
    return named[0] if len(named) == 1 else None


def _names_row(tree: RowTree, words: TableWords) -> bool:
    """Whether a condition says which row is meant."""
    named = {column.key for column in words.table.columns if is_identity(column)}
    return any(condition.field in named for condition in tree.conditions)


def _measure(tree: RowTree, words: TableWords) -> ColumnEntry | None:
    """What is computed with: the column that is named, else money; of "how much fuel" the one quantity."""
    if tree.measure is not None:
        return tree.measure
    amounts = [column for column in words.quantities if not is_identity(column)]
    if tree.of_stuff and not tree.says_money and len(amounts) == 1:
        return amounts[0]
    return words.amount or (amounts[0] if len(amounts) == 1 else None)


def _of(function: Function | None, column: ColumnEntry | None) -> Asked | None:
    is_date = column is not None and column.type is FieldType.DATE
    if column is None or (is_date and function in _COMPUTED):
        return None
    return Asked(function, column)
