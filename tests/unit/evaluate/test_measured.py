from __future__ import annotations

from datetime import UTC, datetime

from core.evaluate.figures import figures
from core.evaluate.measured import EvaluationRun, MeasuredCase, RunVersions
from core.evaluate.suite import AnswerShape
from tests.support.evaluations import measured

VERSIONS = RunVersions(product="1", data_version=3, prompts={"read": "4"}, settings={"retrieval.pool": "100"})


def test_versions_that_differ_are_named_also_those_that_one_run_has_not_got() -> None:
    other = VERSIONS.model_copy(update={"data_version": 5000, "prompts": {}, "model": "m"})

    assert VERSIONS.changed(VERSIONS) == {}
    assert VERSIONS.changed(other) == {
        "data version": ("3", "5,000"),
        "model": ("", "m"),
        "prompt read": ("4", ""),
    }


def test_a_run_gives_the_figure_of_a_metric_and_none_of_one_that_it_lacks() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    run = EvaluationRun("e1", "own", False, "ann", at, 2, 1, VERSIONS, figures([measured("a")]))

    assert (run.figure("exact").value, run.is_complete) == (1, False)
    assert (run.figure("speed").value, run.figure("speed").reason) == (None, "It was not measured.")


def test_a_measured_case_comes_back_from_its_json() -> None:
    case = measured("a", False, shape=AnswerShape.RETRIEVAL, muted="known", unfounded=("x: y",))

    assert MeasuredCase.model_validate_json(case.model_dump_json()) == case
    assert (case.id, case.is_asked) == ("a", False)
