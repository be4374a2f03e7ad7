"""Absence of undecided clauses: only where their words stand nowhere in a text that was read whole.

The heads weigh sentences and are never sure of a short contract: one of two pages without a word on ending it
was .83 sure to have no termination clause. But a clause of these types cannot be written without certain
words, and where none of them stands there is none. Of 137 cells of 44 documents that somebody had checked by
hand (docs/models/clauses_checked.tsv) and where no such word stands 136 lack the clause and one is unclear;
no contract of CUAD without them has a clause that implies one (0 of 58). For CUAD's own types it is not so:
of the undecided cells without a synonym or pattern of theirs 74 of 80 were right, too few.

Ending without a reason is absent where every sentence that lets a party end the contract names a reason.
On CUAD, of the contracts whose head is below .35, that was so 19 times, and right each time.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.config.fields import FieldDefinition, HeadExtractor
from core.domain.facts import head_probability
from core.domain.fields import CellStatus, Finding
from core.extract.absence import RATE
from core.extract.base import DocumentText
from core.extract.clauses.segments import segment

METHOD = "words"
_MAX_CHARS = 400_000
_UNLIKELY = 0.35
"""Below it, a head may be settled by what the sentences say; above it, it has seen something."""


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_WORDS = {
    "force_majeure": _any(
        r"force\s+majeure", r"acts?\s+of\s+god", r"(?:beyond|outside|out\s+of)\b[^.]{0,60}\bcontrol",
        r"natural\s+disaster", r"reasonable\s+control", "unavoidable", "excusable", "unfores", "embargo",
        "earthquake", r"could\s+not\s+(?:foresee|prevent)",
    ),
    "confidentiality": _any(
        "confiden", r"non-?\s?disclos", r"trade\s+secret", r"proprietary\s+information", "secre(?:t|cy)",
        r"not\s+(?:to\s+)?disclose", "divulge", r"not\s+reveal",
    ),
    "indemnification": _any("indemn", "harmless", r"\bdefend\b"),
    "payment_terms": _any(
        r"\bpa(?:y|ys|id|yable|yments?|ying)\b", "remit", "invoic", "reimburs", r"\bfees?\b", "compensat",
        "remunerat",
    ),
    "termination": _any(
        "terminat", "cancel", "rescind", "rescission", "revo(?:ke|cation)", "withdraw", "discontinu",
        r"\bcease", "surrender", "dissol", r"event\s+of\s+default", r"to\s+an\s+end", r"put\s+an\s+end",
        r"(?:may|can|could|right\s+to|entitled\s+to|option\s+to|elects?\s+to|wish(?:es)?\s+to|free\s+to)\b"
        r"(?:\W+\w+){0,5}?\W+end\b",
        r"\bends?\s+(?:this|the|it)\b(?!\s+of)", r"notice\s+to\s+quit",
    ),
    "limitation_of_liability": _any(
        "damages", "liab", r"in\s+no\s+event", r"responsib\w+\s+for\s+any\s+loss"
    ),
    "warranties": _any("warrant", r"represents?\b", "representation", "guarant", r"\bas\s+is\b"),
    "dispute_resolution": _any(
        "arbitrat", "mediat", "disput", "controvers", r"\bcourts?\b", "jurisdiction", "venue", "litigat",
        "conciliat",
    ),
    "data_protection": _any(
        "privacy", r"personal(?:ly)?\W+(?:data|information|identif)", "gdpr", "hipaa", r"protected\s+health",
        r"data\s+(?:protection|security|processing|controller|processor|breach|subject)",
        r"(?:user|customer|consumer|member|patient)s?['\u2019]?\s+(?:data|information)",
    ),
    "entire_agreement": _any(
        "entire", r"whole\s+(?:agreement|understanding|contract)", "supersed", "integrat", "merge",
        r"complete\s+(?:and\s+\w+\s+)?(?:agreement|statement|understanding)", r"full\s+and\s+complete",
        r"sole\s+(?:agreement|understanding)",
        r"(?:prior|previous|earlier|oral)\b[^.]{0,40}\b(?:agreements?|understandings?|negotiations)",
    ),
    "severability": _any(
        "severab", r"sever(?:ed|ance)\b", "invalid", "unenforceab", "illegal", "unlawful", r"void\b",
        "validity",
    ),
    "amendment_and_waiver": _any(
        "amend", "modif", "waive", r"\bchang(?:e|es|ed)\b", r"\balter", r"\bvar(?:y|ied|iation)", "supplement"
    ),
    "intellectual_property": _any(
        "intellectual", "copyright", "patent", r"trade\s?-?mark", r"trade\s+name", r"proprietary\s+right",
        r"service\s+mark", r"work\s+product", "invention", r"\blicen[sc]", "know-?how", r"\blogo",
    ),
    "notices": _any(r"\bnotices?\b", r"\bnotif"),
}  # fmt: skip
"""By head, the words without which its clause cannot be written."""

_END = (
    r"(?:terminat\w*|cancel\w*|rescind\w*|withdraw\w*|discontinu\w*|revo(?:ke|cation)\w*|\bend(?:s|ed)?\b"
    r"|ceas\w+)"
)
_LETS_END = _any(
    r"(?:\bmay\b|\bcan\b|\bright\b|entitled|\boption\b|\belect|discretion|\bwill\b|\bshall\b|\bnotice\b"
    rf"|mutual|consent|agreement\s+of|either\s+party|any\s+time|\bpower\b|allowed|permit)[^.;]*{_END}",
    rf"{_END}[^.;]*(?:\bnotice\b|any\s+time|at\s+will|without\s+cause|convenience|discretion|mutual"
    r"|(?:any|no)\s+reason|without\s+reason|written\s+consent|either\s+party|by\s+(?:the\s+)?[A-Z])",
    "terminable", "cancell?able", "at[- ]will",
)  # fmt: skip
_OF_THE_END = r"(?:termination|cancellation)"
_REASON = _any(
    r"\bif\b", r"in\s+the\s+event", r"in\s+case\s+of", r"for\s+cause", r"\bbreach", "default",
    "fail(?:s|ed|ure)", "insolven", "bankrupt", r"force\s+majeure",
    r"upon\s+(?:the\s+)?(?:occurrence|breach|default|material|bankruptcy|insolvency|failure)",
    r"\b(?:upon|on|after|following|prior\s+to|before|effect\s+of|survive|since|until|date\s+of|at\s+the"
    r"|during|event\s+of|such|any|the|by\s+reason\s+of|of)\s+(?:the\s+)?(?:early\s+|earlier\s+|such\s+|any\s+"
    rf"|its\s+|their\s+|said\s+)?(?:expiration\s+(?:or|and)\s+|expiry\s+or\s+)?{_OF_THE_END}\b",
    r"unless\s+(?:this\s+agreement\s+)?(?:is\s+)?(?:earlier|sooner)",
)  # fmt: skip
"""What gives a reason for ending, or speaks of an end that another sentence allows."""


def without_words(document: DocumentText, definition: FieldDefinition, doubt: Finding) -> Finding:
    """An undecided head's finding, or the absence that the text allows."""
    head = next((each.head for each in definition.extractors if isinstance(each, HeadExtractor)), "")
    if doubt.method != "head" or len(document.text) > _MAX_CHARS:
        return doubt
    if any(not page.text.strip() for page in document.pages):
        return doubt
    note = ""
    words = _WORDS.get(head)
    if words is not None and not words.search(document.text):
        note = "No word that such a clause needs stands in the text, every page of which was read."
    elif head == "termination_for_convenience" and _always_with_reason(document, doubt):
        note = "Every sentence that lets a party end the contract names a reason."
    if not note:
        return doubt
    return replace(doubt, status=CellStatus.ABSENT, confidence=RATE, method=METHOD, note=note)


def _always_with_reason(document: DocumentText, doubt: Finding) -> bool:
    probability = head_probability(doubt)
    if probability is None or probability >= _UNLIKELY:
        return False
    said = (each.text for each in segment(document.text).segments)
    return not any(_LETS_END.search(each) and not _REASON.search(each) for each in said)
