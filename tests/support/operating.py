"""A collection of contracts with cells, and operators over it, for tests of what plan nodes do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.answer.value import stated_values
from core.domain.answer import Value
from core.domain.fields import AnnotationRow, Extraction, Finding
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.results import Documents, Result, Stopped
from core.domain.search import SearchQuery, SearchReport
from core.errors import IndexUnavailableError
from core.plan.ir.nodes import Condition, Node, Scope, Select
from core.plan.operators import RecordOperators
from core.plan.operators.base import Finder
from core.search.search import Retrieval
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

ALL = Visibility.everything()
FIELDS = ("law", "fee", "end", "cap", "vendor", "effective_date", "document_kind", "document_name", "parties")
ASKING = Asking({name: frozenset({"contracts"}) for name in FIELDS}, {"deals": frozenset({"contracts"})})
DEALS = Scope(buckets=("deals",), schema_name="contracts")


class NoIndex:
    """A finder whose index is away."""

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        raise IndexUnavailableError("The search index cannot be read.", next_step="Run: groundwork reindex")

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        raise IndexUnavailableError("The search index cannot be read.", next_step="Run: groundwork reindex")

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        return [()] * len(texts)


def values_in(question: str, sentence: str) -> Sequence[Value]:
    """What answers read."""
    return [stated.value for stated in stated_values(question, sentence)]


class Desk:
    """Records with operators; documents are named by their sources."""

    def __init__(self, records: Records, finder: Finder | None = None) -> None:
        self.records = records
        self.operators = RecordOperators(records, finder or NoIndex(), lambda _visible: ASKING, values_in)
        self.ids: dict[str, str] = {}

    def put(
        self,
        source: str,
        page: str | None = None,
        *,
        acl: tuple[str, ...] = (),
        rows: tuple[AnnotationRow, ...] = (),
        title: str = "",
        family: str = "",
        **findings: Finding,
    ) -> str:
        """Publish a contract of one page and what it states."""
        from dataclasses import replace

        text = f"First text. {source}" if page is None else page  # documents of equal words are copies
        new = new_version(source, text, bucket="deals", acl=acl, passages=0)
        new = replace(new, parsed=replace(new.parsed, title=title or source))
        published = self.records.documents.publish(new)
        extraction = Extraction("contracts", findings, rows, family=family)
        self.records.fields.put(published.document, published.version, extraction, "f")
        self.ids[source] = str(published.document)
        return self.ids[source]

    def fail(self, source: str) -> str:
        """A file that could not be read."""
        self.ids[source] = str(self.records.documents.record_failure("deals", source, "Damaged.").document)
        return self.ids[source]

    def run(
        self, node: Node, inputs: Mapping[str, Result] | None = None, visible: Visibility = ALL
    ) -> Result | Stopped:
        return self.operators.run(node, inputs or {}, visible, 8.0)

    def names(self, ids: Sequence[str] | frozenset[str]) -> list[str]:
        """The sources of ids, in order of a sequence, else sorted."""
        known = {id: source for source, id in self.ids.items()}
        found = [known[id] for id in ids]
        return sorted(found) if isinstance(ids, frozenset) else found

    def parts(self, found: object) -> tuple[list[str], list[str], list[str], list[str]]:
        """Present, absent, uncertain and unreadable, by source."""
        assert isinstance(found, Documents)
        return (
            self.names(found.present),
            self.names(found.absent),
            self.names(found.uncertain),
            self.names(found.unreadable),
        )


def select(*conditions: Condition, id: str = "s", **changes: object) -> Select:
    """A Select over the contracts."""
    given: dict[str, object] = {"id": id, "purpose": "p", "scope": DEALS, "conditions": conditions}
    return Select.model_validate(given | changes)


def condition(field: str, op: str, value: object = ()) -> Condition:
    """A condition of a plan."""
    return Condition.model_validate({"field": field, "op": op, "value": value})
