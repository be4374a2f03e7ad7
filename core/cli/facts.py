"""Facts of a document, printed for people: fields, parties, amounts and summaries."""

from __future__ import annotations

from collections.abc import Sequence

import click

from core.domain.facts import DocumentFacts, DocumentParty
from core.domain.fields import Cell, CellStatus, Financial, TypedValue
from core.domain.wire.fields import shown_spans, value_json

_WIDEST = 100
_WORDS = {
    CellStatus.PRESENT: "",
    CellStatus.ABSENT: "absent",
    CellStatus.UNCERTAIN: "uncertain",
    CellStatus.UNREADABLE: "unreadable",
}


def print_facts(facts: DocumentFacts) -> None:
    """Fields that are there or unsure line by line, absent ones in one line; then the rest."""
    if not facts.schema:
        click.echo("fields: not read yet")
        return
    titles = {column.name: column.title for column in facts.columns}
    said = [cell for cell in facts.cells if cell.finding.status is not CellStatus.ABSENT]
    _section(f"fields ({facts.schema})", [_field(cell, titles.get(cell.field, cell.field)) for cell in said])
    absent = [titles.get(c.field, c.field) for c in facts.cells if c.finding.status is CellStatus.ABSENT]
    if absent:
        click.echo(f"absent: {', '.join(absent)}")
    _section("parties", [_party(each) for each in facts.parties])
    _section("amounts", [_amount(each, titles) for each in facts.financials])
    for summary in facts.summaries:
        _section(f"{summary.kind.value} summary", [_flat(quote.quote) for quote in summary.sentences])


def _section(name: str, lines: Sequence[str]) -> None:
    if lines:
        click.echo(f"\n{name}")
        for line in lines:
            click.echo(f"  {line}")


def _field(cell: Cell, title: str) -> str:
    finding = cell.finding
    values = "; ".join(map(_value, finding.values)) if finding.status is CellStatus.PRESENT else ""
    parts = [values or _WORDS[finding.status]]
    if cell.review is not None:
        parts.append("check again" if cell.review.check_again else f"reviewed by {cell.review.user}")
    spans = shown_spans(finding)
    if spans:
        parts.append(f"page {spans[0].span.page_no}")
    return f"{title}: {' · '.join(parts)}"


def _party(party: DocumentParty) -> str:
    about = [party.role.replace("_", " "), party.entity_type, party.jurisdiction]
    about += [f"{kind} {number}" for kind, number in party.identifiers]
    about.append("not found in the document" if party.quote is None else f"page {party.quote.span.page_no}")
    return " · ".join(part for part in (party.name, *about) if part)


def _amount(financial: Financial, titles: dict[str, str]) -> str:
    what = titles.get(financial.metric, financial.metric.replace("_", " "))
    year = f", fiscal year {financial.fiscal_year}" if financial.fiscal_year is not None else ""
    dates = [f"from {financial.effective}" if financial.effective else ""]
    dates += [f"until {financial.expires}" if financial.expires else ""]
    page = f"page {financial.quote.span.page_no}"
    return " · ".join(part for part in (f"{what}{year}: {_value(financial.value)}", *dates, page) if part)


def _value(value: TypedValue) -> str:
    if isinstance(shown := value_json(value), bool):
        return "yes" if shown else "no"
    return f"{_flat(shown)} {value.unit}".strip()


def _flat(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 3 * _WIDEST else line[: 3 * _WIDEST - 1] + "…"
