"""From the sides of a question to the nodes: a Select for each, and a Compare or a sum over them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.domain.annotation import Aggregate as Function
from core.domain.answer import Kind
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.build.boolean_form import (
    Both,
    Formula,
    as_condition,
    clauses,
    is_except,
    plain_conditions,
)
from core.plan.build.builder import Built
from core.plan.build.hops import Hops
from core.plan.build.typer import Typer
from core.plan.catalogue import FieldEntry
from core.plan.forms.sides.split import Side, Split, split
from core.plan.ir import verbalise
from core.plan.ir.nodes import Condition, Note, Scope
from core.plan.language import pieces as p
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Piece, stems
from core.plan.language.reading.read import Reading
from core.plan.language.syntax.choose import Chooser, elect
from core.plan.language.syntax.tree import Intent, Test, Tree
from core.plan.language.syntax.tree import Side as TreeSide

_NUMBERS = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)
_COMPARED = (*_NUMBERS, FieldType.DATE)
_FUNCTIONS = (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX)


def plan_sides(reading: Reading, lexicon: Lexicon, buckets: tuple[str, ...], today: date) -> Built | None:
    """What a question about named sides comes to; None where it is none, or says more than that.

    Raises AskBackError where a word may mean several fields or organisations.
    """
    parts = split(reading)
    if parts is None or parts.left or not (parts.measures or parts.hint):
        return None
    return _Sides(reading, parts, lexicon, buckets, today).build()


class _Sides:
    def __init__(
        self, reading: Reading, parts: Split, lexicon: Lexicon, buckets: tuple[str, ...], today: date
    ) -> None:
        self._parts = parts
        self._lexicon = lexicon
        self._buckets = buckets
        self._question = reading.question
        self._hops = Hops(lexicon, buckets, reading.question)
        self._today = today
        self._notes: list[Note] = []

    def build(self) -> Built | None:
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

    # -- what is asked ---------------------------------------------------------------------------------

    def _tree(self) -> Tree:
        """What votes for a kind of document."""
        shown = tuple(m for piece in self._parts.measures if isinstance(m := piece.meaning, p.Fields))
        sides = tuple(
            TreeSide(piece.text, Test((piece,), None, None, meaning))
            for side in self._parts.sides
            for piece in side.pieces
            if isinstance(meaning := piece.meaning, p.Documents | p.Parties | p.Values)
        )
        return Tree(Intent.COMPARE, subject=self._parts.noun, shown=shown, sides=sides)

    def _fields(self) -> list[FieldEntry]:
        """What is compared: amounts and dates where the words mean such, else whatever they mean."""
        found: list[FieldEntry] = []
        wants_order = self._parts.outcome != "values" or self._parts.function is not None
        for piece in self._parts.measures:
            if not isinstance(piece.meaning, p.Fields):
                continue
            entry = self._chooser.field(piece.meaning, piece.text, _COMPARED)
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
        return None if fields is None else self._chooser.field(fields, hint, _COMPARED)

    def _function(self, fields: Sequence[FieldEntry]) -> Function | None:
        """What each side comes to; None where the documents stand for themselves."""
        function = self._parts.function
        if function not in _FUNCTIONS or not all(side.is_set for side in self._parts.sides):
            return None
        return function if all(entry.type in _NUMBERS for entry in fields) else None

    # -- sides -----------------------------------------------------------------------------------------

    def _select(self, side: Side, fields: Sequence[FieldEntry]) -> str | None:
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
            role = next((r for r in self._parts.roles if isinstance(r.meaning, p.Fields)), None)
            if role is not None and isinstance(role.meaning, p.Fields):
                return Test((piece,), role.meaning, None, meaning)
            return Test((piece,), None, None, meaning)
        if isinstance(meaning, p.Documents | p.Values | p.Period):
            return Test((piece,), None, None, meaning)
        return None

    def _noun(self, side: Side) -> p.Noun | None:
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

    # -- sums ------------------------------------------------------------------------------------------

    def _summed(self, entry: FieldEntry) -> Built | None:
        """ "Add up what is due on A, B and C": one value over the documents that are named."""
        chosen: list[str] = []
        for side in self._parts.sides:
            named = [m for piece in side.pieces if isinstance(m := piece.meaning, p.Documents)]
            ids = tuple(each.id for each in named[0].documents) if named else ()
            own = self._of_kind(ids, self._noun(side)) or ()
            if len(own) != 1:
                return None
            chosen += own
            self._notes.append(Note(phrase=side.text, reading="one of the documents that are named"))
        function = self._parts.function
        if entry.type not in _NUMBERS or function is None or self._parts.common:
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

    def _built(self, answer: str, kind: Kind) -> Built:
        said = self._parts
        spoken = [*said.roles, *said.measures, *said.common, *said.spoken]
        notes = [*self._notes, *(Note(phrase=piece.text, reading=piece.reason) for piece in spoken)]
        notes += [Note(phrase=side.text, reading="one of the sides") for side in self._parts.sides]
        return Built(tuple(self._hops.nodes), answer, kind, tuple(dict.fromkeys(notes)), ())


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
