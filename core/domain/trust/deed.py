"""Deeds that the audit log keeps, its entries, and what a check of its chain found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any, Literal

Outcome = Literal["done", "refused", "failed"]
REDACTION = "audit.redact"
"""The deed that takes the content of entries away; the chain is checked by what it names."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done: by whom, what, on what, from where. Without secrets and personal data.

    subject: the id of what it was done on, "" where there are several, which `detail` holds then.
    """

    name: str
    account: str
    origin: str = ""
    subject: str = ""
    trace: str = ""
    outcome: Outcome = "done"
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A deed in the chain. is_redacted: its content was taken away; number, time and deed stay."""

    sequence: int
    at: datetime
    deed: Deed
    hash: str
    is_redacted: bool = False


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which entries: all that fit everything given. deed: a name, or its first part with a dot ("audit.")."""

    account: str = ""
    deed: str = ""
    subject: str = ""
    trace: str = ""
    outcome: str = ""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None  # entries with a lower number, for the page after this one
    limit: int = 100


class Fault(Enum):
    """What is wrong with a chain at its first broken entry."""

    MISSING = "missing"
    CHANGED = "changed"
    ORDER = "out of order"
    REDACTION = "emptied without a redaction"
    END = "cut off or continued at its end"
    HEAD = "not the chain whose head was exported"


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a check of the chain found. sequence: of the first broken entry, None where all is well."""

    entries: int
    head: int
    hash: str
    sequence: int | None = None
    fault: Fault | None = None

    @property
    def is_whole(self) -> bool:
        """True where no link is broken."""
        return self.fault is None

    @property
    def text(self) -> str:
        """One sentence for people."""
        if self.fault is None:
            return f"The chain of {self.entries:,} entries is whole."
        return f"The chain is broken at entry {self.sequence:,}: {self.fault.value}."


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The last entry of the chain at some time: exported, it proves what stood before it."""

    at: datetime
    sequence: int
    hash: str


def canonical(value: Any) -> str:
    """The one JSON text of a value: what is hashed must not depend on who wrote it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
