"""The way to one Weaviate server: our own deadline around every call, and its errors in plain words.

The client retries a query against a dead gRPC port for 63 s, whatever its time-outs say. Every call
therefore runs in a daemon thread that is left behind when its time is up; after a failure the next call
first looks whether the server answers at all, so that threads do not pile up, and then connects anew.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit

from core.config.models import IndexSettings
from core.errors import GroundworkError, IndexUnavailableError

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


if TYPE_CHECKING:
    from weaviate import WeaviateClient


T = TypeVar("T")


WALK_S = 600.0  # to read all objects once: 20,000 take 0.75 s


_PROBE_S = 0.5  # how long a server that failed may take to say that it is back


_LOOK_AFTER_S, _LOOK_EVERY_S = 0.3, 1.0  # a closed port is noticed long before the client gives up


_REFUSED = re.compile(r"\b401\b|UNAUTHENTICATED|anonymous access|PERMISSION_DENIED|forbidden")


class Call(Generic[T]):
    """A function that runs in a daemon thread, and what it came to.

    Not concurrent.futures: the interpreter waits for its threads at exit, 63 s of them.
    """

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._done = threading.Event()
        self._result: list[T] = []
        self._error: BaseException | None = None
        threading.Thread(target=self._run, name="weaviate-call", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """True where the function has come to an end."""
        return self._done.is_set()

    def wait(self, within_s: float) -> None:
        """Until the function has ended. Raises TimeoutError where it takes longer."""
        if not self._done.wait(max(within_s, 0.0)):
            raise TimeoutError

    def result(self, within_s: float) -> T:
        """Result or error of the function. Raises TimeoutError where it takes longer."""
        self.wait(within_s)
        if self._error is not None:
            raise self._error
        return self._result[0]

    def _run(self) -> None:
        try:
            self._result.append(self._function())
        except BaseException as error:
            self._error = error
        finally:
            self._done.set()


class Deadline:
    """A point in time that all the calls of one operation share."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left_s(self) -> float:
        """Seconds that are left, 0 when there are none."""
        return max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises TimeoutError when the time is up."""
        if self.left_s == 0.0:
            raise TimeoutError


def together(calls: Sequence[Callable[[], T]], deadline: Deadline) -> list[T]:
    """Run functions at once; their results in order. Raises the first error, or TimeoutError."""
    if len(calls) == 1:
        return [calls[0]()]
    running = [Call(call) for call in calls]
    for call in running:  # all have ended before the first error goes on
        call.wait(deadline.left_s)
    return [call.result(deadline.left_s) for call in running]


class Connection:
    """A client of one server, replaced after every failure. Thread-safe."""

    def __init__(self, settings: IndexSettings) -> None:
        """Raises IndexUnavailableError where the address cannot be one of a server."""
        self._settings = settings
        self._place = ServerAddress(settings)
        self._lock = threading.Lock()  # guards _client and _closed
        self._client: WeaviateClient | None = None
        self._closed = False

    def search(self, call: Callable[[WeaviateClient, Deadline], T]) -> T:
        """Run `call` within `deadline_s`. Raises IndexUnavailableError when it is late or fails."""
        return self.run(call, self._settings.deadline_s)

    def write(self, call: Callable[[WeaviateClient, Deadline], T]) -> T:
        """Run `call` within `write_deadline_s`; errors as in `search`."""
        return self.run(call, self._settings.write_deadline_s)

    def run(self, call: Callable[[WeaviateClient, Deadline], T], seconds: float) -> T:
        """Run `call` within some seconds. Raises IndexUnavailableError when it is late or fails."""
        deadline = Deadline(seconds)
        used: list[WeaviateClient] = []

        def work() -> T:
            client = self._connected(deadline)
            used.append(client)
            return call(client, deadline)

        self._check_open()
        try:
            return self._result(Call(work), deadline, used)
        except GroundworkError:
            raise
        except TimeoutError as error:
            self._forget(used)
            raise self._place.late(seconds) from error
        except Exception as error:
            translated = self._translated(error)
            if translated is None:
                raise
            self._forget(used)
            self._check_open()
            raise translated from error

    def probe(self) -> None:
        """Raises IndexUnavailableError where a port does not answer at once; needs no vendor's package."""
        self._place.look(min(_PROBE_S, self._settings.deadline_s))

    def close(self) -> None:
        """Let the client go; safe to call twice."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
        if client is not None:
            _close(client)

    def _result(self, calling: Call[T], deadline: Deadline, used: list[WeaviateClient]) -> T:
        """Result of a call; looks now and then whether the server is still there at all."""
        pause = _LOOK_AFTER_S
        while True:
            try:
                return calling.result(min(pause, deadline.left_s))
            except TimeoutError:
                if calling.has_ended:  # just now, or by a TimeoutError of its own
                    return calling.result(0.0)
                if deadline.left_s == 0.0:
                    raise
                if gone := self._place.gone():
                    self._forget(used)
                    raise gone from None
                pause = _LOOK_EVERY_S

    def _check_open(self) -> None:
        if self._closed:
            raise IndexUnavailableError("The search index has been closed.", next_step="Open it again.")

    def _connected(self, deadline: Deadline) -> WeaviateClient:
        with self._lock:
            if self._client is not None:
                return self._client
        self._place.look(min(_PROBE_S, deadline.left_s))
        client = self._connect(deadline)
        with self._lock:
            if self._closed or self._client is not None:
                extra, client = client, self._client or client
            else:
                extra, self._client = None, client
        if extra is not None:
            _close(extra)
            self._check_open()
        return client

    def _connect(self, deadline: Deadline) -> WeaviateClient:
        """A client that has read something over both ports."""
        self._place.check_version(deadline.left_s)
        weaviate = load()
        try:
            return self._connect_checked(weaviate, deadline)
        except (GroundworkError, TimeoutError):
            raise
        except Exception as error:  # the vendor's package refuses odd answers with errors of any type
            raise self._in_words(error) from error

    def _connect_checked(self, weaviate: Any, deadline: Deadline) -> WeaviateClient:
        from weaviate.classes.init import AdditionalConfig, Auth, Timeout

        settings, place = self._settings, self._place
        key = settings.api_key.get_secret_value()
        timeout = Timeout(
            init=settings.deadline_s, query=settings.deadline_s, insert=settings.write_deadline_s
        )
        client: WeaviateClient = weaviate.connect_to_custom(
            http_host=place.host,
            http_port=place.port,
            http_secure=place.is_secure,
            grpc_host=place.host,
            grpc_port=settings.grpc_port,
            grpc_secure=place.is_secure,
            auth_credentials=Auth.api_key(key) if key else None,
            additional_config=AdditionalConfig(timeout=timeout),
            skip_init_checks=True,  # or it asks the Python package index for a newer client
        )
        try:
            self._check_grpc(client, deadline)
        except BaseException:
            _close(client)
            raise
        return client

    def _check_grpc(self, client: WeaviateClient, deadline: Deadline) -> None:
        """A port may be open and still not be Weaviate's gRPC: a first query must come back."""
        asking = Call(lambda: client.collections.use("GroundworkProbe").query.fetch_objects(limit=1))
        try:
            asking.result(min(deadline.left_s * 0.8, self._settings.deadline_s))
        except TimeoutError as error:
            raise self._place.no_grpc() from error
        except Exception as error:
            # An unknown collection is what a healthy server complains about, and rights are another matter.
            text = str(error)
            if "GroundworkProbe" in text or "find class" in text:
                return
            if _REFUSED.search(text):
                raise
            raise self._place.no_grpc() from error

    def _forget(self, used: list[WeaviateClient]) -> None:
        """Connect anew at the next call: a gRPC channel may wait two minutes before it tries again."""
        with self._lock:
            if not used or self._client is not used[0]:
                return
            client, self._client = self._client, None
        Call(lambda: _close(client))

    def _translated(self, error: Exception) -> IndexUnavailableError | None:
        """Plain-word error for a vendor's; None where it is not the server's."""
        from weaviate.exceptions import WeaviateBaseError

        vendor = type(error).__module__.partition(".")[0]
        if not isinstance(error, (WeaviateBaseError, OSError)) and vendor not in (
            "httpx",
            "grpc",
            "httpcore",
        ):
            return None
        return self._in_words(error)

    def _in_words(self, error: Exception) -> IndexUnavailableError:
        text = " ".join(str(error).split())[:400]
        if getattr(error, "status_code", None) in (401, 403) or _REFUSED.search(text):
            return self._place.refused()
        return self._place.failed(text or type(error).__name__)


def load() -> Any:
    """The `weaviate` package; takes 2 s the first time, and its warnings filter is undone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import weaviate
        import weaviate.classes
    return weaviate


def _close(client: WeaviateClient) -> None:
    with contextlib.suppress(Exception):
        client.close()
