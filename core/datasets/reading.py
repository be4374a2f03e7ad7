"""Files of rows read in a child process, within limits: a Parquet file for each table, and its columns.

The child tells how far it is in a small file; what a killed one left is written anew.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.base import ROW
from core.datasets.names import quoted
from core.datasets.pages import page_of, row_pages
from core.datasets.profile import Profile
from core.datasets.raw import write_raw
from core.datasets.sources import Header, TextRows, sources_of
from core.datasets.typed import TypedTable
from core.domain.rows.dataset import DatasetColumn, ReadTable
from core.errors import GroundworkError
from core.processes.children import TaskPool
from core.processes.loop import Reply, limit_memory, serve

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MEMORY_MB = 4_000
TIMEOUT_S = 4 * 3600.0
PROGRESS = "progress.json"
_DUCKDB_MEMORY = "1GB"
_TELL_EVERY_S = 0.5
_NICENESS = 5
_MOST_PAGES = 1_000
_MOST_PAGE_CHARS = 20_000_000
_OUT_OF_MEMORY = (
    "Reading it took too much memory.",
    "Register the columns that are asked for, or several files.",
)


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A file to read into a folder, which is empty or is made."""

    path: Path
    folder: Path
    header: Header = "auto"


def reader_pool(module: str = __name__) -> TaskPool:
    """One process that reads files; started when it is needed."""
    return TaskPool(module, MEMORY_MB, 1, "reader of rows", _OUT_OF_MEMORY)


def progress_of(folder: Path) -> tuple[int, int, str]:
    """Bytes that were read of a file, all of them, and a line for people; zeros before it began."""
    try:
        found = json.loads((folder / PROGRESS).read_text())
    except (OSError, ValueError):
        return 0, 0, ""
    return int(found["done"]), int(found["total"]), str(found["line"])


def main() -> None:
    """The child process."""
    serve(_start, niceness=_NICENESS)


def _start(memory_mb: int) -> Callable[[ReadTask], Reply[tuple[ReadTable, ...]]]:
    # Arrow's own allocator takes 1 GB of addresses before it holds a byte.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    limit_memory(memory_mb)
    return _replied


def _replied(task: ReadTask) -> Reply[tuple[ReadTable, ...]]:
    try:
        return Reply(read_file(task))
    except GroundworkError as error:
        return Reply(None, str(error), error.next_step)
    except MemoryError:
        return Reply(None, *_OUT_OF_MEMORY, is_last=True)
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if "out of memory" in reason.casefold() or "memory limit" in reason.casefold():
            return Reply(None, *_OUT_OF_MEMORY, is_last=True)
        return Reply(None, f"It cannot be read: {reason}.", "Open it in its own program and save it anew.")


def read_file(task: ReadTask) -> tuple[ReadTable, ...]:
    """The tables of a file that have rows, written to the folder of the task. Raises InputError."""
    shutil.rmtree(task.folder, ignore_errors=True)
    task.folder.mkdir(parents=True)
    progress = _Progress(task)
    tables = []
    for number, source in enumerate(sources_of(task.path, task.header)):
        table = _read(source, task, f"{number}.parquet", progress)
        if table is not None:
            tables.append(table)
    return tuple(tables)


def _read(source: TextRows, task: ReadTask, file: str, progress: _Progress) -> ReadTable | None:
    import duckdb

    raw, target = task.folder / "raw.parquet", task.folder / file
    progress.source = source
    heads = write_raw(source, raw, task.path.name, progress.tell)
    if not heads or not progress.rows:
        return None
    progress.step(f"{progress.rows:,} rows read, finding types")
    with duckdb.connect(config=_limits(task.folder)) as db:
        table = TypedTable(db, raw, heads, source.problems)
        table.write(target)
        progress.step(f"{progress.rows:,} rows read, describing columns")
        columns = Profile(db, target, progress.rows, source.problems).of(table.columns)
        pages = _pages(db, target, columns)
    raw.unlink()
    return ReadTable(source.sheet, progress.rows, columns, source.problems.all(), file, pages)


def _pages(db: DuckDBPyConnection, file: Path, columns: Sequence[DatasetColumn]) -> tuple[str, ...]:
    """Texts of the first pages: of 100,000 rows, or fewer where they are long."""
    last = db.execute(f"SELECT max({ROW}) FROM {quoted(str(file))}").fetchone()[0]  # type: ignore[index]
    named = [(each.name, each.head) for each in columns]
    texts: list[str] = []
    size = 0
    for text in row_pages(db, file, named, 1, min(_MOST_PAGES, page_of(last))):
        size += len(text)
        if size > _MOST_PAGE_CHARS:
            break
        texts.append(text)
    return tuple(texts)


def _limits(folder: Path) -> dict[str, str | bool | int | float | list[str]]:
    return {
        "memory_limit": _DUCKDB_MEMORY,
        "threads": 1,  # each holds addresses of its own, and the readers of cells are Python's anyway
        "temp_directory": str(folder / "spill"),
        "preserve_insertion_order": True,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }


class _Progress:
    """Tells the parent how far a file is."""

    def __init__(self, task: ReadTask) -> None:
        self._file = task.folder / PROGRESS
        self._total = task.path.stat().st_size
        self._told_at = 0.0
        self.rows = 0
        self.source: TextRows | None = None

    def tell(self, rows: int) -> None:
        """So many rows of the table are written; cheap."""
        self.rows = rows
        if time.monotonic() - self._told_at >= _TELL_EVERY_S:
            self.step(f"{rows:,} rows")

    def step(self, line: str) -> None:
        """Say what is done now."""
        self._told_at = time.monotonic()
        done = self.source.done() if self.source is not None else 0
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps({"done": min(done, self._total), "total": self._total, "line": line}))
        part.replace(self._file)
