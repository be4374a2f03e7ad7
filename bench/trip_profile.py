"""A profiler hook for one process: the modules of ours that ran, and the classes of ours that were made.

`bench.trips` installs it in itself and, through a `sitecustomize` on PYTHONPATH, in every Python process
below it. All of them look at one shared byte, the number of the recording; 0 means that nothing is recorded.
A child writes what it sees to a file of its own, a line each, at once: it may be killed at any moment.

Only the standard library is imported: it runs at the start of every child.
"""

from __future__ import annotations

import inspect
import mmap
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

FOLDER = "GROUNDWORK_TRIPS_FOLDER"
"""The variable of the environment that names the folder of the shared byte and of the children's files."""

OURS = ("core.", "app.", "crawler.")
_MAKERS = {"__init__": "self", "model_validate": "cls", "model_validate_json": "cls", "__new__": "_cls"}
_COUNTER = "recording"
_GENERATED = "<string>"  # the file name of what dataclasses write


class Profile:
    """The hook of one process. Thread-safe: sets and appends only.

    modules: those with a function that was called; code that runs while a module or a class body is executed
    does not count. made: classes of ours of which an instance was made, as "module:qualified name".
    noted: called with each new entry. called: called with every frame of ours, also of what was seen before.
    """

    def __init__(
        self,
        folder: Path,
        noted: Callable[[int, str, str], None] | None = None,
        called: Callable[[FrameType], None] | None = None,
    ) -> None:
        with (folder / _COUNTER).open("r+b") as file:
            self._number = mmap.mmap(file.fileno(), 1)
        self._noted = noted
        self._called = called
        self._known = 0
        self._seen: dict[int, object] = {}  # by id: code objects of equal classes are equal
        self.modules: set[str] = set()
        self.made: set[str] = set()

    def install(self) -> None:
        """Hook this thread and all that are started from now on."""
        threading.setprofile(self._hook)
        sys.setprofile(self._hook)

    def begin(self, number: int) -> None:
        """Record under a number from 1 to 255, in all processes; 0 stops."""
        self._number[0] = number

    def _hook(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        number = self._number[0]
        if not number:
            return
        if number != self._known:
            self._forget(number)
        code = frame.f_code
        maker = _MAKERS.get(code.co_name)
        if maker is not None:
            self._note_made(number, frame.f_locals.get(maker))
        if self._called is None and id(code) in self._seen:
            return
        name = str(frame.f_globals.get("__name__", ""))
        if not name.startswith(OURS) or not code.co_flags & inspect.CO_OPTIMIZED:
            return
        if self._called is not None:
            self._called(frame)
        if code.co_filename != _GENERATED and id(code) not in self._seen:
            self._seen[id(code)] = code
            self._note(number, "module", name, self.modules)

    def _note_made(self, number: int, found: object) -> None:
        made = found if isinstance(found, type) else type(found)
        if made.__module__.startswith(OURS):
            self._note(number, "made", f"{made.__module__}:{made.__qualname__}", self.made)

    def _note(self, number: int, kind: str, name: str, known: set[str]) -> None:
        if name not in known:
            known.add(name)
            if self._noted is not None:
                self._noted(number, kind, name)

    def _forget(self, number: int) -> None:
        self._known = number
        self._seen.clear()
        self.modules.clear()
        self.made.clear()


def prepare(folder: Path) -> None:
    """Make the shared byte, and have every Python process that is started from now on hooked."""
    (folder / _COUNTER).write_bytes(b"\0")
    (folder / "sitecustomize.py").write_text(
        "try:\n    from bench.trip_profile import join\n    join()\nexcept ImportError:\n    pass\n"
    )
    os.environ[FOLDER] = str(folder)
    paths = [str(folder), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))


def join() -> None:
    """Hook this process, a child of one that called `prepare`; nothing happens in any other."""
    folder = os.environ.get(FOLDER)
    if folder is None or not (Path(folder) / _COUNTER).is_file():
        return
    log = (Path(folder) / f"{os.getpid()}.log").open("a", buffering=1)
    Profile(Path(folder), noted=lambda *entry: print(*entry, file=log)).install()


def of_children(folder: Path, number: int) -> tuple[set[str], set[str]]:
    """The modules that ran and the classes that were made in children during one recording."""
    found: dict[str, set[str]] = {"module": set(), "made": set()}
    for log in folder.glob("*.log"):
        for line in log.read_text().splitlines():
            recording, kind, name = line.split(" ", 2)
            if int(recording) == number:
                found[kind].add(name)
    return found["module"], found["made"]
