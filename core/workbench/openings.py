"""Names in the openings of documents: read once for a text, and kept beside the records for later starts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TextIO, cast

import core.text.words
import core.values
from core.domain.document import OpeningNames
from core.domain.ids import DocumentId
from core.store.documents.names import Openings
from core.store.store import Records
from core.values.naming.opening import opening_names

PASSAGES = 20  # hold the characters from which names and telling words are read
FILE = "openings.jsonl"
WORTH_KEEPING = 1_000
"""Documents from which on names are kept: of 50,000 they take 50 s to read, and 2 s from the file."""


class NamesFile:
    """Names by a digest of the text that they were read from, a line each, behind a digest of the rules.

    Only a copy of what texts say: a file that cannot be read or written is none. Lines that are cut short or
    of other rules are left out.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, OpeningNames]:
        """All names; {} where there are none, or other rules made them."""
        with contextlib.suppress(OSError, UnicodeDecodeError), self._path.open(encoding="utf-8") as file:
            if file.readline().strip() == _rules():
                return dict(filter(None, map(_from_line, file)))
        return {}

    def append(self, names: Mapping[str, OpeningNames]) -> None:
        """Add names to those that are there."""
        with contextlib.suppress(OSError), _private(self._path, "a") as file:
            file.writelines(_lines(names))

    def replace(self, names: Mapping[str, OpeningNames]) -> None:
        """Hold these names and no others; none of no names."""
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        with contextlib.suppress(OSError):
            with _private(draft, "w") as file:
                file.writelines([f"{_rules()}\n", *_lines(names)])
            draft.replace(self._path)


class KnownOpenings:
    """Names in openings, kept up to the records. Thread-safe; the first call reads all openings.

    home: where they are kept for the next start; None for nowhere. What is removed goes from there at once,
    what a changed text said with the next start.
    """

    def __init__(self, records: Records, home: Path | None = None) -> None:
        self._records = records
        self._openings = Openings(records.database)
        self._file = None if home is None else NamesFile(home / FILE)
        self._lock = threading.Lock()  # the names and their sequence belong together
        self._names: dict[DocumentId, OpeningNames] = {}
        self._keys: dict[DocumentId, str] = {}
        self._sequence = 0

    def names(self) -> Mapping[DocumentId, OpeningNames]:
        """The names of every document as it is now, whoever may see it."""
        with self._lock:
            if self._records.changes.data_version() != self._sequence:
                self._refresh()
            return self._names

    def _refresh(self) -> None:
        is_first = self._sequence == 0
        changed = self._records.changes.since(self._sequence)
        kept = self._file.read() if is_first and self._file is not None else {}
        names = {id: each for id, each in self._names.items() if id not in changed.documents}
        fresh: dict[str, OpeningNames] = {}
        for opening in self._openings.iterate(None if is_first else changed.documents, first=PASSAGES):
            key = hashlib.blake2b(opening.text.encode(), digest_size=16).hexdigest()
            found = kept.get(key) or fresh.get(key)
            if found is None:
                found = fresh[key] = opening_names(opening.text)
            names[opening.id], self._keys[opening.id] = found, key
        gone = [id for id in self._keys if id not in names]
        for id in gone:
            del self._keys[id]
        self._names = names
        self._sequence = changed.sequence
        if len(names) >= WORTH_KEEPING or kept:
            has_others = bool(gone or kept.keys() - set(self._keys.values()))
            self._keep(fresh, is_whole=has_others or (is_first and not kept))

    def _keep(self, fresh: Mapping[str, OpeningNames], *, is_whole: bool) -> None:
        """Write new names. is_whole: anew, so that nothing of what is gone stays."""
        if self._file is None:
            return
        if is_whole:
            self._file.replace({self._keys[id]: each for id, each in self._names.items()})
        elif fresh:
            self._file.append(fresh)


def _private(path: Path, mode: str) -> TextIO:
    """A text file that nobody else on this machine may read, as the records are."""
    opened = open(path, mode, encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600))  # noqa: SIM115
    return cast(TextIO, opened)


@cache
def _rules() -> str:
    """Digest of the code and the word lists by which names are read."""
    values, words = Path(core.values.__file__).parent, Path(core.text.words.__file__).parent
    files = [*sorted(values.rglob("*.py")), *sorted(words.glob("*.toml"))]
    return hashlib.blake2b(b"".join(file.read_bytes() for file in files), digest_size=16).hexdigest()


def _lines(names: Mapping[str, OpeningNames]) -> Iterable[str]:
    for key, each in names.items():
        yield json.dumps([key, each.heading, each.names, each.days, each.capitals, each.words]) + "\n"


def _from_line(line: str) -> tuple[str, OpeningNames] | None:
    try:
        key, heading, names, days, capitals, words = json.loads(line)
        return key, OpeningNames(heading, tuple(map(tuple, names)), tuple(days), capitals, words)
    except (ValueError, TypeError):
        return None
