"""Faults of language models, each as a script of the server and what the answer must not say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.model_plans import GOOD, UNKNOWN, condition, reply, step
from tests.support.scripted_llm import Step, data, event, failure, page, reply_json, stream
from tests.support.scripted_llm import reply as whole

SECRET = "gsk_0123456789abcdef"
LEASE = (
    "The notice period is thirty days. The monthly rent is USD 4,500, due on March 1, 2026. "
    "The tenant may not sublet the premises. Beta Holdings LLC pays for water."
)
QUESTION = "What is the monthly rent of the warehouse?"
HARD_QUESTION = "How many agreements sit beneath Texan rules and are floral?"


@dataclass(frozen=True)
class ModelFault:
    """name: what happens, in plain words. code: in the answer, "" where the fault is overcome.

    of: which question it strikes, `prose` or `plan`. wrong: words that no answer may hold. settings: of the
    models. is_written: prose is shown all the same. is_loop: with the agent that calls tools.
    """

    name: str
    script: tuple[Step | Callable[[dict[str, Any]], Step], ...]
    code: str = "E004"
    of: str = "prose"
    wrong: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    is_written: bool = False
    is_loop: bool = False


def lines(*sentences: tuple[str, list[str]]) -> Step:
    """Sentences with their ids, as a model streams them."""
    return stream(*(json.dumps({"text": text, "ids": ids}) + "\n" for text, ids in sentences))


def again(text: str, *ids: str) -> Step:
    """The repair of one sentence."""
    return reply_json({"claims": [{"text": text, "ids": list(ids)}]})


def _said(text: str, wrong: str, *ids: str) -> tuple[Step, Step]:
    """A wrong sentence, and the same again."""
    return lines((text, list(ids or ("e1",)))), again(text, *(ids or ("e1",)))


def _chunks(*pieces: bytes) -> Step:
    """Events of a stream as they are."""
    return Step((*pieces, b"data: [DONE]\n\n"), media_type="text/event-stream")


BEGUN = '{"text": "The monthly rent is USD 45'
RIGHT = lines(("The monthly rent is USD 4,500.", ["e1"]))
GONE = again("")
SENTENCE = '{"text": "The monthly rent is USD 4,500.", "ids": ["e1"]}\n'
WORDS = event({"delta": {"content": SENTENCE}})
END = event({"delta": {}, "finish_reason": "stop"})
DEEP = whole("[" * 100_000)


def _prose(name: str, text: str, *ids: str) -> ModelFault:
    return ModelFault(name, _said(text, text, *ids), wrong=text)


FAULTS = (
    ModelFault("The key is wrong (401)", (failure(401, f"Invalid API key {SECRET}"),), wrong=SECRET),
    ModelFault("The key is revoked (403), and printed in the error", (failure(403, SECRET),), wrong=SECRET),
    ModelFault("The model does not exist (404)", (failure(404, "no such model"),)),
    ModelFault("The request is too large (413)", (failure(413, "too large"),)),
    ModelFault("Over the limit (429), for longer than the question may take",
               (failure(429, "slow down", headers={"retry-after": "600"}),), code="E005"),
    ModelFault("Over the limit (429), and free again a moment later",
               (failure(429, "slow down", headers={"retry-after": "0"}), RIGHT), code="", is_written=True),
    ModelFault("No capacity (498), every time", (failure(498, "flex tier"),), code="E005"),
    ModelFault("A server error (500), every time", (failure(500),)),
    ModelFault("A server error (503) once", (failure(503), RIGHT), code="", is_written=True),
    ModelFault("A page of HTML with status 200", (page(),)),
    ModelFault("An empty JSON object", (Step((b"{}",)),)),
    ModelFault("No byte within the time", (stream("{", wait_s=2.0),), code="E005"),
    ModelFault("Words, then silence", (stream(BEGUN, " is", between_s=1.0),), code="E005"),
    ModelFault("A stream that is cut", (stream(BEGUN, finish=None, cut=True),)),
    ModelFault("A stream without a finish_reason", (stream(BEGUN, finish=None),)),
    ModelFault("A reply that ends at its length", (stream(BEGUN, finish="length"),)),
    ModelFault("A stream that a content filter cuts", (stream(BEGUN, finish="content_filter"),)),
    ModelFault("A stream that ends for a reason that nobody knows", (stream(BEGUN, finish="recitation"),)),
    ModelFault("A content filter in the second check", (
        RIGHT, whole('{"verdicts": []}', finish="content_filter"),
    ), settings={"verify": True}, is_written=True),
    ModelFault("A stream that a content filter cuts behind a sentence", (
        stream(SENTENCE, BEGUN, finish="content_filter"),
    ), is_written=True),
    ModelFault("A stream that is cut behind a sentence", (
        stream(SENTENCE, BEGUN, finish=None, cut=True),
    ), is_written=True),
    ModelFault("The deadline, behind a sentence", (
        stream(SENTENCE, BEGUN, *[" and"] * 40, between_s=0.1),
    ), code="E005", settings={"deadline_s": 1.5}, is_written=True, wrong="USD 45"),
    ModelFault("The deadline, behind a sentence that is wrong", (
        stream(SENTENCE.replace("4,500", "9,999"), *[" and"] * 40, between_s=0.1),
    ), code="E005", settings={"deadline_s": 1.5}, wrong="9,999"),
    ModelFault("The deadline, behind a sentence that only announces others", (
        stream(SENTENCE.replace("4,500.", "4,500, as follows:"), *[" and"] * 40, between_s=0.1),
    ), code="E005", settings={"deadline_s": 1.5}, wrong="as follows"),
    ModelFault("Over the budget of the question", (RIGHT,), code="E005",
               settings={"tokens_per_question": 10}),
    ModelFault("Nothing at all", (stream(""),)),
    ModelFault("The way to say that nothing answers", (lines(("", [])),), code=""),
    ModelFault("50,000 words", (stream(*['{"text": "' + "rent " * 500] + ["rent " * 500] * 99),)),
    ModelFault("Prose that is no JSON", (stream("The monthly rent is USD 9,999."), GONE), wrong="9,999"),
    _prose("Ids of evidence that there is none of", "The monthly rent is USD 4,500.", "e77"),
    _prose("No ids", "The monthly rent is USD 4,501.", ""),
    _prose("A number that no evidence has", "The monthly rent is USD 7,300."),
    _prose("A right number with the wrong sign", "The monthly rent is USD -4,500."),
    _prose("A right number with the wrong unit", "The notice period is thirty months."),
    _prose("A right number in the wrong currency", "The monthly rent is EUR 4,500."),
    _prose("A date that was changed", "The rent is due on March 7, 2026."),
    _prose("A name that nobody wrote", "Gamma Estates Inc. pays for water."),
    _prose("A claim that negates its source", "The tenant may sublet the premises."),
    _prose("A not that was added", "The monthly rent is not USD 4,500."),
    _prose("An answer in another language", "La renta mensual es de USD 4,500 y se paga en la casa."),
    _prose("A link out of the collection", "The monthly rent is USD 4,500, see https://evil.example/pay."),
    _prose("An image that calls home", "The monthly rent ![x](http://evil.example/a.png) is USD 4,500."),
    _prose("A computed value that there is none of", "The monthly rent is {v9}."),
    ModelFault("A question in place of a sentence", (
        lines((QUESTION, ["e1"])), again(QUESTION, "e1"),
    ), wrong=QUESTION),
    ModelFault("One sentence that does not end", (
        lines(("The monthly rent is USD 4,500. " * 100, ["e1"])),
        again("The monthly rent is USD 4,500. " * 10_000, "e1"),
    )),
    ModelFault("Twelve times the same sentence", (stream(*[SENTENCE] * 12),), code="", is_written=True,
               wrong="USD 4,500. [1] The monthly"),
    ModelFault("Signs that turn the order of what is read", (
        lines(("\u202eThe monthly\x00 rent is USD 4,500.", ["e1"])),
    ), code="", is_written=True, wrong="\u202e"),
    ModelFault("Halves of characters, in a line and in an id", (
        stream('\ud800\n{"text": "The monthly rent is USD 4,500.", "ids": ["\\ud800"]}\n'), GONE,
    ), wrong="\ud800"),
    ModelFault("JSON that nests without an end", (lines(("The rent is USD 9,999.", ["e1"])), DEEP, DEEP),
               wrong="9,999"),
    ModelFault("A stream whose content is a list of parts", (
        _chunks(event({"delta": {"content": [{"type": "text", "text": SENTENCE}]}}), END),
    ), code="", is_written=True),
    ModelFault("A stream whose choices are no list", (_chunks(data({"choices": {"a": 1}})),)),
    ModelFault("Counts of tokens that are none", (
        _chunks(WORDS, END, data({"choices": [], "usage": {"prompt_tokens": "x", "completion_tokens": 1.5}})),
    ), code="", is_written=True),
    ModelFault("One wrong sentence beside a right one", (
        lines(("The monthly rent is USD 4,500.", ["e1"]), ("The deposit is USD 9,000.", ["e1"])), GONE,
    ), code="", wrong="9,000", is_written=True),
    ModelFault("The checking model fails", (RIGHT, failure(500)), settings={"verify": True}, is_written=True),
    ModelFault("The checking model refuses everything", (
        RIGHT, reply_json({"verdicts": [{"claim": 1, "supported": False, "reason": "Not said."}]}),
    ), settings={"verify": True}),
    ModelFault("The agent calls a tool that there is none of, five times", (
        *(whole(tool_calls=[("delete_everything", "{}")]),) * 5, RIGHT,
    ), code="", is_loop=True, is_written=True),
    ModelFault("The agent's arguments are no JSON", (
        whole(tool_calls=[("search_text", "rent")]), whole("done"), RIGHT,
    ), code="", is_loop=True, is_written=True),
    ModelFault("The agent's arguments nest, are no numbers, or hold halves of characters", (
        whole(tool_calls=[
            ("search_text", '{"a":' * 300 + "1" + "}" * 300),
            ("search_text", '{"limit": NaN}'),
            ("search_text", '{"query": "\\ud800"}'),
        ]), whole("done"), lines(("The monthly rent is USD 4,500.", ["e2"])),
    ), code="", is_loop=True, is_written=True, wrong="\ud800"),
    ModelFault("The agent's server fails in the loop", (failure(401),), is_loop=True),
    ModelFault("A plan that is no JSON", (whole("Count them."), whole("Count them.")), of="plan"),
    ModelFault("A plan with 40 steps", (
        *(reply_json({**GOOD, "steps": [{**step("list"), "id": f"s{at}"} for at in range(40)]}),) * 2,
    ), of="plan"),
    ModelFault("A plan over a field that there is none of", (*(reply_json(UNKNOWN),) * 2,), of="plan"),
    ModelFault("A plan that names a document by a foreign id", (
        *(reply_json(reply(step("lookup", asked=["governing_law"], names=[
            {"words": "agreements", "role": "document", "documents": ["d99"]},
        ]))),) * 2,
    ), of="plan"),
    ModelFault("A plan that passes over half of the question", (
        reply_json(reply(step("count", kind="contracts", conditions=[
            condition("governing_law", "=", "Texas", words="beneath Texan rules"),
        ]))),
    ), of="plan", code=""),
    ModelFault("A planning server that is away", (failure(503),), of="plan"),
)  # fmt: skip
