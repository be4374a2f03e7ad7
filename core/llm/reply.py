"""Replies of a server: bounded in bytes and in time, unpacked, and checked as they are read."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core.llm.base import ChatReply, ToolCall
from core.llm.failures import failure

_MOST_TOKENS = 1_000_000_000  # of one reply; more is no count
PACKED = ("gzip", "x-gzip", "deflate")
"""Encodings that are unpacked here; a server is asked for none, and proxies pack nevertheless."""


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """most_bytes: unpacked. longest_s: from the first byte on; None for no limit."""

    most_bytes: int
    longest_s: float | None = None


ERROR_LIMIT = BodyLimit(64_000, 2.0)
"""Of an error: more says nothing that a person reads."""
FILE_LIMIT = BodyLimit(64_000_000)
"""Of the replies of a batch."""
REPLY_LIMIT = BodyLimit(4_000_000)
"""Of a whole reply."""
STREAM_LIMIT = BodyLimit(8_000_000)
"""Of a streamed reply: each word comes with some 200 bytes around it."""


class BodyTooLargeError(ValueError):
    """A body that is larger than any reply."""


def bounded(
    pieces: Iterable[bytes],
    encoding: str,
    limit: BodyLimit,
    *,
    is_cut: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """The body, unpacked, within its limit. is_cut: what is beyond, or cannot be unpacked, is left out.

    encoding: as the header names it. Raises BodyTooLargeError, and ValueError where it is not so packed.
    """
    try:
        yield from _within(pieces, encoding, limit, is_cut=is_cut, clock=clock)
    except ValueError:
        if not is_cut:
            raise


def _within(
    pieces: Iterable[bytes], encoding: str, limit: BodyLimit, *, is_cut: bool, clock: Callable[[], float]
) -> Iterator[bytes]:
    left, began = limit.most_bytes, clock()
    for piece in _unpacked(pieces, encoding.strip().casefold(), limit.most_bytes):
        if len(piece) > left:
            if not is_cut:
                raise BodyTooLargeError(f"A body of more than {limit.most_bytes:,} bytes.")
            yield piece[:left]
            return
        left -= len(piece)
        yield piece
        if limit.longest_s is not None and clock() - began > limit.longest_s:
            return


def _unpacked(pieces: Iterable[bytes], encoding: str, most: int) -> Iterator[bytes]:
    """At most `most` bytes and one at a time: a bomb is not unpacked before it is counted."""
    if encoding in ("", "identity"):
        yield from pieces
        return
    if encoding not in PACKED:
        raise ValueError(f"A body that is packed as {encoding!r}.")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    for piece in pieces:
        try:
            found = unpack.decompress(piece, most + 1)
        except zlib.error as error:
            raise ValueError("A body that is not packed as it says.") from error
        if found:
            yield found
        while unpack.unconsumed_tail:
            found = unpack.decompress(unpack.unconsumed_tail, most + 1)
            if not found:
                break
            yield found


def reply_of(document: Mapping[str, Any], server: str) -> ChatReply:
    """The first choice of a body. Raises LlmError where there is none, or it did not end.

    server: as messages call it.
    """
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise failure("empty_reply", server)
    finish = str(choice.get("finish_reason") or "")
    if not finish:
        raise failure("broke_off", server)
    usage = document.get("usage")
    return ChatReply(
        text=text_of(message.get("content")),
        finish=finish,
        tool_calls=tuple(_tool_calls(message.get("tool_calls"))),
        prompt_tokens=count_of(usage, "prompt_tokens"),
        completion_tokens=count_of(usage, "completion_tokens"),
    )


def text_of(content: object) -> str:
    """The words of a content: a text, or a list of parts as servers of reasoning models send it."""
    if isinstance(content, list):
        parts = [
            each.get("text") for each in content if isinstance(each, dict) and each.get("type") == "text"
        ]
        return "".join(text_of(part) for part in parts if isinstance(part, str))
    return whole_characters(content) if isinstance(content, str) else ""


def count_of(usage: Any, name: str) -> int:
    """A count of tokens; 0 where it is none."""
    found = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, 0)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= _MOST_TOKENS:
        return 0
    return int(found)


def whole_characters(text: str) -> str:
    """The text with halves of pairs, which JSON can say and nothing can keep, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _tool_calls(found: Any) -> list[ToolCall]:
    calls = []
    for number, each in enumerate(found if isinstance(found, list) else ()):
        function = each.get("function") if isinstance(each, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            id = text_of(str(each.get("id") or f"call_{number}"))
            calls.append(ToolCall(id, text_of(function["name"]), text_of(arguments) or "{}"))
    return calls
