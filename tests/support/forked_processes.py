"""Python processes of tests forked from one that has imported what they need: a start takes seconds.

A program of `_PROGRAMS`, or a script that opens a workbench, becomes a child of this process as any other,
with the pipes, folder, environment and arguments that `subprocess.Popen` was given; it only begins with its
imports done. All else starts as it always does, and so does everything where GROUNDWORK_CI=full. Linux only.
"""

from __future__ import annotations

import ctypes
import inspect
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
    r"crawler|core\.(cli|ingest\.parse_pool|rerank\.cross_encoder_child|extract\.jobs\.\w+)|tests\.support\.\w+"
)
_LEAVES = re.compile(r"crawler|core\.[ier].*|tests\.support\.(scripted_crawler|echo_child)")
"""Programs that start no others."""
_MAIN = re.compile(r"from ([\w.]+) import main; main\(\)")
_OF_SERVERS = re.compile(r"tests\.support\.serve_\w+|core\.cli")
_SCRIPTS = ("Workbench.open(", "import torch\n")
"""What scripts given by -c have in them that are forked; one that looks at what is imported is not."""
_IMPORTED = (
    "crawler.run",
    "crawler.spider",
    "scrapy.crawler",
    "core.workbench",
    "core.workbench.work.handlers",
    "core.ingest.parse_pool",
    "core.extract.jobs.pool",
)
_OF_MODELS = ("import torch", "cross_encoder_child")
_IMPORTED_WITH_MODELS = ("torch", "transformers", "sentence_transformers")
_IMPORTED_BY_SERVERS = ("core.cli.serve", "app.asgi")
_PR_SET_CHILD_SUBREAPER = 36
_MOST_FILES = 1024


@dataclass(frozen=True, slots=True)
class _Start:
    """What a process is to be: a module, run as `-m` runs it, or a script."""

    module: str
    script: str
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
    for origin in _ORIGINS.values():
        origin.close()


class _Origin:
    """The process that others are forked from, started when it is first needed. Thread-safe."""

    def __init__(self, *imported: str) -> None:
        self._imported = imported
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

    @classmethod
    def at(cls, asking: socket.socket) -> _Origin:
        """One that is there already."""
        made = cls()
        made._socket, made._owner = asking, os.getpid()
        return made

    def close(self) -> None:
        """End it, where this process started it."""
        if self._socket is not None and self._owner == os.getpid():
            self._socket.close()
            if self._process is not None:
                self._process.wait()
        self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None or self._owner != os.getpid():
            self._socket, theirs = socket.socketpair()
            self._process = _STARTED(
                [
                    sys.executable,
                    "-m",
                    "tests.support.forked_processes",
                    str(theirs.fileno()),
                    *self._imported,
                ],
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

    def _execute_child(self, *given: Any) -> None:
        named = dict(zip(_GIVEN, given, strict=True))
        unusual = ("preexec_fn", "pass_fds", "shell", "executable")
        start = None
        if named["close_fds"] and named["process_group"] == -1 and not any(map(named.get, unusual)):
            start = _start_of(named["args"], named["cwd"], named["env"], named["start_new_session"])
        if start is None:
            super()._execute_child(*given)  # type: ignore[misc]
            return
        streams = [named[each] for each in ("p2cread", "c2pwrite", "errwrite")]
        try:
            self.pid = _origin_of(start).fork(
                start, [own if given == -1 else given for own, given in enumerate(streams)]
            )
            self._child_created = True
        finally:
            self._close_pipe_fds(*(named[each] for each in _PIPES))  # type: ignore[attr-defined]


def _start_of(command: object, folder: object, environment: object, is_session: bool) -> _Start | None:
    """What a command starts; None for what is not forked."""
    if not isinstance(command, list) or command[:1] != [sys.executable]:
        return None
    words = [str(each) for each in command[1:]]
    is_apart = words[:1] == ["-P"]
    words = words[is_apart:]
    if len(words) < 2:
        return None
    way, program, *arguments = words
    called = _MAIN.fullmatch(program)
    is_known = _PROGRAMS.fullmatch(called[1] if called else program)
    opens = any(each in program for each in _SCRIPTS) and "sys.modules" not in program
    is_script = way == "-c" and bool((called and is_known) or opens)
    if not (is_script or (way == "-m" and is_known)):
        return None
    given = os.environ if environment is None else environment
    assert isinstance(given, Mapping)
    module, script = ("", program) if is_script else (program, "")
    place = str(folder or os.getcwd())
    return _Start(module, script, not is_apart, tuple(arguments), place, dict(given), is_session)


def _origin_of(start: _Start) -> _Origin:
    if any(each in start.script for each in _OF_MODELS):
        return _ORIGINS["models"]
    return _ORIGINS["servers" if _OF_SERVERS.fullmatch(start.module) else "all"]


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
    sys.argv = ["-c" if start.script else start.module, *start.arguments]
    if start.script:
        own = ModuleType("__main__")
        sys.modules["__main__"] = own
        exec(start.script, own.__dict__)
    else:
        runpy.run_module(start.module, run_name="__main__", alter_sys=True)


def _serve_and_run(asked: socket.socket) -> None:
    """Fork what is asked for; a process that starts others has these forked from one beside it."""
    start = _serve(asked)
    while start is not None:
        name = _MAIN.fullmatch(start.script)
        if _LEAVES.fullmatch(name[1] if name else start.module):
            _run(start)
            return
        ours, theirs = socket.socketpair()
        if os.fork() != 0:
            theirs.close()
            beside = _Origin.at(ours)
            _ORIGINS.update(dict.fromkeys(_ORIGINS, beside))
            fork_processes()
            _run(start)
            return
        ours.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for own in range(3):
            os.dup2(nothing, own)
        os.close(nothing)
        start = _serve(theirs)
    os._exit(0)  # what was imported has nothing to put in order


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
_GIVEN = tuple(inspect.signature(subprocess.Popen._execute_child).parameters)[1:]  # type: ignore[attr-defined]
_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
_ORIGINS = {
    "all": _Origin(*_IMPORTED),
    "servers": _Origin(*_IMPORTED, *_IMPORTED_BY_SERVERS),
    "models": _Origin("core.rerank.cross_encoder_child", *_IMPORTED_WITH_MODELS),
}
_PATH = [each for each in sys.path if each not in ("", str(_ROOT))]

if __name__ == "__main__":
    import gc
    import importlib

    from tests.support import forked_processes  # not this one, which ends as what it becomes

    for each in sys.argv[2:]:
        importlib.import_module(each)
    forked_processes._warm_up()
    gc.collect()
    gc.freeze()
    forked_processes._serve_and_run(socket.socket(fileno=int(sys.argv[1])))
