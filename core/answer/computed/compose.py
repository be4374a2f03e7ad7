"""Computed answers: a draft of what the answer node gave, its claims checked, its evidence weighed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from core.answer.cite import Numbering, Verifier
from core.answer.computed.calculations import compose_calculation
from core.answer.computed.connections import compose_connections
from core.answer.computed.conversions import with_conversion
from core.answer.computed.decisions import MOST_NAMED, decided, decided_by_count, documents_read
from core.answer.computed.digest import compose_digest, fields_for
from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.explanation import compose_explanation
from core.answer.computed.inventory import (
    compose_inventory,
    is_inventory,
    is_inventory_count,
    with_unknown_kinds,
)
from core.answer.computed.lists import (
    asked_fields,
    compose_documents,
    is_lack,
    one_of_several,
    shown_fields,
    with_unstated,
)
from core.answer.computed.numbers import compose_groups, share_of, shared_lead
from core.answer.computed.query import compose_query
from core.answer.computed.rows import RowSource, missing_rows, repeated_rows
from core.answer.computed.scope import with_said_scope
from core.answer.computed.sides import compose_comparison
from core.answer.computed.source import AnswerFacts, CellSource
from core.answer.computed.wording import (
    about_of,
    kind_noun,
    listed,
    noun_of,
    said_of,
    written,
)
from core.answer.value import show_value
from core.domain.answer import Check, Claim, Conflict, EvidenceItem, Ledger, Table, Verdict
from core.domain.fields import CellStatus, FieldType, Summary
from core.domain.ids import DocumentId
from core.domain.results import (
    Comparison,
    Connections,
    Documents,
    FoundValue,
    Groups,
    Passages,
    QueryTable,
    Result,
)
from core.domain.value_text import shown_all
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import (
    Calculate,
    ComputationNode,
    Node,
    Plan,
    Query,
    SelectionNode,
    SidesNode,
    spec_of,
)
from core.search.evidence.base import Span
from core.search.evidence.listing import (
    ALWAYS,
    EvidencePiece,
    Statement,
    conflicts_of,
    find_conflicts,
    list_evidence,
)
from core.store.cells.amendments import OF_ITS_OWN
from core.store.cells.facts import DocumentFact, FactRecords
from core.store.cells.field_rows import key_of
from core.store.database.visibility import Visibility
from core.text.markdown import escape
from core.values.canonical import family_key

EMPTY_CONFIDENCE = 0.3  # of an answer about documents of which there are none: always LOW


def compose(
    plan: Plan,
    results: Mapping[str, Result],
    cells: CellSource,
    catalogue: Catalogue,
    visible: Visibility,
    table_rows: RowSource,
    stored: FactRecords | None = None,
) -> ComputedDraft | None:
    """The draft of a plan's answer; None where its answer node gave passages, composed elsewhere."""
    given = results[plan.answer_node or ""]
    draft: ComputedDraft | None
    if plan.summary is not None and isinstance(given, Documents):
        read = partial(AnswerFacts.read, cells, catalogue, visible)

        def summaries(id: str) -> Sequence[DocumentFact[Summary]]:
            return stored.of(Summary, visible, documents=[DocumentId(id)]) if stored is not None else ()

        draft = compose_digest(given, plan.summary, catalogue, read, summaries)
    else:
        draft = _compose(plan, results, cells, catalogue, visible, table_rows)
    if draft is None:
        return None
    facts, result = AnswerFacts(catalogue, {}), results[plan.answer_node or ""]
    draft = with_conversion(draft, result, results, facts)
    nodes = {each.id: each for each in plan.nodes}
    draft = with_unknown_kinds(draft, plan, catalogue)
    return with_said_scope(draft, nodes[plan.answer_node or ""], nodes, catalogue)


def _compose(
    plan: Plan,
    results: Mapping[str, Result],
    cells: CellSource,
    catalogue: Catalogue,
    visible: Visibility,
    table_rows: RowSource,
) -> ComputedDraft | None:
    node, result = plan.node(plan.answer_node or ""), results[plan.answer_node or ""]
    decides = "" if plan.uncovered else plan.decides
    if isinstance(result, Connections):
        return compose_connections(result)
    if isinstance(result, QueryTable):
        queried = compose_query(result, answers_first=isinstance(node, Query) and node.answers_first)
        more = (of(result, table_rows, catalogue) for of in (missing_rows, repeated_rows))
        queried = replace(queried, gaps=tuple(chain(queried.gaps, *more)))
        return decided_by_count(queried, result.total, bool(result.excluded)) if decides else queried
    if isinstance(result, FoundValue) and isinstance(node, Calculate):
        facts_of = partial(AnswerFacts.read, cells, catalogue, visible)
        return compose_calculation(plan, node, result, results, facts_of)
    subject = _subject(plan, node)
    schema = subject.scope.schema_name if subject is not None else ""
    asked_of = _asked_of(result)
    noun, called = noun_of(catalogue, subject, asked_of), kind_noun(catalogue, subject)

    def facts(documents: frozenset[str] | tuple[str, ...], fields: tuple[str, ...]) -> AnswerFacts:
        return AnswerFacts.read(cells, catalogue, visible, documents, fields, schema)

    if decides == "why":
        if not isinstance(result, Documents) or not isinstance(node, SelectionNode):
            return None
        named = node.scope.documents or tuple(sorted(result.present))
        return compose_explanation(plan, results, facts(named, node.fields), named)
    if isinstance(result, Documents) and is_inventory(node):
        return compose_inventory(result, catalogue)
    if isinstance(result, Documents):
        chosen = node if isinstance(node, SelectionNode) else _of_all(_selects(plan, node))
        read = facts(result.present | documents_read(decides, result), shown_fields(chosen))
        said = said_of(plan, node, read, _looked_up(results))
        about = about_of(plan, node, read, bool(result.uncertain | result.unreadable), _looked_up(results))
        draft = compose_documents(chosen, result, read, noun, said, about)
        draft = one_of_several(draft, plan.question, result.present, chosen, read)
        draft = _of_something(draft, called, about, bool(said))
        if not decides and draft.value is not None and draft.value.type == "boolean":
            draft = replace(draft, value=None)  # that a field is there answers no yes or no by itself
        draft = with_unstated(draft, chosen.fields, result, read, is_chosen=bool(asked_fields(chosen)))
        return decided(decides, chosen, result, read, draft, noun)
    if isinstance(result, Groups) and not decides and is_inventory_count(node, plan):
        return compose_inventory(result.documents, catalogue, is_count=True)
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
        if node.as_share:
            return share_of(draft, result, noun, said, about)
        if not node.shared:
            asks = bool(said or field or result.group_by)
            draft = _of_something(draft, called, about, asks)
            if decides and draft.ledger is not None and draft.ledger.scope:
                count = sum(group.rows for group in result.groups if any(group.key) or not group.key)
                draft = decided_by_count(draft, count, unknown)
            return draft
        sides = [said_of(plan, plan.node(name), read, looked_up) for name in node.inputs]
        return replace(
            draft, lead=DraftLine(shared_lead(result, read, noun, sides, is_all=node.shared == "all"))
        )
    if isinstance(result, Comparison) and isinstance(node, SidesNode):
        listed = tuple(row.document for row in result.rows)
        return compose_comparison(node, result, facts(listed, result.fields), noun)
    if isinstance(result, FoundValue):
        return _one_value(result, facts((), ()))
    return None


def _looked_up(results: Mapping[str, Result]) -> dict[str, str]:
    """Findings of hops, in words, by node."""
    found = {}
    for name, result in results.items():
        if isinstance(result, FoundValue):
            kind = FieldType(result.kind) if result.kind in set(FieldType) else FieldType.TEXT
            every = result.options or (f"{result.text} {result.unit}".strip(),)
            more = [f"{len(every) - MOST_NAMED:,} more"] if len(every) > MOST_NAMED else []
            found[name] = listed([*(written(each, kind) for each in every[:MOST_NAMED]), *more], "or")
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


def _of_something(draft: ComputedDraft, noun: str, about: str, asks: bool) -> ComputedDraft:
    """The draft; of an empty scope, of which something was asked, that there is nothing of the kind.

    "None of 0 contracts" would be true, and sound like knowledge about contracts.
    """
    if not asks or draft.ledger is None or draft.ledger.scope:
        return draft
    lead = DraftLine(f"There are no {noun}{about} here, so nothing can be said of them.")
    return replace(draft, lead=lead, value=None, confidence=min(draft.confidence, EMPTY_CONFIDENCE))


def _one_value(found: FoundValue, facts: AnswerFacts) -> ComputedDraft:
    spans = tuple(map(Span.of, found.citations))
    title = facts.field_title(found.field) if found.field else "The value"
    value = computed_value(found.text, found.unit, found.kind)
    said = _looked_up({"": found})[""]
    return ComputedDraft(lead=DraftLine(f"{title}: {said}", spans), value=value)


@dataclass(frozen=True, slots=True)
class Concluded:
    """Claims whose checks hold, and the text that refers to them. struck: why others were left out.

    table: the draft's, its rows with their citations.
    """

    claims: tuple[Claim, ...]
    text: str
    struck: tuple[str, ...] = ()
    table: Table | None = None


def conclude(draft: ComputedDraft, verifier: Verifier) -> Concluded:
    """Check every line against the stored pages and the ledger against its sum; number what is cited."""
    numbering = Numbering()
    claims: list[Claim] = []
    shown: list[str] = []
    struck: list[str] = []
    of_rows: dict[int, tuple[int, ...]] = {}
    checked = [(line, _checks(line, draft.ledger, verifier)) for line in (draft.lead, *draft.lines)]
    broken = {line.chain for line, checks in checked if not all(check.ok for check in checks)} - {0}
    for at, (line, checks) in enumerate(checked):
        failed = next((check for check in checks if not check.ok), None)
        if failed is None and line.chain in broken:
            continue
        if failed is not None:
            struck.append(f"A statement was left out because its check failed. {failed.detail}")
            continue
        citations = tuple(dict.fromkeys(numbering.cite(span) for span in line.spans))
        text = f"{line.label}: {line.text}" if line.label and line.text else line.label or line.text
        verdict = Verdict.SUPPORTED if line.is_quote else Verdict.COMPUTED
        claims.append(Claim(text=text, verdict=verdict, checks=checks, citations=citations))
        if line.row is not None:
            of_rows[line.row] = tuple(citation.n for citation in citations)
        marks = "".join(f"[{citation.n}]" for citation in citations)
        shown.append(_markdown(line, marks, is_lead=at == 0))
    table = draft.table
    if table is not None and of_rows:
        numbers = tuple(of_rows.get(at, ()) for at in range(len(table.rows)))
        table = table.model_copy(update={"citations": numbers})
    return Concluded(tuple(claims), _text(draft, shown), tuple(struck), table)


def _checks(line: DraftLine, ledger: Ledger | None, verifier: Verifier) -> tuple[Check, ...]:
    checks = [verifier.check_quotes(line.spans)] if line.spans else []
    if ledger is not None and not line.spans:
        checks.append(_adds_up(ledger))
    return tuple(checks)


def _adds_up(ledger: Ledger) -> Check:
    lists = ledger.documents
    every = [*lists.present, *lists.absent, *lists.unreadable, *lists.uncertain]
    parts = ledger.present + ledger.absent + ledger.unreadable + ledger.uncertain
    is_right = parts == ledger.scope == len(every) == len(set(every))
    return Check(name="ledger", ok=is_right, detail="" if is_right else "The ledger does not add up.")


def _markdown(line: DraftLine, marks: str, *, is_lead: bool) -> str:
    label = f"**{escape(line.label)}**" if line.label else ""
    parts = [part for part in (label, escape(line.text)) if part]
    body = f"{': '.join(parts)} {marks}".strip()
    return body if is_lead else f"- {body}"


def _text(draft: ComputedDraft, shown: list[str]) -> str:
    is_told = draft.value is None or draft.value.type == "boolean"  # the sentence begins with yes or no
    blocks = [f"**{escape(show_value(draft.value))}**"] if draft.value is not None and not is_told else []
    blocks += shown[:1]
    if draft.scope:
        blocks.append(escape(draft.scope))
    if shown[1:]:
        blocks.append("\n".join(shown[1:]))
    if draft.left_out:
        blocks.append(f"{draft.left_out:,} more are in the table.")
    return "\n\n".join(blocks)


MOST_DOCUMENTS = 200  # whose fields are listed and held against one another
MOST_ALIKE = 3  # documents of one title and the same parties: more of them are forms of a kind
_STARTS, _ENDS = "effective_date", "expiration_date"
StandIns = Callable[[Visibility, Collection[str]], Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence of an answer and the conflicts in it."""

    evidence: tuple[EvidenceItem, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def weigh(
    plan: Plan,
    results: Mapping[str, Result],
    documents: Collection[str],
    claims: Iterable[Claim],
    cells: CellSource,
    catalogue: Catalogue,
    visible: Visibility,
    stand_ins: StandIns,
) -> Weighed:
    """The fields of an answer's documents with what became of them, and what other documents say instead.

    Documents are held against those of the same title, kind and parties; what an amendment states holds.
    """
    citations = [citation for claim in claims for citation in claim.citations]
    own = list(dict.fromkeys((*(c.document for c in citations), *sorted(documents))))[:MOST_DOCUMENTS]
    fields = _fields(plan, catalogue)
    subjects = _subjects(own, catalogue)
    read = AnswerFacts.read(
        cells, catalogue, visible, {*own, *subjects}, {*fields, _STARTS, _ENDS} if fields else ()
    )
    statements = [each for id, subject in subjects.items() for each in _stated(id, subject, fields, read)]
    replaced = stand_ins(visible, fields) if statements else {}
    found = find_conflicts(statements, replaced)
    against = {(each.document, one.field) for one in found for each in one.statements}
    shown = own if plan.summary is None else []  # a summary's own values are in its table
    pieces = [*_rows([*shown, *(id for id, _ in sorted(against))], fields, read), *_passages(results, read)]
    titles = {name: read.field_title(name) for name in fields}
    return Weighed(list_evidence(pieces, citations, against), conflicts_of(found, titles))


def _fields(plan: Plan, catalogue: Catalogue) -> tuple[str, ...]:
    found: dict[str, None] = {}
    if (kind := plan.summary) is not None:
        found.update((each.name, None) for schema in catalogue.schemas for each in fields_for(kind, schema))
    for node in plan.nodes:
        if isinstance(node, SelectionNode):
            found.update(dict.fromkeys(shown_fields(node)))
        elif isinstance(node, ComputationNode) and node.field:
            found[node.field] = None
        elif isinstance(node, SidesNode):
            found.update(dict.fromkeys(node.fields))
    return tuple(found)


def _subjects(documents: Collection[str], catalogue: Catalogue) -> dict[str, str]:
    """Subjects of these documents and of those alike, by id; only where there are several alike."""
    alike: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[DocumentEntry]] = {}
    for entry in catalogue.documents:
        # Of another day it is another document, whatever else it shares: a lease of each year.
        if entry.kind and entry.parties and (name := family_key(entry.title)):
            key = (name, entry.kind, tuple(sorted(entry.parties)), entry.opening.days[:1])
            alike.setdefault(key, []).append(entry)
    wanted = set(documents)
    return {
        entry.id: entries[0].name
        for entries in alike.values()
        if 1 < len(entries) <= MOST_ALIKE and any(each.id in wanted for each in entries)
        for entry in entries
    }


def _stated(document: str, subject: str, fields: Iterable[str], facts: AnswerFacts) -> Iterable[Statement]:
    """Statements of a document in fields of one value; several values of one field are no statement."""
    starts, ends = facts.values(document, _STARTS), facts.values(document, _ENDS)
    for name in fields:
        values = facts.values(document, name)
        is_own = name in OF_ITS_OWN or facts.field_type(name) is FieldType.BOOLEAN
        if is_own or len(values) != 1 or values[0].special:
            continue
        yield Statement(
            subject=subject,
            field=name,
            document=document,
            key=f"{values[0].type.value} {key_of(values[0])} {values[0].unit}",
            shown=shown_all(values),
            starts=starts[0].text if starts and not starts[0].special else ALWAYS[0],
            ends=ends[0].text if ends and not ends[0].special else ALWAYS[1],
        )


def _rows(documents: Iterable[str], fields: Iterable[str], facts: AnswerFacts) -> list[EvidencePiece]:
    names = tuple(fields)
    found = []
    for id in dict.fromkeys(documents):
        for name in names:
            cell = facts.cells.get((id, name))
            if cell is None or cell.finding.status is not CellStatus.PRESENT:
                continue
            method = "reviewed" if cell.review is not None else cell.finding.method
            found += [
                EvidencePiece(
                    replace(span, document=DocumentId(id)),
                    cell.finding.confidence,
                    method or "extracted",
                    index="fields",
                    field=name,
                )
                for span in facts.spans(id, name)[:1]
            ]
    return found


def _passages(results: Mapping[str, Result], facts: AnswerFacts) -> list[EvidencePiece]:
    found = []
    for result in results.values():
        for hit in result.hits if isinstance(result, Passages) else ():
            entry = facts.catalogue.document(hit.document)
            title, source = (entry.name, entry.source) if entry is not None else (hit.document, "")
            found.append(EvidencePiece.of_hit(hit, title, source))
    return found
