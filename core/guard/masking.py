"""Masks in place of personal data: the raw values are held in memory, and in nothing that is kept or sent."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel

from core.domain.guards.verdict import GuardSpan
from core.domain.llm.use import ModelCall
from core.guard.personal_data import WORDS
from core.llm.base import ChatReply, ModelCalls, Prompt, Reply, ToolSpec

Model = TypeVar("Model", bound=BaseModel)

OF_DOCUMENTS = frozenset(
    (
        *("quote", "title", "source", "sources", "document", "documents", "evidence", "nearest", "citations"),
        *("table", "value", "assets", "set", "pending", "unread", "trace_id"),
    )
)
"""Fields of answers and events that hold the documents' own words and names."""
OF_QUESTION = frozenset(("plan", "reading", "other_readings", "clarification", "understood"))
"""Fields that are made of the question alone, whatever their parts are called."""
_SEPARATORS = re.compile(r"[\s().\-/]+")
_REPEATED = re.compile(r"([“\"]?\[[^\[\]]{3,40}\][”\"]?)(?:(?:,|,? (?:and|or))\s+\1)+")
_LEAST_NUMBER = 6
_LEAST_PART = 4
_ROLES = frozenset({
    "info", "sales", "support", "contact", "office", "billing", "account", "accounts", "invoice", "invoices",
    "admin", "help", "service", "mail", "orders", "hello", "team", "legal", "privacy", "jobs",
})  # fmt: skip
"""Names before an @ that are words: masking them elsewhere would hide words of the question."""


@dataclass(frozen=True)
class Masking:
    """Values with the masks that stand for them, in the order in which they are looked for."""

    masks: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        return bool(self.masks)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self.masks, key=len, reverse=True)
        return re.compile(
            "|".join(f"({re.escape(value)}|{_loose(value)})" for value in longest), re.IGNORECASE
        )

    def text(self, text: str) -> str:
        """The text with masks, also where a value is written in other letters or with other separators."""
        if not self.masks:
            return text
        longest = sorted(self.masks, key=len, reverse=True)
        return self._pattern.sub(lambda found: self.masks[longest[(found.lastindex or 1) - 1]], text)

    def holds(self, text: str) -> bool:
        """True where a value stands in the text."""
        return bool(self.masks) and bool(self._pattern.search(text))

    def model(self, model: Model) -> Model:
        """The answer or event with masks in all that was made of the question.

        Words of documents stay as they are, and so does a sentence that cites a place where the value stands.
        """
        if not self.masks:
            return model
        data = model.model_dump(mode="json", by_alias=True)
        return type(model).model_validate(self._masked(data))

    def _masked(self, node: Any, is_of_question: bool = False) -> Any:
        if isinstance(node, str):
            return _REPEATED.sub(r"\1", self.text(node)) if self.holds(node) else node
        if isinstance(node, list):
            masked = [self._masked(each, is_of_question) for each in node]
            return self._once(node, masked)
        if not isinstance(node, dict):
            return node
        cites = any(self.holds(quote) for quote in _quotes(node))
        return {
            key: each
            if not is_of_question and (key in OF_DOCUMENTS or (key == "text" and cites))
            else self._masked(each, is_of_question or key in OF_QUESTION)
            for key, each in node.items()
        }

    def _once(self, before: list[Any], masked: list[Any]) -> list[Any]:
        """Masked words of a list, each once: the parts of an address are all one mask."""
        seen: set[str] = set()
        kept = []
        for old, new in zip(before, masked, strict=True):
            if isinstance(new, str) and new != old and new in seen:
                continue
            if isinstance(new, str):
                seen.add(new)
            kept.append(new)
        return kept


def masking_of(text: str, spans: Sequence[GuardSpan]) -> Masking:
    """The masks of what stands at these places of a text: "[e-mail address]", "[e-mail address 2]"."""
    masks: dict[str, str] = {}
    counts: dict[str, int] = {}
    known: dict[str, str] = {}
    for span in spans:
        value = text[span.start : span.end]
        key = _SEPARATORS.sub("", value).casefold()
        if key not in known:
            counts[span.kind] = counts.get(span.kind, 0) + 1
            number = f" {counts[span.kind]}" if counts[span.kind] > 1 else ""
            known[key] = f"[{WORDS[span.kind]}{number}]"
        masks[value] = known[key]
        if span.kind == "email":
            for part in value.split("@"):
                if len(part) >= _LEAST_PART and part.casefold() not in _ROLES:
                    masks.setdefault(part, known[key])
    return Masking(masks)


def _loose(value: str) -> str:
    """A value as it may be written elsewhere: a number in other groups, words with other signs between."""
    digits = [char for char in value if char.isdigit()]
    if len(digits) < _LEAST_NUMBER or len(digits) < len(re.sub(r"[\W_]", "", value)) / 2 or "@" in value:
        pieces = re.findall(r"[^\W_]+", value)
        return r"[\W_]{1,3}".join(map(re.escape, pieces)) if len(pieces) > 1 else re.escape(value)
    body = r"[\s().\-/]*".join(re.escape(char) for char in value if char.isalnum())
    start = re.escape(value[0]) if not value[0].isalnum() else ""
    return (f"(?:{start}" + r"[\s().\-/]*" + ")?" if start else "") + rf"(?<!\w){body}(?!\w)"


def _quotes(node: Mapping[str, Any]) -> list[str]:
    """The quotes that a claim or an answer cites."""
    claims = _dicts(node.get("claims"))
    cited = [*_dicts(node.get("citations")), *(c for claim in claims for c in _dicts(claim.get("citations")))]
    return [str(each.get("quote", "")) for each in cited]


def _dicts(node: object) -> list[Mapping[str, Any]]:
    return [each for each in node if isinstance(each, dict)] if isinstance(node, list) else []


class MaskedModelCalls:
    """The calls of a question whose prompts are masked, whatever they were filled with."""

    def __init__(self, calls: ModelCalls, masking: Masking) -> None:
        self._calls = calls
        self._masking = masking

    @property
    def made(self) -> Sequence[ModelCall]:
        """See `ModelCalls.made`."""
        return self._calls.made

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """See `ModelCalls.structured`."""
        return self._calls.structured(self._masked(prompt), reply, schema)

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        """See `ModelCalls.converse`."""
        return self._calls.converse(self._masked(prompt), tools, must_call_tool=must_call_tool)

    def write(self, prompt: Prompt) -> Generator[str, None, None]:
        """See `ModelCalls.write`."""
        return self._calls.write(self._masked(prompt))

    def stop(self) -> None:
        """See `ModelCalls.stop`."""
        self._calls.stop()

    def _masked(self, prompt: Prompt) -> Prompt:
        def masked(text: str) -> str:
            return self._masking.text(text)

        messages = tuple(
            replace(
                message,
                content=masked(message.content),
                tool_calls=tuple(replace(c, arguments=masked(c.arguments)) for c in message.tool_calls),
            )
            for message in prompt.messages
        )
        values = {name: masked(value) for name, value in prompt.values.items()}
        return replace(prompt, messages=messages, values=values)


def masked_calls(calls: ModelCalls, masking: Masking) -> ModelCalls:
    """The calls behind the boundary; themselves where there is nothing to mask."""
    return MaskedModelCalls(calls, masking) if masking else calls
