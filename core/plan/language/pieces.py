"""Words of a question, and the typed pieces that they make up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal, Protocol

from core.domain.annotation import Calculation
from core.domain.fields import TypedValue
from core.domain.predicate import Operator
from core.plan.catalogue import DocumentEntry, FieldEntry, PartyEntry, ValueEntry
from core.text.analyse import analyse

_WORD = re.compile(r"[^\W_]+(?:[.'’](?=[^\W_])[^\W_]+)*(?:_[^\W_]+)*|[<>=!≥≤]+|[,;&/]")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")  # NDAs
_SPELLING = {
    "inv": "invoice", "agmt": "agreement", "agrmt": "agreement", "cert": "certificate", "amt": "amount",
    "licence": "license", "licences": "licenses", "licenced": "licensed", "tyre": "tire", "tyres": "tires",
    "favoured": "favored", "organisation": "organization", "organisations": "organizations",
    "colour": "color", "labour": "labor", "authorised": "authorized", "judgement": "judgment",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word or sign of the question: `text` is question[start:end], `word` folded, `stem` its stem."""

    text: str
    word: str
    stem: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """True where it is more than a sign."""
        return self.text[0].isalnum()

    @property
    def is_capital(self) -> bool:
        """True where it is written as names are."""
        return self.text[0].isupper() or any(char.isdigit() for char in self.text)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Stem that forms of a word share: `expires`, `expiring` and `expired` are `expir`."""
    if _ACRONYMS.fullmatch(word):
        word = word[:-1]
    word = word.casefold().replace("’", "'")
    word = word[:-2] if word.endswith("'s") else word
    terms = analyse(_SPELLING.get(word, word))
    return terms[0] if terms else word


def singular(word: str) -> str:
    """A noun in the singular: `policies` is `policy`."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=65_536)
def stems(phrase: str) -> tuple[str, ...]:
    """The stems of a phrase, word by word."""
    return tuple(stem(match[0]) for match in _WORD.finditer(phrase) if match[0][0].isalnum())


def tokens_of(question: str) -> tuple[Token, ...]:
    """The words and signs of a cleaned question, in order; a possessive belongs to its word."""
    found = []
    for match in _WORD.finditer(question):
        text = match[0]
        word = text.casefold().replace("’", "'")
        word = word[:-2] if word.endswith("'s") else word
        found.append(Token(text, word, stem(text) if text[0].isalnum() else text, *match.span()))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A money amount, a percentage, a number or a length of time."""

    value: TypedValue


@dataclass(frozen=True, slots=True)
class Currency:
    """The currency of amounts, by its code: "in US dollars", "non-USD"."""

    code: str


@dataclass(frozen=True, slots=True)
class DayRange:
    """Days from `first` to `last`, both included; None: open. relative: reckoned from today.

    length: where "within 90 days" may also be a length of time. hint: the field that it is of ("active").
    covered: something is in force in it, from its first day to its last.
    """

    first: date | None
    last: date | None
    is_relative: bool = False
    length: TypedValue | None = None
    hint: str = ""
    covered: bool = False


@dataclass(frozen=True, slots=True)
class Comparator:
    """Comparator of values. hint: the field that the word says ("wider than"), as people call it."""

    op: Operator
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Negator:
    """lack: also says that something is or is not there ("without"); else it negates what follows ("not").

    is_other: "other than", which leaves only what has another value.
    """

    lacks: bool = False
    is_other: bool = False


@dataclass(frozen=True, slots=True)
class HavingWord:
    """Says that something is there: "with", "contain", "have"."""


@dataclass(frozen=True, slots=True)
class Connective:
    """and, or, nor, but, or a comma."""

    word: Literal["and", "or", "nor", "but", ","]


@dataclass(frozen=True, slots=True)
class Statistic:
    """Something to compute. is_extreme: highest and lowest, which may also choose documents.

    ahead: of what is still to come ("next").
    """

    name: Calculation
    is_extreme: bool = False
    of_time: bool = False  # "latest", "oldest": of dates
    hint: str = ""
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Computed:
    """A value that is computed first: "above average", "more than the median value"."""

    function: Calculation


@dataclass(frozen=True, slots=True)
class Top:
    """The first `count` of an order; descending None: where the measure says it."""

    count: int
    descending: bool | None
    of_time: bool = False
    hint: str = ""
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Grouping:
    """A result for each of what follows."""


@dataclass(frozen=True, slots=True)
class Ordering:
    """Sorted by what follows."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """Two or more sides are put next to one another."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Our own rule, written in a policy; words: those of its name."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bridge:
    """Home of an organisation: "the country where X is registered"."""

    parties: Parties


@dataclass(frozen=True, slots=True)
class Described:
    """An organisation by what other documents state: the value of `field` in them.

    values: what these documents state, each with whether it is only a part of the value.
    """

    field: FieldEntry
    documents: tuple[DocumentEntry, ...] = ()
    values: tuple[tuple[ValueEntry, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Noun:
    """A kind of document. kind: the value of its field `document_kind`, or ""; title_words: of its name.

    is_thing: said of what documents describe ("panel"), and not of any document about such things.
    """

    schema: str
    kind: str = ""
    title_words: tuple[str, ...] = ()
    is_plural: bool = False
    is_thing: bool = False


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """A field that words may mean. weight: 1 for its title or a synonym, less for a guess."""

    field: FieldEntry
    weight: float
    because: str
    shown: str = ""


@dataclass(frozen=True, slots=True)
class FieldSenses:
    """Fields that the words may mean, best first. is_verb: said as what documents do ("expiring").

    function: where the name of the field begins like a computation ("total value"). said: the stems of the
    words, where they are a phrase.
    """

    matches: tuple[FieldMatch, ...]
    is_verb: bool = False
    function: Calculation | None = None
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DateInterval:
    """The time between two dates: "from their effective date to their expiry"."""

    start: FieldSenses
    end: FieldSenses


@dataclass(frozen=True, slots=True)
class Aspect:
    """A part of a date to group by."""

    name: Literal["year", "quarter", "month", "unit"]


@dataclass(frozen=True, slots=True)
class Parties:
    """Organisations that the words may name; several that fit equally well where there is more than one.

    role: the side that they are on, where the words say so ("that ACME supplies").
    """

    parties: tuple[PartyEntry, ...]
    role: FieldSenses | None = None


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Documents that the words name. is_exact: all words of a title; else words that their titles share."""

    documents: tuple[DocumentEntry, ...]
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Values:
    """Values that some documents have, or would (`documents` 0): several where fields share a word."""

    values: tuple[ValueEntry, ...]
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Interrogative of a question."""

    how: Literal[
        "list", "count", "which", "what", "when", "who", "where", "much", "long", "whether", "text", "one"
    ]


@dataclass(frozen=True, slots=True)
class ClauseNoun:
    """ "clause", "provision": what stands before it is a clause, whether or not it is known."""


@dataclass(frozen=True, slots=True)
class Filler:
    """Words that carry no meaning of their own here."""


@dataclass(frozen=True, slots=True)
class UnknownWord:
    """A word that nothing took."""


Meaning = (
    Quantity | DayRange | Comparator | Negator | HavingWord | Connective | Statistic | Top | Grouping
    | Ordering
    | Policy | Comparing | Bridge | Described | Computed | Noun | FieldSenses | Aspect | Parties | DocumentSet
    | Values | Ask | ClauseNoun | Filler | UnknownWord
    | Currency | DateInterval
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of the question, from token `first` to before token `end`, with their meaning and why."""

    first: int
    end: int
    text: str
    meaning: Meaning
    reason: str


class Mentions(Protocol):
    """A question with its words and what they may mean over a catalogue, in pieces without gaps.

    Made from the text of the question alone, by whatever reads questions.
    """

    @property
    def question(self) -> str:
        """The text that the words stand in."""
        ...

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Its words and signs."""
        ...

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Its pieces, in order."""
        ...
