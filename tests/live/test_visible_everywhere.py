"""What is hidden comes out of no surface on Postgres and Weaviate, and counts are those without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.conftest import collection_at
from tests.support.examples import IS_FULL
from tests.support.planted import PlantedHome, open_home
from tests.support.postgres_server import PostgresServer
from tests.support.twins import hold_against_twins, planted, settings_of
from tests.support.weaviate_server import WeaviateServer

CALLS = 60 if IS_FULL else 24


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PlantedHome]:
    folder = tmp_path_factory.mktemp("planted")
    return folder, planted(folder)


@pytest.mark.parametrize("seed", [1, 2, 3] if IS_FULL else [1])
def test_nothing_hidden_comes_out_on_postgres(
    seed: int, original: tuple[Path, PlantedHome], postgres_server: PostgresServer, tmp_path: Path
) -> None:
    folder, home = original
    url = postgres_server.address(postgres_server.create_database())
    more = {"records": {"url": url}}
    planted(folder, f"postgres-{seed}", more)
    with open_home(settings_of(folder / f"postgres-{seed}", more)) as bench:
        assert hold_against_twins(bench, folder / "home", home.anew(), seed, CALLS, tmp_path) == 3 * CALLS


@pytest.mark.parametrize("seed", [4, 5, 6] if IS_FULL else [4])
def test_nothing_hidden_comes_out_on_weaviate(
    seed: int, original: tuple[Path, PlantedHome], weaviate_server: WeaviateServer, tmp_path: Path
) -> None:
    folder, home = original
    more = {"index": weaviate_server.settings(collection_at(tmp_path)).model_dump()}
    planted(folder, f"weaviate-{seed}", more)
    with open_home(settings_of(folder / f"weaviate-{seed}", more)) as bench:
        assert hold_against_twins(bench, folder / "home", home.anew(), seed, CALLS, tmp_path) == 3 * CALLS
