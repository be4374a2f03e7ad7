"""Plans that are kept: run again, compared, shared, written out and read in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.answer import Answer, Source, Status
from core.domain.audit import RunComparison
from core.domain.principal import Principal
from core.errors import ConflictError, NotFoundError, PlanError, UsageError
from core.plan.ir.nodes import Condition, Plan, Scope, Select
from tests.support.contracts_at_hand import TEXAN, Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

GUEST = Principal("guest", MAY_ASK, groups=frozenset({"team"}))


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def told(comparison: RunComparison) -> dict[str, dict[str, list[str]]]:
    """The changes of a comparison by kind and title, with why."""
    return {
        kind: {each.title: [reason.why for reason in each.reasons] for each in getattr(comparison, kind)}
        for kind in ("new", "left", "gone", "changed", "outside")
    }


def test_an_audit_is_kept_with_its_parameters(at_hand: Contracts) -> None:
    audit = at_hand.bench.local.audits.save(plan_for(), "Texas")
    assert [(each.name, each.type, each.default) for each in audit.parameters] == [
        ("bucket", "bucket", ()),
        ("governing_law", "text", ("Texas",)),
    ]
    assert Plan.model_validate(audit.plan) == plan_for()
    assert [each.name for each in at_hand.bench.local.audits.list()] == ["Texas"]


def test_a_run_is_kept_and_equals_the_answer(at_hand: Contracts) -> None:
    audit = at_hand.bench.local.audits.save(plan_for(), "Texas")
    run, answer = at_hand.bench.local.audits.run(audit.id)
    assert answer.table is not None
    assert run.counts == {
        "present": 2,
        "absent": 7,
        "uncertain": 0,
        "unreadable": 1,
        "answers": 2,
        "cited": 2,
    }
    again = at_hand.bench.local.audits.get_run(run.id)
    assert again == run
    assert again.result is not None
    assert {id for id, kept in again.result.documents.items() if kept.answers} == set(answer.table.documents)
    assert again.result.documents[at_hand.made["Cobalt agreement"]].values == {"governing_law": "Texas"}
    (listed,) = at_hand.bench.local.audits.runs(audit.id)
    assert (listed.id, listed.result, listed.counts) == (run.id, None, run.counts)


def test_a_parameter_gives_another_answer_and_is_the_reason_of_what_changed(at_hand: Contracts) -> None:
    audit = at_hand.bench.local.audits.save(plan_for(), "Texas")
    first, _ = at_hand.bench.local.audits.run(audit.id)
    second, answer = at_hand.bench.local.audits.run(audit.id, {"governing_law": "Delaware"})
    assert second.values == {"bucket": (), "governing_law": ("Delaware",)}
    found = at_hand.bench.local.audits.compare(first.id, second.id)
    assert told(found)["new"] == {
        name: ["parameter"] for name in ("Acme agreement", "Ember agreement", "Iris agreement")
    }
    assert set(told(found)["left"]) == {"Cobalt agreement", "Glacier agreement"}
    assert found.gone == ()  # both are still in the collection
    assert (found.parameters[0].before, found.parameters[0].after) == ("Texas", "Delaware")
    assert "Delaware" in Plan.model_validate(answer.plan).nodes[0].purpose


def test_what_happened_to_documents_is_told_with_the_reason(at_hand: Contracts) -> None:
    bench, made = at_hand.bench, at_hand.made
    audit = bench.local.audits.save(plan_for(), "Texas")
    at_hand.state(made["Ember agreement"], None)
    first, _ = bench.local.audits.run(audit.id)
    at_hand.add("Kilo agreement", "Texas")
    at_hand.state(made["Acme agreement"], "Texas")
    at_hand.state(made["Ember agreement"], "Texas")
    at_hand.add("Harbor agreement", "Texas", text="Harbor agreement. Amended. The law of Texas governs.")
    at_hand.records.documents.remove([made["Cobalt agreement"]])
    at_hand.state(made["Fathom agreement"], "Ohio")
    second, _ = bench.local.audits.run(audit.id)

    found = bench.local.audits.compare(first.id, second.id)
    assert told(found) == {
        "new": {
            "Acme agreement": ["cell_changed"],
            "Ember agreement": ["cell_changed", "was_undecided"],
            "Harbor agreement": ["document_updated", "cell_changed"],
            "Kilo agreement": ["document_added"],
        },
        "left": {},
        "gone": {"Cobalt agreement": ["document_removed"]},
        "changed": {},
        "outside": {"Fathom agreement": ["cell_changed"]},  # Nevada, now Ohio: in neither answer
    }
    reason = found.new[0].reasons[0]
    assert (reason.field, reason.before, reason.after) == ("governing_law", "Delaware", "Texas")
    assert found.unchanged == 5
    back = bench.local.audits.compare(second.id, first.id)
    assert set(told(back)["new"]) == {"Cobalt agreement"}


def test_two_equal_runs_differ_in_nothing(at_hand: Contracts) -> None:
    audit = at_hand.bench.local.audits.save(plan_for(), "Texas")
    first, second = (at_hand.bench.local.audits.run(audit.id)[0] for _ in range(2))
    found = at_hand.bench.local.audits.compare(first.id, second.id)
    assert (set(found.by_kind.values()), found.unchanged) == ({()}, 10)
    assert found.summary == "nothing is different"
    assert not found.plan_changed


def test_a_run_over_another_bucket_asks_only_there(at_hand: Contracts) -> None:
    audit = at_hand.bench.local.audits.save(plan_for(), "Texas")
    at_hand.records.documents.add_bucket("empty")
    with pytest.raises(PlanError, match="Node 'texan': There is no bucket 'elsewhere'"):
        at_hand.bench.local.audits.run(audit.id, buckets=["elsewhere"])
    run, _ = at_hand.bench.local.audits.run(audit.id, buckets=["contracts"])
    assert run.values["bucket"] == ("contracts",)
    assert run.counts["answers"] == 2


def test_a_run_shows_only_documents_that_the_one_who_looks_may_see(at_hand: Contracts) -> None:
    bench = at_hand.bench
    secret = at_hand.add("Secret agreement", "Texas", acl=("board",))
    audit = bench.local.audits.save(plan_for(), "Texas", acl=())
    first, _ = bench.local.audits.run(audit.id)
    at_hand.records.documents.remove([secret])
    second, _ = bench.local.audits.run(audit.id)

    seen = bench.for_principal(GUEST).audits.get_run(first.id)
    assert seen.result is not None
    assert (seen.is_whole, seen.value, seen.result.text) == (False, None, "")
    assert secret not in seen.result.documents
    assert len(seen.result.rows) == seen.counts["answers"] == 2
    assert told(bench.for_principal(GUEST).audits.compare(first.id, second.id))["gone"] == {}
    assert set(told(bench.local.audits.compare(first.id, second.id))["gone"]) == {"Secret agreement"}
    assert bench.for_principal(GUEST).audits.get_run(second.id).is_whole


def test_an_audit_that_one_may_not_see_is_unknown(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    run, _ = bench.local.audits.run(audit.id)
    link = bench.local.audits.share(plan_for())
    for ask in (
        lambda: bench.for_principal(GUEST).audits.get(audit.id),
        lambda: bench.for_principal(GUEST).audits.run(audit.id, None),
        lambda: bench.for_principal(GUEST).audits.get_run(run.id),
        lambda: bench.for_principal(GUEST).audits.compare(run.id, run.id),
        lambda: bench.for_principal(GUEST).audits.export(audit.id),
        lambda: bench.for_principal(GUEST).audits.get(link),
    ):
        with pytest.raises(NotFoundError, match="that you may see"):
            ask()
    assert bench.for_principal(GUEST).audits.list() == []


def test_a_shared_audit_that_names_a_hidden_document_is_unknown(at_hand: Contracts) -> None:
    bench = at_hand.bench
    secret = at_hand.add("Secret agreement", "Texas", acl=("board",))
    scope = TEXAN.scope.model_copy(update={"documents": (secret,)})
    audit = bench.local.audits.save(plan_for(TEXAN.model_copy(update={"scope": scope})), "One", acl=())
    named = bench.local.audits.save(plan_for(), "Terms of “Secret agreement”", acl=())
    run, _ = bench.local.audits.run(audit.id)
    guest = bench.for_principal(GUEST).audits

    assert guest.list() == []
    for ask in (
        lambda: guest.get(audit.id),
        lambda: guest.get(named.id),
        lambda: guest.export(audit.id),
        lambda: guest.change(audit.id, audit.version, name="Mine"),
        lambda: guest.remove(audit.id),
        lambda: guest.run(audit.id),
        lambda: guest.runs(audit.id),
    ):
        with pytest.raises(NotFoundError, match="no audit"):
            ask()
    with pytest.raises(NotFoundError, match="no run"):
        guest.get_run(run.id)
    board = bench.for_principal(replace(GUEST, groups=frozenset({"board"}))).audits
    assert {each.id for each in board.list()} == {audit.id, named.id}


def test_a_link_leads_those_it_was_shared_with_to_the_plan(at_hand: Contracts) -> None:
    bench = at_hand.bench
    link = bench.local.audits.share(plan_for(), acl=["team"])
    assert link == bench.local.audits.share(plan_for(), acl=["team"])
    assert Plan.model_validate(bench.for_principal(GUEST).audits.get(link).plan) == plan_for()
    assert bench.local.audits.list() == []


def test_the_later_of_two_who_change_an_audit_is_told_and_may_save_under_another_name(
    at_hand: Contracts,
) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas", acl=())
    bench.for_principal(GUEST).audits.rename(audit.id, "Lone star", audit.version)
    edited = plan_for(TEXAN.model_copy(update={"limit": 1}))
    with pytest.raises(ConflictError, match="'guest' changed this audit on"):
        bench.local.audits.change(audit.id, audit.version, plan=edited)
    assert bench.local.audits.get(audit.id).name == "Lone star"
    assert bench.local.audits.save(edited, "Mine").name == "Mine"
    now = bench.local.audits.get(audit.id)
    changed = bench.local.audits.change(audit.id, now.version, plan=edited, acl=None)
    assert (changed.version, changed.acl, changed.name) == (3, None, "Lone star")
    with pytest.raises(NotFoundError):
        bench.for_principal(GUEST).audits.get(audit.id)


def test_an_audit_for_a_field_that_was_removed_stays_and_says_so(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    bench.local.schemas.remove_field("contracts", "governing_law")
    with pytest.raises(
        PlanError, match="Node 'texan': There is no field 'governing_law' in contracts"
    ) as told_so:
        bench.local.audits.run(audit.id)
    assert told_so.value.next_step.startswith("Did you mean")
    assert bench.local.audits.get(audit.id) == audit
    bench.local.schemas.restore_field("contracts", "governing_law")
    assert bench.local.audits.run(audit.id)[0].counts["answers"] == 2


def test_an_audit_of_another_version_of_the_plan_language_stays_and_says_so(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    plan = dict(audit.plan)
    plan["nodes"] = [{**plan["nodes"][0], "type": "divine"}]
    from core.store.conversations.plans import PlanToKeep

    kept = PlanToKeep("Texas", audit.question, plan, audit.parameters, audit.acl)
    at_hand.records.plans.change(audit.id, Principal("admin", frozenset({"admin"})), 1, kept)
    with pytest.raises(PlanError, match="Node 'texan'"):
        bench.local.audits.run(audit.id)
    assert bench.local.audits.get(audit.id).plan["nodes"][0]["type"] == "divine"


def test_dates_that_hang_on_the_day_move_with_it_and_edited_ones_stay(at_hand: Contracts) -> None:
    question = "Which contracts expire within 90 days?"
    within = Condition(field="expiration_date", op="between", value=("2026-03-01", "2026-05-30"))
    fixed = Condition(field="effective_date", op=">", value="2020-01-01")
    node = Select(
        id="a",
        purpose="from 2026-03-01 to 2026-05-30",
        scope=Scope(schema_name="contracts"),
        conditions=(within, fixed),
    )
    audit = at_hand.bench.local.audits.save(plan_for(node, question=question), "Soon")
    assert "today" in {each.name for each in audit.parameters}
    moved = at_hand.bench.local.audits.bind(audit.id, {"today": "2027-01-01"})
    made = moved.nodes[0]
    assert isinstance(made, Select)
    assert made.conditions == (within.model_copy(update={"value": ("2027-01-01", "2027-04-01")}), fixed)
    assert (made.purpose, moved.today) == ("from 2027-01-01 to 2027-04-01", "2027-01-01")
    run, _ = at_hand.bench.local.audits.run(audit.id, {"today": "2027-01-01"})
    assert run.values["today"] == ("2027-01-01",)
    assert run.values["expiration_date_to"] == ("2027-04-01",)
    with pytest.raises(UsageError, match="'today' is no date: '2027-02-30'"):
        at_hand.bench.local.audits.bind(audit.id, {"today": "2027-02-30"})


def test_a_parameter_that_is_not_there_or_cannot_be_read_is_named(at_hand: Contracts) -> None:
    bench = at_hand.bench
    late = Select(
        id="late",
        purpose="",
        scope=Scope(schema_name="contracts"),
        conditions=(Condition(field="effective_date", op=">", value="2020-01-01"),),
    )
    audit = bench.local.audits.save(plan_for(late, question="Which contracts?"), "Late")
    with pytest.raises(UsageError, match=r"no parameter 'colour'\. Expected one of: bucket, effective_date"):
        bench.local.audits.run(audit.id, {"colour": "red"})
    with pytest.raises(UsageError, match="takes one value, and was given 2"):
        bench.local.audits.run(audit.id, {"effective_date": ["2020-01-01", "2021-01-01"]})
    with pytest.raises(PlanError, match="Node 'late': '2023-02-30' is no value of Effective date"):
        bench.local.audits.run(audit.id, {"effective_date": "2023-02-30"})
    assert bench.local.audits.runs(audit.id) == []


def test_what_is_written_out_can_be_read_in_again(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    written = json.dumps(bench.local.audits.export(audit.id))
    assert json.loads(written)["schema"] == json.loads(written)["format"] == 1
    assert bench.local.plans.load(written) == plan_for()
    with pytest.raises(UsageError, match="already"):
        bench.local.audits.load(written)
    again = bench.local.audits.load(written, name="Copy")
    assert (again.plan, again.parameters) == (audit.plan, audit.parameters)
    assert bench.local.plans.load(bench.local.plans.export(plan_for())["plan"]) == plan_for()


def test_a_removed_audit_can_be_brought_back(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    run, _ = bench.local.audits.run(audit.id)
    bench.local.audits.remove(audit.id)
    assert bench.local.audits.list() == []
    assert bench.local.audits.restore(audit.id).name == "Texas"
    assert bench.local.audits.get_run(run.id) == run


def test_a_failed_run_is_not_compared(at_hand: Contracts) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    run, answer = bench.local.audits.run(audit.id)
    failed = bench.local.audits.keep_run(
        audit.id, answer.model_copy(update={"status": Status.FAILED}), plan_for()
    )
    with pytest.raises(UsageError, match="nothing to compare"):
        bench.local.audits.compare(run.id, failed.id)


def test_a_run_of_a_search_is_not_shown_to_those_who_may_not_see_what_it_found(at_hand: Contracts) -> None:
    bench = at_hand.bench
    secret = at_hand.add("Secret agreement", "Utah", acl=("board",))
    audit = bench.local.audits.save(plan_for(), "Law", acl=())
    _, answer = bench.local.audits.run(audit.id)
    searched = answer.model_copy(update={"text": "It is Utah.", "table": None, "ledger": None, "claims": ()})
    named = Source(n=1, document=secret, title="Secret agreement", source="Secret agreement.txt", pages=(1,))
    cited = searched.model_copy(update={"sources": (named,), "evidence": ()})
    run = bench.local.audits.keep_run(audit.id, cited, plan_for())
    empty = bench.local.audits.keep_run(
        audit.id, searched.model_copy(update={"sources": (), "evidence": ()}), plan_for()
    )
    assert (run.is_whole, empty.is_whole) == (True, True)

    for kept in (run, empty):
        seen = bench.for_principal(GUEST).audits.get_run(kept.id)
        assert seen.result is not None
        assert (seen.is_whole, seen.result.text, seen.result.sources) == (False, "", {})
    assert (
        bench.for_principal(Principal("chair", MAY_ASK, groups=frozenset({"board"})))
        .audits.get_run(run.id)
        .is_whole
    )


def test_a_day_that_the_dates_of_a_plan_cannot_be_moved_to_is_refused(at_hand: Contracts) -> None:
    within = Condition(field="expiration_date", op="between", value=("2026-03-01", "2026-05-30"))
    node = Select(id="a", purpose="", scope=Scope(schema_name="contracts"), conditions=(within,))
    plan = plan_for(node, question="Which contracts expire within 90 days?")
    audit = at_hand.bench.local.audits.save(plan, "Soon")
    with pytest.raises(UsageError, match="cannot be moved to 9999-12-01"):
        at_hand.bench.local.audits.run(audit.id, {"today": "9999-12-01"})
    assert at_hand.bench.local.audits.runs(audit.id) == []


def test_a_plan_of_the_last_day_there_is_can_be_kept(at_hand: Contracts) -> None:
    plan = plan_for().model_copy(update={"today": "9999-12-31"})
    assert (
        at_hand.bench.local.audits.get(at_hand.bench.local.audits.save(plan, "Last day").id).plan["today"]
        == "9999-12-31"
    )


def test_a_link_that_was_taken_away_can_be_made_again(at_hand: Contracts) -> None:
    link = at_hand.bench.local.audits.share(plan_for())
    at_hand.bench.local.audits.remove(link)
    assert at_hand.bench.local.audits.share(plan_for()) == link
    assert at_hand.bench.local.audits.get(link).id == link


def test_half_a_character_in_a_plan_is_refused(at_hand: Contracts) -> None:
    written = json.dumps(at_hand.bench.local.plans.export(plan_for())).replace('"Texas"', '"\\ud800"')
    with pytest.raises(PlanError, match="characters that no text has"):
        at_hand.bench.local.plans.load(written)


def test_a_run_is_of_the_audit_as_it_was_when_the_run_began(
    at_hand: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = at_hand.bench
    audit = bench.local.audits.save(plan_for(), "Texas")
    audits = bench.local.audits
    run_it = audits._plans.answer

    def changed_meanwhile(plan: Plan) -> Answer:
        found = run_it(plan)
        bench.local.audits.change(audit.id, 1, plan=plan_for(TEXAN.model_copy(update={"conditions": ()})))
        return found

    monkeypatch.setattr(audits._plans, "answer", changed_meanwhile)
    run, _ = audits.run(audit.id)
    assert (run.audit_version, run.values["governing_law"]) == (1, ("Texas",))
    assert bench.local.audits.get(audit.id).version == 2
