"""A real server over a home of its own, with accounts and tokens, as other programs call it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.client import ApiError, Client

ROOT = Path(__file__).parents[2]
READY_WITHIN_S = 120.0
LEASE = """Lease Agreement

This Lease Agreement is made on 1 March 2024 between Northwind Estates GmbH (the "Landlord") and Borealis
Instruments Ltd. (the "Tenant").

Rent. The Tenant pays a monthly rent of EUR 4,250 on the first day of each month.

Termination. Either party may terminate this agreement with ninety days' written notice.
"""


@dataclass(frozen=True, slots=True)
class ApiServer:
    """A running server. token: of an admin, to read, ask and write; reader: the same, to read alone."""

    address: str
    token: str
    reader: str


@contextmanager
def api_server(home: Path) -> Iterator[ApiServer]:
    """`groundwork up` with its worker, until the block ends."""
    _groundwork(home, "accounts", "add", "root", "--role", "admin")
    tokens = [_token(home, scopes) for scopes in (("read", "ask", "write"), ("read",))]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = home.with_suffix(".log")
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "core.cli", "up", "--port", str(port), "--home", str(home)],
            env={**os.environ, "GROUNDWORK_INGEST__OCR": "off"},  # reading scans would fill a core
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process, log)
            yield ApiServer(address, *tokens)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN_S
    with Client(address, timeout_s=5) as client:
        while True:
            try:
                if client.health().status == "ok":
                    return
            except ApiError:
                pass
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The server did not become ready: {log.read_text()[-3000:]}")
            signal.sigtimedwait([], 0.2)


def _token(home: Path, scopes: Sequence[str]) -> str:
    given = [part for scope in scopes for part in ("--scope", scope)]
    return str(_groundwork(home, "tokens", "add", "loop", "--account", "root", *given)["token"])


def _groundwork(home: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "core.cli", *arguments, "--home", str(home), "--json"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
