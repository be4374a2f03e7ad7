"""A question as the trained reader reads it: what is done, and which words say what, each with a probability.

It is a skeleton. Values inside a span (dates, amounts, places, names) are read by core's exact readers, and
`core.plan.reader.to_reading` makes a reading of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.domain.passage import Matrix
from core.encode.base import Encoder
from core.plan.catalogue import Catalogue
from core.plan.reading import Operation as Operation
from core.plan.reading import Reading

SURE_OF_FIELD = 0.5
"""Sureness of a span from which on a plan has to keep its field, and covers its words by it."""

PROBABLY_KNOWN = 0.6
"""Probability that words mean any field, below which words around a word in doubt do not make it good ("a
bonus upon termination"), and what is asked of a named document is looked for in its text ("who drafted")."""


LEAST_LINK = 0.005
"""Probability of a link from which on it is known, beside those of columns, which always are."""


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

    def asks_for_known(self, least: float = PROBABLY_KNOWN) -> bool:
        """True where what is asked for is a field with this probability at least; also where nothing is."""
        asked = self.of(SpanRole.ASKED)
        return not asked or max(span.known for span in asked) >= least

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
