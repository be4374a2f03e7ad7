from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from core.errors import NotFoundError
from core.store.database.trust_tables import api_tokens
from core.store.people.tokens import ApiTokens
from core.store.store import Records

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
UNTIL = NOW + timedelta(days=1)


@pytest.fixture
def tokens(records: Records) -> ApiTokens:
    records.accounts.add("ann", roles=["admin"])
    records.accounts.add("bob")
    return records.api_tokens


def test_a_token_is_found_by_its_text_which_is_kept_nowhere(records: Records, tokens: ApiTokens) -> None:
    text, token = tokens.add("ann", "nightly", ["read", "ask"], UNTIL, NOW)

    found = tokens.find(text, NOW)
    assert found is not None
    assert (found.id, found.scopes) == (token.id, {"read", "ask"})
    with records.database.read() as connection:
        row = connection.execute(sa.select(api_tokens)).one()
    assert text.rsplit("_", 1)[1] not in str(row)
    assert tokens.list()[0].used_at == NOW


def test_forged_expired_and_revoked_tokens_are_not_found(tokens: ApiTokens) -> None:
    text, token = tokens.add("ann", "x", ["read"], UNTIL, NOW)
    other, _ = tokens.add("bob", "y", ["admin"], UNTIL, NOW)
    head, id, secret = text.split("_", 2)

    forged = [
        "",
        "Bearer",
        text[:-1],
        text + "x",
        f"{head}_{id}_{other.split('_', 2)[2]}",
        f"{head}_{'0' * 16}_{secret}",
        text + "\n",
        "\0" * 64,
    ]
    assert [tokens.find(each, NOW) for each in forged] == [None] * len(forged)
    assert tokens.find(text, UNTIL) is None
    tokens.revoke(token.id, "ann", NOW)
    assert tokens.find(text, NOW) is None


def test_nobody_revokes_the_token_of_another(tokens: ApiTokens) -> None:
    text, token = tokens.add("ann", "x", ["read"], UNTIL, NOW)

    with pytest.raises(NotFoundError):
        tokens.revoke(token.id, "bob")
    assert tokens.find(text, NOW) is not None
    assert tokens.list("bob") == []
