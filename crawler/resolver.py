"""The guard of private addresses at the resolver, and again on each connection that is made.

The resolver hands on addresses that it has checked, and Twisted connects to those: no name is looked up a
second time between check and use. The pool of connections refuses a peer that was not checked, before a
byte of a request is sent.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from twisted.internet.error import DNSLookupError
from twisted.internet.interfaces import (
    IHostnameResolver,
    IOpenSSLClientConnectionCreator,
    IResolutionReceiver,
)
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

from core.domain.crawl.private_hosts import HostGuard, literal_address

_ALERT_SENT = 0x4008  # SSL_CB_WRITE_ALERT of OpenSSL
_WORDS = {  # by number of the alert: RFC 8446, section 6
    42: "Its certificate is not valid yet, or damaged.",
    43: "Its certificate is not for a web server.",
    44: "Its certificate was revoked.",
    45: "Its certificate has expired.",
    48: "Its certificate is signed by nobody that is trusted, or by itself.",
}
Note = Callable[[str, int, str], None]
"""Told of a host, a port, and the reason why its certificate was refused."""


def refusal_of_alert(number: int) -> str:
    """The reason that an alert to the other side names, as a sentence; "" for none that is known."""
    return _WORDS.get(number, "")


@implementer(IPolicyForHTTPS)
class NotedPolicy:
    """A policy for https whose refusals are noted."""

    def __init__(self, policy: Any, note: Note) -> None:
        self._policy = policy
        self._note = note

    def creatorForNetloc(self, hostname: bytes, port: int) -> NotedCreator:  # noqa: N802
        """Part of IPolicyForHTTPS."""
        name = hostname.decode("ascii")
        return NotedCreator(
            self._policy.creatorForNetloc(hostname, port), lambda said: self._note(name, port, said)
        )


@implementer(IOpenSSLClientConnectionCreator)
class NotedCreator:
    """Creates connections as another creator does, and listens to the alerts that they send."""

    def __init__(self, creator: Any, note: Callable[[str], None]) -> None:
        self._creator = creator
        self._note = note

    def clientConnectionForTLS(self, protocol: Any) -> Any:  # noqa: N802
        """Part of IOpenSSLClientConnectionCreator."""
        connection = self._creator.clientConnectionForTLS(protocol)
        connection.set_info_callback(self._listen)
        return connection

    def _listen(self, connection: Any, where: int, code: int) -> None:
        is_sent = where & _ALERT_SENT == _ALERT_SENT
        if is_sent and (said := refusal_of_alert(code & 0xFF)):
            self._note(said)


if TYPE_CHECKING:
    from scrapy.crawler import Crawler


_REMEMBERED_S = 60.0


_MOST_REMEMBERED = 10_000


class PrivateAddressError(DNSLookupError):
    """A host has an address where a crawl must not go."""


class ConnectionGuard:
    """Answers of the resolver, for the pool of connections to check against. For one thread.

    refusals, certificates: reasons by host and port, of names that were refused and of certificates.
    """

    def __init__(self, guard: HostGuard) -> None:
        self.hosts = guard
        self._allowed: set[tuple[str, int]] = set()
        self.refusals: dict[tuple[str, int], str] = {}
        self.certificates: dict[tuple[str, int], str] = {}

    def note_certificate(self, name: str, port: int, said: str) -> None:
        """Note why the certificate of a host was refused."""
        self.certificates[name, port] = said

    def allow(self, address: str, port: int) -> None:
        """Note an address that the guard passed for a host."""
        self._allowed.add((address, port))

    def refusal(self, address: str, port: int) -> str:
        """The reason not to talk to a peer; "" where it is public, or a host that is allowed has it."""
        said = self.hosts.refusal(address, port, ipaddress.ip_address(address.partition("%")[0]))
        return "" if not said or (address, port) in self._allowed else said


@implementer(IResolutionReceiver)
class _Collected:
    """Collects the whole answer of a resolver before any of it is used."""

    def __init__(self, give: Callable[[list[Any]], None]) -> None:
        self._give = give
        self._addresses: list[Any] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802
        """Part of IResolutionReceiver."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Take one address of the answer."""
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        """Hand the answer on."""
        self._give(self._addresses)


@implementer(IHostnameResolver)
class GuardedResolver:
    """Looks names up with `resolver`; of an answer with one address that is refused, nothing is given.

    A refused name has no addresses, and the reason stands in `guard.refusals` by host and port. Answers are
    remembered for a minute, already checked.
    """

    def __init__(
        self, resolver: Any, guard: ConnectionGuard, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._resolver = resolver
        self._guard = guard
        self._now = now
        self._remembered: dict[tuple[str, int], tuple[float, list[Any]]] = {}

    def resolveHostName(  # noqa: N802
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[Any]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> Any:
        """Part of IHostnameResolver."""
        receiver, host, port = resolutionReceiver, hostName, portNumber
        receiver.resolutionBegan(_Resolution(host))
        known = self._remembered.get((host, port))
        if known is not None and known[0] > self._now():
            self._hand(receiver, known[1])
            return receiver
        if not _is_name(host):
            self._hand(receiver, [])
            return receiver
        literal = literal_address(host)
        name = host if literal is None else str(literal)
        collected = _Collected(lambda addresses: self._check(receiver, host, port, addresses))
        self._resolver.resolveHostName(collected, name, port, addressTypes, transportSemantics)
        return receiver

    def _check(self, receiver: Any, host: str, port: int, addresses: list[Any]) -> None:
        for address in addresses:
            plain = ipaddress.ip_address(address.host.partition("%")[0])
            if said := self._guard.hosts.refusal(host, port, plain):
                self._guard.refusals[host, port] = said
                self._hand(receiver, [])
                return
        self._guard.refusals.pop((host, port), None)
        for address in addresses:
            self._guard.allow(address.host, port)
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        if addresses:
            self._remembered[host, port] = (self._now() + _REMEMBERED_S, addresses)
        self._hand(receiver, addresses)

    @staticmethod
    def _hand(receiver: Any, addresses: list[Any]) -> None:
        for address in addresses:
            receiver.addressResolved(address)
        receiver.resolutionComplete()


def _is_name(host: str) -> bool:
    """False of what no host is called, over which a lookup would fail without an answer: "a..b"."""
    try:
        return bool(host.encode("idna"))
    except UnicodeError:
        return False


class _Resolution:
    """Part of IHostResolution; a lookup in a thread cannot be cancelled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """Do nothing: the request that waits for it has its own limit of time."""


class SpiderResolver:
    """Installs the guarded resolver; named in the settings of Scrapy."""

    def __init__(self, reactor: Any, guard: ConnectionGuard) -> None:
        self._reactor = reactor
        self._guard = guard

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: Any) -> SpiderResolver:
        """The resolver of this process."""
        return cls(reactor, crawler.settings["GROUNDWORK_GUARD"])

    def install_on_reactor(self) -> None:
        """Make every connection of the reactor look names up here."""
        self._reactor.installNameResolver(GuardedResolver(self._reactor.nameResolver, self._guard))


class GuardedDownloadHandler(HTTP11DownloadHandler):
    """Scrapy's handler of http and https, whose connections are checked as they are made."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        guard: ConnectionGuard = crawler.settings["GROUNDWORK_GUARD"]
        self._pool._factory = _guarded(self._pool._factory, guard)
        self._contextFactory: Any = NotedPolicy(self._contextFactory, guard.note_certificate)


def _guarded(factory: Any, guard: ConnectionGuard) -> Any:
    class GuardedFactory(factory):  # type: ignore[misc]
        """Makes no protocol for a peer that the guard refuses: the connection is dropped unused."""

        def buildProtocol(self, address: Any) -> Any:  # noqa: N802
            """The protocol of a new connection."""
            if said := guard.refusal(address.host, address.port):
                raise PrivateAddressError(said)
            return super().buildProtocol(address)

    return GuardedFactory
