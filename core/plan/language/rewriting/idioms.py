"""Ways of saying things in several words, put in the words that the grammar knows."""

from __future__ import annotations

import re
from collections.abc import Callable

_Put = str | Callable[[re.Match[str]], str]

_BEGUN = r"(?:started|begun|commenced|begun to run|taken effect|come into force|gone into effect)"
_ENDED = r"(?:expired|ended|lapsed|run out|terminated|come to an end|finished|been terminated)"
_UNITS = r"(?:years?|months?|weeks?|days?)"
_HALVES = {"a": "1.5", "an": "1.5", "one": "1.5", "two": "2.5", "three": "3.5", "four": "4.5", "five": "5.5"}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_PARTS = {"half a": 0.5, "half of a": 0.5, "a quarter of a": 0.25, "a quarter": 0.25,
          "three quarters of a": 0.75, "one and a half": 1.5, "a and a half": 1.5, "two and a half": 2.5,
          "three and a half": 3.5, "a": 1}  # fmt: skip
_MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?"
)

_NAMES = ("", "January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip
_THESE = r"(?:[^,;?(]|\([^)]{1,80}\)|,(?=\s*\S*\d\S*(?:,|\s+(?:and|or)\b))){3,120}"


def _half(match: re.Match[str]) -> str:
    months = float(_HALVES[match["count"].lower()]) * 12
    return f"{months:.0f} months"


def _months(match: re.Match[str]) -> str:
    one, other, year = match["one"].capitalize(), match["other"].capitalize(), match["year"]
    return f"between {one} {year} and {other} {year}"


def _scaled(match: re.Match[str]) -> str:
    amount = _PARTS[" ".join(match["part"].lower().split())] * _SCALES[match["scale"].lower()]
    return f"{amount:,.0f}"


_IDIOMS: tuple[tuple[str, _Put], ...] = (
    (r"(?<!\w)w/o(?!\w)", "without"),
    (r"(?<!\w)w/(?=\s|\w)", "with "),
    (r"(?<!\w)#\s*of\b|(?<!\w)#(?=\s*[a-z])|\b(?:no|nr|num)\.?\s+of(?=\s)", "number of"),
    # amounts and times in words
    (rf"\b(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})\s+(?P<scale>thousand|million"
     rf"|billion)\b", _scaled),
    (r"\b(?P<count>an?|one|two|three|four|five)\s+years?\s+and\s+(?:a|one)\s+half\b", _half),
    (r"\b(?P<count>one|two|three|four|five)\s+and\s+(?:a|one)\s+half\s+years?\b", _half),
    (r"\b(?:one\s+)?half\s+a\s+year\b|\ba\s+half\s+year\b", "6 months"),
    (rf"\b(?P<one>{_MONTHS})\.(?=\s)", lambda m: m["one"]),
    (rf"\b(?:from\s+|between\s+)?(?P<one>{_MONTHS})\s*(?:-|–|—|to|through|till|until"
     rf"|and)\s*(?P<other>{_MONTHS})"
     r",?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b", _months),
    (r"(?<![\w/.-])(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19"
     r"|20)\d\d)(?![\w/])", lambda m: f"{_NAMES[int(m['month'])]} {m['year']}"),
    # beginning with
    (r"\b(?:do|does|did|will|would)\s+not\s+(?P<verb>\w+)\s+(?:until|till)\b",
     lambda m: f"{m['verb']} not before"),
    # in which unit it is wanted
    (r"\s*[?,;.–—-]\s*(?:in\s+|and\s+)?how\s+many\s+"
     r"(?:kilos?|kilograms?|kg|grams?|lbs?|pounds|tons?|mm|cm|metres|meters"
     r"|inches|feet|watts?|kW|W|kWh|volts?|V|amps?|dollars|euros|percent)\s*[?.!]*$", ""),
    # ranges
    (r"(?<![\s,(])[\s,(]*\b(?:both|each|bounds|limits|ends|end points|boundaries)"
     r"(?:\s+(?:ends|bounds|limits|values|amounts|figures))?\s+"
     r"(?:are\s+|being\s+)?(?:included|inclusive)\)?", ""),
    (r"(?<![\s,(])[\s,(]*\b(?:inclusive|inclusively|including both(?:\s+\w+)?)\)?(?=\s*[?.!,]|\s*$)", ""),
    # documents that are in force
    (rf"\b(?:(?:that|which)\s+)?(?:have\s+|had\s+|has\s+)?(?:already\s+)?{_BEGUN}\s+(?:and"
     rf"|but)\s+(?:have\s+|had\s+|has\s+|were\s+|are\s+)?"
     rf"(?:not\s+yet|not|never)\s+(?:yet\s+)?{_ENDED}", "in force"),
    (r"\b(?:still\s+)?(?:running|live|up and running|operative|in operation)(?=\s+(?:on|at|in|during"
     r"|as of)\b)", "in force"),
    # coming to an end
    (r"\b(?:com(?:e|es|ing)\s+to\s+(?:an|their|its)\s+(?:end|close)|c[ao]me\s+to\s+an\s+end|run(?:s"
     r"|ning)?\s+(?:its|their)\s+course"
     r"|draw(?:s|ing)?\s+to\s+a\s+close|reach(?:es|ing)?\s+(?:its|their)\s+(?:end|expiry)|(?:are|is"
     r"|will be|come|comes|coming)\s+up"
     r"(?:\s+for\s+renewal)?(?=\s+(?:within|in|by|before|on|during|next|this|over|between)\b)|fall(?:s"
     r"|ing)?\s+out\s+of\s+force"
     r"|cease(?:s)?\s+to\s+(?:apply|have effect|be in force)|go(?:es)?\s+out\s+of\s+force)", "expire"),
    (r"\b(?:fall|falls|falling|fell|become|becomes|becoming|became|come|comes|coming|get"
     r"|gets)\s+due\b", "due"),
    # adding up
    (r"\b(?:add(?:s|ed)?\s+up|amount(?:s|ed)?|come(?:s)?|total(?:s|led)?|sum(?:s|med)?(?:\s+up)?"
     r"|tot(?:s)?\s+up)\s+to"
     r"(?:\s+in\s+(?:all|total|sum))?(?=\s*(?:[?.!,]|$|in\s+(?:value|worth|amount|price)))", "total"),
    (r"\b(?:all\s+)?(?:added|taken|put|lumped|summed)\s+(?:together|up)\b,?", "total"),
    (r"\b(?:add|sum|tot|put|total|tally)\s+(?:up|together)\b", "total"),
    (
        r"^what\s+(?:do|does|did)\s+(?P<of>.+?)\s+total(?:\s+in\s+(?P<what>value|worth|price|amount))?\s*[?.!]*$",
        lambda m: f"total {m['what'] or ''} of {m['of']}",
    ),
    # of which documents
    (
        rf"^(?:out\s+)?(?:of|among)\s+(?P<what>{_THESE}),\s*(?P<ask>which|what)(?:\s+(?:one|ones))?\b",
        lambda m: f"{m['ask']} of {m['what']}",
    ),
    (
        rf"^(?:out\s+)?(?:of|among|from)\s+(?P<what>{_THESE}),\s*(?:please\s+)?(?:list|name|find|show|give|tell)"
        r"(?:\s+me)?\s+(?:(?:all|only|just|any)\s+)?(?:of\s+)?(?:the\s+ones|those|ones|the\s+one)\b",
        lambda m: f"list {m['what']}",
    ),
    # whom and what documents are about
    (r"\b(?:fall(?:s|ing)?|stand(?:s)?|come(?:s)?|are|is)\s+under\s+(?=(?:the\s+law"
     r"|[A-Z][\w-]*\s+(?:[A-Z][\w-]*\s+)?law)\b)", "governed by "),
    (r"\bto\s+which\s+(?P<who>[^,;?]{2,60}?)\s+(?:is|are)\s+(?:a\s+)?part(?:y"
     r"|ies)\b", lambda m: f"with {m['who']}"),
    (r"\b(?:that|which)\s+(?P<who>[^,;?]{2,60}?)\s+(?:is|are)\s+(?:a\s+)?part(?:y"
     r"|ies)\s+to\b", lambda m: f"with {m['who']}"),
    (r"\b(?P<who>[^,;?]{2,60}?)\s+(?:is|are)\s+(?:a\s+)?part(?:y|ies)\s+to\b", lambda m: m["who"]),
    (r"^(?P<please>(?:please\s+)?)(?:split|divide|break|group)\s+(?P<what>[^,;:?]{3,80}?)\s+(?:up|down|out)\s+"
     r"(?:by|per|into|according\s+to)\b", lambda m: f"{m['please']}break down {m['what']} by"),
    # lacking
    (r"\b(?:nothing|not a word|no word|not a thing|no rule|no language)\s+(?:at all\s+)?(?:on|about"
     r"|regarding|concerning|for|as to)\b", "without"),
    (r"\b(?:something|anything|everything)\s+else\s+than\b|\b(?:anything|everything|all)\s+but\b"
     r"|\ba different (?P<what>\w+) than\b", "other than"),
    (r"\bnon-(?=(?:USD|EUR|GBP|CHF|dollar|euro)\b)", "not "),
    # orders
    (r"\bfrom\s+(?:the\s+)?most\s+to\s+(?:the\s+)?least\s+(?P<what>expensive|valuable|costly|powerful"
     r"|recent|efficient)\b",
     lambda m: f", most {m['what']} first"),
    (r"\bfrom\s+(?:the\s+)?least\s+to\s+(?:the\s+)?most\s+(?P<what>expensive|valuable|costly|powerful"
     r"|recent|efficient)\b",
     lambda m: f", least {m['what']} first"),
    (r"\bfrom\s+(?:the\s+)?(?P<one>\w+est)\s+to\s+(?:the\s+)?\w+est\b", lambda m: f", {m['one']} first"),
    (r"\b(?:starting|beginning|start|begin|commencing|headed)\s+(?:with|by|from)\s+the\s+(?P<one>(?:most"
     r"|least)\s+\w+|\w+est|worst|best)"
     r"(?:\s+(?:one|ones))?\b(?!\s+\w)", lambda m: f"{m['one']} first"),
    (r"\bthe\s+(?P<one>(?:most|least)\s+\w+|\w+est|worst|best)\s+(?:one\s+)?(?:on top|at the top"
     r"|coming first|comes first|leading)\b",
     lambda m: f"{m['one']} first"),
    (r"\b(?:going|judged|measured|judging)\s+by\b", "by"),
    (r"\bin\s+terms\s+of\b|\bwith\s+(?:respect|regard)\s+to\b|\bwhen\s+it\s+comes\s+to\b", "by"),
)  # fmt: skip

_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _IDIOMS)
_ORDERING = re.compile(
    r"^(?P<please>(?:please\s+|kindly\s+|can you\s+|could you\s+)*)(?:rank|sort|order|arrange|line up)\s+"
    r"(?=(?:the|all|our|my|these|those|every|each)\b|[a-z]+s\s+by\b)|(?<=[:;,]\s)(?:rank|sort|order"
    r"|arrange)\s+(?=(?:the|all|our|my|these|those)\b)",
    re.IGNORECASE,
)


def in_plain_words(text: str) -> str:
    """The question with its idioms in plain words; the same where it has none."""
    for pattern, put in _COMPILED:
        text = pattern.sub(put, text)
    text = _ORDERING.sub(lambda m: f"{m.groupdict().get('please') or ''}list in order ", text)
    return " ".join(text.split())
