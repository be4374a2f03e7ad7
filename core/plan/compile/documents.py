"""Compilation of a step over documents and their fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.compile.context import ReadingError
from core.plan.compile.formula import (
    Both,
    Either,
    Except,
    Formula,
    as_condition,
    clauses,
    is_except,
    negated,
    plain_conditions,
)
from core.plan.compile.kinds import KindName, elected, kind_names
from core.plan.compile.names import (
    documents_named,
    ids_of,
    parties_named,
)
from core.plan.compile.sides import compared
from core.plan.compile.state import CALCULATED, MANY_GROUPS, Compilation, StepResult, unique_labels
from core.plan.compile.values import compiled, target_of_field
from core.plan.ir import verbalise
from core.plan.ir.nodes import (
    Choice,
    Condition,
    Reference,
    Scope,
)
from core.plan.reading import (
    Function,
    Operation,
    ReadCondition,
    ReadField,
    ReadName,
    Step,
)

_OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_KIND_VOTE = 2.0
_NAME_VOTE = 1.0


@dataclass(slots=True)
class DocumentsCompiler:
    """Compilation of one step over documents and their fields."""

    step: Step
    work: Compilation
    schema: SchemaEntry | None = None
    scope_documents: tuple[str, ...] | None = None

    def compile(self) -> StepResult:
        """The nodes of the step."""
        step = self.step
        self.schema = self._schema()
        if step.operation is Operation.COMPARE:
            return self._comparison()
        source = self._set(self._names_formula(step.names), step.conditions)
        return self._answer(source)

    # -- schema ----------------------------------------------------------------------------------------

    def _schema(self) -> SchemaEntry | None:
        """The schema that the step is about; None for documents of any kind."""
        catalogue, step = self.work.context.catalogue, self.step
        if step.kind:
            found = catalogue.schema(step.kind)
            if found is None:
                known = ", ".join(each.name for each in catalogue.schemas if each.documents)
                raise ReadingError(f"There is no kind {step.kind!r}.", next_step=f"Name one of: {known}.")
            return found
        for name in step.within:
            inner = self.work.results.get(name)
            if inner is not None and inner.schema is not None:
                return inner.schema
        votes: dict[str, float] = defaultdict(float)
        held = {each.name for each in catalogue.schemas if each.documents}
        for each in step.fields:
            names = (
                [each.schema_name]
                if each.schema_name
                else [s.name for s in catalogue.schemas if s.field(each.name)]
            )
            if not names:
                raise ReadingError(
                    f"No kind of document has a field {each.name!r}.",
                    next_step="Use fields of the catalogue, or search the text.",
                    words=each.words,
                )
            for name in names:
                votes[name] += each.probability / len(names) * (1.0 if name in held or not held else 0.5)
        kinds = kind_names(catalogue)
        for named in step.of_role("kind"):
            kind = kinds.of(named.words)
            if kind is not None and kind.schema:
                votes[kind.schema] += _KIND_VOTE
        if not step.of_role("kind"):
            for found_kind in self._unmarked_kinds():
                if found_kind.schema:
                    votes[found_kind.schema] += _KIND_VOTE
        for named in step.of_role("document"):
            for id in named.documents:
                entry = catalogue.document(id)
                if entry is not None and entry.schema:
                    votes[entry.schema] += _NAME_VOTE
        if not votes and step.of_role("party"):
            votes = self._votes_of_parties()
        return elected(votes, catalogue)

    def _votes_of_parties(self) -> dict[str, float]:
        catalogue = self.work.context.catalogue
        votes: dict[str, float] = defaultdict(float)
        for name in self.step.of_role("party"):
            named = parties_named(name.words, catalogue)
            for party in named.parties if named is not None else ():
                for schema, _ in party.fields:
                    votes[schema] += 1.0
        return votes

    def _unmarked_kinds(self) -> list[KindName]:
        """Kinds that the question names outside of what the reading took: "how many contracts"."""
        reading = self.work.reading
        if reading.by != "trained" or self.step is not reading:
            return []
        text = reading.question
        taken = [
            *(each.words for each in self.step.conditions),
            *(each.words for each in self.step.names),
            *(each.words for each in (*self.step.asked, *self.step.groups)),
            *((self.step.order.words,) if self.step.order is not None else ()),
        ]
        for words in sorted(filter(None, taken), key=len, reverse=True):
            text = text.replace(words, " · ", 1)
        return [each.kind for each in kind_names(self.work.context.catalogue).find(text)]

    # -- sets ------------------------------------------------------------------------------------------

    def _names_formula(self, names: Sequence[ReadName]) -> Formula | None:
        """The conditions that names say; those of documents narrow the scope."""
        parts: list[Formula] = []
        scoped: list[str] = []
        left_out: list[str] = []
        of_several = self.step.operation not in _OF_ONE or len([n for n in names if n.role == "document"]) > 1
        for name in names:
            if name.role == "kind":
                continue
            if name.described:
                parts.append(self._of_step(name))
                continue
            made = self._party(name) if name.role == "party" else None
            if made is not None:
                parts.append(negated(made, is_other=False) if name.negated else made)
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
            self._note(name.words, _named(found, negated=name.negated), name.probability)
        if scoped:
            self._restrict(tuple(dict.fromkeys(scoped)))
        if left_out:
            own = self.work.context.catalogue.documents
            wanted = self.schema.name if self.schema is not None else ""
            rest = tuple(
                each.id for each in own if each.id not in left_out and (not wanted or each.schema == wanted)
            )
            self._restrict(rest)
        return None if not parts else parts[0] if len(parts) == 1 else Both(tuple(parts))

    def _of_step(self, name: ReadName) -> Formula:
        """That a party of the document is the one that a step found, or the document is of its set."""
        inner = self.work.results[name.described]
        if inner.gives == "value" and self.schema is not None:
            fields = [each.name for each in self.schema.fields if each.type is FieldType.PARTY]
            ways = tuple(
                Condition(field=f, op=Operator.EQUAL, value=Reference(node=inner.node)) for f in fields
            )
            if ways:
                return ways[0] if len(ways) == 1 else Either(ways)
        raise ReadingError(
            f"“{name.words}” is no single thing.", next_step="Ask for it first.", words=name.words
        )

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
            self._note(name.words, f"{'not ' if name.negated else ''}with {titles}", name.probability)
        return formula

    def _kind(self) -> Formula | None:
        """The condition of the kinds that are named, or of the usual kind of the schema."""
        if self.schema is None:
            return None
        names = kind_names(self.work.context.catalogue)
        parts: list[Formula] = []
        without: list[Formula] = []
        for name in self.step.of_role("kind"):
            kind = names.of(name.words, self.schema)
            formula = kind.formula(self.schema) if kind is not None else None
            if kind is None:
                self.work.uncovered.append(name.words)
            elif formula is not None:
                (without if name.negated else parts).append(formula)
            if kind is not None and not name.negated:
                self._note(name.words, f"documents of the kind {name.words}", name.probability)
        if parts or without:
            both = [
                *([parts[0] if len(parts) == 1 else Either(tuple(parts))] if parts else []),
                *map(negated, without),
            ]
            return both[0] if len(both) == 1 else Both(tuple(both))
        if any(each.field.name == verbalise.KIND for each in self.step.conditions):
            return None
        unmarked = [each for each in self._unmarked_kinds() if each.schema == self.schema.name]
        if unmarked:
            return unmarked[0].formula(self.schema)
        if self.step.operation in _OF_ONE or self.step.within or self.scope_documents is not None:
            return None
        return names.usual(self.schema).formula(self.schema)

    def _condition(self, read: ReadCondition) -> Formula:
        entry = self._entry(read.field)
        name = f"{entry.name}.{read.field.part}" if read.field.part else entry.name
        made: Formula
        if read.op is Operator.MISSING:
            made = negated(self._present(entry, name))
        elif not read.values:
            made = self._present(entry, name)
        elif len(read.values) == 1 and (node := self._reference(read.values[0])) is not None:
            made = Condition(field=name, op=read.op, value=Reference(node=node))
        elif entry.type is FieldType.BOOLEAN:
            is_true = (
                read.values[0].casefold() in ("true", "yes", "present") and read.op is not Operator.NOT_EQUAL
            )
            made = self._present(entry, name) if is_true else negated(self._present(entry, name))
        elif entry.type is FieldType.PARTY:
            made = self._of_party(entry, read)
        elif read.field.part == "unit":
            made = Condition(field=name, op=read.op, value=read.values[0].upper())
        else:
            found = compiled(read.op, read.values, target_of_field(entry, self.work.context.catalogue))
            made = Condition(field=name, op=found.op, value=found.value)
        self._note(read.words, _said(made, self.schema, negative=read.negated), read.probability)
        return negated(made, is_other=False) if read.negated else made

    def _of_party(self, entry: FieldEntry, read: ReadCondition) -> Formula:
        ways: list[Formula] = []
        for value in read.values:
            named = parties_named(value, self.work.context.catalogue)
            if named is not None and self.schema is not None:
                formula = named.formula(self.schema, entry.name)
                if formula is not None:
                    ways.append(formula)
                    continue
            found = compiled(Operator.EQUAL, (value,), target_of_field(entry, self.work.context.catalogue))
            ways.append(Condition(field=entry.name, op=Operator.EQUAL, value=found.value))
        made = ways[0] if len(ways) == 1 else Either(tuple(ways))
        return negated(made, is_other=True) if read.op is Operator.NOT_EQUAL else made

    def _present(self, entry: FieldEntry, name: str) -> Condition:
        if entry.type is FieldType.BOOLEAN:
            return Condition(field=name, op=Operator.EQUAL, value="true")
        return Condition(field=name, op=Operator.IS, value="present")

    def _reference(self, value: str) -> str | None:
        if not value.startswith("$"):
            return None
        result = self.work.results.get(value[1:])
        if result is None:
            raise ReadingError(f"{value!r} is no step before this one.", next_step="Order the steps.")
        if result.gives == "documents" and result.schema is not None:
            raise ReadingError(
                f"{value!r} gives documents, and a value is needed.", next_step="Compute a value of them."
            )
        return result.node

    def _entry(self, read: ReadField) -> FieldEntry:
        entry = self.schema.field(read.name) if self.schema is not None else None
        if entry is None:
            title = self.schema.title if self.schema is not None else "Documents of any kind"
            raise ReadingError(
                f"{title} has no field {read.name!r}.",
                next_step="Use a field of that kind, or ask another kind in a step of its own.",
                words=read.words,
            )
        return entry

    def _formula(self, conditions: Sequence[ReadCondition]) -> list[Formula]:
        groups: dict[int, list[Formula]] = defaultdict(list)
        parts: list[Formula] = []
        for each in conditions:
            made = self._condition(each)
            (groups[each.either] if each.either else parts).append(made)
        return [*parts, *(some[0] if len(some) == 1 else Either(tuple(some)) for some in groups.values())]

    def _set(self, names: Formula | None, conditions: Sequence[ReadCondition], *, label: str = "") -> str:
        """Adds the selection of the step, and differences where only these say it; gives its node."""
        step, schema = self.step, self.schema
        shown = (
            tuple(dict.fromkeys(self._entry(each).name for each in step.asked)) if schema is not None else ()
        )
        kind = self._kind()
        parts = [
            *([kind] if kind is not None else []),
            *([names] if names is not None else []),
            *self._formula(conditions),
        ]
        split = clauses(Both(tuple(parts))) if parts else []
        if split is None:
            raise ReadingError("It joins too many alternatives.", next_step="Ask for fewer at once.")
        plain = tuple(as_condition(plain_conditions(each)) for each in split if not is_except(each))
        excepted = [each for each in split if is_except(each)]
        is_ranked = (
            step.order is not None and step.order.field is not None and not step.groups and self._lists
        )
        entry = self._entry(step.order.field) if is_ranked and step.order and step.order.field else None
        if entry is not None and entry.type not in ORDERED:
            raise ReadingError(
                f"{entry.title} has no order.",
                next_step="Order by amounts, numbers, dates or lengths of time.",
            )
        order = step.order if entry is not None and not excepted else None
        noun = self._noun()
        purpose = verbalise.select_text(f"{noun} of {label}" if label else noun, plain, schema)
        if order is not None and entry is not None:
            purpose = (
                f"{purpose}; the {'highest' if order.descending else 'lowest'} {entry.title.lower()} first"
            )
        node = self.work.steps.select(
            purpose,
            self._scope(),
            plain,
            reason=f"the question is about {schema.title.lower()}"
            if schema is not None
            else "documents of any kind",
            fields=shown if self._lists else (),
            order_by=entry.name if order is not None and entry is not None else "",
            descending=order.descending if order is not None else False,
            limit=(order.limit or None) if order is not None else None,
            skip=order.skip if order is not None else 0,
        )
        inputs = tuple(
            self.work.results[name].set_node or self.work.results[name].node for name in step.within
        )
        if inputs:
            at = self.work.steps.nodes.index(node)
            node = node.model_copy(update={"inputs": tuple(dict.fromkeys((*inputs, *node.inputs)))})
            self.work.steps.nodes[at] = node
        answer = node.id
        for clause in excepted:
            answer = self._difference(answer, clause)
        return answer

    @property
    def _lists(self) -> bool:
        """True where documents themselves are the answer."""
        if self.step.groups or self._is_entity:
            return False
        return self.step.operation in (
            Operation.LIST,
            Operation.LOOKUP,
            Operation.CHECK,
            Operation.RANK,
            Operation.EXISTS,
            Operation.ALL,
            Operation.COMPARE,
        )

    @property
    def _is_entity(self) -> bool:
        """True where the different values of a field are wanted: "which vendors ..."."""
        return self.step.function is Function.DISTINCT

    def _difference(self, whole: str, clause: tuple[Condition | Except, ...]) -> str:
        parts = tuple(each.part for each in clause if isinstance(each, Except))
        if len(parts) != len(clause) or not all(isinstance(each, Condition) for each in parts):
            raise ReadingError("It excludes what no set says.", next_step="Ask for it without the exception.")
        plain = tuple(each for each in parts if isinstance(each, Condition))
        without = self.work.steps.select(
            verbalise.select_text(self._noun(), plain, self.schema),
            self._scope(),
            plain,
            reason="the question excludes them",
        )
        return self.work.steps.difference(
            "Leave these out", (whole, without.id), reason="the question excludes them"
        ).id

    def _scope(self) -> Scope:
        name = self.schema.name if self.schema is not None else ""
        buckets = self.work.reading.buckets or self.work.context.buckets
        return Scope(buckets=buckets, schema_name=name, documents=self.scope_documents or ())

    def _noun(self) -> str:
        for name in self.step.of_role("kind"):
            if not name.negated:
                return name.words.lower()
        return self.schema.title.lower() if self.schema is not None else "documents"

    # -- answers ---------------------------------------------------------------------------------------

    def _answer(self, source: str) -> StepResult:
        if self._lists:
            self._note_asked()
            return StepResult(source, "documents", source, self.schema)
        return self._aggregate(source)

    def _note_asked(self) -> None:
        for each in self.step.asked:
            self._note(each.words, f"{self._entry(each).title} is asked for", each.probability)

    def _aggregate(self, source: str) -> StepResult:
        step = self.step
        groups = tuple(self._group(each) for each in step.groups)
        measure = self._entry(step.asked[0]) if step.asked else None
        function, name = self._function(measure)
        top, descending, skip = 0, True, 0
        if (
            self._is_entity
            and step.operation in (Operation.LIST, Operation.RANK, Operation.GROUP)
            and measure is not None
        ):
            groups, function, name = (measure.name, *groups), Calculation.COUNT, ""
        if step.order is not None and groups:
            top, descending, skip = step.order.limit or MANY_GROUPS, step.order.descending, step.order.skip
        having = None
        if step.having is not None and step.having.values:
            having = Condition(field=name or "rows", op=step.having.op, value=step.having.values[0])
        node = self.work.steps.aggregate(
            verbalise.aggregate_text(function, name, groups, self._noun(), self.schema),
            (source,),
            function,
            name,
            group_by=groups[:3],
            top=top,
            descending=descending,
            skip=skip,
            having=having,
            reason="computed over all that were found, never over a selection of hits",
        )
        if step.function is Function.SHARE and not groups:
            at = self.work.steps.nodes.index(node)
            self.work.steps.nodes[at] = node.model_copy(update={"as_share": True})
        return StepResult(node.id, "groups" if groups else "value", source, self.schema)

    def _function(self, measure: FieldEntry | None) -> tuple[Calculation, str]:
        """The calculation with its field; the number of documents where nothing else is asked."""
        step = self.step
        if step.function in (Function.NONE, Function.COUNT, Function.SHARE):
            if step.operation is not Operation.COMPUTE or measure is None or step.function is Function.SHARE:
                if (
                    step.operation is Operation.GROUP
                    and measure is not None
                    and measure.type in AMOUNTS
                    and step.function is Function.NONE
                ):
                    return Calculation.SUM, measure.name
                return Calculation.COUNT, ""
            return Calculation.SUM, measure.name
        if step.function is Function.DISTINCT:
            return (Calculation.DISTINCT, measure.name) if measure is not None else (Calculation.COUNT, "")
        if measure is None:
            usual = self._usual(FieldType.MONEY)
            if usual is None:
                raise ReadingError(
                    f"Nothing is said of what the {step.function.value} is to be.", next_step="Name a field."
                )
            self.work.note("", f"{usual.title} is what is computed, since no field is named")
            return Calculation(step.function.value), usual.name
        self._note(step.asked[0].words, f"{measure.title} is computed with", step.asked[0].probability)
        return Calculation(step.function.value), measure.name

    def _usual(self, kind: FieldType) -> FieldEntry | None:
        fields = self.schema.fields if self.schema is not None else ()
        own = sorted((each for each in fields if each.type is kind), key=lambda each: -each.documents)
        return own[0] if own else None

    def _group(self, read: ReadField) -> str:
        entry = self._entry(read)
        self._note(read.words, f"For each {entry.title}", read.probability)
        if read.part:
            return f"{entry.name}.{read.part}"
        return f"{entry.name}.year" if entry.type is FieldType.DATE else entry.name

    def _comparison(self) -> StepResult:
        """Documents that are named held against one another, or the numbers of several conditions."""
        step = self.step
        named = step.of_role("document") or step.of_role("party")
        named = tuple(each for each in named if not each.negated)
        if len(named) >= 2:
            return self._compared_names(named)
        if len(step.conditions) >= 2 and not named:
            return self._compared_counts()
        raise ReadingError("It compares fewer than two things.", next_step="Name both sides.")

    def _compared_names(self, named: Sequence[ReadName]) -> StepResult:
        step = self.step
        asked = step.asked or tuple(each.field for each in step.conditions if not each.values)
        if not asked:
            raise ReadingError("Nothing is said of what is compared.", next_step="Name a field.")
        rest = tuple(each for each in step.conditions if each.values)
        results: list[StepResult] = []
        whole = self.step
        for name in named:
            self.scope_documents = None
            formula = self._names_formula((name,))
            self.step = replace_step(whole, asked=asked)
            results.append(
                StepResult(self._set(formula, rest, label=name.words), "documents", schema=self.schema)
            )
            self.step = whole
        labels = tuple(unique_labels([each.words for each in named]))
        made = compared(replace_step(whole, asked=asked), results, labels, self.work)
        for each in asked:
            self._note(each.words, f"{self._entry(each).title} is compared", each.probability)
        return made

    def _compared_counts(self) -> StepResult:
        step = self.step
        counts: list[str] = []
        labels: list[str] = []
        names = self._names_formula(step.names)
        for each in step.conditions:
            source = self._set(names, (each,))
            counts.append(self.work.steps.aggregate("Count them", (source,), Calculation.COUNT).id)
            labels.append(each.words or self._entry(each.field).title)
        how = CALCULATED.get(step.outcome, "greatest")
        node = self.work.steps.calculate(
            "Hold the numbers beside each other", how, tuple(counts), tuple(unique_labels(labels))
        )
        return StepResult(node.id, "value", schema=self.schema)

    def _note(self, words: str, reading: str, probability: float = 1.0) -> None:
        self.work.note(words, reading, "", probability)


def replace_step(step: Step, **parts: object) -> Step:
    """The step with some of its parts exchanged."""
    return step.model_copy(update=parts)


def _said(formula: Formula, schema: SchemaEntry | None, *, negative: bool) -> str:
    shown = negated(formula) if negative else formula
    if isinstance(shown, Condition):
        return verbalise.condition_text(shown, schema)
    if isinstance(shown, Either) and all(isinstance(each, Condition) for each in shown.parts):
        choice = Choice(any_of=tuple(each for each in shown.parts if isinstance(each, Condition))[:50])
        return verbalise.conditions_text((choice,), schema)
    return "several conditions"


def _named(found: Sequence[object], *, negated: bool) -> str:
    count = len(found)
    said = "names one document" if count == 1 else f"names {count} documents"
    return f"{said}, left out" if negated else said
