from __future__ import annotations

import pytest

from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import NotFoundError, RefusedError, UsageError
from core.workbench.facade import Workbench

ANN = Principal("ann", frozenset({"analyst"}))


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    bench.local.accounts.add("root", password="correct horse", roles=["admin"])
    bench.local.accounts.add("ann", roles=["analyst"])
    return bench


def test_one_makes_and_ends_own_tokens_alone(home: Workbench) -> None:
    ann = home.for_principal(ANN).tokens
    text, token = ann.add(" nightly  report ", ["read"])
    _, roots = home.local.tokens.add("x", ["admin"], account="root")

    assert (token.account, token.name) == ("ann", "nightly report")
    assert [each.id for each in ann.list()] == [token.id]
    assert {each.id for each in home.local.tokens.list(everybody=True)} == {token.id, roots.id}
    with pytest.raises(RefusedError):
        ann.add("x", ["read"], account="root")
    with pytest.raises(RefusedError):
        ann.list(everybody=True)
    with pytest.raises(NotFoundError):
        ann.revoke(roots.id)
    ann.revoke(token.id)
    assert text not in str(home.local.audit_log.entries(AuditQuery()))


def test_tokens_are_bounded(home: Workbench) -> None:
    ann = home.for_principal(ANN).tokens
    for name, scopes, days in (("", ["read"], 1), ("x", [], 1), ("x", ["all"], 1), ("x", ["read"], 0)):
        with pytest.raises(UsageError):
            ann.add(name, scopes, days=days)
    with pytest.raises(UsageError, match="no admin"):
        ann.add("x", ["admin"])
    with pytest.raises(NotFoundError):  # the local start has no account that a token could belong to
        home.local.tokens.add("x", ["read"])
