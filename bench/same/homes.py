"""Homes of a recording: filled once and kept, or filled anew; asked are only copies of them.

A question leaves results, figures of what steps took and lessons behind in its home, and a later one is
planned and answered with these: so every recording begins from a home that nothing was asked of.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.config.models import Settings
from core.workbench import Workbench


@contextmanager
def home_of(subject: str, shelf: Path | None, data: Path | None) -> Iterator[Path]:
    """A home of a subject that may be written to. shelf: the folder of homes that are filled only once."""
    with tempfile.TemporaryDirectory(prefix="groundwork-same-") as folder:
        home = Path(folder) / subject
        if shelf is None:
            _fill(subject, home, data)
        else:
            pristine = shelf / subject
            if not pristine.exists():
                part = shelf / f"{subject}.part"
                shutil.rmtree(part, ignore_errors=True)
                _fill(subject, part, data)
                part.rename(pristine)
            shutil.copytree(pristine, home)
        yield home


def _fill(subject: str, home: Path, data: Path | None) -> None:
    home.mkdir(parents=True)
    if subject == "sample":
        with Workbench.open(home, Settings(home=home)) as bench:
            bench.local.documents.ingest_sample()
        return
    from bench.plans.gold import Labels
    from bench.plans.home import fill_from_labels

    assert data is not None, "the contracts have labels"
    fill_from_labels(home, Labels(data / "cuad"))
