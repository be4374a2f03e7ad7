"""Many small texts through the worker: documents a second, children started, and how right the time left is.

    python -m bench.small_files [--files 5000] [--words 250] [--home DIR] [--parent-mb 1500]
        [--within 600] [--json FILE]

Writes made-up texts, each of them different and the same in every run, and ingests them with all fields of
contracts as `groundwork ingest` does: one job, run in this process with its parsers and extractors.

- Rates: between two samples of the job the phase is the one whose count grows next; phases may overlap.
- Children: processes seen below this one, by what they run. Renewed: started beyond those that ran at a time.
- Time left: what the job says over what it then takes, at each sample from --since on and until END_S before
  the end; `told` is the share of these samples at which it says anything.

--parent-mb holds so much memory here first: Linux hands the peak of a parent to what it starts, and a child
that judges its own memory by that peak ends after every task.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: our own threads must not multiply

import argparse
import contextlib
import json
import random
import re
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from types import TracebackType

import numpy as np

from bench.process_tree import descendants
from core.domain.job import Job
from core.workbench import Workbench

BUCKET = "contracts"
SEED = 11
EVERY_S = 2.0
END_S = 3.0  # a second more or less is no fault in the time left
CHILDREN_EVERY_S = 0.1
_RECORDS = "records.sqlite"
_EXTRACTED = "SELECT count(*) FROM extraction_state"
_MEGABYTE = 1_000_000

KINDS = ("Supply", "Services", "Licence", "Lease", "Maintenance", "Consulting", "Distribution", "Transport")
LAWS = ("New York", "Delaware", "England and Wales", "Ontario", "Texas", "Switzerland", "Ireland", "Victoria")
WORDS = {
    kind: words.split()
    for kind, words in {
        "actor": "carrier tenant engineer auditor supplier broker surveyor operator warehouse laboratory"
        " committee courier foreman planner insurer translator inspector contractor librarian registrar"
        " chemist designer",
        "thing": "turbine ledger pallet sensor manual shipment invoice valve archive permit sample bridge"
        " server garden cable forklift dossier cabinet blueprint harvest mould pump curtain timber grain"
        " furnace lantern rail window antenna battery compressor drawing engine filter gauge hopper"
        " insulator jacket kiln",
        "quality": "annual brittle certified damaged early faulty genuine heavy idle joint known local"
        " missing narrow open partial quiet remote sealed temporary urgent valid wooden yearly amber broad"
        " civil dense",
        "act": "inspects delivers repairs measures returns stores approves replaces records insures"
        " assembles orders rejects transports tests cleans leases numbers photographs reports",
    }.items()
}
SYLLABLES = (
    "al",
    "ber",
    "cor",
    "dan",
    "el",
    "for",
    "gan",
    "hol",
    "in",
    "jor",
    "kel",
    "lan",
    "mor",
    "nev",
    "or",
)
CLAUSES = (
    "Either party may terminate this agreement upon {days} days' written notice.",
    "This agreement is governed by the laws of {law}.",
    "Neither party is liable for a delay that is caused by force majeure, such as flood or war.",
    "The {actor} keeps all {thing} data confidential for {days} days after the end of the term.",
    "Invoices are payable within {days} days; a late payment bears interest of {percent} percent a year.",
    "The liability of {name} is limited to ${amount}.",
)
SENTENCES = (
    "The {quality} {thing} that {name} ordered on {day} costs ${amount}.",
    "Before {day} the {actor} {act} every {quality} {thing} and {act} the {thing}.",
    "{name} pays ${amount} for {number} units of the {quality} {thing}.",
    "Where a {thing} is {quality}, the {actor} {act} it within {days} days.",
    "No {actor} {act} the {thing} of {name} while the {quality} {thing} is in use.",
    "In room {number} a {quality} {thing} stands beside the {thing}, and the {actor} {act} both.",
    "The {actor} and the {actor} agreed that the {thing} remains {quality} until {day}.",
)


def text_of(number: int, words: int) -> str:
    """A made-up agreement of about so many words; the same for the same number."""
    rng = random.Random(f"{SEED}/{number}")
    first, second = _company(rng), _company(rng)
    day = _day(rng)
    parts = [
        f"{rng.choice(KINDS)} Agreement No. {number + 1:05d}\n",
        f"This agreement is made on {day} between {first} and {second}.\n",
    ]
    count = sum(len(part.split()) for part in parts)
    while count < words - 15:
        names = (first, second)
        paragraph = " ".join(_sentence(rng, SENTENCES, names) for _ in range(rng.randint(1, 3)))
        if rng.random() < 0.4:
            paragraph += " " + _sentence(rng, CLAUSES, names)
        parts.append(paragraph + "\n")
        count += len(paragraph.split())
    return "\n".join(parts)


def _sentence(rng: random.Random, patterns: Sequence[str], names: Sequence[str]) -> str:
    said = re.sub(r"\{(\w+)\}", lambda found: _word(rng, found[1], names), rng.choice(patterns))
    return said.replace("..", ".")


def _word(rng: random.Random, kind: str, names: Sequence[str]) -> str:
    lists = {**WORDS, "law": LAWS, "name": names}
    if kind in lists:
        return rng.choice(lists[kind])
    if kind == "day":
        return _day(rng)
    if kind == "amount":
        return f"{rng.randrange(1, 9000) * 50:,}.00"
    return str(
        {"days": rng.choice((10, 30, 45, 60, 90)), "percent": rng.randint(2, 12)}.get(
            kind, rng.randint(2, 900)
        )
    )


def _company(rng: random.Random) -> str:
    stem = "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4)))
    trade, form = rng.choice(WORDS["thing"]), rng.choice(("Inc.", "Ltd.", "LLC", "GmbH"))
    return f"{stem.capitalize()} {trade.capitalize()} {form}"


def _day(rng: random.Random) -> str:
    found = date(2015, 1, 1) + timedelta(days=rng.randrange(4000))
    return f"{found:%B} {found.day}, {found.year}"


@dataclass(frozen=True)
class Sample:
    """The job at a moment, in seconds since the ingest began. extracted: documents with their fields."""

    at_s: float
    done: int
    total: int
    extracted: int
    eta_s: float | None


@dataclass
class Samples:
    """The course of one job."""

    home: Path
    within_s: float
    began: float = field(default_factory=time.monotonic)
    taken: list[Sample] = field(default_factory=list)

    def show(self, job: Job) -> None:
        """Take a sample, unless one was just taken. Raises KeyboardInterrupt when the time is over."""
        at_s = time.monotonic() - self.began
        if at_s > self.within_s:
            raise KeyboardInterrupt  # which cancels the job, as that of a person does
        if self.taken and at_s - self.taken[-1].at_s < EVERY_S:
            return
        self.taken.append(Sample(at_s, job.done, job.total, self._extracted(), job.eta_s))
        left = "" if job.eta_s is None else f", {job.eta_s:.0f} s left"
        print(
            f"\r{at_s:5.0f} s: {job.done} of {job.total}, {self.taken[-1].extracted} with fields{left}   ",
            end="", file=sys.stderr, flush=True,
        )  # fmt: skip

    def end(self, files: int | None) -> float:
        """Take the last sample; gives the seconds that it all took. files: None where it was cut short."""
        seconds = time.monotonic() - self.began
        done = self.taken[-1].done if files is None else files
        self.taken.append(Sample(seconds, done, done, self._extracted(), None))
        print(file=sys.stderr)
        return seconds

    def _extracted(self) -> int:
        with contextlib.closing(sqlite3.connect(f"file:{self.home / _RECORDS}?mode=ro", uri=True)) as records:
            return int(records.execute(_EXTRACTED).fetchone()[0])

    def rate(self, count: str) -> tuple[float, float]:
        """Seconds of a phase, and documents a second in them; what goes on is the count that grows next."""
        seconds, is_on = 0.0, False
        for a, b in reversed(list(pairwise(self.taken))):
            if (a.done, a.extracted) != (b.done, b.extracted):
                is_on = getattr(a, count) < getattr(b, count)
            seconds += (b.at_s - a.at_s) * is_on
        grown = getattr(self.taken[-1], count) - getattr(self.taken[0], count)
        return round(seconds, 1), round(grown / seconds, 2) if seconds else 0.0

    def time_left(self, since_s: float) -> dict[str, float | int]:
        """Predicted over actual time left."""
        end_s = self.taken[-1].at_s
        looked = [each for each in self.taken if since_s <= each.at_s <= end_s - END_S]
        ratios = [each.eta_s / (end_s - each.at_s) for each in looked if each.eta_s is not None]
        if not ratios:
            return {"samples": len(looked), "told": 0.0}
        return {
            "samples": len(looked),
            "told": round(len(ratios) / len(looked), 2),
            "min": round(min(ratios), 2),
            "median": round(statistics.median(ratios), 2),
            "max": round(max(ratios), 2),
            "within_factor_2": round(sum(0.5 <= each <= 2 for each in ratios) / len(ratios), 2),
        }


class Children:
    """The processes seen below this one while the block lasts, by the module that they run."""

    def __init__(self) -> None:
        self._kinds: dict[int, str] = {}
        self._most: Counter[str] = Counter()
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Children:
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._watcher.join()

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """How many of each kind were started, ran at a time, and took the place of another."""
        started = Counter(self._kinds.values())
        return {
            kind: {"started": count, "at_a_time": self._most[kind], "renewed": count - self._most[kind]}
            for kind, count in sorted(started.items())
        }

    def _watch(self) -> None:
        while not self._ended.wait(CHILDREN_EVERY_S):
            alive: defaultdict[str, int] = defaultdict(int)
            for process in descendants(os.getpid())[1:]:
                kind = self._kinds.get(process) or _kind_of(process)
                if kind:
                    self._kinds[process] = kind
                    alive[kind] += 1
            for kind, count in alive.items():
                self._most[kind] = max(self._most[kind], count)


def _kind_of(process: int) -> str:
    """The module that a child runs; "" where it has ended, or is not yet what it will be."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return ""
    found = re.search(r"from (\S+) import main", " ".join(words))
    return found[1] if found else ""


def measure(home: Path, texts: Path, files: int, since_s: float, within_s: float) -> dict[str, object]:
    """All figures of one ingest of a folder into a home; of the time left only where it came to its end."""
    with Workbench.open(home) as bench, Children() as children:
        samples = Samples(home, within_s)
        try:
            outcomes = bench.ingest([texts], bucket=BUCKET, on_progress=samples.show).counts
        except KeyboardInterrupt:
            outcomes = {"cut short": 1}
        is_whole = "cut short" not in outcomes
        seconds = samples.end(files if is_whole else None)
    text_s, texts_per_s = samples.rate("done")
    fields_s, fields_per_s = samples.rate("extracted")
    return {
        "files": files,
        "outcomes": {name: count for name, count in outcomes.items() if count},
        "with_fields": samples.taken[-1].extracted,
        "seconds": round(seconds, 1),
        "documents_per_s": round(samples.taken[-1].extracted / seconds, 2),
        "text_s": text_s,
        "text_documents_per_s": texts_per_s,
        "fields_s": fields_s,
        "fields_documents_per_s": fields_per_s,
        "children": children.counts,
        "time_left": samples.time_left(since_s) if is_whole else {"samples": 0},
        "load_average": round(os.getloadavg()[0], 1),
        "samples": [
            [round(s.at_s, 1), s.done, s.extracted, s.eta_s and round(s.eta_s, 1)] for s in samples.taken
        ],
    }


def print_figures(result: dict[str, object]) -> None:
    """The table."""
    print(f"{'documents, and how they ended':<40}{result['files']}  {result['outcomes']}")
    print(f"{'documents a second, in all':<40}{result['documents_per_s']:>8}  {result['seconds']} s")
    rate, lasted = result["text_documents_per_s"], result["text_s"]
    print(f"{'   texts read, encoded, indexed':<40}{rate:>8}  {lasted} s")
    print(f"{'   fields filled':<40}{result['fields_documents_per_s']:>8}  {result['fields_s']} s")
    children = result["children"]
    assert isinstance(children, dict)
    for kind, count in children.items():
        words = f"{count['started']:>8}  {count['at_a_time']} at a time, {count['renewed']} renewed"
        print(f"{'started: ' + kind.removeprefix('core.'):<40}{words}")
    left = result["time_left"]
    assert isinstance(left, dict)
    if "median" not in left:
        print(f"{'time left':<40}no samples that tell it, {left['samples']} looked at")
        return
    print(f"{'time left, predicted / actual':<40}{left['median']:>8}  {left['min']} to {left['max']}")
    share, told = f"{left['within_factor_2']:.0%}", f"told at {left['told']:.0%}"
    print(f"{'   within a factor of two':<40}{share:>8}  of {left['samples']} samples, {told}")


def main() -> None:
    """Write, ingest and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--words", type=int, default=250)
    parser.add_argument("--home", type=Path, help="a new or empty home; a temporary one otherwise")
    parser.add_argument("--parent-mb", type=int, default=0, help="memory that this process holds first")
    parser.add_argument(
        "--since", type=float, default=60.0, help="seconds after which the time left must be right"
    )
    parser.add_argument("--within", type=float, default=600.0, help="seconds after which it is cut short")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, with the samples")
    options = parser.parse_args()
    held = np.ones(options.parent_mb * _MEGABYTE, np.uint8)
    with tempfile.TemporaryDirectory(prefix="groundwork-small-") as folder:
        texts = Path(folder) / "texts"
        texts.mkdir()
        for number in range(options.files):
            (texts / f"{number + 1:05d}.txt").write_text(text_of(number, options.words))
        home = options.home or Path(folder) / "home"
        result = {
            "parent_mb": held.nbytes // _MEGABYTE,
            **measure(home, texts, options.files, options.since, options.within),
        }
    print_figures(result)
    if options.json is not None:
        options.json.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
