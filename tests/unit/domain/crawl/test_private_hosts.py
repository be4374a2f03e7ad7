from __future__ import annotations

import ipaddress

import pytest

from core.domain.crawl.private_hosts import HostGuard, literal_address, refusal_of

NOTATIONS = (
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "017700000001",
    "0x7f000001",
    "0X7F000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "0177.0.0.0x1",
    "0x7f.1",
    "127.0x1",
    "00000177.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "0xa.1",
    "167772161",
    "012.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "0xc0a80101",
    "3232235777",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.43518",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "::",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:a9fe:a9fe]",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "fe80::1",
    "[fe80::1%eth0]",
    "fe80::5efe:7f00:1",
    "2606:4700::200:5efe:10.0.0.1",
    "fc00::1",
    "fd00:ec2::254",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
)


@pytest.mark.parametrize("host", NOTATIONS)
def test_no_notation_of_a_private_address_passes(host: str) -> None:
    assert HostGuard().refusal_of_literal(host, 80) != ""


@pytest.mark.parametrize(
    "host", ["93.184.216.34", "0x5db8d822", "1572395042", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"]
)
def test_public_addresses_pass_in_any_notation(host: str) -> None:
    assert literal_address(host) is not None
    assert HostGuard().refusal_of_literal(host, 443) == ""


@pytest.mark.parametrize(
    "host", ["example.com", "1.2.3.4.5", "localhost", "7f000001.example", "face.b00c", "08.1.1.1"]
)
def test_names_are_no_addresses(host: str) -> None:
    assert literal_address(host) is None
    assert HostGuard().refusal_of_literal(host, 80) == ""


def test_a_refusal_names_host_kind_and_setting() -> None:
    said = HostGuard().refusal("site.example", 80, ipaddress.ip_address("10.1.2.3"))

    assert said == (
        "'site.example' (10.1.2.3) is a private network, where a crawl must not go unless"
        " crawl.allowed_hosts names it."
    )


def test_an_address_in_ipv6_is_named_by_what_it_carries() -> None:
    assert refusal_of(ipaddress.ip_address("64:ff9b::7f00:1")) == "a loopback address (as 127.0.0.1 in IPv6)"


@pytest.mark.parametrize(
    ("allowed", "host", "port", "address", "passes"),
    [
        ("127.0.0.1", "127.0.0.1", 80, "127.0.0.1", True),
        ("127.0.0.1:8000", "127.0.0.1", 8000, "127.0.0.1", True),
        ("127.0.0.1:8000", "127.0.0.1", 80, "127.0.0.1", False),
        ("127.0.0.1", "2130706433", 80, "127.0.0.1", True),
        ("127.0.0.1", "anything.example", 80, "127.0.0.1", True),
        ("10.1.0.0/16", "wiki.example", 80, "10.1.200.3", True),
        ("10.1.0.0/16", "wiki.example", 80, "10.2.0.1", False),
        ("10.1.0.0/16", "wiki.example", 80, "::ffff:10.1.0.1", True),
        ("10.1.0.0/16:8080", "wiki.example", 8080, "10.1.0.1", True),
        ("10.1.0.0/16:8080", "wiki.example", 80, "10.1.0.1", False),
        ("intranet.example", "intranet.example", 80, "192.168.0.9", True),
        ("Intranet.Example", "intranet.example.", 443, "192.168.0.9", True),
        ("intranet.example:8443", "intranet.example", 80, "192.168.0.9", False),
        ("intranet.example", "other.intranet.example", 80, "192.168.0.9", False),
        ("intranet.example", "intranet.example", 80, "169.254.169.254", False),
        ("169.254.169.254", "169.254.169.254", 80, "169.254.169.254", True),
        ("[::1]:8000", "::1", 8000, "::1", True),
        ("::1", "::1", 9, "::1", True),
        ("bücher.example", "xn--bcher-kva.example", 80, "10.0.0.1", True),
    ],
)
def test_settings_allow_names_addresses_and_networks(
    allowed: str, host: str, port: int, address: str, passes: bool
) -> None:
    said = HostGuard((allowed,)).refusal(host, port, ipaddress.ip_address(address))

    assert (said == "") is passes


@pytest.mark.parametrize("entry", ["http://intranet.example/", "a b", "intranet.example:port", "*"])
def test_an_entry_that_is_no_host_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="allowed_hosts"):
        HostGuard((entry,))
