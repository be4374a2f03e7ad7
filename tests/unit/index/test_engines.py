"""Engines of plug-ins: they answer while they can, and the embedded one where they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import plugins
from core.config.load import load_settings
from core.domain.search import SearchQuery
from core.errors import SettingsError
from core.workbench.facade import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.little_distribution import Install, forget

ENGINE = """
from core.index.rebuildable import EngineSpec
from tests.support.memory_engine import Memory, MemoryEngine

class Engine(MemoryEngine):
    def search(self, request):
        {body}

ENGINE = EngineSpec(lambda place: Engine(Memory(place.signature)), where="in memory")
"""
QUESTION = SearchQuery("monthly rent")


def engine_home(home: Path, name: str = "memory") -> Workbench:
    home.mkdir(exist_ok=True)
    (home / "groundwork.toml").write_text(f'[index]\nengine = "{name}"\n', "utf-8")
    return Workbench(PartsWith(load_settings(home), HashedEncoder()))


def test_an_engine_of_others_answers_and_follows_the_records(installed: Install, tmp_path: Path) -> None:
    files = {"acme_engine.py": ENGINE.format(body="return super().search(request)")}
    installed("acme-memory", {plugins.ENGINES: {"memory": "acme_engine:ENGINE"}}, files)
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)
        status = bench.local.settings.status()
        bench.local.index.rebuild(engine="memory")
        again = bench.search(QUESTION)

    assert [hit.source for hit in report.hits] == [hit.source for hit in again.hits]
    assert len(again.hits) == 1
    assert (status.engine, status.search_note, report.degradations) == ("memory", "", again.degradations)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 1 / 0", "failed (ZeroDivisionError"),
        ("return {'hits': []}", "no list of EngineHit"),
        ("import time; time.sleep(5)", "took longer than 0.3 s (index.deadline_s)"),
    ],
)
def test_where_an_engine_of_others_fails_the_embedded_one_answers(
    installed: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    monkeypatch.setenv("GROUNDWORK_INDEX__DEADLINE_S", "0.3")
    installed(
        "acme-memory",
        {plugins.ENGINES: {"memory": "acme_fails:ENGINE"}},
        {"acme_fails.py": ENGINE.format(body=body)},
    )
    forget("acme_fails")
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)

    assert [hit.source.rpartition("/")[2] for hit in report.hits] == ["lease.txt"]
    assert reason in report.degradations[0].message


def test_an_engine_that_does_not_import_leaves_the_embedded_one(installed: Install, tmp_path: Path) -> None:
    installed("acme-memory", {plugins.ENGINES: {"memory": "acme_no_engine:ENGINE"}}, {})
    (tmp_path / "lease.txt").write_text("The monthly rent of the Mill Road warehouse is $15,000.", "utf-8")

    with engine_home(tmp_path / "home") as bench:
        bench.ingest([tmp_path / "lease.txt"])
        report = bench.search(QUESTION)
        status = bench.local.settings.status()

    assert [hit.source.rpartition("/")[2] for hit in report.hits] == ["lease.txt"]
    assert "acme-memory" in report.degradations[0].message
    assert "'memory' (groundwork.engines) of 'acme-memory': it does not import" in status.left_out[0]


def test_an_engine_that_is_not_installed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"index.engine.*no engine .* is installed; there are embedded, weaviate"
    ):
        engine_home(tmp_path / "home", "weviate")
