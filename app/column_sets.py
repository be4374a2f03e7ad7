"""Sets of columns of the matrix, kept in the home for every user: named ones, and those hidden last.

Both are kept for a bucket and a schema. Sets that were named where a bucket shows all kinds are kept for the
bucket, and are there in all of its schemas.
"""

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
_LAST = "@last"  # the name under which the hidden columns are kept; no person's name of a set begins so
MOST_SETS, LONGEST_NAME = 100, 60
_lock = threading.Lock()  # guards: two saves in this process at once lose none of the two

Sets = dict[str, list[str]]


class ColumnSets:
    """The sets of one user. A file that cannot be read counts as empty."""

    def __init__(self, home: Path, principal: Principal) -> None:
        name = hashlib.sha256(principal.user.encode()).hexdigest()[:24]
        self._path = home / FOLDER / f"{name}.json"

    def of(self, bucket: str, schema: str = "") -> Sets:
        """Field names by the name of the set, in the order in which they were saved."""
        known = self._read()
        found = {**known.get(bucket, {}), **known.get(_place(bucket, schema), {})}
        return {name: fields for name, fields in found.items() if name != _LAST}

    def save(self, bucket: str, name: str, fields: list[str], schema: str = "") -> Sets:
        """Keep a set, in place of one of that name; gives all that there are. Raises UsageError."""
        name = name.strip()
        if not name or len(name) > LONGEST_NAME or not fields or name.startswith("@"):
            raise UsageError(
                f"A set of columns needs a name of at most {LONGEST_NAME} letters, and a column.",
                next_step="Give it a short name that begins with a letter.",
            )
        with _lock:
            known = self._read()
            sets = known.setdefault(_place(bucket, schema), {})
            if name not in sets and len(sets) >= MOST_SETS:
                raise UsageError(
                    f"There are {MOST_SETS} sets already.", next_step="Remove one of them first."
                )
            sets[name] = fields
            self._write(known)
        return self.of(bucket, schema)

    def remove(self, bucket: str, name: str, schema: str = "") -> Sets:
        """Forget a set, if there is one of that name; gives those that are left."""
        if name != _LAST:
            with _lock:
                known = self._read()
                places = [known.get(place, {}) for place in dict.fromkeys((bucket, _place(bucket, schema)))]
                if [1 for sets in places if sets.pop(name, None) is not None]:  # of both, not of the first
                    self._write(known)
        return self.of(bucket, schema)

    def hidden(self, bucket: str, schema: str) -> list[str] | None:
        """The columns that were hidden last; None where nothing was ever chosen."""
        return self._read().get(_place(bucket, schema), {}).get(_LAST)

    def hide(self, bucket: str, schema: str, fields: list[str]) -> None:
        """Remember the columns that are hidden; nothing is written where they were already."""
        with _lock:
            known = self._read()
            sets = known.setdefault(_place(bucket, schema), {})
            if sets.get(_LAST) != fields:
                sets[_LAST] = fields
                self._write(known)

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


def _place(bucket: str, schema: str) -> str:
    """Key of a bucket's schema, for "" of the bucket; no name of a bucket holds a line break."""
    return f"{bucket}\n{schema}" if schema else bucket
