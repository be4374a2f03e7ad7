"""Tool calls of a language model for one question, and what they found, as evidence that it may cite."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.domain.answer import LEDGER_PARTS, QuotedPlace
from core.domain.event import ToolUsed
from core.errors import GroundworkError, UsageError
from core.llm.base import ToolSpec
from core.llm.prompts import fence
from core.llm.reply import whole_characters
from core.plan.run.tools import Tools

if TYPE_CHECKING:
    from core.answer.prose.units import EvidencePool

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


@dataclass(frozen=True, slots=True)
class ToolEvidence:
    """The tool calls of one question. Not shared between questions.

    buckets: those that the question is asked in; a call may narrow them, and never leave them.
    """

    tools: Tools
    pool: EvidencePool
    buckets: tuple[str, ...]

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model is told of them."""
        told = (each["function"] for each in self.tools.schemas())
        return tuple(ToolSpec(each["name"], each["description"], each["parameters"]) for each in told)

    def search(self, words: str, document: str, at_ms: float) -> Iterator[ToolUsed]:
        """Find places as evidence, in each bucket of the question. document: an id, "" for all."""
        asked: dict[str, Any] = {"query": words, "top_k": MOST_FOUND, "context_chars": FOUND_CHARS}
        asked |= {"doc_id": document} if document else {}
        for bucket in self.buckets or ("",):
            within = asked | ({"bucket": bucket} if bucket else {})
            yield self.call("search", json.dumps(within), at_ms).event

    def call(self, name: str, arguments: str, at_ms: float) -> ToolResult:
        """Result of a call as the model wrote it; what is wrong with it is a result, too."""
        began = time.perf_counter()
        given: dict[str, Any] = {}
        hits = 0
        try:
            given = self._arguments(name, arguments)
            found = self.tools.call(name, given)
            lines, hits = self._kept(name, found)
            text = "\n".join(lines) or "Nothing was found."
        except GroundworkError as error:
            text = error.explanation
        glimpse, spent = text[:GLIMPSE_CHARS], round((time.perf_counter() - began) * 1000, 3)
        event = ToolUsed(
            at_ms=at_ms, tool=name[:100], arguments=given, hits=hits, result=glimpse, latency_ms=spent
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
            said = f"The arguments of {name[:100]} are no JSON object."
            raise UsageError(said, next_step="Write them again.")
        if name in _SEARCHES:
            asked = given.get("context_chars")
            most = min(max(asked if isinstance(asked, int) else 0, CONTEXT_CHARS), MOST_CONTEXT_CHARS)
            given = {**given, "context_chars": most}
        if not self.buckets or name not in _WITHIN:
            return given
        chosen = given.get("bucket")
        if chosen is None and len(self.buckets) == 1:
            return {**given, "bucket": self.buckets[0]}
        if chosen not in self.buckets:
            said = f"The question is asked in {', '.join(self.buckets)} only."
            raise UsageError(said, next_step="Name one of these as bucket.")
        return given

    def _kept(self, name: str, found: dict[str, Any]) -> tuple[list[str], int]:
        """Lines for the model, with ids of what may be cited, and the number of hits."""
        if name in _SEARCHES:
            hits = found["hits"]
            return [line for hit in hits[:MOST_HITS] if (line := self._hit(hit))], len(hits)
        if name == "annotations_aggregate":
            groups = found["groups"]
            return [self._group(each) for each in groups[:MOST_GROUPS]], len(groups)
        if name == "annotations_search":
            total = self.pool.add_value("documents that fulfil the conditions", f"{found['total']:,}")
            listed = [f"- {each['title']} (doc_id {each['doc_id']})" for each in found["documents"]]
            ledger = found["ledger"]
            counts = ", ".join(f"{ledger[part]} {part}" for part in LEDGER_PARTS)
            of = f"Of {ledger['scope']} documents in scope: {counts}."
            return [f"{total} = {found['total']:,} documents", *listed, of], found["total"]
        return [f"{key}: {value}" for key, value in found.items()], 1

    def _hit(self, hit: dict[str, Any]) -> str:
        own = {name: hit[name] for name in ("title", "source", "version", "page", "start", "end")}
        place = QuotedPlace(document=hit["doc_id"], quote=hit["text"], **own)
        id = self.pool.add_place(place, is_found=True)
        said = f"[{id}] {hit['title']}, page {hit['page']} (doc_id {hit['doc_id']})\n{hit['text']}"
        return said if id else ""

    def _group(self, group: dict[str, Any]) -> str:
        of = ", ".join(map(str, group["key"])) or "all documents in scope"
        shown = f"{group['value']} {group['unit'] or ''}".strip()
        return f"{self.pool.add_value(of, shown)} = {shown} ({of})"


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
