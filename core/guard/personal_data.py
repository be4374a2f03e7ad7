"""Personal data in a text: addresses, numbers of cards, accounts, people and telephones, and secrets.

A number counts by its own check (Luhn, ISO 7064, the rules of python-stdnum); where such numbers are also
written as something else, only after a word that says what it is. Names of people are no finding: documents
are about them.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from functools import partial

from core.domain.guards.verdict import GuardSpan
from core.values.identifiers import find_phones, passes_check

_FORMS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"(?:AKIA|ASIA)[A-Z0-9]{16}"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}"
    r"|glpat-[A-Za-z0-9_-]{18,}"
    r"|gsk_[A-Za-z0-9]{20,}"  # Groq
    r"|sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic
    r"|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"  # Stripe
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|AIza[A-Za-z0-9_-]{35}"  # Google
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"  # JWT
    r")(?![A-Za-z0-9_])"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_SIGN_IN = re.compile(r"(?<=://)[^\s/@:]{1,64}:([^\s/@]{1,128})(?=@)")
_BEARER = re.compile(r"\bBearer\s+([A-Za-z0-9._~+/=-]{16,})")
_NAMED = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pwd|pass\s?word|api[ _-]?key|secret[ _-]?key|access[ _-]?key"
    r"|client[ _-]?secret|(?:access|auth|api)[ _-]?token|(?:card\s+)?(?:cvv|cvc)2?(?:\s+(?:code|number))?"
    r"|(?:my|the|his|her|card)\s+pin)\b"
    r"(\s*[:=]\s*|\s+is\s+)[\"'\u201c\u2018]?([^\s\"'\u201d\u2019,;]{3,128})",
    re.IGNORECASE,
)
_LEAST = 3


def find_credentials(text: str) -> Iterator[GuardSpan]:
    """Every secret in `text`, also where two overlap."""
    for pattern, group in ((_FORMS, 0), (_PRIVATE_KEY, 0), (_SIGN_IN, 1), (_BEARER, 1)):
        for match in pattern.finditer(text):
            yield GuardSpan(start=match.start(group), end=match.end(group), kind="secret")
    for match in _NAMED.finditer(text):
        value = match[2].rstrip(".?")
        if len(value) >= _LEAST and (match[1].strip() != "is" or any(not char.isalpha() for char in value)):
            yield GuardSpan(start=match.start(2), end=match.start(2) + len(value), kind="secret")


WORDS = {
    "secret": "password or key",
    "iban": "IBAN",
    "card": "card number",
    "national_id": "national identity number",
    "passport": "passport number",
    "licence": "driving licence number",
    "email": "e-mail address",
    "ip_address": "IP address",
    "phone": "telephone number",
}
"""Kinds of personal data in words; where two findings overlap, the kind that stands first here counts."""

_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%'-]{1,64}@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}(?![\w@-])")
_CARD = re.compile(r"(?<![\w.-])\d(?:[ -]?\d){11,18}(?![\w-]|\.\d)")
_CARD_CUE = re.compile(
    r"\b(?:card|cc|visa|mastercard|master card|amex|maestro)\b[^\n\d]{0,40}$", re.IGNORECASE
)
_ISSUER = re.compile(
    r"(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}(?:\d{3})?|35\d{14}|(?:2131|1800)\d{11}|(?:50|5[6-9]|6[0-9])\d{10,17})"
)
"""Ranges of issuers. Source: ISO/IEC 7812-1, as the networks publish their ranges."""
_IBAN = re.compile(
    r"(?<!\w)[A-Za-z]{2}\d{2}(?:[A-Za-z0-9]{11,30}"
    r"|(?:[ -][A-Za-z0-9]{4}){2,7}(?:[ -][A-Za-z0-9]{1,3})?)(?!\w)"
)
_SSN = re.compile(r"(?<![\w.-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])")
_SSN_CUE = re.compile(r"\b(?:ssn|social\s+security(?:\s+(?:number|no\.?|#))?)\b[^\n\d]{0,30}$", re.IGNORECASE)
_NINE = re.compile(r"(?<![\w.-])\d{9}(?![\w-])")
_IP = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)"
    r"|(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:])"
)
_NO_IP = re.compile(
    r"(?:\bversions?|\bv|\brelease|\bsections?|\bclauses?|\bparagraphs?|\barticles?|§|\bno\.?)\s*$",
    re.IGNORECASE,
)
_PASSPORT = re.compile(
    r"\bpassport(?:\s+(?:number|no\.?|#|id))?(?:\s*[:=#]\s*|\s+(?:is|was)\s+"
    r"|\s+)(?P<data>(?=[A-Z]{0,2}\d)[A-Z0-9]{6,9})(?!\w)",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"\b(?:driver'?s?|driving)[' ]{0,2}s?\s*licen[cs]e(?:\s+(?:number|no\.?|#|id))?(?:\s*[:=#]\s*"
    r"|\s+(?:is|was)\s+|\s+)"
    r"(?P<data>(?=[A-Z-]{0,4}\d)[A-Z0-9](?:[A-Z0-9]|-(?=[A-Z0-9])){4,18})(?!\w)",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?<![\w+])(?<!\d[.,/-])(?:\+|00)?(?:\(\+?\d{1,4}\)|\d)(?:[ ./-]?(?:\(\d{1,5}\)|\d)){5,15}"
    r"(?:[ ]?(?:x|ext\.?)[ ]?\d{1,6})?(?![\w]|[./]\d)"
)
_PHONE_CUE = re.compile(
    r"(?:\b(?:phones?|telephone|tel|mobile|cell|cellphone|fax|desk|landline|whatsapp|sms|dial)\b\.?"
    r"(?:\s+(?:number|no\.?|#))?(?:\s+(?:is|was|of|at|to|on))?"
    r"|\b(?:call|ring|reach|contact|text)\s+(?:me|us|him|her|them|back|\w+)?\s*(?:back\s+)?(?:at|on|under)"
    r"|\b(?:answering|messages?|calls?)\s+(?:at|to|from)|\bmy\s+registered)\s*[:=#-]?\s*$",
    re.IGNORECASE,
)
_PHONE_NEXT = re.compile(r"[ -]{0,2}(?:office|fax|mobile|desk|cell|home|work)\b", re.IGNORECASE)
_DAY = re.compile(r"(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d")
_BEFORE = 60

_NATIONAL: tuple[tuple[str, str, str], ...] = (
    ("gb.nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", r"\bNHS\b"),
    ("de.idnr", r"\d{2}[ ]?\d{3}[ ]?\d{3}[ ]?\d{3}", r"Steuer-?ID|Identifikationsnummer|\bIdNr|tax\s+id"),
    ("fr.nir", r"[12][ ]?\d{2}[ ]?\d{2}[ ]?\d[\dAB][ ]?\d{3}[ ]?\d{3}[ ]?\d{2}", r""),
    ("es.dni", r"\d{8}-?[A-Z]", r""),
    ("es.nie", r"[XYZ]-?\d{7}-?[A-Z]", r""),
    ("it.codicefiscale", r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]", r""),
    ("nl.bsn", r"\d{9}", r"\bBSN\b|burgerservicenummer|citizen\s+service"),
    ("pl.pesel", r"\d{11}", r"\bPESEL\b"),
    ("se.personnummer", r"\d{6}(?:\d{2})?[-+]\d{4}", r"personnummer|personal\s+(?:identity\s+)?number"),
    ("fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Y]", r""),
    ("dk.cpr", r"\d{6}-?\d{4}", r"\bCPR\b"),
    ("no.fodselsnummer", r"\d{6}[ ]?\d{5}", r"f[øo]dselsnummer"),
    ("be.nn", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", r""),
    ("ch.ssn", r"756\.?\d{4}\.?\d{4}\.?\d{2}", r""),
    ("br.cpf", r"\d{3}\.?\d{3}\.?\d{3}-\d{2}", r""),
    ("in_.aadhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}", r"aadhaar|aadhar"),
    ("in_.pan", r"[A-Z]{3}P[A-Z]\d{4}[A-Z]", r"\bPAN\b"),
    ("ca.sin", r"\d{3}[- ]?\d{3}[- ]?\d{3}", r"\bSIN\b|social\s+insurance"),
    ("au.tfn", r"\d{3}[ ]?\d{3}[ ]?\d{3}", r"\bTFN\b|tax\s+file"),
    ("cn.ric", r"\d{17}[\dX]", r""),
    ("za.idnr", r"\d{13}", r"\bID\b|identity"),
)
"""Rule of python-stdnum, form, and the words one of which must stand before ("": the form tells enough)."""
_NATIONAL_FORMS = tuple(
    (
        rule,
        re.compile(rf"(?<![\w.-]){form}(?![\w-])"),
        re.compile(rf"(?:{cue})[^\n]{{0,40}}$", re.IGNORECASE) if cue else None,
    )
    for rule, form, cue in _NATIONAL
)
_NINO = re.compile(
    r"(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ ]?"
    r"\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D](?!\w)"
)
"""UK National Insurance number. Source: HMRC, NIM39110."""


def find_personal_data(text: str) -> list[GuardSpan]:
    """Personal data and secrets in `text`, in order, none overlapping."""
    rank = {kind: at for at, kind in enumerate(WORDS)}
    found = sorted(_candidates(text), key=lambda span: (rank[span.kind], span.start - span.end, span.start))
    kept: list[GuardSpan] = []
    for span in found:
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda span: span.start)


def _candidates(text: str) -> Iterator[GuardSpan]:
    yield from find_credentials(text)
    for kind, pattern, is_one in _CHECKED:
        for match in pattern.finditer(text):
            if is_one is None or is_one(text, match):
                group = pattern.groupindex.get("data", 0)
                yield GuardSpan(start=match.start(group), end=match.end(group), kind=kind)
    yield from _ibans(text)
    yield from _phones(text)


def _before(text: str, at: int) -> str:
    return text[max(0, at - _BEFORE) : at]


def _is_card(text: str, match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match[0])
    is_named = bool(_CARD_CUE.search(_before(text, match.start())))
    return (is_named or bool(_ISSUER.fullmatch(digits))) and passes_check("luhn", digits)


def _ibans(text: str) -> Iterator[GuardSpan]:
    """Account numbers in one piece or in groups; words of four letters after one look like its groups."""
    for match in _IBAN.finditer(text):
        ends = [at.start() for at in re.finditer(r"[ -]|\Z", match[0])]
        end = next((end for end in reversed(ends) if passes_check("iban", match[0][:end])), None)
        if end is not None:
            yield GuardSpan(start=match.start(), end=match.start() + end, kind="iban")


def _is_ssn_of_nine(text: str, match: re.Match[str]) -> bool:
    return bool(_SSN_CUE.search(_before(text, match.start())))


def _is_address(text: str, match: re.Match[str]) -> bool:
    if _NO_IP.search(_before(text, match.start())):
        return False
    try:
        ipaddress.ip_address(match[0])
    except ValueError:
        return False
    return True


def _is_national_id(rule: str, cue: re.Pattern[str] | None, text: str, match: re.Match[str]) -> bool:
    is_cued = cue is None or bool(cue.search(_before(text, match.start())))
    return is_cued and passes_check(rule, match[0])


_CHECKED: tuple[tuple[str, re.Pattern[str], Callable[[str, re.Match[str]], bool] | None], ...] = (
    ("email", _EMAIL, None),
    ("card", _CARD, _is_card),
    ("national_id", _SSN, None),
    ("national_id", _NINE, _is_ssn_of_nine),
    ("national_id", _NINO, None),
    ("ip_address", _IP, _is_address),
    ("passport", _PASSPORT, None),
    ("licence", _LICENCE, None),
    *(("national_id", form, partial(_is_national_id, rule, cue)) for rule, form, cue in _NATIONAL_FORMS),
)
"""Kinds with their forms, and what else has to hold of one; of a form with a group `data` that is meant."""


def _phones(text: str) -> Iterator[GuardSpan]:
    """Numbers beside a word for telephones, and valid ones that are written as only telephone numbers are."""
    for match in _PHONE.finditer(text):
        digits = sum(char.isdigit() for char in match[0])
        is_named = _PHONE_CUE.search(_before(text, match.start())) or _PHONE_NEXT.match(text, match.end())
        if is_named and digits >= 7 and not _DAY.fullmatch(match[0]):
            yield GuardSpan(start=match.start(), end=match.end(), kind="phone")
    for found in find_phones(text):
        written = text[found.start : found.end]
        is_written_so = written.startswith(("+", "(")) or len(re.findall(r"[ .)-]+", written)) >= 2
        if is_written_so and not _DAY.fullmatch(written):
            yield GuardSpan(start=found.start, end=found.end, kind="phone")
