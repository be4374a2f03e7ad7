"""Events of a question as it is answered: server-sent events, read from their lines.

Source: WHATWG HTML Living Standard, 9.2.6 "Interpreting an event stream".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer

LAST = ("finished", "stopped", "interrupted")
"""Types of the event after which there comes no other."""


@dataclass(frozen=True, slots=True)
class StreamedEvent:
    """One event. number: its place, from 0; type: of `data`, as "planned" or "answered"."""

    number: int
    type: str
    data: Mapping[str, Any]

    @property
    def answer(self) -> Answer | None:
        """The whole answer, where this event carries it."""
        return Answer.model_validate(self.data["answer"]) if self.type == "answered" else None

    @property
    def is_last(self) -> bool:
        """True where the question has ended."""
        return self.type in LAST


def events_of(lines: Iterable[str]) -> Iterator[StreamedEvent]:
    """The events of a stream's lines; one that broke off in its midst is left out, and so are comments."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            yield StreamedEvent(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
