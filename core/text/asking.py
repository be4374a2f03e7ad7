"""Sentences of a question that ask, apart from those that tell: what is known, or how to answer."""

from __future__ import annotations

from core.text.sentences import split_sentences
from core.text.words import word_list

_SEVERAL = word_list("pointing", "several")


def asked_and_told(text: str) -> tuple[str, str]:
    """The sentences with a question mark, and the others; all is asked where either is none.

    >>> asked_and_told("What were the sales of 2021? Answer in millions.")
    ('What were the sales of 2021?', 'Answer in millions.')
    """
    sentences = [text[start:end].strip() for start, end in split_sentences(text)]
    asked = [each for each in sentences if each.endswith("?")]
    told = [each for each in sentences if each and not each.endswith("?")]
    return (" ".join(asked), " ".join(told)) if asked and told else (text, "")


def points_at_several(question: str) -> bool:
    """True where a question speaks of "those"."""
    return bool({each.strip(",;:?!.") for each in question.casefold().split()} & _SEVERAL)
