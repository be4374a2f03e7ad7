from __future__ import annotations

import pytest

from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import NotFoundError, RefusedError, SignInError, UsageError
from core.workbench.facade import Workbench

PASSWORD, OTHER = "correct horse", "battery staple"
ANN = Principal("ann", frozenset({"analyst"}))


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    bench.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    bench.local.accounts.add("ann", password=PASSWORD, roles=["analyst"])
    return bench


def test_a_new_account_gets_a_password_that_must_be_changed(home: Workbench) -> None:
    account, password = home.local.accounts.add("Bob", groups=["legal"])

    assert (account.name, account.must_change, account.groups) == ("bob", True, {"legal"})
    signed_in = home.sign_in.by_password("bob", password, address="")
    assert signed_in.must_change
    bob = home.for_principal(signed_in.principal).accounts
    with pytest.raises(SignInError):
        bob.change_password("wrong one", OTHER)
    bob.change_password(password, OTHER, session=signed_in.session.id)
    assert not home.sign_in.by_password("bob", OTHER, address="").must_change
    assert home.sign_in.by_session(signed_in.session.id) is not None


def test_only_admins_change_accounts_and_refusals_are_kept(home: Workbench) -> None:
    ann = home.for_principal(ANN).accounts
    deeds = (
        lambda: ann.add("eve", roles=["admin"]),
        lambda: ann.change("ann", roles=["admin"]),
        lambda: ann.disable("root"),
        lambda: ann.enable("root"),
        lambda: ann.reset_password("root"),
        lambda: ann.remove("root"),
        lambda: ann.set_group("legal", roles=["admin"]),
        lambda: ann.remove_group("legal"),
        lambda: ann.end_sessions("root"),
    )
    for deed in deeds:
        with pytest.raises(RefusedError):
            deed()
    for look in (ann.list, ann.groups, lambda: ann.get("root"), lambda: ann.sessions("root")):
        with pytest.raises(RefusedError):
            look()

    refused = home.local.audit_log.entries(AuditQuery(account="ann", outcome="refused"))
    looks = [each for each in refused if each.deed.name == "policy.refuse"]
    assert len(looks) == 4
    assert len(refused) - len(looks) == len(deeds)
    assert {each.deed.subject for each in refused} >= {"eve", "root", "legal"}


def test_a_reset_password_ends_sessions_and_is_in_no_log(home: Workbench) -> None:
    signed_in = home.sign_in.by_password("ann", PASSWORD, address="")

    password = home.local.accounts.reset_password("ann")

    assert home.sign_in.by_session(signed_in.session.id) is None
    assert home.sign_in.by_password("ann", password, address="").must_change
    log = str(home.local.audit_log.entries(AuditQuery()))
    assert password not in log
    assert PASSWORD not in log


def test_one_ends_own_sessions_and_not_those_of_others(home: Workbench) -> None:
    own = home.sign_in.by_password("ann", PASSWORD, address="").session.id
    other = home.sign_in.by_password("root", PASSWORD, address="").session.id
    ann = home.for_principal(ANN).accounts

    assert [each.id for each in ann.sessions()] == [own]
    with pytest.raises(NotFoundError):
        ann.end_session(other)
    ann.end_session(own)
    assert ann.sessions() == []
    assert home.sign_in.by_session(other) is not None


def test_groups_carry_roles_and_unknown_roles_are_refused(home: Workbench) -> None:
    accounts = home.local.accounts
    accounts.set_group("Finance", roles=["finance_read"], note="  Money ")
    accounts.change("ann", groups=["finance"])

    assert accounts.get("ann").all_roles == {"analyst", "finance_read"}
    with pytest.raises(UsageError, match="no role"):
        accounts.set_group("finance", roles=["god"])
    accounts.remove_group("finance")
    assert accounts.get("ann").groups == frozenset()
    accounts.remove("ann")
    assert [each.name for each in accounts.list()] == ["root"]


def test_the_local_start_has_no_account(bench: Workbench) -> None:
    assert not bench.local.accounts.exist
    assert bench.local.accounts.own() is None
