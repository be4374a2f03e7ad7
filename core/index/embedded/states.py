"""State of the engine for each tantivy commit, kept in a small file beside the index.

tantivy gives every commit a number, the opstamp, that `meta.json` carries and merges keep. The file holds
two states: the one of the newest opstamp, and the one that the next commit brings. Written before that
commit, it is right before and after it, and after a crash at any moment between.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from core.index.version import write_durably

T = TypeVar("T")

_ATTEMPTS = 1_000  # a writer that commits all the time, and a reader that is always late


@dataclass(frozen=True, slots=True)
class State:
    """State of one commit: changes up to `sequence`, and so much of each file of `RowFiles`."""

    sequence: int
    rows: int = 0
    dead: int = 0
    names_bytes: int = 0


class StateFile:
    """The states of the index in one folder. Raises OSError or ValueError where they cannot be read."""

    def __init__(self, folder: Path) -> None:
        self._meta = folder / "meta.json"
        self._path = folder / "states.json"

    def begin(self, committed: State, following: State) -> None:
        """Let the next commit bring `following`; `committed` holds until then. Durable when it returns."""
        states = {"opstamp": self._opstamp(), "committed": asdict(committed), "following": asdict(following)}
        write_durably(self._path, json.dumps(states))

    def committed(self) -> State:
        """The state of the newest commit."""
        return self.with_committed(lambda state: state)

    def with_committed(self, read: Callable[[State], T]) -> T:
        """Result of `read` for the newest commit and its state; called again where a commit came between."""
        for _ in range(_ATTEMPTS):
            opstamp = self._opstamp()
            result = read(self._state_at(opstamp))
            if self._opstamp() == opstamp:
                return result
        raise ValueError("it changes faster than it can be read")

    def _state_at(self, opstamp: int) -> State:
        try:
            states = json.loads(self._path.read_text("utf-8"))
            return State(**states["committed" if states["opstamp"] == opstamp else "following"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self._path.name} does not hold states: {error!r}") from error

    def _opstamp(self) -> int:
        try:
            return int(json.loads(self._meta.read_text("utf-8"))["opstamp"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self._meta.name} holds no opstamp: {error!r}") from error
