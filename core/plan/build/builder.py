"""From a tree to the nodes of a structured plan: Selects, an Aggregate or a Compare, hops before them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from core.domain.answer import Kind
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.build.boolean_form import (
    Both,
    Except,
    Formula,
    as_condition,
    clauses,
    is_except,
    plain_conditions,
)
from core.plan.build.computing import Computing, NotStructuredError
from core.plan.build.hops import Hops
from core.plan.build.lookup_field import asked_field
from core.plan.build.single import check_single
from core.plan.build.typer import Typer
from core.plan.catalogue import FieldEntry, SchemaEntry
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
from core.plan.language.pieces import Documents, Noun, Period
from core.plan.language.syntax.choose import Chooser, elect, names_fields
from core.plan.language.syntax.tree import All, Expression, Intent, Order, Test, Tree, tests, usual_date

_KINDS = {
    Intent.LOOKUP: Kind.LOOKUP,
    Intent.CHECK: Kind.LOOKUP,
    Intent.COMPARE: Kind.COMPARISON,
}


@dataclass(frozen=True, slots=True)
class Built:
    """What a tree came to. single: as in `Plan`."""

    nodes: tuple[Node, ...]
    answer: str
    kind: Kind
    notes: tuple[Note, ...]
    uncovered: tuple[str, ...]
    single: str = ""


def usual_noun(tree: Tree, lexicon: Lexicon) -> Noun | None:
    """Contracts where fields of contracts are asked about and no noun says of which documents."""
    is_bare = tree.intent is Intent.LOOKUP and not tree.asks and tree.measure is None
    is_list = (tree.intent is Intent.LIST or is_bare) and tree.entity is None and not tree.groups
    if not is_list or any(isinstance(test.operand, Documents) for test in tests(tree.where)):
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

    def build(self) -> Built:
        """The nodes; every content word is in them or in `uncovered`."""
        tree = self._tree
        check_single(tree, self._schema, self._lexicon, question=self._question)
        self._typer.usual_date = usual_date(tree)
        self._typer.of_values = tree.entity is not None
        if tree.intent is not Intent.COMPARE:
            self._shown += [self._field(each, "", ()).name for each in tree.shown]
        where = self._without_shown(tree.where)
        answer = self._compare(where) if tree.intent is Intent.COMPARE else self._one_set(where)
        typed = self._typer.typed
        left = [piece.text for piece in tree.leftover]
        nodes = tuple(self._hops.nodes)
        if len(nodes) > MAX_NODES:
            raise NotStructuredError
        kind = _KINDS.get(tree.intent, self._kind)
        return Built(nodes, answer, kind, tuple(typed.notes), tuple(dict.fromkeys([*typed.uncovered, *left])))

    # -- sets of documents -----------------------------------------------------------------------------

    def _one_set(self, where: Expression | None) -> str:
        tree = self._tree
        order, entry = self._order(tree.order)
        source = self._select(where, order=order, entry=entry)
        is_set = tree.intent in (Intent.LIST, Intent.LOOKUP, Intent.CHECK, Intent.RANK)
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
        """What "next" says: not before today, where no period is named."""
        if order is None or entry is None or not order.ahead or entry.type is not FieldType.DATE:
            return []
        if any(isinstance(test.operand, Period) for test in tests(where)):
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

    # -- comparing -------------------------------------------------------------------------------------

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
            reason="the question compares these sides",
        )
        return node.id

    # -- fields ----------------------------------------------------------------------------------------

    def _without_shown(self, where: Expression | None) -> Expression | None:
        """A lookup names fields to be shown: "when does X expire"; these are no conditions."""
        tree = self._tree
        if tree.measure is not None and tree.intent in (Intent.LIST, Intent.LOOKUP, Intent.CHECK):
            self._shown.append(self._field(tree.measure, "", ()).name)
        if where is None:
            return where
        parts = where.parts if isinstance(where, All) else (where,)
        kept: list[Expression] = []
        if tree.intent is not Intent.LOOKUP:
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
        """What a clause says stands in its text: "what is the termination clause of X". Raises."""
        shown = [self._schema.field(name) for name in self._shown]
        if shown and all(each is not None and each.type is FieldType.BOOLEAN for each in shown):
            raise NotStructuredError

    def _repeats_measure(self, part: Expression) -> bool:
        """Whether a part only names again what is computed: "total spend"."""
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
