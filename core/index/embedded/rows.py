"""The vector side of the embedded engine: one row a passage, in append-only files, read exactly.

`vectors.f32` holds the matrix, `rows.bin` passage id and filter columns, `dead.bin` the numbers of rows
that no longer count, `names.jsonl` the strings behind the columns' codes. How much of each file counts
is said by the `State` that was committed with the keyword side: bytes beyond it are leftovers of a write that
never became visible, and the next write cuts them off.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.cache import Cache
from core.domain.ids import DocumentId
from core.domain.passage import Matrix
from core.index.base import Filter
from core.index.version import write_durably
from core.store.base import IndexedPassage

T = TypeVar("T")
_ATTEMPTS = 1_000  # a writer that commits all the time, and a reader that is always late
_ROW = np.dtype(
    [("passage", "<i8"), ("document", "<i4"), ("bucket", "<i4"), ("doc_type", "<i4"), ("acl", "<i4")]
)
_FILES = ("vectors.f32", "rows.bin", "dead.bin", "names.jsonl")
_KINDS = ("document", "bucket", "doc_type", "acl")
_ROOM = 64_000_000  # rows, a byte each, of what is kept for one state


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


class Names:
    """The strings behind the codes of each column; grows, and a code never changes its meaning."""

    def __init__(self) -> None:
        self.values: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
        self._codes: dict[str, dict[Any, int]] = {kind: {} for kind in _KINDS}

    def code(self, kind: str, value: Any) -> int | None:
        """The code of a value; None where no row ever had it."""
        return self._codes[kind].get(value)

    def codes_of(self, kind: str, values: frozenset[Any]) -> list[int]:
        """The codes of those values that a row ever had, in no order."""
        codes = self._codes[kind]
        if len(values) < len(codes):
            return [codes[value] for value in values if value in codes]
        return [codes[value] for value in self.values[kind][:] if value in values]

    def add(self, kind: str, value: Any) -> int:
        """The code of a value, which is made up where it is new."""
        codes = self._codes[kind]
        if value not in codes:
            codes[value] = len(codes)
            self.values[kind].append(value)
        return codes[value]

    def read(self, data: bytes) -> None:
        """Take in further lines of `names.jsonl`."""
        for line in data.splitlines():
            kind, value = json.loads(line)
            self.add(kind, tuple(value) if isinstance(value, list) else value)


@dataclass(frozen=True, slots=True)
class RowView:
    """The rows of one committed state; never changes. Columns are (n,), the matrix is (n, d)."""

    state: State
    matrix: Matrix
    columns: NDArray[np.void]
    alive: NDArray[np.bool_]
    alive_count: int
    names: Names
    name_counts: dict[str, int]
    open_rows: Cache[frozenset[str], NDArray[np.bool_]] = field(
        default_factory=lambda: Cache(room=_ROOM, weigh=len)
    )  # by groups: who asks does so again and again

    @property
    def passages(self) -> NDArray[np.int64]:
        """The passage id of every row."""
        column: NDArray[np.int64] = self.columns["passage"]
        return column

    def document(self, row: int) -> DocumentId:
        """The document that a row belongs to."""
        return DocumentId(self.names.values["document"][int(self.columns["document"][row])])

    def select(self, wanted: Filter) -> NDArray[np.bool_]:
        """(n,) True for every living row that the filter admits."""
        mask = self.alive.copy()
        if wanted.buckets is not None:
            mask &= self._listed("bucket", wanted.buckets)
        if wanted.documents is not None:
            mask &= self._listed("document", wanted.documents)
        if wanted.excluded_documents:
            mask &= ~self._listed("document", wanted.excluded_documents)
        if wanted.passages is not None:
            listed = np.fromiter(wanted.passages, np.int64, len(wanted.passages))
            mask &= np.isin(self.passages, listed)
        if wanted.doc_types is not None:
            mask &= self._listed("doc_type", wanted.doc_types)
        if wanted.groups is not None:
            groups = wanted.groups
            admitted = self.open_rows.get_or_make(groups, lambda: self._open_to(groups))
            if wanted.shown_documents:
                admitted = admitted | self._listed("document", wanted.shown_documents)
            mask &= admitted
        return mask

    def _open_to(self, groups: frozenset[str]) -> NDArray[np.bool_]:
        known = self.names.values["acl"][: self.name_counts["acl"]]
        if not known:
            return np.zeros(len(self.alive), np.bool_)
        open_to = np.array([not acl or not groups.isdisjoint(acl) for acl in known], np.bool_)
        admitted: NDArray[np.bool_] = open_to[self.columns["acl"]]
        return admitted

    def documents_of(self, mask: NDArray[np.bool_]) -> list[str]:
        """The documents that have a row in the mask."""
        values = self.names.values["document"]
        return [values[code] for code in np.unique(self.columns["document"][mask])]

    def rows_of(self, documents: frozenset[DocumentId]) -> NDArray[np.int64]:
        """The living rows of some documents."""
        if not documents:
            return np.empty(0, np.int64)
        return np.flatnonzero(self.alive & self._listed("document", documents))

    def _listed(self, kind: str, values: frozenset[Any]) -> NDArray[np.bool_]:
        """(n,) True where the column's value is one of `values`; by a table, so 50,000 values are cheap."""
        size = self.name_counts[kind]
        table = np.zeros(size, np.bool_)
        codes = np.array(self.names.codes_of(kind, values), np.int64)
        table[codes[codes < size]] = True
        listed: NDArray[np.bool_] = table[self.columns[kind]]
        return listed


class RowFiles:
    """The files of one generation. Reading and writing may go on at once; one writer at a time."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self._folder = folder
        self._dimension = dimension

    @staticmethod
    def create(folder: Path) -> None:
        """Make the empty files."""
        folder.mkdir(parents=True)
        for name in _FILES:
            (folder / name).touch()

    def view(self, state: State, before: RowView | None = None) -> RowView:
        """The rows of a state, reading only what came after `before`."""
        if before is not None and (before.state.rows > state.rows or before.state.dead > state.dead):
            before = None
        old = before.state if before is not None else State(sequence=0)
        names = before.names if before is not None else Names()
        names.read(self._read("names.jsonl", old.names_bytes, state.names_bytes - old.names_bytes))
        fresh = np.frombuffer(
            self._read("rows.bin", old.rows * _ROW.itemsize, (state.rows - old.rows) * _ROW.itemsize), _ROW
        )
        dead = np.frombuffer(self._read("dead.bin", old.dead * 8, (state.dead - old.dead) * 8), "<i8")
        alive = np.ones(state.rows, np.bool_)
        if before is not None:
            alive[: old.rows] = before.alive
            fresh = np.concatenate([before.columns, fresh])
        alive[dead] = False
        return RowView(
            state=state,
            matrix=self._map(state.rows),
            columns=fresh,
            alive=alive,
            alive_count=int(alive.sum()),
            names=names,
            name_counts={kind: len(names.values[kind]) for kind in _KINDS},
        )

    def append(
        self, view: RowView, removed: frozenset[DocumentId], added: Sequence[IndexedPassage], sequence: int
    ) -> State:
        """Write rows behind those of `view` and mark the rows of `removed` as dead.

        Durable when it returns, and invisible until the state that it gives is committed.
        """
        names = _Coder(view.names)
        rows = np.zeros(len(added), _ROW)
        for at, indexed in enumerate(added):
            stored = indexed.stored
            acl = tuple(sorted(set(stored.acl)))
            rows[at] = (
                stored.id,
                names.code("document", stored.passage.document),
                names.code("bucket", stored.bucket),
                names.code("doc_type", stored.doc_type),
                names.code("acl", acl),
            )
        lines = names.lines()
        dead = view.rows_of(removed).astype("<i8")
        old = view.state
        width = self._dimension * 4
        self._write("vectors.f32", old.rows * width, [_bytes_of(indexed) for indexed in added])
        self._write("rows.bin", old.rows * _ROW.itemsize, [rows.tobytes()])
        self._write("dead.bin", old.dead * 8, [dead.tobytes()])
        self._write("names.jsonl", old.names_bytes, [lines])
        return State(sequence, old.rows + len(added), old.dead + len(dead), old.names_bytes + len(lines))

    def _map(self, rows: int) -> Matrix:
        if rows == 0:
            return np.empty((0, self._dimension), np.float32)
        shape = (rows, self._dimension)
        return np.asarray(np.memmap(self._folder / "vectors.f32", np.dtype("<f4"), "r", 0, shape))

    def _read(self, name: str, start: int, size: int) -> bytes:
        if size == 0:
            return b""
        with (self._folder / name).open("rb") as file:
            file.seek(start)
            data = file.read(size)
        if len(data) < size:
            raise ValueError(f"{name} is shorter than its commit says")
        return data

    def _write(self, name: str, start: int, pieces: Sequence[bytes]) -> None:
        path = self._folder / name
        if not any(pieces) and path.stat().st_size == start:
            return
        with path.open("r+b") as file:
            file.truncate(start)
            file.seek(start)
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())


class _Coder:
    """Codes for the rows of one write; new names are kept apart until they are committed."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._new: dict[str, dict[Any, int]] = {kind: {} for kind in _KINDS}

    def code(self, kind: str, value: Any) -> int:
        code = self._names.code(kind, value)
        if code is not None:
            return code
        new = self._new[kind]
        return new.setdefault(value, len(self._names.values[kind]) + len(new))

    def lines(self) -> bytes:
        pairs = [(kind, value) for kind, values in self._new.items() for value in values]
        return "".join(json.dumps(pair) + "\n" for pair in pairs).encode()


def _bytes_of(indexed: IndexedPassage) -> bytes:
    return np.ascontiguousarray(indexed.vector, dtype="<f4").tobytes()
