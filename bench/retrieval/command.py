"""The command line that all retrieval benches share, and how they print."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.retrieval.measure import Measured


@dataclass(frozen=True, slots=True)
class Options:
    """Where the data is, where the home is (None: a temporary one), where the figures go."""

    data: Path
    home: Path | None
    out: Path | None
    limit: int | None


def read_options(description: str) -> Options:
    """What the command line says; ends the program where no data folder is named."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--data", default=os.environ.get("GROUNDWORK_BENCH_DATA"), help="folder of public data"
    )
    parser.add_argument("--home", type=Path, help="keep the ingested home here and use it again")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON too")
    parser.add_argument("--limit", type=int, help="only so many questions")
    chosen = parser.parse_args()
    if not chosen.data:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    return Options(Path(chosen.data), chosen.home, chosen.out, chosen.limit)


def report(title: str, runs: Mapping[str, Measured], options: Options) -> None:
    """Print a table with a row for every run and part, then the same as JSON."""
    columns = list(dict.fromkeys(name for run in runs.values() for name in run.scores))
    width = max(len(name) for name in [*runs, *(f"  {part}" for run in runs.values() for part in run.parts)])
    print(title)
    print(
        " ".join([" " * width, *(f"{column:>12}" for column in columns), f"{'p50 ms':>8}", f"{'p95 ms':>8}"])
    )
    for name, run in runs.items():
        cells = [f"{run.scores.get(column, float('nan')):12.3f}" for column in columns]
        times = [f"{run.latency_ms[key]:8.1f}" for key in ("p50", "p95")]
        print(" ".join([f"{name:<{width}}", *cells, *times]))
        for part, scores in run.parts.items():
            cells = [f"{scores[column]:12.3f}" if column in scores else " " * 12 for column in columns]
            print(" ".join([f"{'  ' + part:<{width}}", *cells]))
    figures = {"bench": title, "runs": {name: run.as_json() for name, run in runs.items()}}
    text = json.dumps(figures, indent=1)
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")
