"""Answers to questions in another language: what was understood is given, and said to be that."""

from __future__ import annotations

from core.agent.request import MOST_CONFIDENT_IN_PART, less_sure
from core.domain.answer import Answer, Kind, Route, Status
from core.text.language import foreign_language
from core.text.markdown import escape

MOST_CONFIDENT_IN_KIND = 0.6  # where what is cited is in the language of the question


def as_understood(answer: Answer, language: str) -> Answer:
    """The answer to a question that is in this language; as it is where language is "".

    It is never sure and has no headline, unless all that it cites is in the same language.
    """
    if not language or answer.kind is Kind.GENERAL or answer.status in (Status.REFUSED, Status.FAILED):
        return answer
    note = (
        f"This question seems to be in {language}. Questions are read in English: of this one, only names, "
        "numbers and words that English shares were understood. Ask it in English to be sure."
    )
    if answer.status is Status.ABSTAINED and answer.route is Route.NONE:  # for words that are no names
        return answer.model_copy(update={"text": escape(note), "gaps": (note,), "clarification": None})
    is_answered, quotes = answer.status is Status.ANSWERED, [each.quote for each in answer.citations]
    gaps = (note, *answer.gaps)
    if is_answered and quotes and all(foreign_language(quote) == language for quote in quotes):
        return less_sure(answer, MOST_CONFIDENT_IN_KIND, gaps=gaps)
    status = Status.PARTIAL if is_answered else answer.status
    text = f"{escape(note)}\n\n{answer.text}"
    return less_sure(answer, MOST_CONFIDENT_IN_PART, text=text, gaps=gaps, value=None, status=status)
