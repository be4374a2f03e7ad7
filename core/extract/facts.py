"""Typed facts of a document out of its findings: clauses, parties, amounts and the family it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.config.fields import FieldDefinition, Schema
from core.domain.fields import CellStatus, Clause, FieldType, Financial, Finding, PartyRow
from core.extract.base import DocumentText
from core.extract.headings import Section, sections
from core.extract.values.amounts import financial_rows
from core.extract.values.parties import party_rows
from core.values.names import legal_form, normal_name

_DIRECTLY_NAMED = 0.7
_ROLES = ("vendor", "customer", "holder", "issuer", "manufacturer")
_STARTS = ("effective_date", "agreement_date", "invoice_date", "issued", "valid_from", "document_date")
_ENDS = ("expiration_date", "valid_until", "due_date")


def clauses_of(document: DocumentText, schema: Schema, findings: Mapping[str, Finding]) -> tuple[Clause, ...]:
    """The clauses that are present, in the order of the schema, each with the heading above it."""
    present = [each for each in _present(schema, findings) if each.type is FieldType.BOOLEAN]
    if not present:
        return ()
    all_sections = list(sections(document))
    found = []
    for definition in present:
        finding = findings[definition.name]
        for quote in finding.spans[:3]:
            start, _ = document.span(quote)
            path = _path(all_sections, start)
            title = path[-1] if path else definition.title
            found.append(Clause(definition.name, title, quote, path, confidence=round(finding.confidence, 4)))
    return tuple(found)


def parties_of(
    document: DocumentText, schema: Schema, findings: Mapping[str, Finding]
) -> tuple[PartyRow, ...]:
    """Every party that a field states, once, with its role, legal form, jurisdiction and identifiers.

    A role is what the contract calls the party; else the field that it stands in ("vendor").
    """
    named = findings.get("parties")
    is_fact = named is not None and named.status is CellStatus.PRESENT
    rows = {each.normal: each for each in (party_rows(document) if is_fact else ())}
    stated = [each for each in _present(schema, findings) if each.type is FieldType.PARTY]
    for definition in sorted(stated, key=lambda each: each.name not in _ROLES):
        finding = findings[definition.name]
        role = definition.name if definition.name in _ROLES else ""
        for value, quote in zip(finding.values, finding.spans, strict=False):
            normal = value.normal or normal_name(value.text)
            known = rows.get(normal)
            if known is None:
                rows[normal] = PartyRow(value.text, normal, quote, role, legal_form(value.text))
            elif role and not known.role:
                rows[normal] = replace(known, role=role)
    return tuple(rows.values())


def financials_of(
    document: DocumentText, schema: Schema, findings: Mapping[str, Finding]
) -> tuple[Financial, ...]:
    """Every amount of money that a field states, with the dates from and until which the document holds."""
    effective = _first_date(findings, _STARTS)
    expires = _first_date(findings, _ENDS)
    found = []
    for definition in _present(schema, findings):
        if definition.type is not FieldType.MONEY:
            continue
        finding = findings[definition.name]
        for value, quote in zip(finding.values, finding.spans, strict=False):
            if value.amount is not None:
                found.append(Financial(definition.name, value, quote, effective=effective, expires=expires))
    if schema.field("liability_cap_amount") is not None:
        found += _named_amounts(document, found, effective, expires)
    return tuple(found)


def _named_amounts(
    document: DocumentText, known: list[Financial], effective: str, expires: str
) -> list[Financial]:
    """Caps of liability and sums of insurance, each as often as the contract names one."""
    have = {(each.quote.span.page_no, each.quote.span.start) for each in known}
    return [
        replace(each, effective=effective, expires=expires)
        for each in financial_rows(document, _DIRECTLY_NAMED)
        if each.metric in ("liability_cap", "insurance")
        and (each.quote.span.page_no, each.quote.span.start) not in have
    ]


def family_of(findings: Mapping[str, Finding]) -> str:
    """The agreement that an amendment names, normalised; "" for none."""
    finding = findings.get("amendment_of")
    if finding is None or finding.status is not CellStatus.PRESENT or not finding.values:
        return ""
    value = finding.values[0]
    return value.normal or value.text.casefold()


def _present(schema: Schema, findings: Mapping[str, Finding]) -> list[FieldDefinition]:
    return [
        each
        for each in schema.fields
        if each.name in findings and findings[each.name].status is CellStatus.PRESENT
    ]


def _path(all_sections: list[Section], offset: int) -> tuple[str, ...]:
    """The headings over a place, the highest first."""
    over = [each for each in all_sections if each.start <= offset < each.end]
    return tuple(each.title for each in sorted(over, key=lambda each: (each.level, each.start)))[:6]


def _first_date(findings: Mapping[str, Finding], names: tuple[str, ...]) -> str:
    for name in names:
        finding = findings.get(name)
        if finding is not None and finding.status is CellStatus.PRESENT and finding.values:
            value = finding.values[0]
            if value.type is FieldType.DATE and value.amount is not None:
                return value.text
    return ""
