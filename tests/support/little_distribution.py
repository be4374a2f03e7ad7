"""Real little distributions in a folder of their own: what `pip install` leaves behind, without pip."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path

import pytest


def install(
    folder: Path,
    name: str,
    entry_points: Mapping[str, Mapping[str, str]],
    files: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Write a distribution and put its folder in front, also for the processes that are started.

    entry_points: of each group, names and what they stand for. files: by their path, modules and data.
    """
    site = folder / f"site-{name}"
    about = site / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    lines = [
        line
        for group, entries in entry_points.items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in entries.items()), "")
    ]
    (about / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(site))
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), before])))
    importlib.invalidate_caches()
