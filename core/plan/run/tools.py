"""The tools that a model may call: thin faces of the operators, with what they may see pushed in.

Each takes the arguments of its model, as JSON, and gives JSON. What a principal may not see is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from core.domain.annotation import Calculation as Function
from core.domain.document import DocumentSummary
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId
from core.domain.predicate import Operator, Predicate, parse_condition
from core.domain.results import Documents, Groups, PassageHit, Passages, Result, Stopped
from core.errors import NotFoundError, UsageError
from core.plan.door import PlanDoor
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Condition, Index, Node, Scope
from core.plan.run.executor import Operators
from core.store.database.visibility import Visibility
from core.store.documents.documents import DocumentRecords as StoredDocuments

DEADLINE_S = 8.0
MOST_LISTED = 1_000
_PURPOSE = "Asked by a model"
T = TypeVar("T", bound=Frozen)


class SearchArguments(Frozen):
    """Query and scope of a search. filters: conditions `field op value`, such as `amount >= 1000 USD`."""

    query: str = Field(min_length=1, max_length=4_000, description="what to look for, in plain words")
    bucket: str | None = Field(default=None, description="the bucket to search; none: all of them")
    top_k: int = Field(default=20, ge=1, le=1_000, description="how many places at most")
    context_chars: int = Field(default=400, ge=0, le=20_000, description="how much text to show of each")
    doc_id: str | None = Field(default=None, description="search within this document only")
    filters: tuple[str, ...] = Field(default=(), max_length=20, description="conditions `field op value`")
    index: Index = Field(default="passages", description="what to search in")


class PredicateArgument(Frozen):
    """A condition on one field."""

    field: str = Field(min_length=1, max_length=200)
    op: Operator
    value: str | tuple[str, ...] = ()


class AnnotationsSearchArguments(Frozen):
    """Conditions on documents: exactly those that fulfil them all, and not only the best of them."""

    bucket: str | None = Field(default=None, description="the bucket to look in; none: all of them")
    predicates: tuple[PredicateArgument | str, ...] = Field(
        default=(), max_length=50, description="conditions that must all hold"
    )
    doc_id: str | None = Field(default=None, description="ask this document only")
    top_k: int = Field(default=20, ge=1, le=MOST_LISTED, description="how many documents to list")


class AnnotationsAggregateArguments(Frozen):
    """Computation of a field over the documents that fulfil all conditions."""

    aggregate: Function = Field(default=Function.COUNT, description="what to compute")
    field: str = Field(default="", max_length=200, description="the field to compute over; none: documents")
    bucket: str | None = Field(default=None, description="the bucket to look in; none: all of them")
    predicates: tuple[PredicateArgument | str, ...] = Field(default=(), max_length=50)
    group_by: tuple[str, ...] = Field(
        default=(), max_length=3, description="a result for each value of these"
    )
    doc_id: str | None = None


class DocumentArguments(Frozen):
    """One document."""

    doc_id: str = Field(min_length=1, description="the id of the document")


_MODES: dict[str, Literal["hybrid", "keyword", "semantic"]] = {
    "search": "hybrid",
    "search_text": "keyword",
    "search_semantic": "semantic",
}
_TOOLS: dict[str, tuple[str, type[Frozen]]] = {
    "search": ("Find places by words and meaning together.", SearchArguments),
    "search_text": ("Find places by their words: names, codes, quoted phrases.", SearchArguments),
    "search_semantic": ("Find places by what they mean, whatever their words.", SearchArguments),
    "annotations_search": (
        "List the documents whose fields fulfil conditions, with how many do not, or are not known.",
        AnnotationsSearchArguments,
    ),
    "annotations_aggregate": (
        "Count, sum or average a field exactly over documents, in groups where wanted.",
        AnnotationsAggregateArguments,
    ),
    "get_document_metadata": ("Title, source, bucket, pages and status of a document.", DocumentArguments),
}


class Tools:
    """The tools for one principal. Thread-safe."""

    def __init__(
        self, operators: Operators, documents: StoredDocuments, visible: Visibility, door: PlanDoor
    ) -> None:
        self._operators = operators
        self._documents = documents
        self._visible = visible
        self._door = door

    def schemas(self) -> list[dict[str, Any]]:
        """Every tool as model servers take them: name, description and JSON schema of its arguments."""
        return [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": description,
                    "parameters": arguments.model_json_schema(),
                },
            }
            for name, (description, arguments) in _TOOLS.items()
        ]

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Result of a tool. Raises UsageError for an unknown tool, bad arguments or a bad condition.

        Raises RefusedError where a policy does not allow the principal what the tool would do.
        """
        if name not in _TOOLS:
            raise UsageError(
                f"Unknown tool {name!r}. Expected one of: {', '.join(_TOOLS)}.", next_step="Call one of them."
            )
        if name in _MODES:
            return self._search(_read(SearchArguments, name, arguments), _MODES[name])
        if name == "annotations_search":
            return self._annotations_search(_read(AnnotationsSearchArguments, name, arguments))
        if name == "annotations_aggregate":
            return self._annotations_aggregate(_read(AnnotationsAggregateArguments, name, arguments))
        return self._metadata(_read(DocumentArguments, name, arguments))

    def _search(
        self, wanted: SearchArguments, mode: Literal["hybrid", "keyword", "semantic"]
    ) -> dict[str, Any]:
        node = PlanSteps().search(
            _PURPOSE,
            wanted.query,
            _scope(wanted.bucket, wanted.doc_id),
            index=wanted.index,
            mode=mode,
            top_k=wanted.top_k,
            where=wanted.filters,
        )
        found = self._run(node)
        assert isinstance(found, Passages)  # as every search gives
        known = self._known({hit.document for hit in found.hits})
        return {
            "hits": [
                {
                    "rank": rank,
                    "title": known[hit.document].name,
                    "source": known[hit.document].source,
                    **self._shown(hit, wanted.context_chars),
                }
                for rank, hit in enumerate((hit for hit in found.hits if hit.document in known), start=1)
            ],
            "is_exhaustive": False,
            "degradations": [each.model_dump(mode="json") for each in found.degradations],
        }

    def _annotations_search(self, wanted: AnnotationsSearchArguments) -> dict[str, Any]:
        found = self._run(_select(wanted.bucket, wanted.doc_id, wanted.predicates))
        assert isinstance(found, Documents)
        order = found.order or tuple(sorted(found.present))
        titles = self._titles(set(order[: wanted.top_k]))
        return {
            "documents": [{"doc_id": id, "title": titles.get(id, "")} for id in order[: wanted.top_k]],
            "total": len(order),
            "ledger": _ledger(found),
        }

    def _annotations_aggregate(self, wanted: AnnotationsAggregateArguments) -> dict[str, Any]:
        select = _select(wanted.bucket, wanted.doc_id, wanted.predicates)
        node = PlanSteps().aggregate(
            _PURPOSE, (select.id,), wanted.aggregate, wanted.field, group_by=wanted.group_by
        )
        self._door.require((select, node))  # before the first of them runs
        found = self._run(node, {select.id: self._run(select)})
        assert isinstance(found, Groups)
        groups = [
            {
                "key": list(group.key),
                "value": group.value,
                "unit": group.unit,
                "rows": group.rows,
                "documents": list(group.documents[:MOST_LISTED]),
            }
            for group in found.groups[:MOST_LISTED]
        ]
        return {"groups": groups, "total": len(found.groups), "ledger": _ledger(found.documents)}

    def _metadata(self, wanted: DocumentArguments) -> dict[str, Any]:
        self._door.require(())
        known = self._documents.get_many([DocumentId(wanted.doc_id)], self._visible)
        summary = known.get(DocumentId(wanted.doc_id))
        if summary is None:
            raise NotFoundError(
                f"There is no document {wanted.doc_id!r}.", next_step="Use an id that a search gave."
            )
        return {
            "doc_id": summary.id,
            "title": summary.name,
            "source": summary.source,
            "bucket": summary.bucket,
            "status": summary.status.value,
            "reason": summary.reason,
            "version": summary.version,
            "doc_type": summary.doc_type,
            "language": summary.language,
            "pages": summary.pages,
            "passages": summary.passages,
            "updated_at": summary.updated_at.isoformat(),
        }

    def _run(self, node: Node, inputs: Mapping[str, Result] | None = None) -> Result:
        if not inputs:
            self._door.require((node,))
        found = self._operators.run(node, inputs or {}, self._visible, DEADLINE_S)
        if isinstance(found, Stopped):
            raise UsageError(found.reason, next_step=found.next_step)
        return found

    def _titles(self, ids: set[str]) -> dict[str, str]:
        return {id: summary.name for id, summary in self._known(ids).items()}

    def _known(self, ids: set[str]) -> dict[str, DocumentSummary]:
        found = self._documents.get_many([DocumentId(id) for id in sorted(ids)], self._visible)
        return {str(id): summary for id, summary in found.items()}

    def _shown(self, hit: PassageHit, context_chars: int) -> dict[str, Any]:
        """A hit with as much of its page as is wanted: `text` is page text [start:end]."""
        page = self._documents.page(DocumentId(hit.document), hit.version, hit.page, self._visible).text
        middle = (hit.start + hit.end) // 2
        start, end = hit.start, min(hit.end, hit.start + context_chars)
        if hit.end - hit.start < context_chars:
            start = max(0, min(hit.start, middle - context_chars // 2))
            end = min(len(page), max(hit.end, start + context_chars))
        return {
            "doc_id": hit.document,
            "version": hit.version,
            "page": hit.page,
            "start": start,
            "end": end,
            "text": page[start:end],
            "score": hit.score,
            "index": hit.index,
        }


def _read(model: type[T], name: str, arguments: Mapping[str, Any]) -> T:
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the arguments"
        raise UsageError(
            f"{name}: {where}: {first['msg']}.", next_step=f"It takes: {', '.join(model.model_fields)}."
        ) from error


def _scope(bucket: str | None, document: str | None) -> Scope:
    return Scope(buckets=(bucket,) if bucket else (), documents=(document,) if document else ())


def _select(
    bucket: str | None, document: str | None, predicates: tuple[PredicateArgument | str, ...]
) -> Node:
    conditions = tuple(map(_condition, predicates))
    return PlanSteps().select(_PURPOSE, _scope(bucket, document), conditions)


def _condition(written: PredicateArgument | str) -> Condition:
    if isinstance(written, PredicateArgument):
        return Condition(field=written.field, op=written.op, value=written.value)
    read: Predicate = parse_condition(written)
    values = tuple(value for value in read.values if isinstance(value, str))
    is_one = isinstance(read.value, str)
    return Condition(field=read.field, op=read.operator, value=values[0] if is_one else values)


def _ledger(found: Documents) -> dict[str, Any]:
    return {
        "scope": len(found.scope),
        "present": len(found.present),
        "absent": len(found.absent),
        "unreadable": len(found.unreadable),
        "uncertain": len(found.uncertain),
        "is_exhaustive": found.is_exhaustive,
    }
