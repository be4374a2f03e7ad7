from __future__ import annotations

import gzip
import zlib

import pytest

from core.errors import LlmError
from core.llm.base import ToolCall
from core.llm.reply import BodyLimit, BodyTooLargeError, bounded, reply_of


def body(message: object, **more: object) -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def test_odd_parts_are_left_out() -> None:
    calls = [None, {"function": {"name": 3}}, {"function": {"name": "f", "arguments": None}}]

    found = reply_of(body({"content": None, "tool_calls": calls}, usage={"prompt_tokens": "7"}), "Groq")

    assert (found.text, found.tool_calls) == ("", (ToolCall("call_2", "f", "{}"),))
    assert found.prompt_tokens == 0


@pytest.mark.parametrize("document", [{}, {"choices": {}}, {"choices": [{"message": "hi"}]}])
def test_a_body_without_a_message_is_refused(document: dict[str, object]) -> None:
    with pytest.raises(LlmError, match="nothing in it"):
        reply_of(document, "Groq")


LIMIT = BodyLimit(1_000)


def test_a_body_within_its_limit_is_given_as_it_is() -> None:
    assert b"".join(bounded([b"a" * 600, b"b" * 400], "", LIMIT)) == b"a" * 600 + b"b" * 400


def test_a_body_beyond_its_limit_is_an_error_or_cut() -> None:
    pieces = [b"a" * 600, b"b" * 600, b"c"]

    with pytest.raises(BodyTooLargeError):
        list(bounded(pieces, "", LIMIT))
    assert b"".join(bounded(pieces, "", LIMIT, is_cut=True)) == b"a" * 600 + b"b" * 400


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_packed_body_is_unpacked_and_a_bomb_is_not(pack: object) -> None:
    small, bomb = pack(b"hello"), pack(b"\0" * 50_000_000)  # type: ignore[operator]

    assert b"".join(bounded([small[:4], small[4:]], "gzip", LIMIT)) == b"hello"
    with pytest.raises(BodyTooLargeError):
        list(bounded([bomb], "GZIP ", LIMIT))
    assert len(b"".join(bounded([bomb], "gzip", LIMIT, is_cut=True))) == 1_000


def test_a_body_that_is_not_packed_as_it_says_is_an_error_or_empty() -> None:
    for encoding in ("gzip", "br"):
        with pytest.raises(ValueError, match="packed"):
            list(bounded([b"hello"], encoding, LIMIT))
        assert list(bounded([b"hello"], encoding, LIMIT, is_cut=True)) == []


def test_a_body_that_trickles_ends_at_its_time() -> None:
    moments = iter(range(100))
    found = list(bounded([b"a"] * 50, "", BodyLimit(1_000, 2.0), is_cut=True, clock=lambda: next(moments)))

    assert 1 <= len(found) <= 4
