"""A run as a job: what is measured is not asked again, whoever goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.answer import Status
from core.domain.job import JobState
from core.domain.principal import Principal
from core.evaluate import job as evaluate_job
from core.evaluate.job import EvaluateJob, EvaluatePayload, MeasuredProduct, cases_of, measured_of
from core.evaluate.runner import DocumentNames
from core.evaluate.suite import Case, Expectation
from core.jobs import queue
from core.store.base import JobOrder
from core.store.store import Records
from tests.support.evaluations import measured

CASES = [
    Case.model_validate(
        {"id": id, "shape": "abstain", "question": f"{id}?", "expect": {"status": "abstained"}, "why": "No."}
    )
    for id in ("a", "b", "c")
]


class Context:
    """A slice that lasts as many cases as given."""

    def __init__(self, order: JobOrder, lasts: int = 99) -> None:
        self.order, self._left = order, lasts

    def check(self) -> None:
        return

    def should_yield(self) -> bool:
        self._left -= 1
        return self._left <= 0


def test_slices_and_a_kill_leave_nothing_to_ask_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    who: list[Principal] = []

    def product(principal: Principal, with_model: bool, suite: str) -> MeasuredProduct:
        who.append(principal)
        names = DocumentNames(sources={}, shown={})
        return MeasuredProduct(None, names, lambda case: (case, ""))  # type: ignore[arg-type]

    def measure(case: Case, *_: object) -> object:
        asked.append(case.id)
        return measured(case.id)

    monkeypatch.setattr(evaluate_job, "measure", measure)
    with Records.open(Settings(home=tmp_path)) as records:
        cases = "[" + ",".join(each.model_dump_json() for each in CASES) + "]"
        run = records.evaluation_runs.create("own", cases, 3, {}, user="ann", with_model=False)
        payload = EvaluatePayload(run=run.id, roles=("reviewer",), groups=("legal",))
        id = queue.submit(records, "evaluate", "test", payload.model_dump(mode="json"), user="ann")
        order, handler = records.jobs.order(id), EvaluateJob(records, product)

        handler.prepare(Context(order))  # type: ignore[arg-type]
        handler.prepare(Context(order))  # type: ignore[arg-type]
        assert handler.work(Context(order, lasts=1))  # type: ignore[arg-type]
        records.evaluation_runs.keep(run.id, "b", 1, measured("b").model_dump_json())  # killed right after it
        assert not handler.work(Context(order))  # type: ignore[arg-type]

        found = measured_of(records, run.id, {"c": "known"})
        done = records.jobs.get(id)

    assert asked == ["a", "c"]
    assert [(each.id, each.muted) for each in found] == [("a", ""), ("b", ""), ("c", "known")]
    assert (done.done, done.total, done.state) == (3, 3, JobState.QUEUED)
    assert cases_of(run) == tuple(CASES)
    assert who[0] == Principal("ann", frozenset({"reviewer"}), frozenset({"legal"}), "evaluation")


def test_a_case_without_a_right_answer_is_kept_as_skipped_and_another_one_as_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Expectation(status=Status.ANSWERED, documents=("lease.txt",))

    def fit(case: Case) -> tuple[Case, str]:
        return case.model_copy(update={"expect": other}), "It is open here." if case.id == "b" else ""

    monkeypatch.setattr(evaluate_job, "measure", lambda case, *_: measured(case.id))
    with Records.open(Settings(home=tmp_path)) as records:
        cases = "[" + ",".join(each.model_dump_json() for each in CASES) + "]"
        run = records.evaluation_runs.create("own", cases, 3, {}, user="ann", with_model=False)
        id = queue.submit(records, "evaluate", "test", {"run": run.id}, user="ann")
        names = DocumentNames(sources={"d1": "b/lease.txt", "d2": "b/other.txt"}, shown={})
        product = MeasuredProduct(None, names, fit)  # type: ignore[arg-type]
        handler = EvaluateJob(records, lambda *_: product)
        context = Context(records.jobs.order(id))
        handler.prepare(context)  # type: ignore[arg-type]

        assert not handler.work(context)  # type: ignore[arg-type]
        found = measured_of(records, run.id, {})

    assert [(each.skipped, each.expect) for each in found] == [
        ("", other),
        ("It is open here.", None),
        ("", other),
    ]
    assert found[1].documents == ("d1",)  # who may not see them any more does not see it either
