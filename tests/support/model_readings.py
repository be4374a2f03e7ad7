"""Replies of a reading model, a collection with tables to read about, and plans of what was read."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import check
from core.plan.readers.model.catalogue_text import catalogue_prompt
from core.plan.readers.model.conversion import ReplySetting, reading_from
from core.plan.readers.model.reply import ReadingReply
from core.plan.reading import Reading, ReadInHand
from tests.support.known_collection import known_collection

TODAY = date(2026, 3, 1)
TRIPS = TableEntry(
    (
        ColumnEntry("Driver", FieldType.TEXT, rows=4, texts=("Ada", "Ben", "Cleo")),
        ColumnEntry("km", FieldType.NUMBER, rows=4, low=Decimal(12), high=Decimal(480)),
        ColumnEntry("Cost", FieldType.MONEY, "USD", rows=4, units=("USD",)),
        ColumnEntry("Day", FieldType.DATE, rows=4, low=Decimal(739_000), high=Decimal(739_100)),
    ),
    ("d51",),
    rows=4,
    parts=(TablePart("d51", 1, "Trips"),),
)


def collection() -> Catalogue:
    """The known collection with a sheet of trips."""
    known = known_collection()
    sheet = DocumentEntry("d51", "Fleet 2025", "fleet-2025.xlsx", "motor pool", "generic")
    return replace(
        known, fingerprint="known with trips", documents=(*known.documents, sheet), tables=(TRIPS,)
    )


CATALOGUE = collection()


def step(operation: str, kind: str = "contracts", id: str = "s1", **parts: Any) -> dict[str, Any]:
    """A step as a model writes it; for rows name tables, and no kind."""
    return {"id": id, "operation": operation, "kind": "" if "tables" in parts else kind, **parts}


def condition(field: str, op: str, *values: str, words: str = "", **parts: Any) -> dict[str, Any]:
    return {"field": field, "op": op, "values": list(values), "words": words, **parts}


def reply(*steps: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"reading": "As it was read.", "steps": list(steps), **parts}


def setting(question: str, in_hand: ReadInHand | None = None, *, may_ask: bool = True) -> ReplySetting:
    """The setting in which a question is told to a model."""
    told = catalogue_prompt(CATALOGUE, question, in_hand=in_hand)
    buckets = tuple(sorted({each.bucket for each in CATALOGUE.documents}))
    return ReplySetting(
        question, CATALOGUE, told.documents, told.tables, told.folders, buckets, in_hand, may_ask
    )


def read(
    question: str, replied: dict[str, Any], in_hand: ReadInHand | None = None, *, may_ask: bool = True
) -> Reading:
    """The reading of a reply to a question."""
    return reading_from(ReadingReply.model_validate(replied), setting(question, in_hand, may_ask=may_ask))


def compiled(reading: Reading, in_hand: Plan | None = None) -> Plan:
    """The plan of a reading, checked. Raises PlanError."""
    plan = compile_reading(reading, CompileContext(CATALOGUE, TODAY, in_hand=in_hand))
    check(plan, CATALOGUE)
    return plan
