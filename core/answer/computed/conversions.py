"""Converted amounts in words: by which rates, of which day and source, and what each currency comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, computed_value
from core.answer.computed.source import AnswerFacts
from core.answer.computed.wording import counted, listed
from core.answer.value import show_value
from core.domain.answer import Column, Table
from core.domain.results import (
    Comparison,
    Conversion,
    Documents,
    Group,
    Groups,
    Result,
    UsedRate,
    together,
)
from core.domain.value_text import period
from core.text.titles import phrase

_MOST_RATES = 6  # of one currency that are told one by one


def with_conversion(
    draft: ComputedDraft, result: Result, results: Mapping[str, Result], facts: AnswerFacts
) -> ComputedDraft:
    """The draft with the rates that it rests on; of sums also each currency beside the converted whole."""
    every = [each for each in results.values() if isinstance(each, Documents | Groups | Comparison)]
    found = together([each.conversion for each in every if each.conversion is not None])
    base = facts.catalogue.accounting.base if facts.catalogue.accounting.rates else ""
    if found is None:
        return replace(draft, converts_to=base if base and _is_in_several(result) else "")
    if not found.rates and not (result.rows if isinstance(result, Groups) else found.amounts):
        return draft  # nothing was there to convert
    table, lead = draft.table, draft.lead.text.removesuffix(".")
    if isinstance(result, Groups):
        lead += f", converted to {found.into}"
        if len(result.groups) == 1 and not result.group_by:
            lead += f": {made_of(result.groups[0])}"
        elif table is not None:
            table = _with_column(table, "Made of", map(made_of, result.groups))
    elif isinstance(result, Documents) and table is not None and found.amounts:
        amounts = [found.amounts.get(id) for id in table.documents]
        shown = [each and _money(each, found.into) for each in amounts]
        table = _with_column(table, f"In {found.into}", shown)
    told = replace(draft.lead, text=f"{lead}. {_rates_said(found, facts)}")
    return replace(draft, lead=told, table=table)


def _is_in_several(result: Result) -> bool:
    """True where amounts are told in several currencies, or some are left out for theirs."""
    if not isinstance(result, Groups | Documents):
        return False
    documents = result.documents if isinstance(result, Groups) else result
    units = {group.unit for group in result.groups} if isinstance(result, Groups) else set()
    is_money = isinstance(result, Groups) and result.value_type == "money"
    is_apart = any(each.value and ", not in " in each.reason for each in documents.unknown.values())
    return is_apart or (is_money and len(units) > 1)


def made_of(group: Group) -> str:
    """`EUR 40.00 (1 value) and USD 500.00 (2 values, EUR 460.00)`."""
    return listed(
        [
            f"{_money(part.value, part.unit)} ({counted(part.rows, 'values')}"
            + (f", {_money(part.converted, group.unit)})" if part.unit != group.unit else ")")
            for part in group.parts
        ]
    )


def _money(amount: str, unit: str) -> str:
    return show_value(computed_value(amount, unit, "money"))


def _with_column(table: Table, name: str, cells: Iterable[object]) -> Table:
    rows = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    return table.model_copy(
        update={"columns": (*table.columns, Column(name=name, type="text")), "rows": rows}
    )


def _rates_said(found: Conversion, facts: AnswerFacts) -> str:
    by_currency: dict[str, list[UsedRate]] = {}
    for each in found.rates:
        by_currency.setdefault(each.currency, []).append(each)
    if not by_currency:
        return "No rate was needed."
    said = "Rates: " + "; ".join(_of_currency(some, found.base) for some in by_currency.values())
    if found.dated_by:
        names = [phrase(facts.field_title(name)) for name in found.dated_by]
        said += f", each amount by the latest at or before its {listed(names, 'or')}"
        if found.undated:
            said += f", {counted(found.undated, 'amounts')} without such a date by the latest of all"
    else:
        said += ", the latest, whatever day an amount is of"
    return f"{said}; rounded to 0.01 once, at the end."


def _of_currency(rates: list[UsedRate], base: str) -> str:
    first, last = rates[0], rates[-1]
    if len(rates) <= _MOST_RATES:
        told = [f"{each.rate} of {period(each.day)}{_from(each.source)}" for each in rates]
        return f"1 {first.currency} = {base} {listed(told)}"
    sources = listed(sorted({each.source for each in rates if each.source}))
    span = f"from {period(first.day)} to {period(last.day)}{_from(sources)}"
    return f"{len(rates):,} rates of {first.currency} to {base} {span}"


def _from(source: str) -> str:
    return f" ({source})" if source else ""
