"""Identifiers of companies and people to reach: LEI, D-U-N-S, tax and VAT numbers, telephone numbers.

Each is checked by its own rule (python-stdnum, phonenumbers): digits that fail it are no identifier.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from core.text.patterns import any_case

_LEI = re.compile(r"(?<![A-Z0-9])[A-Z0-9]{18}\d{2}(?![A-Z0-9])")
_DUNS = any_case(
    r"\bD[-.\u00ae ]?U[-. ]?N[-. ]?S\b\.?\u00ae?[ \t\n]{0,3}(?:number|no\.?"
    r"|#)?[ \t\n:#]{0,5}(\d{2}-?\d{3}-?\d{4})(?!\d)"
)
_EIN = any_case(
    r"\b(?:EIN|FEIN|TIN|employer[ ]identification|tax(?:payer)?[ ](?:identification|id|i\.d\.)"
    r"|federal[ ]tax|I\.?R\.?S\.?)[A-Za-z. ()#:\n]{0,40}?(\d{2}-\d{7}|\d{9})(?!\d)"
)
_VAT = re.compile(
    r"(?<![A-Z0-9])((?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GB|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)"
    r"[ ]?[A-Z0-9][A-Z0-9. -]{6,15}[A-Z0-9])(?![A-Z0-9])"
)
_VAT_WORD = any_case(r"\bVAT\b|\bUSt\b|\bTVA\b|\bIVA\b|\bMwSt\b|\bBTW\b|tax")
_ABN = re.compile(r"\b(ABN|ACN)[ \t:]{0,4}((?:\d[ ]?){9,11})(?!\d)")
_PHONE_START = re.compile(r"\+?\(?\d")


class Identifier(NamedTuple):
    """An identifier and where it stands. kind: "lei", "duns", "tax_id", "vat" or "phone"."""

    start: int
    end: int
    kind: str
    number: str


def find_identifiers(text: str) -> list[Identifier]:
    """Every identifier of a company in `text` that passes its check, in order; no telephone numbers."""
    return sorted(_identifiers(text), key=lambda found: found.start)


def _identifiers(text: str) -> Iterator[Identifier]:
    from stdnum import lei
    from stdnum.au import abn, acn
    from stdnum.eu import vat
    from stdnum.us import ein

    for match in _LEI.finditer(text):
        if lei.is_valid(match[0]):
            yield Identifier(match.start(), match.end(), "lei", match[0])
    for match in _DUNS.finditer(text):
        yield Identifier(match.start(1), match.end(1), "duns", match[1].replace("-", ""))
    for match in _EIN.finditer(text):
        if ein.is_valid(match[1]):
            yield Identifier(match.start(1), match.end(1), "tax_id", ein.format(ein.compact(match[1])))
    for match in _VAT.finditer(text):
        if _VAT_WORD.search(text, max(0, match.start() - 60), match.start()) and vat.is_valid(match[1]):
            yield Identifier(match.start(1), match.end(1), "vat", vat.compact(match[1]))
    for match in _ABN.finditer(text):
        check = abn if match[1] == "ABN" else acn
        if check.is_valid(match[2]):
            end = match.start(2) + len(match[2].rstrip())
            yield Identifier(match.start(2), end, "tax_id", f"{match[1]} {check.compact(match[2])}")


def find_phones(text: str) -> list[Identifier]:
    """Every valid telephone number in `text`, in order, in the international form "+16502530000"."""
    if not _PHONE_START.search(text):
        return []
    import phonenumbers

    found = []
    for match in phonenumbers.PhoneNumberMatcher(text, "US"):
        number = phonenumbers.format_number(match.number, phonenumbers.PhoneNumberFormat.E164)
        found.append(Identifier(match.start, match.end, "phone", number))
    return found


def passes_check(rule: str, number: str) -> bool:
    """True where a number passes the rule of that name in python-stdnum ("luhn", "it.codicefiscale")."""
    checked = importlib.import_module(f"stdnum.{rule}")
    # A rule of a bank of one country may refuse what ISO 13616 allows: the check digits decide.
    options = {"check_country": False} if rule == "iban" else {}
    return bool(checked.is_valid(number, **options))
