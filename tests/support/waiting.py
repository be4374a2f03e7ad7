"""Waiting for what another thread, process or server does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

_Found = TypeVar("_Found")


def wait_for(find: Callable[[], _Found | None], within_s: float, what: str = "it took too long") -> _Found:
    """What `find` gives once that is something true; fails with `what` after `within_s`."""
    deadline = time.monotonic() + within_s
    while not (found := find()):
        assert time.monotonic() < deadline, what
        time.sleep(0.1)
    return found
