"""Names of those who hold leases ("host:process:token"), and whether they are known to be gone."""

from __future__ import annotations

import os
import secrets
import socket


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
