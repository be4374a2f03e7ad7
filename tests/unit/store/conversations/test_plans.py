from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.answer import Value
from core.domain.audit import AuditRun, KeptDocument, Parameter, ParameterPlace, RunResult
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import ConflictError, NotFoundError, UsageError
from core.store.conversations.plans import KEPT_LINKS, KEPT_RUNS, UNDO, PlanToKeep
from core.store.store import Records

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANN = Principal("ann")
BOB = Principal("bob", groups=frozenset({"legal"}))
EVE = Principal("eve")
PLAN = {"question": "Which?", "nodes": [{"id": "a\0"}]}
PARAMETER = Parameter(
    name="fee", type="money", title="Fee", default=("5 USD",), places=(ParameterPlace(node="a", condition=0),)
)


def keep(name: str = "Fees", acl: tuple[str, ...] | None = None) -> PlanToKeep:
    return PlanToKeep(name, "Which?", PLAN, (PARAMETER,), acl)


def a_run(audit: str, number: int = 0) -> AuditRun:
    document = KeptDocument(title="T", version=1, part="present", answers=True, values={"fee": "USD 5"})
    result = RunResult(text="5", plan=PLAN, value=Value(type="number", value="5"), documents={"d1": document})
    return AuditRun(
        id=f"r{number}",
        audit=audit,
        audit_version=1,
        at=NOW + timedelta(seconds=number),
        user="ann",
        data_version=3,
        values={"fee": ("5 USD",), "bucket": ()},
        status="answered",
        value=result.value,
        counts={"present": 1, "absent": 0, "uncertain": 0, "unreadable": 0, "answers": 1, "cited": 0},
        latency_ms=12.5,
        result=result,
    )


def add(records: Records, run: AuditRun) -> None:
    assert run.result is not None
    records.plans.add_run(run, run.result)


def test_a_kept_plan_is_there_as_it_was(records: Records) -> None:
    made = records.plans.create(keep("  Fees  of  all "), ANN, NOW)
    assert records.plans.get(made.id, ANN) == made
    assert (made.name, made.question, made.owner, made.version) == ("Fees of all", "Which?", "ann", 1)
    assert (made.created_at, made.updated_at, made.parameters) == (NOW, NOW, (PARAMETER,))
    assert made.plan["nodes"][0]["id"].startswith("a\0")


@pytest.mark.parametrize(
    ("acl", "who", "sees"),
    [
        (None, BOB, False),
        (None, LOCAL_ADMIN, True),
        ((), EVE, True),
        (("legal",), BOB, True),
        (("legal",), EVE, False),
        (("legal",), ANN, True),
    ],
)
def test_an_audit_that_one_may_not_see_is_unknown(
    records: Records, acl: tuple[str, ...] | None, who: Principal, sees: bool
) -> None:
    made = records.plans.create(keep(acl=acl), ANN)
    add(records, a_run(made.id))
    assert [each.id for each in records.plans.list(who)] == ([made.id] if sees else [])
    if sees:
        assert records.plans.run("r0", who).audit == made.id
        return
    for ask in (
        lambda: records.plans.get(made.id, who),
        lambda: records.plans.runs(made.id, who),
        lambda: records.plans.run("r0", who),
        lambda: records.plans.remove(made.id, who),
        lambda: records.plans.change(made.id, who, 1, keep()),
    ):
        with pytest.raises(NotFoundError, match="that you may see"):
            ask()


def test_two_audits_of_one_user_have_different_names(records: Records) -> None:
    records.plans.create(keep(), ANN)
    with pytest.raises(UsageError, match="already"):
        records.plans.create(keep(), ANN)
    assert records.plans.create(keep(), BOB).name == "Fees"
    other = records.plans.create(keep("Other"), ANN)
    with pytest.raises(UsageError, match="already"):
        records.plans.change(other.id, ANN, 1, keep("Fees"))


def test_the_later_of_two_people_is_told_who_came_first_and_nothing_is_lost(records: Records) -> None:
    made = records.plans.create(keep(acl=()), ANN, NOW)
    theirs = records.plans.change(made.id, BOB, 1, keep("Bob's", ()), NOW + timedelta(minutes=5))
    with pytest.raises(ConflictError, match=r"'bob' changed this audit on 2026-03-01 at 12:05:00") as told:
        records.plans.change(made.id, ANN, 1, keep("Ann's", ()))
    assert (told.value.user, told.value.at) == ("bob", NOW + timedelta(minutes=5))
    assert records.plans.get(made.id, ANN) == theirs
    assert records.plans.change(made.id, ANN, 2, keep("Ann's", ())).version == 3


def test_of_many_who_change_at_once_one_wins(records: Records) -> None:
    made = records.plans.create(keep(), LOCAL_ADMIN)
    outcomes: list[str] = []

    def change(number: int) -> None:
        try:
            records.plans.change(made.id, LOCAL_ADMIN, 1, keep(f"Name {number}"))
            outcomes.append("won")
        except ConflictError:
            outcomes.append("told")

    threads = [threading.Thread(target=change, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["told"] * 5 + ["won"]
    assert records.plans.get(made.id, LOCAL_ADMIN).version == 2


def test_a_removed_audit_comes_back_with_its_runs(records: Records) -> None:
    made = records.plans.create(keep(), ANN)
    add(records, a_run(made.id))
    records.plans.remove(made.id, ANN)
    assert records.plans.list(ANN) == []
    with pytest.raises(NotFoundError):
        records.plans.get(made.id, ANN)
    records.plans.create(keep(), ANN)
    back = records.plans.restore(made.id, ANN)
    assert (back.name, back.runs) == ("Fees (2)", 1)


def test_what_was_removed_long_ago_is_gone_with_its_runs(records: Records) -> None:
    made = records.plans.create(keep(), ANN, NOW)
    add(records, a_run(made.id))
    records.plans.remove(made.id, ANN, NOW)
    records.plans.create(keep(), ANN, NOW + UNDO + timedelta(days=1))
    with pytest.raises(NotFoundError):
        records.plans.restore(made.id, ANN)
    with pytest.raises(NotFoundError):
        records.plans.run("r0", LOCAL_ADMIN)


def test_a_run_is_kept_whole_and_the_newest_are_first(records: Records) -> None:
    made = records.plans.create(keep(), ANN)
    runs = [a_run(made.id, number) for number in range(3)]
    for run in runs:
        add(records, run)
    assert records.plans.runs(made.id, ANN) == runs[::-1]
    assert records.plans.runs(made.id, ANN, 1) == runs[2:]
    assert records.plans.run("r1", ANN) == runs[1]
    assert records.plans.get(made.id, ANN).runs == 3


def test_of_very_many_runs_the_newest_are_kept(records: Records) -> None:
    made = records.plans.create(keep(), ANN)
    for number in range(KEPT_RUNS + 2):
        add(records, a_run(made.id, number))
    kept = records.plans.runs(made.id, ANN)
    assert (len(kept), kept[-1].id) == (KEPT_RUNS, "r2")


def test_a_plan_kept_for_its_link_has_no_name_and_is_in_no_list(records: Records) -> None:
    made = records.plans.link(keep("", ()), "l1", ANN, NOW)
    again = records.plans.link(keep("", ()), "l1", ANN, NOW + timedelta(hours=1))
    assert (made.id, again.id, again.version, records.plans.list(ANN)) == ("l1", "l1", 1, [])
    for number in range(KEPT_LINKS):
        records.plans.link(keep("", ()), f"m{number}", ANN, NOW + timedelta(days=1, seconds=number))
    with pytest.raises(NotFoundError):
        records.plans.get("l1", ANN)
    assert records.plans.get("m0", EVE).owner == "ann"


def test_a_name_or_plan_that_is_too_large_is_refused(records: Records) -> None:
    with pytest.raises(UsageError, match="200 characters"):
        records.plans.create(keep("x" * 201), ANN)
    with pytest.raises(UsageError, match="4 MB"):
        records.plans.create(PlanToKeep("n", "q", {"x": "y" * 4_000_001}), ANN)


def test_a_run_that_an_earlier_version_kept_is_read() -> None:
    assert RunResult.model_validate_json('{"text":"5","plan":{},"ledger_field":"fee"}').text == "5"
