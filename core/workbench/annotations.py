"""Search and computation over what documents state; conditions may be written as a person writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from core.domain.annotation import (
    Aggregate,
    AggregateResult,
    AnnotationHits,
    DocumentMetadata,
    Source,
)
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import Predicate, parse_condition
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import UsageError
from core.records.database.visibility import Visibility
from core.records.query.literals import OF_TEXTS, typed_predicate
from core.records.store import Records
from core.workbench.asking import asking_of
from core.workbench.wiring import Parts

Condition = Predicate | str | tuple[str, str, str]
"""A condition; as one text `field op value`, or as field, operator and value."""


class AnnotationCalls:
    """What Workbench offers for cells and table rows as data. What a principal may not see counts nowhere."""

    _parts: Parts

    def annotations_search(
        self,
        bucket: str | None = None,
        predicates: Sequence[Condition] = (),
        top_k: int = 10,
        document: DocumentId | None = None,
        principal: Principal = LOCAL_ADMIN,
        *,
        source: Source | str | None = None,
    ) -> AnnotationHits:
        """Documents, or rows of tables, that fulfil all conditions; see `Annotations.search`."""
        visible, wanted = Visibility.of(principal), _source(source)
        asking = self._asking(bucket, principal)
        conditions = read_conditions(self._parts.records, visible, bucket, predicates, wanted, asking)
        return self._parts.records.annotations.search(
            visible,
            bucket,
            conditions,
            top_k,
            document,
            source=wanted,
            asking=asking,
        )

    def annotations_aggregate(
        self,
        bucket: str | None = None,
        group_by: str | Sequence[str] = (),
        predicates: Sequence[Condition] = (),
        aggregate: Aggregate | str = Aggregate.COUNT,
        field: str = "",
        principal: Principal = LOCAL_ADMIN,
        *,
        document: DocumentId | None = None,
        source: Source | str | None = None,
        rates: Mapping[str, Decimal] | None = None,
        into: str = "",
    ) -> AggregateResult:
        """A count, sum, minimum, ... of a field's values, exact; see `Annotations.aggregate`."""
        visible, wanted = Visibility.of(principal), _source(source)
        asking = self._asking(bucket, principal)
        conditions = read_conditions(self._parts.records, visible, bucket, predicates, wanted, asking)
        return self._parts.records.annotations.aggregate(
            visible,
            bucket,
            group_by,
            conditions,
            aggregate,
            field,
            document=document,
            source=wanted,
            rates=rates,
            into=into,
            asking=asking,
        )

    def document_metadata(self, document: DocumentId, principal: Principal = LOCAL_ADMIN) -> DocumentMetadata:
        """What is known of a document without reading it. Raises NotFoundError."""
        visible, records = Visibility.of(principal), self._parts.records
        summary = records.documents.get(document, visible)
        asking, kind = (
            self._asking(summary.bucket, principal),
            self._parts.extraction_states.schema_of(document, visible),
        )
        cells = records.fields.cells(visible, documents=[document])
        return DocumentMetadata(
            document=summary,
            file=records.documents.metadata(document, visible),
            cells=tuple(each for each in cells if asking.asks(each.field, summary.bucket, kind or None)),
            family=records.facts.families(visible, summary.bucket).get(document, ""),
        )

    def _asking(self, bucket: str | None, principal: Principal) -> Asking:
        return asking_of(self._parts.schemas, self._parts.records, Visibility.of(principal), bucket)


def read_conditions(
    records: Records,
    visible: Visibility,
    bucket: str | None,
    conditions: Sequence[Condition],
    source: Source | None = None,
    asking: Asking | None = None,
) -> list[Predicate]:
    """Conditions with their values typed as the fields' values are, also where a person wrote them freely.

    "$3.5 million" and "Dec 31, 2024" are read as they are in documents. A date that could be two is refused.
    What cannot be read stays a text, about which records complain. Raises UsageError.
    """
    predicates = [_predicate(condition) for condition in conditions]
    if not any(isinstance(value, str) for predicate in predicates for value in predicate.values):
        return predicates
    names = records.annotations.names(visible, bucket, source, asking)
    found = []
    for predicate in predicates:
        if predicate.operator not in OF_TEXTS:
            known = names.get(predicate.field) or names.get(" ".join(predicate.field.split()).casefold())
            kinds = records.annotations.types(visible, bucket, predicate.field, known) if known else []
            predicate = typed_predicate(predicate, kinds)
        found.append(predicate)
    return found


def _predicate(condition: Condition) -> Predicate:
    if isinstance(condition, Predicate):
        return condition
    return parse_condition(condition) if isinstance(condition, str) else Predicate(*condition)


def _source(name: Source | str | None) -> Source | None:
    if not name:
        return None
    try:
        return Source(name)
    except ValueError:
        known = ", ".join(each.value for each in Source)
        raise UsageError(
            f"Unknown source {str(name)!r}. Expected one of: {known}.", next_step="Choose one of them."
        ) from None
