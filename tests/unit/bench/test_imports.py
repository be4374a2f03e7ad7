from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_bench_finds_what_it_imports() -> None:
    files = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "bench").rglob("*.py")]
    names = sorted(".".join(path.parts) for path in files if path.name != "__init__")

    # In a process of its own: some choose the number of threads before they import numpy.
    ended = subprocess.run(
        [sys.executable, "-c", f"import {', '.join(names)}"], cwd=ROOT, capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr
