from __future__ import annotations

import pytest

from app import identity
from app.identity import Caller, own_path
from core.domain.principal import Principal
from tests.support.roles import MAY_ASK


@pytest.mark.parametrize("path", ["/", "/documents", "/inspector?plan=a1&in=x%2Fy", "/jobs?job=j1#end"])
def test_a_path_of_ours_is_gone_on_to(path: str) -> None:
    assert own_path(path) == path


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/x\r\nSet-Cookie: a=b",
        "javascript:alert(1)",
        "evil.example",
        " /documents",
        "/sign-in?next=/sign-in",
        "/sign-out",
        "/" + "x" * 2000,
    ],
)
def test_whatever_leads_elsewhere_leads_home(address: str) -> None:
    assert own_path(address) == "/"


def test_the_caller_is_there_while_the_request_is_answered() -> None:
    found = Caller(Principal("ann", MAY_ASK))
    token = identity.enter(found)
    assert identity.caller() is found
    identity.leave(token)
    assert identity.caller() is None
