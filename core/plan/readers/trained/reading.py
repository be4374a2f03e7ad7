"""A question as the trained reader reads it, and the spans of that which say something, over one schema.

The reading is a skeleton: what is done, and which words say what, each with a probability. Values in a span
(dates, amounts, places, names) are read by core's exact readers; `to_reading` beside this makes a `Reading`
of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from core.domain.fields import TEXTS, FieldType
from core.domain.passage import Matrix
from core.encode.base import Encoder
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry, TableEntry, column_key
from core.plan.kinds import kind_names
from core.plan.reading import Operation as Operation
from core.plan.reading import Reading
from core.text.analyse import content_terms, text_terms
from core.text.nouns import singular

SURE_OF_FIELD = 0.5
"""Sureness of a span from which on a plan has to keep its field, and covers its words by it."""
LEAST_LINK = 0.005
"""Probability of a link from which on it is known, beside those of columns, which always are."""
_NOUN_VOTE = 2.0
_LEAST_OF_BEST = 0.1  # of the votes of the best schema, from which on nouns speak for another
_LEAST_SURENESS = 0.25  # of writers' spans below it one in six was right
_SURE_OF_PRONOUN = 0.9  # of the field of words without content ("they", "may", "there")
_BETWEEN_PARTS = 2  # words between two parts of what is one span
_JOINS = re.compile(r"[,;/&]|\b(?:and|or|nor|but|vs|versus|than)\b", re.IGNORECASE)


class SpanRole(StrEnum):
    """Part that words play in a question."""

    CONDITION = "condition"  # a field that is there, or is not
    VALUE = "value"  # a field with a value: a law, a day, an amount, a length of time
    ASKED = "asked"  # the field whose value is wanted
    GROUP = "group"
    ORDER = "order"
    DOCUMENT = "document"  # names a document
    PARTY = "party"  # names an organisation or a person that the documents are with
    KIND = "kind"  # a kind of document
    LIMIT = "limit"  # how many of an order are wanted: "the [three] cheapest"
    NTH = "nth"  # which one of it: "the [second] highest"
    SKIP = "skip"  # how many of it are passed over: "after the [first]"


NUMBERING = (SpanRole.LIMIT, SpanRole.NTH, SpanRole.SKIP)
"""Parts that are numbers of an order."""

OF_SEVERAL = (Operation.LIST, Operation.COUNT, Operation.RANK, Operation.GROUP, Operation.COMPUTE)
"""Operations over any number of documents or rows."""

NAMING = (SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND, *NUMBERING)
"""Parts that name or number something, and no field."""

COMPARISONS = ("=", ">", ">=", "<", "<=", "between", "contains")
"""Comparisons with the value in a span."""

FUNCTIONS = (
    "", "count", "sum", "avg", "median", "min", "max", "distinct", "share",
    "values", "difference", "ratio", "more", "less", "greatest", "least",
)  # fmt: skip
"""What is computed, or of a comparison what is told of its sides; "" for nothing."""

RELATIONS = (
    "new", "narrow", "replace", "widen", "ask", "order", "count", "undo", "ordinal", "rest", "explain",
)  # fmt: skip
"""How a turn goes on from the result set in hand; "new" stands alone."""

PARTS = ("", "year", "month", "quarter", "unit")
"""Parts of dates and amounts that are grouped by."""


@dataclass(frozen=True, slots=True)
class FieldLink:
    """A field, or column, that words may mean. probability: of all that they may mean, calibrated, 0 to 1."""

    schema: str
    field: str
    probability: float


@dataclass(frozen=True, slots=True)
class ReadSpan:
    """Words question[start:end] with their part. links: best first, () for names and kinds.

    is_negated: what they say is not to hold ("without", "not under Delaware law").
    probability: that the words play this part with this polarity. known: that any field of the catalogue is
    meant at all; 1 of parts that name none. comparison: of a value, "" where nothing is known of it.
    descending: of an order. either: it is an alternative to the condition before it. part: of a group.
    """

    start: int
    end: int
    role: SpanRole
    is_negated: bool
    links: tuple[FieldLink, ...]
    probability: float
    known: float = 1.0
    comparison: str = ""
    descending: bool | None = None
    either: bool = False
    part: str = ""

    @property
    def sureness(self) -> float:
        """Probability of the part and the best field together; 0 where no field is meant."""
        return self.probability * self.links[0].probability if self.links else 0.0


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """Reading of one question. operations: with their probabilities, best first; spans in order.

    probability: that operation, spans and best links are all right; calibrated on writers held apart.
    beside: words outside all spans of which the reader is sure that they ask for nothing, as spans in order.
    functions, relations: with their probabilities, best first, () where the artefact does not tell them.
    """

    question: str
    operations: tuple[tuple[Operation, float], ...]
    spans: tuple[ReadSpan, ...]
    probability: float
    beside: tuple[tuple[int, int], ...] = ()
    functions: tuple[tuple[str, float], ...] = ()
    relations: tuple[tuple[str, float], ...] = ()

    @property
    def function(self) -> str:
        """What is most probably computed; "" for nothing."""
        return self.functions[0][0] if self.functions else ""

    @property
    def operation(self) -> Operation:
        """The most probable operation."""
        return self.operations[0][0]

    def text(self, span: ReadSpan) -> str:
        """The words of a span."""
        return self.question[span.start : span.end]

    def of(self, *roles: SpanRole) -> Sequence[ReadSpan]:
        """The spans that play one of these parts, in order."""
        return [span for span in self.spans if span.role in roles]


class QuestionReader(Protocol):
    """Reads questions over a catalogue. Thread-safe, deterministic."""

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The reading of a cleaned question."""
        ...

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)): how like two texts are in meaning, 1 where they are the same."""
        ...


class PluginReader(Protocol):
    """Reads questions over a catalogue, many threads at a time."""

    def read(self, question: str, catalogue: Catalogue) -> Reading | None:
        """The reading of a cleaned question; None for one that it leaves to the next reader."""
        ...


@dataclass(frozen=True, slots=True)
class ReaderSpec:
    """A reader as an entry point of `groundwork.readers` names it.

    open: makes it, with the encoder of questions; None where it cannot be used on this machine.
    """

    open: Callable[[Encoder], PluginReader | QuestionReader | None]


WITH_FIELDS = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)


@dataclass(frozen=True, slots=True)
class ChosenSpan:
    """A span with the field or column that it means, None of names and numbers."""

    span: ReadSpan
    entry: FieldEntry | ColumnEntry | None = None
    probability: float = 1.0

    @property
    def role(self) -> SpanRole:
        """The part that it plays."""
        return self.span.role

    @property
    def key(self) -> str:
        """Name of its field, "" for none."""
        return self.entry.name if self.entry is not None else ""


@dataclass(frozen=True, slots=True)
class SpanChoice:
    """Spans of a question that are read, in order. is_rows: their fields are columns; else of `schema`."""

    spans: tuple[ChosenSpan, ...]
    schema: SchemaEntry | None
    is_rows: bool

    @property
    def kind(self) -> str:
        """Name of the schema, "" for rows and where none is meant."""
        return self.schema.name if self.schema is not None and not self.is_rows else ""

    def of(self, *roles: SpanRole) -> list[ChosenSpan]:
        """The spans that play one of these parts, in order."""
        return [each for each in self.spans if each.role in roles]


def chosen_spans(
    reading: QuestionReading, catalogue: Catalogue, table: TableEntry | None = None
) -> SpanChoice:
    """The spans of a reading, tidied, with their fields; without those whose fields are of another schema.

    table: that whose rows are asked, where this is known.
    """
    own = _tidied(reading)
    schema, is_rows = _about(own, reading, catalogue) if table is None else (None, True)
    tables = catalogue.rows_by_sql if table is None else (table,)
    columns = {column.key: column for each in tables for column in each.columns}
    spans: list[ChosenSpan] = []
    for span in own:
        if span.role not in WITH_FIELDS:
            spans.append(ChosenSpan(span))
            continue
        found = [(link, _entry(link, schema, columns, is_rows)) for link in span.links]
        fitting = [(link, entry) for link, entry in found if entry is not None]
        if fitting:
            total = sum(link.probability for link, _ in fitting)
            is_named = span.role in (SpanRole.ASKED, SpanRole.GROUP, SpanRole.ORDER)
            link, entry = (_called_so(reading.text(span), fitting) if is_named else None) or fitting[0]
            is_text = isinstance(entry, FieldEntry) and entry.type in TEXTS
            is_value = span.role is SpanRole.VALUE and is_text and not span.is_negated
            if is_value and _called_so(reading.text(span), [(link, entry)]):
                span = replace(span, role=SpanRole.ASKED)  # "with their governing law"
            spans.append(ChosenSpan(span, entry, span.probability * link.probability / max(total, 1e-9)))
        elif span.role is SpanRole.ORDER and not span.links:
            spans.append(ChosenSpan(span))
    return SpanChoice(tuple(spans), schema, is_rows)


def noun_places(reading: QuestionReading, catalogue: Catalogue) -> list[tuple[int, int, str]]:
    """Words of a question that documents of a schema are called by, as (start, end, schema).

    The names of their kinds count only where the network says that a kind is meant: "order" is many things.
    """
    meant = reading.of(SpanRole.KIND)
    return [
        (each.start, each.end, each.kind.schema)
        for each in kind_names(catalogue).find(reading.question)
        if (schema := catalogue.schema(each.kind.schema)) is not None
        and (
            not each.kind.kinds
            or _calls(reading.question[each.start : each.end], schema)
            or any(one.start <= each.start < one.end for one in meant)
        )
    ]


def _calls(words: str, schema: SchemaEntry) -> bool:
    names = (schema.name, schema.title, *schema.words, *(noun.word for noun in schema.nouns))
    return singular(words.casefold()) in {singular(each.casefold()) for each in names}


def _called_so(
    words: str, links: Sequence[tuple[FieldLink, FieldEntry | ColumnEntry]]
) -> tuple[FieldLink, FieldEntry | ColumnEntry] | None:
    """The first field of values that is called just by these words; None where none is."""
    said = text_terms(words)
    for link, entry in links:
        if entry.type is FieldType.BOOLEAN:
            continue  # a clause may be called by what is not in it: "no limit"
        own = (entry.title, *entry.synonyms) if isinstance(entry, FieldEntry) else ()
        if said and any(text_terms(name) == said for name in (entry.name.replace("_", " "), *own)):
            return link, entry
    return None


def _entry(
    link: FieldLink, schema: SchemaEntry | None, columns: dict[str, ColumnEntry], is_rows: bool
) -> FieldEntry | ColumnEntry | None:
    if is_rows:
        return None if link.schema else columns.get(column_key(link.field))
    return schema.field(link.field) if schema is not None and link.schema == schema.name else None


def _about(
    spans: Sequence[ReadSpan], reading: QuestionReading, catalogue: Catalogue
) -> tuple[SchemaEntry | None, bool]:
    """The schema that the fields and nouns speak for most, and whether columns have more of the fields."""
    votes: dict[str, float] = defaultdict(float)
    fields = [each for each in spans if each.role in WITH_FIELDS]
    for span in fields:
        best: dict[str, float] = {}
        for link in span.links:
            best[link.schema] = max(best.get(link.schema, 0.0), link.probability)
        for name, probability in best.items():
            votes[name] += probability
    of_columns, of_fields = votes.pop("", 0.0), dict(votes)
    least = _LEAST_OF_BEST * max(of_fields.values(), default=0.0)
    listed = {each.schema for each in catalogue.rows_by_sql}
    nouns = noun_places(reading, catalogue)
    is_of_documents = bool(nouns) and all(name not in listed for _, _, name in nouns)
    for start, end, name in nouns:
        is_of_field = any(start < each.end and end > each.start for each in fields)
        if not is_of_field and (not of_fields or of_fields.get(name, 0.0) >= max(least, 1e-9)):
            votes[name] += _NOUN_VOTE  # "which bodies do we deal with" asks for no deals
    order = {each.name: at for at, each in enumerate(catalogue.schemas)}
    known = [name for name in votes if name in order]
    schema = min(known, key=lambda name: (-votes[name], order[name])) if known else ""
    is_rows = of_columns > of_fields.get(schema, 0.0) and not is_of_documents
    return catalogue.schema(schema) if schema else None, is_rows


def _tidied(reading: QuestionReading) -> tuple[ReadSpan, ...]:
    """The spans joined that stand side by side and mean one field, without those that hardly mean any.

    Words that are dropped stay uncovered: a plan is not to restrict by them.
    """
    spans: list[ReadSpan] = []
    for span in sorted(reading.spans, key=lambda each: (each.start, each.end)):
        before = spans[-1] if spans else None
        if _hardly_means(span, reading) or (before is not None and span.start < before.end):
            continue
        is_compared = reading.operation is Operation.COMPARE and span.role is not SpanRole.ASKED
        if before is not None and not is_compared and _is_one(before, span, reading.question):
            spans[-1] = replace(before, end=span.end, probability=min(before.probability, span.probability))
        else:
            spans.append(span)
    return tuple(spans)


def _hardly_means(span: ReadSpan, reading: QuestionReading) -> bool:
    """True of words that are linked to a field by little: a pronoun, or a part that plays none for sure."""
    if not span.links or span.role not in (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ASKED):
        return False
    words = reading.text(span)
    if span.role is SpanRole.VALUE:  # its field may be in doubt; a figure is never said for nothing
        is_meant = span.probability * sum(link.probability for link in span.links) >= _LEAST_SURENESS
        return not is_meant and not any(map(str.isdigit, words))
    if span.sureness < _LEAST_SURENESS:
        return True
    is_sure = span.links[0].probability >= _SURE_OF_PRONOUN
    return span.role is SpanRole.CONDITION and not is_sure and not content_terms(words)


def _is_one(before: ReadSpan, span: ReadSpan, question: str) -> bool:
    between = question[before.end : span.start]
    if before.role is span.role is SpanRole.DOCUMENT:
        return not between.strip() and before.is_negated == span.is_negated
    is_alike = before.role is span.role and before.is_negated == span.is_negated and not span.either
    means_one = [link.field for link in before.links[:1]] == [link.field for link in span.links[:1]]
    compares_one = before.comparison == span.comparison and before.part == span.part
    is_near = len(between.split()) <= _BETWEEN_PARTS and not _JOINS.search(between)
    return is_alike and means_one and compares_one and is_near and bool(before.links)


class TextReader:
    """A QuestionReader that knows no field and no likeness."""

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The question, to be looked for in the text as it is."""
        return QuestionReading(question, ((Operation.TEXT, 1.0),), (), 1.0)

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)) of zeros: nothing is like another."""
        return np.zeros((len(phrases), len(texts)), dtype=np.float32)
