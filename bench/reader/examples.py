"""Questions with their readings as a network is trained on them: token ids, tags, spans with their fields."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.reader.contexts import SHIPPED, Context, Wording, invented_contexts, schema_context, table_context
from bench.reader.frame import NotComposableError, frames
from bench.reader.slots import compose_reading, composer
from core.encode.tokens import WordPieceCounter
from core.plan.readers.trained.linker import LinkTarget, column_texts, field_texts
from core.plan.readers.trained.network import OPERATIONS, ROLES, TAGS, question_words, word_of_tokens
from core.plan.readers.trained.reading import (
    COMPARISONS,
    FUNCTIONS,
    PARTS,
    RELATIONS,
    QuestionReading,
    ReadSpan,
    SpanRole,
)

Key = tuple[str, str]
SHARES = {
    "contracts": 8.0,
    "invoices": 2.6,
    "datasheets": 2.0,
    "certificates": 1.5,
    "generic": 1.3,
    "manuals": 1.3,
}
TABLES, INVENTED = 7.0, 3.0
UNKNOWN = -100
NUMERAL = (
    r"(?:\d{1,3}(?![\d.,:/%-]|\s*%)"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|dozen|couple)"
)
ORDINAL = r"(?:second|third|fourth|fifth|sixth|2nd|3rd|[4-9]th)"
UNTOLD = re.compile(rf"^(?:{NUMERAL}|{ORDINAL}|first|last|top|bottom)$", re.IGNORECASE)
"""Words that may be numbers of an order: where no writer told, nothing is learnt of them beside an order."""
POLAR = (SpanRole.CONDITION, SpanRole.VALUE)


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its reading, and the fields among which its words choose.

    is_labelled: all labels of it are true, also those that say nothing; is_held: nothing is learnt from it;
    is_turn: of a conversation.
    """

    reading: QuestionReading
    candidates: tuple[LinkTarget, ...]
    source: str = "composed"
    is_labelled: bool = False
    is_held: bool = False
    is_turn: bool = False


@dataclass(frozen=True, slots=True)
class SpanExample:
    """A span by its words; field: None where none is linked; others: -1 where nothing is known of it."""

    words: tuple[int, ...]
    role: SpanRole
    is_negated: bool
    field: Key | None
    comparison: int = -1
    descending: int = -1
    either: int = -1
    part: int = -1


@dataclass(frozen=True, slots=True)
class Example:
    """An item as numbers. ids: with special tokens; word: of each token; tags: of each word.

    A tag, a function or a relation of UNKNOWN teaches nothing.
    """

    ids: tuple[int, ...]
    word: tuple[int, ...]
    tags: tuple[int, ...]
    operation: int
    spans: tuple[SpanExample, ...]
    item: Item
    function: int = UNKNOWN
    relation: int = UNKNOWN


def candidate(wording: Wording) -> LinkTarget:
    """The candidate that a field of a context is."""
    if wording.schema:
        texts = field_texts(wording.title, wording.description, wording.synonyms)
        return LinkTarget(wording.schema, wording.name, texts, wording.type, wording.options)
    texts = column_texts(wording.name, wording.unit)
    return LinkTarget("", wording.name, texts, wording.type, wording.of("values"))


def composed(seed: int, count: int, without: frozenset[str] = frozenset()) -> Iterator[Item]:
    """Questions composed at random, each once. without: "schema.field" of fields that are never used."""
    rng = random.Random(seed)
    known = frames()
    weights = [frame.weight for frame in known]
    shipped = [schema_context(name) for name in SHIPPED]
    invented = list(invented_contexts())
    shares = [SHARES[name] for name in SHIPPED] + [TABLES, INVENTED if invented else 0.0]
    seen: set[str] = set()
    while len(seen) < count:
        place = rng.choices(range(len(shares)), shares)[0]
        if place < len(shipped):
            context: Context = shipped[place]
        elif place == len(shipped):
            context = table_context(rng)
        else:
            context = rng.choice(invented)
        maker = composer(rng, context, without)
        frame = rng.choices(known, weights)[0]
        try:
            reading = compose_reading(maker, frame)
        except NotComposableError:
            continue
        if reading.question in seen or not reading.question.strip():
            if frame.operation.value in ("help", "all"):
                seen.add(f"{reading.question}{len(seen)}")
                continue
            continue
        seen.add(reading.question)
        fields = [each for each in context.fields if f"{each.schema}.{each.name}" not in without]
        yield Item(reading, tuple(candidate(each) for each in fields), is_turn=bool(frame.relation))


def encode(item: Item, counter: WordPieceCounter) -> Example:
    """An item as numbers."""
    reading = item.reading
    tokens = counter.tokens([reading.question])[0]
    words = question_words(reading.question)
    owner = word_of_tokens(tokens.starts, tokens.ends, words)
    tags = [0] * len(words)
    spans: list[SpanExample] = []
    for span in reading.spans:
        inside = [number for number, edges in enumerate(words) if _is_inside(edges, span)]
        if not inside:
            continue
        key = (span.links[0].schema, span.links[0].field) if span.links else None
        same = next(
            (
                number
                for number, each in enumerate(spans)
                if span.role is SpanRole.ASKED and each.role is span.role and each.field == key
            ),
            None,
        )
        for place, number in enumerate(inside):
            begin = place == 0 and same is None
            tags[number] = TAGS.index(f"{'B' if begin else 'I'}-{span.role.value}")
        if same is not None:
            spans[same] = SpanExample((*spans[same].words, *inside), span.role, span.is_negated, key)
        else:
            spans.append(_span_example(item, span, tuple(inside), key))
    if not item.is_labelled and reading.of(SpanRole.ORDER):
        for number, (start, end) in enumerate(words):
            if tags[number] == 0 and UNTOLD.match(reading.question[start:end]):
                tags[number] = UNKNOWN
    ids = (*counter.prefix, *tokens.ids.tolist(), *counter.suffix)
    word = (*(-1 for _ in counter.prefix), *owner.tolist(), *(-1 for _ in counter.suffix))
    return Example(
        ids,
        word,
        tuple(tags),
        OPERATIONS.index(reading.operation),
        tuple(spans),
        item,
        FUNCTIONS.index(reading.function) if reading.functions else UNKNOWN,
        RELATIONS.index(reading.relations[0][0]) if reading.relations else UNKNOWN,
    )


def _span_example(item: Item, span: ReadSpan, words: tuple[int, ...], key: Key | None) -> SpanExample:
    either = -1
    if span.role in POLAR and (item.is_labelled or not (span.is_negated and span.either)):
        either = int(span.either)  # "without a or b" says of both that they are not to hold
    return SpanExample(
        words,
        span.role,
        span.is_negated,
        key,
        COMPARISONS.index(span.comparison) if span.comparison and span.role is SpanRole.VALUE else -1,
        int(span.descending) if span.descending is not None and span.role is SpanRole.ORDER else -1,
        either,
        PARTS.index(span.part) if span.role is SpanRole.GROUP else -1,
    )


def _is_inside(edges: tuple[int, int], span: ReadSpan) -> bool:
    overlap = min(edges[1], span.end) - max(edges[0], span.start)
    return overlap * 2 >= edges[1] - edges[0]


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Batches of similar lengths, in random order."""
    order = list(range(len(examples)))
    rng.shuffle(order)
    chunks = []
    for start in range(0, len(order), size * 16):
        block = sorted(order[start : start + size * 16], key=lambda number: len(examples[number].ids))
        chunks += [block[at : at + size] for at in range(0, len(block), size)]
    rng.shuffle(chunks)
    for chunk in chunks:
        yield [examples[number] for number in chunk]


ROLE_COUNT = len(ROLES)
