"""A follow-up made a question that stands alone, by a model; what it says must come from the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from core.domain.conversation import Turn
from core.domain.llm.use import ModelRole
from core.llm.base import ModelCalls
from core.llm.prompts import fence, load_prompt
from core.text.analyse import STOP_WORDS, analyse
from core.text.words import word_list

MOST_TURNS = 4
_ANSWER_CHARS = 500
_OPENING = STOP_WORDS | word_list("asking", "instructions", "auxiliaries")


class StandaloneReply(BaseModel):
    """Reply of a model: the whole question, or "" where the last turn is one already."""

    model_config = ConfigDict(extra="forbid")

    question: str


def standalone_question(question: str, history: Sequence[Turn], calls: ModelCalls) -> str:
    """The question that a follow-up stands for; "" where it stands alone. Raises LlmError.

    A name or figure that neither the conversation nor the turn says makes it no reading of them: "" too.
    """
    turns = "\n\n".join(_told(turn) for turn in history[-MOST_TURNS:])
    prompt = load_prompt(
        "standalone",
        ModelRole.STANDALONE,
        conversation=fence("conversation", turns),
        question=fence("question", question),
    )
    whole = " ".join(calls.structured(prompt, StandaloneReply).question.split())
    known = set(analyse(f"{turns} {question}"))
    first, *others = whole.split() or [""]
    telling = others if first.strip(",").casefold() in _OPENING else [first, *others]
    invented = [word for word in telling if _is_telling(word) and not set(analyse(word)) <= known]
    return "" if invented or whole.casefold() == question.casefold() else whole


def _told(turn: Turn) -> str:
    answered = turn.answer.text if turn.answer is not None else ""
    return f"Asked: {turn.question}\nAnswered: {answered[:_ANSWER_CHARS]}"


def _is_telling(word: str) -> bool:
    """True for a word that names or counts something."""
    return any(char.isdigit() for char in word) or word[:1].isupper()
