"""Generations of a derived index: built beside the one that serves, switched at once, cleaned up later.

root/
├── current        the name of the generation that serves; replaced atomically
├── writer.lock    held by the one process that writes
└── g000001/       a generation; `open.lock` in it is held by everyone who has it open
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from core.errors import HomeBusyError, IndexUnavailableError

if TYPE_CHECKING:
    from filelock import FileLock

try:
    import fcntl
except ImportError:  # Windows: an open generation cannot be deleted there anyway
    fcntl = None  # type: ignore[assignment]

_CREATE_TIMEOUT_S = 30.0


class Hold:
    """Keeps a generation from being cleaned up; released by the end of the process too."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def release(self) -> None:
        """Let it go; safe to call twice."""
        self._file.close()


class WriterLock:
    """The one right to write below a root; safe to acquire and release repeatedly."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock: FileLock | None = None

    def acquire(self) -> None:
        """Take the right. Raises HomeBusyError where another holder has it."""
        from filelock import FileLock, Timeout  # with asyncio behind it: a reader does without

        if self._lock is None:
            self._lock = FileLock(self._root / "writer.lock", timeout=0, thread_local=False)
        if self._lock.is_locked:
            return
        try:
            self._lock.acquire()
        except Timeout as error:
            raise HomeBusyError(
                f"Another process is writing to the search index in {str(self._root)!r}.",
                next_step="Wait until it has finished, or stop it, and try again.",
            ) from error

    def release(self) -> None:
        """Give the right back; nothing happens where it is not held."""
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> WriterLock:
        """Acquire."""
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        """Release."""
        self.release()


class Generations:
    """The generations below one root folder, which is made where it is missing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def current(self) -> str | None:
        """The name of the serving generation; None before the first."""
        try:
            return (self.root / "current").read_text("ascii", errors="replace").strip() or None
        except FileNotFoundError:
            return None

    def stamp(self) -> tuple[int, int] | None:
        """Changes whenever another generation serves; costs one stat."""
        try:
            stat = (self.root / "current").stat()
        except FileNotFoundError:
            return None
        return (stat.st_ino, stat.st_mtime_ns)

    def path(self, name: str) -> Path:
        """The folder of a generation."""
        return self.root / name

    def create_first(self, build: Callable[[Path], None]) -> None:
        """Have `build` fill a first generation, unless there is one; several processes may start at once."""
        if self.current() is not None:
            return
        from filelock import FileLock

        with FileLock(self.root / "create.lock", timeout=_CREATE_TIMEOUT_S):
            if self.current() is None:
                name = self.reserve()
                hold = self.hold(name)  # or a rebuild that ends now would sweep it away
                try:
                    build(self.path(name))
                    self.switch(name)
                finally:
                    hold.release()

    def reserve(self) -> str:
        """A name that no generation has had here, with its empty folder."""
        numbers = [int(path.name[1:]) for path in self.root.glob("g[0-9]*") if path.name[1:].isdigit()]
        name = f"g{max(numbers, default=0) + 1:06d}"
        self.path(name).mkdir()
        return name

    def switch(self, name: str) -> None:
        """Let `name` serve from now on; readers notice at their next search."""
        write_durably(self.root / "current", name)

    def hold_current(self) -> tuple[str, Hold]:
        """The serving generation, held. Raises IndexUnavailableError where there is none."""
        for _ in range(100):  # a switch and a clean-up may come between reading the name and holding it
            name = self.current()
            if name is None:
                break
            with contextlib.suppress(FileNotFoundError):
                hold = self.hold(name)
                if self.current() == name:
                    return name, hold
                hold.release()
            if not self.path(name).is_dir() and self.current() == name:
                break
        raise IndexUnavailableError(
            f"The search index in {str(self.root)!r} is missing or damaged.",
            next_step="Run `groundwork reindex` to build it again from the records.",
        )

    def hold(self, name: str) -> Hold:
        """Keep a generation from being cleaned up. Raises FileNotFoundError where it is gone."""
        if not self.path(name).is_dir():
            raise FileNotFoundError(name)
        file = (self.path(name) / "open.lock").open("ab")
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_SH)
        return Hold(file)

    def sweep(self) -> list[str]:
        """Delete generations that neither serve nor are open anywhere; for the writer. Gives their names."""
        serving = self.current()
        idle = [path for path in sorted(self.root.glob("g[0-9]*")) if path.name != serving]
        return [path.name for path in idle if self._delete(path)]

    @staticmethod
    def _delete(path: Path) -> bool:
        try:
            with (path / "open.lock").open("ab") as file:
                if fcntl is not None:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path)
        except OSError:  # open somewhere, or on Windows still mapped: the next sweep gets it
            return False
        return True


def write_durably(path: Path, text: str) -> None:
    """Replace a file by `text`: readers see the old one or the new one; on the disk when it returns."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
