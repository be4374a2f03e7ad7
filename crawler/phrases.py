"""Wording by which pages that are no pages are known: errors, walls, shells and parked names."""

from __future__ import annotations

import re


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


NOT_FOUND_TITLE = _any_of(
    r"^\W*(?:error\W*)?(?:404|410)\b(?!\s*(?:pages?|items|results|ways))",
    r"\b(?:error|status|http)\W{0,3}(?:404|410)\b",
    r"\b404\b.{0,20}\b(?:error|not found)\b",
    r"\b(?:page|file|document|article|content|resource|site|url|address|object|product|item)s?\s+"
    r"(?:(?:was|were|is|are|could|can)\s*(?:not|n.t)|cannot)\s+(?:be\s+)?found\b",
    r"\b(?:page|file|document|article|content|resource|product|item)\s+not\s+found\b",
    r"^\W*not found\W*$",
    r"\b(?:page|article|product|item)\s+(?:does(?:\s*not|n.t)\s+exist|no longer exists|is gone)\b",
    r"\b(?:couldn.t|could not|cannot|can.t)\s+find\s+(?:the|that|this|your|a)\s+(?:page|file|document)\b",
    r"\bnothing (?:was )?found here\b",
    r"\bseite (?:wurde )?nicht gefunden\b",
    r"\bseite existiert nicht\b",
    r"\bpage (?:introuvable|non trouv\w+)\b",
    r"\bp[aá]gina no (?:encontrada|existe)\b",
    r"\bpagina non trovata\b",
    r"\bpagina niet gevonden\b",
    r"\bp[aá]gina n[aã]o encontrada\b",
)
NOT_FOUND_TEXT = _any_of(
    r"\bthe (?:page|file|document|url|address|resource) (?:that )?"
    r"(?:you (?:requested|are looking for|were looking for)|requested).{0,60}"
    r"\b(?:not|n.t|cannot|no longer|removed|moved|deleted)\b",
    r"\b(?:page|file|document)\s+(?:you requested )?"
    r"(?:(?:was|is|could|can)\s*(?:not|n.t)|cannot)\s+(?:be\s+)?found\b",
    r"\b(?:we|sorry|oops).{0,40}\b(?:couldn.t|could not|cannot|can.t)\s+find\b.{0,40}\b(?:page|looking)\b",
    r"\b(?:404|page) not found\b",
    r"\bseite (?:wurde |konnte )?nicht gefunden\b",
)
SCRIPTS_NEEDED = _any_of(
    r"\b(?:enable|activate|turn on|requires?|need|needs|without)\s+(?:\w+\s+){0,3}java\s?script\b",
    r"\bjava\s?script\s+(?:\w+\s+){0,4}(?:disabled|required|enabled|turned off|to run|to use)\b",
    r"\bjava\s?script\s+(?:aktivieren|ist deaktiviert|wird ben[oö]tigt)\b",
    r"\bactiver\s+java\s?script\b",
    r"\bchecking (?:your browser|if the site connection is secure)\b",
)
LOGIN_TITLE = _any_of(
    r"^\W*(?:please )?(?:log|sign)\s?(?:in|on)\b",
    r"\b(?:login|sign[- ]?in|log[- ]?in)(?: page| required)?\W*$",
    r"^\W*(?:anmelden|anmeldung|connexion|iniciar sesi[oó]n)\W*$",
    r"\b(?:login|authentication|sign[- ]in) required\b",
)
LOGIN_REQUIRED = _any_of(
    r"\b(?:you )?(?:must|need to|have to|please)\s+(?:be\s+)?(?:log(?:ged)?|sign(?:ed)?)[- ]?\s?(?:in|on)\b"
    r".{0,60}\b(?:to|before|for)\b",
    r"\b(?:log|sign)\s?in to (?:continue|view|read|see|access)\b",
)
CONSENT = _any_of(
    r"\b(?:before you continue|we value your privacy)\b",
    r"\bwe (?:and our partners )?(?:use|store|process)\b.{0,40}\bcookies?\b",
    r"\b(?:cookies?|consent|datenschutz|privacy)\b.{0,200}"
    r"\b(?:accept|agree|reject|consent|zustimmen|akzeptieren|ablehnen)\b",
    r"\b(?:accept|agree to|consent to)\b.{0,80}\b(?:cookies?|tracking|terms)\b",
    r"\baccepter\b.{0,60}\bcookies?\b",
)
CONSENT_ACT = _any_of(
    r"\b(?:accept|reject|agree|allow|consent)(?: to)?(?: all| cookies|\s+and\b| und\b|\W|$)",
    r"\b(?:alle )?(?:akzeptieren|zustimmen|ablehnen)\b",
    r"\b(?:tout )?(?:accepter|refuser)\b",
)
PARKED = _any_of(
    r"\b(?:this )?domain(?: name)?\b.{0,60}\b(?:is|may be|might be)\s+"
    r"(?:for sale|available for (?:purchase|sale)|parked)\b",
    r"\bbuy this domain\b",
    r"\bparked (?:free|domain|page)\b",
    r"\bdomain (?:parking|parked)\b",
    r"\bthis (?:web)?site is parked\b",
    r"\bdiese domain (?:steht zum verkauf|ist zu verkaufen|kaufen)\b",
    r"\bthe owner of this domain\b.{0,80}\b(?:parked|sale|offer)\b",
    r"\bthis domain (?:has )?(?:expired|was recently registered)\b",
)
