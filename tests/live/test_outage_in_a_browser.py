"""A search server that is stopped while somebody asks: what the page says, and that it is used again."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.domain.answer import Answer
from core.workbench import Workbench
from tests.browser.conftest import ROOT, Server, Visit, chromium, free_port, profile, serve, visit
from tests.support.waiting import wait_for
from tests.support.weaviate_server import WeaviateServer

__all__ = ["chromium", "profile", "visit"]

LEASE = "The monthly rent of the {} warehouse is ${},000, payable on the first day of each month."
ROADS = ("Mill Road", "Harbour Street", "Canal Row")
AWAY = "The search server cannot be used now"


@pytest.fixture
def app(
    own_weaviate: WeaviateServer, tmp_path: Path, collection: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """`groundwork up` on a Weaviate server of its own, with three leases in it."""
    own_weaviate.start()
    for key, value in {
        "ENGINE": "weaviate",
        "URL": own_weaviate.url,
        "GRPC_PORT": str(own_weaviate.grpc_port),
        "COLLECTION": collection,
        "DEADLINE_S": "10",  # a slow machine is no outage
    }.items():
        monkeypatch.setenv(f"GROUNDWORK_INDEX__{key}", value)
    (tmp_path / "in").mkdir()
    for number, road in enumerate(ROADS):
        (tmp_path / "in" / f"lease-{number}.txt").write_text(LEASE.format(road, 10 + number))
    home, port = tmp_path / "home", free_port()
    # In a process of its own: the browser's event loop runs in this one.
    ingest = [sys.executable, "-m", "core.cli", "ingest", str(tmp_path / "in"), "--home", str(home)]
    subprocess.run(ingest, check=True, cwd=ROOT, capture_output=True)
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    yield from serve(command, port, home, lambda health: health["documents"] == len(ROADS))


def engine_of(server: Server) -> str:
    with urllib.request.urlopen(f"{server.url}/api/v1/healthz", timeout=10) as answer:
        return str(json.load(answer)["engine"])


def last_check(home: Path) -> str:
    """Why the server was last checked; "" before the first time."""
    with Workbench.open(home=home) as bench:
        return "".join(
            repair.reason for repair in bench.local.index.last_repairs() if repair.engine == "weaviate"
        )


def answers(home: Path) -> list[Answer]:
    """Every answer that was given, oldest first."""
    with Workbench.open(home=home) as bench:
        turns = [
            turn
            for one in bench.local.conversations.list()
            for turn in bench.local.conversations.turns(one.id)
        ]
    return [turn.answer for turn in turns if turn.answer is not None]


def test_a_question_is_answered_while_the_server_is_away_and_searches_go_back_to_it(
    visit: Callable[..., Visit], app: Server, own_weaviate: WeaviateServer, tmp_path: Path
) -> None:
    here = visit(app)
    here.open()
    wait_for(lambda: engine_of(app) == "weaviate", 60, "the server never served")
    wait_for(lambda: bool(last_check(app.home)), 60, "the worker never checked the server")
    here.ask(f"What is the monthly rent of the {ROADS[0]} warehouse?")
    expect(here.page.get_by_text(AWAY)).to_have_count(0)

    own_weaviate.stop()
    here.ask(f"What is the monthly rent of the {ROADS[1]} warehouse?")
    here.page.get_by_text(AWAY).first.wait_for()
    here.page.screenshot(path=tmp_path / "away.png")
    own_weaviate.start()
    wait_for(lambda: engine_of(app) == "weaviate", 30, "searches did not go back to the server")
    here.ask(f"What is the monthly rent of the {ROADS[2]} warehouse?")

    before, during, after = answers(app.home)
    assert [d.code for d in during.degradations] == ["E003"]
    assert "$11,000" in during.text
    assert during.timings_ms["total"] < 3_000
    assert not before.degradations
    assert not after.degradations
    wait_for(lambda: "started again" in last_check(app.home), 60, "the repair was not reported")
    here.open("/settings")
    here.page.get_by_text("The search server was started again").first.wait_for()
    here.page.screenshot(path=tmp_path / "settings.png", full_page=True)
