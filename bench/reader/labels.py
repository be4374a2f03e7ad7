"""Labels that writers of the older form, and frames, left untold: functions, comparisons, numbers and more.

Only what a few plain words make safe; of all else nothing is said, and nothing is learnt of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bench.reader.examples import NUMERAL, ORDINAL, POLAR, Item
from core.domain.fields import FieldType
from core.plan.readers.trained.linker import LinkTarget
from core.plan.readers.trained.reading import Operation, QuestionReading, ReadSpan, SpanRole

_LIMIT = re.compile(rf"\b{NUMERAL}\b", re.IGNORECASE)
_NTH = re.compile(rf"\b{ORDINAL}(?=[\s-])", re.IGNORECASE)
_BEFORE = re.compile(rf"\b(?:(?P<limit>{NUMERAL})|(?P<nth>{ORDINAL}))\s+$", re.IGNORECASE)
_TOP = re.compile(rf"\b(?:top|first|last|bottom|best|worst|next)\s+(?P<limit>{NUMERAL})\b", re.IGNORECASE)


def _words(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(part.strip() for part in text.split('|'))})\b", re.IGNORECASE)


_DESCENDING = _words(
    "largest | highest | biggest | most | latest | newest | longest | greatest | max | maximum | priciest"
    " | dearest | costliest | heaviest | strongest | youngest | descending | desc | richest | steepest"
    " | widest | tallest | loudest | hottest | fattest | bulkiest | deepest"
)
_ASCENDING = _words(
    "smallest | lowest | least | earliest | oldest | shortest | cheapest | min | minimum | soonest"
    " | ascending | asc | fewest | lightest | weakest | quietest | nearest | tightest | thinnest"
    " | quickest | leanest | alphabetically | chronologically"
)
_FUNCTIONS: dict[str, re.Pattern[str]] = {
    "median": _words("median"),
    "avg": _words("average | avg | averages | averaged | mean | averge"),
    "share": _words("percentage | percent | proportion | fraction | share"),
    "distinct": _words("(?:how many | number of | count of) (?:different | distinct | unique | separate)"),
    "sum": _words(
        "total | totals | sum | altogether | in all | add up | added up | combined | aggregate | together"
        " | cumulative | summed | add"
    ),
    "max": _words(
        "highest | largest | biggest | maximum | max | greatest | latest | longest | the most | newest"
        " | heaviest"
    ),
    "min": _words("lowest | smallest | minimum | min | earliest | shortest | the least | cheapest | oldest"),
}
_COUNTED = _words("how many | number of | numbers of | count | counts | tally | how often")
_SIDES = re.compile(
    r"^\W*(?:please )?(?:compare|contrast|put side by side|line up|put next to each other)\b|side by side",
    re.IGNORECASE,
)
_MORE_SETS = re.compile(r"^\W*(?:are there|do we have|have we) more\b.*\bor\b", re.IGNORECASE)
_PARTS = {
    "year": _words("years? | yearly | annual | annually"),
    "month": _words("months? | monthly"),
    "quarter": _words("quarters? | quarterly"),
    "unit": _words("currency | currencies | unit | units"),
}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_RANGE = re.compile(
    "|".join(
        (
            r"\bbetween\b.*\band\b|\d\w* to \d|\bfrom\b.*\b(?:to|till|until)\b",
            r"\b(?:last|next|past|previous|this|current|coming)\s+(?:\w+\s+)?(?:years?|months?|quarters?"
            r"|weeks?|days?|decades?|summer|winter|spring|autumn)\b",
            r"\bwithin\b|\bduring\b|\bhalf of\b|\bQ[1-4]\b",
            r"\b(?:in|of|for|from)\s+(?:the\s+)?(?:(?:early|late|calendar|year|summer|spring|winter)\s+)*"
            r"(?:\w+\s+)?(?:19|20)\d\d(?!\s*(?:or|on|and)\b)\b",
            r"\bin (?:the )?\w*(?:nineties|eighties|noughties|90s|80s)\b",
        )
    ),
    re.IGNORECASE,
)
_COMPARED: dict[str, tuple[str, ...]] = {
    ">=": (
        r"\bat least\b|\bsince\b|\bor (?:more|later|longer|above|over|higher|after)\b|\bminimum of\b",
        r"\b(?:no|not) (?:less|fewer|earlier|shorter) than\b|\bonwards?\b|>=|≥",
        r"\band (?:up|above|over|later)\b",
    ),
    "<=": (
        r"\bat most\b|\bup to\b|\b(?:no|not) (?:more|later|longer|greater) than\b|\bnot exceeding\b",
        rf"\bor (?:less|earlier|fewer|below)\b|\bmaximum of\b|\bby (?:the end of|\d|{_MONTHS})",
        r"\buntil\b|<=|≤",
    ),
    ">": (
        r"\bover\b|\b(?:more|longer|later|greater|higher|bigger|larger|heavier) than\b|\babove\b|\bafter\b",
        r"\bexceed(?:s|ing)?\b|\bbeyond\b|\bnorth of\b|>",
    ),
    "<": (
        r"\b(?:less|shorter|earlier|fewer|lower|smaller|cheaper|lighter) than\b|\bbelow\b|\bbefore\b|<",
        r"\bprior to\b|\bunder\b(?=.*\d)",
        r"\bunder (?:a|one|two|three|five|six|ten|twelve|thirty|sixty|ninety)\b",
    ),
}
_COMPARISONS = tuple((name, re.compile("|".join(parts), re.IGNORECASE)) for name, parts in _COMPARED.items())
_UNSURE = _words(
    "old(?:er)? | new(?:er)? | young(?:er)? | not | no | never | past | overdue | due | about | around"
)
_OTHER_THAN = re.compile(r"\b\w+(?:er|re) (?:than|as)\b|\bor (?:better|worse)\b|\bstill\b", re.I)
_SKIPPING = re.compile(
    r"\b(?:after|skip(?:ping)?|without|not|apart|except|leaving|leave|beyond|past|minus|aside|but)\b", re.I
)
_LEADING = re.compile(
    rf"(?:^|\b(?:the|give|me|show|list|next|just|only|name|find)\s+)(?P<limit>{NUMERAL})\b", re.I
)
_BARE_DAY = re.compile(
    r"(?:19|20)\d\d|January|February|March|April|May|June|July|August|Sept|Octo|Novem|Decem", re.I
)


def labelled(item: Item) -> Item:
    """An item with what its words make safe; as it is where its writer told all."""
    if item.is_labelled:
        return item
    reading = item.reading
    types = {each.key: each for each in item.candidates}
    spans: list[ReadSpan] = []
    for span in reading.spans:
        spans += _numbered(reading, span)
    spans += _tops(reading, spans)
    spans.sort(key=lambda each: each.start)
    told = tuple(_told(reading, each, types, spans) for each in spans)
    if reading.relations and reading.relations[0][0] == "widen":
        told = tuple(replace(each, either=each.role in POLAR and not each.is_negated) for each in told)
    function = function_of(replace(reading, spans=told), is_composed=item.source == "composed")
    return replace(
        item,
        reading=replace(reading, spans=told, functions=() if function is None else ((function, 1.0),)),
    )


def function_of(reading: QuestionReading, *, is_composed: bool) -> str | None:
    """The function that words of a question make sure; None where they do not.

    is_composed: "highest" and the like then say no order of groups.
    """
    text, operation = reading.question, reading.operation
    if operation is Operation.COUNT:
        return "distinct" if _FUNCTIONS["distinct"].search(text) else "count"
    if operation is Operation.COMPARE:
        if _SIDES.search(text):
            return None if _COUNTED.search(text) else "values"
        return "greatest" if _MORE_SETS.search(text) else None
    if operation not in (Operation.COMPUTE, Operation.GROUP):
        return ""
    loose = "".join(
        " " * (each.end - each.start)
        if each.role not in (SpanRole.ASKED, SpanRole.ORDER)
        else reading.text(each)
        for each in _tiled(reading)
    )
    found = [name for name, words in _FUNCTIONS.items() if words.search(loose)]
    if found and found[0] in ("median", "avg", "share", "distinct"):
        return found[0] if len(found) == 1 or found[1:] == ["sum"] else None
    if operation is Operation.GROUP and not is_composed and {"max", "min"} & set(found):
        return None
    if len(found) == 1:
        return found[0]
    if not found and operation is Operation.GROUP and not reading.of(SpanRole.ASKED):
        return "count" if _COUNTED.search(loose) else None
    return None


def _tiled(reading: QuestionReading) -> Iterator[ReadSpan]:
    """The spans, and the words between them as if these were asked for."""
    at = 0
    for span in sorted(reading.spans, key=lambda each: each.start):
        yield ReadSpan(at, max(at, span.start), SpanRole.ASKED, False, (), 1.0)
        yield span
        at = span.end
    yield ReadSpan(at, len(reading.question), SpanRole.ASKED, False, (), 1.0)


def _numbered(reading: QuestionReading, span: ReadSpan) -> list[ReadSpan]:
    """A span, and of an order the number in it, or before it, as a span of its own."""
    if span.role is not SpanRole.ORDER:
        return [span]
    text = reading.text(span)
    for words, role in ((_NTH, SpanRole.NTH), (_LIMIT, SpanRole.LIMIT)):
        match = words.match(text) or re.match(rf"(?:top|bottom)\s+(?={words.pattern})", text, re.IGNORECASE)
        number = words.search(text) if match else None
        if number and text[number.end() :].strip(" -"):
            start = (
                span.start + number.end() + len(text[number.end() :]) - len(text[number.end() :].lstrip(" -"))
            )
            first, last = span.start + number.start(), span.start + number.end()
            return [ReadSpan(first, last, role, False, (), 1.0), replace(span, start=start)]
    before = _BEFORE.search(reading.question[: span.start])
    if before and not _overlaps(reading.spans, before.start(), before.end()):
        kind = "limit" if before["limit"] else "nth"
        found = ReadSpan(before.start(kind), before.end(kind), SpanRole(kind), False, (), 1.0)
        return [found, span]
    return [span]


def _tops(reading: QuestionReading, spans: list[ReadSpan]) -> list[ReadSpan]:
    """The number behind "top" and the like, or before what is ranked, of a question for a rank."""
    numbering = (SpanRole.LIMIT, SpanRole.SKIP)
    known = reading.operation is not Operation.RANK or any(each.role in numbering for each in spans)
    if known or _SKIPPING.search(reading.question):
        return []
    found = [*_TOP.finditer(reading.question), *_LEADING.finditer(reading.question)][:1]
    return [
        ReadSpan(match.start("limit"), match.end("limit"), SpanRole.LIMIT, False, (), 1.0)
        for match in found
        if not _overlaps((*spans, *reading.spans), match.start("limit"), match.end("limit"))
    ]


def _overlaps(spans: tuple[ReadSpan, ...] | list[ReadSpan], start: int, end: int) -> bool:
    return any(each.start < end and start < each.end for each in spans)


def _told(
    reading: QuestionReading,
    span: ReadSpan,
    known: dict[tuple[str, str], LinkTarget],
    spans: list[ReadSpan],
) -> ReadSpan:
    text = reading.text(span)
    if span.role is SpanRole.ORDER:
        return replace(span, descending=direction(text, reading.question))
    if span.role is SpanRole.GROUP:
        return replace(span, part=next((name for name, words in _PARTS.items() if words.search(text)), ""))
    if span.role is SpanRole.VALUE:
        links = span.links
        target = known.get((links[0].schema, links[0].field)) if links else None
        kind = target.type if target else None
        span = replace(span, comparison=comparison(text, kind, is_negated=span.is_negated))
    if span.role in (SpanRole.VALUE, SpanRole.CONDITION):
        is_side = reading.operation is Operation.COMPARE
        return replace(span, either=not is_side and joins_by_or(reading, span, spans))
    return span


def joins_by_or(reading: QuestionReading, span: ReadSpan, spans: list[ReadSpan]) -> bool:
    """True where nothing but "or" and small words stand between a condition and the one before it."""
    before = [
        each for each in spans if each.end <= span.start and each.role in (SpanRole.VALUE, SpanRole.CONDITION)
    ]
    if not before:
        return False
    last = max(before, key=lambda each: each.end)
    between = reading.question[last.end : span.start]
    return len(between) < 30 and bool(re.search(r"\bor\b", between, re.IGNORECASE))


def direction(text: str, question: str) -> bool | None:
    """True of a descending order; None where words say nothing, or both."""
    for part in (text, question):
        found = {bool(down) for down, words in ((1, _DESCENDING), (0, _ASCENDING)) if words.search(part)}
        if len(found) == 1:
            return found.pop()
        if found:
            return None
    return None


def comparison(text: str, kind: FieldType | None, *, is_negated: bool) -> str:
    """The comparison that the words of a value say; "" where they do not make it sure."""
    found = [name for name, words in _COMPARISONS if words.search(text)]
    is_range = bool(_RANGE.search(text))
    if is_range and not found and kind in (FieldType.DATE, FieldType.DURATION, FieldType.MONEY, None):
        return "between" if kind is FieldType.DATE or "between" in text.casefold() else ""
    if is_range or (is_negated and _UNSURE.search(text) and found):
        return "between" if "between" in text.casefold() and len(found) == 0 else ""
    if found:
        return found[0] if len(found) == 1 or found[0] in (">=", "<=") else ""
    if kind is FieldType.DATE:
        return "" if _UNSURE.search(text) or not _BARE_DAY.search(text) else _of_day(text)
    is_measure = kind in (FieldType.NUMBER, FieldType.MONEY) or _OTHER_THAN.search(text)
    return "" if is_measure or (_UNSURE.search(text) and re.search(r"\d", text)) else "="


def _of_day(text: str) -> str:
    return (
        "="
        if re.search(r"\b\d{1,2}(?:st|nd|rd|th)?\b(?!\s*(?:months|years|days|weeks))", text)
        else "between"
    )
