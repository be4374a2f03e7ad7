"""Encoded passages of one document until it is published: in memory, and on disk once there are many."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from core.domain.passage import EncodedPassage
from core.errors import RecordsError

IN_MEMORY = 2_000  # about 15 kB each, nearly all of it sentence vectors


class Spool:
    """Takes passages in order and gives them back in order. Not thread-safe."""

    def __init__(self, folder: Path, in_memory: int = IN_MEMORY) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._newest: list[EncodedPassage] = []
        self._file: IO[bytes] | None = None
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, passages: Sequence[EncodedPassage]) -> None:
        """Add passages. Raises RecordsError where the disk is full."""
        self._newest.extend(passages)
        self._count += len(passages)
        if len(self._newest) < self._in_memory:
            return
        try:
            if self._file is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                # Without a name: a killed worker leaves nothing behind.
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed by close()
            pickle.dump(self._newest, self._file, protocol=pickle.HIGHEST_PROTOCOL)
        except OSError as error:
            raise RecordsError(
                f"The folder {str(self._folder)!r} cannot be written: {error.strerror or error}.",
                next_step="Free some disk space, then resume the job.",
            ) from error
        self._newest = []

    def __iter__(self) -> Iterator[EncodedPassage]:
        if self._file is not None:
            self._file.seek(0)
            while True:
                try:
                    yield from pickle.load(self._file)
                except EOFError:
                    break
        yield from self._newest

    def close(self) -> None:
        """Forget everything."""
        self._newest = []
        if self._file is not None:
            self._file.close()
            self._file = None
