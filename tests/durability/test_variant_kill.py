"""The build of a variant killed with SIGKILL: it goes on, what serves answers all along, nothing is mixed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from core.domain.job import JobState
from core.domain.search import SearchQuery
from core.store.database.schema import passages
from core.store.store import Records
from core.workbench import Workbench
from tests.support.encoder_folders import TINY_DIMENSION, tiny

ROOT = Path(__file__).parents[2]
QUESTIONS = ("When was the kiln of Oslo bought?", "crew that services the boiler of Turku")
PLACES = ("Oslo", "Bergen", "Turku", "Visby")
BUILT = """
import os, signal, sys
from core.store.documents.passages import PassageRecords
from core.store.variants import VariantRecords
from core.workbench import Workbench
from core.workbench.work import vectors
class Small(vectors.Pace):
    size = 3
vectors.Pace = Small
owner, name, moment = sys.argv[3].split(".")[0], sys.argv[3].split(".")[1], int(sys.argv[4])
owner, calls = {"passages": PassageRecords, "variants": VariantRecords}[owner], []
own = getattr(owner, name)
def dying(self, *given, **named):
    calls.append(1)
    if len(calls) == moment:
        os.kill(os.getpid(), signal.SIGKILL)
    return own(self, *given, **named)
setattr(owner, name, dying)
with Workbench.open(sys.argv[1]) as bench:
    bench.local.experiments.follow(sys.argv[2])
"""


def manual(place: str) -> str:
    """Some 900 tokens: several passages of the standard profile, one of the long one."""
    machines = ("lathe", "press", "drill", "kiln", "crane", "boiler", "pump", "saw", "mill", "loom")
    return "\n".join(
        f"The {machine} of {place} stands in hall {number}. It was bought in {1990 + number} and is serviced "
        f"every {number + 2} months by the crew of {place}, who write down each fault of the {machine} in "
        "the book beside it, with the day, the hour, and the name of whoever repaired it."
        for number, machine in enumerate(machines)
    )


@pytest.mark.parametrize(
    ("at", "moment"), [("passages.add_cut", 3), ("passages.add_vectors", 2), ("variants.set_whole", 1)]
)
def test_a_killed_build_goes_on_and_what_serves_is_not_touched(tmp_path: Path, at: str, moment: int) -> None:
    for place in PLACES:
        (tmp_path / f"{place}.txt").write_text(manual(place))
    wrong: list[object] = []
    seen: list[str] = []
    with Workbench.open(tmp_path / "home") as bench:
        bench.ingest([tmp_path / f"{place}.txt" for place in PLACES])
    with Workbench.open(tmp_path / "home") as bench:  # who only asks leaves writing the index to the build
        before = {question: bench.search(SearchQuery(question)).hits for question in QUESTIONS}
        experiments = bench.local.experiments
        settings = {"encode.model": str(tiny(tmp_path)), "ingest.profile": "long"}
        variant = experiments.add("both", settings)
        job, stop = experiments.build("both"), threading.Event()

        def ask() -> None:
            while not stop.is_set():
                for question, hits in before.items():
                    try:
                        found = bench.search(SearchQuery(question)).hits
                    except Exception as error:
                        wrong.append(error)
                    else:
                        wrong.extend([] if found == hits else [found])
                        seen.append(question)
                stop.wait(0.2)

        asking = threading.Thread(target=ask)
        asking.start()
        command = [sys.executable, "-c", BUILT, str(tmp_path / "home"), job, at, str(moment)]
        ended = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
        killed, seen_before = next(each for each in experiments.list() if each.variant == variant), len(seen)
        bench.local.jobs.resume(job)
        done = experiments.follow(job)
        ready = next(each for each in experiments.list() if each.variant == variant)
        stop.set()
        asking.join()
        assert ended.returncode == -signal.SIGKILL
        assert killed.status != "ready"
        assert wrong == []
        assert 0 < seen_before < len(seen)
        assert set(seen) == set(QUESTIONS)
        assert (done.state, ready.status, ready.missing, ready.uncut) == (JobState.DONE, "ready", 0, 0)
        require_whole(bench._parts.records)

        experiments.switch("both")
        bench._look_at = 0.0
        assert bench._parts.query_encoder.signature.dimension == TINY_DIMENSION
        records = bench._parts.records
        assert records.passages.count() == records.passages.count_vectors() == ready.passages
        assert bench._parts.engines.passages.status().passages == ready.passages
        found = {question: bench.search(SearchQuery(question)).hits for question in QUESTIONS}
        known = {each.passage for hits in before.values() for each in hits}
        assert all(hits and known.isdisjoint(each.passage for each in hits) for hits in found.values())
        experiments.rollback()
        bench._look_at = 0.0
        assert {question: bench.search(SearchQuery(question)).hits for question in QUESTIONS} == before


def require_whole(records: Records) -> None:
    """Each document is cut once by each profile, from its first passage on."""
    columns = (passages.c.document, passages.c.profile, passages.c.ordinal)
    cuts: dict[tuple[str, str], list[int]] = {}
    with records.database.read() as connection:
        for document, profile, ordinal in connection.execute(sa.select(*columns).order_by(*columns)):
            cuts.setdefault((document, profile), []).append(ordinal)
    assert len(cuts) == 2 * len(PLACES)
    assert all(ordinals == list(range(len(ordinals))) for ordinals in cuts.values())
