"""Marked questions as text, one a line: `[words]{mark}`, as `bench/reader/README.md` describes it."""

from __future__ import annotations

from core.plan.reader.reading import QuestionReading, ReadSpan, SpanRole

MARKS: dict[str, tuple[SpanRole, bool]] = {
    "+": (SpanRole.CONDITION, False),
    "-": (SpanRole.CONDITION, True),
    "=": (SpanRole.VALUE, False),
    "!": (SpanRole.VALUE, True),
    "?": (SpanRole.ASKED, False),
    "by": (SpanRole.GROUP, False),
    "order": (SpanRole.ORDER, False),
    "doc": (SpanRole.DOCUMENT, False),
    "party": (SpanRole.PARTY, False),
    "kind": (SpanRole.KIND, False),
    "limit": (SpanRole.LIMIT, False),
    "nth": (SpanRole.NTH, False),
    "skip": (SpanRole.SKIP, False),
}
"""Marks with the part and the polarity that they say."""

SIGNS = {"=": "=", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "between": "..", "contains": "="}
"""Signs of a value's comparison in its mark; "=" also where nothing is known of it."""

_PLAIN = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")", "\t": " ", "\n": " ", "\r": " "})
_SIGNS = {said: mark for mark, said in MARKS.items()}


def marked(reading: QuestionReading) -> str:
    """The question with its spans marked; its own brackets are round then."""
    text, at = "", 0
    plain = reading.question.translate(_PLAIN)
    for span in sorted(reading.spans, key=lambda each: each.start):
        text += f"{plain[at : span.start]}[{plain[span.start : span.end]}]{{{_mark(span)}}}"
        at = span.end
    return text + plain[at:]


def _mark(span: ReadSpan) -> str:
    sign = _SIGNS.get((span.role, span.is_negated)) or _SIGNS[span.role, False]
    if span.role is SpanRole.VALUE:
        compared = SIGNS.get(span.comparison, "=")
        negated = "!" if compared == "=" else f"!{compared}"
        sign = negated if span.is_negated else compared
    if span.either:
        sign = f"|{sign}"
    if not span.links:
        return sign
    field = span.links[0].field + (f".{span.part}" if span.part else "")
    return f"{sign} {field}" if sign.isalpha() else f"{sign}{field}"
