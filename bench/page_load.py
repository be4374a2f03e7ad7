"""Many people at once: signed in, over real WebSockets, asking, drilling down, and reading the matrix.

    python -m bench.page_load [--home DIR] [--users 50] [--seconds 180] [--pause 12]

Without --home it is the sample collection in a temporary home. The server is `groundwork up --no-worker`
in a process of its own; each user is a connection of this one that speaks what a browser speaks: the sign-in
form, a session's cookie, Streamlit's WebSocket with its protobuf messages, the WebSocket of a turn's events,
and the routes that the components ask. No browser is started: fifty would measure themselves.

A user asks a question (of `QUESTIONS`, four in ten of them in a conversation of before), reads the page
image, the text and the boxes of a citation, or opens the matrix and its rows; between them a pause, on
average of --pause seconds. All begin within --ramp seconds, and what is measured begins after that.
Prints the times until the whole answer, and of each other thing, errors and lost turns, and the processor
time of the server. A turn is lost whose answer does not come within 30 s. Ends with 1 where one was lost,
anything failed, or the p95 of asking is above 3 s.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from core.config.load import load_settings
from core.workbench.facade import Workbench

PASSWORD = "fifty people ask at once"
LOST_AFTER_S = 30.0
MOST_P95_S = 3.0
QUESTIONS = (
    "Which contracts lack force majeure?",
    "What is the minimum panel width for AlphaSolar models?",
    "How many contracts per governing law?",
    "Which contracts expire in 2026?",
    "Which agreements are governed by New York law?",
    "What does the policy say about remote work?",
    "How is the warranty claim process handled?",
    "What is the total value of all invoices?",
    "Which law governs each contract?",
    "Who are the parties to the master services agreement?",
)


@dataclass
class Figures:
    """What was measured. times: seconds by what was done."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    is_open: bool = False  # what comes before is not measured

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Count the time of a block; an exception is an error of that name."""
        began = time.perf_counter()
        try:
            yield
        except Exception as error:
            self.errors[f"{what}: {type(error).__name__} {error}"[:160]] += 1
            raise
        if self.is_open:
            self.times[what].append(time.perf_counter() - began)


class Page:
    """One tab: Streamlit's WebSocket, its elements as they were drawn last."""

    def __init__(self, wire: ClientConnection) -> None:
        self._wire = wire
        self._kept: dict[str, ForwardMsg] = {}  # what the server sends once, and then by its hash alone
        self.components: dict[str, dict[str, Any]] = {}
        self.ids: dict[str, str] = {}
        self.pages: dict[str, str] = {}
        self.chat = ""

    async def run(self, path: str = "", query: str = "", widget: WidgetState | None = None) -> None:
        """Run the page's script and read until it has ended."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = query
        state.page_script_hash = self.pages.get(path, "")
        state.page_name = "" if path in self.pages else path
        state.context_info.timezone = "Europe/Berlin"
        state.context_info.url = "http://127.0.0.1/"
        if widget is not None:
            state.widget_states.widgets.append(widget)
        await self._wire.send(message.SerializeToString())
        await self._until_ended()

    async def ask(self, path: str, query: str, question: str) -> None:
        """Put a question in the chat input."""
        widget = WidgetState(id=self.chat)
        widget.chat_input_value.data = question
        await self.run(path, query, widget)

    async def trigger(self, component: str, path: str, query: str, name: str, value: Any) -> None:
        """Send what a component sends when it is clicked."""
        own = self.ids[component]
        widget = WidgetState(id=f"$$STREAMLIT_INTERNAL_KEY_{own}__events")
        widget.json_trigger_value = json.dumps([{"event": name, "value": value}])
        await self.run(path, query, widget)

    async def _until_ended(self) -> None:
        while True:
            data = await asyncio.wait_for(self._wire.recv(), LOST_AFTER_S)
            message = ForwardMsg()
            message.ParseFromString(data if isinstance(data, bytes) else data.encode())
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                message = self._kept[message.ref_hash]
                kind = message.WhichOneof("type")
            elif message.metadata.cacheable:
                self._kept[message.hash] = message
            if kind == "delta":
                self._draw(message.delta.new_element)
            elif kind == "navigation":
                self.pages = {
                    page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
                }
            elif kind == "script_finished":
                if message.script_finished in (
                    ForwardMsg.FINISHED_SUCCESSFULLY,
                    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
                ):
                    return
                if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    raise RuntimeError(f"the script ended with {message.script_finished}")

    def _draw(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"on the page: {element.exception.type} {element.exception.message}")
        if kind == "alert" and element.alert.format == element.alert.ERROR:
            raise RuntimeError(f"on the page: {element.alert.body}")
        if kind == "chat_input":
            self.chat = element.chat_input.id
        if kind == "bidi_component":
            found = element.bidi_component
            name = found.component_name.rpartition(".")[2]
            text = found.json if found.WhichOneof("data") == "json" else found.mixed.json
            data = json.loads(text) if text else {}
            if name == "groundwork_answer":  # one a turn
                self.components[f"{name} {data['turn']}"] = data
                self.ids[f"{name} {data['turn']}"] = found.id
            self.components[name], self.ids[name] = data, found.id


class User:
    """One signed-in person with one tab."""

    def __init__(self, base: str, name: str, figures: Figures, pause_s: float, seed: int) -> None:
        self._base, self._name, self._figures, self._pause_s = base, name, figures, pause_s
        self._rng = random.Random(seed)
        self._web = httpx.AsyncClient(base_url=base, timeout=LOST_AFTER_S, headers={"origin": base})
        self._conversation = ""
        self._cited: list[dict[str, Any]] = []

    async def live(self, until: float) -> None:
        """Sign in, and use the pages until the time is over."""
        with self._figures.timed("sign in"):
            answer = await self._web.post("/sign-in", data={"name": self._name, "password": PASSWORD})
            if answer.status_code != 303:
                raise RuntimeError(f"status {answer.status_code}")
            await self._web.get("/")
        while time.perf_counter() < until:
            try:
                async with self._socket("/_stcore/stream", "streamlit") as wire:
                    await self._use(Page(wire), until)
            except Exception as error:
                if not self._figures.errors:
                    self._figures.errors[f"tab: {type(error).__name__} {error}"[:160]] += 1
                await asyncio.sleep(1)
        await self._web.aclose()

    async def _use(self, page: Page, until: float) -> None:
        with self._figures.timed("open the page"):
            await page.run()
        deeds: list[tuple[Callable[[Page], Awaitable[None]], int]] = [
            (self._ask, 5),
            (self._drill_down, 3),
            (self._read_matrix, 2),
        ]
        while time.perf_counter() < until:
            await asyncio.sleep(self._rng.expovariate(1 / self._pause_s))
            (deed,) = self._rng.choices([each for each, _ in deeds], [share for _, share in deeds])
            if time.perf_counter() < until:
                await deed(page)

    async def _ask(self, page: Page) -> None:
        if self._rng.random() < 0.6:
            self._conversation = ""
            await page.run("ask")
        query = f"conversation={self._conversation}" if self._conversation else ""
        question = self._rng.choice(QUESTIONS)
        with self._figures.timed("ask"):
            await page.ask("ask", query, question)
            turn = page.components["groundwork_answer"]
            answer = turn.get("answer") or await self._follow(turn["turn"])
            if answer is None:
                self._figures.lost += 1
                raise RuntimeError("a turn was lost")
        self._conversation = turn["conversation"]
        places = [each for each in answer.get("citations") or [] if each.get("page")]
        places += [each for claim in answer.get("claims") or () for each in claim.get("citations") or ()]
        self._cited = [each for each in places if isinstance(each, dict)] or self._cited
        query = f"conversation={self._conversation}"
        with self._figures.timed("draw the answer"):
            await page.run("ask", query)

    async def _follow(self, turn: str) -> dict[str, Any] | None:
        """The answer of a turn's events; None where it does not come."""
        async with asyncio.timeout(LOST_AFTER_S), self._socket(f"/api/turns/{turn}/ws") as wire:
            async for text in wire:
                event = json.loads(text)
                if event.get("type") in ("answered", "finished"):
                    return event.get("answer") or event
        return None

    async def _drill_down(self, page: Page) -> None:
        if not self._cited:
            await self._ask(page)
            return
        place = self._rng.choice(self._cited)
        version = place.get("version") or 1
        base = f"/api/documents/{place['document']}/versions/{version}/pages/{place['page']}"
        with self._figures.timed("drill down"):
            spans = f"{place.get('start', 0)}-{place.get('end', 1)}"
            parts = (f"{base}.jpg?w=1000", f"{base}/text?start=0&end=4000", f"{base}/boxes?spans={spans}")
            for answer in await asyncio.gather(*map(self._web.get, parts)):
                if answer.status_code not in (200, 404) or (
                    answer.status_code == 404 and ".jpg" not in str(answer.url)
                ):
                    raise RuntimeError(f"status {answer.status_code} of {answer.url.path.rpartition('/')[2]}")

    async def _read_matrix(self, page: Page) -> None:
        with self._figures.timed("matrix page"):
            await page.run("matrix")
        with self._figures.timed("matrix rows"):
            answer = await self._web.get("/api/matrix/rows?bucket=contracts&limit=100")
            if answer.status_code != 200:
                raise RuntimeError(f"status {answer.status_code}")
        await page.run("ask")

    def _socket(self, path: str, *protocols: str) -> connect:
        cookies = "; ".join(f"{name}={value}" for name, value in self._web.cookies.items())
        return connect(
            self._base.replace("http", "ws") + path,
            origin=self._base,  # type: ignore[arg-type]
            subprotocols=list(protocols) or None,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies},
            max_size=64_000_000,
            open_timeout=LOST_AFTER_S,
        )


@contextmanager
def serving(
    home: Path, users: int, environ: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, int]]:
    """The address and the process of a server with that many accounts."""
    with Workbench.open(home=home, settings=load_settings(home), verify_encoder=False) as bench:
        accounts = bench.local.accounts
        known = {each.name for each in accounts.list()}
        if "boss" not in known:
            accounts.add("boss", password=PASSWORD, roles=["admin"])
        for number in range(users):
            if f"user{number}" not in known:
                roles = ["analyst", "contract_read", "compliance_officer", "finance_read"]
                accounts.add(f"user{number}", password=PASSWORD, roles=roles)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (home.parent / "page_load.log").open("wb")
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "up",
        "--no-worker",
        "--home",
        str(home),
        "--port",
        str(port),
    ]
    process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **environ})
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                if httpx.get(f"{base}/api/v1/healthz", timeout=5).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield base, process.pid
    finally:
        process.terminate()
        process.wait(60)


def cpu_s(pid: int) -> float:
    """Seconds of processor time that a process spent so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(base: str, pid: int, options: argparse.Namespace) -> Figures:
    """Let all of them use the pages."""
    figures, began = Figures(), time.perf_counter()
    until = began + options.ramp + options.seconds
    users = [User(base, f"user{n}", figures, options.pause, n) for n in range(options.users)]

    async def join(user: User, after_s: float) -> None:
        await asyncio.sleep(after_s)
        await user.live(until)

    tasks = [asyncio.create_task(join(user, n * options.ramp / len(users))) for n, user in enumerate(users)]
    await asyncio.sleep(options.ramp)
    figures.is_open = True
    spent = cpu_s(pid)
    await asyncio.gather(*tasks)
    print(f"processor time of the server: {(cpu_s(pid) - spent) / options.seconds:.2f} cores")
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--ramp", type=float, default=30)
    parser.add_argument("--pause", type=float, default=12)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder) / "home"
        if options.home is None:
            subprocess.run(
                [sys.executable, "-m", "core.cli", "ingest", "--sample", "--home", str(home)], check=True
            )
        with serving(home, options.users) as (base, pid):
            figures = asyncio.run(load(base, pid, options))
    for what, times in sorted(figures.times.items()):
        ordered = sorted(times)
        p50, p95 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        print(f"{what:16} n {len(times):5}   p50 {p50:6.2f} s   p95 {p95:6.2f} s   max {ordered[-1]:6.2f} s")
    print(f"lost turns {figures.lost}, errors {sum(figures.errors.values())}")
    for text, count in figures.errors.most_common(10):
        print(f"  {count} x {text}")
    asks = sorted(figures.times["ask"])
    p95 = asks[int(len(asks) * 0.95)] if asks else float("inf")
    sys.exit(1 if figures.lost or figures.errors or p95 > MOST_P95_S else 0)


if __name__ == "__main__":
    main()
