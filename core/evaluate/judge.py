"""A language model as judge of answers: faithfulness, relevancy and context, of what the answer shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field

from core.domain.answer import Answer
from core.domain.llm.use import ModelRole, ModelUse
from core.errors import LlmError
from core.evaluate.measures import context_precision
from core.evaluate.runner import Judgement
from core.evaluate.suite import Case
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt
from core.review.flags import claims_in

_MOST_CLAIMS, _MOST_PLACES, _MOST_CHARS = 12, 10, 1_200


class _Reply(BaseModel):
    """A judge's reply. supported: numbers of claims; useful: numbers of places; relevancy: 0 to 1."""

    model_config = ConfigDict(extra="forbid")

    supported: list[int] = Field(max_length=_MOST_CLAIMS)
    useful: list[int] = Field(max_length=_MOST_PLACES)
    relevancy: float = Field(ge=0, le=1)


class ModelJudge:
    """Judges with one call an answer. open: calls of a user for something; None without a model."""

    def __init__(self, open: Callable[[str, str], ModelCalls | None], user: str) -> None:
        self._open, self._user = open, user

    def judge(self, case: Case, answer: Answer) -> Judgement:
        """See CaseJudge."""
        calls = self._open(self._user, "")
        if calls is None:
            return Judgement(model="")
        reply = None
        try:
            with suppress(LlmError):
                reply = self._reply(calls, case, answer)
            made = ModelUse(calls=tuple(calls.made))
        finally:
            calls.stop()
        said = _said(reply, answer) if reply is not None else {}
        return Judgement(
            model=made.calls[-1].model if made.calls else "",
            calls=len(made.calls),
            failed=made.failed,
            tokens=made.tokens,
            cost_usd=made.cost_usd,
            **said,
        )

    def _reply(self, calls: ModelCalls, case: Case, answer: Answer) -> _Reply:
        claims = [each.text for each in claims_in(answer)[:_MOST_CLAIMS]]
        prompt = load_prompt(
            "judge",
            ModelRole.VERIFY,
            question=case.question,
            answer=_fenced([answer.text], "answer"),
            claims=_fenced(claims, "c"),
            places=_fenced(_places(answer), "p"),
        )
        return calls.structured(prompt, _Reply)


def _fenced(texts: Sequence[str], id: str) -> str:
    """Numbered blocks of data."""
    return "\n".join(fence(f"{id}{n}", text[:_MOST_CHARS]) for n, text in enumerate(texts, start=1)) or "-"


def _places(answer: Answer) -> list[str]:
    """The places that an answer was made from, in their order; else those that it cites."""
    found = [each.quote for one in (answer, *answer.parts) for each in one.evidence]
    found = found or [each.quote for claim in claims_in(answer) for each in claim.citations]
    return list(dict.fromkeys(found))[:_MOST_PLACES]


def _said(reply: _Reply, answer: Answer) -> dict[str, float | None]:
    claims, places = len(claims_in(answer)[:_MOST_CLAIMS]), len(_places(answer))
    supported = {each for each in reply.supported if 0 < each <= claims}
    useful = [number in reply.useful for number in range(1, places + 1)]
    return {
        "faithfulness": len(supported) / claims if claims else None,
        "answer_relevancy": reply.relevancy,
        "context_precision": context_precision(useful),
    }
