"""Choice of the table that a step over rows is about, or of the two whose rows go together."""

from __future__ import annotations

from dataclasses import dataclass

from core.plan.catalogue import Catalogue, TableEntry, TablePart, column_key
from core.plan.compile.context import Compilation, ReadingError
from core.plan.reading import Step
from core.text.analyse import text_terms

NO_TABLE = TableEntry((), ())
"""Table of a step before one is chosen."""

_MOST_EACH = 20  # tables of which pairs are weighed, the likeliest


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A table that may be meant, with the parts of it that are. figure: the least is the likeliest."""

    table: TableEntry
    parts: tuple[TablePart, ...]
    figure: tuple[int, ...]


def tables_of(step: Step, work: Compilation) -> tuple[ChosenTable, ChosenTable | None]:
    """The table that has all columns, and fits names and words best; and the one that it goes together with.

    Raises ReadingError where the step names a column that they do not have.
    """
    wanted = {column_key(each.name) for each in step.fields}
    if not step.on:
        chosen, other = min(_candidates(step, wanted, work), key=lambda each: each.figure), None
    else:
        chosen, other = _pair(step, wanted, work)
    keys = keys_of(chosen.table) | (keys_of(other.table) if other is not None else set())
    lacking = next((each for each in step.fields if column_key(each.name) not in keys), None)
    if lacking is not None:
        raise ReadingError(
            f"No one table has all these columns; {lacking.name!r} stands apart.",
            "Join two tables by a column of each (`on`), or ask each in a step of its own, the "
            'second with a condition `in` ["$s1"].',
            words=lacking.words,
        )
    return chosen, other


def _pair(step: Step, wanted: set[str], work: Compilation) -> tuple[ChosenTable, ChosenTable]:
    left, right = (column_key(each.name) for each in step.on)
    ranked = sorted(_candidates(step, set(), work), key=lambda each: each.figure)
    lefts = [each for each in ranked if left in keys_of(each.table)][:_MOST_EACH]
    rights = [each for each in ranked if right in keys_of(each.table)][:_MOST_EACH]
    pairs = [(one, other) for one in lefts for other in rights if one is not other]
    if not pairs:
        raise ReadingError(
            f"No two of these tables have {step.on[0].name!r} and {step.on[1].name!r}.",
            "Name two tables in `tables`, and in `on` a column of the first and one of the second "
            "that say the same.",
        )
    return min(pairs, key=lambda pair: len(wanted - keys_of(pair[0].table) - keys_of(pair[1].table)))


def _candidates(step: Step, wanted: set[str], work: Compilation) -> list[ChosenTable]:
    """The tables that may be meant. Raises ReadingError where there is none."""
    catalogue = work.context.catalogue
    chosen = set(step.tables)
    documents = {id for name in step.names for id in name.documents}
    said = text_terms(" ".join((*(each.words for each in step.names), work.reading.question)))
    found: list[ChosenTable] = []
    for table in catalogue.tables:
        parts = tuple(
            part
            for part in table.parts
            if (not chosen or part.name in chosen) and (not documents or part.document in documents)
        )
        if not _is_in_scope(table, work) or ((chosen or documents) and not parts):
            continue
        if len({part.sheet for part in parts}) > 1:  # of all sheets, those that the question names
            named = tuple(each for each in parts if each.sheet and text_terms(each.sheet) <= said)
            parts = named if chosen and named else parts
        near = [len(said & text_terms(called(part, catalogue))) for part in table.parts]
        most = max(near, default=0)
        if not (chosen or documents):
            parts = tuple(
                part for part, count in zip(table.parts, near, strict=True) if count == most and most
            )
        found.append(ChosenTable(table, parts, (len(wanted - keys_of(table)), -most, -table.rows)))
    if not found:
        raise ReadingError("There is no such table.", "Ask without the table, or search the text.")
    return found


def _is_in_scope(table: TableEntry, work: Compilation) -> bool:
    buckets = work.reading.buckets or work.context.buckets
    if not buckets:
        return True
    documents = (work.context.catalogue.document(id) for id in table.documents)
    return any(each is not None and each.bucket in buckets for each in documents)


def called(part: TablePart, catalogue: Catalogue) -> str:
    """All words that a part of a table is called by: sheet, caption, document, file."""
    document = catalogue.document(part.document)
    names = (document.name, document.source.rsplit("/", 1)[-1]) if document is not None else ()
    return " ".join((part.sheet, part.caption, *names)).replace("_", " ").replace("-", " ")


def has_column(catalogue: Catalogue, name: str) -> bool:
    """True where any table has a column of that name."""
    key = column_key(name)
    return any(column.key == key for table in catalogue.tables for column in table.columns)


def keys_of(table: TableEntry) -> set[str]:
    """The columns of a table, as conditions know them."""
    return {column.key for column in table.columns}
