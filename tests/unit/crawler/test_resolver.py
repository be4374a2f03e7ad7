from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface import implementer

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.private_hosts import HostGuard
from crawler.resolver import ConnectionGuard, GuardedResolver, PrivateAddressError, _guarded
from tests.support.certificates import Authority
from tests.support.crawling import CrawlHome
from tests.support.odd_site import OddServer, page, words

Make = Callable[..., CrawlHome]


class GivenResolver:
    """Answers each lookup with the next of the given lists of addresses."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.names: list[str] = []

    def resolveHostName(self, receiver: Any, name: str, port: int, types: Any, transport: str) -> Any:  # noqa: N802
        self.names.append(name)
        receiver.resolutionBegan(None)
        for host in self._answers.pop(0):
            kind = IPv6Address if ":" in host else IPv4Address
            receiver.addressResolved(kind("TCP", host, port))
        receiver.resolutionComplete()
        return receiver


@implementer(IResolutionReceiver)
class Receiver:
    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.is_complete = False

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        pass

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.hosts.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.is_complete = True


def look_up(resolver: GuardedResolver, name: str = "site.example", port: int = 80) -> list[str]:
    receiver = Receiver()
    resolver.resolveHostName(receiver, name, portNumber=port)
    assert receiver.is_complete
    return receiver.hosts


def make(
    *answers: Sequence[str], allowed: Sequence[str] = (), now: Callable[[], float] = lambda: 0.0
) -> tuple[GuardedResolver, ConnectionGuard]:
    guard = ConnectionGuard(HostGuard(allowed))
    return GuardedResolver(GivenResolver(*answers), guard, now), guard


PUBLIC, PRIVATE = "93.184.216.34", "192.168.0.1"


def test_a_public_name_has_its_addresses() -> None:
    resolver, guard = make([PUBLIC, "2606:4700::1111"])

    assert look_up(resolver) == [PUBLIC, "2606:4700::1111"]
    assert guard.refusal(PUBLIC, 80) == ""


@pytest.mark.parametrize(
    "answer",
    [
        [PRIVATE],
        [PUBLIC, PRIVATE],
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:10.0.0.1"],
        ["fd00:ec2::254"],
        ["fe80::1%eth0"],
        [PUBLIC, "64:ff9b::a00:1"],
    ],
)
def test_a_name_with_one_private_address_has_none(answer: list[str]) -> None:
    resolver, guard = make(answer)

    assert look_up(resolver) == []
    assert "site.example" in guard.refusals["site.example", 80]


def test_a_name_that_turns_private_later_is_refused_then() -> None:
    clock = [0.0]
    resolver, guard = make([PUBLIC], [PRIVATE], now=lambda: clock[0])

    assert look_up(resolver) == [PUBLIC]
    clock[0] = 30.0
    assert look_up(resolver) == [PUBLIC]  # as it was checked
    clock[0] = 61.0
    assert look_up(resolver) == []
    assert ("site.example", 80) in guard.refusals


def test_a_name_that_turns_private_between_check_and_use_is_refused_at_the_connection() -> None:
    resolver, guard = make([PUBLIC])
    look_up(resolver)
    factory = _guarded(GivenFactory, guard)()

    assert factory.buildProtocol(IPv4Address("TCP", PUBLIC, 80)) == "protocol"
    with pytest.raises(PrivateAddressError, match="private network"):
        factory.buildProtocol(IPv4Address("TCP", PRIVATE, 80))
    with pytest.raises(PrivateAddressError, match="loopback"):
        factory.buildProtocol(IPv6Address("TCP", "::1", 80))


def test_a_host_that_settings_allow_is_reached_at_its_own_port_only() -> None:
    resolver, guard = make([PRIVATE], [PRIVATE], allowed=["intranet.example:8080"])

    assert look_up(resolver, "intranet.example", 8080) == [PRIVATE]
    assert look_up(resolver, "intranet.example", 80) == []
    assert guard.refusal(PRIVATE, 8080) == ""
    assert guard.refusal(PRIVATE, 80) != ""


def test_a_literal_is_looked_up_in_its_plain_notation() -> None:
    inner = GivenResolver(["127.0.0.1"])
    resolver = GuardedResolver(inner, ConnectionGuard(HostGuard()))

    assert look_up(resolver, "0x7f.1") == []
    assert inner.names == ["127.0.0.1"]


def test_a_name_that_nobody_knows_has_no_refusal() -> None:
    resolver, guard = make([])

    assert look_up(resolver) == []
    assert guard.refusals == {}


class GivenFactory:
    def buildProtocol(self, address: Any) -> str:  # noqa: N802
        return "protocol"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def test_each_bad_certificate_is_a_row_with_its_reason_and_the_crawl_goes_on(
    make_home: Make, authority: Authority
) -> None:
    pages = {"/": page(words("secure"))}
    good = OddServer({"/": page(words("good"))}, authority.context("127.0.0.1"))
    expired = OddServer(pages, authority.context("127.0.0.1", days=-3))
    other = OddServer(pages, authority.context("other.example"))
    own = OddServer(pages, authority.context("127.0.0.1", is_self_signed=True))
    with good, expired, other, own, OddServer({"/": page(words("plain"))}) as plain:
        starts = [f"{server.url}/" for server in (expired, other, own, good, plain)]
        environ = {"SSL_CERT_FILE": str(authority.file)}
        home = make_home(starts[0], urls=starts, timeout_s=5, environ=environ)
        assert home.run() == 0, home.last_errors
        assert sum((expired.requests + other.requests + own.requests).values()) == 0
        assert good.requests["/"] == plain.requests["/"] == 1
    rows = {row.url: row for row in home.rows().values()}
    said = {url: rows[url].detail for url in starts[:3]}
    assert {rows[url].reason for url in starts[:3]} == {UrlReason.CERTIFICATE}
    assert {rows[url].state for url in starts[3:]} == {UrlState.KEPT}
    assert said[starts[0]] == "Its certificate has expired."
    assert said[starts[1]] == "Its certificate is for another host."
    assert said[starts[2]] == "Its certificate is signed by nobody that is trusted, or by itself."
    assert {rows[url].requests for url in starts[:3]} <= {0, 1}
