"""Gates: a test decides when a running answer goes on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol


class Gate(Protocol):
    """What a running answer waits for: a threading.Event, or a FileGate across processes."""

    def wait(self, timeout: float | None = None) -> object: ...


class FileGate:
    """Opens when another process writes to the named pipe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    def wait(self, timeout: float | None = None) -> object:
        return self._path.read_text()
