from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from core.domain.trust.account import ApiToken, account_name, checked_roles, checked_scopes
from core.errors import UsageError

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def test_names_are_kept_in_small_letters() -> None:
    assert account_name(" Ann.Lee@example.com ") == "ann.lee@example.com"


@pytest.mark.parametrize("text", ["", "a b", "../x", "<img>", "ann\n", "ä", "a" * 65])
def test_what_is_no_name_is_refused(text: str) -> None:
    if text == "ann\n":
        assert account_name(text) == "ann"  # the line's end belongs to nobody's name
        return
    with pytest.raises(UsageError, match="no name"):
        account_name(text)


def test_unknown_roles_and_scopes_are_refused() -> None:
    assert checked_roles(frozenset({"analyst"})) == {"analyst"}
    with pytest.raises(UsageError, match="no role 'root'"):
        checked_roles(frozenset({"root"}))
    with pytest.raises(UsageError, match="no scope 'all'"):
        checked_scopes(frozenset({"all"}))
    with pytest.raises(UsageError, match="needs a scope"):
        checked_scopes(frozenset())


def test_a_token_is_active_until_it_expires_or_is_revoked() -> None:
    token = ApiToken("t", "ann", "x", frozenset({"read"}), NOW, NOW + timedelta(days=1), None, None)

    assert token.state(NOW) == "active"
    assert token.state(NOW + timedelta(days=1)) == "expired"
