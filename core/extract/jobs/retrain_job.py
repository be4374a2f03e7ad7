"""Retraining as a durable job: verdicts in, a model that is switched in only if it is not worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.facts import head_probability
from core.domain.fields import CellStatus, PromiseLevel
from core.errors import JobError
from core.extract.base import Definitions, Thresholds, head_of
from core.extract.clauses.classifier import NEVER, ClauseHeads
from core.extract.clauses.retraining import ClauseVerdict, retrain
from core.extract.jobs.work import load_heads
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import EXTRACT
from core.store.cells.extraction_states import ExtractionStates
from core.store.cells.thresholds import FieldModel
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()


class RetrainJob(JobHandler):
    """The handler of the job kind `retrain`; all of it in one slice of seconds."""

    def __init__(self, records: Records, load: Callable[[], Definitions]) -> None:
        self._records = records
        self._load = load

    def work(self, context: JobContext) -> bool:
        """Train, keep the model with its figures, and where it is better use it and extract anew.

        An attempt that was cut short leaves the model in use that was, until the next one ends the work.
        """
        name = f"home-{context.order.id}"
        model = next((each for each in self._records.models.list() if each.id == name), None)
        if model is None:
            model = self._train(name, context)
        if self._may_be_used(model):
            self._records.models.use(name)
            self._records.jobs.create(EXTRACT, "Fields by the retrained model", {}, user=context.order.user)
        return False

    def _train(self, name: str, context: JobContext) -> FieldModel:
        definitions = self._load()
        heads = load_heads(definitions)
        if not isinstance(heads, ClauseHeads):
            raise JobError("The clause heads cannot be read.", next_step="Run `groundwork doctor`.")
        found = retrain(heads.artefact, list(verdicts_of(self._records, definitions, heads.levels)))
        context.check()
        figures = {**found.figures, "from": definitions.model}
        return self._records.models.put(name, found.artefact, figures, datetime.now(UTC))

    def _may_be_used(self, model: FieldModel) -> bool:
        """True where it is better than the model in use: another one may have been chosen meanwhile."""
        is_better, before = model.figures.get("is_better"), model.figures.get("from")
        return is_better is True and self._load().model in (before, model.id)


def verdicts_of(
    records: Records, definitions: Definitions, levels: Mapping[PromiseLevel, Mapping[str, Thresholds]]
) -> Iterator[ClauseVerdict]:
    """Decisions of people on cells that heads decide, with the probability of the model in use.

    levels: that model's own thresholds, by head. Cells of documents that wait for their extraction are left
    out: their probabilities are those of another model, or of another text.
    """
    schemas = {
        schema.name: {each.name: (each, head) for each in schema.fields if (head := head_of(each))}
        for schema in definitions.schemas
    }
    states = ExtractionStates(records.database)
    for bucket in records.documents.buckets(_EVERYTHING):
        lacking = frozenset(records.fields.lacking(bucket.name, definitions.fingerprint(bucket.name)))
        schema_of = states.by_document(_EVERYTHING, bucket.name)
        moved = definitions.thresholds.get(bucket.name, {})
        thresholds = levels[definitions.level(bucket.name)]
        for cell in records.fields.verdicts(bucket.name):
            field = schemas.get(schema_of.get(cell.document, ""), {}).get(cell.field)
            known = None if cell.extracted is None else head_probability(cell.extracted)
            if field is None or known is None or cell.document in lacking:
                continue
            definition, head = field
            if head in thresholds and cell.finding.status in (CellStatus.PRESENT, CellStatus.ABSENT):
                limits = moved.get(cell.field, thresholds[head])
                if definition.candidates_only:
                    limits = replace(limits, present_from=NEVER)
                is_there = cell.finding.status is CellStatus.PRESENT
                yield ClauseVerdict(cell.document, head, known, is_there, limits)
