"""Hosts that a crawl must not reach: private, loopback, link-local and other addresses of no public site."""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NUMBERS = re.compile(r"(?:0[xX][0-9a-fA-F]*|[0-9]+)(?:\.(?:0[xX][0-9a-fA-F]*|[0-9]+)){0,3}")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
_NEVER_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # between a provider and its customers
        "168.63.129.16/32",  # platform services of a cloud, at an address that looks public
        "192.88.99.0/24",  # relays from IPv6
        "198.18.0.0/15",
        "64:ff9b:1::/48",  # translation to IPv4 inside a network
        "2001::/32",  # Teredo, which embeds an address and hides it
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",  # site-local, as it was
    )
)
_METADATA = tuple(
    ipaddress.ip_network(network)
    for network in ("169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fe80::/10")
)


def literal_address(host: str) -> IpAddress | None:
    """The address that a host's name is in itself, in any notation; None for a name that must be looked up.

    Decimal, octal and hexadecimal numbers, one to four of them, as `inet_aton` reads them; IPv6 with or
    without brackets and zone; full-width digits; a dot at the end.
    """
    name = unicodedata.normalize("NFKC", host).strip().strip("[]").rstrip(".").partition("%")[0]
    for sign in "\u3002\uff0e\uff61":
        name = name.replace(sign, ".")
    if ":" in name:
        try:
            return ipaddress.IPv6Address(name)
        except ValueError:
            return None
    if not _NUMBERS.fullmatch(name):
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(name))
    except OSError:
        return None


def refusal_of(address: IpAddress) -> str:
    """The kind of network that an address belongs to, where a crawl must not go there; "" for a public one.

    IPv6 addresses that carry one of IPv4 in them are judged by both.
    """
    inner = _embedded(address)
    if inner is not None:
        said = refusal_of(inner)
        return f"{said} (as {inner} in IPv6)" if said else ""
    for kind, is_it in (
        ("a loopback address", address.is_loopback),
        ("no address of a host", address.is_unspecified),
        ("the link-local or metadata network", address.is_link_local or _in(address, _METADATA)),
        ("a multicast address", address.is_multicast),
        ("a private network", address.is_private),
        ("a reserved network", address.is_reserved or not address.is_global or _in(address, _NEVER_PUBLIC)),
    ):
        if is_it:
            return kind
    return ""


def _embedded(address: IpAddress) -> ipaddress.IPv4Address | None:
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    low = int(address) & 0xFFFFFFFF
    is_isatap = (int(address) >> 32) & 0xFDFFFFFF == 0x00005EFE
    is_compatible = address in _COMPATIBLE and low > 0xFFFF
    if address in _NAT64 or is_isatap or is_compatible:
        return ipaddress.IPv4Address(low)
    return None


def _in(address: IpAddress, networks: Iterable[_Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


@dataclass(frozen=True, slots=True)
class _AllowedName:
    name: str
    port: int | None


@dataclass(frozen=True, slots=True)
class _AllowedNetwork:
    network: _Network
    port: int | None


class HostGuard:
    """Decides to which addresses a crawl may connect. Immutable, thread-safe.

    allowed: `crawl.allowed_hosts` of the settings: names, addresses and networks, each with a port or for
    all of them. A name allows whatever private address it has, except those of metadata services, which
    only an address or a network can allow. Entries that are none of these raise ValueError.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._names: list[_AllowedName] = []
        self._networks: list[_AllowedNetwork] = []
        for entry in allowed:
            self._allow(entry.strip())

    def refusal(self, host: str, port: int, address: IpAddress) -> str:
        """The reason not to connect to an address that `host` has; "" where it is fine."""
        said = refusal_of(address)
        if not said or self._is_allowed(host, port, address):
            return ""
        where = "" if literal_address(host) == address else f" ({address})"
        return f"{host!r}{where} is {said}, where a crawl must not go unless crawl.allowed_hosts names it."

    def refusal_of_literal(self, host: str, port: int) -> str:
        """As `refusal`, for a host that is an address in itself; "" for a name, which is not looked up."""
        address = literal_address(host)
        return "" if address is None else self.refusal(host, port, address)

    def _allow(self, entry: str) -> None:
        host, port = entry, None
        match = re.fullmatch(r"(\[[^\]]+\]|[^:]+):(\d{1,5})", entry)
        if match:
            host, port = match[1], int(match[2])
        host = host.strip("[]")
        try:
            self._networks.append(_AllowedNetwork(ipaddress.ip_network(host, strict=False), port))
            return
        except ValueError:
            pass
        if not re.fullmatch(r"[\w.-]+", host):
            raise ValueError(
                f"crawl.allowed_hosts has {entry!r}, which is no name, address or network of hosts."
            )
        self._names.append(_AllowedName(_plain(host), port))

    def _is_allowed(self, host: str, port: int, address: IpAddress) -> bool:
        inner = _embedded(address)
        for each in self._networks:
            fits = _in(address, (each.network,)) or (inner is not None and _in(inner, (each.network,)))
            if fits and each.port in (None, port):
                return True
        if _in(inner or address, _METADATA):
            return False
        name = _plain(host)
        return any(each.name == name and each.port in (None, port) for each in self._names)


def _plain(host: str) -> str:
    name = host.strip().rstrip(".").lower()
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name
