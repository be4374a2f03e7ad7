"""Failures of requests as reasons of the ledger, with a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from OpenSSL import SSL
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from service_identity import VerificationError
from twisted.internet.error import (
    ConnectError,
    ConnectionDone,
    ConnectionRefusedError,
    DNSLookupError,
    TCPTimedOutError,
    TimeoutError,
)
from twisted.web.client import ResponseFailed

from core.domain.crawl.ledger import UrlReason
from crawler.resolver import ConnectionGuard, PrivateAddressError


@dataclass(frozen=True, slots=True)
class RequestFailure:
    """A request that got no whole answer. is_passing: it is worth another try.

    is_vague: the guard of connections may know more. url: where it failed, if that was after a redirect.
    """

    reason: UrlReason
    detail: str
    is_passing: bool
    is_vague: bool = False
    url: str = ""


def failure_of(error: BaseException) -> RequestFailure:
    """The reason for which a request failed, told from the error and those behind it."""
    chain = list(_behind(error))
    for each in chain:
        if isinstance(each, PrivateAddressError):
            return RequestFailure(UrlReason.PRIVATE_ADDRESS, str(each.args[0] if each.args else each), False)
    if any(isinstance(each, VerificationError) for each in chain):
        return RequestFailure(UrlReason.CERTIFICATE, "Its certificate is for another host.", False)
    for each in chain:
        if isinstance(each, SSL.Error):
            said = _openssl(each)
            if "certificate" in said:
                detail = f"Its certificate is not trusted: {said}."
                return RequestFailure(UrlReason.CERTIFICATE, detail, False, is_vague=True)
            return RequestFailure(UrlReason.CERTIFICATE, f"No secure connection came about: {said}.", False)
    for kind, failure in _KINDS:
        if any(isinstance(each, kind) for each in chain):
            return failure
    if any(isinstance(each, ConnectionDone) for each in chain):
        said = "The host ended the connection before an answer that can be understood."
        return RequestFailure(UrlReason.UNREACHABLE, said, True)
    said = _words_of(chain[-1])
    return RequestFailure(UrlReason.UNREACHABLE, f"The connection failed: {said}.", True)


def explained(failure: RequestFailure, guard: ConnectionGuard, name: str, port: int) -> RequestFailure:
    """A failure with what the guard knows of the host: a name that it refused, a certificate's fault."""
    if not failure.is_vague:
        return failure
    if failure.reason is UrlReason.UNKNOWN_HOST and (said := guard.refusals.get((name, port))):
        return RequestFailure(UrlReason.PRIVATE_ADDRESS, said, False)
    if failure.reason is UrlReason.CERTIFICATE and (said := guard.certificates.get((name, port))):
        return RequestFailure(UrlReason.CERTIFICATE, said, False)
    return failure


_UNKNOWN_HOST = RequestFailure(
    UrlReason.UNKNOWN_HOST, "The name of the host is not known.", True, is_vague=True
)
_LARGE = RequestFailure(UrlReason.TOO_LARGE, "The answer is larger than a crawl takes.", False)
_SLOW = RequestFailure(UrlReason.TIMEOUT, "The host did not answer in time.", True)
_KINDS: tuple[tuple[type[BaseException], RequestFailure], ...] = (
    (DownloadTimeoutError, RequestFailure(UrlReason.TIMEOUT, "The answer was not complete in time.", True)),
    (TCPTimedOutError, _SLOW),
    (TimeoutError, _SLOW),
    (CannotResolveHostError, _UNKNOWN_HOST),
    (DNSLookupError, _UNKNOWN_HOST),
    (ResponseDataLossError, RequestFailure(UrlReason.DAMAGED, "The answer was cut short.", True)),
    (DownloadCancelledError, _LARGE),
    (ConnectionRefusedError, RequestFailure(UrlReason.UNREACHABLE, "The host refused the connection.", True)),
    (ConnectError, RequestFailure(UrlReason.UNREACHABLE, "No connection to the host came about.", True)),
)


def _behind(error: BaseException | None, depth: int = 0) -> Iterator[BaseException]:
    """An error, its causes, and the failures that Twisted wraps."""
    while error is not None and depth < 10:
        yield error
        if isinstance(error, ResponseFailed):
            for failure in error.reasons:
                yield from _behind(failure.value, depth + 1)
        error, depth = error.__cause__ or error.__context__, depth + 1


def _words_of(error: BaseException) -> str:
    """An error in its own words; its name where those are none to show."""
    said = " ".join(str(error).split())[:200].rstrip(".")
    return type(error).__name__ if not said or "<" in said else said


def _openssl(error: SSL.Error) -> str:
    stack = error.args[0] if error.args and isinstance(error.args[0], list) else []
    said = [str(entry[-1]) for entry in stack if entry]
    return "; ".join(said)[:200] or "the other side broke off"
