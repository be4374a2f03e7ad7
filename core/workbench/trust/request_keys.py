"""Requests that a program may send again, for one principal: each is done once, and answered alike."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from core.store.people.request_keys import StoredResponse
from core.workbench.services.base import Service

MOST_BYTES = 4_000_000
"""Of a response that is kept; what is larger is made anew."""


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request with its key. claim: "" where another one holds the key.

    response: what the key got before; None while that runs. is_current: nothing has changed since that the
    principal may see, or in what they may see.
    """

    key: str
    claim: str = ""
    response: StoredResponse | None = None
    is_current: bool = True


class RequestKeyService(Service):
    """Idempotency keys of the principal's own requests."""

    def claim(self, address: str, key: str) -> KeyedRequest:
        """Claim a key for a request to that address, or learn what became of it."""
        text = json.dumps([self._principal.user, address, key])
        hashed = hashlib.sha256(text.encode()).hexdigest()
        found = self._parts.records.request_keys.claim(hashed)
        is_current = found.response is None or found.response.view == self._view()
        return KeyedRequest(hashed, found.id, found.response, is_current)

    def keep(
        self, request: KeyedRequest, fingerprint: str, status: int, headers: dict[str, str], body: bytes
    ) -> None:
        """Keep the response of a claimed request; one that is too large leaves the key free."""
        if len(body) > MOST_BYTES:
            self.release(request)
            return
        response = StoredResponse(fingerprint, self._view(), status, headers, body)
        self._parts.records.request_keys.keep(request.key, request.claim, response)

    def release(self, request: KeyedRequest) -> None:
        """Give a claimed key back: its request did nothing."""
        self._parts.records.request_keys.release(request.key, request.claim)

    def _view(self) -> str:
        """State of the collection and of the principal's access, as far as a response may show of them."""
        who = self._principal
        version = self._parts.records.changes.data_version()
        return json.dumps([version, sorted(who.roles), sorted(who.groups)])
