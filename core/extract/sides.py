"""Seller and buyer: by what a contract calls its parties, and by where names stand on a receipt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from core.domain.fields import Candidate, CellStatus, Finding, Quote
from core.domain.span import PageSpan
from core.extract.base import DocumentText, Rule, uncertain
from core.extract.values import receipts
from core.extract.values.parties import find_parties, is_whole_name, parties
from core.text.patterns import any_case
from core.values.names import parse_party, role_of

_METHOD = "rule"
SELLS = re.compile(
    r"supplier|seller|vendor|provider|(?:sub)?contractor|consultant|licensor|lessor|landlord|franchisor"
    r"|manufacturer|developer|servicer|agent|transporter|carrier|producer|publisher|administrator|advis[eo]r"
    r"|insurer|promoter|marketer|shipper"
)
BUYS = re.compile(
    r"customer|buyer|purchaser|client|licensee|lessee|tenant|franchisee|recipient|distributor|reseller|owner"
    r"|subscriber|sponsor|advertiser|user"
)
_BUYER_LINE = any_case(
    r"^(?:sold|bill(?:ed)?|ship(?:ped)?|invoiced?|delivered?)\s+to\b|^(?:customer|client)\b"
)
_TITLE_LINE = any_case(
    r"^(?:tax\s+)?(?:invoice|receipt|bill|credit note|statement)\b[^\u2013\u2014:]{0,40}?"
    r"\s[-\u2013\u2014]\s+(?P<name>\S.*)$"
)
_NO_LETTERHEAD = "message/rfc822"


def contract_vendor(document: DocumentText) -> Finding:
    """The party that the contract calls Supplier, Licensor, Landlord or the like."""
    return _side(document, SELLS)


def contract_customer(document: DocumentText) -> Finding:
    """The party that the contract calls Customer, Licensee, Tenant or the like."""
    return _side(document, BUYS)


def receipt_vendor(document: DocumentText) -> Finding:
    """The name at the head of an invoice or receipt; a fact also where its title says the same name."""
    finding = receipts.vendor(document)
    if finding.status is CellStatus.ABSENT or document.media_type == _NO_LETTERHEAD:
        note = "A message has no letterhead: its sender may sell or buy."
        return finding if finding.status is CellStatus.ABSENT else _unsure(finding, note)
    cleaned = list(_cleaned(finding))
    if finding.status is CellStatus.PRESENT and cleaned:
        first = cleaned[0]
        if first.value is not None:
            return replace(finding, values=(first.value,), spans=first.spans)
    title = document.title.casefold()
    agreeing = [each for each in cleaned if each.value and each.value.text.casefold() in title]
    names = {each.value.normal for each in agreeing if each.value}
    if len(names) == 1 and (value := agreeing[0].value) is not None:
        return Finding(CellStatus.PRESENT, (value,), agreeing[0].spans, 0.9, _METHOD)
    return _unsure(finding, finding.note)


def _side(document: DocumentText, roles: re.Pattern[str]) -> Finding:
    named = [(party, role_of(party.alias)) for party in find_parties(document)]
    ours = [party for party, role in named if role and roles.fullmatch(role.split()[-1])]
    if len(ours) == 1 and is_whole_name(ours[0]) and parties(document).status is not CellStatus.ABSENT:
        value = parse_party(document.text[ours[0].start : ours[0].end])
        if value is not None:
            quote = document.quote(ours[0].start, ours[0].end)
            return Finding(CellStatus.PRESENT, (value,), (quote,), 0.92, _METHOD)
    if not named:
        return Finding(CellStatus.ABSENT, confidence=0.6, method=_METHOD, note="No party could be read.")
    shown = tuple(
        Candidate(
            parse_party(document.text[party.start : party.end]),
            (document.quote(party.start, party.end),),
            0.5,
            _METHOD,
        )
        for party in ours or [party for party, _ in named]
    )
    note = "No party is called so."
    if ours:
        note = "The name may be cut short." if len(ours) == 1 else "Several parties have this role."
    return uncertain(0.5, _METHOD, shown[:5], note)


def _cleaned(finding: Finding) -> Iterator[Candidate]:
    """The readings of a finding, best first, without lines that name the buyer and words before the name."""
    facts = tuple(
        Candidate(value, (quote,), finding.confidence, finding.method)
        for value, quote in zip(finding.values, finding.spans, strict=False)
    )
    for each in (*facts, *finding.candidates):
        if each.value is None or not each.spans or _BUYER_LINE.match(each.spans[0].quote):
            continue
        quote = each.spans[0]
        match = _TITLE_LINE.match(quote.quote)
        if match is None:
            yield each
            continue
        start = quote.span.start + match.start("name")
        name = Quote(PageSpan(quote.span.page_no, start, start + len(match["name"])), match["name"])
        value = parse_party(match["name"])
        if value is not None:
            yield Candidate(value, (name,), each.confidence, each.method)


def _unsure(finding: Finding, note: str) -> Finding:
    shown = tuple(_cleaned(finding))
    return replace(finding, status=CellStatus.UNCERTAIN, values=(), spans=(), candidates=shown, note=note)


def of_one(rule: Rule) -> Rule:
    """The rule for a document that is one receipt: a sheet of many states no single number, date or total."""

    def asked(document: DocumentText) -> Finding:
        rows = sum(row.table >= 0 for row in document.rows[:10])
        if rows >= 2 and ("csv" in document.media_type or "sheet" in document.media_type):
            note = "It is a list of several: its rows say it of each."
            return Finding(CellStatus.ABSENT, confidence=0.8, method=_METHOD, note=note)
        return rule(document)

    return asked


RULES: Mapping[str, Rule] = {
    "contract_vendor": contract_vendor,
    "contract_customer": contract_customer,
    "receipt_vendor": of_one(receipt_vendor),
    "receipt_customer": of_one(receipts.customer),
    "receipt_number": of_one(receipts.invoice_number),
    "receipt_date": of_one(receipts.invoice_date),
    "receipt_total": of_one(receipts.total),
    "receipt_subtotal": of_one(receipts.subtotal),
    "receipt_tax": of_one(receipts.tax),
}
"""By the name that a schema uses."""
