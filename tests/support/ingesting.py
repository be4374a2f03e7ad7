"""A home with everything that ingest needs, and a process that runs its jobs.

Run as a process: `python -m tests.support.ingesting HOME` is the worker of HOME; it prints a line with the
number of documents each time that one is published. A file called DEADLY kills it before it is published.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.config.models import IngestSettings, Settings
from core.domain.ids import JobId
from core.domain.job import IngestItem
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.ingest.intake import IngestInput
from core.ingest.job import IngestGroup, IngestJob, IngestPayload
from core.ingest.pipeline import Pipeline
from core.jobs import queue, worker
from core.jobs.base import JobHandler
from core.jobs.kinds import INGEST, REINGEST
from core.store.base import NewVersion, Published
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.hashed_encoder import HashedEncoder

DEADLY = "deadly.txt"
WORDS = ("lease", "tenant", "rent", "notice", "term", "party", "payment", "liability", "insurance", "repair")


@dataclass
class Ingesting:
    """A home, opened."""

    settings: Settings
    records: Records
    engine: EmbeddedEngine
    pipeline: Pipeline
    noted: dict[int, IngestItem] = field(default_factory=dict)

    def handlers(self) -> Mapping[str, JobHandler]:
        handler = IngestJob(self.records, self.settings, self.pipeline)
        return {INGEST: handler, REINGEST: handler}

    def submit(self, *paths: Path, bucket: str = "default") -> JobId:
        group = IngestGroup(paths=tuple(map(str, paths)), bucket=bucket)
        return queue.submit(self.records, INGEST, "test", IngestPayload(groups=(group,)).model_dump())

    def ingest(self, *paths: Path, control: Calm | None = None, force: bool = False) -> dict[int, IngestItem]:
        """Run the pipeline over these files, without a job."""
        inputs = [
            IngestInput(number, path, path.name, "default", force=force) for number, path in enumerate(paths)
        ]
        self.pipeline.run(inputs, self.noted.update, control or Calm())
        return self.noted

    def contents(self) -> list[tuple[str, int, int, str, bytes]]:
        """Every passage with its document and vector, in an order that no id decides."""
        wanted = [row.id for row in self.records.documents.list(Visibility.everything())]
        return sorted(
            (
                one.stored.source.removeprefix("files/"),
                one.stored.passage.ordinal,
                one.stored.passage.version,
                one.stored.passage.text,
                one.vector.tobytes(),
            )
            for one in self.records.passages.of_documents(wanted)
        )


class Calm:
    """A Control that never interrupts."""

    def check(self) -> None:
        return None

    def should_yield(self) -> bool:
        return False


@contextlib.contextmanager
def opened(home: Path, **ingest: object) -> Iterator[Ingesting]:
    """The home with one parser process and an encoder without a model."""
    limits = IngestSettings.model_validate({"processes": 1, **ingest})
    settings = Settings(home=home, ingest=limits)
    encoder = HashedEncoder()
    with Records.open(settings) as records:
        engine = EmbeddedEngine.open(home / "index", encoder.signature)
        pipeline = Pipeline(records, encoder, engine, settings)
        try:
            yield Ingesting(settings, records, engine, pipeline)
        finally:
            pipeline.close()
            engine.close()


def write_files(folder: Path, count: int, words: int = 60) -> list[Path]:
    """Text files that differ from one another."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"file-{number:03}.txt" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(text(number, words))
    return paths


def text(seed: int, words: int) -> str:
    """Sentences of eight words."""
    chosen: Sequence[str] = [WORDS[(seed * 7 + i * i + i // 5) % len(WORDS)] for i in range(words)]
    lines = [" ".join(chosen[i : i + 8]) for i in range(0, words, 8)]
    return f"Document number {seed}. " + ". ".join(line.capitalize() for line in lines) + "."


def main(home: Path) -> None:
    """Be the worker of `home` until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened(home) as place:
        documents = place.records.documents
        publish, count = documents.publish, 0

        def announce(new: NewVersion) -> Published:
            nonlocal count
            if new.source.endswith(DEADLY):
                os.kill(os.getpid(), signal.SIGKILL)
            published = publish(new)
            count += 1
            print(count, flush=True)  # noqa: T201
            return published

        documents.publish = announce  # type: ignore[method-assign, assignment]
        worker.run(
            place.records,
            home,
            place.handlers,
            stop,
            background=lambda: (catch_up(place.engine, place.records), None)[1],
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
