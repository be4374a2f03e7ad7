"""What tests of every folder may ask for: a real PostgreSQL, and a new database in it.

New homes on SQLite get their tables as `tests.support.made_schema` says, or as people do by `real_tables`.
Parsers and extractors are started once a run (`tests.support.kept_children`), statements are compiled once
(`tests.support.shared_statements`), and models are read once (`tests.support.kept_models`).

Whatever uses it is marked `live` and left out of the default run. Where PostgreSQL is not installed those
tests are skipped in one line, unless GROUNDWORK_LIVE=required says that they must not be.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import argon2
import hypothesis
import pytest

from core.processes import children
from core.store.database import migrate
from tests.support.forked_processes import end_forking, fork_processes
from tests.support.kept_children import KeptChildren
from tests.support.kept_models import keep_models
from tests.support.little_distribution import Install, install
from tests.support.made_schema import MadeSchema
from tests.support.postgres_server import PostgresServer, find_binaries
from tests.support.shared_statements import share_statements

# By its own measure a hash of a password takes 64 MiB and a tenth of a second, for each account and sign-in.
argon2.PasswordHasher = partial(  # type: ignore[assignment, misc]
    argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1
)

# One answer in a hundred is drawn for review, by its random id: tests that count flags draw none.
os.environ.setdefault("GROUNDWORK_REVIEW__SAMPLE_SHARE", "0")

if "PYTEST_XDIST_WORKER" in os.environ:  # threads wait for one another in busy loops
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Beside other tests a search of milliseconds may take seconds.
    os.environ.setdefault("GROUNDWORK_INDEX__DEADLINE_S", "30")
    os.environ.setdefault("GROUNDWORK_RETRIEVAL__DEADLINE_S", "60")
    hypothesis.settings.register_profile("beside_others", deadline=None)
    hypothesis.settings.load_profile("beside_others")


_TESTS = Path(__file__).parent

share_statements()
keep_models()
os.fsync = lambda _descriptor: None  # type: ignore[assignment]  # tests kill processes, not machines

_MADE = MadeSchema(migrate._make_tables)
migrate._make_tables = _MADE

fork_processes()
_KEPT = KeptChildren()
children._TaskChild = _KEPT.make  # type: ignore[assignment, misc]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What only browsers and servers run is not imported where neither is asked for."""
    is_left_out = "not browser and not live" in config.option.markexpr
    return True if is_left_out and collection_path in (_TESTS / "browser", _TESTS / "live") else None


def pytest_sessionfinish() -> None:
    """End what was kept."""
    _KEPT.close()
    end_forking()


@pytest.fixture
def real_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a new home are made as they are for people."""
    monkeypatch.setattr(migrate, "_make_tables", _MADE.make_tables)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a little distribution: its name, its entry points by group, its files by path."""
    return lambda name, entry_points, files: install(tmp_path, name, entry_points, files, monkeypatch)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for the whole run."""
    if find_binaries() is None and os.environ.get("GROUNDWORK_LIVE") != "required":
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    server = PostgresServer()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a new, empty database, dropped afterwards."""
    name = postgres_server.create_database()
    yield postgres_server.address(name)
    postgres_server.drop_database(name)


@pytest.fixture(scope="session")
def made_database(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with the tables of records, which every test of this process leaves as it was."""
    from pydantic import SecretStr

    from core.config.models import RecordsSettings, Settings
    from core.store.store import Records

    name, home = postgres_server.create_database(), tmp_path_factory.mktemp("made")
    url = SecretStr(postgres_server.address(name))
    Records.open(Settings(home=home, records=RecordsSettings(url=url))).close()
    postgres_server.empty(name)
    return name


@pytest.fixture
def records_url(postgres_server: PostgresServer, made_database: str) -> Iterator[str]:
    """The address of a database with empty tables, emptied afterwards: a new one takes 40 times as long."""
    yield postgres_server.address(made_database)
    postgres_server.empty(made_database)
