"""A question in pieces, cut into the sides that it names and what it asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.ir.nodes import Outcome
from core.plan.language import pieces as p
from core.plan.language.pieces import Piece, stem
from core.plan.language.reading.read import Reading

_AMOUNTS = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION, FieldType.DATE)
_NAMES = (p.Documents, p.Parties, p.Values)
_MORE = (Operator.GREATER, Operator.GREATER_EQUAL)
_LESS = (Operator.LESS, Operator.LESS_EQUAL)
_SPENT = frozenset(["spent", "spend", "spending", "paid", "pay", "billed", "charged", "bought"])

_COMPARATIVES: dict[str, tuple[str, bool]] = {
    **dict.fromkeys(("heavier",), ("weight", True)), **dict.fromkeys(("lighter",), ("weight", False)),
    **dict.fromkeys(("wider", "broader"), ("width", True)),
    **dict.fromkeys(("narrower", "slimmer"), ("width", False)),
    **dict.fromkeys(("taller", "higher up"), ("height", True)), "thicker": ("depth", True),
    "deeper": ("depth", True), "thinner": ("depth", False), "louder": ("noise", True),
    "quieter": ("noise", False), "expensive": ("$", True), "costly": ("$", True), "valuable": ("$", True),
    "costlier": ("$", True), "pricier": ("$", True), "dearer": ("$", True), "cheaper": ("$", False),
    "powerful": ("power", True), "efficient": ("efficiency", True), "later": ("date", True),
    "earlier": ("date", False), "sooner": ("date", False), "newer": ("date", True), "older": ("date", False),
    "higher": ("", True), "larger": ("", True), "bigger": ("", True), "greater": ("", True),
    "longer": ("", True), "lower": ("", False), "smaller": ("", False), "shorter": ("", False),
    "more": ("", True), "less": ("", False), "fewer": ("", False),
}  # fmt: skip
"""Words that compare two things: the field that they say ("$": what it costs), and whether it is more."""


@dataclass(slots=True)
class Side:
    """One side: the pieces that name it."""

    pieces: list[Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words that name it."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def is_named(self) -> bool:
        """Whether it names an organisation, a document or a value, and no kind alone."""
        return any(isinstance(piece.meaning, _NAMES) for piece in self.pieces)

    @property
    def is_set(self) -> bool:
        """Whether it stands for all documents of an organisation, and not for one."""
        kinds = [piece.meaning for piece in self.pieces]
        named = [kind for kind in kinds if isinstance(kind, p.Documents | p.Values)]
        nouns = [kind for kind in kinds if isinstance(kind, p.Noun)]
        return not named and not any(noun.title_words or not noun.is_plural for noun in nouns)


@dataclass(slots=True)
class Split:
    """What a question with sides asks. hint: the field that a comparing word says; common: other conditions.

    roles: fields that say what an organisation is to a document ("supplied by"). is_listed: the sides are
    only listed, to be computed with together. spoken: words that were understood and are no condition.
    """

    sides: list[Side]
    measures: list[Piece]
    roles: list[Piece]
    common: list[Piece]
    noun: p.Noun | None
    function: Function | None
    outcome: Outcome
    hint: str
    left: list[Piece]
    is_listed: bool = False
    spoken: list[Piece] = field(default_factory=list)


def split(reading: Reading) -> Split | None:
    """The sides of a question; None where it names fewer than two, or asks nothing of several."""
    parts = _parts(reading)
    named = [side for side in parts.sides if side.is_named]
    is_alone = len(named) == 1 and named[0].is_set and _asks_to_compare(reading)
    if len(named) < 2 and not is_alone:
        return None
    parts.sides = named
    outcome = _outcome(reading, parts)
    if outcome is None:
        return None
    parts.outcome = outcome
    return parts


def _parts(reading: Reading) -> Split:
    found = Split([Side()], [], [], [], None, None, "values", "", [])
    pieces = reading.pieces
    skip = _comparative_words(reading)
    for at, piece in enumerate(pieces):
        meaning, word = piece.meaning, piece.text.casefold()
        if word in skip or (at and word == "than"):
            found.sides.append(Side())
            found.spoken.append(piece)
        elif isinstance(meaning, p.Quantity) and _says_how_many(pieces, at):
            found.spoken.append(piece)  # "the two agreements of ACME"
        elif isinstance(meaning, p.Comparator):
            if meaning.op is not Operator.BETWEEN:
                found.sides.append(Side())
                found.hint = found.hint or meaning.hint
        elif isinstance(meaning, p.Connective | p.Comparing):
            found.sides.append(Side())
        elif isinstance(meaning, p.Link) and word == "with" and found.sides[-1].is_named:
            found.sides.append(Side())  # "compare X with Y"
        elif isinstance(meaning, _NAMES):
            if isinstance(meaning, p.Values) and not _names_thing(meaning):
                found.common.append(piece)
            else:
                found.sides[-1].pieces.append(piece)
        elif isinstance(meaning, p.Noun):
            _noun(found, piece, meaning)
        elif isinstance(meaning, p.Fields):
            _field(found, piece, meaning)
        elif isinstance(meaning, p.Function):
            found.function = found.function or (None if meaning.is_extreme else meaning.name)
            if meaning.is_extreme:
                found.left.append(piece)
        elif isinstance(meaning, p.Period):
            found.common.append(piece)
        elif not isinstance(meaning, p.Filler | p.Clause | p.Ask | p.Link | p.Grouping):
            found.left.append(piece)
    return found


def _says_how_many(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number only says how many there are: "the two Halden agreements"."""
    meaning = pieces[at].meaning
    is_plain = isinstance(meaning, p.Quantity) and meaning.value.type is FieldType.NUMBER
    is_definite = at > 0 and pieces[at - 1].text.casefold() in ("the", "our", "its", "both", "all")
    behind = next((each for each in pieces[at + 1 :] if isinstance(each.meaning, p.Noun)), None)
    is_plural = behind is not None and isinstance(behind.meaning, p.Noun) and behind.meaning.is_plural
    return is_plain and is_definite and is_plural


def _asks_to_compare(reading: Reading) -> bool:
    """Whether the question begins with "compare"."""
    first = next((each for each in reading.pieces if not isinstance(each.meaning, p.Filler)), None)
    return first is not None and isinstance(first.meaning, p.Comparing)


def _noun(found: Split, piece: Piece, noun: p.Noun) -> None:
    if noun.title_words or not noun.is_plural:
        found.sides[-1].pieces.append(piece)
    found.noun = found.noun or p.Noun(noun.schema, noun.kind, (), noun.is_plural)


def _field(found: Split, piece: Piece, fields: p.Fields) -> None:
    types = {match.field.type for match in fields.matches}
    if types <= {FieldType.PARTY}:
        found.roles.append(piece)
        return
    if piece.text.casefold() in _SPENT:
        found.function = found.function or Function.SUM
    if fields.function is not None:
        found.function = found.function or fields.function
    is_prefix = [each for each in found.measures if _is_total(each)]
    if _is_total(piece) and found.measures:
        found.spoken.append(piece)
        return
    for each in is_prefix:  # "total contract value": the total is no field of its own
        found.measures.remove(each)
        found.spoken.append(each)
    found.measures.append(piece)


def _is_total(piece: Piece) -> bool:
    meaning = piece.meaning
    return isinstance(meaning, p.Fields) and meaning.function is not None and len(piece.text.split()) == 1


def _names_thing(values: p.Values) -> bool:
    """Whether a value names what a document is about: a model, a product, a number."""
    names = ("model", "product", "number", "name", "title", "project")
    return any(part in value.field for value in values.values for part in names)


def _comparative_words(reading: Reading) -> frozenset[str]:
    """Words such as "heavier" that stand in front of a "than", or behind "which is"."""
    words = [token.word for token in reading.tokens]
    if "than" not in words:
        which = _asks_which(reading)
        return frozenset(word for word in words[:5] if word in _COMPARATIVES) if which else frozenset()
    near = words[max(0, words.index("than") - 14) : words.index("than") + 1]
    return frozenset(word for word in near if word in _COMPARATIVES)


def _asks_which(reading: Reading) -> bool:
    """ "Which is heavier, A or B?" """
    first = next((piece for piece in reading.pieces if isinstance(piece.meaning, p.Ask)), None)
    chooses = any(isinstance(x.meaning, p.Connective) and x.meaning.word == "or" for x in reading.pieces)
    is_which = (
        first is not None and isinstance(first.meaning, p.Ask) and first.meaning.how in ("which", "what")
    )
    return is_which and chooses


def _outcome(reading: Reading, parts: Split) -> Outcome | None:
    pieces = reading.pieces
    asks = [piece.meaning.how for piece in pieces if isinstance(piece.meaning, p.Ask)]
    comparing = [piece for piece in pieces if isinstance(piece.meaning, p.Comparing)]
    said = [_COMPARATIVES[word] for word in sorted(_comparative_words(reading))]
    parts.hint = parts.hint or next((hint for hint, _ in said if hint), "")
    signs = [piece.meaning.op for piece in pieces if isinstance(piece.meaning, p.Comparator)]
    is_more: bool | None = None
    if any(op in _LESS for op in signs) or any(not more for _, more in said):
        is_more = False
    elif any(op in _MORE for op in signs) or said:
        is_more = True
    two = len(parts.sides) == 2
    if said and "than" not in [token.word for token in reading.tokens]:
        return "greatest" if is_more else "least"
    if is_more is not None and two:
        if "much" in asks or "long" in asks or "count" in asks:
            return "excess" if is_more else "shortfall"
        if asks[:1] == ["whether"]:
            return "more" if is_more else "less"
        return None
    if comparing and any(stem(piece.text.split()[0]) == stem("difference") for piece in comparing):
        is_amount = any(_is_amount(piece) for piece in parts.measures) or parts.hint
        return "difference" if two and is_amount and not _is_many(comparing) else "values"
    if comparing or any(_is_each(piece) for piece in pieces):
        return "values"
    parts.is_listed = parts.function is not None and _all_documents(parts.sides)
    return "values" if parts.is_listed else None


def _is_many(comparing: Sequence[Piece]) -> bool:
    return any(piece.text.casefold().startswith("differences") for piece in comparing)


def _is_amount(piece: Piece) -> bool:
    meaning = piece.meaning
    return isinstance(meaning, p.Fields) and any(m.field.type in _AMOUNTS for m in meaning.matches)


def _is_each(piece: Piece) -> bool:
    return isinstance(piece.meaning, p.Grouping) and piece.text.casefold().endswith("each")


def _all_documents(sides: Sequence[Side]) -> bool:
    return all(any(isinstance(piece.meaning, p.Documents) for piece in side.pieces) for side in sides)
