"""Two app processes and two workers on one Postgres and one Weaviate, while workers are killed.

    python -m bench.shared_ingest --data DIR [--weaviate-server PATH] [--documents 300] [--kills 2] [--seed 1]

The documents are abstracts of Cranfield and, one in eight, the smallest contracts of CUAD, in six folders.
Each app process submits half of the folders, and the second one also the first folder of the other; both
search all the while. The worker that is at work is killed (SIGKILL, with its parser processes) at random
moments, and another is started. In the end every document must be there once, and every passage once in
the records, on the server and in the local index. Settings are the defaults, deadlines included.
Prints a table and then one JSON object; ends with 1 where anything is missing or twice, or a search failed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from bench.ingest_kills import choose
from bench.process_tree import ROOT, ProcessTree
from bench.retrieval.sets import cranfield_texts
from bench.search_latency import read_questions
from bench.servers import add_options, check_options, postgres_address, weaviate, write_settings
from core.config.load import load_settings
from core.config.models import Settings
from core.domain.search import SearchQuery
from core.encode.load import signature
from core.index.embedded import EmbeddedEngine
from core.index.weaviate import WeaviateEngine
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench

FOLDERS = 6
ENDS_WITHIN_S = 1_200.0
BETWEEN_SEARCHES_S = 0.2
_POLL_S = 0.2
_Found = TypeVar("_Found")


def write_documents(data: Path, count: int, place: Path) -> list[Path]:
    """Folders of real text files: abstracts, and one contract to seven of them."""
    contracts = choose(data, count // 8)
    abstracts = [(name, text) for name, text in cranfield_texts(data).items() if text.strip()]
    texts = [(path.name, path.read_text(encoding="utf-8", errors="replace")) for path in contracts]
    texts += abstracts[: count - len(texts)]
    folders = [place / f"folder-{number}" for number in range(FOLDERS)]
    for number, (name, text) in enumerate(texts):
        folder = folders[number % FOLDERS]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folders


def search_until_told(home: Path, data: Path, folders: Sequence[Path]) -> dict[str, Any]:
    """Be an app process: submit folders, then search until standard input ends."""
    ended = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    questions = read_questions(data)
    times: list[float] = []
    failures: list[str] = []
    degraded = empty = 0
    with Workbench.open(home) as bench:
        bench.warm()
        for folder in folders:
            bench.local.documents.submit_ingest([folder])
        print("submitted", flush=True)
        while not ended.wait(BETWEEN_SEARCHES_S):
            began = time.perf_counter()
            try:
                report = bench.search(SearchQuery(questions[len(times) % len(questions)]))
                degraded += bool(report.degradations)
                empty += not report.hits
            except Exception as error:  # whatever it is, it is what this counts
                failures.append(repr(error))
            times.append((time.perf_counter() - began) * 1000)
    return {"times_ms": times, "failures": failures, "degraded": degraded, "empty": empty}


class AppProcess:
    """`search_until_told` in a process of its own."""

    def __init__(self, home: Path, data: Path, folders: Sequence[Path]) -> None:
        command = [sys.executable, "-m", "bench.shared_ingest", "--data", str(data), "--search", str(home)]
        self._process = subprocess.Popen(
            [*command, *map(str, folders)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == "submitted"

    def finish(self) -> dict[str, Any]:
        """Let it end, and give what it found."""
        said, _ = self._process.communicate(timeout=120)
        return dict(json.loads(said))

    def close(self) -> None:
        """End it where it still runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


def kill_workers(
    home: Path, workers: dict[int, ProcessTree], records: Records, moments: Sequence[float]
) -> list[int]:
    """Kill the worker that is at work each time that so many documents are there, and start another."""
    there = []
    for moment in moments:
        _wait_for(lambda moment=moment: _count(records) >= moment or None, ENDS_WITHIN_S)  # type: ignore[misc]
        busy = _wait_for(lambda: next(iter(_running(records) & workers.keys()), None), 120)
        there.append(_count(records))
        workers.pop(busy).close()
        add_worker(home, workers)
        print(f"killed a worker with {there[-1]} documents there", file=sys.stderr)
    return there


def add_worker(home: Path, workers: dict[int, ProcessTree]) -> None:
    """Start one more."""
    worker = ProcessTree(["worker", "--home", home], home / "workers.log")
    workers[worker.pid] = worker


def compare(settings: Settings, records: Records, names: set[str]) -> dict[str, Any]:
    """What is there in the end, against what was submitted."""
    listed = records.documents.list(Visibility.everything())
    found = Counter(Path(row.source).name for row in listed)
    with (
        closing(WeaviateEngine.open(settings.index, signature(settings))) as served,
        closing(EmbeddedEngine.open(settings.home / "index", signature(settings))) as local,
    ):
        return {
            "documents": len(names),
            "once": sum(number == 1 for number in found.values()),
            "twice": sum(number > 1 for number in found.values()),
            "missing": len(names - found.keys()),
            "of a second version": sum(row.version != 1 for row in listed),
            "not ready": sum(row.status.value != "ready" for row in listed),
            "passages in the records": records.passages.count(),
            "passages on the server": served.status().passages,
            "passages in the local index": local.status().passages,
            "jobs not done": sum(job.state.value != "done" for job in records.jobs.list()),
        }


def measure(options: argparse.Namespace, place: Path) -> dict[str, Any]:
    """The whole run."""
    rng = random.Random(options.seed)
    home = place / "home"
    home.mkdir()
    folders = write_documents(options.data, options.documents, place)
    names = {path.name for folder in folders for path in folder.iterdir()}
    moments = [(number + rng.random()) / (options.kills + 1) * len(names) for number in range(options.kills)]
    with ExitStack() as stack:
        server, url = stack.enter_context(weaviate()), stack.enter_context(postgres_address())
        write_settings(home, server, records_url=url)
        settings = load_settings(home)
        records = stack.enter_context(Records.open(settings))
        workers: dict[int, ProcessTree] = {}
        stack.callback(_close_all, workers)
        add_worker(home, workers)
        add_worker(home, workers)
        began = time.perf_counter()
        halves = (folders[: FOLDERS // 2], [*folders[FOLDERS // 2 :], folders[0]])
        apps = [AppProcess(home, options.data, half) for half in halves]
        for app in apps:
            stack.callback(app.close)
        there = kill_workers(home, workers, records, moments)
        _wait_for(lambda: all(job.state.is_ended for job in records.jobs.list()) or None, ENDS_WITHIN_S)
        seconds = time.perf_counter() - began
        searched = [app.finish() for app in apps]
        _wait_for(lambda: _is_level(settings, records) or None, 120)
        for worker in workers.values():
            worker.stop()
        result = compare(settings, records, names)
    times = [each for one in searched for each in one["times_ms"]]
    return {
        **result,
        "documents at each kill": there,
        "time, s": round(seconds, 1),
        "searches": len(times),
        "failed searches": sum(len(one["failures"]) for one in searched),
        "answered by the local index": sum(one["degraded"] for one in searched),
        "search p50, ms": round(float(np.percentile(times, 50)), 1),
        "search p95, ms": round(float(np.percentile(times, 95)), 1),
        "failures": [failure for one in searched for failure in one["failures"]][:5],
        "load average": round(os.getloadavg()[0], 1),
        "seed": options.seed,
    }


def _close_all(workers: dict[int, ProcessTree]) -> None:
    for worker in workers.values():
        worker.close()


def _is_level(settings: Settings, records: Records) -> bool:
    with closing(WeaviateEngine.open(settings.index, signature(settings))) as engine:
        return engine.status().sequence == records.changes.data_version()


def _count(records: Records) -> int:
    return records.documents.count(Visibility.everything())


def _running(records: Records) -> set[int]:
    """Processes that have a job in hand."""
    return {int(order.owner.split(":")[1]) for order in records.jobs.running()}


def _wait_for(find: Callable[[], _Found | None], within_s: float) -> _Found:
    deadline = time.monotonic() + within_s
    while (found := find()) is None:
        if time.monotonic() > deadline:
            raise SystemExit("It took too long; see the worker's log.")
        time.sleep(_POLL_S)
    return found


def main() -> None:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the figures here as JSON too")
    parser.add_argument("--search", type=Path, nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search is not None:
        home, *folders = options.search
        print(json.dumps(search_until_told(home, Path(options.data), folders)), flush=True)
        return
    check_options(parser, options)
    with tempfile.TemporaryDirectory(prefix="groundwork-bench-") as place:
        result = measure(options, Path(place))
    for name, value in result.items():
        print(f"{name:<32}{value!s:>24}")
    text = json.dumps({"bench": "shared_ingest", **result})
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")
    passages = {
        result[f"passages {where}"] for where in ("in the records", "on the server", "in the local index")
    }
    wrong = ("twice", "missing", "of a second version", "not ready", "jobs not done", "failed searches")
    sys.exit(1 if len(passages) > 1 or any(result[name] for name in wrong) else 0)


if __name__ == "__main__":
    main()
