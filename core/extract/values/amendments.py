"""Which agreement a document amends: "Amendment No. 2 to the Supply Agreement dated 1 May 2004"."""

from __future__ import annotations

import re

from core.domain.fields import FieldType, Finding, TypedValue
from core.extract.base import DocumentText
from core.extract.decision import Reading, decide
from core.values.titles import family_key

_TOP = 4_000
_KIND = r"(?:amendment|amended[ \n]and[ \n]restated|addendum|supplement|modification|amend\.?)"
_NUMBER = (
    r"(?:[ \n]{1,3}(?:no\.?|number|#)?[ \n]{0,3}(?:\d{1,3}|[IVX]{1,5}|one|two|three|four|five|six|seven"
    r"|eight|nine|ten))?"
)
_TITLE = (
    r"(?P<title>(?:[A-Z0-9][\w&'\u2019/.-]*|of|and|for|the|to|on)(?:[ \n,]{1,3}(?:[A-Z0-9][\w&'\u2019/.-]*"
    r"|of|and|for|the|on)){0,11}?[ \n]{1,3}"
)
_AGREEMENT = (
    r"(?:(?i:agreement|contract|lease|license|licence|plan|deed|order|memorandum of understanding"
    r"|statement of work))\b)"
)
_AMENDMENT = re.compile(
    rf"(?i:\b{_KIND}{_NUMBER})(?:[ \n]{{0,3}}\([^()]{{0,60}}\))?[ \n,]{{1,4}}"
    rf"(?i:dated[^.;]{{0,60}}?)?(?i:to|of)[ \n]{{1,4}}(?i:(?:the|that"
    rf"|certain)[ \n]{{1,3}}){{0,2}}{_TITLE}{_AGREEMENT}"
)


_NONE_IN_ITS_HEAD = 0.99
"""Measured: of 188 contracts of CUAD without such a word in their first lines none is called an amendment."""


def amendment_of(document: DocumentText) -> Finding:
    """The title of the agreement that this one amends; `normal` is what a family is grouped by."""
    readings = []
    for match in _AMENDMENT.finditer(document.text, 0, _TOP):
        title = " ".join(match["title"].split())
        if len(title.split()) < 2:
            continue
        value = TypedValue(FieldType.TEXT, title, original=match["title"], normal=family_key(title))
        sure = 0.93 if match.start() < 1_500 else 0.7
        readings.append(Reading(value, (match.span("title"), match.span()), sure))
    if not readings and not re.search(rf"\b{_KIND}\b", document.text[:600], re.IGNORECASE):
        return decide(document, [], "rule amendment_of", absent=_NONE_IN_ITS_HEAD)
    return decide(document, readings, "rule amendment_of", absent=0.7)
