"""A kind of job, done in slices, and what it may ask of the worker that runs it."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from core.store.base import JobOrder

WORKER_LEASE = "worker"
LEASE_TTL_S = 15.0


class JobInterrupted(Exception):  # noqa: N818 - no error: the job's user, or the end of the worker, asked for it
    """Work must end here; what is not done yet stays pending. Raised by `JobContext.check`."""


class JobWaits(Exception):  # noqa: N818 - no error: something outside is not there yet
    """The job has nothing to do for so many seconds; others have their turn, then its next slice begins."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Control(Protocol):
    """Control that says when to stop, for work that does not know of jobs."""

    def check(self) -> None:
        """Raises JobInterrupted once the job was cancelled or the worker is to stop. Cheap: call it often,
        at least every two seconds."""
        ...

    def should_yield(self) -> bool:
        """True where this slice has lasted long enough; it may last longer while no other job waits."""
        ...


class JobContext(Control, Protocol):
    """Context of a handler while it works. Thread-safe."""

    @property
    def order(self) -> JobOrder:
        """The job: its payload, and how often it was begun."""
        ...

    @property
    def created_at(self) -> datetime:
        """Time at which the job was submitted."""
        ...


class JobHandler(Protocol):
    """One kind of job. All that it does may be done twice: a slice that a kill cut short is repeated."""

    def prepare(self, context: JobContext) -> None:
        """Write the job's items where they are not written yet; a job without items leaves it as it is.

        Raises JobInterrupted, or a GroundworkError that fails the job.
        """
        return

    def work(self, context: JobContext) -> bool:
        """Do pending items until none is left (False) or the slice has lasted long enough (True).

        Raises JobInterrupted, JobWaits, or a GroundworkError that fails the job; what is done stays done.
        """
        ...


@dataclass(frozen=True, slots=True)
class SliceLimits:
    """Seconds of a slice: while its job is alone, and while others wait for their turn."""

    alone_s: float = 60.0
    shared_s: float = 10.0


def new_owner(token: str = "") -> str:
    """A name for this process; two with the same token are the same owner."""
    return f"{socket.gethostname()}:{os.getpid()}:{token or secrets.token_hex(4)}{_namespace()}"


def host_of(owner: str) -> str:
    """The machine of an owner."""
    return owner.partition(":")[0]


def is_dead(owner: str) -> bool:
    """True where the owner is known to be gone: a process that ended where this one could see it."""
    host, _, rest = owner.partition(":")
    number, _, token = rest.partition(":")
    if os.name != "posix" or host != socket.gethostname() or not number.isdecimal():
        return False
    if "@" in token and not token.endswith(_namespace()):
        return False  # in another container with this host name, whose processes cannot be seen from here
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _namespace() -> str:
    try:
        return "@" + os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:
        return ""
