"""Homes of tables: each file in a bucket of its own, parsed and extracted as the product does it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from core.config.load import load_settings
from core.config.schema_store import GENERIC, shipped_schemas
from core.domain.ids import ContentHash
from core.extract.base import DocumentText
from core.extract.extractor import Extractor
from core.extract.jobs.work import ALL_RULES
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.store.base import NewVersion
from core.store.store import Records
from core.workbench import Workbench


@contextmanager
def open_tables(files: Mapping[str, Path]) -> Iterator[Workbench]:
    """A workbench over these files, by the bucket of each; without an index of passages."""
    with tempfile.TemporaryDirectory(prefix="groundwork-tables-") as folder:
        settings = load_settings(Path(folder))
        with Records.open(settings) as records:
            for bucket, path in files.items():
                put_file(records, bucket, path)
        with Workbench.open(settings=settings) as bench:
            yield bench


def put_file(records: Records, bucket: str, path: Path) -> None:
    """Publish one file with its rows and facts."""
    parsed = parse_file(path, path.name, ParseLimits())
    data = path.read_bytes()
    version = NewVersion(
        bucket, path.name, parsed, ContentHash(sha256(bucket.encode() + data).hexdigest()), len(data)
    )
    published = records.documents.publish(version)
    text = DocumentText(
        document=published.document,
        version=published.version,
        bucket=bucket,
        title=parsed.title,
        source=path.name,
        doc_type=parsed.doc_type,
        media_type=parsed.media_type,
        language=parsed.language,
        pages=parsed.pages,
    )
    extraction = Extractor(None, ALL_RULES).extract(text, shipped_schemas()[GENERIC])
    records.fields.put(published.document, published.version, extraction, "bench")
