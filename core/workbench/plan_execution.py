"""What runs plans: the operators over this home's records and searches, and what they gave before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import core
from core.agent.computed_answer import Structured
from core.agent.request import Cutoffs
from core.answer.value import stated_values
from core.cache import Cache
from core.config.schema_store import SchemaStore
from core.domain.answer import Value
from core.domain.matrix import Asking
from core.encode.base import Encoder, TokenCounter
from core.plan.language.lexicon.meaning import FieldMeanings
from core.plan.learned import LearnedPlanner
from core.plan.planner import RulePlanner
from core.records.database.visibility import Visibility
from core.records.store import Records
from core.retrieval.executor import Executor
from core.retrieval.memo import Memo
from core.retrieval.operators import RecordOperators
from core.retrieval.write_behind import WrittenBehind
from core.retrieval.written import WrittenTexts
from core.workbench.catalogue import CatalogueLoader
from core.workbench.corrections import PastCorrections
from core.workbench.field_scope import asking_of
from core.workbench.finder import IndexFinder
from core.workbench.statistics import StatisticsLoader

_COMPUTES = ("records", "retrieval", "values", "text", "fields", "domain", "plan")
_KEPT = 16  # visibilities whose fields are known


def structured(
    records: Records,
    schemas: SchemaStore,
    catalogues: CatalogueLoader,
    finder: IndexFinder,
    encoder: Callable[[], Encoder],
    meanings: Callable[[], FieldMeanings],
    words: TokenCounter,
    statistics: StatisticsLoader,
    on_close: Callable[[Callable[[], None]], None],
    cutoffs: Cutoffs,
) -> Structured:
    """Plans and runs over the parts of one workbench."""
    asking = KeptAsking(records, schemas, catalogues)
    operators = RecordOperators(records, finder, asking.of, values_in)
    store = WrittenBehind(records.node_results, program())
    on_close(store.close)
    past = PastCorrections(records.lessons, encoder)
    return Structured(
        catalogues.load,
        lambda catalogue, visible: LearnedPlanner(
            catalogue,
            RulePlanner(catalogue, meanings(), words=words, texts=WrittenTexts(finder, records, visible)),
            past,
            encoder,
            words=words,
        ),
        Executor(operators, Memo(store)),
        records.fields,
        records.documents,
        records.row_selection,
        records.amendments.stand_ins,
        cutoffs,
        statistics.load,
    )


def program() -> str:
    """What computes results, by its files: those of another version are computed again."""
    root = Path(core.__file__).parent
    files = sorted(file for name in _COMPUTES for file in (root / name).rglob("*.py"))
    said = "|".join(f"{file.name},{(about := file.stat()).st_size},{about.st_mtime_ns}" for file in files)
    return f"{hashlib.sha256(said.encode()).hexdigest()[:12]}-"


def values_in(question: str, sentence: str) -> list[Value]:
    """The values of a sentence that are of the sort that a question asks for."""
    return [stated.value for stated in stated_values(question, sentence)]


class KeptAsking:
    """Which documents are asked for which fields, found once for a data version and a visibility."""

    def __init__(self, records: Records, schemas: SchemaStore, catalogues: CatalogueLoader) -> None:
        self._records = records
        self._schemas = schemas
        self._catalogues = catalogues
        self._kept: Cache[str, Asking] = Cache(_KEPT)

    def of(self, visible: Visibility) -> Asking:
        """As the schemas and the collection are now."""
        known_by = self._catalogues.load(visible).fingerprint  # of the data version and the groups, too
        return self._kept.get_or_make(
            known_by, lambda: asking_of(self._schemas, self._records, visible, None)
        )
