"""Named sets of columns of the matrix, kept in the home for every user and bucket."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import threading
from pathlib import Path

from core.domain.principal import Principal
from core.errors import UsageError

FOLDER = "column-sets"
MOST_SETS, LONGEST_NAME = 100, 60
_lock = threading.Lock()  # guards: two saves in this process at once lose none of the two

Sets = dict[str, list[str]]


class ColumnSets:
    """The sets of one user. A file that cannot be read counts as empty."""

    def __init__(self, home: Path, principal: Principal) -> None:
        name = hashlib.sha256(principal.user.encode()).hexdigest()[:24]
        self._path = home / FOLDER / f"{name}.json"

    def of(self, bucket: str) -> Sets:
        """Field names by the name of the set, in the order in which they were saved."""
        return self._read().get(bucket, {})

    def save(self, bucket: str, name: str, fields: list[str]) -> Sets:
        """Keep a set, in place of one of that name; gives all of the bucket. Raises UsageError."""
        name = name.strip()
        if not name or len(name) > LONGEST_NAME or not fields:
            raise UsageError(
                f"A set of columns needs a name of at most {LONGEST_NAME} letters, and a column.",
                next_step="Give it a short name.",
            )
        with _lock:
            known = self._read()
            sets = known.setdefault(bucket, {})
            if name not in sets and len(sets) >= MOST_SETS:
                raise UsageError(
                    f"There are {MOST_SETS} sets already.", next_step="Remove one of them first."
                )
            sets[name] = fields
            self._write(known)
        return sets

    def remove(self, bucket: str, name: str) -> Sets:
        """Forget a set, if there is one of that name; gives those that are left."""
        with _lock:
            known = self._read()
            sets = known.get(bucket, {})
            if sets.pop(name, None) is not None:
                self._write(known)
        return sets

    def _read(self) -> dict[str, Sets]:
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            bucket: {name: [str(field) for field in fields] for name, fields in sets.items()}
            for bucket, sets in found.items()
            if isinstance(sets, dict) and all(isinstance(fields, list) for fields in sets.values())
        }

    def _write(self, known: dict[str, Sets]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=self._path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(known, file, ensure_ascii=False)
            os.replace(part, self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
