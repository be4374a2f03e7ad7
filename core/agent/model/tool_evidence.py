"""Tools as a model calls them: its arguments checked, its scope no wider, its results kept as evidence."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.agent.base import ToolBox
from core.answer.prose.units import EvidencePool
from core.domain.answer import LEDGER_PARTS, QuotedPlace
from core.domain.event import ToolUsed
from core.errors import GroundworkError, UsageError
from core.llm.base import ToolSpec
from core.llm.prompts import fence
from core.llm.reply import whole_characters

MOST_HITS = 6  # of one search that a model is shown
MOST_GROUPS = 30
CONTEXT_CHARS, MOST_CONTEXT_CHARS = 900, 2_500
MOST_FOUND, FOUND_CHARS = 4, 1_500  # of a search for who writes: fewer places, whole
GLIMPSE_CHARS = 600
LONGEST_ARGUMENTS = 20_000  # characters
DEEPEST_ARGUMENTS = 12
_SEARCHES = ("search", "search_text", "search_semantic")
_WITHIN = (*_SEARCHES, "annotations_search", "annotations_aggregate")


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A result as the model reads it, with the event that tells of it."""

    text: str
    event: ToolUsed


class ToolEvidence:
    """The tool calls of one question. Not shared between questions.

    buckets: those that the question is asked in; a call may narrow them, and never leave them.
    """

    def __init__(self, tools: ToolBox, pool: EvidencePool, buckets: Sequence[str]) -> None:
        self._tools = tools
        self._pool = pool
        self._buckets = tuple(buckets)

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model is told of them."""
        told = (each["function"] for each in self._tools.schemas())
        return tuple(ToolSpec(each["name"], each["description"], each["parameters"]) for each in told)

    def search(self, words: str, document: str, at_ms: float) -> Iterator[ToolUsed]:
        """Find places as evidence, in each bucket of the question. document: an id, "" for all."""
        asked: dict[str, Any] = {"query": words, "top_k": MOST_FOUND, "context_chars": FOUND_CHARS}
        asked |= {"doc_id": document} if document else {}
        for bucket in self._buckets or ("",):
            within = asked | ({"bucket": bucket} if bucket else {})
            yield self.call("search", json.dumps(within), at_ms).event

    def call(self, name: str, arguments: str, at_ms: float) -> ToolResult:
        """Result of a call as the model wrote it; what is wrong with it is a result, too."""
        began = time.perf_counter()
        given: dict[str, Any] = {}
        hits = 0
        try:
            given = self._arguments(name, arguments)
            found = self._tools.call(name, given)
            lines, hits = self._kept(name, found)
            text = "\n".join(lines) or "Nothing was found."
        except GroundworkError as error:
            text = error.explanation
        event = ToolUsed(
            at_ms=at_ms,
            tool=name[:100],
            arguments=given,
            hits=hits,
            result=text[:GLIMPSE_CHARS],
            latency_ms=round((time.perf_counter() - began) * 1000, 3),
        )
        return ToolResult(fence("result", text), event)

    def _arguments(self, name: str, written: str) -> dict[str, Any]:
        try:
            if len(written) > LONGEST_ARGUMENTS:
                raise ValueError("More than any tool takes.")
            given = _plain(json.loads(written or "{}", parse_constant=_refuse))
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise UsageError(
                f"The arguments of {name[:100]} are no JSON object.", next_step="Write them again."
            )
        if name in _SEARCHES:
            asked = given.get("context_chars")
            wanted = asked if isinstance(asked, int) else 0
            given = {**given, "context_chars": min(max(wanted, CONTEXT_CHARS), MOST_CONTEXT_CHARS)}
        if not self._buckets or name not in _WITHIN:
            return given
        chosen = given.get("bucket")
        if chosen is None and len(self._buckets) == 1:
            return {**given, "bucket": self._buckets[0]}
        if chosen not in self._buckets:
            raise UsageError(
                f"The question is asked in {', '.join(self._buckets)} only.",
                next_step="Name one of these as bucket.",
            )
        return given

    def _kept(self, name: str, found: dict[str, Any]) -> tuple[list[str], int]:
        """Lines for the model, with ids of what may be cited, and the number of hits."""
        if name in _SEARCHES:
            hits = found["hits"]
            return [line for hit in hits[:MOST_HITS] if (line := self._hit(hit))], len(hits)
        if name == "annotations_aggregate":
            groups = found["groups"]
            return [self._group(name, each) for each in groups[:MOST_GROUPS]], len(groups)
        if name == "annotations_search":
            total = self._pool.add_value("documents that fulfil the conditions", f"{found['total']:,}")
            listed = [f"- {each['title']} (doc_id {each['doc_id']})" for each in found["documents"]]
            return [f"{total} = {found['total']:,} documents", *listed, _ledger(found["ledger"])], found[
                "total"
            ]
        return [f"{key}: {value}" for key, value in found.items()], 1

    def _hit(self, hit: dict[str, Any]) -> str:
        place = QuotedPlace(
            document=hit["doc_id"],
            title=hit["title"],
            source=hit["source"],
            version=hit["version"],
            page=hit["page"],
            start=hit["start"],
            end=hit["end"],
            quote=hit["text"],
        )
        id = self._pool.add_place(place, is_found=True)
        return (
            f"[{id}] {hit['title']}, page {hit['page']} (doc_id {hit['doc_id']})\n{hit['text']}" if id else ""
        )

    def _group(self, name: str, group: dict[str, Any]) -> str:
        of = ", ".join(map(str, group["key"])) or "all documents in scope"
        shown = f"{group['value']} {group['unit'] or ''}".strip()
        return f"{self._pool.add_value(of, shown)} = {shown} ({of})"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON.")


def _plain(value: Any, depth: int = 0) -> Any:
    """Arguments as an event can keep them. Raises ValueError for what nests deeper than any tool takes."""
    if depth > DEEPEST_ARGUMENTS:
        raise ValueError("It nests deeper than any tool takes.")
    if isinstance(value, dict):
        return {whole_characters(key): _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, depth + 1) for each in value]
    return whole_characters(value) if isinstance(value, str) else value


def _ledger(ledger: dict[str, Any]) -> str:
    counts = ", ".join(f"{ledger[part]} {part}" for part in LEDGER_PARTS)
    return f"Of {ledger['scope']} documents in scope: {counts}."
