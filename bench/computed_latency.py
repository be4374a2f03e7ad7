"""How long answers take that look at every document of a home: counts, lists, groups, what lacks, mentions.

Each question is asked once, in a process that was warmed up, with nothing kept of earlier runs, so a time
holds what an answer reads once for a version of the collection. To compare two trees run it in both, over
copies of one home. A home of 50,000 documents is made by `python -m bench.collapse --fill`.

    python -m bench.computed_latency HOME [QUESTION ...]
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from core.workbench import Workbench

FIRST = "How many documents are there?"
QUESTIONS = (
    "How many contracts have no governing law?",
    "Which contracts lack a limitation of liability?",
    "Which contracts expire in 2024?",
    "What is the average contract value by governing law?",
    "Which party appears in most contracts?",
    "How many contracts were signed each year?",
    "List all documents about Boeing sorted by date",
    "Which documents mention the boundary layer?",
    "Who signed the agreement with Microsoft?",
)


def main() -> None:
    """Ask, and print a row for each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("questions", nargs="*", default=list(QUESTIONS))
    options = parser.parse_args()
    with sqlite3.connect(options.home / "records.sqlite") as kept:
        kept.execute("DELETE FROM node_results")
    print("| question | processor time | wall time | status |\n|---|---|---|---|")
    with Workbench.open(options.home) as bench:
        bench.warm()
        ask = bench.local.questions.ask
        ask(FIRST, offline=True)
        for question in options.questions:
            processor, wall = time.process_time(), time.perf_counter()
            answer = ask(question, offline=True)
            spent = f"{time.process_time() - processor:.2f} s | {time.perf_counter() - wall:.2f} s"
            print(f"| {question} | {spent} | {answer.status.value} |", flush=True)


if __name__ == "__main__":
    main()
