"""A bounded memory of what was made before: the entries used last stay, under one lock."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

_ABSENT: Any = object()


class Cache(Generic[Key, Value]):
    """Entries by key, of which the least recently used goes first. Thread-safe.

    most: how many entries stay. room: what they may weigh together by `weigh`, in its unit; None for any
    weight. The newest entry stays whatever it weighs. Values may be None.
    """

    def __init__(
        self, most: int | None = None, *, room: int | None = None, weigh: Callable[[Value], int] | None = None
    ) -> None:
        self._most = most
        self._room = room
        self._weigh = weigh or (lambda _: 0)
        self._weight = 0
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()  # guards: _entries, and _weight, the sum of theirs

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        """Let go of all entries."""
        with self._lock:
            self._entries.clear()
            self._weight = 0

    def get(self, key: Key) -> Value | None:
        """The value of a key, now the last used; None where there is none."""
        found = self._used(key)
        return None if found is _ABSENT else found

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value in place of what the key had; gives it back."""
        with self._lock:
            if key in self._entries:
                self._weight -= self._weigh(self._entries.pop(key))
            self._entries[key] = value
            self._weight += self._weigh(value)
            while len(self._entries) > 1 and self._is_over():
                self._weight -= self._weigh(self._entries.popitem(last=False)[1])
        return value

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made where there is none.

        It is made outside of the lock: two that ask at once may both make it, and the later one stays. What
        `make` raises is raised, and nothing is kept.
        """
        found = self._used(key)
        return self.put(key, make()) if found is _ABSENT else found

    def _used(self, key: Key) -> Any:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key, _ABSENT)

    def _is_over(self) -> bool:
        too_many = self._most is not None and len(self._entries) > self._most
        return too_many or (self._room is not None and self._weight > self._room)
