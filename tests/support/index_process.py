"""Run as a process of its own: writes to, or searches, an embedded index.

count N            apply batches 1..N, printing each sequence once it is durable
die N K            as count, but the K-th fsync of the last batch kills the process first
read               print, for every line on standard input, sequence and number of hits of "word"
write              try to apply one batch; print what came of it
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from core.errors import HomeBusyError
from core.index.base import IndexBatch
from core.index.embedded import EmbeddedEngine
from tests.support.indexed import SIGNATURE, ask, indexed

DOCUMENTS, EACH = 5, 4


def nth_batch(n: int) -> IndexBatch:
    """Batch n replaces one of five documents by four passages; `word` stands in all, `mark{n}` in these."""
    name = f"d{n % DOCUMENTS}"
    passages = tuple(indexed(n * EACH + i, name, f"word mark{n}") for i in range(EACH))
    return IndexBatch(n, frozenset(one.stored.passage.document for one in passages), passages)


def main(place: Path, action: str, *numbers: int) -> None:
    """Do what the module says."""
    engine = EmbeddedEngine.open(place, SIGNATURE)
    if action == "read":
        for _ in sys.stdin:
            say(engine.status().sequence, len(engine.search(ask("word", top_k=100))))
    elif action == "write":
        try:
            engine.apply(nth_batch(1000))
            say("applied")
        except HomeBusyError as error:
            say("busy:", error.next_step)
    else:
        for n in range(1, numbers[0] + 1):
            if action == "die" and n == numbers[0]:
                kill_at_fsync(numbers[1])
            engine.apply(nth_batch(n))
            say(n)
    engine.close()


def say(*words: object) -> None:
    """Write one line, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def kill_at_fsync(count: int) -> None:
    """Let the count-th fsync from now on be the last thing that this process does."""
    real, left = os.fsync, [count]

    def fsync(descriptor: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        real(descriptor)

    os.fsync = fsync


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))
