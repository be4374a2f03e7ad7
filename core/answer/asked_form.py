"""Form that an answer has to have: a release, a figure, something to type, a list of things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.base import Evidence
from core.retrieval.sentences import ScoredSentence

_REACH = 24  # sentences
_FLOOR = 0.7  # of the best one's score
_BESIDE = 0.85  # of a sentence of the same passage, which need not repeat what the first one says
_SHARE = 0.5  # of what the first one covers of the question, in its context


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """Words that ask for a form, and the words of which each shows it. is_needed: nothing else answers."""

    asked: re.Pattern[str]
    shown: re.Pattern[str]
    is_needed: bool = False


_NUMBER_WORDS = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|half|twice)"
_RELEASE = AnswerForm(
    re.compile(r"\b(?:which|what|oldest|earliest|first|minimum)\s+(?:[\w.+-]+\s+)?(?:release|version)\b", re.I),
    re.compile(r"\b\d+\.\d+\.\d+\b|\b(?:version|release|v)\s?\d+(?:\.\d+)*\b", re.I),
    is_needed=True,
)
_FIGURE = AnswerForm(
    re.compile(
        r"\bhow (?:much|many|large|big|long|wide|fast)\b"
        r"|\bwhat(?:\s+[\w-]+){0,3}\s+(?:value|size|limit|offset|maximum|number|port|percentage|discount)\b"
        r"|\bwhat (?:does|do|did)\b.{1,60}\bcost\b",
        re.I,
    ),
    re.compile(
        rf"(?<![\w.§-])(?<!section )(?<!chapter )(?<!version )(?!(?:19|20)\d\d\b)\d[\d,.]*(?![\w]*[.-]\d)\w*%?"
        rf"|\b{_NUMBER_WORDS}\b",
        re.I,
    ),
)
_TYPED = AnswerForm(
    re.compile(
        r"\bhow (?:do|can|could|should|would|to)\b(?:\s+(?:i|we|you|one|two))?"
        r"|\b(?:which|what)\s+(?:[\w-]+\s+){0,2}(?:commands?|options?|pragmas?|flags?|settings?|parameters?"
        r"|directives?|statements?|functions?|variables?|switch|file)\b"
        r"|^where (?:does|do|is|are)\b",
        re.I,
    ),
    re.compile(
        r"\b\w+_\w+\b|(?<![\w.])\.[a-z]{3,}\b|(?<![\w-])--?[A-Za-z][\w-]*\b|\b\w+\(\)|\b\w+=\w+"
        r"|\"[\w.=:?-]+\"|`[^`]+`|\b[A-Z]{3,}\s+[A-Z]{3,}\b|\b\w+\.(?:conf|ini|cfg|toml|ya?ml|json)\b"
    ),
)
_LIST = AnswerForm(
    re.compile(
        r"^(?:which|what)\s+(?:(?:[\w-]+\s+){0,3}\w{3,}s|kinds?\s+of)\b(?<!ss)|^(?:name|list|enumerate)\b", re.I
    ),
    re.compile(r"(?:[\w\"'()-]+(?: [\w\"'()-]+){0,4}, ){2,}(?:and |or )|:$"),
)
_FORMS = (_RELEASE, _TYPED, _FIGURE, _LIST)


def form_of(question: str) -> AnswerForm | None:
    """The form that a question asks for; None where any sentence may answer it."""
    return next((form for form in _FORMS if form.asked.search(question)), None)


def shows(form: AnswerForm, sentence: ScoredSentence, question: str) -> bool:
    """True where a sentence shows the form in words that the question does not have itself."""
    known = question.casefold()
    return any(match[0].casefold() not in known for match in form.shown.finditer(sentence.text))


def prefer_form(question: str, sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences with the first that has the form asked for before the best one, where that lacks it.

    It covers half of what the best one does, or stands beside it; the order is kept where none does.
    """
    form = form_of(question)
    if form is None or not sentences or shows(form, sentences[0], question):
        return list(sentences)
    best = sentences[0]
    for at, sentence in enumerate(sentences[1:_REACH], 1):
        if sentence.is_heading or not shows(form, sentence, question):
            continue
        speaks = sentence.coverage_in_context >= _SHARE * best.coverage_in_context
        is_beside = sentence.candidate is best.candidate and sentence.score >= _BESIDE * best.score
        if (speaks and sentence.score >= _FLOOR * best.score) or is_beside:
            return [sentence, *sentences[:at], *sentences[at + 1 :]]
    return list(sentences)


def lacks_form_asked(question: str, evidence: Evidence) -> bool:
    """True where nothing found shows the form without which there is no answer: a release, above all."""
    form = form_of(question)
    if form is None or not form.is_needed:
        return False
    return not any(shows(form, sentence, question) for sentence in evidence.sentences[:_REACH])
