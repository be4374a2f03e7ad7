"""What a document holds reaches nobody who may not see it by any door: REST, MCP, and the pages' HTML.

Access is given at random as in `test_visible_everywhere`. Each case is one request of one principal: its raw
reply, or all that a page draws, may hold the planted word of no hidden document, nor its id.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from app.api.problems import HANDLERS
from app.api.routes import ROUTES
from core.cli.mcp.identity import McpCaller
from core.cli.mcp.server import server
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.support.examples import IS_FULL
from tests.support.planted import BUCKETS, PlantedHome, change_access, open_home, principals
from tests.support.roles import MAY_ASK_ALL
from tests.support.surfaces import COUNTING, READING, Surface, ask_before, worded
from tests.support.twins import planted, settings_of, unsaid

EPISODES = 3 if IS_FULL else 1
REQUESTS, TALKS, PAGES = (60, 24, 8) if IS_FULL else (30, 12, 4)  # for each of three principals
OWN_WORDS = ("v1/uncovered", "v1/lessons")
MAIN = str(Path(__file__).parents[2] / "app" / "main.py")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, PlantedHome]:
    folder = tmp_path_factory.mktemp("planted")
    return folder, planted(folder)


@pytest.fixture
def episode(
    request: pytest.FixtureRequest, original: tuple[Path, PlantedHome], tmp_path: Path
) -> Iterator[tuple[Workbench, PlantedHome, random.Random]]:
    """A home with access of its own, which the doors serve."""
    folder, known = original
    home, chance = known.anew(), random.Random(request.param)
    shutil.copytree(folder / "home", tmp_path / "home")
    with open_home(settings_of(tmp_path / "home")) as bench:
        everybody = Principal("zoe", MAY_ASK_ALL, frozenset({"legal", "finance", "board"}))
        ask_before(bench.for_principal(everybody), chance)
        change_access(bench, home, chance)
        services.use(bench)
        yield bench, home, chance
        services.close()


def askers(chance: random.Random) -> Iterator[Principal]:
    """Principals who may ask whatever there is to ask."""
    return (replace(who, roles=MAY_ASK_ALL) for who in principals(chance))


def require_hidden(home: PlantedHome, who: Principal, name: str, reply: str, said: str) -> None:
    """Nothing of a hidden document is in a reply. said: words of the request, which may come back."""
    rest = unsaid(reply.casefold(), Surface(name, lambda _session: None, said))
    for word in home.hidden_from(who):
        assert word not in rest, (name, who, word)
        id = str(home.documents[word]).casefold()
        assert id in said or id not in rest, (name, who, word)


def asked(chance: random.Random, home: PlantedHome) -> str:
    return worded(chance.choice((*COUNTING, *READING)), chance, home)


def requested(chance: random.Random, home: PlantedHome, client: TestClient) -> tuple[str, str, str]:
    """One request by REST at random: its name, its reply, and what it says itself."""
    word, bucket = chance.choice(list(home.documents)), chance.choice(BUCKETS)
    id, question = str(home.documents[word]), asked(chance, home)
    reads = (
        "v1/documents?limit=200",
        f"v1/documents?bucket={bucket}",
        f"v1/documents/{id}",
        f"v1/documents/{id}?pages=1",
        f"documents/{id}/versions/1/pages/1/text",
        f"documents/{id}/versions/1/page.html",
        f"documents/{id}/original",
        f"v1/matrix?bucket={bucket}",
        "v1/matrix/counts",
        "v1/audits",
        "v1/uncovered",
        "v1/lessons",
        "v1/jobs",
        "v1/metrics",
        "v1/healthz",
    )
    sends: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("v1/search", {"query": f"{word.title()} Corporation notice", "top_k": 20}, word),
        ("v1/search", {"query": "copper", "documents": [id]}, id),
        ("v1/rag/query", {"question": question, "wait_s": 30}, question),
        ("v1/plans", {"question": question}, question),
    )
    if chance.random() < 0.6:
        path = chance.choice(reads)
        return path, client.get(path).text, id
    path, body, said = chance.choice(sends)
    return f"{path} {body}", client.post(path, json=body).text, said.casefold()


@pytest.mark.parametrize("episode", range(EPISODES), indirect=True)
def test_nothing_hidden_comes_out_by_rest(
    episode: tuple[Workbench, PlantedHome, random.Random], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, home, chance = episode
    app = Starlette(routes=[Mount("/api", Starlette(routes=ROUTES, exception_handlers=HANDLERS))])
    with TestClient(app, base_url="http://127.0.0.1:8501/api/") as client:
        for who in askers(chance):
            monkeypatch.setattr(services, "current_principal", lambda who=who: who)
            listed = client.get("v1/documents?limit=200").json()["documents"]
            assert {each["id"] for each in listed} == {home.documents[word] for word in home.seen_by(who)}
            before = ""  # words of theirs, which their failed questions hold
            for _ in range(REQUESTS):
                name, reply, said = requested(chance, home, client)
                before = f"{before} {said}"
                require_hidden(home, who, name, reply, before if name in OWN_WORDS else said)


@pytest.mark.parametrize("episode", range(10, 10 + EPISODES), indirect=True)
def test_nothing_hidden_comes_out_by_mcp(episode: tuple[Workbench, PlantedHome, random.Random]) -> None:
    bench, home, chance = episode
    for who in askers(chance):
        caller = McpCaller(who)
        replies = asyncio.run(_talk(server(bench, lambda _context, caller=caller: caller), chance, home))
        assert len(replies) >= TALKS
        for name, reply, said in replies:
            require_hidden(home, who, name, reply, said)


async def _talk(to: Any, chance: random.Random, home: PlantedHome) -> list[tuple[str, str, str]]:
    """Tools called at random: the name of each call, all of its reply, and what it says itself."""
    found: list[tuple[str, str, str]] = []
    async with Client(to, read_timeout_seconds=60) as client:

        async def call(tool: str, said: str, **arguments: Any) -> Any:
            reply = await client.call_tool(tool, arguments)
            found.append((f"{tool} {arguments}", str(reply.content), said.casefold()))
            return reply.structured_content

        makers: tuple[Callable[[str, str], Any], ...] = (
            lambda word, _: call("search", word, query=f"{word.title()} Hall", top_k=20),
            lambda word, _: call("get_document", home.documents[word], document=home.documents[word]),
            lambda _, question: call("plan", question, question=question),
        )
        while len(found) < TALKS:
            word, question = chance.choice(list(home.documents)), asked(chance, home)
            if chance.random() < 0.7:
                await chance.choice(makers)(word, question)
                continue
            answer = await call("ask", question, question=question)
            for tool in ("ledger", "verified_spans"):
                await call(tool, question, trace_id=answer["trace_id"])
    return found


@pytest.mark.parametrize("episode", range(20, 20 + EPISODES), indirect=True)
def test_nothing_hidden_is_drawn_on_a_page(
    episode: tuple[Workbench, PlantedHome, random.Random], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, home, chance = episode
    services._warmed.set()
    for who in askers(chance):
        monkeypatch.setattr(services, "current_principal", lambda who=who: who)
        for _ in range(PAGES):
            word, question, bucket = chance.choice(list(home.documents)), asked(chance, home), "contracts"
            name, given = chance.choice(
                [
                    ("ask", {}),
                    ("documents", {}),
                    ("documents", {"document": str(home.documents[word])}),
                    ("matrix", {"bucket": bucket}),
                    ("search", {"q": f"{word} hall"}),
                    ("inspector", {"question": question}),
                    ("schemas", {}),
                ]
            )
            app = AppTest.from_file(MAIN, default_timeout=30)
            app._page_hash = calc_hash(name)
            for key, value in given.items():
                app.query_params[key] = value
            app.run()
            assert not app.exception, (name, given)
            said = " ".join(given.values()).casefold()
            require_hidden(home, who, f"{name} {given}", drawn(app), said)


def drawn(app: AppTest) -> str:
    """All that a page sends to the browser, as text."""
    found: list[str] = []
    nodes: list[Any] = [app._tree]
    while nodes:
        node = nodes.pop()
        found.append(str(getattr(node, "proto", "") or ""))
        nodes += getattr(node, "children", {}).values()
    assert sum(map(len, found)) > 1_000
    return "\n".join(found)
