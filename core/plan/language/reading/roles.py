"""Roles of organisations, organisations by description, and numbers that stand on documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import FieldType
from core.plan.catalogue import DocumentEntry, FieldEntry, ValueEntry
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    Comparator,
    Comparing,
    Computed,
    Connective,
    DayRange,
    Described,
    DocumentSet,
    FieldMatch,
    FieldSenses,
    Filler,
    HavingWord,
    Negator,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    Statistic,
    UnknownWord,
    Values,
    singular,
    stem,
    stems,
)
from core.plan.language.reading.read import ParsedQuestion

_SUPPLYING = frozenset(stems("supply sell provide deliver perform render license"))
_BUYING = frozenset(stems("buy purchase procure rent acquire hire obtain source commission bought"))
_GOODS = frozenset(stems("goods services products equipment work works items things material materials"))
_IS = frozenset(["as", "is", "are", "was", "were", "being", "acts", "acting", "act", "be"])
_APART = _IS | {"to", "by"}
_OPPOSITE = {"vendor": "customer", "customer": "vendor"}
_SMALL = (Filler, Ask)
_HAVING = frozenset(
    ["with", "with a", "with an", "have", "has", "having", "had", "contain", "contains", "name", "names",
     "state", "states", "stating", "naming", "include", "includes", "mention", "mentions", "do have"]
)  # fmt: skip


def with_roles(pieces: Sequence[Piece], lexicon: Lexicon) -> tuple[Piece, ...]:
    """The pieces with the side of each organisation in it, and without the words that said so."""
    sides = _Sides(list(pieces), lexicon)
    at = 0
    while at < len(sides.pieces):
        at = sides.assign(at) if isinstance(sides.pieces[at].meaning, Parties) else at + 1
    return tuple(sides.pieces)


def without_idle_roles(pieces: Sequence[Piece]) -> list[Piece]:
    """Without a bare side that is only spoken of: "must the customer pay", "the supplier's liability"."""
    kept: list[Piece] = []
    for at, piece in enumerate(pieces):
        if not is_side(piece):
            kept.append(piece)
            continue
        before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        after = next((p for p in pieces[at + 1 :] if not isinstance(p.meaning, Filler)), None)
        is_asked = before is not None and (
            isinstance(before.meaning, Negator)
            or (isinstance(before.meaning, HavingWord) and before.text.casefold() in _HAVING)
        )
        is_compared = after is not None and isinstance(after.meaning, (Parties, Values, UnknownWord, Negator))
        is_owner = _is_possessive(piece.text) and after is not None and isinstance(after.meaning, FieldSenses)
        if is_owner or not (is_asked or is_compared):
            piece = replace(piece, meaning=Filler())
        kept.append(piece)
    return kept


def is_side(piece: Piece) -> bool:
    """True where a piece is a noun for the side of an organisation: "supplier", "customer"."""
    meaning = piece.meaning
    return (
        isinstance(meaning, FieldSenses)
        and not meaning.is_verb
        and meaning.matches[0].field.type is FieldType.PARTY
    )


class _Sides:
    """Assigns sides from left to right."""

    def __init__(self, pieces: list[Piece], lexicon: Lexicon) -> None:
        self.pieces = pieces
        self._vendor = lexicon.fields(stems("vendor"))
        self._customer = lexicon.fields(stems("customer"))

    def assign(self, first: int) -> int:
        """Reads the side of the organisations that begin at a place; gives the place behind them."""
        last = self._last(first)
        after = self._next(last + 1)
        role, gone = self._behind(first, last, after)
        if role is None:
            role, gone = self._before(first)
        if role is None:
            role, gone = self._possessed(last, after)
        if role is None:
            return last + 1
        for at in range(first, last + 1):
            meaning = self.pieces[at].meaning
            if isinstance(meaning, Parties) and meaning.role is None:
                self.pieces[at] = replace(self.pieces[at], meaning=replace(meaning, role=role))
        for at in gone:
            self.pieces[at] = replace(self.pieces[at], meaning=Filler())
        return last + 1

    def _last(self, first: int) -> int:
        """The last of several organisations that are joined: "ACME and Beta", "ACME as well as with Beta"."""
        last, at = first, first + 1
        while at < len(self.pieces):
            meaning, text = self.pieces[at].meaning, self.pieces[at].text.casefold()
            if isinstance(meaning, Parties):
                last = at
            elif text in _APART or not (
                isinstance(meaning, (Connective, Filler)) or text in ("with", "from")
            ):
                break
            at += 1
        return last

    def _next(self, at: int) -> int:
        while at < len(self.pieces) and isinstance(self.pieces[at].meaning, _SMALL):
            at += 1
        return at

    def _words(self, start: int, end: int) -> set[str]:
        return {word for piece in self.pieces[start:end] for word in piece.text.casefold().split()}

    def _behind(self, first: int, last: int, after: int) -> tuple[FieldSenses | None, list[int]]:
        if after >= len(self.pieces):
            return None, []
        between = self._words(last + 1, after)
        piece = self.pieces[after]
        if isinstance(piece.meaning, HavingWord) and piece.text.casefold() in ("have", "has"):
            beyond = self._next(after + 1)
            if beyond < len(self.pieces) and "as" in self._words(after + 1, beyond):
                between, piece, after = {"as"}, self.pieces[beyond], beyond
        is_said = bool(between & _IS) or bool(self._words(max(0, first - 1), first) & (_IS - {"as"}))
        if is_said and is_side(piece) and isinstance(piece.meaning, FieldSenses):
            return piece.meaning, [after]
        if isinstance(piece.meaning, Noun) and _is_possessive(self.pieces[last].text):
            beyond = self._next(after + 1)
            if beyond < len(self.pieces) and "as" in self._words(after + 1, beyond):
                other = self.pieces[beyond]  # "ACME's agreements as supplier"
                if is_side(other) and isinstance(other.meaning, FieldSenses):
                    return other.meaning, [beyond]
        word = stems(piece.text)
        ahead = self._next(after + 1)
        following = self._words(after + 1, ahead)
        if ahead >= len(self.pieces) or not isinstance(self.pieces[ahead].meaning, Parties):
            following -= {"by"}  # "that ACME supplies by value"
        if len(word) == 1 and not following & {"by", "to"} and piece.text.casefold()[-1:] != "d":
            kind = self.pieces[after + 1] if after + 1 < len(self.pieces) else None
            if kind is not None and isinstance(kind.meaning, Noun) and piece.text[-1:] != "s":
                return None, []  # "the Harbor supply agreement" says which agreement
            if word[0] in _SUPPLYING:
                return self._vendor, [after, *self._goods(after + 1)]
            if word[0] in _BUYING and "from" not in following:
                return self._customer, [after, *self._goods(after + 1)]
        return None, []

    def _before(self, first: int) -> tuple[FieldSenses | None, list[int]]:
        """ "buy from ACME", "sold to Northwind"."""
        start = first
        while start > 0 and isinstance(self.pieces[start - 1].meaning, (*_SMALL, HavingWord)):
            start -= 1
        if start == 0:
            return None, []
        between, word = self._words(start, first), stems(self.pieces[start - 1].text)
        if not word:
            return None, []
        said = self.pieces[start - 1].text.casefold().split()
        earlier = self.pieces[start - 1].meaning
        if isinstance(earlier, Parties) and earlier.role is self._vendor and "to" in between:
            return self._customer, []  # "supplied by ACME to Northwind"
        if word[0] in _BUYING | {"order", "get", "got", "receiv", "suppli"} and (
            "from" in between or said[-1] == "from"
        ):
            return self._vendor, [start - 1]
        if word[0] in _SUPPLYING | {"bill", "invoic", "leas", "let"} and (
            "to" in between or said[-1] == "to"
        ):
            return self._customer, [start - 1]
        if word[0] in _BUYING and ("by" in between or said[-1] == "by"):
            return self._customer, [start - 1]
        if word[0] in _SUPPLYING and ("by" in between or said[-1] == "by"):
            return self._vendor, [start - 1]
        return None, []

    def _possessed(self, last: int, after: int) -> tuple[FieldSenses | None, list[int]]:
        """ "Northwind's supplier agreements" are those in which it is the customer; so are its suppliers."""
        while after < len(self.pieces) and isinstance(self.pieces[after].meaning, (Quantity, Filler)):
            after += 1
        if (
            after >= len(self.pieces)
            or not _is_possessive(self.pieces[last].text)
            or not is_side(self.pieces[after])
        ):
            return None, []
        meaning = self.pieces[after].meaning
        assert isinstance(meaning, FieldSenses)  # as `is_side` has it
        other = _OPPOSITE.get(meaning.matches[0].field.name)
        role = self._vendor if other == "vendor" else self._customer if other == "customer" else None
        beyond = self.pieces[after + 1] if after + 1 < len(self.pieces) else None
        is_kind = beyond is not None and isinstance(beyond.meaning, Noun)
        return role, [after] if is_kind else []

    def _goods(self, at: int) -> list[int]:
        """Positions of supplied things that say nothing: "the goods or services"."""
        found: list[int] = []
        while at < len(self.pieces):
            piece = self.pieces[at]
            if set(stems(piece.text)) <= _GOODS and piece.text:
                found.append(at)
            elif not isinstance(piece.meaning, (Filler, Connective, Statistic)) or (
                not found and not isinstance(piece.meaning, Filler)
            ):
                break
            at += 1
        joins = [
            n
            for n in range(found[0], found[-1] + 1)
            if n not in found and isinstance(self.pieces[n].meaning, Connective)
        ] if found else []  # fmt: skip
        return [*found, *joins]


def _is_possessive(text: str) -> bool:
    return text.casefold().replace("’", "'").endswith(("'s", "s'"))


_CUSTOMERS = frozenset(["customer", "client", "buyer", "purchaser", "tenant", "lessee", "licensee"])
_ROLES = _CUSTOMERS | frozenset(
    ["company", "firm", "supplier", "vendor", "contractor", "provider", "seller", "shop", "store", "dealer",
     "organisation", "organization", "manufacturer", "holder", "landlord", "builder", "business", "garage",
     "broker", "insurer", "licensor", "lessor", "merchant", "maker", "partner", "workshop"]
)  # fmt: skip
_PREPOSITIONS = frozenset(["under", "up to"])
_COMPARED = (Quantity, DayRange, Computed, Policy, FieldSenses, UnknownWord)
_THAT = frozenset(["that", "which", "who"])
_DETERMINED = frozenset(["the", "this", "that", "our", "a"])
_MOST_VERBS = 3  # pieces between "that" and what it is about


def described(reading: ParsedQuestion, lexicon: Lexicon) -> ParsedQuestion:
    """The reading with every description of an organisation as one piece."""
    pieces = list(reading.pieces)
    at = 0
    while at < len(pieces):
        found = _clause(reading, pieces, at, lexicon) or _compound(reading, pieces, at, lexicon)
        if found is not None:
            end, meaning = found
            text = reading.question[
                reading.tokens[pieces[at].first].start : reading.tokens[pieces[end - 1].end - 1].end
            ]
            reason = f"is the {meaning.field.title.lower()} that other documents state"
            pieces[at:end] = [
                replace(pieces[at], end=pieces[end - 1].end, text=text, meaning=meaning, reason=reason)
            ]
        at += 1
    return replace(reading, pieces=tuple(pieces))


def without_prepositions(reading: ParsedQuestion) -> ParsedQuestion:
    """The reading without signs that compare nothing: "under what law", "under the purchase order"."""
    pieces = list(reading.pieces)
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Comparator) or piece.text.casefold() not in _PREPOSITIONS:
            continue
        after = next((p for p in pieces[at + 1 :] if not isinstance(p.meaning, Filler)), None)
        if after is None or not isinstance(after.meaning, _COMPARED):
            pieces[at] = replace(piece, meaning=Filler(), reason="says under what, and compares nothing")
    return replace(reading, pieces=tuple(pieces))


def _clause(
    reading: ParsedQuestion, pieces: Sequence[Piece], at: int, lexicon: Lexicon
) -> tuple[int, Described] | None:
    """A role, with or without "that", what it does, and with which document or value."""
    if not _is_role(reading, pieces, at) or _is_asked(pieces, at):
        return None
    place = at + 1
    has_that = place < len(pieces) and _word(reading, pieces[place]) in _THAT
    place += has_that
    verbs: list[Piece] = []
    while place < len(pieces) and len(verbs) <= _MOST_VERBS:
        piece = pieces[place]
        if isinstance(piece.meaning, (Values, DocumentSet)):
            break
        if not isinstance(piece.meaning, (FieldSenses, UnknownWord, Filler, HavingWord)):
            return None
        if not isinstance(piece.meaning, Filler):
            verbs.append(piece)
        place += 1
    end = _objects_end(pieces, place)
    if end == place or not verbs or len(verbs) > _MOST_VERBS:
        return None
    if not has_that and not _is_verb(verbs[0]):
        return None
    meaning = _meaning(pieces[place:end], verbs, pieces[at], reading, lexicon)
    if meaning is None:
        return None
    while end < len(pieces) and isinstance(pieces[end].meaning, ClauseNoun):
        end += 1
    return end, meaning


def _compound(
    reading: ParsedQuestion, pieces: Sequence[Piece], at: int, lexicon: Lexicon
) -> tuple[int, Described] | None:
    """A value or document, and the role right behind it: "the tire shop", "the pump house contractor's"."""
    end = _objects_end(pieces, at)
    before = reading.tokens[pieces[at].first - 1].word if pieces[at].first else ""
    if end == at or end >= len(pieces) or before not in _DETERMINED:
        # "2024 total for tire shop" leaves the article out
        return None
    if not _is_role(reading, pieces, end) or _is_asked(pieces, at):
        return None
    meaning = _meaning(pieces[at:end], [], pieces[end], reading, lexicon)
    return None if meaning is None else (end + 1, meaning)


def _objects_end(pieces: Sequence[Piece], at: int) -> int:
    """End of the values or the document that begin at a piece."""
    end = at
    while end < len(pieces) and isinstance(pieces[end].meaning, Values):
        end += 1
    if end == at and end < len(pieces) and isinstance(pieces[end].meaning, DocumentSet):
        end += 1
    return end


def _is_role(reading: ParsedQuestion, pieces: Sequence[Piece], at: int) -> bool:
    return at < len(pieces) and _word(reading, pieces[at]) in _ROLES


def _is_asked(pieces: Sequence[Piece], at: int) -> bool:
    """True where the role is itself what is asked for: "which company holds ..."."""
    before = next((p for p in reversed(pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    if before is None or not isinstance(before.meaning, Ask):
        return False
    return before.meaning.how in ("which", "who", "what", "list", "count")


def _is_verb(piece: Piece) -> bool:
    text = piece.text.casefold().split()[0]
    is_said = isinstance(piece.meaning, FieldSenses) and piece.meaning.is_verb
    return is_said or text.endswith(("ed", "ing"))


def _meaning(
    objects: Sequence[Piece], verbs: Sequence[Piece], role: Piece, reading: ParsedQuestion, lexicon: Lexicon
) -> Described | None:
    documents = next((p.meaning.documents for p in objects if isinstance(p.meaning, DocumentSet)), ())
    values = [p.meaning for p in objects if isinstance(p.meaning, Values)]
    schemas = [each.schema for each in documents] or _common(values)
    for name in dict.fromkeys(schemas):
        field = _field(name, verbs, role, reading, lexicon)
        if field is None:
            continue
        own = tuple(each for each in documents if each.schema == name)
        stated = tuple(v for each in values if (v := _value(each, name)) is not None)
        return Described(field, own, stated)
    return None


def _common(values: Sequence[Values]) -> list[str]:
    """The schemas that all of the values are of, the likeliest first."""
    if not values:
        return []
    return [
        each.schema
        for each in values[0].values
        if all(any(other.schema == each.schema for other in rest.values) for rest in values[1:])
    ]


def _value(values: Values, schema: str) -> tuple[ValueEntry, bool] | None:
    found = next((each for each in values.values if each.schema == schema), None)
    return None if found is None else (found, values.is_part)


def _field(
    schema: str, verbs: Sequence[Piece], role: Piece, reading: ParsedQuestion, lexicon: Lexicon
) -> FieldEntry | None:
    """The field that the organisation is the value of: the verb's, the role's, or the one that acts."""
    entry = lexicon.catalogue.schema(schema)
    parties = [each for each in entry.fields if each.type is FieldType.PARTY] if entry is not None else []
    if not parties:
        return None
    for piece in (*verbs, role):
        if isinstance(piece.meaning, FieldSenses):
            for match in piece.meaning.matches:
                if match.field.schema == schema and match.field.type is FieldType.PARTY:
                    return match.field
    if _word(reading, role) in _CUSTOMERS:
        return next((each for each in parties if each.name == "customer"), parties[0])
    return parties[0]


def _word(reading: ParsedQuestion, piece: Piece) -> str:
    return reading.tokens[piece.first].word if piece.end - piece.first == 1 else ""


_CALLED = frozenset(["number", "numbers", "no", "nos", "nr", "nrs", "num", "numbered"])


def of_numbers(reading: ParsedQuestion, lexicon: Lexicon) -> ParsedQuestion:
    """The reading in which numbers listed behind a kind of document are those documents."""
    pieces = list(reading.pieces)
    for at, piece in enumerate(pieces):
        if not isinstance(piece.meaning, Noun) or not piece.meaning.schema or not piece.meaning.is_plural:
            continue
        end, numbers = _listed(reading, pieces, at + 1)
        if len(numbers) < 2:
            continue
        named = [_named(pieces[place], piece, lexicon) for place in numbers]
        if any(isinstance(each.meaning, Comparing) for each in pieces):
            return _each(reading, pieces, dict(zip(numbers, named, strict=True)))
        made = _as_one([pieces[place] for place in numbers], named, piece)
        if made:
            before = _without_count(pieces[:at])
            return replace(reading, pieces=(*before, *pieces[at : numbers[0]], *made, *pieces[end:]))
    return reading


def _listed(reading: ParsedQuestion, pieces: Sequence[Piece], at: int) -> tuple[int, list[int]]:
    """The places of numbers that follow one another, and where the list ends."""
    numbers: list[int] = []
    end = at
    while at < len(pieces):
        piece = pieces[at]
        if _is_number(piece):
            numbers.append(at)
            end = at + 1
        elif not _is_between(reading, piece, is_begun=bool(numbers)):
            break
        at += 1
    return end, numbers


def _is_number(piece: Piece) -> bool:
    is_plain = isinstance(piece.meaning, Quantity) and piece.meaning.value.type is FieldType.NUMBER
    is_written = is_plain or isinstance(piece.meaning, (Values, DocumentSet, UnknownWord))
    has_digits = any(char.isdigit() for char in piece.text)
    return is_written and has_digits and " " not in piece.text and not piece.text.startswith(("$", "€", "£"))


def _is_between(reading: ParsedQuestion, piece: Piece, *, is_begun: bool) -> bool:
    """True where a piece may stand before the numbers or between two of them."""
    if reading.tokens[piece.first].word in _CALLED:
        return True
    return is_begun and isinstance(piece.meaning, Connective) and piece.meaning.word in (",", "and", "or")


def _named(number: Piece, noun: Piece, lexicon: Lexicon) -> DocumentEntry | ValueEntry | None:
    """The document of a kind that a number names by its title, or the number that one states."""
    kind = noun.meaning
    assert isinstance(kind, Noun)  # chosen for it
    parts = [stem(part) for part in number.text.replace("/", "-").split("-") if part]
    called = [stem(singular(word.casefold())) for word in noun.text.split()[-1:]]
    titled = [
        each.document
        for each in lexicon.titled([*called, *parts])
        if each.document.schema == kind.schema and (not kind.kind or each.document.kind in ("", kind.kind))
    ]
    if len(titled) == 1:
        return titled[0]
    values = lexicon.values(tuple(parts))
    stated = [each for each in (values.values if values is not None else ()) if each.schema == kind.schema]
    return stated[0] if len(stated) == 1 else None


def _each(
    reading: ParsedQuestion, pieces: Sequence[Piece], named: dict[int, DocumentEntry | ValueEntry | None]
) -> ParsedQuestion:
    """The reading with each number as the document that it names: the sides of a comparison."""
    kept = list(pieces)
    for place, found in named.items():
        if isinstance(found, DocumentEntry):
            reason = f"is the number of {found.title}"
            kept[place] = replace(kept[place], meaning=DocumentSet((found,), is_exact=True), reason=reason)
    return replace(reading, pieces=tuple(kept))


def _as_one(
    numbers: Sequence[Piece], named: Sequence[DocumentEntry | ValueEntry | None], noun: Piece
) -> list[Piece]:
    """One piece for all documents that are named, and one for each number that none has; [] for amounts."""
    documents = tuple(each for each in named if isinstance(each, DocumentEntry))
    values = tuple(each for each in named if isinstance(each, ValueEntry))
    if (not documents and not values) or (documents and values) or len({each.field for each in values}) > 1:
        return []
    text = ", ".join(each.text for each in numbers)
    whole = DocumentSet(documents, is_exact=True) if documents else Values(values)
    reason = f"are the numbers of {len(documents or values)} {noun.text}"
    made = [replace(numbers[0], end=numbers[-1].end, text=text, meaning=whole, reason=reason)]
    for piece, found in zip(numbers, named, strict=True):
        if found is None:
            made.append(
                replace(piece, meaning=UnknownWord(), reason=f"is the number of none of the {noun.text}")
            )
    return made


def _without_count(pieces: Sequence[Piece]) -> list[Piece]:
    """ "The three invoices (…)": how many they are, which their numbers say."""
    kept = list(pieces)
    if kept and isinstance(kept[-1].meaning, Quantity):
        kept[-1] = replace(kept[-1], meaning=Filler(), reason="says how many they are")
    return kept


_NUMBER_WORDS = frozenset(["number", "no", "nr", "num", "id", "identifier", "code"])


def numbered(reading: ParsedQuestion, lexicon: Lexicon) -> ParsedQuestion:
    """The reading in which "the number of ACME's certificate" is the number that stands on it.

    Numbers listed behind a kind of document are these documents.
    """
    reading = of_numbers(reading, lexicon)
    pieces = list(reading.pieces)
    for at, piece in enumerate(pieces):
        is_count = isinstance(piece.meaning, Ask) and piece.meaning.how == "count"
        if not is_count or "number" not in piece.text.casefold():
            continue
        paper = next(
            (p for p in pieces[at + 1 :] if not isinstance(p.meaning, (Filler, Parties, UnknownWord))), None
        )
        field = _number_of(paper, lexicon) if paper is not None else None
        if field is None:
            continue
        because = f"the number of one document is its {field.title.lower()}"
        meaning = FieldSenses((FieldMatch(field, 1.0, because),))
        pieces[:at] = [_asking(each) for each in pieces[:at]]
        asks = any(isinstance(p.meaning, Ask) for p in pieces[:at])
        ask = () if asks else (replace(piece, meaning=Ask("what"), text="", reason="asks for a value"),)
        pieces[at : at + 1] = [*ask, replace(piece, meaning=meaning, reason=because)]
        return replace(reading, pieces=tuple(pieces))
    return reading


def _asking(piece: Piece) -> Piece:
    """ "Tell me" and "give me", as asking for a value rather than for a list."""
    is_list = isinstance(piece.meaning, Ask) and piece.meaning.how == "list"
    return replace(piece, meaning=Ask("what"), reason="asks for a value") if is_list else piece


def _number_of(paper: Piece, lexicon: Lexicon) -> FieldEntry | None:
    """The field that numbers the one document that a piece names."""
    if singular(paper.text.split()[-1].casefold()) != paper.text.split()[-1].casefold():
        return None
    name = ""
    if isinstance(paper.meaning, DocumentSet):
        schemas = {each.schema for each in paper.meaning.documents}
        name = schemas.pop() if len(schemas) == 1 else ""
    elif isinstance(paper.meaning, Noun) and not paper.meaning.is_plural:
        name = paper.meaning.schema
    schema = lexicon.catalogue.schema(name) if name else None
    numbers = [
        each
        for each in (schema.fields if schema is not None else ())
        if each.type is FieldType.TEXT and _NUMBER_WORDS & set(each.title.casefold().split())
    ]
    said = set(stems(paper.text))
    own = [each for each in numbers if said & set(stems(each.title))]
    return next(iter(own or numbers), None)
