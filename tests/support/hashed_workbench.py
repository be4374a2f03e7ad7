"""A workbench with an encoder that needs no model, and the processes of it: a worker, and one that searches.

`python -m tests.support.hashed_workbench worker HOME` runs jobs until SIGTERM; `... search HOME FOLDER...`
submits one ingest for each folder, then searches until its input ends, and prints how many searches failed
and how many worked. The database is named by GROUNDWORK_RECORDS__URL.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from core.config.load import load_settings
from core.domain.search import SearchQuery
from core.encode.base import EncodedText, TextToEncode
from core.jobs.worker import run
from core.workbench.facade import Workbench
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

_PASSAGE_S = 0.02


class SlowEncoder(HashedEncoder):
    """Takes its time over passages, so that a kill meets it at work."""

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        threading.Event().wait(_PASSAGE_S * len(texts))
        return super().encode_passages(texts)


def hashed_parts(home: Path) -> Parts:
    """The parts of a workbench, with that encoder."""
    return PartsWith(load_settings(home), SlowEncoder())


def work(home: Path) -> None:
    """Be a worker until SIGTERM."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with contextlib.closing(hashed_parts(home)) as parts:
        handlers = Handlers(parts)
        run(parts.records, home, handlers.make, stop, background=handlers.upkeep, withheld=handlers.withheld)


def search(home: Path, folders: Sequence[Path]) -> None:
    """Submit the folders, then search until standard input ends."""
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    failed = worked = 0
    with Workbench(hashed_parts(home)) as bench:
        for folder in folders:
            bench.local.documents.submit_ingest([folder])
        print("submitted", flush=True)  # noqa: T201
        while not ended.wait(0.2):
            try:
                bench.search(SearchQuery("the tenant pays the rent"))
                worked += 1
            except Exception as error:
                failed += 1
                print(f"failed: {error!r}", file=sys.stderr, flush=True)  # noqa: T201
    print(f"{failed} {worked}", flush=True)  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        work(Path(sys.argv[2]))
    else:
        search(Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
