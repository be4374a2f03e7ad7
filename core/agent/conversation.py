"""Follow-ups: what earlier questions of a conversation add to the one just asked.

Measured on public conversations: noun phrases of the earlier user turns at a lower weight, vectors
blended half and half: R@5 .849 -> .928. Answers and passages of earlier turns add nothing here: retrieved
text is data and never becomes part of a question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.answer import Kind
from core.domain.conversation import Turn
from core.domain.ids import DocumentId
from core.evidence.gaps import content_terms
from core.index.analyse import analyse
from core.plan.question import clean_question
from core.plan.route import classify

MAX_CARRIED_CHARS = 400
MAX_TURNS = 10
_TOKEN = re.compile(r"\w+(?:[-'’./&]\w+)*|[^\w\s]")
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|there|one|ones|former|"
    r"latter|same|such|above|previous|mentioned|said|else|other|another)\b",
    re.IGNORECASE,
)
_CONTINUING = re.compile(
    r"^(?:and|but|or|so|also|then|what about|how about|what if|why|why not|how so|how come|which ones?|"
    r"more|tell me more|go on|continue|are there|is there|any|anything|yes|no|ok|okay)\b",
    re.IGNORECASE,
)
# Verbs and fillers that questions are made of; they end a noun phrase.
_NOT_NOUNS = frozenset(
    (
        *(
            "know",
            "find",
            "want",
            "wants",
            "need",
            "like",
            "think",
            "mean",
            "say",
            "make",
            "take",
            "get",
            "got",
        ),
        *("go", "going", "come", "see", "look", "use", "used", "using", "help", "work", "works", "happen"),
        *("happens", "happened", "become", "buy", "sell", "pay", "gives", "given", "keep", "put", "start"),
        *("try", "ask", "information", "question", "answer", "example", "examples", "thing", "things"),
        *("way", "ways", "lot", "kind", "sort", "type", "thanks"),
    )
)
SELF_CONTAINED_TERMS = 8  # mtrag_un: carrying always gives AUC .82, below five terms only .80, never .73


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question as it is searched for: its own text and what earlier turns add ("" for nothing).

    documents: what the last answer rested on, where the question points back at it; looked into first.
    """

    question: str
    carried: str
    documents: tuple[DocumentId, ...] = ()


def read_follow_up(question: str, history: Sequence[Turn]) -> FollowUp:
    """What to carry over from the earlier turns, most recent first, at most MAX_CARRIED_CHARS characters.

    A question that stands on its own (no pronoun, no "and what about", eight terms or more) carries nothing.
    """
    if not history or not leans_on_history(question):
        return FollowUp(question, "")
    own = set(own_terms(question))
    phrases: list[str] = []
    size = 0
    for turn in reversed(history[-MAX_TURNS:]):
        earlier = clean_question(turn.question)
        if not earlier or classify(earlier).kind is Kind.GENERAL:
            continue
        for phrase in noun_phrases(earlier):
            terms = set(analyse(phrase))
            if not terms or terms <= own or size + len(phrase) > MAX_CARRIED_CHARS:
                continue
            own |= terms
            phrases.append(phrase)
            size += len(phrase) + 1
    return FollowUp(question, " ".join(phrases), _pointed_at(question, history))


def _pointed_at(question: str, history: Sequence[Turn]) -> tuple[DocumentId, ...]:
    """The document of the last answer's first claim, if the question says "it", "and when" or the like."""
    if not (_POINTING.search(question) or _CONTINUING.search(question)):
        return ()
    for turn in reversed(history):
        if turn.answer is not None and turn.answer.claims:
            return (DocumentId(turn.answer.claims[0].citations[0].document),)
    return ()


def own_terms(question: str) -> frozenset[str]:
    """The analysed terms of a question; empty where it has nothing but stop words."""
    words = _TOKEN.findall(question)
    return frozenset(term for word in words for term in content_terms(word))


def leans_on_history(question: str) -> bool:
    """Whether the question points at something said before, or is too short to stand alone."""
    return bool(
        _CONTINUING.search(question)
        or _POINTING.search(question)
        or len(own_terms(question)) < SELF_CONTAINED_TERMS
    )


def noun_phrases(text: str) -> list[str]:
    """Runs of content words of a question, in order, each once; function words and common verbs end a run."""
    phrases: list[str] = []
    run: list[str] = []
    for token in [*_TOKEN.findall(text), "."]:
        if content_terms(token) and token.casefold() not in _NOT_NOUNS:
            run.append(token)
        elif run:
            phrases.append(" ".join(run))
            run = []
    return list(dict.fromkeys(phrases))
