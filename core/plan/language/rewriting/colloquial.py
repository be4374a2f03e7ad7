"""How people write in passing, put in words that the grammar knows: contractions, months of one year."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.plan.language.rewriting.months import with_years

_Put = str | Callable[[re.Match[str]], str]

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_PART = rf"(?:{_MONTH}\.?|Q[1-4]|H[12])"
_TIME = (
    rf"(?:(?:the\s+)?(?:end|start|beginning|middle|close|first|last|next|this|coming|current)\b|{_MONTH}\b"
    r"|(?:19|20)\d\d\b|\d{1,2}(?:st|nd|rd|th)?\s|today\b|tomorrow\b|Q[1-4]\b|H[12]\b)"
)
_LEAVE = r"(?:leav(?:e|ing)|put(?:ting)?|set(?:ting)?|keep(?:ing)?|lay(?:ing)?|cast(?:ing)?)"
_PLACE = r"(?:put|place|set|lay|arrange|line\s+up)"
_ALTOGETHER = (
    r"(?:altogether|all\s+together|in\s+(?:all|total|sum)|together|combined|overall|taken\s+together)"
)
_ADDED = r"(?:(?:added|taken|put|lumped|summed)\s+(?:together|up))"


def _of_one_year(match: re.Match[str]) -> str:
    """ "nov or dec 2024": either month of that year."""
    parts = re.findall(_PART, match["parts"], re.IGNORECASE)
    named = [part.rstrip(".") for part in parts]
    return " or ".join(
        f"{part.upper() if len(part) == 2 else part.capitalize()} {match['year']}" for part in named
    )


def _in_time(match: re.Match[str]) -> str:
    """ "in the order they run out": what comes first in time comes first."""
    rest = match["rest"].rstrip(" ?.!")
    is_said = re.search(r"\bfirst\b|\blast\b|scending", rest)
    return f"ordered by {rest}" if is_said else f"ordered by {rest}, earliest first"


def _negated(match: re.Match[str]) -> str:
    verb = {"ca": "can", "wo": "will"}.get(match["verb"].lower(), match["verb"].lower())
    return f"{verb} not"


_COLLOQUIAL: tuple[tuple[str, _Put], ...] = (
    # negations without an apostrophe
    (r"\b(?P<verb>do|does|did|is|are|was|were|has|have|had|ca|could|would|should|wo)nt\b", _negated),
    (r"\b(?P<verb>has|have|had|ca|could|would|should|wo)n[’'`]t\b", _negated),
    (r"\b(?P<verb>do|does|did|is|are|was|were)n[`´]t\b", _negated),
    (r"\b(?:have|has|had|having)\s+not\s+(?:yet\s+)?got\b", "do not have"),
    (r"\b(?:have|has|had)\s+not\s+(?=(?:an?|any)\b)", "do not have "),
    (r"\b(?:have|has|had)\s+got\s+(?=(?:no|an?|any|the|some)\b)", "have "),
    (r"\bno[-\u2010\u2011](?=[a-z]{3})", "no "),
    # whose they are
    (r"\b(?:that\s+)?(?:do\s+)?we\s+(?:currently\s+|still\s+|actually\s+)?(?:hold|keep|own|possess)\b",
     "we have"),
    (r"\bon\s+(?:our|their|your|my|its)\s+(?:side|end|part|books?|records?|files?|shelves)\b", ""),
    # how long they run
    (rf"\b(?:run|last|continue|extend|stretch|go|carry)(?:s|es)?\s+(?:on\s+)?(?=(?:beyond|past|after)"
     rf"\s+{_TIME})", "expire "),
    (rf"\b(?:running|lasting|continuing|extending|stretching|going)\s+(?:on\s+)?(?=(?:beyond|past|after)"
     rf"\s+{_TIME})", "expiring "),
    (rf"\b(?:run|last|continue|extend|stretch|reach|go)(?:s|es)?\s+(?:on\s+)?(?:well\s+)?into\s+(?={_TIME})",
     "expire since "),
    (rf"\b(?:running|lasting|continuing|extending|stretching|reaching)\s+(?:on\s+)?(?:well\s+)?into\s+"
     rf"(?={_TIME})", "expiring since "),
    (r"\b(?:kick(?:s|ed|ing)?|start(?:s|ed|ing)?)\s+off\b", "begun"),
    (r"\b(?:got|gets?|getting|went|go(?:es)?)\s+(?:under\s?way|going|live)\b", "begun"),
    (r"\b(?:the\s+)?(?:middle\s+of|mid)[\s-]*(?P<year>(?:19|20)\d\d)\b", lambda m: f"30 June {m['year']}"),
    (r"\b(?:whose|where\s+the)\s+(?:terms?|life|periods?)\s+(?:ends?|expires?|runs?\s+out|lapses?)\b",
     "that expire"),
    # parts of one year as alternatives
    (rf"\b(?P<parts>{_PART}(?:\s*(?:,|/|\bor\b|,\s*or\b)\s*{_PART})+),?\s+(?:of\s+|in\s+)?"
     rf"(?P<year>(?:19|20)\d\d)\b", _of_one_year),
    # what they come to
    (rf"^what\s+(?:do|does|did|would)\s+(?P<of>.+?)\s+(?:come|add\s+up|amount|run|total|sum(?:\s+up)?)"
     rf"(?:\s+to)?(?:\s+in\s+(?P<what>value|worth|price|amount))?,?\s+{_ALTOGETHER}\s*[?.!]*$",
     lambda m: f"{'total ' + m['what'] if m['what'] else 'sum'} of {m['of']}"),
    (r"^(?:how\s+much|what)\s+(?:do|does|did|would)\s+(?P<of>.+?)\s+(?:come|add\s+up|amount)"
     rf"\s+to(?:,?\s+{_ALTOGETHER})?\s*[?.!]*$", lambda m: f"sum of {m['of']}"),
    (rf"^(?P<of>.*?\b(?:{_ALTOGETHER}|added(?:\s+up)?|summed(?:\s+up)?|sum|total)\b.*?)\s*[,;:–—-]\s*(?:and\s+|so\s+)?"
     r"what\s+(?:do|does|would|will|is|are)\s+(?:we|you|I|it|that|this|they|those|the\s+(?:result|sum|total))"
     r"(?:\s+(?:get|make|give|come\s+to|add\s+up\s+to|amount\s+to|arrive\s+at|end\s+up\s+with))?\s*[?.!]*$",
     lambda m: m["of"]),
    (rf"^(?P<of>.*?\b(?:total|sum|combined)\b.*?),?\s+(?:all\s+)?(?:{_ALTOGETHER}|{_ADDED})\s*[?.!]*$",
     lambda m: m["of"]),
    (rf"^(?:what\s+(?:is|are|were|was)\s+)?(?P<of>(?!(?:which|what|how|who|list|show|give|find|sum|total)\b)[^,;:?]+?),?"
     rf"\s+(?:all\s+)?{_ADDED}\s*[?.!]*$", lambda m: f"sum of {m['of']}"),
    (r"\b(?:date|day)\s+(?:on\s+|at\s+)?(?:which|when|that)\s+(?:(?:any|each|all|one)\s+of\s+)?"
     r"(?P<of>(?:(?:its|their|the|our|an?|any|each|all)\s+)?\w+)\s+(?P<verb>expires?|ends?|lapses?|runs?\s+out"
     r"|starts?|begins?|commences?|takes?\s+effect)\b",
     lambda m: f"{'expiration' if m['verb'][0].lower() in 'elr' else 'effective'} date of {m['of']}"),
    # orders
    (r"\bin\s+(?:the\s+)?order\s+(?:(?:in|of)\s+(?:which|when|their|how)\s+|that\s+)?"
     r"they\s+(?P<rest>.+)$", _in_time),
    (r"\b(?P<one>(?:most|least)\s+\w+|\w+est)\s+(?:to|down\s+to|up\s+to|through\s+to)\s+"
     r"(?:the\s+)?(?:(?:most|least)\s+\w+|\w+est)\b", lambda m: f"{m['one']} first"),
    (rf"(?P<before>^|[.;:!]\s*){_PLACE}\s+(?:all\s+)?(?:of\s+)?(?:those|these|them|it|the\s+list)"
     r"(?:\s+all)?\s+(?:in(?:to)?\s+(?:the\s+)?order\s+(?:of|by)|by)\s+",
     lambda m: f"{m['before']}sorted by "),
    # side by side
    (rf"^(?:please\s+)?{_PLACE}\s+(?P<one>.+?),?\s+(?:(?:right\s+)?next\s+to|beside|alongside|side\s+by\s+side"
     r"\s+with|opposite)\s+(?P<other>.+)$", lambda m: f"compare {m['one']} with {m['other']}"),
    # leaving out
    (rf"^{_LEAVE}\s+(?P<what>.{{3,120}}?)\s+(?:aside|apart|out|to\s+one\s+side)\s*[,:;–-]\s*"
     r"(?P<rest>.+)$", lambda m: f"{m['rest'].rstrip(' ?.!')}, excluding {m['what']}"),
    (rf"(?<![\s,;–-])[\s,;–-]+{_LEAVE}\s+(?P<what>[^,;]{{3,120}}?)\s+(?:aside|apart|out|to\s+one\s+side)\s*[?.!]*$",
     lambda m: f", excluding {m['what']}"),
)  # fmt: skip

_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _COLLOQUIAL)


def in_written_words(text: str) -> str:
    """The question as it would be written with care; the same where nothing in it is colloquial."""
    text = with_years(text)
    for pattern, put in _COMPILED:
        text = pattern.sub(put, text)
    return " ".join(text.split())
