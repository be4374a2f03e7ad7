from __future__ import annotations

import pytest

from core.errors import NotFoundError
from core.store.store import Records


def test_the_first_result_of_a_case_stays_and_results_come_in_the_order_of_the_suite(
    records: Records,
) -> None:
    runs = records.evaluation_runs
    run = runs.create("own", "[]", 2, {"product": "1"}, user="ann", with_model=False).id
    other = runs.create("own", "[]", 2, {}, user="bob", with_model=True).id

    runs.keep(run, "b", 1, '{"n": 1}')
    runs.keep(run, "a", 0, '{"n": 0}')
    runs.keep(run, "a", 0, '{"n": 9}')
    runs.set_job(run, "j1")

    assert runs.results(run) == ['{"n": 0}', '{"n": 1}']
    assert (runs.measured(run), runs.measured(other)) == (frozenset("ab"), frozenset())
    assert (runs.get(run).job, runs.get(run).versions) == ("j1", {"product": "1"})
    assert [each.id for each in runs.list(user="ann")] == [run]
    assert {each.id for each in runs.list(suite="own")} == {run, other}


def test_a_run_goes_with_its_results(records: Records) -> None:
    runs = records.evaluation_runs
    run = runs.create("own", "[]", 1, {}, user="ann", with_model=False).id
    runs.keep(run, "a", 0, "{}")

    runs.remove(run)

    assert runs.results(run) == []
    with pytest.raises(NotFoundError):
        runs.remove(run)


def test_a_case_of_a_suite_is_replaced_by_one_of_its_id(records: Records) -> None:
    suites = records.evaluation_suites

    suites.add("own", {"id": "a", "n": 1}, "ann")
    suites.add("own", {"id": "b"}, "ann")
    suites.add("own", {"id": "a", "n": 2}, "bob")

    [kept] = suites.list()
    assert (list(kept.cases), kept.account) == ([{"id": "b"}, {"id": "a", "n": 2}], "bob")
    suites.remove("own")
    with pytest.raises(NotFoundError):
        suites.remove("own")


def test_a_muted_case_has_one_reason_the_last(records: Records) -> None:
    suites = records.evaluation_suites
    suites.mute("own", "a", "first", "ann")
    suites.mute("own", "a", "second", "bob")
    suites.mute("other", "a", "third", "bob")

    assert [(each["reason"], each["account"]) for each in suites.muted("own")] == [("second", "bob")]
    suites.unmute("own", "a")
    assert [each["suite"] for each in suites.muted()] == ["other"]
