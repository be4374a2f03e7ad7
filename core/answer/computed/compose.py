"""From what the answer node of a plan gave to a computed draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.answer.computed.draft import ComputedDraft, Line
from core.answer.computed.ledger import asked_fields, is_lack
from core.answer.computed.lists import compose_documents, shown_fields
from core.answer.computed.numbers import compose_groups, shared_lead
from core.answer.computed.row_facts import RowFacts, RowSource
from core.answer.computed.row_numbers import compose_row_groups
from core.answer.computed.rows import compose_rows
from core.answer.computed.scope import MIXED, noun_of, scope_said
from core.answer.computed.sides import compose_comparison
from core.answer.computed.source import CellSource, Facts
from core.answer.computed.values import computed_value
from core.answer.computed.wording import about_of, said_of, written
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.results import Comparison, Documents, FoundValue, Groups, Result, Rows
from core.evidence.base import Span
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import ComputationNode, Node, Plan, SelectionNode, SidesNode, spec_of
from core.records.database.visibility import Visibility


def compose(
    plan: Plan,
    results: Mapping[str, Result],
    cells: CellSource,
    catalogue: Catalogue,
    visible: Visibility,
    table_rows: RowSource,
) -> ComputedDraft | None:
    """The draft of a plan's answer; None where its answer node gave passages, composed elsewhere."""
    node, result = plan.node(plan.answer_node or ""), results[plan.answer_node or ""]
    counted = next((each for name in node.inputs if isinstance(each := results.get(name), Rows)), None)
    if isinstance(result, Groups) and isinstance(node, ComputationNode) and counted is not None:
        return compose_row_groups(node, result, counted, RowFacts.read(table_rows, catalogue, counted))
    if isinstance(result, Rows) and isinstance(node, SelectionNode):
        return compose_rows(node, result, RowFacts.read(table_rows, catalogue, result))
    subject = _subject(plan, node)
    schema = subject.scope.schema_name if subject is not None else ""
    asked_of = _asked_of(result)
    noun = noun_of(catalogue, subject, asked_of)
    scope = scope_said(catalogue, asked_of) if noun == MIXED and schema else ""

    def facts(documents: frozenset[str] | tuple[str, ...], fields: tuple[str, ...]) -> Facts:
        return Facts.read(cells, catalogue, visible, documents, fields, schema)

    if isinstance(result, Documents):
        chosen = node if isinstance(node, SelectionNode) else _of_all(_selects(plan, node))
        read = facts(result.present, shown_fields(chosen))
        said = said_of(plan, node, read, _looked_up(results))
        about = about_of(plan, node, read, bool(result.uncertain | result.unreadable), _looked_up(results))
        return _with_scope(compose_documents(chosen, result, read, noun, said, about), scope)
    if isinstance(result, Groups) and isinstance(node, ComputationNode):
        members = frozenset(id for group in result.groups for id in group.documents)
        asked = [name for each in _selects(plan, node) for name in asked_fields(each)]
        field = ", ".join(dict.fromkeys((*asked, *((node.field,) if node.field else ()))))
        lacks = subject is not None and is_lack(subject) and not node.field
        shown = () if result.group_by else tuple(dict.fromkeys((*([node.field] * bool(node.field)), *asked)))
        read = facts(members if shown else (), shown)
        looked_up = _looked_up(results)
        said = said_of(plan, node, read, looked_up)
        unknown = bool(result.documents.uncertain | result.documents.unreadable)
        about = about_of(plan, node, read, unknown, looked_up)
        of = field or "documents"
        draft = compose_groups(result, read, noun, of, shown, is_lack=lacks, said=said, about_them=about)
        if not node.shared:
            return _with_scope(draft, scope)
        sides = [said_of(plan, plan.node(name), read, looked_up) for name in node.inputs]
        return replace(draft, lead=Line(shared_lead(result, read, noun, sides, is_all=node.shared == "all")))
    if isinstance(result, Comparison) and isinstance(node, SidesNode):
        listed = tuple(row.document for row in result.rows)
        return compose_comparison(node, result, facts(listed, result.fields), noun)
    if isinstance(result, FoundValue):
        return _one_value(result, facts((), ()))
    return None


def _looked_up(results: Mapping[str, Result]) -> dict[str, str]:
    """What hops found, in words, by node."""
    found = {}
    for name, result in results.items():
        if isinstance(result, FoundValue):
            kind = FieldType(result.kind) if result.kind in set(FieldType) else FieldType.TEXT
            found[name] = written(f"{result.text} {result.unit}".strip(), kind)
    return found


def _subject(plan: Plan, node: Node) -> SelectionNode | None:
    """The selection whose documents an answer is about: the node itself, or the nearest behind it."""
    if isinstance(node, SelectionNode) and node.of == "documents":
        return node
    for name in node.inputs:
        found = _subject(plan, plan.node(name))
        if found is not None:
            return found
    return node if isinstance(node, SelectionNode) else None


def _selects(plan: Plan, node: Node) -> list[SelectionNode]:
    """The selections that feed a node through sets and computations, in the order of its inputs."""
    found = [node] if isinstance(node, SelectionNode) else []
    if isinstance(node, SelectionNode | ComputationNode) or spec_of(node).joins(node):
        found += [each for name in node.inputs for each in _selects(plan, plan.node(name))]
    return found


def _of_all(selects: list[SelectionNode]) -> SelectionNode:
    """A selection that shows what any of these shows, and asks for nothing."""
    fields = tuple(dict.fromkeys(name for each in selects for name in shown_fields(each)))
    return SelectionNode(id="all", purpose="", fields=fields[:50])


def _asked_of(result: Result) -> Documents:
    """The documents that an answer is about; of a comparison those of its sides."""
    if isinstance(result, Documents):
        return result
    if isinstance(result, Comparison):
        return Documents(present=result.documents.present)
    return result.documents if isinstance(result, Groups) else Documents()


def _with_scope(draft: ComputedDraft, said: str) -> ComputedDraft:
    """The draft with what is in scope behind its first sentence, where the question does not say it."""
    is_of_one = draft.ledger is not None and draft.ledger.scope < 2
    if not said or is_of_one:
        return draft
    return replace(draft, lead=replace(draft.lead, text=f"{draft.lead.text} {said}"))


def _one_value(found: FoundValue, facts: Facts) -> ComputedDraft:
    spans = tuple(
        Span(
            document=DocumentId(c.document),
            version=c.version,
            page_no=c.page,
            start=c.start,
            end=c.end,
            quote=c.quote,
            title=c.title,
            source=c.source,
        )
        for c in found.citations
    )
    title = facts.field_title(found.field) if found.field else "The value"
    value = computed_value(found.text, found.unit, found.kind)
    said = _looked_up({"": found})[""]
    return ComputedDraft(lead=Line(f"{title}: {said}", spans), value=value)
