from __future__ import annotations

from datetime import UTC, datetime

from core.evaluate.comparison import CaseChange, compare_runs
from core.evaluate.figures import figures
from core.evaluate.measured import EvaluationRun, MeasuredCase, RunDetails, RunVersions
from tests.support.evaluations import measured

VERSIONS = RunVersions(product="1", data_version=3, prompts={"read": "4"}, settings={"retrieval.pool": "100"})


def run(id: str, *cases: MeasuredCase, versions: RunVersions = VERSIONS) -> RunDetails:
    at, many = datetime(2026, 3, 1, tzinfo=UTC), len(cases)
    return RunDetails(EvaluationRun(id, "own", False, "ann", at, many, many, versions, figures(cases)), cases)


def test_cases_are_the_same_better_worse_changed_or_in_one_run_alone() -> None:
    before = run(
        "one",
        measured("same"),
        measured("better", False),
        measured("worse"),
        measured("silent", False, silent=True),
        measured("changed", answer="Ten."),
        measured("gone"),
    )
    after = run(
        "two",
        measured("same"),
        measured("better"),
        measured("worse", False),
        measured("silent", False),
        measured("changed", answer="It is ten."),
        measured("new", False),
    )

    found = compare_runs(before, after)

    assert {each.id: each.change for each in found.cases} == {
        "same": CaseChange.SAME,
        "better": CaseChange.BETTER,
        "worse": CaseChange.WORSE,
        "silent": CaseChange.BETTER,  # still wrong, and it says so
        "changed": CaseChange.CHANGED,
        "gone": CaseChange.ONLY_BEFORE,
        "new": CaseChange.ONLY_AFTER,
    }
    assert found.counts[CaseChange.BETTER] == 2
    exact = next(each for each in found.figures if each.name == "exact")
    assert (exact.before.value, exact.after.value, exact.is_better) == (3 / 5, 3 / 5, None)
    silent = next(each for each in found.figures if each.name == "silently_wrong")
    assert silent.is_better


def test_a_muted_case_is_shown_and_not_counted() -> None:
    found = compare_runs(run("one", measured("a", muted="known")), run("two", measured("a", False)))

    assert [each.change for each in found.cases] == [CaseChange.WORSE]
    assert set(found.counts.values()) == {0}
