"""Requests for help in doing harm: a small set of rules about how something is done, never about a topic.

A question what documents say of explosives, weapons or self-harm is no such request; one that asks how to
make or do it is. The rules are few and miss much: they are a floor, and no judge of what is written.
"""

from __future__ import annotations

import re

from core.domain.guards.verdict import HARMFUL, GuardAction, GuardSpan, GuardVerdict

_HOW = (
    r"(?:how (?:do|can|could|would|should|to|might)\b(?: (?:i|we|you|one|someone|somebody))?"
    r"|(?:help|teach|show|tell|guide) (?:me|us)\b(?: (?:how )?to)?|(?:give|write|provide|send)(?: me| us)?\b"
    r"|(?:instructions?|steps?|guide|recipe|tutorial|plan|code|script|program) (?:to|for|on|that)\b"
    r"|i (?:want|need|would like|plan) to\b)"
)
_WITHIN = r"[^.?!]{0,60}?\b"
_BOMBS = (
    r"(?:(?:pipe|nail|dirty|car|fertili[sz]er|home-?made|petrol) bombs?|(?<!bath )bombs?"
    r"|explosive (?:device|vest)s?|explosives|molotov\w*|nerve agents?|sarin|ricin|mustard gas|anthrax"
    r"|nuclear (?:weapon|device)s?"
    r"|bioweapons?|ghost guns?)"
)
_DRUGS = r"(?:(?:crystal )?meth(?:amphetamine)?|heroin|fentanyl|crack cocaine|lsd|mdma)"
_MALWARE = (
    r"(?:ransomware|keyloggers?|computer (?:virus|worm)(?:es|s)?|botnets?|rootkits?"
    r"|malware (?:that|to|which))"
)
_MAKE = (
    r"(?:make|making|build(?:ing)?|construct(?:ing)?|assembl(?:e|ing)|synthesi[sz](?:e|ing)|cook(?:ing)?"
    r"|detonat(?:e|ing)|weaponi[sz](?:e|ing)|produc(?:e|ing)|writ(?:e|ing)|creat(?:e|ing)|cod(?:e|ing)"
    r"|develop(?:ing)?|spread(?:ing)?|deploy(?:ing)?)"
)
_THEFT = (
    r"(?:accounts?|passwords?|credentials|e-?mails?|bank|computers?|networks?|wi-?fi|identity|credit cards?"
    r"|someone's|somebody's)"
)
_VICTIM = (
    r"(?:(?:my|a|an|the|his|her|their|our|another) (?:wife|husband|partner|boss|neighbou?r|colleague|child"
    r"|kid|girl|boy|man|woman|person|ex|mother|father|teacher|president)|someone|somebody|people|him|her|them)"
)
_OWN_DEATH = (
    r"(?:kill(?:ing)? myself|commit(?:ting)? suicide|end(?:ing)? my (?:own )?life|hang(?:ing)? myself"
    r"|harm myself)"
)
_RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rule, re.IGNORECASE))
    for kind, rule in (
        ("weapons", rf"{_HOW}{_WITHIN}{_MAKE}\b[^.?!]{{0,40}}\b{_BOMBS}\b"),
        ("drugs", rf"{_HOW}{_WITHIN}{_MAKE}\b[^.?!]{{0,30}}\b{_DRUGS}\b"),
        ("malware", rf"{_HOW}{_WITHIN}(?:{_MAKE}\b[^.?!]{{0,30}}\b)?{_MALWARE}\b"),
        (
            "break-in",
            rf"{_HOW}{_WITHIN}(?:hack(?: in)?to|hack|break into|steal|phish|crack)\b[^.?!]{{0,40}}"
            rf"\b{_THEFT}\b",
        ),
        (
            "violence",
            rf"{_HOW}{_WITHIN}(?:kill|murder|poison|kidnap|assassinate|torture|strangle|rape)\b[^.?!]{{0,25}}"
            rf"\b{_VICTIM}\b",
        ),
        (
            "self-harm",
            rf"(?:{_HOW}{_WITHIN}|\bways? (?:to|of) {_WITHIN}|\bi (?:want|am going|plan) to ){_OWN_DEATH}\b",
        ),
        (
            "children",
            r"\b(?:child(?:ren)?|minors?|kids?|underage|preteen)\b[^.?!]{0,30}"
            r"\b(?:porn\w*|nudes?|sexual(?:ly explicit)? (?:images?|content|videos?|pictures?))\b",
        ),
    )
)
_ABOUT_DOCUMENTS = re.compile(
    r"\b(?:contracts?|agreements?|documents?|polic(?:y|ies)|clauses?|invoices?|reports?|manuals?|files?"
    r"|statutes?|act|regulations?|insur\w+|which|according to|does the|do the|says?|mentions?|summari[sz]e"
    r"|count|how many|collection|evidence|prevent|protect|against)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(
    rf"\b(?:to {_MAKE}|here(?:'s| is) how (?:to|you)|steps? (?:to|for) {_MAKE})\b[^.?!]{{0,40}}"
    rf"\b(?:{_BOMBS}|{_DRUGS}|{_MALWARE})\b",
    re.IGNORECASE,
)
_SELF_HARM = (
    "This is not answered here. If you are thinking of harming yourself, please talk to somebody now: "
    "your doctor, the local emergency number, or a crisis line."
)
_REFUSAL = (
    "This asks for help in doing harm, so it is not answered. "
    "Ask what the documents say about it instead, if that is what you look for."
)


def check_request(question: str) -> GuardVerdict:
    """Refusal of a question that asks how harm is done; a pass for any other, also one about documents."""
    for kind, rule in _RULES:
        match = rule.search(question)
        if match and not _ABOUT_DOCUMENTS.search(question):
            return GuardVerdict(
                name="harmful request",
                action=GuardAction.REFUSE,
                detail=_SELF_HARM if kind == "self-harm" else _REFUSAL,
                flag=HARMFUL,
                spans=(GuardSpan(start=match.start(), end=match.end(), kind=kind),),
            )
    return GuardVerdict(name="harmful request", action=GuardAction.PASS)


def check_instructions(text: str) -> GuardVerdict:
    """Refusal of written text that says how harm is done; a pass for any other."""
    match = _STEPS.search(text)
    if match is None:
        return GuardVerdict(name="written harm", action=GuardAction.PASS)
    return GuardVerdict(
        name="written harm",
        action=GuardAction.REFUSE,
        detail="What was written could help in doing harm; the quotes of the documents are shown instead.",
        flag=HARMFUL,
        spans=(GuardSpan(start=match.start(), end=match.end(), kind="steps"),),
    )
