"""Questions that compare sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.build.builder import BuiltPlan
from core.plan.build.conditions import (
    Both,
    Formula,
    as_condition,
    clauses,
    is_except,
    plain_conditions,
)
from core.plan.build.hops import Hops
from core.plan.build.typer import Typer
from core.plan.catalogue import FieldEntry
from core.plan.ir import verbalise
from core.plan.ir.nodes import Condition, Note, Outcome, Scope
from core.plan.language import pieces as p
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Piece, stem, stems
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.tree import AnswerIntent, Chooser, Test, Tree, elect
from core.plan.language.syntax.tree import Side as TreeSide

_NAMES = (p.DocumentSet, p.Parties, p.Values)
_MORE = (Operator.GREATER, Operator.GREATER_EQUAL)
_LESS = (Operator.LESS, Operator.LESS_EQUAL)
_SPENT = frozenset(["spent", "spend", "spending", "paid", "pay", "billed", "charged", "bought"])

COMPARATIVES: dict[str, tuple[str, bool]] = {
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
class NamedSide:
    """One side: the pieces that name it."""

    pieces: list[Piece] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words that name it."""
        return " ".join(piece.text for piece in self.pieces)

    @property
    def is_named(self) -> bool:
        """True where it names an organisation, a document or a value, and no kind alone."""
        return any(isinstance(piece.meaning, _NAMES) for piece in self.pieces)

    @property
    def is_set(self) -> bool:
        """True where it stands for all documents of an organisation, and not for one."""
        kinds = [piece.meaning for piece in self.pieces]
        named = [kind for kind in kinds if isinstance(kind, p.DocumentSet | p.Values)]
        nouns = [kind for kind in kinds if isinstance(kind, p.Noun)]
        return not named and not any(noun.title_words or not noun.is_plural for noun in nouns)


@dataclass(slots=True)
class Split:
    """Split of a question with sides. hint: the field that a comparing word says; common: other conditions.

    roles: fields that say what an organisation is to a document ("supplied by"). is_listed: the sides are
    only listed, to be computed with together. spoken: words that were understood and are no condition.
    """

    sides: list[NamedSide]
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


def split(reading: ParsedQuestion) -> Split | None:
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


def _parts(reading: ParsedQuestion) -> Split:
    found = Split([NamedSide()], [], [], [], None, None, "values", "", [])
    pieces = reading.pieces
    skip = _comparative_words(reading)
    for at, piece in enumerate(pieces):
        meaning, word = piece.meaning, piece.text.casefold()
        if word in skip or (at and word == "than"):
            found.sides.append(NamedSide())
            found.spoken.append(piece)
        elif isinstance(meaning, p.Quantity) and _says_how_many(pieces, at):
            found.spoken.append(piece)  # "the two agreements of ACME"
        elif isinstance(meaning, p.Comparator):
            if meaning.op is not Operator.BETWEEN:
                found.sides.append(NamedSide())
                found.hint = found.hint or meaning.hint
        elif isinstance(meaning, p.Connective | p.Comparing):
            found.sides.append(NamedSide())
        elif isinstance(meaning, p.HavingWord) and word == "with" and found.sides[-1].is_named:
            found.sides.append(NamedSide())  # "compare X with Y"
        elif isinstance(meaning, _NAMES):
            if isinstance(meaning, p.Values) and not _names_thing(meaning):
                found.common.append(piece)
            else:
                found.sides[-1].pieces.append(piece)
        elif isinstance(meaning, p.Noun):
            _noun(found, piece, meaning)
        elif isinstance(meaning, p.FieldSenses):
            _field(found, piece, meaning)
        elif isinstance(meaning, p.Statistic):
            found.function = found.function or (None if meaning.is_extreme else meaning.name)
            if meaning.is_extreme:
                found.left.append(piece)
        elif isinstance(meaning, p.DayRange):
            found.common.append(piece)
        elif not isinstance(meaning, p.Filler | p.ClauseNoun | p.Ask | p.HavingWord | p.Grouping):
            found.left.append(piece)
    return found


def _says_how_many(pieces: Sequence[Piece], at: int) -> bool:
    """True where a number only says how many there are: "the two Halden agreements"."""
    meaning = pieces[at].meaning
    is_plain = isinstance(meaning, p.Quantity) and meaning.value.type is FieldType.NUMBER
    is_definite = at > 0 and pieces[at - 1].text.casefold() in ("the", "our", "its", "both", "all")
    behind = next((each for each in pieces[at + 1 :] if isinstance(each.meaning, p.Noun)), None)
    is_plural = behind is not None and isinstance(behind.meaning, p.Noun) and behind.meaning.is_plural
    return is_plain and is_definite and is_plural


def _asks_to_compare(reading: ParsedQuestion) -> bool:
    """True where the question begins with "compare"."""
    first = next((each for each in reading.pieces if not isinstance(each.meaning, p.Filler)), None)
    return first is not None and isinstance(first.meaning, p.Comparing)


def _noun(found: Split, piece: Piece, noun: p.Noun) -> None:
    if noun.title_words or not noun.is_plural:
        found.sides[-1].pieces.append(piece)
    found.noun = found.noun or p.Noun(noun.schema, noun.kind, (), noun.is_plural)


def _field(found: Split, piece: Piece, fields: p.FieldSenses) -> None:
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
    return (
        isinstance(meaning, p.FieldSenses) and meaning.function is not None and len(piece.text.split()) == 1
    )


def _names_thing(values: p.Values) -> bool:
    """True where a value names what a document is about: a model, a product, a number."""
    names = ("model", "product", "number", "name", "title", "project")
    return any(part in value.field for value in values.values for part in names)


def _comparative_words(reading: ParsedQuestion) -> frozenset[str]:
    """Words such as "heavier" that stand in front of a "than", or behind "which is"."""
    words = [token.word for token in reading.tokens]
    if "than" not in words:
        which = _asks_which(reading)
        return frozenset(word for word in words[:5] if word in COMPARATIVES) if which else frozenset()
    near = words[max(0, words.index("than") - 14) : words.index("than") + 1]
    return frozenset(word for word in near if word in COMPARATIVES)


def _asks_which(reading: ParsedQuestion) -> bool:
    """ "Which is heavier, A or B?" """
    first = next((piece for piece in reading.pieces if isinstance(piece.meaning, p.Ask)), None)
    chooses = any(isinstance(x.meaning, p.Connective) and x.meaning.word == "or" for x in reading.pieces)
    is_which = (
        first is not None and isinstance(first.meaning, p.Ask) and first.meaning.how in ("which", "what")
    )
    return is_which and chooses


def _outcome(reading: ParsedQuestion, parts: Split) -> Outcome | None:
    pieces = reading.pieces
    asks = [piece.meaning.how for piece in pieces if isinstance(piece.meaning, p.Ask)]
    comparing = [piece for piece in pieces if isinstance(piece.meaning, p.Comparing)]
    said = [COMPARATIVES[word] for word in sorted(_comparative_words(reading))]
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


def spoken_outcome(words: Sequence[str], *, is_amount: bool) -> Outcome:
    """Outcome that words ask of two sides. words: in lower case; is_amount: of one field with an order."""
    said = [COMPARATIVES[word][1] for word in words if word in COMPARATIVES]
    if not is_amount:
        return "values"
    if "difference" in words or "gap" in words:
        return "difference"
    if not said:
        return "values"
    if "than" not in words:
        return "greatest" if said[0] else "least"
    asks_amount = "how" in words and bool({"much", "many", "long", "far"} & set(words))
    return ("excess" if said[0] else "shortfall") if asks_amount else "more" if said[0] else "less"


def _is_many(comparing: Sequence[Piece]) -> bool:
    return any(piece.text.casefold().startswith("differences") for piece in comparing)


def _is_amount(piece: Piece) -> bool:
    meaning = piece.meaning
    return isinstance(meaning, p.FieldSenses) and any(m.field.type in ORDERED for m in meaning.matches)


def _is_each(piece: Piece) -> bool:
    return isinstance(piece.meaning, p.Grouping) and piece.text.casefold().endswith("each")


def _all_documents(sides: Sequence[NamedSide]) -> bool:
    return all(any(isinstance(piece.meaning, p.DocumentSet) for piece in side.pieces) for side in sides)


_FUNCTIONS = (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX)


def plan_sides(
    reading: ParsedQuestion, lexicon: Lexicon, buckets: tuple[str, ...], today: date
) -> BuiltPlan | None:
    """Plan of a question about named sides; None where it is none, or says more than that.

    Raises AskBackError where a word may mean several fields or organisations.
    """
    parts = split(reading)
    if parts is None or parts.left or not (parts.measures or parts.hint):
        return None
    return _Sides(reading, parts, lexicon, buckets, today).build()


class _Sides:
    def __init__(
        self, reading: ParsedQuestion, parts: Split, lexicon: Lexicon, buckets: tuple[str, ...], today: date
    ) -> None:
        self._parts = parts
        self._lexicon = lexicon
        self._buckets = buckets
        self._question = reading.question
        self._hops = Hops(lexicon, buckets, reading.question)
        self._today = today
        self._notes: list[Note] = []

    def build(self) -> BuiltPlan | None:
        parts = self._parts
        schema = self._lexicon.catalogue.schema(elect(self._tree(), self._lexicon))
        if schema is None:
            return None
        self._schema = schema
        self._chooser = Chooser(self._lexicon, schema, self._question)
        fields = self._fields()
        if not fields:
            return None
        if parts.is_listed and parts.function in _FUNCTIONS:
            return self._summed(fields[0])
        sources = [self._select(side, fields) for side in parts.sides]
        if any(source is None for source in sources):
            return None
        if len(sources) == 1 and sources[0] is not None:
            return self._built(sources[0], Kind.COMPARISON)
        labels = self._labels()
        function = self._function(fields)
        what = " and ".join(entry.title.lower() for entry in fields)
        node = self._hops.compare(
            f"{_VERBS[parts.outcome]} {what} of {', '.join(labels)}",
            tuple(source for source in sources if source is not None),
            labels,
            tuple(entry.name for entry in fields),
            function=function,
            outcome=parts.outcome,
            reason="the question holds these sides against one another",
        )
        return self._built(node.id, Kind.COMPARISON)

    def _tree(self) -> Tree:
        """Tree of the words that vote for a kind of document."""
        shown = tuple(m for piece in self._parts.measures if isinstance(m := piece.meaning, p.FieldSenses))
        sides = tuple(
            TreeSide(piece.text, Test((piece,), None, None, meaning))
            for side in self._parts.sides
            for piece in side.pieces
            if isinstance(meaning := piece.meaning, p.DocumentSet | p.Parties | p.Values)
        )
        return Tree(AnswerIntent.COMPARE, subject=self._parts.noun, shown=shown, sides=sides)

    def _fields(self) -> list[FieldEntry]:
        """Fields to compare: amounts and dates where the words mean such, else whatever they mean."""
        found: list[FieldEntry] = []
        wants_order = self._parts.outcome != "values" or self._parts.function is not None
        for piece in self._parts.measures:
            if not isinstance(piece.meaning, p.FieldSenses):
                continue
            entry = self._chooser.field(piece.meaning, piece.text, ORDERED)
            if entry is None and not wants_order:
                entry = self._chooser.field(piece.meaning, piece.text)
            if entry is None:
                return []
            if entry not in found:
                found.append(entry)
            self._notes.append(Note(phrase=piece.text, reading=f"{entry.title} is compared"))
        if not found and (entry := self._hinted()) is not None:
            found.append(entry)
        return found[:1] if wants_order and self._parts.outcome != "values" else found

    def _hinted(self) -> FieldEntry | None:
        """The field that "heavier" or "more expensive" says."""
        hint = self._parts.hint
        if hint == "$":
            return self._chooser.first(FieldType.MONEY)
        if hint == "date":
            return self._chooser.first(FieldType.DATE)
        fields = self._lexicon.fields(stems(hint)) if hint else None
        return None if fields is None else self._chooser.field(fields, hint, ORDERED)

    def _function(self, fields: Sequence[FieldEntry]) -> Function | None:
        """Function over each side; None where the documents stand for themselves."""
        function = self._parts.function
        if function not in _FUNCTIONS or not all(side.is_set for side in self._parts.sides):
            return None
        return function if all(entry.type in AMOUNTS for entry in fields) else None

    def _select(self, side: NamedSide, fields: Sequence[FieldEntry]) -> str | None:
        """Adds the Select of a side; None where its words fit no document together."""
        typer = Typer(self._lexicon, self._chooser, self._hops, self._question, self._today)
        formulas: list[Formula] = []
        noun = self._noun(side)
        kind = typer.noun(noun)
        formulas += [kind] if kind is not None else []
        for piece in (*side.pieces, *self._parts.common):
            test = self._test(piece)
            if test is None:
                continue
            formula = typer.formula(test)
            formulas += [formula] if formula is not None else []
        documents = self._of_kind(typer.typed.documents, noun)
        split_up = clauses(Both(tuple(formulas))) if formulas else []
        if typer.typed.uncovered or documents == () or split_up is None or any(map(is_except, split_up)):
            return None
        conditions = tuple(as_condition(plain_conditions(each)) for each in split_up)
        if len(self._parts.sides) == 1:  # what states nothing is in the ledger, and not in the table
            stated = (Condition(field=each.name, op=Operator.IS, value="present") for each in fields)
            conditions = (*conditions, *stated)
        node = self._hops.select(
            verbalise.select_text(f"what is meant by {side.text}", conditions, self._schema),
            Scope(buckets=self._buckets, schema_name=self._schema.name, documents=documents or ()),
            conditions,
            reason="one side of what is compared",
            fields=tuple(entry.name for entry in fields),
        )
        self._notes += typer.typed.notes
        return node.id

    def _test(self, piece: Piece) -> Test | None:
        meaning = piece.meaning
        if isinstance(meaning, p.Parties):
            if meaning.role is not None:
                return Test((piece,), meaning.role, None, meaning)
            role = next((r for r in self._parts.roles if isinstance(r.meaning, p.FieldSenses)), None)
            if role is not None and isinstance(role.meaning, p.FieldSenses):
                return Test((piece,), role.meaning, None, meaning)
            return Test((piece,), None, None, meaning)
        if isinstance(meaning, p.DocumentSet | p.Values | p.DayRange):
            return Test((piece,), None, None, meaning)
        return None

    def _noun(self, side: NamedSide) -> p.Noun | None:
        """The kind of document of a side: its own, or that of the question."""
        own = [m for piece in side.pieces if isinstance(m := piece.meaning, p.Noun)]
        named = next((noun for noun in own if noun.title_words), None)
        return named or next(iter(own), None) or self._parts.noun

    def _of_kind(self, documents: tuple[str, ...] | None, noun: p.Noun | None) -> tuple[str, ...] | None:
        """Of several that the words name, those of the schema and, where it says one, of the kind."""
        if documents is None:
            return None
        known = [self._lexicon.catalogue.document(id) for id in documents]
        own = [each for each in known if each is not None and each.schema == self._schema.name]
        kind = noun.kind if noun is not None else ""
        of_kind = [each for each in own if not kind or each.kind in kind.split("|")]
        return tuple(each.id for each in (of_kind or own))

    def _labels(self) -> tuple[str, ...]:
        made: list[str] = []
        for side in self._parts.sides:
            only = side.pieces[0].meaning if len(side.pieces) == 1 else None
            label = side.text
            if isinstance(only, p.Parties) and len(only.parties) == 1:
                label = only.parties[0].name
            count = sum(each.split(" (")[0] == label for each in made)
            made.append(f"{label} ({count + 1})" if count else label)
        return tuple(made)

    def _summed(self, entry: FieldEntry) -> BuiltPlan | None:
        """ "Add up what is due on A, B and C": one value over the documents that are named."""
        chosen: list[str] = []
        for side in self._parts.sides:
            named = [m for piece in side.pieces if isinstance(m := piece.meaning, p.DocumentSet)]
            ids = tuple(each.id for each in named[0].documents) if named else ()
            own = self._of_kind(ids, self._noun(side)) or ()
            if len(own) != 1:
                return None
            chosen += own
            self._notes.append(Note(phrase=side.text, reading="one of the documents that are named"))
        function = self._parts.function
        if entry.type not in AMOUNTS or function is None or self._parts.common:
            return None
        select = self._hops.select(
            purpose=f"Find the {len(set(chosen))} documents that the question names",
            reason="the question names them one by one",
            scope=Scope(
                buckets=self._buckets, schema_name=self._schema.name, documents=tuple(dict.fromkeys(chosen))
            ),
            fields=(entry.name,),
        )
        node = self._hops.aggregate(
            purpose=verbalise.aggregate_text(function, entry.name, (), "documents", self._schema),
            inputs=(select.id,),
            function=function,
            field=entry.name,
            reason="computed over exactly these documents",
        )
        return self._built(node.id, Kind.AGGREGATE)

    def _built(self, answer: str, kind: Kind) -> BuiltPlan:
        said = self._parts
        spoken = [*said.roles, *said.measures, *said.common, *said.spoken]
        notes = [*self._notes, *(Note(phrase=piece.text, reading=piece.reason) for piece in spoken)]
        notes += [Note(phrase=side.text, reading="one of the sides") for side in self._parts.sides]
        return BuiltPlan(tuple(self._hops.nodes), answer, kind, tuple(dict.fromkeys(notes)), ())


_VERBS = {
    "values": "Put side by side",
    "difference": "Find the difference in",
    "excess": "Find by how much the first is more in",
    "shortfall": "Find by how much the first is less in",
    "more": "Find whether the first is more in",
    "less": "Find whether the first is less in",
    "greatest": "Find which is the most in",
    "least": "Find which is the least in",
}
