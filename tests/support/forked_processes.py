"""Python processes of tests forked from one that has imported what they need: a start takes seconds of a core.

A program of `_PROGRAMS` that is started as `python [-P] -m NAME ...` or `python -P -c "from NAME import main;
main()"` becomes a child of this process as any other, with the pipes, folder, environment and arguments that
`subprocess.Popen` was given; it only begins with its imports done. All else starts as it always does, and so does
everything where GROUNDWORK_CI=full. Linux only.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import re
import runpy
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

_ROOT = Path(__file__).parents[2]
_PROGRAMS = re.compile(
    r"crawler|core\.ingest\.parse_pool|core\.extract\.jobs\.\w+"
    r"|tests\.support\.(scripted_crawler|ingesting|extracting|reading_cells|asking_process|toy_jobs|index_process"
    r"|echo_child|toy_extractor|bad_parser|crawl_worker_process|hashed_workbench|reading_scans)"
)
_MAIN = re.compile(r"from ([\w.]+) import main; main\(\)")
_IMPORTED = (
    "crawler.run",
    "crawler.spider",
    "scrapy.crawler",
    "core.workbench",
    "core.workbench.work.handlers",
    "core.ingest.parse_pool",
    "core.extract.jobs.pool",
)
_PR_SET_CHILD_SUBREAPER = 36
_MOST_FILES = 1024


@dataclass(frozen=True, slots=True)
class _Start:
    """What a process is to be. module: run as `-m` runs it, or the `main` of it where is_called."""

    module: str
    is_called: bool
    has_folder_on_path: bool
    arguments: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    is_session: bool


def fork_processes() -> None:
    """From now on processes of this one that can be forked are."""
    if sys.platform == "linux" and os.environ.get("GROUNDWORK_CI") != "full":
        subprocess.Popen = _ForkedPopen  # type: ignore[misc]


def end_forking() -> None:
    """End the process that others are forked from."""
    _ORIGIN.close()


class _Origin:
    """The process that others are forked from, started when it is first needed. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the socket, whose answers come in order, and what is adopted
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._owner = 0

    def fork(self, start: _Start, streams: Sequence[int]) -> int:
        """The id of a new child of this process, whose standard streams those are."""
        with self._lock:
            asking = self._connected()
            message = pickle.dumps(start)
            _adopt(True)
            try:
                socket.send_fds(asking, [struct.pack("<Q", len(message))], list(streams))
                asking.sendall(message)
                return int(struct.unpack("<q", _received(asking, 8))[0])
            finally:
                _adopt(False)

    def close(self) -> None:
        if self._socket is not None and self._owner == os.getpid():
            self._socket.close()
            assert self._process is not None
            self._process.wait()
        self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None or self._owner != os.getpid():
            self._socket, theirs = socket.socketpair()
            self._process = _STARTED(
                [sys.executable, "-m", "tests.support.forked_processes", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd=_ROOT,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            theirs.close()
            self._owner = os.getpid()
        return self._socket


class _ForkedPopen(subprocess.Popen):  # type: ignore[type-arg]
    """`subprocess.Popen`, whose programs are forked where they can be."""

    def _execute_child(
        self,
        args: Any,
        executable: Any,
        preexec_fn: Any,
        close_fds: Any,
        pass_fds: Any,
        cwd: Any,
        env: Any,
        startupinfo: Any,
        creationflags: Any,
        shell: Any,
        p2cread: int,
        p2cwrite: int,
        c2pread: int,
        c2pwrite: int,
        errread: int,
        errwrite: int,
        restore_signals: Any,
        gid: Any,
        gids: Any,
        uid: Any,
        umask: Any,
        start_new_session: bool,
        process_group: Any,
    ) -> None:
        start = None
        if not (preexec_fn or pass_fds or shell or executable) and close_fds and process_group == -1:
            start = _start_of(args, cwd, env, start_new_session)
        if start is None:
            return super()._execute_child(  # type: ignore[misc, no-any-return]
                args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags, shell,
                p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite, restore_signals, gid, gids, uid, umask,
                start_new_session, process_group,
            )  # fmt: skip
        pairs = enumerate((p2cread, c2pwrite, errwrite))
        try:
            self.pid = _ORIGIN.fork(start, [own if given == -1 else given for own, given in pairs])
            self._child_created = True
        finally:
            self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)  # type: ignore[attr-defined]


def _start_of(command: object, folder: object, environment: object, is_session: bool) -> _Start | None:
    """What a command starts; None for what is not forked."""
    if not isinstance(command, list) or command[:1] != [sys.executable]:
        return None
    words = [str(each) for each in command[1:]]
    is_apart = words[:1] == ["-P"]
    words = words[is_apart:]
    called = _MAIN.fullmatch(words[1]) if words[:1] == ["-c"] and len(words) == 2 and is_apart else None
    module = called[1] if called else words[1] if words[:1] == ["-m"] and len(words) > 1 else ""
    if not _PROGRAMS.fullmatch(module):
        return None
    given = os.environ if environment is None else environment
    assert isinstance(given, Mapping)
    return _Start(
        module, called is not None, not is_apart, tuple(words[2:]), str(folder or os.getcwd()), dict(given),
        is_session,
    )  # fmt: skip


def _adopt(is_so: bool) -> None:
    """Whether a process whose parent ends below this one becomes its child."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(is_so), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _received(source: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        more = source.recv(size - len(data))
        if not more:
            raise EOFError("The process that others are forked from has ended.")
        data += more
    return data


def _serve(asked: socket.socket) -> _Start | None:
    """Fork what is asked for. Returns in each new process what it is to be, and None once nobody asks."""
    while True:
        head, streams, _, _ = socket.recv_fds(asked, 8, 3)
        if not head:
            return None
        head += _received(asked, 8 - len(head)) if len(head) < 8 else b""
        start: _Start = pickle.loads(_received(asked, struct.unpack("<Q", head)[0]))
        ours, theirs = os.pipe()
        between = os.fork()
        if between == 0:
            child = os.fork()
            if child == 0:
                asked.detach()
                _become(start, streams)
                return start
            os.write(theirs, struct.pack("<q", child))
            os._exit(0)
        os.waitpid(between, 0)  # from here on the child is that of whoever asked
        asked.sendall(os.read(ours, 8))
        for each in (ours, theirs, *streams):
            os.close(each)


def _become(start: _Start, streams: Sequence[int]) -> None:
    if start.is_session:
        os.setsid()
    for own, given in enumerate(streams):
        os.dup2(given, own)
    os.closerange(3, _MOST_FILES)
    os.chdir(start.folder)
    os.environ.clear()
    os.environ.update(start.environment)
    paths = [each for each in start.environment.get("PYTHONPATH", "").split(os.pathsep) if each]
    sys.path[:] = [*([start.folder] if start.has_folder_on_path else []), *paths, *_PATH]


def _run(start: _Start) -> None:
    """Be the program."""
    sys.argv = ["-c" if start.is_called else start.module, *start.arguments]
    if start.is_called:
        own = ModuleType("__main__")
        sys.modules["__main__"] = own
        exec(f"from {start.module} import main; main()", own.__dict__)
    else:
        runpy.run_module(start.module, run_name="__main__", alter_sys=True)


def _warm_up() -> None:
    """Do once what most of the programs do first."""
    from core.encode.identity import find_model
    from core.encode.minilm import MiniLm
    from core.ingest.clean import detect_language
    from tests.support.kept_models import keep_models

    keep_models()
    detect_language("The monthly rent of the warehouse in Mill Road is 15,000 dollars.")
    MiniLm.load(find_model("minilm"))


_STARTED = subprocess.Popen
_ORIGIN = _Origin()
_PATH = [each for each in sys.path if each not in ("", str(_ROOT))]

if __name__ == "__main__":
    import gc
    import importlib

    for each in _IMPORTED:
        importlib.import_module(each)
    _warm_up()
    gc.collect()
    gc.freeze()
    wanted = _serve(socket.socket(fileno=int(sys.argv[1])))
    if wanted is not None:
        _run(wanted)
