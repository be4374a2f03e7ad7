"""A run of a suite as a durable job: results are kept case by case, and what is kept is not asked again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.domain.document import IngestOutcome
from core.domain.frozen import Frozen
from core.domain.job import IngestItem
from core.domain.principal import Principal
from core.evaluate.measured import MeasuredCase
from core.evaluate.runner import CaseAsker, CaseJudge, DocumentNames, left_out, measure
from core.evaluate.suite import Case
from core.jobs.base import JobContext
from core.store.base import JobItem
from core.store.evaluation.runs import KeptRun
from core.store.store import Records


class EvaluatePayload(Frozen):
    """A run, and who asks its questions: with these roles and groups, as they were at its start.

    variant: of the home, that answers; None: the one that serves.
    """

    run: str
    variant: int | None = None
    roles: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    def principal(self, user: str) -> Principal:
        """The one who asks."""
        return Principal(user, frozenset(self.roles), frozenset(self.groups), "evaluation")


@dataclass(frozen=True, slots=True)
class MeasuredProduct:
    """Product that a run measures. judge: None where code alone judges.

    fit: gives a case as it holds now, and why it has no right answer; "" where it has.
    """

    asker: CaseAsker
    names: DocumentNames
    fit: Callable[[Case], tuple[Case, str]]
    judge: CaseJudge | None = None


class EvaluateJob:
    """The handler of the job kind `evaluate`. product: for a principal, with a model or not, and a suite."""

    def __init__(self, records: Records, product: Callable[[Principal, bool, str], MeasuredProduct]) -> None:
        self._records, self._product = records, product

    def prepare(self, context: JobContext) -> None:
        """Write the job's items, a case each, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        run = self._run(context)
        items = [JobItem(case.id, case.bucket or "") for case in cases_of(run)]
        self._records.jobs.add_items(job, items)

    def work(self, context: JobContext) -> bool:
        """Measure cases one by one, until none is left or the slice has lasted long enough."""
        run, job = self._run(context), context.order.id
        product = self._product(self._payload(context).principal(run.user), run.with_model, run.suite)
        cases: Mapping[str, Case] = {case.id: case for case in cases_of(run)}
        places = {id: ordinal for ordinal, id in enumerate(cases)}
        known = self._records.evaluation_runs.measured(run.id)
        for item in self._records.jobs.pending(job):
            context.check()
            case = cases[item.source]
            if case.id not in known:
                found = _measured(case, product)
                self._records.evaluation_runs.keep(run.id, case.id, places[case.id], found.model_dump_json())
            self._records.jobs.set_items(job, {item.ordinal: _done(case)})
            if context.should_yield():
                return True
        return False

    def _payload(self, context: JobContext) -> EvaluatePayload:
        return EvaluatePayload.model_validate(context.order.payload)

    def _run(self, context: JobContext) -> KeptRun:
        return self._records.evaluation_runs.get(self._payload(context).run)


def cases_of(run: KeptRun) -> tuple[Case, ...]:
    """The cases of a run, as they were at its start."""
    return tuple(Case.model_validate(each) for each in json.loads(run.cases))


def measured_of(records: Records, run: str, muted: Mapping[str, str]) -> tuple[MeasuredCase, ...]:
    """The measured cases of a run. muted: reasons by case."""
    found = (MeasuredCase.model_validate_json(each) for each in records.evaluation_runs.results(run))
    return tuple(
        each.model_copy(update={"muted": muted[each.id]}) if each.id in muted else each for each in found
    )


def _measured(case: Case, product: MeasuredProduct) -> MeasuredCase:
    held, reason = product.fit(case)
    if reason:
        return left_out(held, reason, product.names)
    found = measure(held, product.asker, product.names, product.judge)
    return found if held.expect == case.expect else found.model_copy(update={"expect": held.expect})


def _done(case: Case) -> IngestItem:
    return IngestItem(None, case.id, case.question, case.bucket or "", IngestOutcome.READY, "", 0, 0)
