from __future__ import annotations

import socket

from app.api.gate import LOOPBACK, hosts_of


def test_a_server_is_asked_for_by_its_own_names_alone() -> None:
    assert hosts_of("127.0.0.1") == LOOPBACK
    assert set(hosts_of("10.0.0.4")) == {*LOOPBACK, "10.0.0.4"}
    assert socket.gethostname().lower() in hosts_of("0.0.0.0")
    assert "ask.example" in hosts_of("0.0.0.0", "https://Ask.example:8443/base")
