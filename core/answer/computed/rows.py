"""Answers from rows of tables: the rows with their places, and what is computed over them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Protocol

from core.answer.computed.draft import ComputedDraft, DraftLine, cell_value, computed_value
from core.answer.computed.lists import ledger_of
from core.answer.computed.numbers import groups_table
from core.answer.computed.templates import EXTREMES, FUNCTIONS, NONE_STATED
from core.answer.computed.wording import counted
from core.answer.value import show_value
from core.domain.answer import Column, Table, Value
from core.domain.document import FilePart
from core.domain.fields import AnnotationRow, FieldType, RowCell, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Group, Groups, Rows
from core.domain.value_text import shown
from core.plan.catalogue import Catalogue, column_key, document_title
from core.plan.ir.nodes import ComputationNode
from core.search.evidence.base import Span
from core.values.units import canonical_unit

RowKey = tuple[DocumentId, int, int]
MOST_READ = 1_000
_OF_ROWS = frozenset(
    ["hidden rows", "hidden columns", "hidden sheets", "formulas without a stored result", "damaged sheets"]
)


class RowSource(Protocol):
    """Reads rows of tables; `records.row_selection` is the real one."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """Rows with all their cells."""
        ...

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """Of which version of each document its rows are."""
        ...

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Of each document what its rows are without: parts of its file that were left out or not read."""
        ...


@dataclass(frozen=True)
class RowFacts:
    """The rows that were picked, in order, at most MOST_READ of them; total: how many there are.

    A row with a partner has its cells, too. partners: by row the partner and its cells. missing: by document
    the parts of its file that no row can hold.
    """

    catalogue: Catalogue
    rows: Mapping[RowKey, AnnotationRow]
    versions: Mapping[str, int]
    total: int
    partners: Mapping[RowKey, AnnotationRow] = field(default_factory=dict)
    partner_documents: Mapping[RowKey, DocumentId] = field(default_factory=dict)
    missing: Mapping[str, tuple[FilePart, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, source: RowSource, catalogue: Catalogue, found: Rows) -> RowFacts:
        """Read what an answer shows."""
        keys = [_key(name) for name in found.picked[:MOST_READ]]
        pairs = {key: _key(name) for key, name in zip(keys, found.partners, strict=False) if name}
        read = source.read([*keys, *dict.fromkeys(pairs.values())])
        documents = {key[0] for key in (*keys, *pairs.values())}
        versions = source.versions(documents) if keys else {}
        partners = {key: read[other] for key, other in pairs.items() if other in read}
        rows = {key: _together(read[key], partners.get(key)) for key in keys if key in read}
        of_partners = {key: other[0] for key, other in pairs.items()}
        missing = source.missing_parts(versions) if versions else {}
        return cls(catalogue, rows, versions, found.total, partners, of_partners, missing)

    @property
    def documents(self) -> tuple[str, ...]:
        """The documents of the rows, in order."""
        return tuple(dict.fromkeys(key[0] for key in self.rows))

    def title(self, document: str) -> str:
        """The title of a document; its id where it has gone since."""
        return document_title(document, self.catalogue)

    def where(self) -> str:
        """The documents in words: "rows of fuel-2024-09"."""
        ids = self.documents
        return self.title(ids[0]) if len(ids) == 1 else f"{len(ids):,} documents"

    def columns(self) -> tuple[str, ...]:
        """The columns of the rows as they are written, in order."""
        return tuple(dict.fromkeys(cell.column for row in self.rows.values() for cell in row.cells))

    def cell(self, key: RowKey, column: str) -> RowCell | None:
        """The cell of a row in a column; None where there is nothing."""
        wanted = column_key(column)
        return next((cell for cell in self.rows[key].cells if column_key(cell.column) == wanted), None)

    def span(self, key: RowKey, cell: RowCell) -> Span:
        """Span of a cell."""
        partner = self.partners.get(key)
        is_of_partner = partner is not None and any(cell is each for each in partner.cells)
        document = self.partner_documents[key] if is_of_partner else key[0]
        entry = self.catalogue.document(document)
        source, version = entry.source if entry is not None else "", self.versions.get(document, 1)
        return Span.of_quote(document, version, cell.quote, self.title(document), source)

    def column_title(self, column: str) -> str:
        """Title of a column, as it is written."""
        wanted = column_key(column)
        found = next((name for name in self.columns() if column_key(name) == wanted), column)
        return found.replace("_", " ")

    def unit(self, column: str, unit: str) -> str:
        """The unit of a column's values: their own, or the column's name where that is one ("litres")."""
        name = column_key(column).replace("_", " ")
        return unit or (name if canonical_unit(name) else "")


def _key(name: str) -> RowKey:
    document, table, row = name.rsplit("|", 2)
    return DocumentId(document), int(table), int(row)


def _together(row: AnnotationRow, partner: AnnotationRow | None) -> AnnotationRow:
    """A row with the cells of its partner that say what it does not."""
    if partner is None:
        return row
    own = {column_key(cell.column) for cell in row.cells}
    return replace(row, cells=(*row.cells, *(c for c in partner.cells if column_key(c.column) not in own)))


def said(cell: RowCell, unit: str = "") -> str:
    """A cell's value for a person."""
    text = shown(cell.value)
    return f"{text} {unit}" if unit and cell.value.type is FieldType.NUMBER and not cell.value.unit else text


MOST_LINES = 25
_TRUTHS = {"yes": "true", "true": "true", "no": "false", "false": "false"}


def compose_rows(fields: tuple[str, ...], order_by: str, found: Rows, facts: RowFacts) -> ComputedDraft:
    """Rows as a table with the document of each. fields: what is asked of them, first of all columns."""
    columns = facts.columns()
    asked = [name for key in fields for name in columns if column_key(name) == key]
    first = [*asked, *(name for name in columns if column_key(name) == order_by and name not in asked)]
    named = [*first, *(name for name in columns if name not in first)]
    told = list(facts.rows)[:MOST_LINES]
    lines = [replace(_line(key, named, first or named, facts), row=at) for at, key in enumerate(told)]
    return ComputedDraft(
        lead=DraftLine(f"{_rows(found.total, facts)}." if facts.rows else "No row fulfils this."),
        lines=tuple(lines),
        value=_the_value(fields, facts),
        table=rows_table(facts, named),
        ledger=ledger_of(found.documents, "rows"),
        gaps=(*shortened(facts), *missing_rows(facts), *repeated_rows(facts), *unknown_rows(found)),
        left_out=max(0, len(facts.rows) - MOST_LINES),
    )


def rows_table(facts: RowFacts, columns: list[str] | tuple[str, ...]) -> Table:
    """Rows as a table, with the document of each in front."""
    cells = {key: [facts.cell(key, name) for name in columns] for key in facts.rows}
    rows = tuple(
        (facts.title(key[0]), *(None if cell is None else said(cell) for cell in row))
        for key, row in cells.items()
    )
    names = (Column(name=name, type="text") for name in columns)
    return Table(
        columns=(Column(name="Document", type="text"), *names),
        rows=rows,
        documents=tuple(key[0] for key in facts.rows),
    )


def shortened(facts: RowFacts) -> tuple[str, ...]:
    """That a table does not show all rows; () where it does."""
    shown = len(facts.rows)
    return () if shown >= facts.total else (f"The table shows the first {shown:,} of {facts.total:,} rows.",)


def missing_rows(facts: RowFacts) -> tuple[str, ...]:
    """Parts of the files that rows could stand in and were left out or not read: hidden rows, formulas."""
    return tuple(
        f"{facts.title(document)}: {part.kind} {'not read' if part.is_gap else 'left out'}: "
        f"{part.count:,} ({part.place})."
        for document, parts in facts.missing.items()
        for part in parts
        if part.kind in _OF_ROWS
    )


def repeated_rows(facts: RowFacts) -> tuple[str, ...]:
    """Rows that stand word for word in several documents: each was counted, which may be once too often."""
    places: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for key, row in facts.rows.items():
        cells = tuple(sorted((column_key(cell.column), cell.value.text) for cell in row.cells))
        places.setdefault(cells, []).append(key[0])
    again = [documents for documents in places.values() if len(set(documents)) > 1]
    if not again:
        return ()
    named = sorted({facts.title(id) for documents in again for id in documents})
    verb = "stands" if len(again) == 1 else "stand"
    titles = ", ".join(named[:4])
    rows = counted(len(again), "rows")
    return (f"{rows} {verb} word for word in several documents ({titles}) and counts in each.",)


def unknown_rows(found: Rows) -> tuple[str, ...]:
    """Rows of which it is not known whether they belong."""
    return tuple(
        f"Of {counted(rows, 'rows')} it is not known: {field.replace('_', ' ')} is {reason}."
        for field, reason, rows in found.excluded
        if reason != "missing"
    )


def _line(key: RowKey, columns: list[str], cited: list[str], facts: RowFacts) -> DraftLine:
    cells = [(name, cell) for name in columns if (cell := facts.cell(key, name)) is not None]
    text = "; ".join(f"{name.replace('_', ' ')}: {said(cell)}" for name, cell in cells)
    spans = tuple(facts.span(key, cell) for name, cell in cells if name in cited)
    return DraftLine(text, tuple(dict.fromkeys(span for span in spans if span.quote)))


def _the_value(fields: tuple[str, ...], facts: RowFacts) -> Value | None:
    """The one value that the rows state in the one column that was asked for."""
    if len(fields) != 1 or len(facts.rows) < facts.total:
        return None
    cells = [facts.cell(key, fields[0]) for key in facts.rows]
    values = {(cell.value.text, cell.value.unit): cell.value for cell in cells if cell is not None}
    if len(values) != 1:
        return None
    value = next(iter(values.values()))
    return _truth(value) or cell_value(value)


def _truth(value: TypedValue) -> Value | None:
    said = _TRUTHS.get(value.text.casefold()) if value.type is FieldType.TEXT else None
    return Value(type="boolean", value=said) if said else None


_ASPECTS = ("year", "month", "quarter", "unit")
_MOST_SPANS = 5  # of one line


def compose_row_groups(node: ComputationNode, found: Groups, rows: Rows, facts: RowFacts) -> ComputedDraft:
    """Result of an aggregate over rows: one value with the rows that it was made of, or a table."""
    single = found.groups[0] if len(found.groups) == 1 and not found.group_by else None
    value = _value(single, node, found, facts) if single is not None else None
    remarks = (*shortened(facts), *missing_rows(facts), *repeated_rows(facts))
    gaps = (*remarks, *unknown_rows(rows), *_left_aside(found, facts))
    if single is not None or not found.group_by:
        keys = _made_of(node, value, facts)
        places = {key: at for at, key in enumerate(facts.rows)}
        return ComputedDraft(
            lead=DraftLine(_lead(node, value, facts)),
            lines=tuple(replace(_row_line(key, node, facts), row=places[key]) for key in keys[:MOST_LINES]),
            value=value,
            table=rows_table(facts, facts.columns()),
            ledger=ledger_of(found.documents, node.field or "rows"),
            gaps=gaps,
            left_out=max(0, len(keys) - MOST_LINES),
        )
    return ComputedDraft(
        lead=DraftLine(
            f"{_name(node, facts)} for each {_by(found, facts)}, over {_rows(rows.total, facts)}."
        ),
        lines=tuple(_group_line(group, node, found, facts) for group in found.groups[:MOST_LINES]),
        table=_table(node, found, facts),
        ledger=ledger_of(found.documents, node.field or "rows"),
        gaps=gaps,
        left_out=max(0, len(found.groups) - MOST_LINES),
    )


def _value(group: Group, node: ComputationNode, found: Groups, facts: RowFacts) -> Value | None:
    if group.value is None:
        return None
    is_count = found.function in ("count", "distinct")
    unit = "" if is_count else facts.unit(node.field, group.unit)
    return computed_value(group.value, unit, "number" if is_count else found.value_type)


def _lead(node: ComputationNode, value: Value | None, facts: RowFacts) -> str:
    if value is None:
        return f"{_name(node, facts)} cannot be given: no row takes part."
    if node.function.value == "count":
        return f"{_rows(int(value.value), facts)}."
    if facts.total == 1:  # a look-up, whatever it was called: nothing was computed
        return f"{facts.column_title(node.field)} is {show_value(value)} in {_rows(1, facts)}."
    return f"{_name(node, facts)} over {_rows(facts.total, facts)} is {show_value(value)}."


def _name(node: ComputationNode, facts: RowFacts) -> str:
    said = FUNCTIONS[node.function.value].of_rows.format(facts.column_title(node.field))
    return f"The {said}"


def _made_of(node: ComputationNode, value: Value | None, facts: RowFacts) -> list[RowKey]:
    """The rows that a value was made of; of an extreme those that have it."""
    keys = list(facts.rows)
    if node.function.value not in EXTREMES or value is None:
        return keys
    return [key for key in keys if _is(facts, key, node.field, value)]


def _is(facts: RowFacts, key: RowKey, column: str, value: Value) -> bool:
    cell = facts.cell(key, column)
    if cell is None or value.type not in ("number", "money"):
        return cell is not None and cell.value.text == value.value
    try:
        return Decimal(cell.value.text) == Decimal(value.value)
    except ArithmeticError:
        return False


def _row_line(key: RowKey, node: ComputationNode, facts: RowFacts) -> DraftLine:
    """A row: what it is computed with, behind what else it says."""
    measured = facts.cell(key, node.field) if node.field else None
    others = [cell for cell in facts.rows[key].cells if cell is not measured]
    label = " · ".join(said(cell) for cell in others)
    if measured is None:
        return DraftLine("", _spans(key, [others[0]] if others else [], facts), label=label)
    text = said(measured, facts.unit(node.field, measured.value.unit))
    return DraftLine(text, _spans(key, [measured], facts), label=label)


def _spans(key: RowKey, cells: Sequence[RowCell], facts: RowFacts) -> tuple[Span, ...]:
    return tuple(span for cell in cells if (span := facts.span(key, cell)).quote)


def _group_line(group: Group, node: ComputationNode, found: Groups, facts: RowFacts) -> DraftLine:
    value = _value(group, node, found, facts)
    shown = "none" if value is None else show_value(value)
    spans: list[Span] = []
    for key in _members(group, found, facts):
        cell = facts.cell(key, node.field or found.group_by[0].partition(".")[0])
        spans += _spans(key, [cell], facts) if cell is not None else ()
    text = shown if node.function.value == "count" else f"{shown} ({counted(group.rows, 'rows')})"
    return DraftLine(text, tuple(spans[:_MOST_SPANS]), label=_group_key(group))


def _members(group: Group, found: Groups, facts: RowFacts) -> list[RowKey]:
    """The rows of a group, where its columns are no parts of dates."""
    if any(name.rpartition(".")[2] in _ASPECTS and "." in name for name in found.group_by):
        return []
    names = list(zip(found.group_by, group.key, strict=True))
    return [key for key in facts.rows if all(_says(facts, key, name, text) for name, text in names)]


def _says(facts: RowFacts, key: RowKey, column: str, text: str) -> bool:
    cell = facts.cell(key, column)
    return (cell.value.text.casefold() if cell is not None else "") == text.casefold()


def _group_key(group: Group) -> str:
    return " · ".join(part or NONE_STATED for part in group.key) or "all"


def _by(found: Groups, facts: RowFacts) -> str:
    return " and ".join(_column(name, facts) for name in found.group_by)


def _column(name: str, facts: RowFacts) -> str:
    stem, _, aspect = name.rpartition(".")
    return (
        f"{aspect} of {facts.column_title(stem)}" if stem and aspect in _ASPECTS else facts.column_title(name)
    )


def _table(node: ComputationNode, found: Groups, facts: RowFacts) -> Table:
    values = [_value(group, node, found, facts) for group in found.groups]
    kind = "number" if found.function in ("count", "distinct") else found.value_type
    columns = [Column(name=_column(name, facts), type="text") for name in found.group_by]
    columns.append(Column(name=_name(node, facts).removeprefix("The ").capitalize(), type=kind))
    amounts = [(None, None) if each is None else (each.value, each.unit) for each in values]
    return groups_table(columns, found, amounts, "Rows")


def _left_aside(found: Groups, facts: RowFacts) -> tuple[str, ...]:
    return tuple(
        f"{counted(rows, 'rows')} could not take part: {facts.column_title(field)} is {reason}."
        for field, reason, rows in found.excluded
    )


def _rows(count: int, facts: RowFacts) -> str:
    return f"{counted(count, 'rows')} of {facts.where()}"
