"""Questions put in plainer words before they are read: contractions, months without a year, idioms.

`rewordings` tells which words of a question were put in others, so that the plan can say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from core.plan.language.pieces import stems
from core.plan.language.rewriting.ranges import in_plain_ranges
from core.text.words import word_list
from core.values.dates import ENGLISH, ENGLISH_MONTH
from core.values.places import POSTAL

_NAMES = rf"(?:{ENGLISH_MONTH})\b\.?"
_JOINT = r"\s*(?:-|–|—|,|/|to|through|thru|till|until|and|or|,\s*(?:and|or))\s*"
_BEFORE = r"(?:in|during|from|between|since|until|till|through|by|before|after|of|for|dated|within|end of)"
_YEAR = re.compile(r"(?<![\w./-])(?:19|20)\d\d(?![\w/-]|\.\d)")
_MONTHS = re.compile(
    rf"(?:(?<![\w.])(?P<before>{_BEFORE})\s+(?:(?:the\s+)?months?\s+(?:of\s+)?)?)?(?<![\w.])"
    rf"(?P<months>{_NAMES}(?:{_JOINT}(?i:{_NAMES}))*)(?P<behind>,?\s+(?:of\s+)?\d{{1,4}}(?:st|nd|rd|th)?\b)?"
)
_DAY_BEFORE = re.compile(r"\d(?:st|nd|rd|th)?\s+(?:of\s+)?$")
_THROUGH = re.compile(r"\b(?:through|thru)\b", re.IGNORECASE)


def with_years(text: str) -> str:
    """The question with the one year that it names behind each month that has none."""
    years = set(_YEAR.findall(text))
    if len(years) != 1:
        return text
    year = years.pop()

    def dated(match: re.Match[str]) -> str:
        is_said = match["before"] or len(re.findall(_NAMES, match["months"], re.IGNORECASE)) > 1
        if match["behind"] or not is_said or _DAY_BEFORE.search(text[: match.start("months")]):
            return match[0]
        whole = match[0].rstrip(".")
        return f"{_THROUGH.sub('to', whole)} {year}"

    return _MONTHS.sub(dated, text)


_Put = str | Callable[[re.Match[str]], str]

_MONTH = f"(?:{ENGLISH_MONTH})"
_PART = rf"(?:{_MONTH}\.?|Q[1-4]|H[12])"
_TIME = (
    rf"(?:(?:the\s+)?(?:end|start|beginning|middle|close|first|last|next|this|coming|current)\b|{_MONTH}\b"
    r"|(?:19|20)\d\d\b|\d{1,2}(?:st|nd|rd|th)?\s|today\b|tomorrow\b|Q[1-4]\b|H[12]\b)"
)
_LEAVE = r"(?:leav(?:e|ing)|put(?:ting)?|set(?:ting)?|keep(?:ing)?|lay(?:ing)?|cast(?:ing)?)"
_PLACE = r"(?:put|place|set|lay|arrange|line\s+up)"
_UNTIL_WHEN = (
    r"\b(?:until|till|up\s+to)\s+when\s+(?P<aux>do|does|did|will|would|is|are|was|were)\s+(?P<of>[^?;,]+?)\s+"
    r"(?:run|last|continue|go|apply|hold|valid|running|in\s+(?:force|effect))\b(?:\s+(?:on|for))?"
)
_DOING = {"is": "does", "are": "do", "was": "did", "were": "did"}


def _when_it_expires(match: re.Match[str]) -> str:
    auxiliary = match["aux"].casefold()
    return f"when {_DOING.get(auxiliary, auxiliary)} {match['of']} expire"


def with_end(text: str) -> str:
    """The text with "until when does it run" as the question for the day that it expires."""
    return re.sub(_UNTIL_WHEN, _when_it_expires, text, flags=re.IGNORECASE)


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
    (r"^(?:and\s+|so\s+|but\s+)?(?:do\s+(?:we|you|i)\s+(?:currently\s+|still\s+|actually\s+)?(?:have|hold|keep|own)"
     r"|have\s+(?:we|you|i)(?:\s+got)?)\s+(?=(?:an?|any|some|no|at\s+least|even|one|a\s+single)\s+(?!\w+\s+to\b))",
     "is there "),
    (r"\b(?:have|has|had)\s+not\s+(?=(?:an?|any)\b)", "do not have "),
    (r"\b(?:have|has|had)\s+got\s+(?=(?:no|an?|any|the|some)\b)", "have "),
    (r"\bno[-\u2010\u2011](?=[a-z]{3})", "no "),
    # whose they are
    (r"\b(?:that\s+)?(?:do\s+)?we\s+(?:currently\s+|still\s+|actually\s+)?(?:hold|keep|own|possess)\b",
     "we have"),
    (r"\bon\s+(?:our|their|your|my|its)\s+(?:side|end|part|books?|records?|files?|shelves)\b", ""),
    # how long they run
    (_UNTIL_WHEN, _when_it_expires),
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
    (r"\b(?P<worth>worth|cost(?:ing|s)?),?\s+(?:all\s+|taken\s+)?together(?=\s*[?.!]*$)",
     lambda m: f"{m['worth']} in total"),
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


_BEGUN = r"(?:started|begun|commenced|begun to run|taken effect|come into force|gone into effect)"
_ENDED = r"(?:expired|ended|lapsed|run out|terminated|come to an end|finished|been terminated)"
_HALVES = {"a": "1.5", "an": "1.5", "one": "1.5", "two": "2.5", "three": "3.5", "four": "4.5", "five": "5.5"}
_SCALES = {"thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_PARTS = {"half a": 0.5, "half of a": 0.5, "a quarter of a": 0.25, "a quarter": 0.25,
          "three quarters of a": 0.75, "one and a half": 1.5, "a and a half": 1.5, "two and a half": 2.5,
          "three and a half": 3.5, "a": 1}  # fmt: skip

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


_YES_OR_NO = r"(?:yes\s+or\s+no|yes\s*/\s*no|y\s*/\s*n)"
_KINDS = "(?:" + "|".join(sorted(f"{each}s?" for each in word_list("naming", "papers", "titles"))) + ")"
"""What papers are called: "contracts", "leases"."""

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
    (rf"\b(?P<one>{ENGLISH_MONTH})\.(?=\s)", lambda m: m["one"]),
    (rf"\b(?:from\s+|between\s+)?(?P<one>{ENGLISH_MONTH})\s*(?:-|–|—|to|through|till|until"
     rf"|and)\s*(?P<other>{ENGLISH_MONTH})"
     r",?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b", _months),
    (r"(?<![\w/.-])(?P<month>0?[1-9]|1[0-2])/(?P<year>(?:19"
     r"|20)\d\d)(?![\w/])", lambda m: f"{ENGLISH[int(m['month']) - 1]} {m['year']}"),
    # beginning with
    (r"\b(?:do|does|did|will|would)\s+not\s+(?P<verb>\w+)\s+(?:until|till)\b",
     lambda m: f"{m['verb']} not before"),
    # whether: a yes or no is given where a question is one, and the "no" of these words negates nothing
    (rf"^{_YES_OR_NO}\s*[:,;.–—-]?\s*", ""),
    (rf"\s*[?,;.–—-]?\s*\(?\b{_YES_OR_NO}\)?\s*[?.!]*$", "?"),
    (r"^I\s+(?:do\s+not|don[’']?t)\s+(?:really\s+)?know\s+(?=(?:which|what|who|how\s+many|how\s+much|when)\b)",
     ""),
    # that there is none: how many there are tells it, whichever way it is asked
    (r"^(?:is|are)\s+there\s+(?:really\s+|still\s+|currently\s+)?no\s+(?P<rest>\w.*)$",
     lambda m: f"how many {m['rest']}"),
    (r"^(?:is|are)\s+(?:no|none\s+of\s+(?:the|our))\s+(?P<noun>\w+?)s?\s+(?P<rest>\w.*)$",
     lambda m: f"how many {m['noun']}s are {m['rest']}"),
    (r"^(?:has|have)\s+(?:no|none\s+of\s+(?:the|our))\s+(?P<noun>\w+?)s?\s+(?P<rest>\w.*)$",
     lambda m: f"how many {m['noun']}s have {m['rest']}"),
    (rf"^(?P<ask>how\s+many\s+[\w\s-]{{3,60}}?\s+are\s+there),?\s+{_ALTOGETHER}\b", lambda m: m["ask"]),
    # a law by itself is the one that governs
    (r"^(?P<ask>which|what)\s+law\s+(?=(?:is|was|are|has|governs|applies)\b.*\b(?:most|least|fewest)\b)",
     lambda m: f"{m['ask']} governing law "),
    # all but some
    (rf"\b(?P<noun>{_KINDS})\s+(?:but|except(?:\s+for)?|other\s+than|apart\s+from|besides|excluding|aside\s+from"
     rf"|save(?:\s+for)?)\s+(?:(?:the|our|any|all)\s+)?(?P<kind>(?:[a-z-]+\s+){{0,3}}?{_KINDS})\s*(?=[?.!,]|$)",
     lambda m: f"{m['noun']} that are not {m['kind']}"),
    # whose law
    (rf"\b(?P<state>(?-i:{'|'.join(POSTAL)}))(?=(?:[’']s)?\s+laws?\b)", lambda m: POSTAL[m["state"]]),
    (rf"(?<=\blaw\sof\s)(?P<state>(?-i:{'|'.join(POSTAL)}))\b", lambda m: POSTAL[m["state"]]),
    # in which unit it is wanted
    (r"\s*[?,;.–—-]\s*(?:in\s+|and\s+)?how\s+many\s+"
     r"(?:kilos?|kilograms?|kg|grams?|lbs?|pounds|tons?|mm|cm|metres|meters"
     r"|inches|feet|watts?|kW|W|kWh|volts?|V|amps?|dollars|euros|percent)\s*[?.!]*$", ""),
    # small change of speaking
    (r"(?:,\s*)?\bI\s+mean\b(?!\s+to\b),?", ""),
    (r",?\s*\bthat\s+(?:kind|sort|type)\s+of\s+(?:thing|stuff)\b", ""),
    (r",?\s*\b(?:or|and)\s+(?:the\s+like|so\s+(?:on|forth)|suchlike|whatever|(?:something|anything)\s+(?:like\s+that"
     r"|similar|of\s+(?:the|that)\s+(?:sort|kind)))\b(?=\s*[,.;:?!)–—-]|\s*$)", ""),
    (r"\s*[,.;:–—-]\s*(?:just|only)\s+(?:the|a)\s+(?:plain\s+)?(?:numbers?|figures?)"
     r"(?:\s+(?:please|pls|will\s+do|is\s+enough))?\s*[?.!]*$", ""),
    (r",\s*with\s+(?:the\s+)?(?:numbers|figures|counts)\s*(?:please|pls)?\s*[?.!]*$", ""),
    (r",?\s*\b(?:of\s+course|as\s+such|at\s+some\s+point|if\s+possible|for\s+the\s+record)\b"
     r"(?=\s*[,.;:?!)–—-]|\s*$)", ""),
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
    (r"\b(?:the\s+)?(?P<one>(?:most|least)\s+\w+|\w+est|worst|best)\s+(?:one\s+)?(?:on top|at the top"
     r"|coming first|comes first|leading)\b",
     lambda m: f"{m['one']} first"),
    (r"\b(?:going|judged|measured|judging)\s+by\b", "by"),
    (r"\bin\s+terms\s+of\b|\bwith\s+(?:respect|regard)\s+to\b|\bwhen\s+it\s+comes\s+to\b", "by"),
)  # fmt: skip

_COMPILED_IDIOMS = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in _IDIOMS)
_ORDERING = re.compile(
    r"^(?P<please>(?:please\s+|kindly\s+|can you\s+|could you\s+)*)(?:rank|sort|order|arrange|line up)\s+"
    r"(?=(?:the|all|our|my|these|those|every|each)\b|[a-z]+s\s+by\b)|(?<=[:;,]\s)(?:rank|sort|order"
    r"|arrange)\s+(?=(?:the|all|our|my|these|those)\b)",
    re.IGNORECASE,
)


def in_plain_words(text: str) -> str:
    """The question with its idioms in plain words; the same where it has none."""
    for pattern, put in _COMPILED_IDIOMS:
        text = pattern.sub(put, text)
    text = in_plain_ranges(text)
    text = _ORDERING.sub(lambda m: f"{m.groupdict().get('please') or ''}list in order ", text)
    return " ".join(text.split())


def rewordings(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """(as written, as read) of the words that differ, in the order of the question; as read may be ""."""
    if before == after:
        return ()
    old, new = before.split(), after.split()
    matcher = SequenceMatcher(
        None, [_key(word) for word in old], [_key(word) for word in new], autojunk=False
    )
    found = []
    for kind, start, end, to, until in matcher.get_opcodes():
        said, read = " ".join(old[start:end]), " ".join(new[to:until])
        if kind in ("replace", "delete") and stems(said) != stems(read):
            found.append((said.strip(" ,.;:?!"), read.strip(" ,.;:?!")))
    return tuple(each for each in found if each[0])


def _key(word: str) -> str:
    return word.casefold().strip(" ,.;:?!")
