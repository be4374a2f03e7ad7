"""A real Weaviate server in a folder, on free loopback ports."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from core.config.models import IndexSettings

VERSION = "1.39.0"
READY_WITHIN_S = 120.0


def find_binary() -> Path | None:
    """The server's program, as CI finds or builds it; None on a machine without."""
    named = os.environ.get("GROUNDWORK_WEAVIATE_SERVER")
    cache = Path(os.environ.get("GROUNDWORK_CI_CACHE") or Path.home() / ".cache" / "groundwork-ci")
    path = Path(named) if named else cache / f"weaviate-{VERSION}" / "weaviate-server"
    return path if path.is_file() else None


class WeaviateServer:
    """A server on one data folder: started, stopped, killed and started again with the same ports."""

    def __init__(
        self,
        folder: Path,
        *,
        asynchronous: bool = True,
        keys: tuple[str, ...] = (),
        more: Mapping[str, str] | None = None,
    ) -> None:
        """more: what is added to its environment; may be changed between two starts."""
        self.folder = folder
        self.more = dict(more or {})
        self.keys = keys
        self._asynchronous = asynchronous
        self._http, self.grpc_port, *self._inner = _free_ports()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def settings(self, collection: str = "GroundworkPassages", **more: object) -> IndexSettings:
        """Settings of an engine on this server; its deadlines leave room for a busy machine."""
        given: dict[str, object] = {
            "engine": "weaviate",
            "url": self.url,
            "grpc_port": self.grpc_port,
            "api_key": self.keys[0] if self.keys else "",
            "collection": collection,
            "deadline_s": 30.0,
        }
        return IndexSettings.model_validate(given | more)

    def start(self) -> WeaviateServer:
        """Start it and wait until it is ready."""
        binary = find_binary()
        if binary is None:
            raise RuntimeError("no weaviate-server: set GROUNDWORK_WEAVIATE_SERVER, or let .ci/run build one")
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [binary, "--scheme", "http", "--host", "127.0.0.1", "--port", str(self._http)],
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + READY_WITHIN_S
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(
                    f"Weaviate did not start: {(self.folder / 'server.log').read_text()[-3000:]}"
                )
            signal.sigtimedwait([], 0.1)
        return self

    def stop(self) -> None:
        """End it in an orderly way; nothing happens where it does not run."""
        self._end(signal.SIGTERM)

    def kill9(self) -> None:
        """End it as a power failure would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop and start again on the same folder and ports."""
        self.stop()
        self.start()

    def freeze(self) -> None:
        """Let it hang, every thread of it: it accepts connections and answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)
        until = time.monotonic() + 10
        while not self._is_frozen():
            assert time.monotonic() < until
            time.sleep(0.01)

    def _is_frozen(self) -> bool:
        tasks = Path(f"/proc/{self.pid}/task").glob("*/stat")
        return all(each.read_text().rpartition(")")[2].split()[0] == "T" for each in tasks)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/v1/.well-known/ready", timeout=2):
                return True
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except OSError:
            return False

    def _environment(self) -> dict[str, str]:
        gossip, data, raft, raft_rpc = self._inner
        values = {
            "PERSISTENCE_DATA_PATH": str(self.folder / "data"),
            "CLUSTER_HOSTNAME": "n1",
            "CLUSTER_BIND_ADDR": "127.0.0.1",
            "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
            "CLUSTER_GOSSIP_BIND_PORT": str(gossip),
            "CLUSTER_DATA_BIND_PORT": str(data),
            "RAFT_PORT": str(raft),
            "RAFT_INTERNAL_RPC_PORT": str(raft_rpc),
            "RAFT_TIMEOUTS_MULTIPLIER": "1",
            "GRPC_PORT": str(self.grpc_port),
            "ASYNC_INDEXING": "true" if self._asynchronous else "false",
            "QUEUE_SCHEDULER_INTERVAL": "50ms",
            "DISABLE_TELEMETRY": "true",
            "ENABLE_MODULES": "",
            "API_BASED_MODULES_DISABLED": "true",
            "DEFAULT_VECTORIZER_MODULE": "none",
            "GO_PROFILING_DISABLE": "true",
            "AUTOSCHEMA_ENABLED": "false",
            "LOG_LEVEL": "warning",
            "LOG_FORMAT": "json",
            "PATH": os.environ.get("PATH", ""),
            "HOME": os.environ.get("HOME", "/"),
        }
        if self.keys:
            values |= {
                "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "false",
                "AUTHENTICATION_APIKEY_ENABLED": "true",
                "AUTHENTICATION_APIKEY_ALLOWED_KEYS": ",".join(self.keys),
                "AUTHENTICATION_APIKEY_USERS": ",".join(f"user{at}" for at, _ in enumerate(self.keys)),
                "AUTHORIZATION_ADMINLIST_ENABLED": "true",
                "AUTHORIZATION_ADMINLIST_USERS": "user0",
                "AUTHORIZATION_ADMINLIST_READONLY_USERS": "user1",
            }
        else:
            values["AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED"] = "true"
        return values | self.more


def _free_ports() -> tuple[int, int, int, int, int, int]:
    """Six ports; the fourth follows the third, as the data port must follow the gossip port."""
    while True:
        probes = [socket.socket() for _ in range(5)]
        try:
            for probe in probes:
                probe.bind(("127.0.0.1", 0))
            http, grpc, gossip, raft, raft_rpc = (int(probe.getsockname()[1]) for probe in probes)
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", gossip + 1))
            return http, grpc, gossip, gossip + 1, raft, raft_rpc
        except OSError:
            continue
        finally:
            for probe in probes:
                probe.close()
