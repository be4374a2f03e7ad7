"""A language model as judge of answers: faithfulness, relevancy and context, of what the answer shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field

from core.domain.answer import Answer, QuotedPlace, Verdict
from core.domain.llm.use import ModelRole, ModelUse
from core.errors import LlmError
from core.evaluate.measures import PageText, computed_grounds, context_precision
from core.evaluate.runner import Judgement
from core.evaluate.suite import Case
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt
from core.review.flags import claims_in

_MOST_CLAIMS, _MOST_PLACES, _MOST_CHARS = 12, 24, 1_200
_MOST_BEFORE, _MOST_COMPUTED = 200, 2_000  # letters of the line on each side, and of what was computed


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

    def judge(self, case: Case, answer: Answer, names: Mapping[str, str], page_text: PageText) -> Judgement:
        """See CaseJudge."""
        calls = self._open(self._user, "")
        if calls is None:
            return Judgement(model="")
        reply = None
        shown = [_with_line(each, page_text) for each in _places(answer)]
        try:
            with suppress(LlmError):
                reply = self._reply(calls, case, answer, shown, names)
            made = ModelUse(calls=tuple(calls.made))
        finally:
            calls.stop()
        said = _said(reply, answer, len(shown)) if reply is not None else {}
        return Judgement(
            model=made.calls[-1].model if made.calls else "",
            calls=len(made.calls),
            failed=made.failed,
            tokens=made.tokens,
            cost_usd=made.cost_usd,
            **said,
        )

    def _reply(
        self, calls: ModelCalls, case: Case, answer: Answer, places: Sequence[str], names: Mapping[str, str]
    ) -> _Reply:
        claims = [each.text for each in claims_in(answer)[:_MOST_CLAIMS]]
        is_computed = any(each.verdict is Verdict.COMPUTED for each in claims_in(answer))
        computed = "\n".join(dict.fromkeys(computed_grounds(answer, names))) if is_computed else ""
        prompt = load_prompt(
            "judge",
            ModelRole.VERIFY,
            question=case.question,
            answer=_fenced([answer.text], "answer"),
            claims=_fenced(claims, "c"),
            places=_fenced(places, "p"),
            computed=fence("computed", computed[:_MOST_COMPUTED]) if computed else "-",
        )
        return calls.structured(prompt, _Reply)


def _fenced(texts: Sequence[str], id: str) -> str:
    """Numbered blocks of data."""
    return "\n".join(fence(f"{id}{n}", text[:_MOST_CHARS]) for n, text in enumerate(texts, start=1)) or "-"


def _places(answer: Answer) -> list[QuotedPlace]:
    """The places that an answer was made from, in their order, and behind them what it cites besides."""
    found: list[QuotedPlace] = [each for one in (answer, *answer.parts) for each in one.evidence]
    found += [each for claim in claims_in(answer) for each in claim.citations]
    once = {(each.document, each.page, each.start, each.end): each for each in reversed(found)}
    return list(reversed(once.values()))[:_MOST_PLACES]


def _with_line(place: QuotedPlace, page_text: PageText) -> str:
    """A place with its document, and the line it stands in: a figure alone does not say what it is of."""
    text = page_text(place.document, place.version, place.page) or place.quote
    is_there = text[place.start : place.end] == place.quote
    before = text[: place.start].rpartition("\n")[2][-_MOST_BEFORE:] if is_there else ""
    after = text[place.end :].partition("\n")[0][:_MOST_BEFORE] if is_there else ""
    return f"{place.title}, page {place.page}: {before}{place.quote}{after}"


def _said(reply: _Reply, answer: Answer, places: int) -> dict[str, float | None]:
    claims = len(claims_in(answer)[:_MOST_CLAIMS])
    supported = {each for each in reply.supported if 0 < each <= claims}
    useful = [number in reply.useful for number in range(1, places + 1)]
    return {
        "faithfulness": len(supported) / claims if claims else None,
        "answer_relevancy": reply.relevancy,
        "context_precision": context_precision(useful),
    }
