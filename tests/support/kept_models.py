"""Tokenizer and weights of a model, read once a process: for each home anew they take a tenth of a second."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.encode import minilm, tokens


def keep_models() -> None:
    """From now on a model whose files are as they were when it was read is not read again."""
    minilm._read_weights = _kept(minilm._read_weights)
    tokens.WordPieceCounter.load = staticmethod(_kept(tokens.WordPieceCounter.load))  # type: ignore[method-assign, assignment]


def _kept(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
    made: dict[object, Any] = {}

    def kept(folder: Path | str) -> Any:
        place = Path(folder)
        if not place.is_dir():
            return read(place)
        states = sorted((str(file), *_state(file)) for file in place.iterdir())
        key = (str(place), *states)
        if key not in made:
            made[key] = read(place)
        return made[key]

    return kept


def _state(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_mtime_ns, found.st_size
