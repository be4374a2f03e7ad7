"""Fields: what a schema asks of every document, and the cells that hold what was found, with their spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from core.domain.ids import DocumentId
from core.domain.span import PageSpan

MONEY_SCALE = 4
"""Decimal places of an amount of money as it is stored: 1.25 USD is 12500."""

NUMBER_SCALE = 6
"""Decimal places of a number and of a duration's days as they are stored."""


class FieldType(StrEnum):
    """Type of a field's value."""

    TEXT = "text"
    BOOLEAN = "boolean"  # whether a clause stands in the document
    MONEY = "money"
    DATE = "date"
    DURATION = "duration"
    NUMBER = "number"
    ENUM = "enum"
    PARTY = "party"


WITH_UNITS = frozenset({FieldType.MONEY, FieldType.NUMBER})
AMOUNTS = WITH_UNITS | {FieldType.DURATION}
"""What is summed."""

ORDERED = AMOUNTS | {FieldType.DATE}
"""What lies before or after another, and is found in running text by its form."""

NAMES = frozenset({FieldType.TEXT, FieldType.PARTY})
TEXTS = NAMES | {FieldType.ENUM}
"""What is compared as words."""


class CellStatus(StrEnum):
    """Status of one field of one document: how much is known of it."""

    PRESENT = "present"
    ABSENT = "absent"
    UNCERTAIN = "uncertain"
    UNREADABLE = "unreadable"


class Special(StrEnum):
    """Special case where a value would stand; it has no amount and takes no part in sums."""

    NONE = ""
    PERPETUAL = "perpetual"  # it never ends
    BLANK = "blank"  # a line to be filled in: "____, 2004"
    REDACTED = "redacted"  # "[***]"
    AMBIGUOUS = "ambiguous"  # 03/04/2021: two readings; `text` holds both, with a slash between


@dataclass(frozen=True, slots=True)
class TypedValue:
    """One value, canonical: equal values have equal `text` and `unit`.

    text: money and numbers as decimal strings, dates as ISO 8601, durations as ISO 8601 ("P60D", "P2Y"),
    booleans "true" or "false", names as they are written best. normal: what names are grouped and compared
    by. amount: money at MONEY_SCALE, numbers and days of a duration at NUMBER_SCALE (a month is 30.4375
    days), a date's proleptic ordinal, a boolean's 1 or 0; None for text and where `special` is set.
    unit: ISO 4217 of money, the canonical unit of a number, "" else. original: what it was read from.
    """

    type: FieldType
    text: str
    amount: int | None = None
    unit: str = ""
    original: str = ""
    normal: str = ""
    special: Special = Special.NONE

    @property
    def decimal(self) -> Decimal | None:
        """The amount as money, a number or days; None where there is none."""
        if self.amount is None:
            return None
        scale = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE}.get(self.type, 0)
        scale = NUMBER_SCALE if self.type is FieldType.DURATION else scale
        return Decimal(self.amount).scaleb(-scale)


class PromiseLevel(StrEnum):
    """Level of a promise. A stricter one leaves more cells uncertain, and is right more often.

    What each is worth is measured: see the model card of the clause heads.
    """

    STRICT = "strict"
    BALANCED = "balanced"
    BROAD = "broad"


DEFAULT_LEVEL = PromiseLevel.BALANCED

PROMISED = {
    PromiseLevel.STRICT: (0.96, 0.99),
    PromiseLevel.BALANCED: (0.95, 0.97),
    PromiseLevel.BROAD: (0.90, 0.95),
}
"""Shares of the cells called present, and of those called absent, that are promised to be right."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A span with its characters: `quote` equals the stored page text of that version at the span."""

    span: PageSpan
    quote: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reading that was considered for a cell: the value it would give (None for a clause) and where."""

    value: TypedValue | None
    spans: tuple[Quote, ...]
    confidence: float
    method: str


MAX_CANDIDATES = 5
"""Candidates of a finding that are kept."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of extraction on one field of one document.

    values: () unless present, one unless the field takes many; a present clause has the value "true".
    spans: of `values` in order, first the one that decided; of an uncertain cell () - see candidates.
    confidence: the probability that the status is right, 0 to 1. method: what decided (pattern, heading,
    head, key_value, table, semantic, or a named rule). candidates: best first, MAX_CANDIDATES at most.
    note: one plain sentence where something must be said (how a date was computed, why it is unsure).
    """

    status: CellStatus
    values: tuple[TypedValue, ...] = ()
    spans: tuple[Quote, ...] = ()
    confidence: float = 0.0
    method: str = ""
    candidates: tuple[Candidate, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """Decision on a cell: by whom, when. check_again: a newer version no longer holds the reviewed span."""

    user: str
    at: datetime
    check_again: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of one document as it counts now: the reviewer's finding where there is one.

    extracted: what extraction says, also where a reviewer decided otherwise. event: the id of the newest
    entry of its history, 0 before the first; given back with a review, it shows whether somebody came first.
    """

    document: DocumentId
    version: int
    field: str
    finding: Finding
    review: Review | None = None
    extracted: Finding | None = None
    event: int = 0


class ReviewAction(StrEnum):
    """Action of a reviewer on a cell."""

    CONFIRM = "confirm"
    CORRECT = "correct"
    ABSENT = "absent"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class ReviewEvent:
    """One entry of a cell's history, newest first where several are listed."""

    id: int
    document: DocumentId
    field: str
    version: int
    action: ReviewAction
    user: str
    at: datetime
    before: Finding
    after: Finding


@dataclass(frozen=True, slots=True)
class RowCell:
    """One cell of an annotation row: the column as it is written, its value, and where it stands."""

    column: str
    value: TypedValue
    quote: Quote


@dataclass(frozen=True, slots=True)
class AnnotationRow:
    """A row of a table, or the key-value lines of a document: one record with a span for every cell.

    table: which table of the document, from 0; key-value pairs of a document are one row of table -1.
    is_total: it adds up others of its table, and counts nowhere unless it is asked for by its name.
    """

    table: int
    row: int
    cells: tuple[RowCell, ...]
    is_total: bool = False


@dataclass(frozen=True, slots=True)
class TableTitle:
    """Names of a table: of the sheet that it stands on, and the line above it; "" where there is none."""

    table: int
    sheet: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a document: `type` is the name of its field."""

    type: str
    title: str
    quote: Quote
    section: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class PartyRow:
    """A party of a document. identifiers: kind ("lei", "duns", "tax_id") and number."""

    name: str
    normal: str
    quote: Quote
    role: str = ""
    entity_type: str = ""
    jurisdiction: str = ""
    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Financial:
    """An amount that a document states; `metric` is what it is ("liability_cap", "total", ...)."""

    metric: str
    value: TypedValue
    quote: Quote
    effective: str = ""  # ISO 8601
    expires: str = ""
    terms: str = ""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None


class SummaryKind(StrEnum):
    """For whom a summary is made."""

    EXECUTIVE = "executive"
    LEGAL = "legal"
    FINANCIAL = "financial"


@dataclass(frozen=True, slots=True)
class Summary:
    """An extractive summary: sentences of the document in reading order."""

    kind: SummaryKind
    sentences: tuple[Quote, ...]
    entities: tuple[str, ...] = ()
    risks: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class IdentityPart:
    """A part of a name: as it is shown, the probability that it is right, its words in the document.

    whole: a party's full name, "" of the rest.
    """

    text: str = ""
    confidence: float = 0.0
    quotes: tuple[Quote, ...] = ()
    whole: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """By what people recognise a document: what it is, between whom, and when; best guesses.

    name: all in one line. day: ISO 8601, perhaps only a month or year; "" where none is named.
    """

    name: str
    kind: IdentityPart = field(default_factory=IdentityPart)
    parties: tuple[IdentityPart, ...] = ()
    day: IdentityPart = field(default_factory=IdentityPart)


@dataclass(frozen=True, slots=True)
class NamedParent:
    """Words of a document that name the one that it amends or stands under.

    kinship: `amends` or `under`. title: as `family_key` gives it. day: ISO 8601, "" where none is named.
    """

    kinship: str
    title: str
    day: str
    quote: Quote


@dataclass(frozen=True, slots=True)
class FamilyMarks:
    """By what others may name a document, its title (as `family_key` gives it) and day, and what it names."""

    title: str
    day: str
    references: tuple[NamedParent, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that one pass finds in one version of a document; cells by field name.

    types: of the fields that were looked for, as their schema has them; {} where nobody says.
    """

    schema: str
    findings: dict[str, Finding]
    rows: tuple[AnnotationRow, ...] = ()
    clauses: tuple[Clause, ...] = ()
    parties: tuple[PartyRow, ...] = ()
    financials: tuple[Financial, ...] = ()
    summaries: tuple[Summary, ...] = ()
    family: str = ""  # the title that an amendment names, normalised; "" for none
    notes: tuple[str, ...] = field(default_factory=tuple)
    types: dict[str, FieldType] = field(default_factory=dict)
    titles: tuple[TableTitle, ...] = ()  # of the tables that the rows are of
    identity: Identity | None = None  # None where the pass did not look for it
    marks: FamilyMarks | None = None  # beside the identity


class Fit(StrEnum):
    """How far the words say that a document belongs to another."""

    STATED = "stated"
    LIKELY = "likely"


@dataclass(frozen=True, slots=True)
class Relative:
    """A document over another one or under it. quote: the words of the lower one that name the upper one."""

    id: DocumentId
    name: str
    kinship: str
    fit: Fit
    quote: Quote


@dataclass(frozen=True, slots=True)
class Family:
    """The documents that one belongs to, in the order of its words, and those that belong to it, by name.

    children: at most 50 of `count`.
    """

    parents: tuple[Relative, ...] = ()
    children: tuple[Relative, ...] = ()
    count: int = 0
