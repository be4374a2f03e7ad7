"""Slots of frames, and composed questions with their readings."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from bench.reader.composing import Composer
from bench.reader.contexts import Context, Wording
from bench.reader.frame import Frame, NotComposableError, pluralised, without_article
from bench.reader.wear import Segment, marked_parts, worn
from core.domain.fields import ORDERED, FieldType
from core.plan.readers.trained.reading import FieldLink, QuestionReading, ReadSpan, SpanRole


def compose_reading(composer: Composer, frame: Frame) -> QuestionReading:
    """A composed question with its reading. Raises NotComposableError."""
    segments, marks = composer.compose(frame)
    text, keys = worn(segments, composer.rng, composer.write.pools, frame.operation)
    spans = []
    for key, start, end in marked_parts(text, keys):
        mark = marks[key]
        links = (FieldLink(composer.context.schema, mark.field, 1.0),) if mark.field else ()
        spans.append(ReadSpan(start, end, mark.role, mark.is_negated, links, 1.0))
    relations = ((frame.relation, 1.0),) if frame.relation else ()
    return QuestionReading(text, ((frame.operation, 1.0),), tuple(spans), 1.0, relations=relations)


def _mod(composer: Composer, *, negated: bool | None = None) -> list[Segment]:
    clauses = sum(each.is_clause for each in composer.fields)
    share = 0.7 if clauses > 5 else 0.25
    if composer.chance(share):
        return composer.condition("mod", negated=negated)
    draw = composer.rng.random()
    if draw < 0.12 and composer.context.schema:
        return composer.with_party()
    return composer.valued("mod", negated=composer.chance(0.16) if negated is None else negated)


def _pred(composer: Composer) -> list[Segment]:
    clauses = sum(each.is_clause for each in composer.fields)
    if composer.chance(0.75 if clauses > 5 else 0.25):
        return composer.condition("pred")
    return composer.valued("pred", negated=composer.chance(0.18))


def _base(composer: Composer) -> list[Segment]:
    if any(each.is_clause for each in composer.fields) or composer.chance(0.4):
        return composer.condition("base", negated=False)
    raise NotComposableError


def _ask(composer: Composer, fits: Callable[[Wording], object], *, plural: bool = False) -> list[Segment]:
    wording = composer.pick(fits)
    text = without_article(composer.noun(wording))
    if plural:
        text = pluralised(text)
    return [(text, composer.mark(SpanRole.ASKED, wording))]


def _question(composer: Composer) -> list[Segment]:
    wording = composer.pick(lambda each: each.of("question"))
    template = composer.rng.choice(wording.of("question"))
    key = composer.mark(SpanRole.ASKED, wording)
    segments: list[Segment] = []
    for part in re.split(r"(\[[^\]]*\]|<doc>)", template):
        if part == "<doc>":
            segments += composer.document()
        elif part.startswith("["):
            segments.append((part[1:-1], key))
        elif part:
            segments.append((part, None))
    return segments


def _by(composer: Composer, *, plural: bool = False) -> list[Segment]:
    wording = composer.pick(
        lambda each: each.of("by") or (not each.is_clause and each.type in (FieldType.ENUM, FieldType.PARTY))
    )
    text = without_article(composer.rng.choice(wording.of("by") or (wording.title.lower(),)))
    if composer.chance(0.1):
        text = without_article(composer.noun(wording))
    if wording.type is FieldType.DATE and not wording.schema and composer.chance(0.5):
        text = f"{composer.one('month', 'year', 'quarter')} of {text}"
    return [(pluralised(text) if plural else text, composer.mark(SpanRole.GROUP, wording))]


def _ordered(each: Wording) -> bool:
    return each.type in ORDERED


def _order(composer: Composer) -> list[Segment]:
    wording = composer.pick(lambda each: each.of("order") or (not each.schema and _ordered(each)))
    if wording.of("order") and not composer.chance(0.15):
        text = composer.rng.choice(wording.of("order"))
    else:
        text = f"{_superlative(composer, wording)} {without_article(composer.noun(wording))}"
        key = composer.mark(SpanRole.ORDER, wording)
        return [(text, key)] if composer.chance(0.5) else [(text, key), (" of any", None)]
    return [(text, composer.mark(SpanRole.ORDER, wording))]


def _superlative(composer: Composer, wording: Wording) -> str:
    if wording.type is FieldType.DATE:
        return composer.one("earliest", "latest", "most recent", "next", "last", "first")
    if wording.type is FieldType.DURATION:
        return composer.one("longest", "shortest", "highest", "lowest")
    return composer.one(
        "highest", "lowest", "largest", "smallest", "biggest", "most", "least", "greatest", "max", "top"
    )


def _order_noun(composer: Composer) -> list[Segment]:
    wording = composer.pick(_ordered)
    text = f"{_superlative(composer, wording)} {without_article(composer.noun(wording))}"
    return [(text, composer.mark(SpanRole.ORDER, wording))]


def _ranks(composer: Composer) -> list[Segment]:
    wording = composer.pick(lambda each: each.of("rank") or (not each.schema and _ordered(each)))
    if wording.of("rank"):
        return [(composer.rng.choice(wording.of("rank")), composer.mark(SpanRole.ORDER, wording))]
    key = composer.mark(SpanRole.ORDER, wording)
    return [
        ("has the ", None),
        (f"{_superlative(composer, wording)} {without_article(composer.noun(wording))}", key),
    ]


def _sort(composer: Composer) -> list[Segment]:
    wording = composer.pick(_ordered)
    text = composer.rng.choice(wording.of("sort") or (without_article(composer.noun(wording)),))
    return [(text, composer.mark(SpanRole.ORDER, wording))]


def _summed(each: Wording) -> bool:
    return each.type in (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)


def _spend(composer: Composer, word: str = "") -> list[Segment]:
    wording = composer.pick(lambda each: each.of("spent") or each.name == "contract_value")
    text = word or composer.rng.choice(wording.of("spent") or ("pay", "spend"))
    return [(text, composer.mark(SpanRole.ASKED, wording))]


def _spend_on(composer: Composer) -> list[Segment]:
    if composer.chance(0.4):
        return composer.party()
    wording = composer.pick(lambda each: each.name in ("items", "category", "project"))
    return [(composer.text_value(wording), composer.mark(SpanRole.VALUE, wording))]


def _spend_when(composer: Composer) -> list[Segment]:
    wording = composer.pick(lambda each: each.name in ("invoice_date", "agreement_date"))
    return [(composer.write.date(), composer.mark(SpanRole.VALUE, wording))]


def _same_field(composer: Composer) -> list[Segment]:
    composer.same = composer._last
    return composer.valued("mod", negated=False)


def _skip_bare(composer: Composer) -> list[Segment]:
    raise NotComposableError


def _how(composer: Composer) -> list[Segment]:
    wording = composer.pick(_summed)
    return [
        (without_article(composer.noun(wording)), composer.mark(SpanRole.ASKED, wording)),
        (composer.one("", " is it", " do we have", " is there"), None),
    ]


def _add_up(composer: Composer) -> list[Segment]:
    wording = composer.pick(lambda each: each.name in ("total", "contract_value"))
    return [
        (
            composer.one("cost us", "add up to", "come to", "cost", "amount to"),
            composer.mark(SpanRole.ASKED, wording),
        )
    ]


def _pool(name: str) -> Callable[[Composer], list[Segment]]:
    return lambda composer: [(composer.rng.choice(composer.write.pools[name]), None)]


def _document_or_party(composer: Composer) -> list[Segment]:
    return composer.party() if composer.chance(0.5) else composer.document()


def _possessive(composer: Composer) -> list[Segment]:
    return [*composer.document(), ("'s", None)]


def _clause(composer: Composer, *, negated: bool, kind: str) -> list[Segment]:
    wording = composer.pick(lambda each: each.of(_stating(each, kind)))
    texts = wording.of(_stating(wording, kind))
    return [(composer.rng.choice(texts), composer.mark(SpanRole.CONDITION, wording, negated=negated))]


def _stating(wording: Wording, kind: str) -> str:
    """The wordings by which documents say that they have it: the verbs of values hold slots for these."""
    return "stated" if kind == "verb" and not wording.is_clause else kind


def _third(composer: Composer) -> list[Segment]:
    return composer.condition("third")


def _entity(composer: Composer) -> list[Segment]:
    return _ask(
        composer,
        lambda each: (
            each.type in (FieldType.TEXT, FieldType.PARTY)
            and (not each.schema or each.type is FieldType.PARTY)
        ),
    )


def _number(role: SpanRole, *texts: str) -> Callable[[Composer], list[Segment]]:
    return lambda composer: [(composer.one(*texts), composer.mark(role))]


SLOTS: dict[str, Callable[[Composer], list[Segment]]] = {
    "docs": Composer.documents,
    "docs1or": Composer.documents,
    "doc1": Composer.document1,
    "docsplain": lambda c: [(c.rng.choice(c.context.plain), None)],
    "kinds": Composer.kinds,
    "kind1": Composer.kind1,
    "kindword": Composer.kinds,
    "mod": _mod,
    "mod+": lambda c: _mod(c, negated=False),
    "pred": _pred,
    "base": _base,
    "third": _third,
    "has+": lambda c: c.condition("pred", negated=False),
    "bare+": lambda c: c.bare(negated=False),
    "bare-": lambda c: c.bare(negated=True),
    "bare0": lambda c: [("", None)],
    "verb+": lambda c: _clause(c, negated=False, kind="verb"),
    "verb-": lambda c: _clause(c, negated=True, kind="verb"),
    "cl+": lambda c: _clause(c, negated=False, kind="clause"),
    "valmod+": lambda c: c.valued("mod", negated=False),
    "valmod!": lambda c: c.valued("adj", negated=True),
    "val!": lambda c: c.valued("adj", negated=True),
    "valadj+": lambda c: c.valued("adj", negated=False),
    "valadj!": lambda c: c.valued("adj", negated=True),
    "samefield": _same_field,
    "skipbare": _skip_bare,
    "ask": lambda c: _ask(c, lambda each: not each.is_clause),
    "asks": lambda c: _ask(c, lambda each: not each.is_clause, plural=True),
    "askany": lambda c: _ask(c, lambda each: True),
    "askc": lambda c: _ask(c, lambda each: True),
    "asknum": lambda c: _ask(c, _summed),
    "asknumhow": _how,
    "askent": _entity,
    "question": _question,
    "by": _by,
    "bys": lambda c: _by(c, plural=True),
    "order": _order,
    "ordernoun": _order_noun,
    "ranks": _ranks,
    "sort": _sort,
    "limit": _number(
        SpanRole.LIMIT,
        *("two", "three", "four", "five", "six", "seven", "eight", "ten", "twelve", "twenty", "dozen"),
        *("2", "3", "4", "5", "6", "8", "10", "15", "20", "25", "50", "100"),
    ),
    "nth": _number(
        SpanRole.NTH,
        *("second", "third", "fourth", "fifth", "sixth", "2nd", "3rd", "4th", "5th", "2nd", "second"),
    ),
    "which": _number(
        SpanRole.NTH,
        *("first", "second", "third", "fourth", "fifth", "last", "1st", "2nd", "3rd", "4th", "5th", "tenth"),
        *("top", "last", "number two", "bottom", "7th"),
    ),
    "skip": _number(
        SpanRole.SKIP,
        *("first", "first two", "first three", "top two", "first 5", "top three", "first ten", "first one"),
        *("first", "top one", "first 10", "top 5", "first 20", "two", "three", "10"),
    ),
    "spend": _spend,
    "spent": lambda c: _spend(c, c.one("spent", "spend", "paid", "pay")),
    "spendon": _spend_on,
    "spendwhen": _spend_when,
    "addup": _add_up,
    "DOC": Composer.document,
    "DOC's": _possessive,
    "DOCorPARTY": _document_or_party,
    "party": Composer.party,
    "party+": Composer.with_party,
    "topic": _pool("topics"),
    "doing": _pool("doings"),
    "event": _pool("events"),
    "event2": _pool("events2"),
    "textq": _pool("textqs"),
    "term": _pool("terms"),
    "code": _pool("codes"),
}


def composer(rng: random.Random, context: Context, without: frozenset[str] = frozenset()) -> Composer:
    """A composer with all slots."""
    return Composer(rng, context, SLOTS, without)
