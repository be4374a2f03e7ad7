"""The MCP server, asked by the official SDK's client: in this process, over stdio and over HTTP."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from click.testing import CliRunner
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from core.cli.main import groundwork
from core.cli.mcp.identity import McpCaller
from core.cli.mcp.server import http_app, server
from core.cli.mcp.tools import TOOLS
from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.workbench import Workbench
from tests.support.mcp_home import COUNT, LACK, QUESTION, fill
from tests.support.roles import MAY_ASK

Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "files").mkdir()
    fill(folder / "home", folder / "files")
    return folder / "home"


@pytest.fixture(scope="module")
def bench(home: Path) -> Iterator[Workbench]:
    with Workbench.open(home=home) as opened:
        yield opened


def talk(to: Any, what: Talk) -> Any:
    """What comes of a talk with a server."""

    async def run() -> Any:
        async with Client(to, read_timeout_seconds=60) as client:
            return await what(client)

    return asyncio.run(run())


def in_process(bench: Workbench, what: Talk, who: McpCaller | None = None) -> Any:
    caller = who or McpCaller(bench.principal(None, origin="mcp stdio"))
    return talk(server(bench, lambda _context: caller), what)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    found = await client.call_tool(tool, arguments)
    assert not found.is_error, found.content
    data = found.structured_content
    assert data is not None
    assert json.loads(found.content[0].text) == data
    return data


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    found = await client.call_tool(tool, arguments)
    assert found.is_error
    return str(found.content[0].text)


async def every_tool(client: Client) -> dict[str, Any]:
    """List and call every tool; gives what each came to."""
    listed = (await client.list_tools()).tools
    assert {each.name for each in listed} == set(TOOLS)
    assert all(each.description and each.input_schema["type"] == "object" for each in listed)
    assert all("session" not in each.input_schema.get("properties", {}) for each in listed)

    hits = (await call(client, "search", query="notice period", bucket="contracts", top_k=3))["hits"]
    answer = await call(client, "ask", question=QUESTION)
    planned = await call(client, "plan", question=COUNT)
    ran = await call(client, "run_plan", plan=planned["plan"])
    counted = await call(client, "ask", question=COUNT)
    ledger = await call(client, "ledger", trace_id=counted["trace_id"])
    spans = await call(client, "verified_spans", trace_id=answer["trace_id"])
    document = await call(client, "get_document", document=hits[0]["document"])
    return {
        "hits": hits,
        "answer": answer,
        "ran": ran,
        "counted": counted,
        "ledger": ledger,
        "spans": spans,
        "document": document,
    }


def check(found: dict[str, Any], home: Path) -> None:
    """The tools agree with one another, and their spans with `documents show`."""
    document = found["document"]
    pages = {page["page"]: page["text"] for page in document["pages"]}
    for hit in found["hits"]:
        if hit["document"] == document["id"]:
            assert pages[hit["page"]][hit["start"] : hit["end"]] == hit["text"]
    assert found["answer"]["status"] in ("answered", "partial")
    assert "sixty days" in found["answer"]["text"]
    spans = found["spans"]["spans"]
    assert spans
    assert found["spans"]["not_readable"] == 0
    for span in spans:
        shown = CliRunner().invoke(
            groundwork,
            ["documents", "show", span["document"], "--home", str(home), "--json"],
            standalone_mode=False,
        )
        text = next(
            each["text"] for each in json.loads(shown.stdout)["pages"] if each["page"] == span["page"]
        )
        assert span["verified"]
        assert text[span["start"] : span["end"]] == span["quote"]
    ledger = found["ledger"]
    assert ledger["scope"] == sum(ledger[part] for part in ledger["parts"]) == 2
    assert all(len(each["documents"]) == each["total"] for each in ledger["parts"].values())
    assert found["ran"]["value"] == found["counted"]["value"]


def test_every_tool_is_listed_and_called_in_this_process(bench: Workbench, home: Path) -> None:
    check(in_process(bench, every_tool), home)


def test_every_tool_is_listed_and_called_over_stdio(home: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "core.cli", "mcp", "--home", str(home)]
    )
    check(talk(command, every_tool), home)


class Served:
    """The server over HTTP on a port of its own, in a thread."""

    def __init__(self, bench: Workbench) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        app = http_app(bench, host="127.0.0.1", port=self.port)
        self._server = uvicorn.Server(
            uvicorn.Config(app, host="127.0.0.1", port=self.port, log_level="error", ws="none")
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Served:
        self._thread.start()
        deadline = time.monotonic() + 20
        while not self._server.started and time.monotonic() < deadline:
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def talk(self, what: Talk, token: str = "") -> Any:
        async def run() -> Any:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http,
                Client(streamable_http_client(self.url, http_client=http)) as client,
            ):
                return await what(client)

        return asyncio.run(run())


def test_every_tool_is_listed_and_called_over_http(bench: Workbench, home: Path) -> None:
    with Served(bench) as served:
        check(served.talk(every_tool), home)


def test_policies_and_the_log_hold_for_tools_too(bench: Workbench) -> None:
    who = McpCaller(Principal("ann", MAY_ASK, origin="mcp stdio"))

    async def asked(client: Client) -> None:
        answer = await call(client, "ask", question=LACK)
        assert (answer["status"], answer["lacking"]) == ("refused", ["compliance_officer"])
        plan = (await call(client, "plan", question=LACK))["plan"]
        edited = {**plan, "kind": "lookup", "question": "Hello"}
        assert "'compliance_officer' is lacking" in await refused(client, "run_plan", plan=edited)
        assert await refused(client, "ledger", trace_id="t1")

    in_process(bench, asked, who)

    kept = bench.local.audit_log.entries(AuditQuery(account="ann", outcome="refused"))
    assert {each.deed.name for each in kept} >= {"question.ask", "policy.refuse"}
    assert {each.deed.origin for each in kept} == {"mcp stdio"}


def test_a_document_that_may_not_be_seen_is_not_there(bench: Workbench, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The quagmire budget is nine million.")
    report = bench.ingest([secret], bucket="secret", acl=["board"])
    id = str(report.items[0].document)

    async def looked(client: Client) -> list[str]:
        return [
            str(await call(client, "search", query="quagmire budget")),
            str(await call(client, "ask", question="How large is the quagmire budget?")).replace(
                "How large is the quagmire budget", ""
            ),
            await refused(client, "get_document", document=id),
            await refused(client, "search", query="budget", bucket="secret"),
        ]

    said = in_process(bench, looked, McpCaller(Principal("ann", MAY_ASK)))
    assert not any("nine million" in each or id in each for each in (said[0], said[1], said[3]))
    unknown = in_process(bench, lambda client: refused(client, "get_document", document="d" * len(id)))
    assert said[2].replace(id, "") == unknown.replace("d" * len(id), "")


def test_bad_arguments_are_answered_with_what_is_wrong(bench: Workbench) -> None:
    deep: dict[str, Any] = {}
    for _ in range(80):
        deep = {"nodes": [deep]}

    async def asked(client: Client) -> list[str]:
        return [
            await refused(client, "search", query=""),
            await refused(client, "search", query="x", index="moon"),
            await refused(client, "run_plan", plan={"nodes": "none"}),
            await refused(client, "run_plan", plan=deep),
            await refused(client, "verified_spans", trace_id="nobody's"),
            await refused(client, "search", query="x", bucket="moon"),
        ]

    said = in_process(bench, asked)
    assert all(said)
    assert "There is no bucket 'moon'" in said[5]
    assert not any("Traceback" in each for each in said)
