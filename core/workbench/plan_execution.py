"""Execution of plans: the operators over this home's records and searches, and what they gave before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import core
from core.answer.value import stated_values
from core.ask.computed_answer import Structured
from core.config.models import RetrievalSettings
from core.config.schema_store import SchemaStore
from core.domain.answer import Value
from core.domain.trust.failures import Habit
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.operators import RecordOperators
from core.plan.run.executor import Executor
from core.plan.run.memo import Memo, WrittenBehind
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.catalogue import CatalogueLoader, KeptAsking, Planners, StatisticsLoader
from core.workbench.finder import IndexFinder

if TYPE_CHECKING:
    from core.datasets.engine import RowEngine
    from core.graph.maps import Maps

_COMPUTES = ("records", "retrieval", "values", "text", "fields", "domain", "plan", "datasets", "graph")


def structured(
    records: Records,
    schemas: SchemaStore,
    catalogues: CatalogueLoader,
    finder: IndexFinder,
    planners: Planners,
    statistics: StatisticsLoader,
    on_close: Callable[[Callable[[], None]], None],
    limits: RetrievalSettings,
    engine: Callable[[], RowEngine],
    maps: Callable[[], Maps],
    habit: Callable[[Plan | Clarify, Visibility], Habit],
) -> Structured:
    """Plans and runs over the parts of one workbench."""
    asking = KeptAsking(records, schemas, catalogues)
    operators = RecordOperators(records, finder, asking.of, values_in, engine=engine, maps=maps)
    store = WrittenBehind(records.node_results, program())
    on_close(store.close)
    return Structured(
        catalogues.load,
        planners.of,
        Executor(operators, Memo(store)),
        records.fields,
        records.documents,
        records.row_selection,
        records.amendments.stand_ins,
        limits,
        statistics.load,
        records.model_readings.resting,
        records.facts,
        habit,
    )


def program() -> str:
    """Version of the program that computes results, by its files: those of another one are computed again."""
    root = Path(core.__file__).parent
    files = sorted(file for name in _COMPUTES for file in (root / name).rglob("*.py"))
    said = "|".join(f"{file.name},{(about := file.stat()).st_size},{about.st_mtime_ns}" for file in files)
    return f"{hashlib.sha256(said.encode()).hexdigest()[:12]}-"


def values_in(question: str, sentence: str) -> list[Value]:
    """The values of a sentence that are of the sort that a question asks for."""
    return [stated.value for stated in stated_values(question, sentence)]
