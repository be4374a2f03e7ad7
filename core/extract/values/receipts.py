"""Facts of invoices and receipts: seller, date and amounts, from text laid out in lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from core.domain.fields import FieldType, Finding, Special, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import Reading, TextReading, decide, value_rule
from core.extract.pairs import lines_of
from core.extract.values.parties import party_in_role
from core.text.patterns import any_case
from core.values.dates import date_order, find_dates
from core.values.money import CODES, SYMBOL, parse_money
from core.values.names import parse_party
from core.values.numbers import APOSTROPHES, BLANKS

_TOTAL = any_case(
    r"\b(?:grand|nett?|final|round(?:ed|ing)?|invoice|bill|order|overall)?[ ]?(?:total|t0tal|totai|jumlah"
    r"|amount[ ]due|balance[ ]due|amount[ ]payable|total[ ]due)\b"
)
_NOT_TOTAL = any_case(
    r"sub[ -]?total|total[ ]?(?:qty|quantity|items?|pcs|units?|savings?|disc|tax|gst|vat|excl|exclud|before"
    r"|ex\b|weight|points?|no\b|\(excl)|total[ ]?\(?(?:ex|excl)|(?:gst|tax|vat|sst)[ ]?(?:total|amount|amt)"
    r"|(?:disc\w*|saving\w*|qty|item\w*|tax|gst)[ ]total|@|exclusive|excluding|w/o|without"
)
_INCLUSIVE = any_case(r"incl|inclusive|includ|after|round|payable|due|grand|nett?\b|to[ ]pay")
_SUBTOTAL = any_case(r"\bsub[ -]?total\b|\btotal[ ]?\(?(?:excl|before|ex)[a-z. ]*(?:gst|tax|vat|sst)?")
_TAX = any_case(
    r"\b(?:gst|sst|vat|sales[ ]tax|service[ ]tax|tax[ ]?(?:amount|amt|total)?|total[ ](?:gst|tax|vat))\b"
)
_CASH = any_case(
    r"\b(?:cash|tender(?:ed)?|paid|payment|received?|visa|master(?:card)?|debit|credit card|bayar|tunai)\b"
)
_CHANGE = any_case(r"\bchange\b|\bbaki\b|\bbalance\b")
_DATE_KEY = any_case(
    r"\b(?:invoice[ ]|inv[. ]{1,2}|bill[ ]|receipt[ ]|doc[. ]{1,2}|order[ ]|trans(?:action)?[ ]"
    r"|issue[ ])?(?:date|tarikh|dated)\b"
)
_OTHER_DATE = any_case(r"\bdue\b|\bexpir|\bdelivery\b|\bvalid|\bprinted\b|\bbirth|\bship")
_NUMBER_KEY = any_case(
    r"\b(?:(?:tax[ ])?inv(?:oice)?|bill|receipt|doc(?:ument)?|slip|rcpt|cash[ ]bill|order|trans(?:action)?"
    r"|cs)[ .]{0,2}(?:no|num(?:ber)?|#|id)\b[ .:]{0,3}|\binvoice[ ]?[#:]"
)
_NUMBER = any_case(r"(?=[A-Z0-9/_-]*\d)[A-Z0-9][A-Z0-9/_-]{2,30}")
_FORM = any_case(
    r"\bS[DO]N\.?[ ,]{0,2}B[HN]D\b|\bS/B\b|\bBhd\b|\bInc\b|\bLtd\b|\bLimited\b|\bLLC\b|\bGmbH\b|\bPLT\b"
    r"|\bCorp(?:oration)?\b|\bS\.A\.|\bB\.V\.|\bCo\."
)
_FORM_END = any_case(
    r"\b(?:Inc|Ltd|Limited|LLC|GmbH|AG|SAS|SARL|S\.A\.|B\.V\.|BV|N\.V\.|S\.L\.|Corp|plc)(?![a-z])\.?"
)
_HOST = re.compile(r"(?:www\.|@|https?://)([\w-]{3,40})\.[a-z]{2,6}\b", re.IGNORECASE)
_TRADE = any_case(
    r"\b(?:enterprise|trading|restoran|restaurant|cafe|kopitiam|hardware|mart|supermarket|shop|store"
    r"|stationery|pharmacy|farmasi|bakery|services?|station|electrical|motor|industries|marketing|fashion"
    r"|book|kedai|pasar|perniagaan|syarikat|hotel|kitchen|machinery|holdings|group)\b"
)
_NOT_NAME = any_case(
    r"\b(?:tax[ ]invoice|invoice|receipt|cash[ ]?(?:bill|sales?)|date|tel|fax|gst|no\.?[ ]?\d|jalan|jln"
    r"|lot|lorong|taman|bill[ ]to|ship[ ]to|page|table|welcome|thank|customer|copy|reprint"
    r"|co(?:mpany)?\.?[ ]?(?:no|reg)|roc|www|http|order|details|description|quantity)\b|@|:"
)
_SECOND_LINE = any_case(r"(?:enterprises?|trading|electrical|industries|marketing|holdings|sdn|bhd|co)\b")
_CONTRACT = any_case(r"\bthis[ \n][A-Za-z ]{0,40}?agreement\b|\bwhereas\b|\bparties\b")
_CUSTOMER = any_case(
    r"\b(?:bill(?:ed)?[ ]to|sold[ ]to|customer(?:[ ]name)?|buyer|attn|invoice[ ]to)\b[ ]?[:.]?"
)
_VENDOR = any_case(r"\b(?:from|vendor|seller|supplier|sold[ ]by|issued[ ]by|payee|remit[ ]to)[ ]?:")


_SELLERS = frozenset(
    {"vendor", "seller", "supplier", "licensor", "provider", "contractor", "consultant", "lessor", "landlord"}
    | {"manufacturer", "franchisor", "carrier", "transporter", "servicer", "administrator", "developer"}
)
_BUYERS = frozenset(
    {"customer", "buyer", "purchaser", "licensee", "client", "lessee", "tenant", "franchisee", "shipper"}
    | {"distributor", "reseller", "recipient"}
)


def vendor(document: DocumentText) -> Finding:
    """Seller: of a contract the party in that role, else the name at the top or behind "From:"."""
    party = party_in_role(document, _SELLERS, "rule vendor")
    return party or decide(document, _vendors(document.text), "rule vendor", absent=0.6)


def customer(document: DocumentText) -> Finding:
    """Buyer: of a contract the party in that role, else the name behind "Bill to"."""
    party = party_in_role(document, _BUYERS, "rule customer")
    return party or decide(document, _customers(document.text), "rule customer", absent=0.7)


_NOT_TAX = any_case(
    r"\b(?:reg|id|no|number|invoice|incl\w*|excl\w*|code|summary|total[ ](?:incl|excl|sales|amount))\b|sub"
)


def _vendors(text: str) -> Iterator[Reading]:
    if _CONTRACT.search(text[:6_000]):
        return
    lines = read_lines(text[:4_000])
    for index, line in enumerate(lines):
        keyed = _VENDOR.search(line.text)
        if keyed:
            for start, end in list(values_after(lines, index, line.start + keyed.end(), text))[:1]:
                yield from _party(text, start, end, 0.9)
    yield from _by_address(text)
    top = lines[:9]
    for index, line in enumerate(top):
        form = next(reversed(list(_FORM.finditer(line.text))), None)
        if not form or _VENDOR.search(line.text) or _CUSTOMER.search(line.text):
            continue
        start = line.start
        alone = len(line.text[: form.start()].strip(" .,")) < 3
        cut = ")" in line.text and "(" not in line.text[: line.text.index(")")]
        if index and (alone or cut or line.text.startswith(("(", "CO.", "Co."))):
            start = top[index - 1].start
        if cut and index > 1 and "(" not in top[index - 1].text:
            start = top[index - 2].start
        start = _begun_above(top, start)
        tail = re.match(r"[ .]{0,2}(?:BHD|\.)?", line.text[form.end() :], re.IGNORECASE)
        end = line.start + form.end() + (len(tail[0].rstrip()) if tail else 0)
        rest = text[end : line.end]
        if rest and not re.match(r"[ ]*[(\[]|[ ]*(?:co|reg|roc|gst|no|\d)", rest, re.IGNORECASE):
            end = line.end
        yield from _party(text, start, end, 0.93 if index < 5 else 0.8)
        break
    for index, line in enumerate(top[:5]):
        letters = sum(map(str.isalpha, line.text))
        if letters < 4 or _NOT_NAME.search(line.text) or letters < len(line.text) * 0.5:
            continue
        trade = bool(_TRADE.search(line.text))
        goes_on = (
            index + 1 < len(top) and line.text.endswith("&") and not _NOT_NAME.search(top[index + 1].text)
        )
        end = top[index + 1].end if goes_on else line.end
        yield from _party(text, line.start, end, 0.91 if trade and index < 3 else 0.7 - 0.02 * index)


def _by_address(text: str) -> Iterator[Reading]:
    """A company that a web or mail address of the paper is named after: who writes it."""
    hosts = {re.sub(r"\W", "", each.casefold()) for each in _HOST.findall(text[:20_000])}
    for line in read_lines(text[:20_000]) if hosts else ():
        form = _FORM_END.search(line.text)
        if form and re.sub(r"[\W_]", "", line.text[: form.start()].casefold()) in hosts:
            yield from _party(text, line.start, line.start + form.end(), 0.94)


def _begun_above(top: list[Line], start: int) -> int:
    """Where a name begins whose line begins with a word that no name begins with: on the line above."""
    at = next((index for index, line in enumerate(top) if line.start == start), 0)
    if at and _SECOND_LINE.match(top[at].text):
        above = top[at - 1].text
        if not _NOT_NAME.search(above) and not re.search(r"\d", above) and re.search(r"[A-Za-z]{3}", above):
            return top[at - 1].start
    return start


def _party(text: str, start: int, end: int, confidence: float) -> Iterator[Reading]:
    value = parse_party(text[start:end])
    if value:
        yield TextReading(value, ((start, end),), confidence)


def _customers(text: str) -> Iterator[Reading]:
    lines = read_lines(text[:8_000])
    for index, line in enumerate(lines):
        keyed = _CUSTOMER.search(line.text)
        if not keyed or re.search(
            r"\b(?:copy|service|no|id|care)\b", line.text[keyed.end() :][:12], re.IGNORECASE
        ):
            continue
        for start, end in list(values_after(lines, index, line.start + keyed.end(), text))[:1]:
            name = text[start:end]
            if re.search(r"[A-Za-z]{3}", name) and not re.search(r"\d{4}|:", name):
                yield from _party(text, start, end, 0.91 if _FORM.search(name) else 0.7)


def _dates(document: DocumentText) -> Iterator[Reading]:
    text = document.text[:60_000]
    found = date_order(text, document.language)
    lines = read_lines(text)
    starts = [line.start for line in lines]
    for start, end, value in find_dates(text, found.order) + list(_compact(text)):
        index = max(0, bisect_right(starts, start) - 1)
        line = lines[index]
        before = text[max(line.start, start - 80) : start]
        above = lines[index - 1].text if index and not before.strip(" :") else ""
        if _OTHER_DATE.search(before) or value.special is Special.BLANK:
            continue
        keyed = _DATE_KEY.search(before) or (above and _DATE_KEY.search(above))
        clock = re.match(r"[ ]{0,3}(?:at[ ])?\d{1,2}[:.]\d{2}", text[end : end + 12])
        confidence = 0.95 if keyed else 0.92 if clock else 0.91 if start < len(text) * 0.5 else 0.85
        note = ""
        if value.special is Special.AMBIGUOUS:
            confidence, note = 0.5, "The day and the month of this date can be read both ways."
        elif found.evidence and re.fullmatch(r"[\d./ -]+", value.original):
            note = f"Day and month are told apart because {found.evidence}."
        yield TextReading(value, ((start, end),), confidence, note)


def _compact(text: str) -> Iterator[tuple[int, int, TypedValue]]:
    for match in re.finditer(r"(?<![\w/.-])(20\d\d)(0[1-9]|1[0-2])([0-3]\d)(?![\w/-]|\.\d)", text):
        for _, _, value in find_dates(f"{match[1]}-{match[2]}-{match[3]}"):
            yield match.start(), match.end(), TypedValue(value.type, value.text, value.amount, "", match[0])


def _numbers(text: str) -> Iterator[Reading]:
    lines = read_lines(text[:20_000])
    for index, line in enumerate(lines):
        keyed = _NUMBER_KEY.search(line.text)
        if not keyed:
            continue
        for place, (start, end) in enumerate(values_after(lines, index, line.start + keyed.end(), text)):
            number = _NUMBER.match(text, start, end)
            if number:
                value = TypedValue(FieldType.TEXT, number[0], original=number[0], normal=number[0].casefold())
                yield TextReading(
                    value, (number.span(),), (0.93 if "inv" in keyed[0].lower() else 0.91) - 0.2 * (place > 0)
                )
                break


def total_readings(text: str) -> list[Reading]:
    """What may be the total to be paid, taxes and rounding included; best first."""
    currency = currency_in(text)
    lines = read_lines(text)
    counts: Counter[Decimal] = Counter()
    for line in lines:
        counts.update({amount.number for amount in amounts_in(text, line.start, line.end, currency)})
    paid = paid_amounts(text, lines, currency)
    scored: list[tuple[float, Amount]] = []
    for index, line in enumerate(lines):
        keyed = list(_TOTAL.finditer(line.text))
        if not keyed or _NOT_TOTAL.search(line.text):
            continue
        amount = _amount_behind(text, lines, index, line.start + keyed[0].start(), currency)
        if amount is None or amount.number <= 0:
            continue
        score = 2.0 + 1.2 * bool(_INCLUSIVE.search(line.text)) + 0.4 * min(3, counts[amount.number] - 1)
        score += 1.5 * (amount.number in paid) + 0.3 * index / max(1, len(lines))
        scored.append((score, amount))
    if not scored:
        scored = [
            (1.0, amount)
            for line in lines
            for amount in amounts_in(text, line.start, line.end, currency)
            if amount.number in paid
        ]
    scored.sort(key=lambda pair: -pair[0])
    return [
        TextReading(amount.value, ((amount.start, amount.end),), _sure(scored, rank))
        for rank, (_, amount) in enumerate(scored)
    ]


def _sure(scored: list[tuple[float, Amount]], rank: int) -> float:
    score, amount = scored[rank]
    if rank:
        return 0.5
    others = [each for each, other in scored if other.number != amount.number]
    margin = score - max(others, default=0.0)
    if score >= 3 and margin >= 0.9:
        return 0.95
    return 0.91 if score >= 2 and margin >= 0.3 else 0.7


def paid_amounts(text: str, lines: list[Line], currency: str) -> set[Decimal]:
    """Amounts of cash less change, and of charges to a card."""
    cash: list[Decimal] = []
    change: list[Decimal] = []
    for index, line in enumerate(lines):
        target = change if _CHANGE.search(line.text) else cash if _CASH.search(line.text) else None
        if target is None or _TOTAL.search(line.text):
            continue
        amount = _amount_behind(text, lines, index, line.start, currency)
        if amount:
            target.append(abs(amount.number))  # change may be printed as what goes out: "-1.60"
    return {given - back for given in cash for back in [*change, Decimal(0)] if given > back}


def _amount_behind(text: str, lines: list[Line], index: int, start: int, currency: str) -> Amount | None:
    """The last amount of the key's line; else the last of the next line, where that has no key."""
    line = lines[index]
    found = amounts_in(text, start, line.end, currency)
    if found:
        return found[-1]
    for following in lines[index + 1 : index + 2]:
        bare = re.sub(r"[^A-Za-z]", "", following.text)
        found = amounts_in(text, following.start, following.end, currency)
        if found and len(bare) <= 4:
            return found[-1]
    return None


def _parts(text: str, own: _Key, rest: _Key, most: Decimal) -> Iterator[Reading]:
    """What a key states of the total: sure where it makes the total with the rest, or is the only one.

    most: the share of the total that it can be.
    """
    readings = list(_keyed(text, *own))
    others = {each.value.decimal or Decimal(0) for each in _keyed(text, *rest)}
    total = next((each.value.decimal for each in total_readings(text)), None)
    is_only = len({each.value.text for each in readings}) == 1
    for each in readings:
        amount = each.value.decimal or Decimal(0)
        if total is not None and any(amount + other == total for other in others):
            yield each._replace(confidence=0.95)
        else:
            fits = is_only and total is not None and amount <= most * total
            yield each if fits else each._replace(confidence=0.5)


def _keyed(text: str, key: re.Pattern[str], unless: re.Pattern[str] | None) -> Iterator[Reading]:
    currency = currency_in(text)
    lines = read_lines(text)
    for index, line in enumerate(lines):
        match = key.search(line.text)
        if not match or (unless and unless.search(line.text)):
            continue
        amount = _amount_behind(text, lines, index, line.start + match.end(), currency)
        if amount:
            yield TextReading(amount.value, ((amount.start, amount.end),), 0.91)


_WORDS = frozenset(["ALL", "BAM", "COP", "CUP", "GEL", "MAD", "MOP", "PEN", "SOS", "TOP", "TRY"])
_CODE = "|".join(sorted(CODES - _WORDS))  # of currencies that are no words of receipts
_WHOLE = rf"[{BLANKS}]?\d[\d.,{APOSTROPHES}{BLANKS}]{{0,20}}[.,]\d\d"
_CURRENCY = re.compile(
    rf"(?<![A-Za-z])(RM|MYR|USD|EUR|GBP|SGD|INR|Rs\.|(?:{_CODE})(?={_WHOLE})|(?<=\d\d[{BLANKS}])(?:{_CODE}))"
    r"(?![A-Za-z])|([$\u20ac\u00a3\u20b9])"
)
_AMOUNT = any_case(
    rf"(?<![\d.,/:-])(?<!\d[{APOSTROPHES}])(?P<minus>[-\u2212])?(?:(?P<mark>(?<![a-z])(?:{_CODE})|{SYMBOL})"
    rf"[{BLANKS}]?)?(?P<digits>\d{{1,3}}(?:[,.{APOSTROPHES}]\d{{2,3}}|[{BLANKS}]\d{{3}}){{1,6}}"
    r"[.,][ ]?\d{2}"
    r"|\d{1,7}[.,][ ]?\d{2})(?![\d/:%]|[.,]\d|[ ]?%)(?P<trail>-(?=[ ]{0,3}(?:\n|$)))?"
)
MAX_LINES = 2_000


class Line(NamedTuple):
    """A line that is not blank, without the white space at its ends."""

    start: int
    end: int
    text: str


class Amount(NamedTuple):
    """An amount as a receipt prints it, with or without a currency."""

    start: int
    end: int
    number: Decimal
    value: TypedValue


def read_lines(text: str) -> list[Line]:
    """The first 2,000 lines of a text that hold anything."""
    return [Line(start, end, text[start:end]) for start, end in islice(lines_of(text), MAX_LINES)]


def amounts_in(text: str, start: int, end: int, currency: str) -> list[Amount]:
    """The amounts with cents between two offsets, in order."""
    found = []
    for match in _AMOUNT.finditer(text, start, end):
        digits = match["digits"].replace(" ", "")
        mark = (match["mark"] or "").strip()
        sign = "-" if match["minus"] or match["trail"] else ""
        value = parse_money(f"{sign}{mark} {digits}" if mark else f"{sign}{digits}", currency)
        if value is None or value.amount is None:
            continue
        exact = TypedValue(value.type, value.text, value.amount, value.unit, match[0].strip())
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        found.append(Amount(begin, match.end(), Decimal(value.text), exact))
    return found


def currency_in(text: str) -> str:
    """The one currency that a receipt is in, "" where it does not say: its marks, or where it is from."""
    marks = _CURRENCY.findall(text, 0, 20_000)
    names = {"RM": "MYR", "Rs.": "INR", "$": "USD", "\u20ac": "EUR", "\u00a3": "GBP", "\u20b9": "INR"}
    counts: Counter[str] = Counter(names.get(code or symbol, code) for code, symbol in marks)
    if counts:
        return counts.most_common(1)[0][0]
    return "MYR" if re.search(r"\bS[DO]N\.?[ ]?B[HN]D\b|\bMALAYSIA\b", text, re.IGNORECASE) else ""


def values_after(lines: list[Line], index: int, key_end: int, text: str) -> Iterator[tuple[int, int]]:
    """Spans where a key's value can stand: behind it on its line, else on the next lines."""
    line = lines[index]
    rest = text[key_end : line.end]
    if re.search(r"[A-Za-z0-9]", rest):
        skip = len(rest) - len(rest.lstrip(" \t:.#-=*"))
        yield key_end + skip, line.end
    for following in lines[index + 1 : index + 3]:
        yield following.start, following.end


invoice_date = value_rule("invoice_date", _dates, 0.7)


invoice_number = value_rule("invoice_number", lambda document: _numbers(document.text), 0.7)


total = value_rule("total", lambda document: total_readings(document.text), 0.7)


_Key = tuple[re.Pattern[str], re.Pattern[str] | None]
_BEFORE_TAX: _Key = (_SUBTOTAL, None)
_OF_TAX: _Key = (_TAX, _NOT_TAX)


subtotal = value_rule(
    "subtotal", lambda document: _parts(document.text, _BEFORE_TAX, _OF_TAX, Decimal(1)), 0.8
)


tax = value_rule("tax", lambda document: _parts(document.text, _OF_TAX, _BEFORE_TAX, Decimal("0.5")), 0.8)


RULES = {
    "vendor": vendor,
    "customer": customer,
    "invoice_date": invoice_date,
    "invoice_number": invoice_number,
    "total": total,
    "subtotal": subtotal,
    "tax": tax,
}
"""By the name that a schema uses."""
