"""Registered files with the same columns as one table, whose column `file` says which one a row is of.

Nothing is stored of it: a file that is registered, removed or may not be seen changes what the table has.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from core.datasets.base import FILE, ROW, ROWS_OF_FILE, QueryRefusedError, RowFile
from core.datasets.names import first_of, free, quoted, table_name
from core.datasets.profile import SKETCH, distinct_of
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Bar, Dataset, DatasetColumn, DatasetState

OF_FILES = "_files"
"""Ending of the names in SQL of files that are one; a number may stand behind it."""

_BESIDE = ("as text", "currency")  # columns that registering makes of another one, where a file needs it
_LEAST_ALIKE = 0.5  # of the columns, from which on it is said why a file is no part of a family
_MOST_SAID = 5
_WORST = (DatasetState.READY, DatasetState.REMOVED, DatasetState.MISSING, DatasetState.CHANGED)
_NULLS = {"text": "VARCHAR", "number": "BIGINT", "money": "BIGINT", "date": "DATE", "boolean": "BOOLEAN"}


def families(datasets: Sequence[Dataset]) -> list[Dataset]:
    """The datasets with those of the same columns in one bucket as one, in the order of the first of each.

    A column without any value is of every type. Numbers in two units, or a number and an amount, are two
    columns; amounts may be in other currencies.
    """
    alike: dict[tuple[str, frozenset[str]], list[_Group]] = {}
    order: list[_Group] = []
    for each in datasets:
        kinds = {name: _kind(column) for name, column in _own(each).items()}
        groups = alike.setdefault((each.bucket, frozenset(kinds)), [])
        if not any(group.take(each, kinds) for group in groups):
            groups.append(_Group(kinds, [each]))
            order.append(groups[-1])
    taken = {each.table for each in datasets}
    found = []
    for group in order:
        found.append(group.files[0] if len(group.files) == 1 else _family(group.files, taken))
        taken.add(found[-1].table)
    return found


@dataclass(slots=True)
class _Group:
    """Files that are one table. kinds: of each column, "" while none has a value."""

    kinds: dict[str, str]
    files: list[Dataset]

    def take(self, file: Dataset, kinds: Mapping[str, str]) -> bool:
        """Take a file of the same columns where its types agree; gives whether they do."""
        if any(kind and self.kinds[name] not in ("", kind) for name, kind in kinds.items()):
            return False
        self.kinds |= {name: kind for name, kind in kinds.items() if kind}
        self.files.append(file)
        return True


def family_of(files: Sequence[Dataset], name: str) -> Dataset:
    """Some files as one table, by its name in SQL. Raises QueryRefusedError where they are not alike now."""
    if len(families([replace(each, bucket="") for each in files])) > 1:
        raise QueryRefusedError(
            f"The columns of {files[0].name!r} and of files asked with it have changed since, "
            "and are no longer one table.",
            next_step="Ask the question again, or name the tables that are meant.",
        )
    return replace(files[0], table=name) if len(files) == 1 else replace(_family(files, ()), table=name)


def apart(dataset: Dataset, others: Iterable[Dataset]) -> list[tuple[Dataset, str]]:
    """Datasets of its bucket with most of its columns, and what keeps each from being one with it."""
    own, inside = set(_own(dataset)), {dataset.id, *(each.id for each in dataset.files)}
    found = []
    for each in others:
        theirs = set(_own(each))
        if each.id in inside or each.bucket != dataset.bucket:
            continue
        is_near = len(own & theirs) > _LEAST_ALIKE * max(len(own), len(theirs))
        if is_near and (said := _differences(dataset, each)):
            found.append((each, "; ".join(said)))
    return found


def near_remark(near: Sequence[tuple[Dataset, str]]) -> Iterator[str]:
    """That files with most of the columns take no part, for answers over those that are one table."""
    if near:
        said = first_of([f"“{each.name}” ({reason})" for each, reason in near], _MOST_SAID)
        yield f"Not among these, though most columns are the same: {said}."


def row_files(family: Dataset, folder: Path, names: Sequence[str] = ()) -> tuple[RowFile, ...]:
    """Files of rows that the table is made of, with what is taken of each. names: of FILE; () without it."""
    files = family.files or (family,)
    if not names:
        return (RowFile(folder / family.file),)
    return tuple(
        RowFile(folder / each.file, ", ".join(_selected(family, each, names[at], at)))
        for at, each in enumerate(files)
    )


def with_file_column(dataset: Dataset, names: Sequence[str]) -> Dataset:
    """The dataset with the column FILE, which a family has anyway."""
    if dataset.files:
        return dataset
    return replace(dataset, columns=(*dataset.columns, _file_column([dataset], names)))


def file_names(files: Sequence[Dataset]) -> list[str]:
    """Names of files, by as much of their paths as tells them apart, with their sheet where that does not."""
    folder, names = _folder(files) if len(files) > 1 else "", list[str]()
    short = [os.path.relpath(each.path, folder) if folder else Path(each.source).name for each in files]
    for name, each in zip(short, files, strict=True):
        is_several = short.count(name) > 1 and each.sheet
        names.append(free(f"{name} · {each.sheet}" if is_several else name, names))
    return names


def _family(files: Sequence[Dataset], taken: Iterable[str]) -> Dataset:
    own: dict[str, list[DatasetColumn]] = {}
    for name, column in (pair for each in files for pair in _own(each).items()):
        own.setdefault(name, []).append(column)
    columns = [_merged(name, every) for name, every in own.items()]
    made = own.keys()
    every = {column.name for each in files for column in each.columns}
    columns = [replace(each, currency=_holder(each, own[each.name], every)) for each in columns]
    beside = (c for each in files for c in each.columns if c.name not in made)
    extra = {each.name: replace(each, is_key=False, sketch=()) for each in beside}
    for each in columns:
        if each.currency and each.currency not in made:
            extra[each.currency] = DatasetColumn(each.currency, f"{each.head} (currency)", "text")
    holders = {each.currency for each in columns}
    extra = {
        n: replace(c, often=_currencies(n, columns, files) if n in holders else c.often)
        for n, c in extra.items()
    }
    columns = [replace(c, often=_currencies(c.name, columns, files) or c.often) for c in columns]
    name = _common_name(files)
    table = free(f"{table_name(name, 'dataset')}{OF_FILES}", set(taken))
    return replace(
        max(files, key=lambda each: each.registered_at),
        id=DocumentId(table),
        name=name,
        table=table,
        source=_folder(files) or f"{len(files):,} files",
        path=_folder(files),
        sheet="",
        version=1,
        rows=sum(each.rows for each in files),
        columns=(_file_column(files, file_names(files)), *columns, *extra.values()),
        problems=(),
        size_bytes=sum(each.size_bytes for each in files),
        state=max((each.state for each in files), key=_WORST.index),
        files=tuple(files),
    )


def _own(dataset: Dataset) -> dict[str, DatasetColumn]:
    """The columns that the file itself has, by name."""
    made = {f"{each.head} ({word})" for each in dataset.columns for word in _BESIDE}
    columns = dataset.columns[1:] if dataset.files else dataset.columns
    return {each.name: each for each in columns if each.head not in made}


def _differences(one: Dataset, other: Dataset) -> list[str]:
    """What keeps two tables from being one, as said of the second."""
    mine, theirs = _own(one), _own(other)
    lacking = [each.head for name, each in mine.items() if name not in theirs]
    more = [each.head for name, each in theirs.items() if name not in mine]
    said = [f"it has no {first_of(lacking, _MOST_SAID)}"] if lacking else []
    said += [f"it has {first_of(more, _MOST_SAID)} beside"] if more else []
    for name, column in mine.items():
        here, there = _kind(column), _kind(theirs[name]) if name in theirs else ""
        if here and there and here != there:
            said.append(f"{column.head} is {there}, and {here} there")
    return said


def _kind(column: DatasetColumn) -> str:
    """Type of a column as it is compared; "" of one without a value, which is of any."""
    if not column.filled:
        return ""
    return f"number in {column.unit}" if column.type == "number" and column.unit else column.type


def _merged(name: str, every: Sequence[DatasetColumn]) -> DatasetColumn:
    parts = [each for each in every if each.filled] or every[:1]
    often = Counter[str]()
    for bar in (bar for each in parts for bar in each.often):
        often[bar.label] += bar.rows
    is_whole = all(each.distinct <= len(each.often) for each in parts)
    units = {each.unit for each in parts}
    hashes = {each for column in parts for each in column.sketch} if all(e.sketch for e in parts) else ()
    sketch = tuple(sorted(hashes)[:SKETCH])
    ends = [end for each in parts for end in (each.least, each.greatest) if end]
    ends.sort(key=str if parts[0].type == "date" else Decimal)
    return DatasetColumn(
        name,
        parts[0].head,
        parts[0].type,
        units.pop() if len(units) == 1 else "",
        filled=sum(each.filled for each in parts),
        distinct=len(often) if is_whole else distinct_of(sketch) or max(each.distinct for each in parts),
        least=ends[0] if ends else "",
        greatest=ends[-1] if ends else "",
        examples=tuple(dict.fromkeys(text for each in parts for text in each.examples))[:_MOST_SAID],
        often=tuple(Bar(label, rows * is_whole) for label, rows in often.most_common()),
        sketch=sketch,
    )


def _holder(column: DatasetColumn, every: Iterable[DatasetColumn], taken: Collection[str]) -> str:
    """Name of the column of the currencies of amounts; "" where all are in one."""
    if column.type != "money" or column.unit:
        return ""
    return next(filter(None, (each.currency for each in every)), free(f"{column.name}_currency", taken))


def _currencies(name: str, columns: Iterable[DatasetColumn], files: Sequence[Dataset]) -> tuple[Bar, ...]:
    """The currencies that a column holds row by row; () of one that holds none, or not all known."""
    said = Counter[str]()
    for money in (each for each in columns if each.currency == name):
        for each in files:
            own = each.column(money.name)
            if own is not None and own.unit:
                said[own.unit] += own.filled
            elif own is not None and (holder := each.column(own.currency)) is not None:
                if len(holder.often) < holder.distinct:
                    return ()
                said.update({bar.label: bar.rows for bar in holder.often})
    return tuple(Bar(*each) for each in said.most_common())


def _selected(family: Dataset, file: Dataset, name: str, at: int) -> Iterator[str]:
    """SQL of the columns of the family that a file has; those that it lacks are NULL."""
    yield f"{ROW} + {at * ROWS_OF_FILE} AS {ROW}" if at else ROW
    names = [each.name for each in family.columns]
    yield f'{quoted(name)} AS "{names[0] if family.files else names[-1]}"'
    holders = {each.currency: each.name for each in family.columns if each.currency}
    there = {each.name: each for each in file.columns}
    for column in family.columns:
        own, money = there.get(column.name), there.get(holders.get(column.name, ""))
        if money is not None and (money.unit or money.currency not in ("", column.name)):
            said = quoted(money.unit) if money.unit else f'"{money.currency}"'
            yield f'{said} AS "{column.name}"'
        elif own is not None:
            kind = _NULLS[column.type]
            yield f'"{own.name}"' if own.type == column.type else f'CAST(NULL AS {kind}) AS "{own.name}"'


def _file_column(files: Sequence[Dataset], names: Sequence[str]) -> DatasetColumn:
    """Column that says which file a row is of, by a name that no file has itself."""
    name = free(FILE, {column.name for each in files for column in each.columns})
    bars = tuple(Bar(n, f.rows) for n, f in zip(names, files, strict=True))
    head, count = name.replace("_", " ").capitalize(), sum(each.rows for each in bars)
    examples = tuple(each.label for each in bars[:_MOST_SAID])
    return DatasetColumn(name, head, "text", filled=count, distinct=len(bars), examples=examples, often=bars)


def _common_name(files: Sequence[Dataset]) -> str:
    """The words with which all their names begin, else the folder, else the first with how many more."""
    names = [each.name for each in files]
    start = os.path.commonprefix(names)  # noqa: RUF071 - by characters
    if any(name[len(start) : len(start) + 1].isalnum() for name in names):
        start = start.rstrip("".join(filter(str.isalnum, start)))
    start = start.rstrip(" -_.·(")
    return start or Path(_folder(files)).name or f"{names[0]} and {len(names) - 1} more"


def _folder(files: Sequence[Dataset]) -> str:
    """The folder that all of them stand in; "" of uploads."""
    if not all(each.path for each in files):
        return ""
    return os.path.commonpath([str(Path(each.path).parent) for each in files])
