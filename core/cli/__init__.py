"""The command line, and how its process starts and ends."""

from __future__ import annotations

import gc
import os
import sys

_READING = ("ask", "search", "documents", "matrix", "doctor", "jobs")  # nothing of theirs is open at the end


def main() -> None:
    """Run the command in sys.argv and end the process with its exit code.

    Start-up is mostly imports; what is set here, before the first of them, saves a cold `ask` .4 s.
    """
    gc.set_threshold(100_000, 20, 20)  # imports make objects that stay: collecting among them finds nothing
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it reads every package's metadata
    # One BLAS thread a query: under load that is many times the throughput (docs/decisions/0003-encoder.md).
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from core.cli.main import main as run

    try:
        run()
    except SystemExit as ended:
        if sys.argv[1:2] and sys.argv[1] in _READING and isinstance(ended.code, int):
            _end_at_once(ended.code)
        raise


def _end_at_once(code: int) -> None:
    """End without tearing down some hundred thousand objects one by one (0.3 s)."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # the reader of our output went away
        code = code or 1
    os._exit(code)
