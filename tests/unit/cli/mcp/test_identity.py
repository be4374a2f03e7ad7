"""Who an MCP server acts for: tokens, scopes, accounts, and addresses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.cli.main import groundwork
from core.cli.mcp.identity import BearerGate, McpCaller, caller_of_process, caller_of_request
from core.domain.principal import LOCAL_ADMIN
from core.errors import RefusedError, SignInError, UsageError
from core.workbench.facade import Workbench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path / "home", verify_encoder=False) as opened:
        yield opened


@pytest.fixture
def token(bench: Workbench) -> str:
    bench.local.accounts.add("root", password="correct horse", roles=["admin"])
    bench.local.accounts.add("ann", password="correct horse", roles=["contract_read"])
    return bench.local.tokens.add("mcp", ["read"], account="ann")[0]


def seen(request: Request) -> JSONResponse:
    caller = caller_of_request(request)
    return JSONResponse({"user": caller.principal.user, "scopes": sorted(caller.scopes or ())})


def client(bench: Workbench) -> TestClient:
    return TestClient(BearerGate(Starlette(routes=[Route("/mcp", seen)]), bench))


def test_without_accounts_the_local_admin_is_let_in(bench: Workbench) -> None:
    assert caller_of_process(bench, None, "")().principal == LOCAL_ADMIN
    assert client(bench).get("/mcp").json()["user"] == "admin"


def test_with_accounts_stdio_needs_a_token_or_a_name(bench: Workbench, token: str) -> None:
    with pytest.raises(SignInError, match="for whom") as raised:
        caller_of_process(bench, None, "")
    assert "GROUNDWORK_TOKEN" in raised.value.next_step
    with pytest.raises(SignInError, match="not valid"):
        caller_of_process(bench, None, "gw_forged")

    caller = caller_of_process(bench, None, token)
    assert (caller().principal.user, caller().scopes) == ("ann", frozenset({"read"}))
    assert caller_of_process(bench, "ann", "")().scopes is None
    with pytest.raises(UsageError, match="Unknown user"):
        caller_of_process(bench, "eve", "")


def test_a_role_that_is_taken_away_and_an_account_that_is_disabled_count_at_once(
    bench: Workbench, token: str
) -> None:
    caller = caller_of_process(bench, None, token)
    bench.local.accounts.change("ann", roles=[])
    assert caller().principal.roles == frozenset()

    bench.local.accounts.disable("ann")
    with pytest.raises(SignInError):
        caller()


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer gw_forged", "Basic YW5uOng=", "Bearer \xff"])
def test_over_http_nobody_without_a_valid_token_is_let_in(bench: Workbench, token: str, given: str) -> None:
    headers: Any = [(b"authorization", given.encode("latin-1"))] if given else []
    answer = client(bench).get("/mcp", headers=headers)

    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["next_step"]


def test_over_http_a_token_is_its_account(bench: Workbench, token: str) -> None:
    answer = client(bench).get("/mcp", headers={"Authorization": f"Bearer {token}", "Remote-User": "root"})

    assert answer.json() == {"user": "ann", "scopes": ["read"]}


def test_a_forged_token_is_refused_where_there_are_no_accounts_too(bench: Workbench) -> None:
    assert client(bench).get("/mcp", headers={"Authorization": "Bearer gw_forged"}).status_code == 401


def test_a_scope_that_is_lacking_is_said(bench: Workbench) -> None:
    reader = McpCaller(LOCAL_ADMIN, frozenset({"read"}))
    reader.require_scope("read")
    McpCaller(LOCAL_ADMIN, frozenset({"admin"})).require_scope("ask")
    McpCaller(LOCAL_ADMIN).require_scope("ask")
    with pytest.raises(RefusedError, match="'ask'"):
        reader.require_scope("ask")


def test_a_request_that_no_gate_let_in_has_no_caller() -> None:
    for request in (None, SimpleNamespace(state=SimpleNamespace())):
        with pytest.raises(SignInError):
            caller_of_request(request)


def test_another_address_is_refused_without_accounts(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        groundwork,
        ["mcp", "--http", "8599", "--host", "0.0.0.0", "--home", str(tmp_path / "home")],
        standalone_mode=False,
    )
    assert isinstance(result.exception, UsageError)
    assert "would be admin here" in result.exception.message
