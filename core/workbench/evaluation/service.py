"""Suites, their runs and comparisons, for who reviews answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from core.cache import Cache
from core.domain.answer import Answer
from core.domain.ids import DocumentId, JobId
from core.domain.job import Job
from core.domain.trust.permission import Action
from core.domain.trust.review import FlagReason, ReviewFilter, ReviewItem
from core.errors import NotFoundError, UsageError
from core.evaluate.comparison import EvaluationComparison, compare_runs
from core.evaluate.figures import figures
from core.evaluate.job import EvaluatePayload, measured_of
from core.evaluate.measured import (
    EvaluationRun,
    MeasuredCase,
    MutedCase,
    RunDetails,
    RunVersions,
    SuiteOverview,
)
from core.evaluate.metrics import MetricFigure
from core.evaluate.shipped import SHIPPED
from core.evaluate.suite import Case, load_suite, unknown_documents
from core.jobs import queue
from core.jobs.kinds import EVALUATE
from core.store.evaluation.runs import EvaluationRuns, EvaluationSuites, KeptRun
from core.workbench.evaluation.suites import SuiteShelf, own_name
from core.workbench.evaluation.versions import versions_of
from core.workbench.recorded import recorded
from core.workbench.services.base import Service
from core.workbench.trust.reviews import ReviewService

MOST_CASES, MOST_RUNS, LONGEST_REASON = 5_000, 100, 500
_figures: Cache[tuple[object, ...], tuple[tuple[MetricFigure, ...], int, dict[str, int]]] = Cache(512)


class EvaluationService(Service):
    """Evaluation of a home, for who reviews. A run is there for who made it, and for who sees everything.

    Cases that tell of a document that may not be seen are left out of runs, and of their figures.
    """

    _reviews = cached_property(lambda self: ReviewService(self._parts, self._principal))

    # Suites.

    def suites(self) -> list[SuiteOverview]:
        """Every suite that can be run: shipped ones, from verdicts, of this home, and own ones."""
        self._require("see suites")
        return self._shelf.overviews()

    def cases(self, suite: str) -> tuple[Case, ...]:
        """The cases of a suite. Raises NotFoundError for an unknown one; UsageError where it has none."""
        self._require("see suites")
        return self._shelf.cases(suite)

    def problem(self, suite: str, cases: Sequence[Case]) -> str:
        """Why some cases cannot come out right in this home, in sentences; "" where nothing tells so."""
        self._require("see suites")
        return self._shelf.problem(suite, cases)

    @recorded("evaluation.import_suite", "name")
    def import_suite(self, file: Path, name: str = "", title: str = "") -> SuiteOverview:
        """Keep the suite of a .jsonl file in this home, in place of an earlier one of its name.

        name: "" for that of the file. Raises UsageError, with the numbers of the lines, for what is no case,
        for ids and questions that stand twice, and for documents that are not in this home.
        """
        self._require("import suites")
        wanted = own_name(name or file.stem.lower().replace("_", "-"))
        cases = load_suite(file, most=MOST_CASES, known=self._shelf.files())
        kept = [each.model_dump(mode="json") for each in cases]
        self._records.keep(wanted, title.strip() or wanted, kept, self._principal.user)
        return next(each for each in self.suites() if each.name == wanted)

    @recorded("evaluation.remove_suite", "name")
    def remove_suite(self, name: str) -> None:
        """Forget an own suite; its runs stay. Raises NotFoundError."""
        self._require("remove suites")
        self._records.remove(name)

    # Runs.

    @recorded("evaluation.start", "suite", "with_model")
    def start(self, suite: str, *, with_model: bool = False, cases: Sequence[Case] | None = None) -> str:
        """Begin a run as a job; gives its id. cases: of a suite that is not kept here, under that name.

        Raises UsageError where there is nothing to ask, or no model is configured; NotFoundError.
        """
        self._require("run suites")
        found = self.cases(suite) if cases is None else tuple(cases)
        self._require_runnable(suite, found, with_model=with_model)
        run = self._runs.create(
            suite,
            json.dumps([each.model_dump(mode="json") for each in found]),
            len(found),
            versions_of(self._parts, self._visible, with_model=with_model).model_dump(mode="json"),
            user=self._principal.user,
            with_model=with_model,
        )
        who = self._principal
        payload = EvaluatePayload(
            run=run.id,
            variant=self._parts.variant.id,
            roles=tuple(sorted(who.roles)),
            groups=tuple(sorted(who.groups)),
        )
        title = f"Evaluation of {suite}{' with the model' if with_model else ''}"
        job = queue.submit(
            self._parts.records, EVALUATE, title, payload.model_dump(mode="json"), user=who.user
        )
        self._runs.set_job(run.id, job)
        return run.id

    def require_model(self) -> None:
        """Raises UsageError where no language model is configured."""
        self._parts.models_of_home.require()

    def follow(self, run: str, on_progress: Callable[[Job], None] | None = None) -> RunDetails:
        """Wait for the end of a run; the worker does it where one is at work. Gives it as it then is."""
        self._require("run suites")
        self._writing.complete(JobId(self._kept(run).job), on_progress)
        return self.run(run)

    @recorded("evaluation.cancel", "run")
    def cancel(self, run: str) -> None:
        """Stop a run; what is measured stays. Raises JobError where it has ended, NotFoundError."""
        self._require("run suites")
        queue.cancel(self._parts.records, JobId(self._kept(run).job))

    @recorded("evaluation.resume", "run")
    def resume(self, run: str) -> None:
        """Go on with a run that was stopped: what is measured is not asked again. Raises JobError."""
        self._require("run suites")
        queue.resume(self._parts.records, JobId(self._kept(run).job))

    @recorded("evaluation.remove", "run")
    def remove(self, run: str) -> None:
        """Forget a run. Raises UsageError while it is at work, NotFoundError."""
        self._require("remove runs")
        job = self._job(self._kept(run))
        if job is not None and not job.state.is_ended:
            raise UsageError("This run is at work.", next_step="Cancel it first.")
        self._runs.remove(run)

    def runs(self, suite: str = "", limit: int = MOST_RUNS) -> list[EvaluationRun]:
        """Runs with their figures, the newest first: one's own, or all for who sees everything."""
        self._require("see runs")
        user = "" if self._visible.groups is None else self._principal.user
        return [self._run_of(each) for each in self._runs.list(limit, suite, user)]

    def trend(self, suite: str) -> list[EvaluationRun]:
        """Runs of a suite that measured anything, the oldest first: their figures over time and versions.

        Raises NotFoundError for a suite that is not there and was never run.
        """
        found = self.runs(suite)
        if not found:
            self.cases(suite)
        return [each for each in reversed(found) if each.done]

    def run(self, run: str) -> RunDetails:
        """A run with its cases so far. Raises NotFoundError."""
        self._require("see runs")
        kept = self._kept(run)
        cases = self._measured(kept)
        return RunDetails(self._run_of(kept, cases), cases)

    def expected(self, run: str, case: str) -> Case | None:
        """A case as it was when its run asked it; None where it names a document that may not be seen.

        Raises NotFoundError.
        """
        self._require("see runs")
        told = next((each for each in json.loads(self._kept(run).cases) if each["id"] == case), None)
        found = None if told is None else Case.model_validate(told)
        if found is None:
            raise NotFoundError(
                f"There is no case {case!r} in this run.", next_step="Choose one that it has."
            )
        measured = next((each for each in measured_of(self._parts.records, run, {}) if each.id == case), None)
        if measured is not None and measured.expect is not None:
            found = found.model_copy(update={"expect": measured.expect})
        is_seen = self._visible.groups is None or not unknown_documents((found,), self._shelf.files())
        return found if is_seen else None

    def compare(self, before: str, after: str) -> EvaluationComparison:
        """Two runs, case by case. Raises NotFoundError."""
        return compare_runs(self.run(before), self.run(after))

    # What people say of cases.

    @recorded("evaluation.mute", "suite", "case")
    def mute(self, suite: str, case: str, reason: str) -> MutedCase:
        """Let a case not count, in earlier runs neither; it is kept and asked.

        Raises UsageError without a reason, NotFoundError for a case that neither suite nor its last run has.
        """
        self._require("mute cases")
        told = " ".join(reason.split())
        if not told or len(told) > LONGEST_REASON:
            raise UsageError(
                f"A reason has 1 to {LONGEST_REASON} characters.",
                next_step="Say why the case does not count.",
            )
        if case not in self._last_ids(suite) and case not in {each.id for each in self.cases(suite)}:
            raise NotFoundError(
                f"There is no case {case!r} in the suite {suite!r}.", next_step="Choose one that it has."
            )
        self._records.mute(suite, case, told, self._principal.user)
        return next(each for each in self.muted(suite) if each.case == case)

    @recorded("evaluation.unmute", "suite", "case")
    def unmute(self, suite: str, case: str) -> None:
        """Let a case count again. Raises NotFoundError where it does."""
        self._require("mute cases")
        if case not in {each.case for each in self.muted(suite)}:
            raise NotFoundError(
                f"The case {case!r} of {suite!r} is not muted.", next_step="Choose one that is."
            )
        self._records.unmute(suite, case)

    def muted(self, suite: str = "") -> list[MutedCase]:
        """Cases that do not count, of one suite or of all."""
        self._require("see suites")
        return [MutedCase(**each) for each in self._records.muted(suite)]

    def sampled(self, limit: int = 50) -> list[ReviewItem]:
        """Live answers of the sample (`review.sample_share` of all) that wait for a person, newest first."""
        wanted = ReviewFilter(reason=FlagReason.SAMPLE, limit=limit)
        return list(self._reviews.page(wanted).items)

    @recorded("evaluation.promote", "item", "suite")
    def promote(self, item: str, suite: str, answer: Answer | None = None) -> Case:
        """Make a case of an own suite of a sampled or flagged answer that is right.

        answer: another one that is right, such as one after a correction; None: that of the item. Raises
        UsageError where no case can hold it, NotFoundError.
        """
        self._require("keep evaluation cases")
        name = own_name(suite)
        case = self._reviews.case_for(item, answer)
        self._records.add(name, case.model_dump(mode="json"), self._principal.user)
        return case

    # Parts.

    def _require(self, deed: str) -> None:
        self._permit(Action.REVIEW, deed)

    @property
    def _runs(self) -> EvaluationRuns:
        return self._parts.records.evaluation_runs

    @property
    def _records(self) -> EvaluationSuites:
        return self._parts.records.evaluation_suites

    @property
    def _shelf(self) -> SuiteShelf:
        return SuiteShelf(self._parts, self._principal, self._visible, self._reviews.cases)

    def _require_runnable(self, suite: str, cases: Sequence[Case], *, with_model: bool) -> None:
        if not cases or len(cases) > MOST_CASES:
            raise UsageError(
                f"A run has 1 to {MOST_CASES:,} cases, and this suite has {len(cases):,}.",
                next_step="Divide it into several files." if cases else "Add cases to it.",
            )
        if not self._shelf.files():
            raise UsageError(
                "There are no documents to ask about.",
                next_step="Run: groundwork ingest --sample" if suite in SHIPPED else "Ingest them first.",
            )
        if with_model:
            self.require_model()

    def _last_ids(self, suite: str) -> frozenset[str]:
        """Ids of the cases of the last run of a suite, which may have come from a file."""
        last = self._runs.list(1, suite)
        return frozenset(each["id"] for run in last for each in json.loads(run.cases))

    def _kept(self, run: str) -> KeptRun:
        found = self._runs.get(run)
        if self._visible.groups is not None and found.user != self._principal.user:
            raise NotFoundError(f"There is no evaluation run {run!r} of yours.", next_step="List the runs.")
        return found

    def _job(self, kept: KeptRun) -> Job | None:
        try:
            return self._parts.records.jobs.get(JobId(kept.job)) if kept.job else None
        except NotFoundError:
            return None

    def _measured(self, kept: KeptRun) -> tuple[MeasuredCase, ...]:
        """The measured cases of a run that tell of no document that may not be seen."""
        muted = {str(each["case"]): str(each["reason"]) for each in self._records.muted(kept.suite)}
        every = measured_of(self._parts.records, kept.id, muted)
        if self._visible.groups is None:
            return every
        known = {DocumentId(each) for case in every for each in case.documents}
        seen = {str(each) for each in self._parts.records.documents.get_many(known, self._openable)}
        return tuple(each for each in every if seen.issuperset(each.documents))

    def _run_of(self, kept: KeptRun, cases: tuple[MeasuredCase, ...] | None = None) -> EvaluationRun:
        done = len(self._runs.measured(kept.id))
        muted = self._records.muted(kept.suite)
        key = (
            kept.id,
            done,
            tuple(str(each["case"]) for each in muted),
            self._visible.sight,
            self._data_version,
        )
        known = _figures.get(key)
        if known is None:
            cases = self._measured(kept) if cases is None else cases
            skipped = Counter(each.skipped for each in cases if each.skipped)
            known = figures(cases), done - len(cases), dict(skipped)
            _figures.put(key, known)
        return EvaluationRun(
            id=kept.id,
            suite=kept.suite,
            with_model=kept.with_model,
            user=kept.user,
            created_at=kept.created_at,
            total=kept.total,
            done=done,
            versions=RunVersions.model_validate(kept.versions),
            figures=known[0],
            job=self._job(kept),
            hidden=known[1],
            muted=len(muted),
            skipped=known[2],
        )

    @property
    def _data_version(self) -> int:
        """Of the access that a sight depends on; everything is seen whatever it is."""
        return 0 if self._visible.groups is None else self._parts.records.changes.data_version()
