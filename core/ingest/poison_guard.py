"""Remembers what a worker had in hand when it died, so that a file that kills it is not tried for ever.

A crash of a parser process is the pool's to report. This is for what takes the whole worker with it: memory
that the system runs out of, a fault in a native library while a document is encoded or stored.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from types import TracebackType
from typing import IO

# Three kills of one large file must not be held against it; a file that kills has one more try than that.
MOST_DEATHS = 4
PREPARING = -1  # stands for the listing of a job's files, which comes before any of them


class InHand:
    """The inputs of one job that are begun and not done; a file keeps them across the worker's death.

    What was in hand when a worker died is suspect, and is to be tried alone: only a worker that dies with a
    single input in hand counts against that input. An orderly end, an error or a stop included, forgets what
    was begun. Not thread-safe, but for `begin`, which one thread at a time may call. A disk that cannot be
    written costs the memory, never the work.
    """

    def __init__(self, path: Path, pending: Collection[int]) -> None:
        self._path = path
        self._deaths = _after_death(path, frozenset(pending))
        self._file: IO[bytes] | None = None

    @property
    def suspects(self) -> tuple[int, ...]:
        """What to try alone, before all else; ordinals in rising order."""
        return tuple(sorted(self._deaths))

    def is_given_up(self, ordinal: int) -> bool:
        """Whether this input has been alone in hand when a worker died, too often to try it again."""
        return self._deaths.get(ordinal, 0) >= MOST_DEATHS

    def begin(self, ordinal: int) -> None:
        """Note that work on an input begins."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.write(b"begin %d\n" % ordinal)

    def settle(self, done: Iterable[int]) -> None:
        """Forget what was suspected of inputs that are done."""
        for ordinal in done:
            self._deaths.pop(ordinal, None)

    def __enter__(self) -> InHand:
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._keep()
            # Unbuffered: what is written has left the process when it dies.
            self._file = self._path.open("ab", buffering=0)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        with contextlib.suppress(OSError):
            if self._deaths:
                self._keep()
            else:
                self._path.unlink(missing_ok=True)

    def _keep(self) -> None:
        part = self._path.with_name(f"{self._path.name}.part")
        part.write_text("".join(f"suspect {key} {count}\n" for key, count in self._deaths.items()))
        os.replace(part, self._path)


def _after_death(path: Path, pending: frozenset[int]) -> dict[int, int]:
    """How often each suspect among `pending` was alone in hand when a worker died."""
    deaths: dict[int, int] = {}
    begun: dict[int, None] = {}
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    for line in lines:
        kind, *numbers = line.split() or [""]
        if not all(number.removeprefix("-").isdecimal() for number in numbers):
            continue
        if kind == "suspect" and len(numbers) == 2:
            deaths[int(numbers[0])] = int(numbers[1])
        elif kind == "begin" and len(numbers) == 1:
            begun[int(numbers[0])] = None
    suspects = [one for one in begun if one in pending]
    for one in suspects:
        deaths[one] = deaths.get(one, 0) + int(len(suspects) == 1)
    return {ordinal: count for ordinal, count in deaths.items() if ordinal in pending}
