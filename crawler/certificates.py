"""Reasons why a certificate was refused, which OpenSSL tells only the other side, in the alert that it sends.

Its error says "certificate verify failed" of all of them. Nothing is decided here: Twisted verifies chain and
name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

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
