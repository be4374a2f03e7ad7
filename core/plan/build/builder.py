"""Nodes of a plan, built from the syntax tree of its question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.build.conditions import (
    Both,
    Except,
    Formula,
    as_condition,
    clauses,
    is_except,
    plain_conditions,
)
from core.plan.build.deciding import asks_for_any
from core.plan.build.hops import Hops
from core.plan.build.typer import Typer
from core.plan.catalogue import DocumentEntry, FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError, which_document
from core.plan.guards.ambiguity import by_length
from core.plan.ir import verbalise
from core.plan.ir.nodes import (
    MAX_NODES,
    Choice,
    Condition,
    Node,
    Note,
    Scope,
    SelectionNode,
)
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    DayRange,
    Described,
    DocumentSet,
    FieldSenses,
    Noun,
    Parties,
    Piece,
    stems,
)
from core.plan.language.syntax.tree import (
    DURATION,
    All,
    AnswerIntent,
    Chooser,
    Expression,
    GroupKey,
    Order,
    Test,
    Tree,
    elect,
    names_fields,
    tests,
    usual_date,
)

_TYPES: dict[str, Collection[FieldType]] = {"when": (FieldType.DATE,), "much": AMOUNTS}
_NEARLY = 0.06


def asked_field(chooser: Chooser, fields: FieldSenses, text: str, asks: str) -> FieldEntry | None:
    """The field that is shown; asks: how the question begins. None where the schema has none."""
    entry = chooser.field(fields, text, _TYPES.get(asks, ()))
    if entry is not None:
        return _measured(chooser, fields, entry)
    named = chooser.field(fields, text)
    if asks == "much" and named is not None and named.type is FieldType.DATE:
        return chooser.first(FieldType.MONEY) or named
    return _measured(chooser, fields, named) if named is not None else None


def _measured(chooser: Chooser, fields: FieldSenses, entry: FieldEntry) -> FieldEntry:
    """Field that a clause measures, where the words name it nearly as well: a period rather than terms."""
    own = [each for each in fields.matches if each.field.schema == chooser.schema.name]
    near = [m.field for m in own if m.field.type in ORDERED and own[0].weight - m.weight < _NEARLY]
    return near[0] if entry.type is FieldType.BOOLEAN and near and near[0].documents else entry


def checked(tree: Tree, schema: SchemaEntry) -> Tree:
    """ "Can the services agreement be terminated for convenience?": a clause of one document is looked up.

    The parties of the document say nothing new, and neither do roles ("either party").
    """
    if tree.intent is not AnswerIntent.CHECK or tree.where is None:
        return tree
    parts = _flat(tree.where)
    named: list[Test] = []
    clauses: list[FieldSenses] = []
    parties: list[Piece] = []
    document: DocumentEntry | None = None
    for part in parts:
        if isinstance(part.operand, DocumentSet) and part.fields is None:
            own = [each for each in part.operand.documents if each.schema == schema.name]
            if len(own) != 1 or (document is not None and document.id != own[0].id):
                return tree
            document = own[0]
            named.append(part)
    for part in parts:
        if part in named:
            continue
        if document is None:
            return tree
        if isinstance(part.operand, Parties):
            if not {each.normal for each in part.operand.parties} & set(document.parties):
                return tree
            parties += part.pieces
        elif part.fields is None or part.operand is not None:
            return tree
        else:
            clauses.append(part.fields)
    kinds = [_own_types(each, schema) for each in clauses]
    asked = [each for each, types in zip(clauses, kinds, strict=True) if FieldType.BOOLEAN in types[:1]]
    rest = [types for types in kinds if FieldType.BOOLEAN not in types[:1] and FieldType.PARTY not in types]
    names = {_first(each, schema) for each in asked}
    if len(names) != 1 or rest or not named:
        return tree
    whole = replace(named[0], pieces=(*named[0].pieces, *parties))
    return replace(tree, where=whole, shown=(asked[0],))


def _flat(expression: Expression) -> list[Test]:
    """Conditions that must all hold; [] where they are joined in any other way."""
    if isinstance(expression, Test):
        return [expression]
    if not isinstance(expression, All):
        return []
    parts = [_flat(part) for part in expression.parts]
    return [test for part in parts for test in part] if all(parts) else []


def _own_types(fields: FieldSenses, schema: SchemaEntry) -> list[FieldType]:
    return [match.field.type for match in fields.matches if match.field.schema == schema.name]


def _first(fields: FieldSenses, schema: SchemaEntry) -> str:
    return next(match.field.name for match in fields.matches if match.field.schema == schema.name)


def check_single(tree: Tree, schema: SchemaEntry, lexicon: Lexicon, *, question: str) -> None:
    """Asks which document is meant where a question about one fits several. Raises AskBackError."""
    is_of_one = tree.intent in (AnswerIntent.LOOKUP, AnswerIntent.CHECK) and not asks_for_any(question)
    if not is_of_one or (tree.subject and tree.subject.is_plural):
        return
    conditions = [test for test in tests(tree.where) if test.fields is None]
    is_described = any(isinstance(test.operand, Described) for test in conditions)
    for test in conditions if not is_described else ():
        if isinstance(test.operand, DocumentSet):
            own = [each for each in test.operand.documents if each.schema == schema.name]
            if len(own) > 1:
                raise AskBackError(which_document(question, test.text, own))
    if tree.subject is None or any(isinstance(test.operand, DocumentSet) for test in conditions):
        return
    named = [test for test in conditions if isinstance(test.operand, Parties)]
    fitting = _naming(
        [t.operand for t in named if isinstance(t.operand, Parties)], tree.subject.kind, schema, lexicon
    )
    if named and len(fitting) > 1:
        raise AskBackError(which_document(question, named[0].text, fitting))


def _naming(parties: list[Parties], kind: str, schema: SchemaEntry, lexicon: Lexicon) -> list[DocumentEntry]:
    """The documents of the schema and kind that name all of the organisations."""
    normals = [{each.normal for each in one.parties} for one in parties]
    return [
        each
        for each in lexicon.catalogue.documents
        if each.schema == schema.name
        and (not kind or each.kind == kind)
        and all(normal & set(each.parties) for normal in normals)
    ]


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
            if tree.intent is AnswerIntent.COUNT:
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
        """Function and its field: the count of documents where nothing else is asked."""
        tree = self._tree
        measure = tree.measure or (tree.order.fields if tree.order is not None else None)
        if tree.order is not None and (tree.entity is not None or tree.groups):
            return self._ranked(measure)
        if tree.function is None:
            return Function.COUNT, ""
        types = ORDERED if tree.function in (Function.MIN, Function.MAX) else AMOUNTS
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

    def _ranked(self, measure: FieldSenses | None) -> tuple[Function, str]:
        """Rank of groups: the number in each, the extreme of a field, or its sum where said so."""
        inner = self._tree.inner or (measure.function if measure is not None else None)
        if measure is None:
            return Function.COUNT, ""  # "which vendor has the most contracts"
        field = self._field(measure, "", AMOUNTS).name
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
            return order, self._field(order.fields, order.text, ORDERED)
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
        return self._chooser.field(fields, hint, ORDERED) if fields is not None else None

    def _group(self, group: GroupKey) -> str:
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

    def _field(self, fields: FieldSenses, text: str, types: Collection[FieldType]) -> FieldEntry:
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


_KINDS = {
    AnswerIntent.LOOKUP: Kind.LOOKUP,
    AnswerIntent.CHECK: Kind.LOOKUP,
    AnswerIntent.COMPARE: Kind.COMPARISON,
}


@dataclass(frozen=True, slots=True)
class BuiltPlan:
    """Plan of a tree. single: as in `Plan`."""

    nodes: tuple[Node, ...]
    answer: str
    kind: Kind
    notes: tuple[Note, ...]
    uncovered: tuple[str, ...]
    single: str = ""


def usual_noun(tree: Tree, lexicon: Lexicon) -> Noun | None:
    """Contracts where fields of contracts are asked about and no noun says of which documents."""
    is_bare = tree.intent is AnswerIntent.LOOKUP and not tree.asks and tree.measure is None
    is_list = (tree.intent is AnswerIntent.LIST or is_bare) and tree.entity is None and not tree.groups
    if not is_list or any(isinstance(test.operand, DocumentSet) for test in tests(tree.where)):
        return None
    noun = next((each for each in lexicon.nouns((elect(tree, lexicon)[:-1],)) if each.kind), None)
    return None if noun is None or noun.kind != "agreement" else replace(noun, is_plural=True)


class Builder(Computing):
    """Builds the plan of one question. Raises AskBackError, NotStructuredError."""

    def __init__(
        self,
        tree: Tree,
        lexicon: Lexicon,
        question: str,
        buckets: tuple[str, ...],
        today: date,
        *,
        readable: bool = False,
    ) -> None:
        tree = replace(tree, subject=tree.subject or usual_noun(tree, lexicon))
        self._tree = tree
        self._readable = readable
        self._buckets = buckets
        self._today = today
        name = elect(tree, lexicon)
        schema = lexicon.catalogue.schema(name)
        if schema is None or (
            tree.subject is not None and not tree.subject.schema and not names_fields(tree)
        ):
            raise NotStructuredError
        self._schema: SchemaEntry = schema
        self._lexicon = lexicon
        self._question = question
        self._chooser = Chooser(lexicon, schema, question)
        self._hops = Hops(lexicon, buckets, question)
        self._typer = Typer(lexicon, self._chooser, self._hops, question, today)
        self._shown: list[str] = []
        self._kind = Kind.AGGREGATE

    def build(self) -> BuiltPlan:
        """The nodes; every content word is in them or in `uncovered`."""
        tree = self._tree
        check_single(tree, self._schema, self._lexicon, question=self._question)
        self._typer.usual_date = usual_date(tree)
        self._typer.of_values = tree.entity is not None
        if tree.intent is not AnswerIntent.COMPARE:
            self._shown += [self._field(each, "", ()).name for each in tree.shown]
        where = self._without_shown(tree.where)
        answer = self._compare(where) if tree.intent is AnswerIntent.COMPARE else self._one_set(where)
        typed = self._typer.typed
        left = [piece.text for piece in tree.leftover]
        nodes = tuple(self._hops.nodes)
        if len(nodes) > MAX_NODES:
            raise NotStructuredError
        kind = _KINDS.get(tree.intent, self._kind)
        return BuiltPlan(
            nodes, answer, kind, tuple(typed.notes), tuple(dict.fromkeys([*typed.uncovered, *left]))
        )

    def _one_set(self, where: Expression | None) -> str:
        tree = self._tree
        order, entry = self._order(tree.order)
        source = self._select(where, order=order, entry=entry)
        is_set = tree.intent in (
            AnswerIntent.LIST,
            AnswerIntent.LOOKUP,
            AnswerIntent.CHECK,
            AnswerIntent.RANK,
        )
        if is_set and not tree.groups and tree.entity is None:
            return source
        return self._aggregate(source)

    def _select(
        self,
        where: Expression | None,
        *,
        order: Order | None = None,
        entry: FieldEntry | None = None,
        label: str = "",
    ) -> str:
        """Adds the Select of a condition, and a difference where only that says it; gives the id."""
        parts: list[Formula] = []
        kind = self._typer.noun(self._tree.subject)
        if kind is not None:
            parts.append(kind)
        if where is not None and (found := self._typer.formula(where)) is not None:
            parts.append(found)
        parts += self._ahead(where, order, entry)
        split = clauses(Both(tuple(parts))) if parts else []
        if split is None:
            raise NotStructuredError
        plain = tuple(as_condition(plain_conditions(each)) for each in split if not is_except(each))
        excepted = [each for each in split if is_except(each)]
        grouped = self._tree.groups or self._tree.entity is not None
        ranked = order is not None and entry is not None and not grouped
        node = self._node(plain, label, entry if ranked else None, order if ranked and not excepted else None)
        answer = node.id
        for clause in excepted:
            answer = self._difference(answer, clause, label)
        return answer

    def _ahead(
        self, where: Expression | None, order: Order | None, entry: FieldEntry | None
    ) -> list[Formula]:
        """Formulas of "next": not before today, where no period is named."""
        if order is None or entry is None or not order.ahead or entry.type is not FieldType.DATE:
            return []
        if any(isinstance(test.operand, DayRange) for test in tests(where)):
            return []
        self._note("", f"{entry.title} not before today, since the next is asked for")
        return [Condition(field=entry.name, op=Operator.GREATER_EQUAL, value=self._today.isoformat())]

    def _node(
        self,
        conditions: tuple[Condition | Choice, ...],
        label: str,
        entry: FieldEntry | None,
        order: Order | None,
    ) -> SelectionNode:
        noun = self._noun() if not label else f"{self._noun()} of {label}"
        documents = self._typer.typed.documents
        purpose = verbalise.select_text(noun, conditions, self._schema)
        fields = tuple(dict.fromkeys([*self._shown, *([entry.name] if entry else [])]))
        if order is not None and entry is not None:
            first = "highest" if order.descending else "lowest"
            purpose = f"{purpose}; the {first} {entry.title.lower()} first"[:300]
        if documents == ():
            raise NotStructuredError  # names that fit no document together
        return self._hops.select(
            purpose,
            self._scope(documents or ()),
            conditions,
            reason=f"the question is about {self._schema.title.lower()}",
            fields=fields,
            order_by=entry.name if entry and order else "",
            descending=order.descending if order else False,
            limit=(order.count or None) if order and entry else None,
        )

    def _scope(self, documents: tuple[str, ...]) -> Scope:
        name = self._schema.name
        return Scope(buckets=self._buckets, schema_name=name, documents=documents, readable=self._readable)

    def _difference(self, whole: str, clause: tuple[Condition | Except, ...], label: str) -> str:
        parts = tuple(each.part for each in clause if isinstance(each, Except))
        if len(parts) != len(clause) or not all(isinstance(each, Condition) for each in parts):
            raise NotStructuredError
        without = self._node(tuple(each for each in parts if isinstance(each, Condition)), label, None, None)
        reason = "the question excludes them"
        return self._hops.difference("Leave these out", (whole, without.id), reason=reason).id

    def _compare(self, where: Expression | None) -> str:
        fields = tuple(dict.fromkeys(self._field(each, "", ()).name for each in self._tree.shown))
        if not fields:
            raise NotStructuredError
        self._shown = list(fields)
        sources, labels = [], []
        for side in self._tree.sides:
            part: Expression = side.test if where is None else All((side.test, where))
            self._typer.typed.documents = None
            sources.append(self._select(part, label=side.label))
            labels.append(side.label)
        titles = " and ".join(verbalise.title_of(self._schema, each) for each in fields)
        node = self._hops.compare(
            f"Compare {titles} of {', '.join(labels)}",
            tuple(sources),
            tuple(_unique(labels)),
            fields,
            outcome=self._tree.outcome,
            reason="the question compares these sides",
        )
        return node.id

    def _without_shown(self, where: Expression | None) -> Expression | None:
        """A lookup names fields to be shown: "when does X expire"; these are no conditions."""
        tree = self._tree
        if tree.measure is not None and tree.intent in (
            AnswerIntent.LIST,
            AnswerIntent.LOOKUP,
            AnswerIntent.CHECK,
        ):
            self._shown.append(self._field(tree.measure, "", ()).name)
        if where is None:
            return where
        parts = where.parts if isinstance(where, All) else (where,)
        kept: list[Expression] = []
        if tree.intent is not AnswerIntent.LOOKUP:
            kept = [part for part in parts if not self._repeats_measure(part)]
            return None if not kept else kept[0] if len(kept) == 1 else All(tuple(kept))
        for part in parts:
            if isinstance(part, Test) and part.fields is not None and part.operand is None:
                entry = asked_field(self._chooser, part.fields, part.text, tree.asks)
                if entry is None:
                    raise NotStructuredError
                self._note(part.text, f"{entry.title} is asked for")
                self._shown.append(entry.name)
            else:
                kept.append(part)
        self._check_shown()
        return None if not kept else kept[0] if len(kept) == 1 else All(tuple(kept))

    def _check_shown(self) -> None:
        """Refuse clauses to show, which stand in the text: "what is the termination clause of X". Raises."""
        shown = [self._schema.field(name) for name in self._shown]
        if shown and all(each is not None and each.type is FieldType.BOOLEAN for each in shown):
            raise NotStructuredError

    def _repeats_measure(self, part: Expression) -> bool:
        """True where a part only names again what is computed: "total spend"."""
        measure = self._tree.measure or (self._tree.order.fields if self._tree.order else None)
        if measure is None or not isinstance(part, Test) or part.fields is None or part.operand is not None:
            return False
        if part.fields.is_verb:
            return True  # "total VAT paid"
        names = {match.field.name for match in measure.matches if match.field.schema == self._schema.name}
        return any(m.field.name in names for m in part.fields.matches if m.field.schema == self._schema.name)


def _unique(labels: list[str]) -> list[str]:
    made: list[str] = []
    for label in labels:
        made.append(label if label not in made else f"{label} ({made.count(label) + 1})")
    return made
