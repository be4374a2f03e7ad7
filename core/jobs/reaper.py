"""Adopts what a dead worker left: jobs that say they run, but that no live process works on."""

from __future__ import annotations

from core.domain.ids import JobId
from core.domain.job import JobState
from core.jobs.queue import live_workers
from core.records.store import Records


def adopt(records: Records, mine: frozenset[JobId] = frozenset(), owner: str = "") -> list[JobId]:
    """Queue running jobs again that nobody works on; gives them, the oldest first.

    Those among `mine` are being worked on. On SQLite only the owner of the home may call this: no other
    process can be at work. On a shared database a job stays with the worker that claimed it for as long as
    that one's lease lasts; `owner` is the caller, who knows what it runs itself. Of many callers at once one
    adopts. A job that was asked to stop before its worker died ends as cancelled.
    """
    running = [order for order in records.jobs.running() if order.id not in mine]
    if not running:
        return []
    working = {lease.owner for lease in live_workers(records)} - {owner} if records.is_shared else set()
    left = [order for order in running if order.owner not in working]
    return [order.id for order in left if records.jobs.give_back(order.id, order.owner) is JobState.QUEUED]
