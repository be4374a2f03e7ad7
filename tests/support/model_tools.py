"""Tools for a model that give what they are told to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import UsageError

HIT = {
    "doc_id": "d",
    "title": "Lease",
    "source": "lease.txt",
    "version": 1,
    "page": 2,
    "start": 4,
    "end": 9,
    "text": "Rent.",
}
LEDGER = {"scope": 9, "present": 5, "absent": 3, "uncertain": 1, "unreadable": 0}


class GivenTools:
    """Tools that give what they are told to."""

    def __init__(self, result: dict[str, Any] | UsageError) -> None:
        self.result = result
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def schemas(self) -> list[dict[str, Any]]:
        return [
            {
                "function": {
                    "name": "search_text",
                    "description": "Find places.",
                    "parameters": {"type": "object"},
                }
            }
        ]

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.calls.append((name, dict(arguments)))
        if isinstance(self.result, UsageError):
            raise self.result
        return self.result
