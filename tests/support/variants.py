"""A home with three texts, and a variant of it that was built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.domain.experiments.variant import HomeVariant
from core.workbench import Workbench

TEXTS = {
    "lease": "The monthly rent of the Mill Road warehouse is $15,000, payable on the first of each month.",
    "supply": "Acme delivers the pumps within thirty days. Either party may terminate on ninety days notice.",
    "policy": "Employees may work from home on two days a week. Travel costs are paid back within a month.",
}


@contextmanager
def opened_home(folder: Path) -> Iterator[Workbench]:
    """The home, opened, with its texts ingested."""
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    with Workbench.open(home=folder / "home") as opened:
        opened.ingest([folder / f"{name}.txt" for name in TEXTS])
        yield opened


def built(bench: Workbench, encoder: Path) -> HomeVariant:
    """A variant of that encoder, whose job has ended."""
    experiments = bench.local.experiments
    variant = experiments.add(encoder.name, {"encode.model": str(encoder)})
    experiments.follow(experiments.build(variant.name))
    return variant
