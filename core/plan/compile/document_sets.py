"""Sets of documents that a step says: its kind, its names and its conditions as selections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.compile.conditions import comparison, of_units, ordered, require_part, units_of
from core.plan.compile.context import ReadingError
from core.plan.compile.formula import Both, Either, Formula, all_of, any_of, negated, parted
from core.plan.compile.names import documents_named, ids_of, parties_named, titled
from core.plan.compile.references import compared_with_steps, value_node
from core.plan.compile.schema_choice import chosen_schema, unmarked_kinds
from core.plan.compile.state import Compilation
from core.plan.compile.values import compiled, target_of_field
from core.plan.ir import verbalise
from core.plan.ir.nodes import Choice, Condition, OtherField, Reference, Scope, Select, schema_of
from core.plan.ir.validate import gives
from core.plan.kinds import NAME, KindName, kind_names, title_words
from core.plan.reading import Operation, ReadCondition, ReadField, ReadName, Step, either_groups

OF_ONE = (Operation.LOOKUP, Operation.CHECK)
MOST_NODES_OUT = 10
_TRUE = ("true", "yes", "present")
_EXCLUDED = "the question excludes them"


@dataclass(slots=True)
class DocumentSets:
    """The sets of one step. scope_documents: those that it names, None for no restriction.

    inner: nodes of sets that it narrows; left_out: of sets that are left out; without: documents that are.
    """

    step: Step
    work: Compilation
    schema: SchemaEntry | None = None
    scope_documents: tuple[str, ...] | None = None
    inner: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    without: tuple[str, ...] = ()

    def choose_schema(self) -> None:
        """Find the schema that the step is about. Raises ReadingError."""
        self.schema = chosen_schema(self.step, self.work)

    def names_formula(self, names: Sequence[ReadName]) -> Formula | None:
        """The conditions that names say; those of documents narrow the scope."""
        parts: list[Formula] = []
        scoped: list[str] = []
        left_out: list[str] = []
        named = [each.role for each in names]
        of_several = self.step.operation not in OF_ONE or named.count("document") > 1 or "party" in named
        for name in names:
            if name.role == "kind":
                continue
            if name.described:
                made = self._described(name)
            else:
                made = self._party(name) if name.role == "party" else None
            if made is not None:
                parts.append(negated(made, is_other=False) if name.negated else made)
            if made is not None or name.described:
                continue
            found = documents_named(
                name,
                self.work.context,
                self.schema,
                self.work.reading.question,
                of_several=of_several or name.role == "party",
            )
            if self.schema is None and len({each.schema for each in found}) == 1 and found[0].schema:
                self.schema = self.work.context.catalogue.schema(found[0].schema)
            (left_out if name.negated else scoped).extend(ids_of(found))
            self.note(name.words, _named(found, negated=name.negated), name.probability)
        if scoped:
            self._restrict(tuple(dict.fromkeys(scoped)))
        self.without = tuple(dict.fromkeys((*self.without, *left_out)))
        return all_of(parts)

    def _described(self, name: ReadName) -> Formula | None:
        """That a party is the one that a step found; None for a set of documents, which narrows the step."""
        result = self.work.result(name.described, name.words)
        if name.role != "party" and result.gives in ("documents", "rows"):
            (self.left_out if name.negated else self.inner).append(result.set_node or result.node)
            self.note(name.words, "documents that are found first", name.probability)
            return None
        fields = self.schema.fields if self.schema is not None else ()
        parties = [each.name for each in fields if each.type is FieldType.PARTY]
        if name.role != "party" or not parties:
            raise ReadingError(
                f"“{name.words}” is no document, nor an organisation that one names.",
                next_step="Ask for it first.",
                words=name.words,
            )
        node = value_node(name.described, self.work, words=name.words)
        self.note(name.words, "an organisation that is looked up first", name.probability)
        value = Reference(node=node)
        return any_of(Condition(field=each, op=Operator.EQUAL, value=value) for each in parties)

    def _restrict(self, ids: tuple[str, ...]) -> None:
        before = self.scope_documents
        self.scope_documents = ids if before is None else tuple(each for each in before if each in ids)
        if not self.scope_documents:
            raise ReadingError("No document is called all of this.", next_step="Name fewer documents.")

    def _party(self, name: ReadName) -> Formula | None:
        """The condition of an organisation; None where its words name documents at best. Raises."""
        named = parties_named(name.words, self.work.context.catalogue)
        if named is None or self.schema is None:
            return None
        formula = named.formula(self.schema)
        if formula is not None:
            titles = " or ".join(dict.fromkeys(each.name for each in named.parties))
            self.note(name.words, f"{'not ' if name.negated else ''}with {titles}", name.probability)
        return formula

    def kind_formula(self) -> Formula | None:
        """The condition of the kinds that are named."""
        named = self.step.of_role("kind")
        if self.schema is None:
            for name in named:
                if (kind := kind_names(self.work.context.catalogue).of(name.words)) is None or kind.titles:
                    self._titled(name)
            return None
        names = kind_names(self.work.context.catalogue)
        parts: list[Formula] = []
        without: list[Formula] = []
        for name in named:
            kind = names.of(name.words, self.schema)
            other = names.of(name.words) if kind is None else None
            if other is not None and other.schema and not (other.titles or name.negated):
                self.work.uncovered.append(name.words)  # no title of these: documents of another kind
                continue
            kind = kind or title_words(name.words, names, self.schema)
            is_titled = bool(kind.titles) and self.schema.field(NAME) is None
            if is_titled or (kind.is_thing and _of_kind(kind, self.schema) is None and kind.titles):
                self._titled(name)
                kind = replace(kind, titles=())
            if name.negated and kind.titles:
                # What is left out are those of this title; whatever is left is of the kind that is asked for.
                kind = replace(kind, kinds=(), is_thing=False)
            formula = _of_kind(kind, self.schema)
            if formula is not None:
                (without if name.negated else parts).append(formula)
            elif name.negated and not is_titled:
                self.work.uncovered.append(name.words)
            if not is_titled:
                said = "documents of the kind" if not name.negated else "no documents of the kind"
                self.note(name.words, f"{said} {name.words}", name.probability)
        made = [any_of(parts)] if parts else []
        if not parts and not _says_kind(without) and (unmarked := self._unmarked_kind()) is not None:
            made = [unmarked]
        made += map(negated, (each for each in without if not _is_implied(each, parts)))
        return all_of(made)

    def _unmarked_kind(self) -> Formula | None:
        """The condition of a kind that the question names where the reading marks none."""
        schema = self.schema
        assert schema is not None  # as its caller checks
        if any(each.field.name == verbalise.KIND for each in self.step.conditions):
            return None
        if any(not each.negated for each in self.step.of_role("kind")):
            return None
        kinds = unmarked_kinds(self.step, self.work)
        return next((_of_kind(each, schema) for each in kinds if each.schema == schema.name), None)

    def _titled(self, name: ReadName) -> None:
        """Narrow to the documents in whose titles the words stand; uncovered where there are none."""
        found = ids_of(titled(name.words, self.work.context.catalogue, self.schema))
        if not found:
            self.work.uncovered.append(name.words)
        elif name.negated:
            self.without = tuple(dict.fromkeys((*self.without, *found)))
        else:
            self._restrict(found)
        if found:
            self.note(name.words, f"documents whose title says {name.words}", name.probability)

    def _condition(self, read: ReadCondition) -> Formula:
        made = self._plain_condition(read)
        self.note(read.words, _said(made, self.schema, negative=read.negated), read.probability)
        return negated(made, is_other=False) if read.negated else made

    def _plain_condition(self, read: ReadCondition) -> Formula:
        if read.of_field is not None or read.field.other:
            return self._of_two(read)
        entry, part = self.entry(read.field), read.field.part
        require_part(part, entry.type, entry.title, read.words)
        if read.op is Operator.MISSING:
            return negated(self._present(entry))
        if not read.values or read.op is Operator.IS:
            return self._present(entry)
        referring = compared_with_steps(
            entry.name, read.op, read.values, self.work, wanted=entry.name, words=read.words
        )
        if referring is not None:
            return referring
        if entry.type is FieldType.BOOLEAN:
            is_true = (read.values[0].casefold() in _TRUE) is (read.op is not Operator.NOT_EQUAL)
            return self._present(entry) if is_true else negated(self._present(entry))
        if entry.type is FieldType.PARTY:
            return self._of_party(entry, read)
        if part == "unit":
            units = units_of(read.values)
            if entry.units and not set(units) & set(entry.units):
                raise ReadingError(
                    f"{entry.title} holds {', '.join(entry.units)} and no {' or '.join(units)}.",
                    next_step="Ask for one of these currencies.",
                    words=read.words,
                )
            return of_units(entry.name, read.op, units)
        return comparison(
            entry.name, read.op, read.values, target_of_field(entry, self.work.context.catalogue)
        )

    def _of_two(self, read: ReadCondition) -> Condition:
        """That one field compares so with another, or the time from one day to another with a length."""
        entry = self.entry(read.field.model_copy(update={"other": ""}))
        other = self.entry(read.of_field or read.field.all_of_it[1])
        if read.of_field is not None and not read.field.other:
            return Condition(field=entry.name, op=read.op, value=OtherField(field=other.name))
        if read.of_field is not None or read.field.combined != "less" or entry.type is not FieldType.DATE:
            raise ReadingError(
                f"Of {entry.title} and {other.title} no condition is made.",
                next_step="Compare one with the other, or subtract one day from another.",
                words=read.words,
            )
        value = read.values if len(read.values) > 1 else read.values[0]
        return Condition(field=entry.name, op=read.op, value=value, minus=other.name)

    def _of_party(self, entry: FieldEntry, read: ReadCondition) -> Formula:
        target = target_of_field(entry, self.work.context.catalogue)
        if read.op not in (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN):
            return comparison(entry.name, read.op, read.values, target)
        ways: list[Formula] = []
        for value in read.values:
            named = parties_named(value, self.work.context.catalogue)
            if named is not None and self.schema is not None:
                formula = named.formula(self.schema, "" if entry.many else entry.name)
                if formula is not None:
                    ways.append(formula)
                    continue
            found = compiled(Operator.EQUAL, (value,), target)
            ways.append(Condition(field=entry.name, op=Operator.EQUAL, value=found.value))
        made = any_of(ways)
        return negated(made, is_other=True) if read.op is Operator.NOT_EQUAL else made

    def _present(self, entry: FieldEntry) -> Condition:
        if entry.type is FieldType.BOOLEAN:
            return Condition(field=entry.name, op=Operator.EQUAL, value="true")
        return Condition(field=entry.name, op=Operator.IS, value="present")

    def entry(self, read: ReadField) -> FieldEntry:
        """The field of the schema. Raises ReadingError where it has none of that name."""
        entry = self.schema.field(read.name) if self.schema is not None else None
        if read.other:
            raise ReadingError(
                f"{read.name} and {read.other} are fields, and only columns of tables are calculated with.",
                next_step="Compute each in a step of its own, and make one figure of both in a third.",
                words=read.words,
            )
        if entry is None:
            title = self.schema.title if self.schema is not None else "Documents of any kind"
            raise ReadingError(
                f"{title} has no field {read.name!r}.",
                next_step="Use a field of that kind, or ask another kind in a step of its own.",
                words=read.words,
            )
        return entry

    def _formula(self, conditions: Sequence[ReadCondition]) -> list[Formula]:
        return [any_of(map(self._condition, some)) for some in either_groups(conditions)]

    def make_set(
        self,
        names: Formula | None,
        conditions: Sequence[ReadCondition],
        *,
        label: str = "",
        shown: Sequence[ReadField] = (),
        order: bool = False,
    ) -> str:
        """Adds the selection of the step, and differences where only these say it; gives its node.

        shown: fields that are shown of each document; order: it stands in the order of the step.
        """
        kind = self.kind_formula()
        parts = [
            *([kind] if kind is not None else []),
            *([names] if names is not None else []),
            *self._formula(conditions),
        ]
        split = parted(Both(tuple(parts)))
        if split is None or len(split.left_out) > MOST_NODES_OUT:
            raise ReadingError(
                "It joins or excludes more than one plan can say.", next_step="Ask for less at once."
            )
        fields = tuple(dict.fromkeys(self.entry(each).name for each in shown)) if self.schema else ()
        within = self._narrowed()
        is_bare = not (split.holds or fields or self.scope_documents or (order and self.step.order))
        answer = self._as_it_is(within) if within and is_bare else ""
        is_split = bool(split.left_out or self.left_out or self.without)
        noun = f"{self.noun} of {label}" if label else self.noun
        if not answer:
            is_ordered = order and not is_split
            answer = self._selected(noun, split.holds, within, fields, order=is_ordered).id
        for each in split.left_out:
            answer = self._difference(answer, self._selected(self.noun, each).id)
        if self.without:
            scope = Scope(documents=self.without)
            named = self.work.steps.select("Find the documents to leave out", scope, reason=_EXCLUDED)
            answer = self._difference(answer, named.id)
        for name in self.left_out:
            answer = self._difference(answer, name)
        if is_split and order and self.step.order is not None:
            answer = self._selected(self.noun, (), answer, fields, order=True).id
        return answer

    def _as_it_is(self, within: str) -> str:
        """A set of documents of the schema that is narrowed by nothing more; "" where it has to be."""
        nodes = {each.id: each for each in self.work.steps.nodes}
        schema = self.schema.name if self.schema is not None else ""
        is_same = gives(nodes[within]) == "documents" and schema_of(nodes[within], nodes) == schema
        return within if is_same else ""

    def _selected(
        self,
        noun: str,
        conditions: tuple[Condition | Choice, ...],
        within: str = "",
        fields: tuple[str, ...] = (),
        *,
        order: bool = False,
    ) -> Select:
        ordering = self._ordering() if order else None
        purpose = verbalise.select_text(noun, conditions, self.schema)
        by = self.step.order if order else None
        if ordering is not None and by is not None:
            end = "highest" if by.descending else "lowest"
            purpose = f"{purpose}; the {end} {ordering.title.lower()} first"
        about = self.schema.title.lower() if self.schema is not None else ""
        return self.work.steps.select(
            purpose,
            self._scope(),
            conditions,
            reason=f"the question is about {about}" if about else "documents of any kind",
            fields=fields,
            within=within,
            **ordered(by, ordering.name if ordering is not None else ""),
        )

    def _ordering(self) -> FieldEntry | None:
        order = self.step.order
        if order is None or order.field is None:
            return None
        entry = self.entry(order.field)
        if entry.type not in ORDERED:
            raise ReadingError(
                f"{entry.title} has no order.",
                next_step="Order by amounts, numbers, dates or lengths of time.",
                words=order.words,
            )
        return entry

    def _narrowed(self) -> str:
        """The node of the one set that the step narrows; several are intersected first. "" for none."""
        results = [self.work.result(name) for name in self.step.within]
        inputs = [each.set_node or each.node for each in results if each.gives != "value" or each.set_node]
        if len(inputs) < len(results):
            raise ReadingError(
                "A value is no set of documents to go on from.", next_step="Ask for the documents first."
            )
        found = tuple(dict.fromkeys((*inputs, *self.inner)))
        if len(found) < 2:
            return found[0] if found else ""
        return self.work.steps.combine("Those in all", found, "intersect", reason="all of them hold").id

    def _difference(self, whole: str, without: str) -> str:
        return self.work.steps.combine("Leave these out", (whole, without), "difference", reason=_EXCLUDED).id

    def _scope(self) -> Scope:
        name = self.schema.name if self.schema is not None else ""
        buckets = self.work.reading.buckets or self.work.context.buckets
        return Scope(buckets=buckets, schema_name=name, documents=self.scope_documents or ())

    @property
    def noun(self) -> str:
        """By what the documents are called."""
        for name in self.step.of_role("kind"):
            if not name.negated:
                return name.words.lower()
        return self.schema.title.lower() if self.schema is not None else "documents"

    def note(self, words: str, reading: str, probability: float = 1.0) -> None:
        """Say how words were read."""
        self.work.note(words, reading, "", probability)


def _is_implied(without: Formula, parts: Sequence[Formula]) -> bool:
    """True of a kind that is left out beside another that is asked for."""
    kinds = [each for each in (without, *parts) if isinstance(each, Condition)]
    is_kind = all(each.field == verbalise.KIND and each.op is Operator.EQUAL for each in kinds)
    return is_kind and len(kinds) == 1 + len(parts) > 1 and all(each != without for each in parts)


def _says_kind(without: Sequence[Formula]) -> bool:
    """True where what is left out is a kind by itself, beside which all others are meant."""
    return any(isinstance(each, Condition) and each.field == verbalise.KIND for each in without)


def _said(formula: Formula, schema: SchemaEntry | None, *, negative: bool) -> str:
    shown = negated(formula) if negative else formula
    if isinstance(shown, Condition):
        return verbalise.condition_text(shown, schema)
    if isinstance(shown, Either) and all(isinstance(each, Condition) for each in shown.parts):
        choice = Choice(any_of=tuple(each for each in shown.parts if isinstance(each, Condition))[:50])
        return verbalise.conditions_text((choice,), schema)
    if negative and isinstance(formula, Condition):
        return f"not {verbalise.condition_text(formula, schema)}"
    return "several conditions"


def _named(found: Sequence[object], *, negated: bool) -> str:
    count = len(found)
    said = "names one document" if count == 1 else f"names {count} documents"
    return f"{said}, left out" if negated else said


def _of_kind(kind: KindName, schema: SchemaEntry) -> Formula | None:
    """The condition that documents of the schema are of a kind; None where all of them are."""
    parts: list[Formula] = []
    if kind.kinds and schema.field(verbalise.KIND) is not None:
        value: str | tuple[str, ...] = kind.kinds if len(kind.kinds) > 1 else kind.kinds[0]
        op = Operator.IN if len(kind.kinds) > 1 else Operator.EQUAL
        parts.append(Condition(field=verbalise.KIND, op=op, value=value, narrows=True))
    if kind.titles and schema.field(NAME) is not None:
        parts.append(any_of(Condition(field=NAME, op=Operator.CONTAINS, value=each) for each in kind.titles))
    thing = next((each for each in map(schema.field, ("model", "product")) if each is not None), None)
    if kind.is_thing and thing is not None:
        parts.append(Condition(field=thing.name, op=Operator.IS, value="present", narrows=True))
    return all_of(parts)
