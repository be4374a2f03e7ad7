"""A language model as judge of answers: faithfulness, relevancy and context, of what the answer shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from pydantic import BaseModel, ConfigDict, Field

from core.domain.answer import Answer, QuotedPlace, Verdict
from core.domain.llm.use import ModelRole, ModelUse
from core.errors import LlmError
from core.evaluate.measures import PageText, context_precision
from core.evaluate.runner import Judgement
from core.evaluate.suite import Case
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt
from core.review.flags import claims_in

_MOST_CLAIMS, _MOST_PLACES, _MOST_CHARS = 12, 24, 1_200
_AROUND, _MOST_COMPUTED = 160, 3_000  # letters on each side of a place, and of what was computed


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

    def judge(self, case: Case, answer: Answer, page_text: PageText) -> Judgement:
        """See CaseJudge."""
        calls = self._open(self._user, "")
        if calls is None:
            return Judgement(model="")
        reply = None
        shown = [_with_words_around(each, page_text) for each in _places(answer)]
        try:
            with suppress(LlmError):
                reply = self._reply(calls, case, answer, shown)
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

    def _reply(self, calls: ModelCalls, case: Case, answer: Answer, places: Sequence[str]) -> _Reply:
        claims = [each.text for each in claims_in(answer)[:_MOST_CLAIMS]]
        computed = "\n".join(line for one in (answer, *answer.parts) for line in _computed(one))
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


def _with_words_around(place: QuotedPlace, page_text: PageText) -> str:
    """A place with its document, and the words around it: a figure alone does not say what it is of."""
    text = page_text(place.document, place.version, place.page) or place.quote
    is_there = text[place.start : place.end] == place.quote
    before = text[: place.start].rpartition("\n\n")[2][-_AROUND:] if is_there else ""
    after = text[place.end :].partition("\n\n")[0][:_AROUND] if is_there else ""
    return f"{place.title}, page {place.page}: {before}{place.quote}{after}"


def _computed(answer: Answer) -> Iterator[str]:
    """What the program computed: how it read the question, value, counts, and rows of the table."""
    if not any(each.verdict is Verdict.COMPUTED for each in answer.claims):
        return
    yield f"Read as: {'; '.join(each.text for each in answer.reading)}"
    if answer.value is not None:
        yield f"Value: {answer.value.value} {answer.value.unit or ''}".rstrip()
    if (ledger := answer.ledger) is not None:
        yield ledger.scope_said
        yield f"Of {ledger.scope:,}, {ledger.present:,} are as asked and {ledger.absent:,} are not; "
        yield f"{ledger.uncertain:,} are uncertain and {ledger.unreadable:,} cannot be read."
    if (table := answer.table) is not None:
        for row in table.rows:
            yield " | ".join(f"{head.name}: {cell}" for head, cell in zip(table.columns, row, strict=False))


def _said(reply: _Reply, answer: Answer, places: int) -> dict[str, float | None]:
    claims = len(claims_in(answer)[:_MOST_CLAIMS])
    supported = {each for each in reply.supported if 0 < each <= claims}
    useful = [number in reply.useful for number in range(1, places + 1)]
    return {
        "faithfulness": len(supported) / claims if claims else None,
        "answer_relevancy": reply.relevancy,
        "context_precision": context_precision(useful),
    }
