"""Kept results of nodes in memory, as a fake of the table in the records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.domain.results import Result
from core.errors import RecordsError
from core.store.conversations.node_results import NodeFigures, NodeResult


class ResultsByKey:
    """Results in memory; `fails`: it is a database that cannot be reached."""

    def __init__(self, *, fails: bool = False) -> None:
        self.kept: dict[str, Result] = {}
        self.used: list[str] = []
        self.figures: dict[str, NodeFigures] = {}
        self.fails = fails

    def get(self, key: str) -> Result | None:
        self._reach()
        return self.kept.get(key)

    def put(self, results: Sequence[NodeResult], used: Collection[str]) -> None:
        self._reach()
        self.kept |= {each.key: each.result for each in results}
        self.used += used

    def add_figures(self, ran: Mapping[str, NodeFigures]) -> None:
        self._reach()
        self.figures |= ran

    def _reach(self) -> None:
        if self.fails:
            raise RecordsError("It cannot be reached.")
