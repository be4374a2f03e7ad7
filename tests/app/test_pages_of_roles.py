"""Every page that a role is offered opens for it over a real home, with documents and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.config.load import load_settings
from core.domain.principal import ROLES, Principal
from core.workbench.facade import Workbench
from tests.app.conftest import MAIN
from tests.app.test_pages import open_page
from tests.support.contracts_at_hand import PartsWith, contracts_at_hand
from tests.support.examples import IS_FULL
from tests.support.hashed_encoder import HashedEncoder

PAGES = ("ask", "documents", "matrix", "inspector", "search", "schemas", "settings", "shared")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with contracts_at_hand(tmp_path_factory.mktemp("filled") / "home") as found:
        yield found.bench


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home = tmp_path_factory.mktemp("empty") / "home"
    with Workbench(PartsWith(load_settings(home), HashedEncoder())) as bench:
        yield bench


ALONE = (*ROLES[:1], *ROLES[-1:])  # of the roles, those that a usual run shows an empty home


@pytest.mark.parametrize(
    ("role", "state"),
    [*((each, "filled") for each in ROLES), *((each, "empty") for each in (ROLES if IS_FULL else ALONE))],
)
def test_no_page_that_is_offered_is_refused(
    role: str, state: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.use(request.getfixturevalue(state))
    ann = Principal("ann", frozenset({role, "analyst"}))
    monkeypatch.setattr(services, "current_principal", lambda: ann)

    for name in PAGES:
        app = AppTest.from_file(MAIN, default_timeout=20)
        open_page(app, name)
        assert [each.value for each in (*app.exception, *app.error)] == [], name
        if name == "ask":
            assert (app.title[0].value == "Ask your documents") is (state == "filled")
