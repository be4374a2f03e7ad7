"""Answers to questions in another language: what was understood is given, and said to be that."""

from __future__ import annotations

from core.agent.request import LOW_CONFIDENCE, label_of
from core.domain.answer import Answer, ConfidenceLabel, Kind, Route, Status
from core.text.language import foreign_language
from core.text.markdown import escape

MOST_CONFIDENT = 0.35  # of an answer of which only names, numbers and common words were understood
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
    if is_answered and quotes and all(foreign_language(quote) == language for quote in quotes):
        confidence = min(answer.confidence, MOST_CONFIDENT_IN_KIND)
        told = {"confidence": confidence, "confidence_label": label_of(confidence)}
        return answer.model_copy(update={**told, "gaps": (note, *answer.gaps)})
    changed = {
        "text": f"{escape(note)}\n\n{answer.text}",
        "gaps": (note, *answer.gaps),
        "confidence": min(answer.confidence, MOST_CONFIDENT),
        "confidence_label": ConfidenceLabel.LOW,
        "flags": tuple(dict.fromkeys((*answer.flags, LOW_CONFIDENCE))),
        "value": None,
        "status": Status.PARTIAL if is_answered else answer.status,
    }
    return answer.model_copy(update=changed)
