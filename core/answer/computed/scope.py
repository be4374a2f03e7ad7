"""The scope of a computed answer: which documents count, and how many are beside it, by their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from core.answer.computed.draft import ComputedDraft
from core.answer.computed.wording import MIXED, counted, kind_plural, listed
from core.domain.answer import Ledger, OtherKind
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import (
    Choice,
    ComputationNode,
    Condition,
    Node,
    ScopedNode,
    SelectionNode,
    clause_parts,
    referenced,
    spec_of,
)
from core.plan.ir.verbalise import KIND

_MOST_BUCKETS = 3  # that are named
_SAYS_KIND = (Operator.EQUAL, Operator.IN)
_Kind = tuple[str, str]
"""A schema and a kind of its documents, each "" where nothing tells it."""


def with_said_scope(
    draft: ComputedDraft, node: Node, nodes: Mapping[str, Node], catalogue: Catalogue
) -> ComputedDraft:
    """The draft with its scope in its ledger, and in its text where it leaves kinds out; as `with_scope`."""
    if draft.ledger is None:
        return draft
    ledger = with_scope(draft.ledger, node, nodes, catalogue)
    return replace(draft, ledger=ledger, scope=ledger.scope_said if _tells_kinds(ledger, catalogue) else "")


def with_scope(ledger: Ledger, node: Node, nodes: Mapping[str, Node], catalogue: Catalogue) -> Ledger:
    """The ledger with what is beside its scope in the buckets that were asked, and a sentence that says it.

    node: of the answer; nodes: those behind it, by id. Where all that is asked is one document that is named,
    nothing is beside it.
    """
    parts = scopes_of(node, nodes)
    ends = [each for each in parts if not narrowing(each, nodes)]
    ids = {id for each in ends for id in each.scope.documents}
    if not ends or (len(ids) < 2 and all(each.scope.documents for each in ends)):
        return ledger
    lists = ledger.documents
    known = {*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain}
    is_everywhere = not all(each.scope.buckets for each in ends)
    named = set() if is_everywhere else {name for each in ends for name in each.scope.buckets}
    asked = [each for each in catalogue.documents if not named or each.bucket in named]
    beside = [each for each in asked if each.id not in known and each.id not in lists.unknown_kind]
    schemas = {each.scope.schema_name for each in parts}
    others, rest, kinds = Counter[_Kind](), 0, _Kinds(nodes)
    for (schema, kind), count in Counter(map(_kind_of, beside)).items():
        if kinds.admitted((schema, kind), node):
            rest += count
        else:
            others[schema, kind if schema in schemas else ""] += count
    found = ledger.model_copy(
        update={
            "other_kinds": tuple(
                OtherKind(schema_name=schema, kind=kind, documents=count)
                for (schema, kind), count in sorted(
                    others.items(), key=lambda each: (not each[0][1], -each[1], each[0])
                )
            ),
            "outside": rest,
            "total": ledger.scope + len(beside) + ledger.unknown_kind,
        }
    )
    inside = [entry for id in sorted(known) if (entry := catalogue.document(id)) is not None]
    filled = {each.bucket for each in asked}
    where = named or (filled if len(filled) == 1 else set())
    said = _Sentence(found, catalogue, Counter(map(_kind_of, inside)), _named_kinds(parts), where)
    return found.model_copy(update={"scope_said": said.text()})


def narrowing(node: Node, nodes: Mapping[str, Node]) -> list[Node]:
    """The nodes whose documents a node takes in; those that only find a value to compare with are none."""
    clauses: Iterable[Condition | Choice] = node.conditions if isinstance(node, SelectionNode) else ()
    if isinstance(node, ComputationNode) and node.having is not None:
        clauses = (node.having,)
    values = referenced(clauses)
    return [nodes[id] for id in node.inputs if id in nodes and id not in values]


def scopes_of(node: Node, nodes: Mapping[str, Node]) -> list[ScopedNode]:
    """The nodes that choose the documents that a node is about, its own first."""
    found = {node.id: node}
    waiting = [node]
    while waiting:
        behind = [each for each in narrowing(waiting.pop(), nodes) if each.id not in found]
        found |= {each.id: each for each in behind}
        waiting += behind
    return [each for each in found.values() if isinstance(each, ScopedNode)]


def is_of_kind(clause: Condition | Choice) -> bool:
    """True of a clause that says of which kind documents are, or are not, and nothing more."""
    return all(each.field == KIND for each in clause_parts(clause))


def _tells_kinds(ledger: Ledger, catalogue: Catalogue) -> bool:
    """True where documents of one schema are in scope by their kind, or are of several kinds there.

    Such a scope is said with the answer, and not beside it alone: "contracts" may mean more than is counted.
    """
    lists = ledger.documents
    inside = (catalogue.document(id) for id in (*lists.present, *lists.absent, *lists.uncertain))
    kinds = {_kind_of(each) for each in inside if each is not None and each.kind}
    return any(each.kind for each in ledger.other_kinds) or (
        bool(ledger.scope_said) and len(kinds) > 1 and len({schema for schema, _ in kinds}) == 1
    )


def _kind_of(entry: DocumentEntry) -> _Kind:
    return ("", "") if entry.is_of_unknown_kind else (entry.schema, entry.kind)


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Kinds of documents that can be in the scope of nodes, whatever else they state; each is found once."""

    nodes: Mapping[str, Node]
    known: dict[tuple[_Kind, str], bool] = field(default_factory=dict)

    def admitted(self, kind: _Kind, node: Node) -> bool:
        """True where a document of the kind may be in the scope of the node."""
        if (kind, node.id) not in self.known:
            self.known[kind, node.id] = self._admitted(kind, node)
        return self.known[kind, node.id]

    def _admitted(self, kind: _Kind, node: Node) -> bool:
        behind = narrowing(node, self.nodes)
        if isinstance(node, ScopedNode):
            conditions = node.conditions if isinstance(node, SelectionNode) else ()
            is_own = node.scope.schema_name in ("", kind[0])
            is_own = is_own and all(_fits(kind[1], each) for each in conditions)
            return is_own and all(self.admitted(kind, each) for each in behind)
        joint = spec_of(node).joins(node)
        found = [self.admitted(kind, each) for each in (behind[:1] if joint == "not" else behind)]
        return all(found) if joint == "and" else any(found)


def _fits(kind: str, clause: Condition | Choice) -> bool:
    """True where a clause says nothing against a kind; one that is not known may be any."""
    return any(
        each.field != KIND
        or (each.op in _SAYS_KIND and (not kind or kind in each.texts))
        or (each.op is Operator.NOT_EQUAL and kind not in each.texts)
        or each.op not in (*_SAYS_KIND, Operator.NOT_EQUAL)
        for each in clause_parts(clause)
    )


def _named_kinds(parts: list[ScopedNode]) -> list[str]:
    """The kinds that are asked for by name."""
    clauses = (clause for each in parts if isinstance(each, SelectionNode) for clause in each.conditions)
    named = (
        e for clause in clauses if is_of_kind(clause) for e in clause_parts(clause) if e.op in _SAYS_KIND
    )
    return list(dict.fromkeys(kind for each in named for kind in each.texts))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A scope in words. inside: its documents by kind; named: kinds that are asked for."""

    ledger: Ledger
    catalogue: Catalogue
    inside: Counter[_Kind]
    named: list[str]
    buckets: set[str]

    def text(self) -> str:
        """`4 agreements are counted, of 6 documents in “contracts”: 1 amendment and 1 other are left out.`"""
        ledger, noun = self.ledger, self._noun()
        every = "" if noun else self._every_kind()
        said = f"{counted(ledger.scope, noun or MIXED)} {_be(ledger.scope)} counted{every}"
        if ledger.total > ledger.scope:
            of = "out of" if every else "of"
            said += f", {of} {counted(ledger.total, MIXED)}{self._where()}: {'; '.join(self._beside())}"
        more = "" if noun else f" In scope are {listed(self._kinds())}."
        return f"{said}.{more}"

    def _every_kind(self) -> str:
        """That no kind is left out, or none of those of the one schema that is asked; "" where one is."""
        others, schemas = self.ledger.other_kinds, {schema for schema, _ in self.inside}
        if not others:
            return ", of every kind"
        is_of_one = len(schemas) == 1 and not any(each.kind for each in others)
        return f", of every kind of {self._title(next(iter(schemas)))}" if is_of_one else ""

    def _noun(self) -> str:
        """By what the documents are called; "" where they are of several kinds, and none is asked for."""
        if self.named:
            return listed([kind_plural(each) for each in self.named])
        schemas = {schema for schema, _ in self.inside}
        if len(schemas) > 1 or len({kind for _, kind in self.inside if kind}) > 1:
            return ""
        return self._title(next(iter(schemas), ""))

    def _kinds(self) -> list[str]:
        """The documents in scope by their schema; of one schema by their kind."""
        of_one = len({schema for schema, _ in self.inside}) == 1
        counts = Counter[str]()
        for (schema, kind), count in self.inside.items():
            counts[(kind and kind_plural(kind)) if of_one else schema and self._title(schema)] += count
        ordered = sorted(counts.items(), key=lambda each: (not each[0], -each[1], each[0]))
        return [counted(count, noun) if noun else f"{count:,} of unknown kind" for noun, count in ordered]

    def _beside(self) -> Iterator[str]:
        """The documents beside the scope: of other kinds, not asked about, and unreadable ones."""
        own = [each for each in self.ledger.other_kinds if each.kind]
        rest = [each for each in self.ledger.other_kinds if not each.kind]
        parts = [counted(each.documents, kind_plural(each.kind)) for each in own]
        count = sum(each.documents for each in rest)
        if count:
            noun = self._title(rest[0].schema_name) if len(rest) == 1 else MIXED
            of_others = f"{counted(count, MIXED)} of other kinds"
            parts.append(counted(count, noun) if noun != MIXED else of_others)
        if parts:
            yield f"{listed(parts)} {_be(count + sum(each.documents for each in own))} left out"
        if outside := self.ledger.outside:
            yield f"{outside:,}{' more' if parts else ''} {_be(outside)} not what is asked about"
        if unread := self.ledger.unknown_kind:
            yield f"{unread:,} could not be read"

    def _where(self) -> str:
        names = sorted(self.buckets)
        return f" in {listed([f'“{each}”' for each in names])}" if 0 < len(names) <= _MOST_BUCKETS else ""

    def _title(self, name: str) -> str:
        schema = self.catalogue.schema(name)
        return schema.title.casefold() if schema is not None else MIXED


def _be(count: int) -> str:
    return "is" if count == 1 else "are"
