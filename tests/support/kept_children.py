"""Parsers and extractors that outlive the pool they were started for: each takes a second to start."""

from __future__ import annotations

import os
import pickle

from core.config.models import Settings
from core.extract.jobs.pool import ExtractSetup
from core.processes import children

_MOST = 4


class KeptChildren:
    """Children of closed pools, for the next pool that would start the same. Thread-safe.

    The home is no part of what makes two the same: a child opens nothing in it. A child that harm came to, or
    that was never ready, ends with its pool as always, as does one of a module that only tests have.
    """

    def __init__(self) -> None:
        self._idle: list[_KeptChild] = []

    def make(
        self, module: str, setup: object, called: str, out_of_memory: tuple[str, str]
    ) -> children._TaskChild:
        """A child that is ready, or a new one."""
        key = _key(module, setup)
        for child in reversed(self._idle):
            if child.key == key and self._take(child):
                if child.is_usable:
                    return child
                child.end_for_good()
        return _KeptChild(self, key, module, setup, called, out_of_memory)

    def keep(self, child: _KeptChild) -> None:
        """Have it for the next; the one that waited longest ends where there are too many."""
        self._idle.append(child)
        if len(self._idle) > _MOST:
            oldest = self._idle[0]
            if self._take(oldest):
                oldest.end_for_good()

    def close(self) -> None:
        """End them all."""
        while self._idle:
            self._idle.pop().end_for_good()

    def _take(self, child: _KeptChild) -> bool:
        try:
            self._idle.remove(child)
        except ValueError:  # another thread was first
            return False
        return True


class _KeptChild(children._TaskChild):
    def __init__(
        self,
        keeper: KeptChildren,
        key: bytes,
        module: str,
        setup: object,
        called: str,
        out_of_memory: tuple[str, str],
    ) -> None:
        self.key = key
        self._keeper = keeper
        super().__init__(module, setup, called, out_of_memory)

    def kill(self) -> None:
        """Its pool lets go of it."""
        if self.key and self._is_ready and self.is_usable:
            self._keeper.keep(self)
        else:
            self.end_for_good()

    def end_for_good(self) -> None:
        super().kill()


def _key(module: str, setup: object) -> bytes:
    """What such children have in common; b"" for one that is not kept."""
    if module.startswith("core.") and isinstance(setup, Settings):
        given: object = (setup.ingest, setup.encode)
    elif module.startswith("core.") and isinstance(setup, ExtractSetup):
        given = (setup.settings.ingest, setup.settings.encode, setup.definitions)
    else:
        return b""
    counts = ("GROUNDWORK", "PYTHONPATH")
    environment = sorted(each for each in os.environ.items() if each[0].startswith(counts))
    return pickle.dumps((module, given, environment))
