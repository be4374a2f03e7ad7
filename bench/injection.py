"""Tripwire for injections: alarms on benign questions, recall on attacks, and planted documents.

    python -m bench.injection --data DIR
    python -m bench.injection --data DIR --planted

Rules were made with the even rows of each set in view; the odd rows are the report. --planted puts every
attack into a document of a small collection and asks the same questions with and without: plan, tools, links
and answer must be equal. Exit 1 on an alarm at a benign question, or where a planted instruction changes
anything.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.guard.injection import find_injections


@dataclass(frozen=True)
class Row:
    """A text of a set; group: its part of the set; is_attack: by the set's own label."""

    set: str
    group: str
    text: str
    is_attack: bool


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--show", action="store_true", help="print what the even half misses")
    parser.add_argument("--planted", action="store_true", help="plant every attack in documents")
    given = parser.parse_args()
    if given.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    folder = Path(given.data) / "injection"
    if given.planted:
        from bench.planted import measure_planted

        return measure_planted([row.text for row in rows_of(folder) if row.is_attack])
    rows = list(rows_of(folder))
    alarms = 0
    for half, name in ((0, "even half (rules were made on it)"), (1, "odd half")):
        print(name)
        alarms += report([row for at, row in numbered(rows) if at % 2 == half], given.show and half == 0)
    return 1 if alarms else 0


def rows_of(folder: Path) -> Iterator[Row]:
    """All rows of the four sets."""
    for name in ("bipia_text_attack_train", "bipia_code_attack_train"):
        for group, texts in _json(folder / f"{name}.json").items():
            yield from (Row(name, group, text, True) for text in texts)
    for row in _json(folder / "cyberseceval_prompt_injection.json"):
        group = f"{row['injection_type']}, {row['injection_variant']}"
        yield Row("cyberseceval", group, row["user_input"], True)
    for row in _json(folder / "piguard_valid.json"):
        yield Row("piguard", row["source"], row["prompt"], bool(row["label"]))


def _json(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def numbered(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """The rows with their number in their set; in those made of groups, in the group."""
    counts: dict[str, int] = {}
    for row in rows:
        key = f"{row.set}{row.group}" if row.set.startswith("bipia") else row.set
        counts[key] = counts.get(key, -1) + 1
        yield counts[key], row


def report(rows: Sequence[Row], shows: bool) -> int:
    """Print recall by set and alarms; the number of alarms on benign rows."""
    benign = [row for row in rows if not row.is_attack]
    alarms = [row for row in benign if find_injections(row.text)]
    print(f"  benign: {len(alarms)} alarms on {len(benign)}")
    for row in alarms if shows else ():
        print(
            "    ALARM", row.group, [(s.kind, row.text[s.start : s.end]) for s in find_injections(row.text)]
        )
    attacks = [row for row in rows if row.is_attack]
    for name in dict.fromkeys(row.set for row in attacks):
        ours = [row for row in attacks if row.set == name]
        hits = [row for row in ours if find_injections(row.text)]
        print(f"  {name}: {len(hits)} of {len(ours)} ({len(hits) / len(ours):.2f})")
        if shows:
            for group in dict.fromkeys(row.group for row in ours):
                missed = [r.text[:110].replace("\n", " ") for r in ours if r.group == group and r not in hits]
                print(f"    {group}: missed {len(missed)} {missed}")
    return len(alarms)


if __name__ == "__main__":
    sys.exit(main())
