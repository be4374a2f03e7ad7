"""Compilation of a step over documents and their fields: its sets, and what is computed or told of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.compile.context import (
    Clauses,
    Compilation,
    Formula,
    ReadingError,
    StepResult,
    all_of,
    any_of,
    negated,
    one_of,
    unique_labels,
)
from core.plan.compile.names import documents_named, ids_of, parties_named, titled, value_node, with_parties
from core.plan.compile.step import EXCLUDED, LISTED, Entry, StepCompiler, Texts, compared, require_sides
from core.plan.compile.values import EQUALS, comparison, compiled, on_groups, ordered, target_of
from core.plan.ir import verbalise
from core.plan.ir.nodes import Condition, OtherField, Reference, Scope, schema_of
from core.plan.ir.validate import gives
from core.plan.kinds import NAME, FoundKind, KindName, elected, kind_names, title_words
from core.plan.reading import Function, Operation, ReadCondition, ReadField, ReadName, ReadOrder, Step
from core.text.nouns import singular
from core.values.numbers import ONES, TENS

OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_TRUE = ("true", "yes", "present")
_KIND_VOTE = 2.0
_NAME_VOTE = 1.0
_BEFORE_NOUNS = frozenset(("which", "what", "many", "a", "an", "the", "this", "that", "each", "every", "any"))
_BEFORE_NOUNS |= {"no", "our", "my", "your", "their", "its", "all", "some", "of", "another", "one", "per"}
_BEFORE_VERBS = frozenset(("i", "we", "you", "they", "to", "please", "and"))
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class DocumentsCompiler(StepCompiler):
    """Compilation of one step over documents and their fields.

    scope_documents: those that it names, None for no restriction. inner: results that it narrows; left_out:
    nodes of sets that are left out; excluded: documents that are. label: whose the documents are.
    """

    of = "documents"
    columns = "fields"
    computed_over = "computed over all that were found, never over a selection of hits"

    scope_documents: Texts | None = None
    inner: list[StepResult] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    excluded: Texts = ()
    label: str = ""

    def compile(self) -> StepResult:
        """The nodes of the step. Raises ReadingError, AskBackError."""
        step = self.step
        self.schema = _chosen_schema(step, self.work)
        if step.operation is Operation.COMPARE:
            return self._comparison()
        # Where values of theirs are asked for ("which vendors ..."), documents are no answer.
        is_listed = not step.groups and step.function is not Function.DISTINCT and step.operation in LISTED
        is_cut = step.order is not None and step.order.field is not None and step.order.limit > 0
        is_ordered = is_listed or (is_cut and step.function is not Function.DISTINCT)
        names = self._names(step.names)
        asked = [self.entry(each) for each in step.asked] if self.schema is not None else []
        order = step.order if is_ordered and not step.groups else None
        source = self._set(names, step.conditions, shown=step.asked if is_listed else (), order=order)
        if not is_listed:
            return self.computed(source)
        for each, entry in zip(step.asked, asked, strict=False):
            self.note(each.words, f"{entry.title} is asked for", each.probability)
        if step.having is not None:
            self.work.uncovered.append(step.having.words or "a condition on groups")
        return StepResult(source, "documents", source, self.schema)

    def _names(self, names: Sequence[ReadName]) -> Formula | None:
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
                is_set=self.step.operation not in OF_ONE and name.role == "party",
            )
            if self.schema is None and len({each.schema for each in found}) == 1 and found[0].schema:
                self.schema = self.catalogue.schema(found[0].schema)
            (left_out if name.negated else scoped).extend(ids_of(found))
            self.note(name.words, _named(found, negated=name.negated), name.probability)
        if scoped:
            self._restrict(tuple(dict.fromkeys(scoped)))
        self.excluded = tuple(dict.fromkeys((*self.excluded, *left_out)))
        return all_of(parts)

    def _described(self, name: ReadName) -> Formula | None:
        """That a party is the one that a step found; None for a set of documents, which narrows the step."""
        result = self.work.result(name.described, name.words)
        if name.role != "party" and result.gives in ("documents", "rows"):
            if name.negated:
                self.left_out.append(result.any_set)
            else:
                self.inner.append(result)
            self.note(name.words, "documents that are found first", name.probability)
            return None
        fields = self.schema.fields if self.schema is not None else ()
        parties = [each.name for each in fields if each.type is FieldType.PARTY]
        if name.role != "party" or not parties:
            raise ReadingError(
                f"“{name.words}” is no document, nor an organisation that one names.",
                "Ask for it first.",
                words=name.words,
            )
        node = value_node(name.described, self.work, words=name.words)
        self.note(name.words, "an organisation that is looked up first", name.probability)
        value = Reference(node=node)
        return any_of(Condition(field=each, op=Operator.EQUAL, value=value) for each in parties)

    def _restrict(self, ids: Texts) -> None:
        before = self.scope_documents
        self.scope_documents = ids if before is None else tuple(each for each in before if each in ids)
        if not self.scope_documents:
            raise ReadingError("No document is called all of this.", "Name fewer documents.")

    def _party(self, name: ReadName) -> Formula | None:
        """The condition of an organisation; None where its words name documents at best."""
        parties = parties_named(name.words, self.catalogue)
        schema, denied = self.schema, name.negated
        formula = with_parties(parties, schema, is_denied=denied) if schema is not None else None
        if formula is not None:
            titles = " or ".join(dict.fromkeys(each.name for each in parties))
            self.note(name.words, f"{'not ' if name.negated else ''}with {titles}", name.probability)
        return formula

    def _kind(self) -> Formula | None:
        """The condition of the kinds that are named."""
        named = self.step.of_role("kind")
        if self.schema is None:
            for name in named:
                if (kind := kind_names(self.catalogue).of(name.words)) is None or kind.titles:
                    self._titled(name)
            return None
        names = kind_names(self.catalogue)
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
        # A kind that is left out by itself: all others are meant.
        says_kind = any(isinstance(each, Condition) and each.field == verbalise.KIND for each in without)
        if not parts and not says_kind and (unmarked := self._unmarked_kind()) is not None:
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
        kinds = _unmarked_kinds(self.step, self.work)
        return next((_of_kind(each, schema) for each in kinds if each.schema == schema.name), None)

    def _titled(self, name: ReadName) -> None:
        """Narrow to the documents in whose titles the words stand; uncovered where there are none."""
        found = ids_of(titled(name.words, self.catalogue, self.schema))
        if not found:
            self.work.uncovered.append(name.words)
        elif name.negated:
            self.excluded = tuple(dict.fromkeys((*self.excluded, *found)))
        else:
            self._restrict(found)
        if found:
            self.note(name.words, f"documents whose title says {name.words}", name.probability)

    def of_two(self, read: ReadCondition) -> Formula:
        """That one field compares so with another, or the time from one day to another with a length."""
        entry = self.entry(read.field.model_copy(update={"other": ""}))
        other = self.entry(read.of_field or read.field.all_of_it[1])
        if read.of_field is not None and not read.field.other:
            return Condition(field=entry.name, op=read.op, value=OtherField(field=other.name))
        if read.of_field is not None or read.field.combined != "less" or entry.type is not FieldType.DATE:
            raise ReadingError(
                f"Of {entry.title} and {other.title} no condition is made.",
                "Compare one with the other, or subtract one day from another.",
                words=read.words,
            )
        value = read.values if len(read.values) > 1 else read.values[0]
        return Condition(field=entry.name, op=read.op, value=value, minus=other.name)

    def compared(self, entry: Entry, read: ReadCondition) -> Formula:
        """That a field compares with values so. Raises ReadingError."""
        if entry.type is FieldType.BOOLEAN:
            is_true = (read.values[0].casefold() in _TRUE) is (read.op is not Operator.NOT_EQUAL)
            return self.present(entry) if is_true else negated(self.present(entry))
        target = target_of(entry, self.catalogue)
        if entry.type is not FieldType.PARTY or read.op not in EQUALS:
            return comparison(read.op, read.values, target)
        field = "" if isinstance(entry, FieldEntry) and entry.many else entry.name
        schema, is_denied = self.schema, read.op is Operator.NOT_EQUAL or read.negated
        ways: list[Formula] = []
        for value in read.values:
            parties = parties_named(value, self.catalogue)
            formula = with_parties(parties, schema, field, is_denied=is_denied) if schema else None
            ways.append(formula or compiled(Operator.EQUAL, (value,), target))
        made = any_of(ways)
        return negated(made, is_other=True) if read.op is Operator.NOT_EQUAL else made

    def entry(self, read: ReadField) -> FieldEntry:
        """The field of the schema. Raises ReadingError where it has none of that name."""
        entry = self.schema.field(read.name) if self.schema is not None else None
        if read.other:
            raise ReadingError(
                f"{read.name} and {read.other} are fields, and only columns of tables are calculated with.",
                "Compute each in a step of its own, and make one figure of both in a third.",
                words=read.words,
            )
        if entry is None:
            title = self.schema.title if self.schema is not None else "Documents of any kind"
            raise ReadingError(
                f"{title} has no field {read.name!r}.",
                "Use a field of that kind, or ask another kind in a step of its own.",
                words=read.words,
            )
        return entry

    def _set(
        self,
        names: Formula | None,
        conditions: Sequence[ReadCondition],
        *,
        shown: Sequence[ReadField] = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of the documents that are of the kind, and fulfil names and conditions.

        shown: fields that are shown of each document.
        """
        parts = [each for each in (self._kind(), names) if each is not None]
        fields = tuple(dict.fromkeys(self.entry(each).name for each in shown)) if self.schema else ()
        within = self.narrowed(self.inner)
        if self.step.operation is Operation.CHECK and names is not None and conditions:
            within, parts = self.make(parts, within), []  # what is asked of these, and of no others
        parts += self.formulas(conditions)
        is_less = bool(self.left_out or self.excluded)
        return self.make(parts, within, fields, order, [self._leaving_out] if is_less else ())

    def _as_it_is(self, within: str) -> bool:
        """True of a set of documents of the schema that is narrowed by nothing more."""
        nodes = {each.id: each for each in self.work.steps.nodes}
        schema = self.schema.name if self.schema is not None else ""
        return gives(nodes[within]) == "documents" and schema_of(nodes[within], nodes) == schema

    def selected(
        self,
        conditions: Clauses,
        within: str = "",
        fields: Texts = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of the documents that fulfil conditions."""
        is_bare = not (conditions or fields or order or self.scope_documents)
        if within and is_bare and self._as_it_is(within):
            return within
        noun = f"{self.noun} of {self.label}" if self.label else self.noun
        purpose = verbalise.select_text(noun, conditions, self.schema)
        by = self._ordering(order) if order is not None and order.field is not None else None
        if order is not None and by is not None:
            purpose = f"{purpose}; the {'highest' if order.descending else 'lowest'} {by.title.lower()} first"
        about = (
            f"the question is about {self.schema.title.lower()}" if self.schema else "documents of any kind"
        )
        name = self.schema.name if self.schema is not None else ""
        scope = Scope(buckets=self.buckets, schema_name=name, documents=self.scope_documents or ())
        parts = ordered(order, by.name if by is not None else "")
        steps = self.work.steps
        return steps.select(
            purpose, scope, conditions, reason=about, fields=fields, within=within, **parts
        ).id

    def _ordering(self, order: ReadOrder) -> FieldEntry:
        assert order.field is not None  # as its caller checks
        entry = self.entry(order.field)
        if entry.type not in ORDERED:
            raise ReadingError(
                f"{entry.title} has no order.",
                "Order by amounts, numbers, dates or lengths of time.",
                words=order.words,
            )
        return entry

    def _leaving_out(self, answer: str) -> str:
        """The node without the sets and the documents that names leave out."""
        rest = list(self.left_out)
        if self.excluded:
            scope, steps = Scope(documents=self.excluded), self.work.steps
            rest.insert(0, steps.select("Find the documents to leave out", scope, reason=EXCLUDED).id)
        for each in rest:
            answer = self.without(answer, each)
        return answer

    @property
    def noun(self) -> str:
        """By what the documents are called."""
        named = next((each.words.lower() for each in self.step.of_role("kind") if not each.negated), "")
        return named or (self.schema.title.lower() if self.schema is not None else "documents")

    # -- figures ---------------------------------------------------------------------------------------

    def purpose(self, function: Calculation, name: str, groups: Texts = ()) -> str:
        """What a node computes, in words."""
        return verbalise.aggregate_text(function, name, groups, self.noun, self.schema)

    def usual(self, function: Calculation) -> FieldEntry:
        """The amount of money that most documents state. Raises ReadingError where they have none."""
        found = self.schema.usual_amount if self.schema is not None else None
        if found is None:
            raise ReadingError(f"Nothing is said of what the {function.value} is to be.", "Name a field.")
        self.note("", f"{found.title} is what is computed, since no field is named")
        return found

    def whole(self, *, within: bool) -> str:
        """The node of all documents of the kind, in the sets that the step narrows or in all."""
        kinds = tuple(each for each in self.step.names if each.role == "kind")
        parts = {"names": kinds, "conditions": (), "order": None} | ({} if within else {"within": ()})
        return DocumentsCompiler(self.step.model_copy(update=parts), self.work, self.schema)._set(None, ())

    def share(self, part: str, measure: Entry | None) -> StepResult:
        """The same; a count that is the answer is told as the share of those of which it can be decided."""
        is_sum = measure is not None and measure.type in AMOUNTS
        if is_sum or self.step is not self.work.reading:
            return StepCompiler.share(self, part, measure)
        count, said = Calculation.COUNT, self.purpose(Calculation.COUNT, "")
        having = on_groups(self.step.having, count, "", FieldType.NUMBER, ())
        node = self.work.steps.aggregate(
            said, (part,), count, as_share=True, having=having, reason=self.computed_over
        )
        return StepResult(node.id, "value", part, self.schema)

    def sets_of(self, sides: Sequence[ReadCondition], rest: Sequence[ReadCondition]) -> list[str]:
        """The nodes of the documents that fulfil each of some conditions, and the rest of them."""
        names = self._names(self.step.names)
        return [self._set(names, (*rest, each)) for each in sides]

    def _comparison(self) -> StepResult:
        """Documents that are named held against one another, or the numbers of several conditions."""
        for role in ("document", "party"):
            named = tuple(each for each in self.step.of_role(role) if not each.negated)
            if len(named) >= 2:
                return self._compared_names(named)
        return self.compared_counts()

    def _compared_names(self, named: Sequence[ReadName]) -> StepResult:
        step = self.step
        asked = step.asked or tuple(each.field for each in step.conditions if not each.values)
        rest = tuple(each for each in step.conditions if each.values or step.asked)
        others = tuple(each for each in step.names if each not in named)
        labels = unique_labels([each.words or each.described for each in named])
        require_sides(len(named), step.outcome)
        results: list[StepResult] = []
        shared = self.schema
        for name, label in zip(named, labels, strict=True):
            own = step.model_copy(update={"asked": asked, "names": (*others, name)})
            side = DocumentsCompiler(own, self.work, shared, label=label)
            node = side._set(side._names(own.names), rest, shown=asked)
            self.schema = self.schema or side.schema
            results.append(StepResult(node, "documents", node, side.schema))
        if not asked and all(len(each.documents) == 1 or each.role == "document" for each in named):
            raise ReadingError(
                "Nothing says what of these documents is compared.", "Ask for one of their fields."
            )
        if not asked:
            return self.beside([each.node for each in results], labels)
        made = compared(step.model_copy(update={"asked": asked}), results, labels, self.work)
        for each in asked:
            self.note(each.words, f"{self.entry(each).title} is compared", each.probability)
        return made


def _is_implied(without: Formula, parts: Sequence[Formula]) -> bool:
    """True of a kind that is left out beside another that is asked for."""
    kinds = [each for each in (without, *parts) if isinstance(each, Condition)]
    is_kind = all(each.field == verbalise.KIND and each.op is Operator.EQUAL for each in kinds)
    return is_kind and len(kinds) == 1 + len(parts) > 1 and all(each != without for each in parts)


def _named(found: Sequence[object], *, negated: bool) -> str:
    count = len(found)
    said = "names one document" if count == 1 else f"names {count} documents"
    return f"{said}, left out" if negated else said


def _chosen_schema(step: Step, work: Compilation) -> SchemaEntry | None:
    """The schema that a step is about; None for documents of any kind. Raises ReadingError."""
    catalogue = work.context.catalogue
    if step.kind:
        found = catalogue.schema(step.kind)
        if found is None:
            known = ", ".join(each.name for each in catalogue.schemas if each.documents)
            raise ReadingError(f"There is no kind {step.kind!r}.", f"Name one of: {known}.")
        return found
    for name in (*step.within, *(each.described for each in step.names if each.role == "document")):
        inner = work.results.get(name)
        if inner is not None and inner.schema is not None:
            return inner.schema
    votes = _votes_of_fields(step, work)
    kinds = step.of_role("kind")
    said = [kind_names(catalogue).of(each.words) for each in kinds] if kinds else _unmarked_kinds(step, work)
    for kind in said:
        if kind is not None and kind.schema:
            votes[kind.schema] += _KIND_VOTE
    for named in step.of_role("document"):
        for id in named.documents:
            entry = catalogue.document(id)
            if entry is not None and entry.schema:
                votes[entry.schema] += _NAME_VOTE
    if not votes:
        _vote_by_names(step, work, votes)
    return elected(votes, catalogue)


def _votes_of_fields(step: Step, work: Compilation) -> dict[str, float]:
    catalogue = work.context.catalogue
    votes: dict[str, float] = defaultdict(float)
    held = {each.name for each in catalogue.schemas if each.documents}
    for each in step.fields:
        own = [each.schema_name] if each.schema_name else []
        names = own or [s.name for s in catalogue.schemas if s.field(each.name)]
        if not names:
            raise ReadingError(
                f"No kind of document has a field {each.name!r}.",
                "Use fields of the catalogue, or search the text.",
                words=each.words,
            )
        for name in names:
            votes[name] += each.probability / len(names) * (1.0 if name in held or not held else 0.5)
    return votes


def _vote_by_names(step: Step, work: Compilation, votes: dict[str, float]) -> None:
    """Votes of the fields that organisations stand in, and of documents that are called as a kind is."""
    catalogue = work.context.catalogue
    for name in step.of_role("party"):
        for party in parties_named(name.words, catalogue):
            for schema, _ in party.fields:
                votes[schema] += 1.0
    for name in step.of_role("kind") if not votes else ():
        for document in titled(name.words, catalogue, None):
            if document.schema:
                votes[document.schema] += 1.0


def _unmarked_kinds(step: Step, work: Compilation) -> list[KindName]:
    """Kinds that the question names outside of what the reading took: "how many contracts"."""
    reading = work.reading
    if reading.by == "person" or (reading.by == "trained" and step is not reading):
        return []
    text = reading.question
    taken = [
        *(each.words for each in step.conditions),
        *(each.words for each in step.names),
        *(each.words for each in (*step.asked, *step.groups)),
        *((step.order.words,) if step.order is not None else ()),
    ]
    for words in sorted(filter(None, taken), key=len, reverse=True):
        text = text.replace(words, " · ", 1)
    found = kind_names(work.context.catalogue).find(text)
    return [each.kind for each in found if _is_noun(text, each)]


def _is_noun(text: str, found: FoundKind) -> bool:
    """True of what stands as a noun: in the plural, or behind an article, a number, "which" or "how many".

    "Order all of them" and "please bill" name no documents.
    """
    words = _WORD.findall(text[found.start : found.end].casefold())
    if words and singular(words[-1]) != words[-1]:
        return True
    before = _WORD.findall(text[: found.start].casefold())[-2:]
    if before[-1:] and before[-1] in _BEFORE_VERBS:
        return False
    return any(each in _BEFORE_NOUNS or each.isdigit() or each in ONES or each in TENS for each in before)


def _of_kind(kind: KindName, schema: SchemaEntry) -> Formula | None:
    """The condition that documents of the schema are of a kind; None where all of them are."""
    parts: list[Formula] = []
    if kind.kinds and schema.field(verbalise.KIND) is not None:
        parts.append(one_of(verbalise.KIND, kind.kinds, narrows=True))
    if kind.titles and schema.field(NAME) is not None:
        parts.append(any_of(Condition(field=NAME, op=Operator.CONTAINS, value=each) for each in kind.titles))
    thing = next((each for each in map(schema.field, ("model", "product")) if each is not None), None)
    if kind.is_thing and thing is not None:
        parts.append(Condition(field=thing.name, op=Operator.IS, value="present", narrows=True))
    return all_of(parts)
