"""A home with two contracts, read as `groundwork ingest` reads them, for callers of its MCP server."""

from __future__ import annotations

from pathlib import Path

from core.workbench import Workbench

TEXTS = {
    "alpha.txt": "Supply Agreement\n\nThis Supply Agreement is made on 1 March 2024 between Alpha "
    "Corporation and Nordwind Logistics GmbH. Alpha delivers pumps every month.\n\nThe notice period is "
    "sixty days. This Agreement is governed by the laws of the State of Delaware.",
    "beta.txt": "Service Agreement\n\nThis Service Agreement is made on 2 April 2024 between Beta LLC and "
    "Nordwind Logistics GmbH.\n\nNeither party is liable for force majeure. This Agreement is governed by "
    "the laws of the State of Texas.",
}
QUESTION = "How long is the notice period of the supply agreement?"
COUNT = "How many contracts are governed by Texas law?"
LACK = "Which contracts lack force majeure?"


def fill(home: Path, files: Path) -> None:
    """Ingest the two contracts into a home."""
    for name, text in TEXTS.items():
        (files / name).write_text(text, encoding="utf-8")
    with Workbench.open(home=home) as bench:
        bench.ingest(sorted(files.iterdir()), bucket="contracts")
