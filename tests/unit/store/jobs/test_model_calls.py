from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.domain.principal import LOCAL_ADMIN, Principal
from core.store.database.work_tables import model_calls
from core.store.store import Records

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
MIDNIGHT = datetime(2026, 11, 25, tzinfo=UTC)
ANN = Principal("ann", frozenset(), frozenset())


def call(
    outcome: ModelOutcome = ModelOutcome.DONE, cost: float | None = None, tokens: int = 100
) -> ModelCall:
    return ModelCall(
        role=ModelRole.WRITE,
        prompt="write@2",
        model="openai/gpt-oss-120b",
        outcome=outcome,
        prompt_tokens=tokens,
        completion_tokens=5,
        cost_usd=cost,
        latency_ms=12.5,
        attempts=2,
        detail="",
    )


def test_a_call_is_kept_whole(records: Records) -> None:
    records.model_calls.add(call(cost=0.25), "ann", trace="t1", job="j1", now=NOW)

    [found] = records.model_calls.recent(ANN)
    assert found.call == call(cost=0.25)
    assert (found.at, found.user, found.trace, found.job) == (NOW, "ann", "t1", "j1")


def test_a_call_that_was_begun_counts_with_all_it_may_take_until_it_ends(records: Records) -> None:
    records.model_calls.add(call(ModelOutcome.BEGUN, tokens=900), "ann", now=NOW, id="c1")

    assert records.model_calls.day_tokens(NOW) == 905
    assert (records.model_calls.day(NOW).calls, records.model_calls.day(NOW).failed) == (1, 0)

    records.model_calls.add(call(), "ann", now=NOW, id="c1")

    [found] = records.model_calls.recent(ANN)
    assert (found.call, records.model_calls.day_tokens(NOW)) == (call(), 105)


def test_a_beginning_that_is_written_late_does_not_undo_the_end(records: Records) -> None:
    records.model_calls.add(call(), "ann", now=NOW, id="c1")
    records.model_calls.add(call(ModelOutcome.BEGUN, tokens=900), "ann", now=NOW, id="c1")

    [found] = records.model_calls.recent(ANN)
    assert found.call == call()


def test_a_day_begins_at_midnight(records: Records) -> None:
    for at in (MIDNIGHT - timedelta(seconds=1), MIDNIGHT, NOW):
        records.model_calls.add(call(), "ann", now=at)

    assert records.model_calls.day_tokens(NOW) == 210
    assert records.model_calls.day_tokens(NOW + timedelta(days=1)) == 0


def test_a_day_sums_known_costs_and_counts_what_was_kept_back_or_failed(records: Records) -> None:
    outcomes = (
        ModelOutcome.REPAIRED,
        ModelOutcome.OVER_BUDGET,
        ModelOutcome.CIRCUIT_OPEN,
        ModelOutcome.TIMED_OUT,
    )
    for outcome in outcomes:
        records.model_calls.add(call(outcome), "ann", now=NOW)
    records.model_calls.add(call(cost=0.5), "ben", now=NOW)
    records.model_calls.add(call(cost=0.25), "ben", now=NOW)

    found = records.model_calls.day(NOW)

    assert (found.calls, found.tokens, found.cost_usd) == (6, 630, 0.75)
    assert (found.refused, found.failed) == (2, 1)


def test_a_day_without_calls_costs_nothing_known(records: Records) -> None:
    found = records.model_calls.day(NOW)

    assert (found.calls, found.tokens, found.cost_usd) == (0, 0, None)


def test_people_see_their_own_calls_and_admins_all_newest_first(records: Records) -> None:
    for minute, user in enumerate(("ann", "ben", "ann")):
        records.model_calls.add(call(), user, now=NOW + timedelta(minutes=minute))

    assert [each.at.minute for each in records.model_calls.recent(ANN)] == [2, 0]
    assert [each.user for each in records.model_calls.recent(LOCAL_ADMIN, 2)] == ["ann", "ben"]


def test_choices_are_kept_until_others_are_made(records: Records) -> None:
    assert records.model_calls.choices() == {}

    records.model_calls.choose({"base_url": "http://a/v1"}, "ann", NOW)
    records.model_calls.choose({"writing_model": "m"}, "ann", NOW)

    assert records.model_calls.choices() == {"writing_model": "m"}


def test_the_history_has_every_day_and_what_each_role_took(records: Records) -> None:
    records.model_calls.add(call(cost=0.5), "ann", now=MIDNIGHT - timedelta(seconds=1))
    records.model_calls.add(call(cost=0.25), "ben", now=NOW)
    records.model_calls.add(call(ModelOutcome.OVER_BUDGET, tokens=0), "ben", now=NOW)
    records.model_calls.add(call(), "ben", now=MIDNIGHT - timedelta(days=2, seconds=1))

    found = records.model_calls.history(LOCAL_ADMIN, 3, NOW)

    assert [(day.day.day, day.calls, day.tokens, day.cost_usd) for day in found.days] == [
        (23, 0, 0, None),
        (24, 1, 105, 0.5),
        (25, 2, 110, 0.25),
    ]
    assert (found.today.refused, found.today.failed) == (1, 0)
    [role] = found.roles
    assert (role.role, role.calls, role.tokens, role.cost_usd, role.failed) == (
        ModelRole.WRITE,
        3,
        215,
        0.75,
        1,
    )


def test_the_history_says_why_calls_were_lost_the_newest_first(records: Records) -> None:
    for minute, (outcome, detail, user) in enumerate(
        [
            (ModelOutcome.TIMED_OUT, "20 s went by.", "ann"),
            (ModelOutcome.CUT_SHORT, "It broke off.", "ben"),
            (ModelOutcome.TIMED_OUT, "5 s went by.", "ann"),
            (ModelOutcome.REPAIRED, "", "ann"),
        ]
    ):
        lost = call(outcome).model_copy(update={"detail": detail})
        records.model_calls.add(lost, user, now=NOW + timedelta(minutes=minute))

    all_of_it = records.model_calls.history(LOCAL_ADMIN, 2, NOW).lost
    own = records.model_calls.history(ANN, 2, NOW).lost

    assert [(each.outcome, each.calls, each.detail) for each in all_of_it] == [
        (ModelOutcome.TIMED_OUT, 2, "5 s went by."),
        (ModelOutcome.CUT_SHORT, 1, "It broke off."),
    ]
    assert [each.outcome for each in own] == [ModelOutcome.TIMED_OUT]


def test_rows_of_an_old_name_count_for_the_role_that_they_mean(records: Records) -> None:
    made = call(cost=0.25).model_copy(update={"role": ModelRole.STANDALONE})
    for _ in range(2):
        records.model_calls.add(made, "ann", now=NOW)
    with records.database.write_rows() as connection:
        older = sa.select(model_calls.c.id).limit(1).scalar_subquery()
        connection.execute(sa.update(model_calls).where(model_calls.c.id == older).values(role="decompose"))

    [role] = records.model_calls.history(LOCAL_ADMIN, now=NOW).roles

    assert (role.role, role.calls, role.tokens, role.cost_usd) == (ModelRole.STANDALONE, 2, 210, 0.5)
    assert {each.call.role for each in records.model_calls.recent(LOCAL_ADMIN)} == {ModelRole.STANDALONE}
