"""Fidelity of a model's texts to the question: names, figures and negations that they add or lose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.text.analyse import text_terms
from core.text.words import word_list

MOST_WORDINGS = 3
LONGEST_WORDING = 200  # characters
MOST_QUESTIONS = 6
LONGEST_QUESTION = 400  # characters
_NEGATIONS = word_list("checks", "negative")
_EDGES = ".,;:?!()[]\"'“”’‘"


def words_in(words: str, question: str) -> str:
    """Some words as the question has them; where they stand apart in it, as they are; else ""."""
    said = " ".join(words.split())
    if not said:
        return ""
    whole = " ".join(question.split())
    at = whole.casefold().find(said.casefold())
    if at >= 0:
        return whole[at : at + len(said)]
    terms = text_terms(said)
    return said if terms and terms <= text_terms(question) else ""


def names_in(question: str) -> tuple[str, ...]:
    """Words with a figure, or with a capital that is not the first word's, in order."""
    return tuple(dict.fromkeys(word for at, word in _words(question) if _is_name(word, is_first=at == 0)))


def lost_from(question: str, text: str) -> tuple[str, ...]:
    """Names, figures and a negation of a question that a text leaves out."""
    said = text_terms(text)
    lost = [each for each in names_in(question) if text_terms(each) and not text_terms(each) & said]
    negation = next((word for _, word in _words(question) if _is_negation(word)), "")
    if negation and not any(_is_negation(word) for _, word in _words(text)):
        lost.append(negation)
    return tuple(lost)


def added_by(text: str, question: str, *, is_sentence: bool = True) -> tuple[str, ...]:
    """Names and figures of a text that the question has not; a sentence may begin with a capital."""
    known = text_terms(question)
    return tuple(
        word
        for at, word in _words(text)
        if _is_name(word, is_first=is_sentence and at == 0) and not text_terms(word) <= known
    )


def faithful_wordings(wordings: Sequence[str], question: str) -> tuple[str, ...]:
    """The wordings that may be searched beside a question: other words, without new names or figures."""
    own = text_terms(question)
    kept = [
        each
        for each in dict.fromkeys(" ".join(wording.split()) for wording in wordings)
        if text_terms(each)
        and text_terms(each) != own
        and len(each) <= LONGEST_WORDING
        and not added_by(each, question, is_sentence=False)
    ]
    return tuple(kept[:MOST_WORDINGS])


def unfaithful(questions: Sequence[str], question: str) -> str:
    """A sentence on why questions do not say together what one text asks; "" where they do."""
    if not 2 <= len(questions) <= MOST_QUESTIONS:
        return f"There are {len(questions)} questions, and 2 to {MOST_QUESTIONS} are possible."
    if any(len(each) > LONGEST_QUESTION for each in questions):
        return f"A question is longer than {LONGEST_QUESTION} characters."
    lost = lost_from(question, " ".join(questions))
    if lost:
        return f"The questions leave out “{lost[0]}”."
    added = next((found for each in questions for found in added_by(each, question)), "")
    return f"The questions add “{added}”, which was not asked." if added else ""


def _words(text: str) -> Iterator[tuple[int, str]]:
    for at, word in enumerate(text.split()):
        plain = word.strip(_EDGES)
        if plain:
            yield at, plain


def _is_name(word: str, *, is_first: bool) -> bool:
    return any(map(str.isdigit, word)) or any(map(str.isupper, word[1:] if is_first else word))


def _is_negation(word: str) -> bool:
    folded = word.casefold().replace("’", "'")
    return folded in _NEGATIONS or folded.endswith("n't")
