from __future__ import annotations

import pytest

from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.errors import NotFoundError, RefusedError
from core.plan.ir.nodes import Plan
from core.workbench.facade import Workbench

ANN = Principal("ann", frozenset({"contract_read"}))


def test_everybody_may_see_the_policies_and_what_roles_may_do(bench: Workbench) -> None:
    service = bench.for_principal(ANN).policies

    assert {each.file for each in service.in_force()} == {"administer.cedar", "query.cedar", "review.cedar"}
    assert all(not is_own for _, is_own in service.files())
    rights = service.rights(frozenset({"contract_read", "finance_read"}))
    assert [each.decision.is_allowed for each in rights[:3]] == [True, False, True]
    assert {each.request.action for each in rights} == set(Action)
    assert all(each.is_right for each in service.test())


def test_a_plan_is_explained_for_oneself_and_for_others(bench: Workbench) -> None:
    plan = bench.plan("Which contracts lack audit rights?")
    assert isinstance(plan, Plan)
    service = bench.for_principal(ANN).policies

    own = service.explain(plan)
    assert own.decision.policies == ("query.cedar:compliance",)
    assert service.explain(plan, frozenset({"contract_read", "compliance_officer"})).decision.is_allowed


def test_files_are_copied_by_who_may_configure(bench: Workbench) -> None:
    with pytest.raises(RefusedError, match="change policies"):
        bench.for_principal(ANN).policies.copy()

    written = bench.local.policies.copy()
    assert bench.local.policies.cases in written
    assert all(is_own for _, is_own in bench.local.policies.files())


def test_pages_can_ask_what_to_offer(bench: Workbench) -> None:
    session = bench.for_principal(ANN)

    assert session.may(Action.QUERY)
    assert not session.may(Action.CRAWL)
    assert bench.local.may(Action.CRAWL)


def test_who_manages_people_by_a_policy_ends_what_is_of_others(bench: Workbench) -> None:
    """Not the role counts but what the policies of this home say."""
    bench.local.accounts.add("root", password="correct horse", roles=["admin"])
    token = bench.local.tokens.add("nightly", ["read"], account="root")[1]
    session = bench.sign_in.by_password("root", "correct horse", address="").session
    ann = bench.for_principal(ANN)
    with pytest.raises(NotFoundError):
        ann.tokens.revoke(token.id)
    with pytest.raises(NotFoundError):
        ann.accounts.end_session(session.id)

    folder = bench.settings.home / "policies"
    folder.mkdir()
    own = 'permit (principal in Role::"contract_read", action == Action::"people", resource);'
    (folder / "own.cedar").write_text(f'@id("own")\n{own}\n')

    assert ann.may(Action.PEOPLE)
    assert bench.for_principal(ANN).tokens.revoke(token.id).revoked_at is not None
    bench.for_principal(ANN).accounts.end_session(session.id)
    assert bench.sign_in.by_session(session.id) is None
