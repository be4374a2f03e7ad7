"""States of datasets against their files: read as it is, changed since, or gone."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from core.domain.rows.dataset import Dataset, DatasetState

_HASHED_AT_ONCE = 20_000_000  # bytes: a smaller file is looked into where only its time is another


def state_of(dataset: Dataset) -> DatasetState:
    """How it stands to its file now, by its size, time and contents; an upload has none that could change."""
    if dataset.state is DatasetState.REMOVED or not dataset.path:
        return dataset.state
    try:
        facts = Path(dataset.path).stat()
    except OSError:
        return DatasetState.MISSING
    if (facts.st_size, facts.st_mtime_ns) == (dataset.size_bytes, dataset.modified_ns):
        return DatasetState.READY
    if facts.st_size != dataset.size_bytes or facts.st_size > _HASHED_AT_ONCE:
        return DatasetState.CHANGED
    try:
        is_same = _hash(dataset.path, facts.st_size, facts.st_mtime_ns) == dataset.content_hash
    except OSError:
        is_same = False
    return DatasetState.READY if is_same else DatasetState.CHANGED


@lru_cache(maxsize=4_096)
def _hash(path: str, size: int, modified_ns: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def state_remark(dataset: Dataset) -> str:
    """A sentence for answers over a dataset whose file is another one now; "" where it is the same."""
    state = state_of(dataset)
    if state not in (DatasetState.CHANGED, DatasetState.MISSING):
        return ""
    is_said = "changed since" if state is DatasetState.CHANGED else "is gone since"
    at = dataset.registered_at.date().isoformat()
    return (
        f"The file of “{dataset.name}” {is_said} it was registered ({at}): this is told by its rows of then."
    )
