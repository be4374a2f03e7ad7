"""A home whose documents a toy extractor reads, and a process that runs its extraction jobs.

Run as a process: `python -m tests.support.extracting HOME` is the worker of HOME; it prints a line with the
number of documents each time that the cells of one are kept.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.config.fields import FieldDefinition, Schema
from core.config.models import IngestSettings, Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import FieldType
from core.domain.ids import ContentHash, DocumentId
from core.extract.base import Definitions
from core.extract.jobs.job import ExtractJob
from core.extract.jobs.pool import ExtractPool
from core.extract.jobs.service import Extractions
from core.jobs import worker
from core.jobs.base import JobHandler
from core.jobs.kinds import EXTRACT
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

ROOT = Path(__file__).parents[2]
DOCUMENTS = 40
LEASES = Schema(
    name="leases",
    title="Leases",
    buckets=("leases",),
    fields=(FieldDefinition(name="rent", title="Rent", type=FieldType.TEXT),),
)


@dataclass
class Extracting:
    """A home, opened."""

    records: Records
    extractions: Extractions

    def handlers(self) -> Mapping[str, JobHandler]:
        return {EXTRACT: ExtractJob(self.records, self.extractions)}

    def rent_of(self, document: DocumentId) -> str:
        return self.records.documents.get(document, Visibility.everything()).title


@contextlib.contextmanager
def opened(home: Path) -> Iterator[Extracting]:
    """The home with two processes of the toy extractor, which start when they are needed."""
    settings = Settings(home=home, ingest=IngestSettings(processes=2))
    make = partial(ExtractPool, module="tests.support.toy_extractor")
    with Records.open(settings) as records:
        extractions = Extractions(records, settings, lambda: Definitions((LEASES,)), make)
        try:
            yield Extracting(records, extractions)
        finally:
            extractions.close()


def fill_home(records: Records) -> None:
    """Publish documents whose title is their rent."""
    for number in range(DOCUMENTS):
        rent = str(100 + number)
        parsed = ParsedDocument(rent, "text/plain", (Page(1, f"The rent is ${rent} a month."),))
        records.documents.publish(NewVersion("leases", f"{rent}.txt", parsed, ContentHash(rent), len(rent)))


def main(home: Path) -> None:
    """Be the worker of `home` until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened(home) as place:
        put, count = place.records.fields.put, 0

        def announce(*given: object, **named: object) -> bool:
            nonlocal count
            kept = put(*given, **named)  # type: ignore[arg-type]
            count += 1
            print(count, flush=True)  # noqa: T201
            threading.Event().wait(0.02)  # so that a kill meets it at work
            return kept

        place.records.fields.put = announce  # type: ignore[method-assign, assignment]
        worker.run(place.records, home, place.handlers, stop)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
