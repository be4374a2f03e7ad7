"""The interface over ten contracts whose cells are known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.problems import HANDLERS
from app.api.routes import ROUTES
from tests.support.contracts_at_hand import Contracts, contracts_at_hand


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("v1") / "home") as found:
        services.use(found.bench)
        yield found
        services.close()


@pytest.fixture
def rest(at_hand: Contracts) -> Iterator[TestClient]:
    app = Starlette(routes=[Mount("/api", Starlette(routes=ROUTES, exception_handlers=HANDLERS))])
    with TestClient(app, base_url="http://127.0.0.1:8501/api/v1/") as made:
        yield made
