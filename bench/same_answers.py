"""Proof that a change of the code changes nothing that people see.

Recorded are, of the sample collection, documents, matrix, search hits, exports and every question of its
suites as plan and as answer, and of CUAD's 200 contracts with their labels as cells all 200 questions as
plan and as answer. `bench.same.canonical.DROPPED` lists what is left out, and why. Without --home the sample
is ingested anew, so that reading is compared as well; with it homes are filled once and kept, and asked are
copies. A comparison ends with 1 unless every record is there and equal.

    python -m bench.same_answers --record FILE [--data DIR] [--home DIR] [--only sample|contracts]
    python -m bench.same_answers --compare FILE [--data DIR] [--home DIR] [--only sample|contracts]
                                 [--show N] [--ignore KEY ...]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the number of threads changes the last digits of a sum
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bench.same.comparison import compare, report
from bench.same.homes import home_of
from bench.same.recording import DAY, Records, record

FORMAT = 1
SUBJECTS = ("sample", "contracts")


def record_all(subjects: tuple[str, ...], shelf: Path | None, data: Path | None) -> Records:
    """The records of these subjects; contracts only where their data is there."""
    records: Records = {}
    for subject in subjects:
        if subject == "contracts" and (data is None or not (data / "cuad" / "labels.csv").is_file()):
            print("The contracts are skipped: give the folder that holds cuad/labels.csv as --data.")
            continue
        start_s = time.perf_counter()
        with home_of(subject, shelf, data) as home:
            ready_s = time.perf_counter()
            records |= record(subject, home)
        end_s = time.perf_counter()
        print(f"{subject}: home in {ready_s - start_s:.0f} s, recorded in {end_s - ready_s:.0f} s")
    return records


def write(file: Path, records: Records) -> None:
    """One JSON document with sorted keys, a line for each record."""
    head = _json({"format": FORMAT, "day": DAY})
    lines = [f"{_json(name)}: {_json(records[name])}" for name in sorted(records)]
    file.write_text(f'{{"about": {head}, "records": {{\n' + ",\n".join(lines) + "\n}}\n", "utf-8")
    for kind, count in sorted(Counter("/".join(name.split("/")[:2]) for name in records).items()):
        print(f"{kind:24s} {count:,}")
    print(f"{'together':24s} {len(records):,} records, {file.stat().st_size / 1e6:.1f} MB in {str(file)!r}")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def read(file: Path) -> dict[str, Any]:
    """The records of a file. Ends the program for a file of another format or day."""
    document: dict[str, Any] = json.loads(file.read_text("utf-8"))
    if document["about"] != {"format": FORMAT, "day": DAY}:
        raise SystemExit(f"{str(file)!r} was recorded otherwise ({document['about']}): record it again.")
    records: dict[str, Any] = document["records"]
    return records


def main() -> None:
    """Record, or compare with what was recorded."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write what is seen now")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="hold what is seen now against a record")
    default = os.environ.get("GROUNDWORK_BENCH_DATA", "")
    parser.add_argument("--data", type=Path, default=Path(default) if default else None)
    parser.add_argument("--home", type=Path, help="where the homes are kept between runs")
    parser.add_argument("--only", choices=SUBJECTS, help="one of the two subjects")
    parser.add_argument("--show", type=int, default=5, help="how many differences are printed in full")
    parser.add_argument("--ignore", nargs="+", action="extend", default=[], metavar="KEY")
    options = parser.parse_args()
    if options.record is None and options.compare is None:
        parser.error("give --record FILE, --compare FILE or both")
    subjects = SUBJECTS if options.only is None else (options.only,)
    earlier = {} if options.compare is None else read(options.compare)
    now = record_all(subjects, options.home, options.data)
    if options.record is not None:
        write(options.record, now)
    if options.compare is not None:
        before = {name: each for name, each in earlier.items() if name.split("/")[0] in subjects}
        comparison = compare(before, now, options.ignore)
        for line in report(comparison, before, now, options.ignore, options.show):
            print(line)
        sys.exit(0 if comparison.is_equal else 1)


if __name__ == "__main__":
    main()
