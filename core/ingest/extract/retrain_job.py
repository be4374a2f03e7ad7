"""Retraining as a durable job: verdicts in, a model that is switched in only if it is not worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from core.domain.facts import head_probability
from core.domain.fields import CellStatus
from core.errors import JobError
from core.ingest.extract.clauses import ClauseHeads
from core.ingest.extract.definitions import Definitions
from core.ingest.extract.retraining import Verdict, retrain
from core.ingest.extract.work import load_heads
from core.jobs.base import JobContext
from core.jobs.kinds import EXTRACT
from core.records.store import Records
from core.records.visibility import Visibility


class RetrainJob:
    """The handler of the job kind `retrain`; all of it in one slice of seconds."""

    def __init__(self, records: Records, load: Callable[[], Definitions]) -> None:
        self._records = records
        self._load = load

    def prepare(self, context: JobContext) -> None:
        """Nothing: it has no items."""

    def work(self, context: JobContext) -> bool:
        """Train, keep the model with its figures, and where it is better use it and extract anew."""
        model = f"home-{context.order.id}"
        if any(each.id == model for each in self._records.models.list()):
            return False  # done by an attempt that was cut short
        definitions = self._load()
        heads = load_heads(definitions)
        if not isinstance(heads, ClauseHeads):
            raise JobError("The clause heads cannot be read.", next_step="Run `groundwork doctor`.")
        found = retrain(heads.artefact, list(verdicts_of(self._records, definitions)))
        context.check()
        self._records.models.put(model, found.artefact, found.figures, datetime.now(UTC))
        if found.is_better:
            self._records.models.use(model)
            self._records.jobs.create(EXTRACT, "Fields by the retrained model", {}, user=context.order.user)
        return False


def verdicts_of(records: Records, definitions: Definitions) -> Iterator[Verdict]:
    """What people found of cells that heads decide, with the probability of the model in use."""
    heads = {
        each.name: extractor.head
        for schema in definitions.schemas
        for each in schema.fields
        for extractor in each.extractors
        if extractor.method == "head"
    }
    lacking = {
        document
        for bucket in records.documents.buckets(Visibility.everything())
        for document in records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name))
    }
    for cell in records.fields.verdicts():
        known = None if cell.extracted is None else head_probability(cell.extracted)
        status = cell.finding.status
        if known is None or cell.field not in heads or cell.document in lacking:
            continue
        if status in (CellStatus.PRESENT, CellStatus.ABSENT):
            yield Verdict(cell.document, heads[cell.field], known, status is CellStatus.PRESENT)
