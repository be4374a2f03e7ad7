"""Address of a Weaviate server: a look whether it answers there, which needs no vendor's package."""

from __future__ import annotations

import http.client
import json
import re
import socket
import urllib.error
import urllib.request
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

from core.config.models import IndexSettings
from core.errors import IndexUnavailableError

_OLDEST, _NEWEST = (1, 33), (1, 39)  # `contains_none` came with 1.33; measured on 1.39
_META_BYTES = 1 << 20
_LOOK_S = 0.5


class ServerAddress:
    """The address of one server, and in plain words what may be wrong with what is there. Thread-safe."""

    def __init__(self, settings: IndexSettings) -> None:
        """Raises IndexUnavailableError where `index.url` cannot be read, or both ports are the same."""
        self._settings = settings
        self._address = settings.url.rstrip("/")
        try:
            parts = urlsplit(settings.url)
            self.is_secure = parts.scheme == "https"
            self.host = parts.hostname or "localhost"
            self.port = parts.port or (443 if self.is_secure else 80)
            self.host.encode("idna")
        except ValueError as error:
            raise IndexUnavailableError(
                f"The address {settings.url!r} in index.url cannot be read: {error}.",
                next_step="Write it like http://localhost:8080 or http://[::1]:8080.",
            ) from error
        if self.port == settings.grpc_port:
            raise IndexUnavailableError(
                f"index.grpc_port is {self.port}, the HTTP port of the Weaviate server at {self._address!r}.",
                next_step="Set it to the server's gRPC port, which is 50051 unless somebody changed it.",
            )

    def look(self, seconds: float) -> None:
        """Raises IndexUnavailableError where a port does not answer; costs a millisecond where both do."""
        try:
            with self._get("/v1/.well-known/ready", seconds):
                pass
        except OSError as error:
            raise self._unreachable(error, seconds) from error
        except (http.client.HTTPException, ValueError) as error:
            raise self._no_weaviate() from error
        try:
            socket.create_connection((self.host, self._settings.grpc_port), timeout=seconds).close()
        except OSError as error:
            raise self.no_grpc() from error

    def gone(self) -> IndexUnavailableError | None:
        """The error of a server whose ports are closed; None where it is there, slow as it may be."""
        for port, error in ((self.port, self._absent()), (self._settings.grpc_port, self.no_grpc())):
            try:
                socket.create_connection((self.host, port), timeout=_LOOK_S).close()
            except ConnectionRefusedError:
                return error
            except OSError:
                return None
        return None

    def check_version(self, seconds: float) -> None:
        """Raises IndexUnavailableError where it is no Weaviate, or of a version that Groundwork cannot use.

        Asked here and not by the client, which fails in words of its own or with a ValueError.
        """
        try:
            with self._get("/v1/meta", seconds) as answer:
                meta = json.loads(answer.read(_META_BYTES))
            version = str(meta["version"])
        except OSError as error:
            raise self._unreachable(error, seconds) from error
        except (http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._no_weaviate() from error
        found = tuple(int(number[:9]) for number in re.findall(r"\d+", version)[:2])
        if not _OLDEST <= found <= _NEWEST:
            raise IndexUnavailableError(
                f"The Weaviate server at {self._address!r} is version {version[:40]!r}; expected "
                f"1.{_OLDEST[1]} to 1.{_NEWEST[1]}.",
                next_step="Run Weaviate 1.39, on which Groundwork is tested.",
            )

    def late(self, seconds: float) -> IndexUnavailableError:
        """The error of an operation that took longer than it may."""
        return IndexUnavailableError(
            f"The Weaviate server at {self._address!r} did not answer within {seconds:g} s.",
            next_step="Look whether it is up and not overloaded; index.deadline_s and index.write_deadline_s "
            "set the limits.",
        )

    def no_grpc(self) -> IndexUnavailableError:
        """The error of a server that answers over HTTP alone."""
        return IndexUnavailableError(
            f"The Weaviate server at {self._address!r} answers, but not on its gRPC port "
            f"{self._settings.grpc_port} of {self.host!r}.",
            next_step="Open that port, or correct index.grpc_port.",
        )

    def refused(self) -> IndexUnavailableError:
        """The error of a key that lacks the right."""
        return IndexUnavailableError(
            f"The Weaviate server at {self._address!r} refused the key.",
            next_step="Set index.api_key to a key that may read and write there.",
        )

    def failed(self, text: str) -> IndexUnavailableError:
        """The error of a server that answered with one; text: what it said."""
        if re.search(r"read[- ]?only", text, re.IGNORECASE):
            return IndexUnavailableError(
                f"The Weaviate server at {self._address!r} takes no changes: its store is read-only.",
                next_step="Free disk space there and set the shard to READY; nothing here is lost.",
            )
        return IndexUnavailableError(
            f"The Weaviate server at {self._address!r} failed: {text}",
            next_step="Look whether it is up, and into its log.",
        )

    def _get(self, path: str, seconds: float) -> AbstractContextManager[Any]:
        request = urllib.request.Request(self._address + path)
        if key := self._settings.api_key.get_secret_value():
            if not (key.isascii() and key.isprintable()):  # no header could hold it
                raise self.refused()
            request.add_unredirected_header("Authorization", f"Bearer {key}")
        opened: AbstractContextManager[Any] = urllib.request.urlopen(request, timeout=max(seconds, 0.001))
        return opened

    def _unreachable(self, error: OSError, seconds: float) -> IndexUnavailableError:
        """Error for a first request that came to nothing."""
        if isinstance(error, urllib.error.HTTPError):
            error.close()
            if error.code in (401, 403):
                return self.refused()
            if error.code < 500:
                return self._no_weaviate()
            return IndexUnavailableError(
                f"The Weaviate server at {self._address!r} is not ready (HTTP {error.code}).",
                next_step="Wait until it has started, or look into its log.",
            )
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            return IndexUnavailableError(
                f"The Weaviate server at {self._address!r} did not answer in time ({seconds:.2g} s).",
                next_step="Look whether it hangs or is overloaded, and into its log.",
            )
        return self._absent()

    def _absent(self) -> IndexUnavailableError:
        return IndexUnavailableError(
            f"No Weaviate server answers at {self._address!r}.",
            next_step="Start it, or correct index.url.",
        )

    def _no_weaviate(self) -> IndexUnavailableError:
        return IndexUnavailableError(
            f"Something answers at {self._address!r}, but it is not Weaviate.",
            next_step="Correct index.url.",
        )
