"""A command with all its descendants: its memory, and an end like that of a machine that loses power."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

_SAMPLE_EVERY_S = 0.5
_MEGABYTE = 1e6
ROOT = Path(__file__).parents[1]


class ProcessTree:
    """A `groundwork` command, watched until it ends; Linux only, since it reads /proc.

    peak_mb: the most that the command and its descendants held at one time. Pages that several share are
    counted once (PSS), where the system tells.
    """

    def __init__(self, arguments: Sequence[str | Path], log: Path) -> None:
        self._log = log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "core.cli", *map(str, arguments)],
            stdout=self._log,
            stderr=self._log,
            cwd=ROOT,
            start_new_session=True,
        )
        self.peak_mb = 0.0
        self._ended = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self._sampler.start()

    @property
    def pid(self) -> int:
        """The process id of the command itself."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the command itself runs."""
        return self._process.poll() is None

    def wait(self) -> int:
        """The exit code, once it has ended; blocks."""
        return self._process.wait()

    def stop(self) -> int:
        """SIGTERM for the command, which ends its descendants itself; the exit code."""
        self._process.terminate()
        return self.wait()

    def kill(self) -> int:
        """SIGKILL for the command and every descendant; gives how many there were."""
        return kill_tree(self._process)

    def __enter__(self) -> ProcessTree:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End it where it still runs; safe to call twice."""
        if self.is_alive:
            self.kill()
        self._ended.set()
        self._sampler.join()
        self._log.close()

    def _sample(self) -> None:
        while not self._ended.wait(_SAMPLE_EVERY_S):
            held = sum(_held_bytes(one) for one in descendants(self._process.pid))
            self.peak_mb = max(self.peak_mb, held / _MEGABYTE)


def kill_tree(process: subprocess.Popen[bytes]) -> int:
    """SIGKILL for a process and all below it, waited for; gives how many there were."""
    tree = descendants(process.pid)
    for one in tree:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.wait()
    return len(tree)


def descendants(root: int) -> list[int]:
    """`root` and all below it, parents first; parsers have process groups of their own."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [root]
    for one in found:
        found.extend(children.get(one, ()))
    return found


def _held_bytes(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    for line in lines:
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0
