from __future__ import annotations

import pytest
from OpenSSL import SSL
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from service_identity import VerificationError
from twisted.internet.error import ConnectionLost, ConnectionRefusedError, TCPTimedOutError
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed

from core.domain.crawl.ledger import UrlReason
from crawler.failures import failure_of
from crawler.resolver import PrivateAddressError


def behind(cause: BaseException) -> Exception:
    """An error as Scrapy raises it over one of Twisted."""
    outer = DownloadFailedError("it failed")
    outer.__cause__ = ResponseFailed([Failure(cause)])
    return outer


@pytest.mark.parametrize(
    ("error", "reason", "is_passing"),
    [
        (DownloadTimeoutError("x"), UrlReason.TIMEOUT, True),
        (TCPTimedOutError(), UrlReason.TIMEOUT, True),
        (CannotResolveHostError("x"), UrlReason.UNKNOWN_HOST, True),
        (ResponseDataLossError(), UrlReason.DAMAGED, True),
        (DownloadCancelledError("x"), UrlReason.TOO_LARGE, False),
        (ConnectionRefusedError(), UrlReason.UNREACHABLE, True),
        (DownloadConnectionRefusedError("x"), UrlReason.UNREACHABLE, True),
        (behind(ConnectionLost()), UrlReason.UNREACHABLE, True),
        (
            behind(SSL.Error([("SSL routines", "", "certificate verify failed")])),
            UrlReason.CERTIFICATE,
            False,
        ),
        (behind(SSL.Error([("SSL routines", "", "wrong version number")])), UrlReason.CERTIFICATE, False),
        (behind(VerificationError(errors=[])), UrlReason.CERTIFICATE, False),
        (behind(PrivateAddressError("'a' is private.")), UrlReason.PRIVATE_ADDRESS, False),
        (ValueError("odd"), UrlReason.UNREACHABLE, True),
    ],
)
def test_each_failure_has_a_reason(error: BaseException, reason: UrlReason, is_passing: bool) -> None:
    failure = failure_of(error)

    assert (failure.reason, failure.is_passing) == (reason, is_passing)
    assert failure.detail.endswith(".")


def test_a_refusal_keeps_its_sentence() -> None:
    assert failure_of(PrivateAddressError("'a' is private.")).detail == "'a' is private."
