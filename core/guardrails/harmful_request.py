"""Requests for help in doing harm: a small set of rules about how something is done, never about a topic.

A question what documents say of explosives, weapons or self-harm is no such request; one that asks how to make or do
it is. The rules are few and will miss much: they are a floor, and no judge of what is written.
"""

from __future__ import annotations

import re

from core.domain.guard import HARMFUL, GuardAction, GuardSpan, GuardVerdict

_HOW = (
    r"(?:how (?:do|can|could|would|should|to|might)\b(?: (?:i|we|you|one|someone|somebody))?"
    r"|(?:help|teach|show|tell|guide) (?:me|us)\b(?: (?:how )?to)?|(?:give|write|provide|send)(?: me| us)?\b"
    r"|(?:instructions?|steps?|guide|recipe|tutorial|plan|code|script|program) (?:to|for|on|that)\b|i (?:want|need|would like|plan) to\b)"
)
_WITHIN = r"[^.?!]{0,60}?"
_PARTS: dict[str, str] = {
    "weapons": rf"{_HOW}{_WITHIN}\b(?:make|mak(?:e|ing)|build(?:ing)?|construct(?:ing)?|assembl(?:e|ing)|synthesi[sz](?:e|ing)|detonat(?:e|ing)|cultur(?:e|ing)|weaponi[sz](?:e|ing))\b"
    r"[^.?!]{0,40}\b(?:(?:pipe|nail|dirty|car|fertili[sz]er|home-?made|petrol) bombs?|bombs?|explosives? (?:device|vest|belt)|explosives|molotov\w*|nerve agents?|sarin|ricin|mustard gas|anthrax|nuclear (?:weapon|device)|bioweapons?|ghost guns?)\b",
    "drugs": rf"{_HOW}{_WITHIN}\b(?:make|cook(?:ing)?|synthesi[sz](?:e|ing)|making|produc(?:e|ing))\b[^.?!]{{0,30}}\b(?:meth(?:amphetamine)?|crystal meth|heroin|fentanyl|crack cocaine|lsd|mdma)\b",
    "malware": rf"{_HOW}{_WITHIN}\b(?:(?:write|build|create|code|develop|spread|deploy|make|making|creating)\b[^.?!]{{0,30}})?\b(?:ransomware|a keylogger|a computer virus|a computer worm|a botnet|a rootkit|a trojan|malware (?:that|to|which|for))\b(?![^.?!]{{0,40}}\b(?:prevent|protect|clause|cover|insurance|policy|report|against)\b)",
    "break-in": rf"{_HOW}{_WITHIN}\b(?:hack(?: in)?to|break into|steal|phish|crack)\b[^.?!]{{0,40}}\b(?:accounts?|passwords?|credentials|e-?mails?|bank|computers?|network|wi-?fi|identity|credit cards?|someone's|somebody's)\b",
    "violence": rf"{_HOW}{_WITHIN}\b(?:kill|murder|poison|kidnap|assassinate|torture|strangle|rape)\b[^.?!]{{0,25}}\b(?:(?:my|a|an|the|his|her|their|our|another) (?:wife|husband|partner|boss|neighbou?r|colleague|child|kid|girl|boy|man|woman|person|ex|mother|father|teacher|president)|someone|somebody|people|him|her|them)\b",
    "self-harm": rf"(?:{_HOW}{_WITHIN}|\b(?:best|easiest|painless|quickest) ways? to {_WITHIN})\b(?:kill myself|commit suicide|end my (?:own )?life|hang myself|overdose on|harm myself|cut myself)\b|\bi (?:want|am going|plan) to (?:kill myself|end my life|die)\b",
    "children": r"\b(?:child(?:ren)?|minors?|kids?|underage|preteen)\b[^.?!]{0,30}\b(?:porn\w*|nudes?|sexual(?:ly explicit)? (?:images?|content|videos?|pictures?))\b(?=[^?]*$)(?<!clause)",
}
_RULES = tuple((kind, re.compile(rule, re.IGNORECASE)) for kind, rule in _PARTS.items())
_ABOUT_DOCUMENTS = re.compile(
    r"\b(?:contracts?|agreements?|documents?|polic(?:y|ies)|clauses?|invoices?|reports?|manuals?|files?|statutes?|act|regulations?"
    r"|which|according to|does the|do the|says?|mentions?|summari[sz]e|count|how many|collection|evidence)\b",
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
    """Refusal of a question that asks how harm is done; a pass for any other, also one about documents on it."""
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
