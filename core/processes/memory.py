"""Memory of child processes: how many there are, what each may take, and the most that one has held."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.config.models import IngestSettings

RENEW_ABOVE_MB = 1000
"""A child that has held more is ended after its task, and another takes its place."""

_LEAST_MEMORY = 1_000_000_000
_MOST_PROCESSES = 4
_STATUS = Path("/proc/self/status")


def pool_size(settings: IngestSettings) -> int:
    """Number of parser processes, and of as many extractors."""
    return settings.processes or max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def limit_memory(memory_mb: int, processes: int = 1) -> None:
    """Caps the address space of this process, where the system can; for a child's start.

    processes: how many such there are; together they get at most half of the machine's memory, but each at
    least 1 GB, which the largest of ordinary files does not need.
    """
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    fair = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (2 * processes)
    size = min(memory_mb * 1_000_000, max(fair, _LEAST_MEMORY))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size if hard < 0 else min(size, hard), hard))


def peak_mb() -> float:
    """The most memory that this process has held since its program began; 0 where the system cannot tell.

    Linux hands ru_maxrss from parent to child across fork and exec, so under a worker that once held 1.5 GB
    every child would seem to; VmHWM belongs to the address space, which exec makes anew.
    """
    try:
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    except OSError:  # no /proc: not Linux
        pass
    try:
        import resource
    except ImportError:  # not a POSIX system
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)
