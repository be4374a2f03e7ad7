"""Ingest with real kills: what three `kill -9` leave behind, against a run that nobody disturbed.

    python -m bench.ingest_kills --data DIR [--documents 200] [--kills 3] [--seed 1]

Ingests DIR/cuad/contracts twice with `groundwork ingest` and the configured encoder, each into a home of its
own. The second run and all its child processes are killed (SIGKILL) at random moments, one in each equal part
of the run, and the same command is given again each time. Then both homes are compared: documents, passages,
vectors, and the passages that 30 hybrid searches give, in their order. With fewer documents than there are,
the smallest are taken. Prints a table and then one JSON object; ends with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from bench.process_tree import ProcessTree
from bench.search_latency import read_questions
from core.config.models import Settings
from core.domain.search import SearchHit, SearchQuery
from core.store.base import IndexedPassage
from core.store.database.visibility import Visibility
from core.store.store import RECORDS_FILE, Records
from core.workbench import Workbench

BUCKET = "contracts"
SEARCHES = 30
_TOLERANCE = 1e-5  # what the two encoders and other batches differ by (docs/decisions/0003-encoder.md)
_POLL_S = 0.3


def choose(data: Path, count: int) -> list[Path]:
    """The contracts to ingest: all, or the smallest of them."""
    paths = sorted((data / "cuad" / "contracts").glob("*.txt"), key=lambda path: (path.stat().st_size, path))
    return sorted(paths[:count])


def run_calmly(paths: list[Path], home: Path) -> tuple[float, float]:
    """Seconds and megabytes of an undisturbed ingest."""
    began = time.perf_counter()
    with ProcessTree(["ingest", *paths, "--home", home, "--bucket", BUCKET], home / "calm.log") as tree:
        code = tree.wait()
        seconds = time.perf_counter() - began
    if code:
        raise SystemExit(
            f"The undisturbed ingest ended with {code}: {(home / 'calm.log').read_text()[-800:]}"
        )
    return seconds, tree.peak_mb


def run_killed(paths: list[Path], home: Path, kills: int, rng: random.Random) -> tuple[list[int], float]:
    """How many documents were there at each kill, and the seconds of all runs together."""
    there: list[int] = []
    began = time.perf_counter()
    moments = [(number + rng.random()) / kills * len(paths) for number in range(kills)]
    for moment in [*moments, None]:
        with ProcessTree(["ingest", *paths, "--home", home, "--bucket", BUCKET], home / "killed.log") as tree:
            while moment is not None and tree.is_alive and published(home) < moment:
                time.sleep(_POLL_S)
            if moment is not None and tree.is_alive:
                time.sleep(rng.random())  # not only right after a document was published
                there.append(published(home))
                tree.kill()
            elif (code := tree.wait()) or moment is not None:
                raise SystemExit(f"It ended with {code}: {(home / 'killed.log').read_text()[-800:]}")
    return there, time.perf_counter() - began


def published(home: Path) -> int:
    """How many documents the home holds now."""
    if not (home / RECORDS_FILE).exists():
        return 0
    with Records.open(Settings(home=home)) as records:
        return records.documents.count(Visibility.everything())


def contents(home: Path) -> tuple[list[str], dict[tuple[str, int], IndexedPassage]]:
    """The sources, as often as they are there, and every passage by source and ordinal."""
    with Records.open(Settings(home=home)) as records:
        rows = records.documents.list(Visibility.everything())
        found = records.passages.of_documents([row.id for row in rows])
        keyed = {(one.stored.source, one.stored.passage.ordinal): one for one in found}
        assert len(keyed) == len(found), "a passage is there twice"
        return [row.source for row in rows], keyed


def compare_passages(calm: Path, killed: Path) -> dict[str, object]:
    """Documents and passages of both homes, and the largest difference of any number in any vector."""
    calm_sources, calm_passages = contents(calm)
    killed_sources, killed_passages = contents(killed)
    both = calm_passages.keys() & killed_passages.keys()
    worst = max(
        (float(np.abs(calm_passages[key].vector - killed_passages[key].vector).max()) for key in both),
        default=0.0,
    )
    changed = sum(_told(calm_passages[key]) != _told(killed_passages[key]) for key in both) + len(
        calm_passages.keys() ^ killed_passages.keys()
    )
    return {
        "documents": len(killed_sources),
        "documents_twice": sum(number > 1 for number in Counter(killed_sources).values()),
        "documents_missing": len(set(calm_sources) - set(killed_sources)),
        "passages": len(killed_passages),
        "passages_different": changed,
        "largest_vector_difference": worst,
    }


def _told(one: IndexedPassage) -> tuple[object, ...]:
    passage = one.stored.passage
    return passage.version, passage.text, passage.parts, passage.section, passage.tokens, passage.sentences


def compare_searches(calm: Path, killed: Path, questions: list[str]) -> dict[str, object]:
    """How many of the searches give other passages, or the same in another order.

    Of those, `searches_tied` have the same scores at every rank, to 1e-5: the passages that changed tie.
    """
    answers = []
    for home in (calm, killed):
        with Workbench.open(home=home) as bench:
            answers.append([bench.search(SearchQuery(question)).hits for question in questions])
    assert all(answers[0]), "a search found nothing"
    pairs = list(zip(*answers, strict=True))
    different = [(one, other) for one, other in pairs if list(map(_place, one)) != list(map(_place, other))]
    tied = sum(
        len(one) == len(other)
        and all(abs(a.score - b.score) <= _TOLERANCE for a, b in zip(one, other, strict=True))
        for one, other in different
    )
    return {
        "searches": len(questions),
        "searches_different": len(different),
        "searches_tied": tied,
        "questions_different": [
            question
            for question, (one, other) in zip(questions, pairs, strict=True)
            if list(map(_place, one)) != list(map(_place, other))
        ],
    }


def _place(hit: SearchHit) -> tuple[str, int, int, int]:
    return hit.source, hit.page, hit.start, hit.end


def measure(paths: list[Path], data: Path, kills: int, seed: int) -> dict[str, object]:
    """Both runs and all comparisons."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        calm, killed = Path(folder) / "calm", Path(folder) / "killed"
        calm.mkdir()
        killed.mkdir()
        calm_s, peak_mb = run_calmly(paths, calm)
        there, killed_s = run_killed(paths, killed, kills, rng)
        questions = rng.sample(read_questions(data), SEARCHES)
        return {
            "files": len(paths),
            "megabytes": round(sum(path.stat().st_size for path in paths) / 1e6, 1),
            "undisturbed_s": round(calm_s, 1),
            "killed_and_resumed_s": round(killed_s, 1),
            "peak_memory_mb": round(peak_mb),
            "documents_at_each_kill": there,
            **compare_passages(calm, killed),
            **compare_searches(calm, killed, questions),
            "seed": seed,
            "load_average": round(os.getloadavg()[0], 1),
        }


def main() -> None:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    paths = choose(Path(options.data), options.documents)
    if not paths:
        parser.error(f"no .txt files under {str(options.data)!r}/cuad/contracts")
    result = measure(paths, Path(options.data), options.kills, options.seed)
    for name, value in result.items():
        print(f"{name.replace('_', ' '):<30}{value!s:>24}")
    print(json.dumps(result))
    wrong = ("documents_twice", "documents_missing", "passages_different", "searches_different")
    is_same = not any(result[name] for name in wrong) and result["documents"] == len(paths)
    sys.exit(0 if is_same and float(str(result["largest_vector_difference"])) <= _TOLERANCE else 1)


if __name__ == "__main__":
    main()
