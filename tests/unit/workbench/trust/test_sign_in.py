from __future__ import annotations

import pytest

from core.domain.trust.deed import AuditQuery
from core.errors import SignInError, ThrottledError, UsageError
from core.store.people.browser_sessions import FREE
from core.workbench.facade import Workbench

PASSWORD = "correct horse"
HERE = "10.0.0.4"


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    bench.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    bench.local.accounts.add("ann", password=PASSWORD, roles=["analyst"], groups=["legal"])
    return bench


def test_other_addresses_than_loopback_need_accounts(bench: Workbench) -> None:
    door = bench.sign_in
    assert not door.is_required
    door.require_for("127.0.0.1")
    with pytest.raises(UsageError, match=r"0\.0\.0\.0 would be admin") as raised:
        door.require_for("0.0.0.0")
    assert "groundwork accounts add NAME --role admin" in raised.value.next_step

    bench.local.accounts.add("root", roles=["admin"])
    bench.sign_in.require_for("0.0.0.0")


def test_a_right_password_opens_a_session_for_its_principal(home: Workbench) -> None:
    signed_in = home.sign_in.by_password(" ANN ", PASSWORD, address=HERE, browser="Firefox")

    assert (signed_in.principal.user, signed_in.principal.roles) == ("ann", {"analyst"})
    assert signed_in.principal.groups == {"legal"}
    again = home.sign_in.by_cookie(signed_in.cookie)
    assert again is not None
    assert (again.principal, again.session.id) == (signed_in.principal, signed_in.session.id)
    assert home.sign_in.by_cookie(signed_in.cookie + "x") is None
    assert home.sign_in.by_cookie("") is None


def test_every_failure_says_the_same(home: Workbench) -> None:
    home.local.accounts.add("gone", password=PASSWORD)
    home.local.accounts.disable("gone")
    said = set()
    for name, password in (("ann", "wrong one"), ("nobody", PASSWORD), ("gone", PASSWORD), ("<b>", "x")):
        with pytest.raises(SignInError) as raised:
            home.sign_in.by_password(name, password, address=name)
        said.add((raised.value.message, raised.value.next_step))

    assert len(said) == 1
    failed = home.local.audit_log.entries(AuditQuery(deed="account.sign_in", outcome="refused"))
    assert {each.deed.account for each in failed} == {"ann", "", "gone"}


def test_failures_are_throttled_by_account_and_by_address(home: Workbench) -> None:
    def fail(name: str, address: str) -> None:
        with pytest.raises(SignInError):
            home.sign_in.by_password(name, "wrong one", address=address)

    for number in range(FREE + 1):
        fail("ann", f"10.0.1.{number}")
    with pytest.raises(ThrottledError) as raised:
        home.sign_in.by_password("ann", PASSWORD, address="10.0.2.1")
    assert raised.value.retry_after_s > 0

    for number in range(FREE + 1):
        fail(f"user{number}", HERE)
    with pytest.raises(ThrottledError):
        home.sign_in.by_password("root", PASSWORD, address=HERE)
    assert home.sign_in.by_password("root", PASSWORD, address="10.0.3.1").principal.is_admin


def test_a_session_ends_with_its_account_its_roles_and_its_sign_out(home: Workbench) -> None:
    def enter() -> str:
        return home.sign_in.by_password("ann", PASSWORD, address=HERE).session.id

    accounts = home.local.accounts
    for end in (
        lambda: accounts.disable("ann") and accounts.enable("ann"),
        lambda: accounts.change("ann", roles=[]),
        lambda: accounts.end_sessions("ann"),
    ):
        session = enter()
        assert home.sign_in.by_session(session) is not None
        end()
        assert home.sign_in.by_session(session) is None
    last = home.sign_in.by_password("ann", PASSWORD, address=HERE)
    home.sign_in.out(last.session)
    assert home.sign_in.by_cookie(last.cookie) is None


def test_a_token_stands_for_its_account_until_that_is_disabled(home: Workbench) -> None:
    text, _ = home.local.tokens.add("nightly", ["read"], account="ann")

    bearer = home.sign_in.by_token(text)
    assert (bearer.principal.user, bearer.scopes) == ("ann", {"read"})
    home.local.accounts.disable("ann")
    with pytest.raises(SignInError):
        home.sign_in.by_token(text)
    with pytest.raises(SignInError):
        home.sign_in.by_token("gwk_0000000000000000_" + "x" * 43)


def test_who_a_provider_vouches_for_needs_an_account_or_leave_to_join(home: Workbench) -> None:
    door = home.sign_in
    visitor = {"name": "lee@example.com", "display": "Lee", "address": HERE}
    with pytest.raises(SignInError, match="no account"):
        door.by_identity("https://id#1", **visitor)

    joined = door.by_identity("https://id#1", may_join=True, **visitor)
    assert (joined.principal.user, joined.principal.roles) == ("lee@example.com", frozenset())
    assert door.by_identity("https://id#1", **visitor).principal == joined.principal
    with pytest.raises(SignInError):  # the name of somebody else does not make one that person
        door.by_identity("https://id#2", may_join=True, name="root", display="", address=HERE)
    with pytest.raises(SignInError):  # and it has no password that anybody could guess
        door.by_password("lee@example.com", "", address=HERE)


def test_nobody_from_outside_gets_the_name_of_an_account_that_was_removed(home: Workbench) -> None:
    home.local.accounts.remove("ann")

    with pytest.raises(SignInError):
        home.sign_in.by_identity("https://id#9", name="ann", display="", address=HERE, may_join=True)
    with pytest.raises(UsageError, match="was removed"):
        home.local.accounts.add("ann", roles=["analyst"])
    account, _ = home.local.accounts.add("ann", roles=["analyst"], again=True)
    assert account.all_roles == {"analyst"}
