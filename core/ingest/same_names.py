"""Files whose name a document has already with other contents: what to ask a person before an ingest."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.config.models import Settings
from core.domain.document import DocumentSummary
from core.domain.job import SameName
from core.errors import InputError
from core.ingest.intake import roots
from core.ingest.likeness import ALIKE, likeness
from core.ingest.parse_pool import ParsePool
from core.store.database.visibility import Visibility
from core.store.store import Records


def same_names(
    records: Records,
    settings: Settings,
    paths: Sequence[Path],
    names: Sequence[str],
    bucket: str,
    visible: Visibility,
) -> list[SameName]:
    """Those of some files whose document is there and may be seen, and has other contents; in their order.

    Where none has the very source, those of the same file name in any folder count: the newest of them.
    Archives and folders are no documents. Of a file that cannot be read now the ingest says why.
    """
    found: list[SameName] = []
    with closing(ParsePool(settings)) as pool:
        for path, source in zip(paths, roots(paths, names), strict=True):
            known = records.documents.find(bucket, source)
            if not path.is_file():
                continue
            if known is None or known.is_gone:
                held = records.documents.of_file_name(bucket, source, visible)
            elif records.documents.get_many([known.id], visible):
                held = [known, *records.documents.numbered(bucket, source)]
            else:
                continue
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if not held or any(each.content_hash == digest for each in held):
                continue
            share, nearest = _nearest(records, held, pool, path, source)
            found.append(SameName(source, nearest, share, share is None or share >= ALIKE))
    return found


def _nearest(
    records: Records, held: Sequence[DocumentSummary], pool: ParsePool, path: Path, source: str
) -> tuple[float | None, DocumentSummary]:
    """The document that a file is most alike to, and how much; the first where there are too few words."""
    try:
        parsed = pool.parse(path, source).parsed
    except InputError:
        return None, held[0]
    everything = Visibility.everything()
    shares = [
        (likeness(records.documents.version(each.id, None, everything).pages, parsed.pages), each)
        for each in held
    ]
    return max(shares, key=lambda pair: pair[0] or 0.0)
