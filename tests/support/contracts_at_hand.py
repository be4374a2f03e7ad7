"""A workbench over ten contracts whose cells are known, and what may happen to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.config.load import load_settings
from core.domain.answer import Kind, Route
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId, content_hash
from core.plan.ir.nodes import Condition, Plan, Scope, Select
from core.store.base import NewVersion
from core.workbench import Workbench
from core.workbench.wiring import Parts
from tests.support.filled_matrix import BUCKET, fill
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

TEXAS = Condition(field="governing_law", op="=", value="Texas")
TEXAN = Select(id="texan", purpose="law Texas", scope=Scope(schema_name=BUCKET), conditions=(TEXAS,))


def plan_for(*nodes: Select, question: str = "Which contracts are governed by the law of Texas?") -> Plan:
    """A plan of these nodes, the last of which answers; without any, for the contracts of Texas."""
    chosen = nodes or (TEXAN,)
    return Plan(
        question=question,
        kind=Kind.LOOKUP,
        route=Route.STRUCTURED,
        nodes=chosen,
        answer_node=chosen[-1].id,
        today="2026-03-01",
    )


class Contracts:
    """The workbench, its records, and the contracts by name."""

    def __init__(self, bench: Workbench, parts: Parts, made: dict[str, DocumentId]) -> None:
        self.bench = bench
        self.parts = parts
        self.records = parts.records
        self.made = made

    def add(self, title: str, law: str, acl: tuple[str, ...] = (), text: str = "") -> DocumentId:
        """Publish a contract (again, where there is one of that title) under the law of a state."""
        page = Page(1, text or f"{title}\nIt is governed by the law of {law}.")
        parsed = ParsedDocument(title, "text/plain", (page,), "en")
        data = page.text.encode()
        new = NewVersion(BUCKET, f"{title}.txt", parsed, content_hash(data), len(data), acl=acl)
        published = self.records.documents.publish(new)
        self.state(published.document, law, published.version)
        self.made[title] = published.document
        return published.document

    def state(self, document: DocumentId, law: str | None, version: int = 1) -> None:
        """Extract a contract's law anew; None: it is uncertain."""
        value = TypedValue(FieldType.TEXT, law or "", None, "", law or "", (law or "").lower())
        found = Finding(CellStatus.PRESENT, (value,), (), 0.97, "pattern")
        finding = found if law else replace(found, status=CellStatus.UNCERTAIN, values=())
        extraction = Extraction(BUCKET, {"governing_law": finding})
        self.records.fields.put(document, version, extraction, "test", fields=("governing_law",))


@contextmanager
def contracts_at_hand(home: Path) -> Iterator[Contracts]:
    """Ten contracts: Cobalt and Glacier are under the law of Texas, of Juno nothing could be read."""
    made = fill(home)
    parts = PartsWith(load_settings(home), HashedEncoder())
    with Workbench(parts) as bench:
        yield Contracts(bench, parts, made)
