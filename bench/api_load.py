"""How many searches a second the interface answers: one server process, its real HTTP, a bearer token.

    OMP_NUM_THREADS=1 python -m bench.api_load --data DIR [--size 5000] [--seconds 15] [--clients 8]

The home is that of bench.answer_latency: windows of real text, random vectors around 400 centres. The server
is `groundwork up` in a process of its own, with an account and a token, as other systems call it; the clients
are connections of a second process that send the next search when the last one is answered. "distinct": every
search is another real question; "repeated": fifty questions in turn. The limit of requests a second is set
out of the way. Prints searches a second, latency, and the processor time that the server spent on one search.
A response other than 200 ends the run.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from bench.answer_latency import fill
from bench.answers.collection import data_folder
from bench.search_latency import read_questions

GROUNDWORK = [sys.executable, "-m", "core.cli"]
ACCOUNT = "load"
REPEATED = 50
WARM_S = 2.0


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. pid: the process that answers requests."""

    port: int
    pid: int
    token: str

    def cpu_s(self) -> float:
        """Seconds of processor time that the process spent so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """`groundwork up` over a home, healthy and warm, with a token to read."""
    token = _token(home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [*GROUNDWORK, "up", "--home", str(home), "--port", str(port)],
        env={**os.environ, "GROUNDWORK_API__REQUESTS_PER_S": "100000", "GROUNDWORK_API__BURST": "100000"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port)
        yield Server(port, process.pid, token)
    finally:
        process.terminate()
        process.wait(60)


def _token(home: Path) -> str:
    """A new token of the bench's account, which is added where the home lacks it."""
    accounts = _cli(home, "accounts", "list")["accounts"]
    if not any(each["name"] == ACCOUNT for each in accounts):
        _cli(home, "accounts", "add", ACCOUNT, "--role", "admin")
    return str(_cli(home, "tokens", "add", "load", "--scope", "read", "--account", ACCOUNT)["token"])


def _cli(home: Path, *arguments: str) -> dict[str, Any]:
    command = [*GROUNDWORK, *arguments, "--home", str(home), "--json"]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def _wait(port: int) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/healthz", timeout=2) as response:
                if response.status == 200:
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("the server did not become healthy within 60 s")


async def load(server: Server, bodies: Iterator[bytes], clients: int, seconds: float) -> list[float]:
    """Milliseconds of every search that was answered in that time."""
    ends, spent = time.perf_counter() + seconds, []
    head = (
        f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
    ).encode("ascii")

    async def one_client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while time.perf_counter() < ends:
            body, started = next(bodies), time.perf_counter()
            writer.write(head + f"Content-Length: {len(body)}\r\n\r\n".encode("ascii") + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"The server answered {answer[:200]!r}")
            fields = (line.partition(b":") for line in answer.lower().split(b"\r\n"))
            size = next(int(value) for name, _, value in fields if name == b"content-length")
            await reader.readexactly(size)
            spent.append((time.perf_counter() - started) * 1000)
        writer.close()

    await asyncio.gather(*(one_client() for _ in range(clients)))
    return spent


def measure(
    server: Server, questions: list[str], mode: str, clients: int, seconds: float
) -> dict[str, float]:
    """One row of the table. questions: those that are asked, in turn and from the first again."""
    bodies = (
        json.dumps({"query": question, "mode": mode, "top_k": 10}).encode()
        for question in itertools.cycle(questions)
    )
    asyncio.run(load(server, bodies, clients, WARM_S))
    before, started = server.cpu_s(), time.perf_counter()
    spent = asyncio.run(load(server, bodies, clients, seconds))
    took, cpu = time.perf_counter() - started, server.cpu_s() - before
    p50, p95 = np.percentile(spent, [50, 95])
    return {
        "searches": len(spent),
        "a_second": round(len(spent) / took, 1),
        "p50_ms": round(float(p50), 1),
        "p95_ms": round(float(p95), 1),
        "cpu_ms": round(1000 * cpu / len(spent), 2),
        "cores": round(cpu / took, 2),
    }


def main() -> None:
    """Measure and print a table and JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--modes", nargs="+", default=["keyword", "semantic", "hybrid"])
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-latency")
    options = parser.parse_args()
    home = options.home / str(options.size)
    fill(home, options.data, options.size)
    questions = read_questions(options.data)
    rows = {}
    with serving(home) as server:
        for mode in options.modes:
            for name, asked in (("distinct", questions), ("repeated", questions[:REPEATED])):
                found = measure(server, asked, mode, options.clients, options.seconds)
                rows[f"{mode}, {name}"] = found
                print(
                    f"{mode:9} {name:9} {found['a_second']:7.1f} a second   p50 {found['p50_ms']:6.1f} "
                    f"p95 {found['p95_ms']:6.1f} ms   cpu {found['cpu_ms']:5.2f} ms a search, "
                    f"{found['cores']:.2f} cores",
                    flush=True,
                )
    print(json.dumps({"size": options.size, "clients": options.clients, "cores": os.cpu_count(), **rows}))


if __name__ == "__main__":
    main()
