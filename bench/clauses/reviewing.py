"""A home with the clause cells of contracts that no model saw, and a reviewer who knows the labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.clauses.crossfit import Scores
from bench.clauses.source import Labelled
from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.domain.document import ParsedDocument
from core.domain.facts import head_probability
from core.domain.fields import Cell, CellStatus, Extraction, FieldType, Finding, ReviewAction, TypedValue
from core.domain.ids import ContentHash, DocumentId
from core.errors import JobError
from core.extract.base import Definitions
from core.extract.clauses.artefact_file import Artefact
from core.extract.clauses.classifier import MAX_SPANS, ClauseHeads, HeadFinding, decide, ranked
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.clauses.heads import DocumentScores
from core.extract.clauses.retraining import is_held_back, packed
from core.extract.jobs.retrain_job import RetrainJob
from core.extract.jobs.work import load_heads
from core.jobs import queue
from core.jobs.kinds import RETRAIN
from core.store.base import JobOrder, NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

BUCKET = "contracts"
_EVERYTHING = Visibility.everything()
_DECIDED = (CellStatus.PRESENT, CellStatus.ABSENT)
_TRUE = TypedValue(FieldType.BOOLEAN, "true", 1)


@dataclass(frozen=True, slots=True)
class Fold:
    """Contracts, and what models say of them that saw nothing of the fold.

    artefact: as those other folds give it, but without weights of segments: `scores` holds what they gave.
    features: of the document stage, by contract.
    """

    data: Labelled
    artefact: Artefact
    scores: Scores
    features: dict[int, NDArray[np.float64]]

    def off_by(self, logit: float) -> Fold:
        """The same with wrong probabilities, as contracts of another kind would have them."""
        first, *others = self.artefact.parts
        calibration = replace(first.calibration, bias=first.calibration.bias + logit)
        parts = (replace(first, calibration=calibration), *others)
        return replace(self, artefact=replace(self.artefact, parts=parts))


@dataclass(frozen=True, slots=True)
class Retrained:
    """What came of one retraining. held_worse: of the held-back cells with a verdict that were decided
    rightly before, those that are not any more; others_wrong, others_open: of the decided cells that nobody
    reviewed, those that were right by the labels and are wrong or undecided now. All counted in the home.
    """

    verdicts: int
    held_back: int
    log_loss: str
    decided_right: str
    is_used: bool
    why_not: str = ""
    held_worse: int = 0
    others_wrong: int = 0
    others_open: int = 0
    uncertain_before: int = 0
    uncertain_after: int = 0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """After so many verdicts. uncertain: cells that still wait for one."""

    given: int
    fixed: int
    uncertain: int
    retrained: Retrained | None


@dataclass(frozen=True, slots=True)
class GuessErrors:
    """Wrong best guesses before anybody looked: of uncertain cells, and of all."""

    uncertain: int
    wrong_uncertain: int
    cells: int
    wrong: int


@dataclass
class _Context:
    """A JobContext that nobody stops."""

    order: JobOrder
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def check(self) -> None:
        """Nothing interrupts."""

    def should_yield(self) -> bool:
        """Never."""
        return False


class Home:
    """The fold's contracts in a home of the product, and their reviewer."""

    def __init__(self, records: Records, fold: Fold) -> None:
        self._records = records
        self._fold = fold
        self._shipped = packed(fold.artefact)
        self._schemas = tuple(shipped_schemas().values())
        self._contract: dict[DocumentId, int] = {}

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, fold: Fold) -> Iterator[Home]:
        """With every contract published and its cells put."""
        with Records.open(Settings(home=folder)) as records:
            home = cls(records, fold)
            home._publish()
            home._extract()
            yield home

    def check_decided(self, count: int, rng: np.random.Generator) -> None:
        """Review so many decided cells, drawn at random."""
        cells = [cell for cell in self._cells() if cell.finding.status in _DECIDED]
        for at in rng.permutation(len(cells))[:count]:
            self._review(cells[at])

    def answer(self) -> bool | None:
        """Review the first cell of the work list; gives whether that fixed an error, None at its end."""
        items = self._records.fields.worklist(_EVERYTHING, BUCKET, list(CUAD_YES_NO), 1)
        if not items:
            return None
        cell = self._records.fields.cell(items[0].document, items[0].field, _EVERYTHING)
        self._review(cell)
        return self._is_error(cell)

    def retrain(self) -> Retrained | None:
        """The product's job, and where it switches to a new model the extraction that follows; None if it
        refuses to begin."""
        before = {(cell.document, cell.field): cell for cell in self._cells()}
        model = self._load().model
        order = self._records.jobs.order(queue.submit(self._records, RETRAIN, "bench", {}))
        try:
            RetrainJob(self._records, self._load).work(_Context(order))
        except JobError:
            return None
        figures = next(each.figures for each in self._records.models.list() if each.id == f"home-{order.id}")
        is_used = self._load().model != model
        if is_used:
            self._extract()
        after = {(cell.document, cell.field): cell for cell in self._cells()}
        open_before, open_after = (
            sum(cell.finding.status is CellStatus.UNCERTAIN for cell in cells.values())
            for cells in (before, after)
        )
        was, now = figures["before"], figures["after"]
        return Retrained(
            figures["verdicts"],
            figures["held_back"],
            f"{was['log_loss']:.3f} > {now['log_loss']:.3f}",
            f"{was['right']} of {was['decided']} > {now['right']} of {now['decided']}",
            is_used,
            "" if is_used else _why_not(figures),
            *self._harm(before, after),
            open_before,
            open_after,
        )

    def uncertain(self) -> int:
        """Cells that wait for a verdict."""
        counts = self._records.fields.counts(_EVERYTHING, BUCKET, list(CUAD_YES_NO))
        return sum(each.statuses.get(CellStatus.UNCERTAIN, 0) for each in counts.values())

    def guess_errors(self) -> GuessErrors:
        """Over the cells as they are now."""
        cells = list(self._cells())
        doubtful = [cell for cell in cells if cell.finding.status is CellStatus.UNCERTAIN]
        wrong_uncertain, wrong = (sum(map(self._is_error, some)) for some in (doubtful, cells))
        return GuessErrors(len(doubtful), wrong_uncertain, len(cells), wrong)

    def _harm(
        self, before: dict[tuple[DocumentId, str], Cell], after: dict[tuple[DocumentId, str], Cell]
    ) -> tuple[int, int, int]:
        held = others_wrong = others_open = 0
        for key, cell in before.items():
            was, now = _extracted(cell).status, _extracted(after[key]).status
            if was is not self._truth(cell) or now is was:
                continue
            if cell.review is not None:
                held += is_held_back(cell.document)
            elif now in _DECIDED:
                others_wrong += 1
            else:
                others_open += 1
        return held, others_wrong, others_open

    def _review(self, cell: Cell) -> None:
        action, value = ReviewAction.ABSENT, None
        if self._truth(cell) is CellStatus.PRESENT:
            is_confirmed = cell.finding.status is not CellStatus.ABSENT
            action, value = (ReviewAction.CONFIRM, None) if is_confirmed else (ReviewAction.CORRECT, _TRUE)
        self._records.reviews.review(
            cell.document, cell.field, action, "bench", datetime.now(UTC), value, visible=_EVERYTHING
        )

    def _truth(self, cell: Cell) -> CellStatus:
        is_there = self._fold.data.contracts[self._contract[cell.document]].yes[cell.field]
        return CellStatus.PRESENT if is_there else CellStatus.ABSENT

    def _is_error(self, cell: Cell) -> bool:
        """Whether the best guess of extraction is not what the label says."""
        probability = head_probability(_extracted(cell)) or 0.0
        return (probability >= 0.5) != (self._truth(cell) is CellStatus.PRESENT)

    def _cells(self) -> Iterator[Cell]:
        yield from self._records.fields.cells(_EVERYTHING, bucket=BUCKET, fields=list(CUAD_YES_NO))

    def _load(self) -> Definitions:
        model, artefact = self._records.models.active() or ("of other folds", self._shipped)
        return Definitions(self._schemas, model=model, artefact=artefact)

    def _publish(self) -> None:
        for index in self._fold.scores:
            contract = self._fold.data.contracts[index]
            version = NewVersion(
                BUCKET,
                contract.name,
                ParsedDocument(contract.document.title, "text/plain", contract.document.pages, "en"),
                ContentHash(f"{index:064x}"),
                len(contract.document.text),
            )
            self._contract[self._records.documents.publish(version).document] = index

    def _extract(self) -> None:
        """Put every contract's cells as the model in use has them."""
        definitions = self._load()
        heads = load_heads(definitions)
        assert isinstance(heads, ClauseHeads)
        for document, index in self._contract.items():
            extraction = Extraction(BUCKET, self._findings(heads.artefact, index))
            self._records.fields.put(document, 1, extraction, definitions.fingerprint(BUCKET))

    def _findings(self, artefact: Artefact, index: int) -> dict[str, Finding]:
        part, (scores, prior) = artefact.parts[0], self._fold.scores[index]
        prepared = self._fold.data.documents[index]
        scored = DocumentScores(prepared.document, scores, prepared.segments.bits, prior)
        probabilities = part.calibration.probabilities(part.stage.logits(self._fold.features[index]))
        found = {}
        for head, name in enumerate(CUAD_YES_NO):
            spans = tuple(
                (
                    self._fold.data.contracts[index].document.quote(each.segment.start, each.segment.end),
                    each.score,
                )
                for each in ranked(scored, head, MAX_SPANS)
            )
            found[name] = decide(
                HeadFinding(name, float(probabilities[head]), spans), artefact.thresholds[name]
            )
        return found


def _extracted(cell: Cell) -> Finding:
    return cell.finding if cell.extracted is None else cell.extracted


def _why_not(figures: dict[str, object]) -> str:
    if figures["made_worse"]:
        return f"no: {figures['made_worse']} made worse"
    if figures["promises_broken"]:
        return f"no: {figures['promises_broken']} decided anew wrongly"
    return f"no: gain {figures['gain']:.3f} ± {figures['gain_by_chance']:.3f}"
