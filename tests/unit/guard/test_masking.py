from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from core.domain.answer import Answer, Citation, Claim, Kind, Route, Status, Verdict
from core.domain.guards.verdict import GuardSpan
from core.domain.llm.use import ModelCall, ModelRole
from core.guard.masking import Masking, masked_calls, masking_of
from core.llm.base import ChatReply, Message, Prompt, Reply, ToolCall, ToolSpec

TEXT = "Who is Jane.Doe@acme.example, or call 905-674-3793?"
MAIL = GuardSpan(start=7, end=28, kind="email")
PHONE = GuardSpan(start=38, end=50, kind="phone")


def test_each_value_has_a_mask_of_its_kind() -> None:
    masked = masking_of(TEXT, [MAIL, PHONE]).text(TEXT)
    assert masked == "Who is [e-mail address], or call [telephone number]?"


def test_a_second_value_is_numbered_and_the_same_one_is_not() -> None:
    text = "a.b@c.org x.y@z.org A.B@C.org"
    spans = [GuardSpan(start=at, end=at + 9, kind="email") for at in (0, 10, 20)]
    assert masking_of(text, spans).text(text) == "[e-mail address] [e-mail address 2] [e-mail address]"


def test_other_letters_and_separators_are_masked_too() -> None:
    masking = masking_of(TEXT, [MAIL, PHONE])
    assert masking.text("jane.doe@ACME.example; 905 674 3793") == "[e-mail address]; [telephone number]"
    assert masking.text("no “jane doe” here") == "no “[e-mail address]” here"
    assert masking.text("no “Jane.Doe” at acme.example") == "no “[e-mail address]” at [e-mail address]"


def test_nothing_to_mask_changes_nothing() -> None:
    assert not Masking()
    assert Masking().text(TEXT) == TEXT


def answer(quote: str, **fields: object) -> Answer:
    citation = Citation(
        document="d", title="T", source="s", version=1, page=1, start=0, end=len(quote), quote=quote, n=1
    )
    claim = Claim(text=quote, verdict=Verdict.SUPPORTED, citations=(citation,))
    values: dict[str, object] = {
        "question": TEXT,
        "trace_id": "t",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.LOOKUP,
        "route": Route.HYBRID,
        "text": f"{quote} [1]",
        "claims": (claim,),
        "gaps": ("905-674-3793",),
        "plan": {"question": TEXT, "value": "Jane.Doe@acme.example"},
    }
    return Answer.model_validate({**values, **fields})


def test_what_was_made_of_the_question_is_masked_and_words_of_documents_are_not() -> None:
    quote = "Write to jane.doe@acme.example."
    masked = masking_of(TEXT, [MAIL, PHONE]).model(answer(quote))
    assert masked.question == "Who is [e-mail address], or call [telephone number]?"
    assert masked.gaps == ("[telephone number]",)
    assert masked.plan == {"question": masked.question, "value": "[e-mail address]"}
    assert masked.claims[0].citations[0].quote == quote
    assert masked.claims[0].text == quote
    assert masked.text == f"{quote} [1]"


def test_a_sentence_that_cites_no_place_with_the_value_is_masked() -> None:
    masked = masking_of(TEXT, [MAIL]).model(
        answer("The rent is due.", text="Nothing of Jane.Doe@acme.example.")
    )
    assert masked.text == "Nothing of [e-mail address]."


def test_the_parts_of_one_address_are_one_mask_in_a_list() -> None:
    text = "Nothing that was found mentions “Jane.Doe”, “acme.example” or “pay”."
    made = answer("The rent.", text=text, gaps=("Jane.Doe", "acme.example", "pay"))

    masked = masking_of(TEXT, [MAIL]).model(made)

    assert masked.text == "Nothing that was found mentions “[e-mail address]” or “pay”."
    assert masked.gaps == ("[e-mail address]", "pay")


class Word(BaseModel):
    word: str = ""


class Calls:
    """Calls that keep what they were sent."""

    def __init__(self) -> None:
        self.sent: list[Prompt] = []
        self.stopped = False
        self.made: Sequence[ModelCall] = ()

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        self.sent.append(prompt)
        return reply()

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        self.sent.append(prompt)
        return ChatReply("", "stop")

    def write(self, prompt: Prompt) -> Iterator[str]:
        self.sent.append(prompt)
        return iter(())

    def stop(self) -> None:
        self.stopped = True


ASKED = "Who is a.b@c.example?"
MASKING = masking_of(ASKED, [GuardSpan(start=7, end=20, kind="email")])
PROMPT = Prompt(
    ModelRole.PLAN,
    "plan",
    1,
    (
        Message("user", ASKED),
        Message("assistant", "", (ToolCall("1", "search", '{"text": "a.b@c.example"}'),)),
    ),
    values={"question": ASKED},
)


def test_no_prompt_holds_a_masked_value() -> None:
    calls = Calls()
    bounded = masked_calls(calls, MASKING)
    bounded.structured(PROMPT, Word)
    bounded.converse(PROMPT, ())
    list(bounded.write(PROMPT))
    assert len(calls.sent) == 3
    assert all("a.b@c" not in repr(prompt) for prompt in calls.sent)
    assert calls.sent[0].messages[0].content == "Who is [e-mail address]?"
    assert calls.sent[0].values == {"question": "Who is [e-mail address]?"}


def test_stop_and_calls_made_are_those_behind() -> None:
    calls = Calls()
    bounded = masked_calls(calls, MASKING)
    bounded.stop()
    assert calls.stopped
    assert bounded.made == ()


def test_nothing_to_mask_needs_no_boundary() -> None:
    calls = Calls()
    assert masked_calls(calls, Masking()) is calls
