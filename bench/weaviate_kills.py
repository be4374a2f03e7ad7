"""Ten `kill -9`s of Weaviate during an ingest: is every passage found again, and what was repaired?

    python -m bench.weaviate_kills --data DIR [--weaviate-server PATH] [--documents 60] [--kills 10]

Ingests the smallest contracts of DIR/cuad with the configured encoder through a worker, twice: on a server
that indexes vectors asynchronously, as Groundwork recommends, and on one in Weaviate's default mode. The
server is killed at random moments, one in each equal part of the ingest, and started again at once. The
worker is left to notice and to repair. When it has brought the server up to the records, every passage is
looked for there: by its own vector, by its rarest words, and among the passages of its document, which a
filter selects. Repairs are those that the worker logged. Prints a table and then one JSON object; ends with
1 where a passage is not found.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.ingest_kills import choose
from bench.servers import add_options, check_options, weaviate, write_settings
from core.config.load import load_settings
from core.config.models import Settings
from core.domain.ids import DocumentId
from core.domain.job import JobState
from core.domain.upkeep import RepairReport
from core.encode.load import signature
from core.index.base import Filter, Mode, SearchRequest
from core.index.weaviate import WeaviateEngine
from core.store.base import IndexedPassage
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.text.analyse import passage_terms
from core.workbench import Workbench
from core.workbench.work.worker import run_worker
from tests.support.weaviate_server import WeaviateServer

RAREST = 8  # words of a passage that it is looked for by
NEAR, EVEN_TIES = 10, 200  # how deep it is looked for; the second where equal passages crowd before it
LEVEL_WITHIN_S, NOTICED_WITHIN_S = 300.0, 60.0
_POLL_S = 0.2


class Repairs(logging.Handler):
    """The repairs that the process logs, each with the second of the run that it ended in."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.monotonic()
        self.found: list[tuple[float, RepairReport]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the reports among what was logged."""
        reports = [one for one in record.args or () if isinstance(one, RepairReport)]
        self.found += [(round(time.monotonic() - self.began, 1), report) for report in reports]

    @contextmanager
    def listening(self) -> Iterator[Repairs]:
        """Hear of repairs until the end of the block."""
        log = logging.getLogger("core.index.weaviate.repair")
        log.setLevel(logging.INFO)
        log.addHandler(self)
        try:
            yield self
        finally:
            log.removeHandler(self)


@contextmanager
def working(home: Path) -> Iterator[None]:
    """A worker of the home in a thread."""
    stop = threading.Event()
    thread = threading.Thread(target=run_worker, kwargs={"home": home, "stop": stop})
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def kill_at(
    server: WeaviateServer, records: Records, moments: Sequence[float], rng: random.Random
) -> list[int]:
    """Kill the server each time that so many documents are there; gives how many there were."""
    there = []
    for moment in moments:
        while records.documents.count(Visibility.everything()) < moment and not has_ended(records):
            time.sleep(_POLL_S)
        time.sleep(2 * rng.random())  # not only right after a document was published
        there.append(records.documents.count(Visibility.everything()))
        server.kill9()
        server.start()
        print(f"killed with {there[-1]} documents there", file=sys.stderr)
    return there


def has_ended(records: Records) -> bool:
    """Whether every job has."""
    return all(job.state.is_ended for job in records.jobs.list())


def wait_until_level(settings: Settings, records: Records, repairs: Repairs, killed_at: float) -> float:
    """Wait for the end of the ingest, for the server to be level, and for a repair after the last kill.

    Gives the seconds from the last kill to the first moment at which the first two were so.
    """
    deadline = time.monotonic() + LEVEL_WITHIN_S
    while not has_ended(records):
        time.sleep(_POLL_S)
    with closing(WeaviateEngine.open(settings.index, signature(settings))) as engine:
        while engine.status().sequence < records.changes.data_version():
            if time.monotonic() > deadline:
                raise SystemExit(f"The server was not brought up to the records: {engine.status()}")
            time.sleep(_POLL_S)
    level = time.monotonic()
    while not any(repairs.began + at > killed_at for at, _ in repairs.found):
        if time.monotonic() > level + NOTICED_WITHIN_S:
            break
        time.sleep(_POLL_S)
    return round(level - killed_at, 1)


def look_for_all(settings: Settings, records: Records) -> dict[str, int]:
    """How many passages there are, and how many the server does not give in each way of asking."""
    rows = [row for batch in records.passages.iterate() for row in batch]
    terms = {row.stored.id: sorted(set(passage_terms(row.stored))) for row in rows}
    frequency = Counter(term for each in terms.values() for term in each)
    lacking = Counter[str]()
    with closing(WeaviateEngine.open(settings.index, signature(settings))) as engine:
        objects = engine.status().passages
        for row in rows:
            rarest = sorted(terms[row.stored.id], key=lambda term: (frequency[term], term))[:RAREST]
            words = tuple((term, 1.0) for term in rarest)
            lacking["by its own vector"] += not _finds(
                engine, row, SearchRequest((), row.vector, Mode.SEMANTIC)
            )
            lacking["by keyword"] += not _finds(engine, row, SearchRequest(words, None, Mode.KEYWORD))
        by_document: dict[DocumentId, list[IndexedPassage]] = {}
        for row in rows:
            by_document.setdefault(row.stored.passage.document, []).append(row)
        for document, own in by_document.items():
            only = Filter(documents=frozenset({document}))
            request = SearchRequest((), own[0].vector, Mode.SEMANTIC, top_k=len(own) + NEAR, filter=only)
            wanted = {row.stored.id for row in own}
            lacking["by filter"] += len(wanted ^ {hit.passage for hit in engine.search(request)})
    return {
        "passages": len(rows),
        "objects": objects,
        **{f"not found {how}": n for how, n in lacking.items()},
    }


def _finds(engine: WeaviateEngine, row: IndexedPassage, request: SearchRequest) -> bool:
    for depth in (NEAR, EVEN_TIES):
        deeper = SearchRequest(request.terms, request.vector, request.mode, top_k=depth)
        if any(hit.passage == row.stored.id for hit in engine.search(deeper)):
            return True
    return False


def measure(paths: list[Path], kills: int, seed: int, *, asynchronous: bool) -> dict[str, Any]:
    """One ingest with kills, on a server of one mode."""
    rng = random.Random(seed)
    moments = [(number + rng.random()) / kills * len(paths) for number in range(kills)]
    with tempfile.TemporaryDirectory() as folder, weaviate(asynchronous=asynchronous) as server:
        home = Path(folder)
        write_settings(home, server)
        settings = load_settings(home)
        with (
            Repairs().listening() as repairs,
            Workbench.open(home) as bench,
            Records.open(settings) as records,
        ):
            with working(home):
                job = bench.local.documents.submit_ingest(paths, bucket="contracts")
                there = kill_at(server, records, moments, rng)
                killed_at = time.monotonic()
                level_s = wait_until_level(settings, records, repairs, killed_at)
            state = bench.local.jobs.get(job).state
            found = look_for_all(settings, records)
            documents = records.documents.count(Visibility.everything())
    return {
        "indexing": "asynchronous" if asynchronous else "synchronous",
        "documents": documents,
        "job": state.value if state is JobState.DONE else f"{state.value}, not done",
        "documents at each kill": there,
        **found,
        "level after the last kill, s": level_s,
        "repairs": len(repairs.found),
        "repaired after the last kill": any(repairs.began + at > killed_at for at, _ in repairs.found),
        **{
            f"{what} when repaired": sum(getattr(report, what) for _, report in repairs.found)
            for what in ("missing", "lost", "surplus", "repaired", "is_rebuilt")
        },
        "reports": [{"at_s": at} | asdict(report) for at, report in repairs.found],
        "seed": seed,
    }


def main() -> None:
    """Measure both modes, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", nargs="+", default=["asynchronous", "synchronous"])
    parser.add_argument("--out", type=Path, help="write the figures here as JSON too")
    options = parser.parse_args()
    check_options(parser, options)
    paths = choose(options.data, options.documents)
    results = [
        measure(paths, options.kills, options.seed, asynchronous=mode == "asynchronous")
        for mode in options.modes
    ]
    for name in results[0]:
        if name != "reports":
            print(f"{name:<32}" + "".join(f"{result[name]!s:>42}" for result in results))
    text = json.dumps({"bench": "weaviate_kills", "kills": options.kills, "runs": results})
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")
    lacking = sum(result[name] for result in results for name in result if name.startswith("not found"))
    is_whole = all(result["passages"] == result["objects"] and result["job"] == "done" for result in results)
    sys.exit(0 if is_whole and not lacking else 1)


if __name__ == "__main__":
    main()
