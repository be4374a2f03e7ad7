"""The common ground of the services: addresses for people, and answers that may be asked for still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import RefusedError
from core.workbench.services.base import Service
from tests.support.contracts_at_hand import Contracts, contracts_at_hand


@pytest.fixture
def contracts(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def test_pages_are_where_they_are_served_unless_an_address_is_given(contracts: Contracts) -> None:
    service = Service(contracts.parts, LOCAL_ADMIN)
    settings = contracts.parts.settings
    assert service._address() == f"http://{settings.app.host}:{settings.app.port}"

    (settings.home / "up.address").write_text("http://127.0.0.1:9999/\n")

    assert service._address() == "http://127.0.0.1:9999"
    assert service._address("https://desk.example/") == "https://desk.example"


def test_an_answer_is_for_who_might_ask_for_it_now(contracts: Contracts) -> None:
    asked = contracts.bench.for_principal(LOCAL_ADMIN).questions.ask("How many documents are there?")
    Service(contracts.parts, LOCAL_ADMIN)._permit_answer(asked)

    nobody = Service(contracts.parts, Principal("dora"))
    nobody._permit_answer(None)
    with pytest.raises(RefusedError, match="contract_read"):
        nobody._permit_answer(asked)
