"""The client against a real server: documents in, a question asked and followed, its citations read."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.client import ApiError, Client

ROOT = Path(__file__).parents[2]
LEASE = """Lease Agreement

This Lease Agreement is made on 1 March 2024 between Northwind Estates GmbH (the "Landlord") and Borealis
Instruments Ltd. (the "Tenant").

Rent. The Tenant pays a monthly rent of EUR 4,250 on the first day of each month.

Termination. Either party may terminate this agreement with ninety days' written notice.
"""


@dataclass
class Running:
    address: str
    token: str
    reader: str


def groundwork(home: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "core.cli", *arguments, "--home", str(home), "--json"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    home = tmp_path_factory.mktemp("served") / "home"
    groundwork(home, "accounts", "add", "root", "--role", "admin")
    made = [
        groundwork(home, "tokens", "add", "loop", "--account", "root", *scopes)["token"]
        for scopes in (
            ("--scope", "read", "--scope", "ask", "--scope", "write"),
            ("--scope", "read"),
        )
    ]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (home.parent / "server.log").open("w")
    process = subprocess.Popen(
        [sys.executable, "-m", "core.cli", "up", "--port", str(port), "--home", str(home)],
        env={**os.environ, "GROUNDWORK_INGEST__OCR": "off"},
        cwd=ROOT,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 120
        with Client(address, timeout_s=5) as client:
            while True:
                try:
                    if client.health().status == "ok":
                        break
                except ApiError:
                    pass
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"no server: {(home.parent / 'server.log').read_text()[-3000:]}")
                signal.sigtimedwait([], 0.2)
        yield Running(address, made[0], made[1])
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        log.close()


def test_the_whole_loop_of_ingest_ask_stream_and_drill_down(server: Running, tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text(LEASE)
    with Client(server.address, server.token) as client:
        job = client.wait(client.ingest([tmp_path / "lease.txt"], bucket="leases").id, within_s=120)
        assert (job.state, [each.status for each in job.items]) == ("done", ["ready"])
        (listed,) = client.documents(bucket="leases")
        assert listed.status == "ready"

        hits = client.search("ninety days' written notice", mode="keyword", bucket="leases").hits
        assert "ninety days" in hits[0].text
        assert client.document(listed.id).text_of(1)[hits[0].start : hits[0].end] == hits[0].text

        events = list(client.stream("What monthly rent does the Tenant pay?", bucket="leases"))
        assert [each.number for each in events] == list(range(len(events)))
        assert events[-1].is_last
        (streamed,) = (each.answer for each in events if each.answer is not None)
        assert "4,250" in streamed.text

        answer = client.ask("How many days' notice terminates the agreement?", bucket="leases")
        assert answer.citations
        for citation in (*answer.citations, *streamed.citations):
            place = client.read(citation)
            assert place.is_exact
            assert place.quote in LEASE

        again = client.ingest([tmp_path / "lease.txt"], bucket="leases")
        assert [each.status for each in client.wait(again.id, within_s=120).items] == ["unchanged"]
        client.remove(listed.id)
        assert list(client.documents(bucket="leases")) == []
        with pytest.raises(ApiError) as gone:
            client.document(listed.id, listed.version + 7)
        assert gone.value.status == 404


def test_a_token_gets_no_further_than_its_scopes_and_a_forged_one_nowhere(server: Running) -> None:
    with Client(server.address, server.reader) as client:
        assert client.health().engine is not None
        with pytest.raises(ApiError) as narrow:
            client.ask("What is the rent?")
        assert narrow.value.status == 403
    with Client(server.address, "gwk_forged") as client, pytest.raises(ApiError) as forged:
        client.search("rent")
    assert forged.value.status == 401
    assert forged.value.next_step
