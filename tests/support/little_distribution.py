"""Real little distributions in a folder of their own: what `pip install` leaves behind, without pip."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core import plugins

PARSER = """
from core.domain.document import Page, ParsedDocument
from core.ingest.parse.formats import FileFormat

def parse(path, source, limits):
    {body}

FORMAT = FileFormat("Note", "text/x-note", ("note",), parse{more})
"""
GOOD = 'return ParsedDocument("", "", (Page(1, path.read_text()),))'
SCHEMA = """
name = "leases"
title = "Leases"
recognise = ["lease"]

[[fields]]
name = "rent"
title = "Rent"
type = "money"
extractors = [{ method = "key_value", keys = ["rent"] }]
"""

Install = Callable[[str, Mapping[str, Mapping[str, str]], Mapping[str, str]], None]


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


def forget(module: str) -> None:
    """Have a module imported anew: each case of a test has another one of that name."""
    for name in [each for each in sys.modules if each.partition(".")[0] == module]:
        del sys.modules[name]


def reasons() -> dict[str, str]:
    """Why plug-ins of now are left out, by distribution."""
    return {each.plugin.distribution: each.reason for each in plugins.registry().left_out()}


def parser(body: str = GOOD, more: str = "") -> str:
    return PARSER.format(body=body, more=more)


def of_parsers(module: str, name: str = "note") -> dict[str, dict[str, str]]:
    return {plugins.PARSERS: {name: f"{module}:FORMAT"}}
