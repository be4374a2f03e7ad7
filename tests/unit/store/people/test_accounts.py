from __future__ import annotations

import pytest

from core.errors import NotFoundError, UsageError
from core.store.store import Records


@pytest.fixture
def home(records: Records) -> Records:
    records.accounts.add("root", password="h", roles=["admin"])
    records.accounts.add("ann", password="h", roles=["analyst"], groups=["legal"])
    return records


def signed_in(records: Records, name: str) -> int:
    return len(records.browser_sessions.list(name))


def test_the_first_account_must_be_an_admin(records: Records) -> None:
    assert not records.accounts.exist()
    with pytest.raises(UsageError, match="no admin"):
        records.accounts.add("ann", roles=["analyst"])

    assert not records.accounts.exist()


def test_an_account_has_its_roles_and_those_of_its_groups(home: Records) -> None:
    home.accounts.set_group("legal", roles=["contract_read"], note="Lawyers")

    ann = home.accounts.get("ann")
    assert (ann.roles, ann.all_roles) == ({"analyst"}, {"analyst", "contract_read"})
    assert ann.principal("cli").groups == {"legal"}
    [legal] = home.accounts.groups()
    assert (legal.note, legal.roles, legal.members) == ("Lawyers", {"contract_read"}, {"ann"})


def test_a_name_is_given_once_and_unknown_ones_are_not_found(home: Records) -> None:
    with pytest.raises(UsageError, match="already"):
        home.accounts.add("ann")
    with pytest.raises(NotFoundError):
        home.accounts.change("bob", display="Bob")
    assert home.accounts.find("bob") is None


@pytest.mark.parametrize("name", ["admin", "system"])
def test_nobody_takes_the_name_of_the_machine_itself(records: Records, name: str) -> None:
    with pytest.raises(UsageError, match="stands for this machine"):
        records.accounts.add(name, roles=["admin"])


def test_the_last_admin_stays(home: Records) -> None:
    for change in (
        lambda: home.accounts.change("root", disabled=True),
        lambda: home.accounts.change("root", roles=["analyst"]),
        lambda: home.accounts.remove("root"),
    ):
        with pytest.raises(UsageError, match="no admin left"):
            change()
    home.accounts.set_group("legal", roles=["admin"])
    home.accounts.change("root", disabled=True)
    with pytest.raises(UsageError, match="no admin left"):
        home.accounts.remove_group("legal")
    assert home.accounts.get("root").is_disabled


def test_who_is_disabled_or_loses_a_role_or_a_group_is_signed_out(home: Records) -> None:
    home.accounts.set_group("legal", roles=["contract_read"])
    losses = (
        lambda: home.accounts.change("ann", roles=[]),
        lambda: home.accounts.set_group("legal", roles=[]),
        lambda: home.accounts.change("ann", groups=[]),
        lambda: home.accounts.change("ann", disabled=True),
    )
    for lose in losses:
        home.browser_sessions.begin("ann")
        home.accounts.change("ann", display="Ann Lee")
        assert signed_in(home, "ann") == 1
        lose()
        assert signed_in(home, "ann") == 0


def test_another_password_ends_every_session_but_the_one_that_changed_it(home: Records) -> None:
    _, kept = home.browser_sessions.begin("ann")
    home.browser_sessions.begin("ann")

    home.accounts.set_password("ann", "h2", must_change=False, keep_session=kept.id)

    assert [each.id for each in home.browser_sessions.list("ann")] == [kept.id]
    home.accounts.rehash("ann", "h3", before="h1")
    assert home.accounts.get("ann").password == "h2"


def test_a_removed_account_leaves_nothing_that_opens(home: Records) -> None:
    secret, session = home.browser_sessions.begin("ann")
    text, _ = home.api_tokens.add("ann", "x", ["read"], session.expires_at)

    home.accounts.remove("ann")

    assert home.browser_sessions.open(secret) is None
    assert home.api_tokens.find(text) is None
    with pytest.raises(UsageError, match="was removed"):
        home.accounts.add("ann")
    home.accounts.add("ann", roles=[], again=True)
    assert home.accounts.get("ann").all_roles == frozenset()
    with pytest.raises(UsageError, match="already"):
        home.accounts.add("ann", again=True)
