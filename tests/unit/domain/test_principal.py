from __future__ import annotations

import pytest

from core.domain.principal import Grantee, Principal, checked_keys, in_words, users_among
from core.errors import UsageError


def test_keys_of_groups_users_and_admins_read_back() -> None:
    for grantee in (Grantee("group", "legal"), Grantee("user", "ann"), Grantee("admins", "")):
        assert Grantee.of(grantee.key) == grantee


def test_a_principal_has_the_keys_of_its_groups_and_of_itself() -> None:
    assert Principal("ann", groups=frozenset({"legal"})).grantees == {"legal", "user:ann"}


def test_a_group_that_is_called_like_a_key_opens_nothing() -> None:
    assert Principal("eve", groups=frozenset({"user:ann", "admins:", ""})).grantees == {"user:eve"}
    assert Principal("", groups=frozenset({"legal"})).grantees == {"legal"}


def test_keys_are_sorted_and_admins_stand_alone() -> None:
    assert checked_keys(["user: ann", "legal", "legal", "admins:"]) == ("legal", "user:ann")
    assert checked_keys(["admins:"]) == ("admins:",)


@pytest.mark.parametrize("key", ["", "  ", "role:x", "user:", "user: "])
def test_a_key_that_names_nobody_is_refused(key: str) -> None:
    with pytest.raises(UsageError, match="names nobody"):
        checked_keys([key])


def test_an_access_list_is_read_in_words() -> None:
    assert in_words(()) == "everybody"
    assert in_words(("admins:",)) == "admins only"
    assert in_words(("legal", "user:ann")) == "the group legal and the user ann"


def test_the_users_among_keys_are_named() -> None:
    assert users_among({"legal", "user:bob", "user:ann", "admins:"}) == ["ann", "bob"]
