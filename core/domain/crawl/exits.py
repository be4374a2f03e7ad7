"""Exit codes of the process of a crawl: the ways in which it ends."""

from __future__ import annotations

from enum import IntEnum


class CrawlerExit(IntEnum):
    """Exit codes of `python -m crawler`. Only FINISHED ends the run; after the others it can go on."""

    FINISHED = 0  # the frontier is empty, or somebody stopped the run: its end is written
    FAILED = 1  # an error that nobody expected; stderr has it
    USAGE = 2  # wrong arguments or settings, or no such crawl
    LOST = 3  # the ledger was given to another crawler
    STORE = 4  # the records or the folder of originals could not be written: a full disk, a lost server
    INTERRUPTED = 5  # its input was closed, or it was asked to end
