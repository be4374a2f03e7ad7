"""Thresholds between absent, uncertain and present, their costs, and trained models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime
from functools import cached_property

from core.config.fields import FieldDefinition
from core.domain.certainty.guess import guesses_of
from core.domain.certainty.share import CheckedShare
from core.domain.facts import (
    FieldOutlook,
    FieldQuality,
    FieldThresholds,
    PromiseCost,
    ThresholdCost,
    head_probability,
)
from core.domain.fields import Cell, CellStatus, FieldType, Finding, PromiseLevel, TypedValue
from core.domain.ids import DocumentId, JobId
from core.domain.matrix import FieldCounts
from core.domain.trust.permission import Action
from core.errors import UsageError
from core.jobs import queue
from core.jobs.kinds import RETRAIN
from core.store.cells.thresholds import FieldModel, Threshold
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.services.schemas import SchemaService

SHOWN_PAIRS = ((0.30, 0.50), (0.20, 0.60), (0.10, 0.80), (0.05, 0.90), (0.02, 0.95))
"""Pairs of thresholds whose costs are shown beside those in force."""


MORE_VERDICTS = 10
"""Verdicts of which it is said what they would bring."""

_MOST_OPEN = 20_000
_NOTHING_LEARNT = (
    "Verdicts decide their own cells and no others: this field is read by rules, which learn nothing."
)


class ThresholdService(Service):
    """Thresholds and models of clause heads."""

    _schemas = cached_property(lambda self: SchemaService(self._parts, self._principal))

    @recorded("schema.move_threshold", "bucket", "field", "absent_below", "present_from")
    def move(
        self, bucket: str, field: str, absent_below: float | None, present_from: float | None
    ) -> JobId | None:
        """Move the lines of one field in a bucket, or back with None; gives the job that applies them.

        Raises RefusedError, and UsageError where they are not in order or no head decides the field.
        """
        self._permit(Action.CONFIGURE, "move thresholds")
        if field not in {definition.name for definition, _ in self._headed(bucket)}:
            raise UsageError(
                f"Field {field!r} of bucket {bucket!r} is not decided by probabilities.",
                next_step="Choose a clause that the table of thresholds lists.",
            )
        before = self._parts.definitions().fingerprint(bucket)
        if absent_below is None or present_from is None:
            self._parts.records.thresholds.remove(bucket, field)
        else:
            self._parts.records.thresholds.put(
                Threshold(bucket, field, absent_below, present_from, self._principal.user, datetime.now(UTC))
            )
        after = self._parts.definitions().fingerprint(bucket)
        if before == after:
            return None
        return self._schemas.refill([bucket], {bucket: before}, {bucket: after}, (field,))

    def promise(self, bucket: str) -> PromiseLevel:
        """The promise level of a bucket."""
        return self._parts.definitions().level(bucket)

    @recorded("schema.set_promise", "bucket", "level")
    def set_promise(self, bucket: str, level: PromiseLevel) -> JobId | None:
        """Choose the promise level of a bucket's clauses; gives the job that decides them anew.

        Lines that were moved by hand stay. Raises RefusedError, NotFoundError, UsageError for no level.
        """
        self._permit(Action.CONFIGURE, "choose a promise level")
        if level not in tuple(PromiseLevel):
            raise UsageError(
                f"There is no promise level {level!r}.", next_step=f"Choose one of {', '.join(PromiseLevel)}."
            )
        level = PromiseLevel(level)
        before = self._parts.definitions().fingerprint(bucket)
        self._parts.records.documents.set_promise(bucket, level)
        after = self._parts.definitions().fingerprint(bucket)
        if before == after:
            return None
        fields = tuple(definition.name for definition, _ in self._headed(bucket))
        return self._schemas.refill([bucket], {bucket: before}, {bucket: after}, fields)

    def promises(self, bucket: str) -> tuple[PromiseCost, ...]:
        """The promise levels, strictest first, and what each is worth on cells that were reviewed here."""
        self._permit(Action.REVIEW, "see verdicts")
        from core.extract.jobs.work import load_heads

        definitions = self._parts.definitions()
        heads, chosen = load_heads(definitions), definitions.level(bucket)
        head_of = {definition.name: head for definition, head in self._headed(bucket)}
        found = list(self._verdicts(bucket, frozenset(head_of)))
        costs = []
        for level in PromiseLevel:
            known = heads.levels[level] if heads is not None else {}
            decided = [
                (p < limits.absent_below, p >= limits.present_from, is_there)
                for field, p, is_there in found
                if (limits := known.get(head_of[field])) is not None
            ]
            present = [is_there for _, is_present, is_there in decided if is_present]
            absent = [is_there for is_absent, _, is_there in decided if is_absent]
            open_cells = len(decided) - len(present) - len(absent)
            costs.append(
                PromiseCost(
                    level,
                    level is chosen,
                    len(decided),
                    open_cells / len(decided) if decided else 0.0,
                    CheckedShare(sum(present), len(present)),
                    CheckedShare(len(absent) - sum(absent), len(absent)),
                )
            )
        return tuple(costs)

    def costs(self, bucket: str, field: str | None = None) -> list[ThresholdCost]:
        """Costs of several pairs of thresholds over the cells that people reviewed.

        field: None for all that heads decide. The pair in force comes first where one field is asked for.
        """
        self._permit(Action.REVIEW, "see verdicts")
        names = {definition.name for definition, _ in self._headed(bucket)}
        wanted = names if field is None else names & {field}
        verdicts = [(p, is_there) for _, p, is_there in self._verdicts(bucket, wanted)]
        pairs = [*SHOWN_PAIRS]
        if field is not None:
            pairs[:0] = [
                (each.absent_below, each.present_from) for each in self.list(bucket) if each.field == field
            ]
        return [cost(verdicts, *pair) for pair in dict.fromkeys(pairs)]

    def qualities(self, bucket: str, fields: Sequence[str]) -> dict[str, FieldQuality]:
        """Of some fields of a bucket how much is decided, and how right that was where people checked.

        Raises RefusedError without the role.
        """
        self._permit(Action.REVIEW, "see verdicts")
        asking = self._asking(bucket)
        counts = self._parts.records.fields.counts(self._visible, bucket, fields, asking=asking)
        reviewed: dict[str, list[Cell]] = {}
        for cell in self._reviewed(bucket):
            reviewed.setdefault(cell.field, []).append(cell)
        return {
            name: quality_of(name, counts.get(name, FieldCounts()), reviewed.get(name, ()))
            for name in dict.fromkeys(fields)
        }

    def outlook(self, bucket: str, field: str) -> FieldOutlook:
        """What ten more verdicts on a field would bring. Raises RefusedError without the role."""
        decisions = self.qualities(bucket, [field])[field].decisions
        interval = decisions.after(MORE_VERDICTS)
        head = next((head for name, head in self._headed(bucket) if name.name == field), None)
        if head is None:
            return FieldOutlook(MORE_VERDICTS, interval, why=_NOTHING_LEARNT)
        from core.extract.base import Thresholds
        from core.extract.clauses.classifier import ClauseHeads
        from core.extract.clauses.retraining import OpenCell, outlook
        from core.extract.jobs.retrain_job import verdicts_of
        from core.extract.jobs.work import load_heads

        definitions = self._parts.definitions()
        heads = load_heads(definitions)
        if not isinstance(heads, ClauseHeads) or head not in heads.artefact.thresholds:
            return FieldOutlook(MORE_VERDICTS, interval, why=_NOTHING_LEARNT)
        lines = next(each for each in self.list(bucket) if each.field == field)
        seen = self._seen()
        verdicts = [
            each
            for each in verdicts_of(self._parts.records, definitions, heads.levels)
            if each.document in seen
        ]
        waiting = self._parts.records.fields.worklist(self._visible, bucket, [field], _MOST_OPEN)
        cells = [OpenCell(each.document, each.probability) for each in waiting if not each.check_again]
        limits = Thresholds(lines.absent_below, lines.present_from)
        found = outlook(heads.artefact, verdicts, cells, head, limits, MORE_VERDICTS)
        why = found.why
        if not why and found.used == 0:
            why = (
                "A model trained on them would most likely not be used: it has to be better on verdicts that "
                "are held back, by more than chance."
            )
        return FieldOutlook(found.verdicts, interval, found.decided, why)

    def _seen(self) -> frozenset[DocumentId]:
        return frozenset(document.id for document in self._parts.records.documents.list(self._visible))

    def _reviewed(self, bucket: str) -> Iterator[Cell]:
        """The reviewed cells of documents that may be seen."""
        seen = self._seen()
        return (cell for cell in self._parts.records.fields.verdicts(bucket) if cell.document in seen)

    def _verdicts(self, bucket: str, fields: Set[str]) -> Iterator[tuple[str, float, bool]]:
        """Field, probability and verdict of the reviewed cells of documents that may be seen."""
        for cell in self._reviewed(bucket):
            verdict = _verdict(cell) if cell.field in fields else None
            if verdict is not None:
                yield cell.field, *verdict

    def models(self) -> list[FieldModel]:
        """The models that were trained in this home, newest first, with their figures."""
        self._permit(Action.CONFIGURE, "see models")
        return self._parts.records.models.list()

    @recorded("schema.use_model", "model")
    def use_model(self, model: str | None) -> JobId | None:
        """Switch to a model of this home, or for None back to the shipped one; gives the job that applies it.

        Raises RefusedError, NotFoundError.
        """
        self._permit(Action.CONFIGURE, "switch models")
        self._parts.records.models.use(model)
        return self._schemas.submit_extract()

    @recorded("schema.retrain")
    def submit_retrain(self) -> JobId:
        """Enqueue a training on the verdicts of this home; it is switched in only if it is not worse."""
        self._permit(Action.CONFIGURE, "train models")
        return queue.submit(
            self._parts.records, RETRAIN, "Clause heads retrained", {}, user=self._principal.user
        )

    def _headed(self, bucket: str) -> Iterator[tuple[FieldDefinition, str]]:
        """The fields of a bucket's schema that a head may decide, with its name."""
        for definition in self._schemas.of_bucket(bucket).fields:
            heads = [each.head for each in definition.extractors if each.method == "head"]
            if heads and definition.type is FieldType.BOOLEAN:
                yield definition, heads[0]

    def _shipped_thresholds(self, bucket: str) -> Mapping[str, tuple[float, float]]:
        from core.extract.jobs.work import load_heads

        definitions = self._parts.definitions()
        heads = load_heads(definitions)
        if heads is None:
            return {}
        found = heads.levels[definitions.level(bucket)]
        return {name: (each.absent_below, each.present_from) for name, each in found.items()}

    def list(self, bucket: str) -> list[FieldThresholds]:
        """Those of every field of a bucket that a clause head decides, in the order of the schema."""
        shipped = self._shipped_thresholds(bucket)
        moved = self._parts.records.thresholds.of_bucket(bucket)
        found = []
        for definition, head in self._headed(bucket):
            own = moved.get(definition.name)
            if own is not None:
                found.append(
                    FieldThresholds(
                        definition.name, own.absent_below, own.present_from, False, own.set_by, own.set_at
                    )
                )
            elif head in shipped:
                found.append(FieldThresholds(definition.name, *shipped[head]))
        return found


def cost(verdicts: Sequence[tuple[float, bool]], absent_below: float, present_from: float) -> ThresholdCost:
    """Cost of a pair of thresholds; verdicts: a probability and whether the clause is there."""
    present = [is_there for p, is_there in verdicts if p >= present_from]
    absent = [is_there for p, is_there in verdicts if p < absent_below and p < present_from]
    real = sum(is_there for _, is_there in verdicts)
    count = len(verdicts)
    return ThresholdCost(
        absent_below,
        present_from,
        count,
        (count - len(present) - len(absent)) / count if count else 0.0,
        sum(present) / len(present) if present else None,
        1 - sum(absent) / len(absent) if absent else None,
        sum(absent) / real if real else None,
    )


def _verdict(cell: Cell) -> tuple[float, bool] | None:
    """The head's probability and the person's verdict; None where the cell has not both."""
    known = None if cell.extracted is None else head_probability(cell.extracted)
    if known is None or cell.finding.status not in (CellStatus.PRESENT, CellStatus.ABSENT):
        return None
    return known, cell.finding.status is CellStatus.PRESENT


_DECIDED = (CellStatus.PRESENT, CellStatus.ABSENT)


def quality_of(field: str, counts: FieldCounts, reviewed: Iterable[Cell]) -> FieldQuality:
    """Quality of one field. reviewed: its cells that a person decided and that stand."""
    decided = guessed = right = right_guesses = 0
    for cell in reviewed:
        said, found = cell.extracted, cell.finding
        if said is None or found.status not in _DECIDED:
            continue
        if said.status in _DECIDED:
            decided += 1
            right += is_same(said, found)
        elif guesses := guesses_of(said):
            guessed += 1
            right_guesses += _is_guessed(guesses[0].value, found)
    statuses = counts.statuses
    return FieldQuality(
        field,
        counts.total,
        sum(statuses.get(status, 0) for status in _DECIDED),
        counts.guessed,
        statuses.get(CellStatus.UNREADABLE, 0),
        counts.pending,
        CheckedShare(right, decided),
        CheckedShare(right_guesses, guessed),
    )


def is_same(first: Finding, second: Finding) -> bool:
    """True where two findings say the same: the same status, and the same values in any order."""
    if first.status is not second.status:
        return False
    return {_key(each) for each in first.values} == {_key(each) for each in second.values}


def _is_guessed(value: TypedValue, found: Finding) -> bool:
    """True where a person found what was guessed: that value, or of a clause guessed missing nothing."""
    if found.status is CellStatus.ABSENT:
        return value.text == "false" and value.amount == 0
    return _key(value) in {_key(each) for each in found.values}


def _key(value: TypedValue) -> tuple[str, str, str]:
    return (" ".join((value.normal or value.text).split()).casefold(), value.unit, value.special.value)
