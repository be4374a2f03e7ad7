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
_COVERING = 1.0  # of what a sentence covers itself, beside its score
_SHARE = 0.5  # of what the first one covers of the question, in its context


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """Words that ask for a form, and the words of which each shows it. is_needed: nothing else answers."""

    asked: re.Pattern[str]
    shown: re.Pattern[str]
    is_needed: bool = False


_NUMBER_WORDS = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|half|twice)"
_RELEASE = AnswerForm(
    re.compile(
        r"\b(?:which|what|oldest|earliest|first|minimum)\s+(?:[\w.+-]+\s+)?(?:release|version)\b"
        r"(?! control\b)",
        re.I,
    ),
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
        r"(?<![\w.§-])(?<!section )(?<!chapter )(?<!version )"
        r"(?!(?:19|20)\d\d\b)\d[\d,.]*(?![\w]*[.-]\d)\w*%?"
        rf"|\b{_NUMBER_WORDS}\b",
        re.I,
    ),
)
_WRITTEN = (
    r"(?:\b\w+_\w+\b|(?<![\w.])\.[a-z]{3,}\b|(?<![\w-])--?[A-Za-z][\w-]*\b|\b\w+\(\)|\b\w+=\w+"
    r"|\"[\w.=:?-]+\"|`[^`]+`|\b\w+\.(?:conf|ini|cfg|toml|ya?ml|json)\b)"
)
_TYPED = AnswerForm(
    re.compile(
        r"\b(?:which|what)\s+(?:[\w-]+\s+){0,2}(?P<noun>command|option|pragma|flag|setting|parameter|directive"
        r"|statement|function|variable|switch|file)s?\b",
        re.I,
    ),
    re.compile(_WRITTEN),
)
_HOW_TO = AnswerForm(
    re.compile(r"\bhow (?:do|can|could|should|would|to)\b(?:\s+(?:i|we|you|one|two))?", re.I),
    re.compile(
        rf"\b(?i:us(?:e|ing)|set|sets|run|call|add|invoke|pass|specify|issue|execute|type|enter)\b.*?{_WRITTEN}"
        rf"|{_WRITTEN}.*?\b(?i:to|is used|can be used|enables?|activates?)\b",
        re.DOTALL,
    ),
)
_LED_IN = AnswerForm(
    re.compile(
        r"^(?:which|what)\s+(?:(?:[\w-]+\s+){0,3}\w{3,}s|kinds?\s+of)\b(?<!ss)(?<!\bdoes)(?<!\bwas)(?<!\bhas)"
        r"|^(?:name|list|enumerate)\b",
        re.I,
    ),
    re.compile(
        r"\b(?:are|include|includes|following|these|follows|below|one of|any of"
        rf"|{_NUMBER_WORDS})\b.{{0,80}}:$",
        re.I,
    ),
)
_PRICE = AnswerForm(
    re.compile(r"\bhow much\b.{1,40}\b(?:paid|pay|cost)s?\b|\bwhat (?:does|do|did)\b.{1,60}\bcost\b", re.I),
    re.compile(
        r"[$€£¥]\s?\d|\d[\d,.]*[km]?\s?(?:USD|EUR|GBP|CHF|dollars?|euros?|pounds?|francs?|percent|%)"
        r"|\b(?:USD|EUR|GBP|CHF)\s?\d|\bfree\b|\bno (?:charge|cost|fee)\b",
        re.I,
    ),
    is_needed=True,
)
_ENUMERATED = AnswerForm(
    _LED_IN.asked,
    re.compile(rf"(?:(?!{_NUMBER_WORDS}\b|one\b)[\w\"'()-]+(?: [\w\"'()-]+){{0,4}}, ){{2,}}(?:and |or )"),
)
_PROGRAM = re.compile(r";\s*$|[{}]|/\*|^\s*(?:\$|[\w-]+>)\s")
"""Lines of a program: they show figures and names, and say nothing of them."""
_YES_OR_NO = re.compile(
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|may|must|shall|should|will|would)\b", re.I
)
_TELLING = 0.7  # of the question's words, of a sentence from which yes or no is plain
_FORMS = (_RELEASE, _TYPED, _HOW_TO, _PRICE, _FIGURE, _LED_IN, _ENUMERATED)


def forms_of(question: str) -> tuple[AnswerForm, ...]:
    """The forms that a question asks for, the one to be tried first before others; () where any will do."""
    forms = [form for form in _FORMS if form.asked.search(question)]
    return tuple(form for form in forms if form.asked is forms[0].asked)


def shows(form: AnswerForm, sentence: ScoredSentence, question: str) -> bool:
    """True where a sentence shows the form in words that the question does not have itself."""
    known = question.casefold()
    asked = form.asked.search(question)
    noun = (asked.groupdict().get("noun") or "") if asked is not None else ""
    if noun and noun.casefold() not in sentence.text.casefold():
        return False
    if form is not _HOW_TO and _PROGRAM.search(sentence.text):
        return False
    return any(match[0].casefold() not in known for match in form.shown.finditer(sentence.text))


def has_form(question: str, sentence: ScoredSentence) -> bool:
    """True where a sentence shows a form that the question asks for."""
    return any(shows(form, sentence, question) for form in forms_of(question))


def is_answerable_by(question: str, sentence: ScoredSentence) -> bool:
    """False where one sentence hardly answers: several things are asked for, and it lists none; or a yes or
    no, and it has not most of the question's words.
    """
    if _YES_OR_NO.match(question):
        return sentence.coverage >= _TELLING
    asks_several = forms_of(question)[:1] == (_LED_IN,)
    return not asks_several or has_form(question, sentence)


def prefer_form(question: str, sentences: Sequence[ScoredSentence]) -> list[ScoredSentence]:
    """The sentences with the best one that has the form asked for before the first, where that lacks it.

    It covers half of what the first one does, or stands beside it; the order is kept where none does.
    """
    if not sentences:
        return []
    best = sentences[0]
    for form in forms_of(question):
        if shows(form, best, question):
            break
        fitting = [
            (each.score / best.score + _COVERING * each.coverage, -at)
            for at, each in enumerate(sentences[1:_REACH], 1)
            if _may_go_before(each, best) and shows(form, each, question)
        ]
        if fitting:
            at = -max(fitting)[1]
            return [sentences[at], *sentences[:at], *sentences[at + 1 :]]
    return list(sentences)


def _may_go_before(sentence: ScoredSentence, best: ScoredSentence) -> bool:
    if best.score <= 0 or (sentence.is_heading and not sentence.text.rstrip().endswith(":")):
        return False
    speaks = sentence.coverage_in_context >= _SHARE * best.coverage_in_context
    is_beside = sentence.candidate is best.candidate and sentence.score >= _BESIDE * best.score
    return (speaks and sentence.score >= _FLOOR * best.score) or is_beside


def lacks_form_asked(question: str, evidence: Evidence) -> bool:
    """True where nothing found shows the form without which there is no answer: a release, above all."""
    needed = [form for form in forms_of(question) if form.is_needed]
    found = evidence.sentences[:_REACH]
    return any(not any(shows(form, each, question) for each in found) for form in needed)
