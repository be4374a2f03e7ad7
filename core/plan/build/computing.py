"""What a question computes, orders and groups by, in the fields of one schema."""

from __future__ import annotations

from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.plan.build.hops import Hops
from core.plan.build.typer import Typer
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError
from core.plan.guards.ambiguity import by_length
from core.plan.ir import verbalise
from core.plan.ir.nodes import Condition, Note, SelectionNode
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Fields, stems
from core.plan.language.syntax.choose import COMPUTED, NUMBERS, Chooser
from core.plan.language.syntax.tree import DURATION, Group, Intent, Order, Tree

MANY_GROUPS = 1_000  # all of them, in the order of their values


class NotStructuredError(Exception):
    """The tree is no structured question: text has to answer it."""


class Computing:
    """The part of a builder that computes. Raises AskBackError, NotStructuredError."""

    _tree: Tree
    _schema: SchemaEntry
    _lexicon: Lexicon
    _chooser: Chooser
    _hops: Hops
    _typer: Typer
    _question: str

    def _aggregate(self, source: str) -> str:
        tree = self._tree
        groups = tuple(self._group(each) for each in tree.groups)
        function, field = self._function()
        top, descending = 0, True
        if tree.entity is not None:
            entity = self._field(tree.entity, "", ())
            if tree.intent is Intent.COUNT:
                function, field = Function.DISTINCT, entity.name
            else:
                groups = (entity.name, *groups)
            if tree.order is not None:
                top, descending = tree.order.count or MANY_GROUPS, tree.order.descending
        elif tree.order is not None and groups:
            top, descending = tree.order.count or MANY_GROUPS, tree.order.descending
        node = self._hops.aggregate(
            verbalise.aggregate_text(function, field, groups, self._noun(), self._schema),
            (source,),
            function,
            field,
            group_by=groups[:3],
            top=top,
            descending=descending,
            reason="computed over all that were found, never over a selection of hits",
        )
        return node.id

    def _function(self) -> tuple[Function, str]:
        """What is computed, and of which field: the count of documents where nothing else is asked."""
        tree = self._tree
        measure = tree.measure or (tree.order.fields if tree.order is not None else None)
        if tree.order is not None and (tree.entity is not None or tree.groups):
            return self._ranked(tree.order, measure)
        if tree.function is None:
            return Function.COUNT, ""
        types = COMPUTED if tree.function in (Function.MIN, Function.MAX) else NUMBERS
        if tree.function is Function.DISTINCT:
            if measure is None:
                return Function.COUNT, ""
            return Function.DISTINCT, self._field(measure, "", ()).name
        if measure is not None:
            return tree.function, self._field(measure, "", types).name
        said = self._hinted(tree.hint)
        if said is not None:
            return tree.function, said.name
        usual = self._chooser.first(FieldType.DATE) if tree.of_time else self._chooser.first(FieldType.MONEY)
        if usual is None:
            raise NotStructuredError
        self._note("", f"{usual.title} is what is computed, since no field is named")
        return tree.function, usual.name

    def _ranked(self, order: Order, measure: Fields | None) -> tuple[Function, str]:
        """What groups are ranked by: how many there are, the extreme of a field, or its sum where said so."""
        inner = self._tree.inner or (measure.function if measure is not None else None)
        if measure is None:
            return Function.COUNT, ""  # "which vendor has the most contracts"
        field = self._field(measure, "", NUMBERS).name
        if inner is not None and inner is not Function.DISTINCT:
            return inner, field
        if self._tree.function in (Function.MIN, Function.MAX):
            return self._tree.function, field
        self._note("", "Added up for each, since nothing else is said")
        return Function.SUM, field

    def _order(self, order: Order | None) -> tuple[Order | None, FieldEntry | None]:
        if order is None:
            return None, None
        if order.fields is not None:
            self._chooser.one_meaning(order.fields, (FieldType.DATE,))
            return order, self._field(order.fields, order.text, COMPUTED)
        said = self._hinted(order.hint)
        if said is not None:
            return order, said
        if order.hint == DURATION:
            self._ask_length()
            raise NotStructuredError  # "the longest contract" is not the one that is worth most
        usual = self._chooser.first(
            *((FieldType.DATE,) if order.of_time else (FieldType.MONEY, FieldType.NUMBER))
        )
        if usual is None and self._tree.entity is None:
            raise NotStructuredError
        if usual is not None and self._tree.entity is None and not self._tree.groups:
            self._note("", f"Ordered by {usual.title}, since no field is named")
        return order, usual

    def _ask_length(self) -> None:
        """Raises AskBackError where the documents begin and end: nothing puts the time between in order."""
        found = self._typer.terms.ends()
        if found is not None:
            noun = self._noun()
            raise AskBackError(by_length(self._question, "", noun, *found))

    def _hinted(self, hint: str) -> FieldEntry | None:
        """The field that a word like "widest" says."""
        fields = self._lexicon.fields(stems(hint)) if hint else None
        return self._chooser.field(fields, hint, COMPUTED) if fields is not None else None

    def _group(self, group: Group) -> str:
        if group.fields is None:
            assert group.aspect is not None  # a group has a field or an aspect
            kind = FieldType.MONEY if group.aspect.name == "unit" else FieldType.DATE
            entry = self._date_of_question() if kind is FieldType.DATE else self._chooser.first(kind)
            if entry is None:
                raise NotStructuredError
            self._note(group.text, f"For each {group.aspect.name} of {entry.title}")
            return f"{entry.name}.{group.aspect.name}"
        types = (FieldType.DATE,) if group.aspect is not None and group.aspect.name != "unit" else ()
        entry = self._field(group.fields, group.text, types)
        self._note(group.text, f"For each {entry.title}")
        if group.aspect is not None:
            return f"{entry.name}.{group.aspect.name}"
        return f"{entry.name}.year" if entry.type is FieldType.DATE else entry.name

    def _date_of_question(self) -> FieldEntry | None:
        for node in self._hops.nodes:
            for condition in node.conditions if isinstance(node, SelectionNode) else ():
                entry = self._schema.field(condition.field) if isinstance(condition, Condition) else None
                if entry is not None and entry.type is FieldType.DATE:
                    return entry
        return self._chooser.first(FieldType.DATE)

    def _field(self, fields: Fields, text: str, types: tuple[FieldType, ...]) -> FieldEntry:
        entry = self._chooser.field(fields, text, types)
        if entry is None:
            raise NotStructuredError
        return entry

    def _noun(self) -> str:
        subject = self._tree.subject
        if subject is not None and subject.kind:
            said = subject.kind.replace("_", " ").split("|")[0]
            said = {"agreement": "contract"}.get(said, said)
            return said[:-1] + "ies" if said.endswith("y") else said + "s"
        return self._schema.title.lower()

    def _note(self, phrase: str, reading: str) -> None:
        self._typer.typed.notes.append(Note(phrase=phrase, reading=reading))
