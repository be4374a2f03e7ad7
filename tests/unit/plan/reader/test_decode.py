from __future__ import annotations

import numpy as np

from core.plan.reader.decode import best_tags, coordinated, word_spans
from core.plan.reader.network import OPERATIONS, TAGS, TYPES, ReaderHeads, WordStates
from core.plan.reader.question_words import question_words
from core.plan.reader.reading import SpanRole


def _heads() -> ReaderHeads:
    """ReaderHeads that read tags and polarity off the states as they stand."""
    size = len(TAGS) + 1
    tag = np.eye(len(TAGS), size, dtype=np.float32)
    polarity = np.zeros((1, size), dtype=np.float32)
    polarity[0, -1] = 1
    other = np.zeros((len(OPERATIONS), 2 * size), dtype=np.float32)
    types = np.zeros((len(TYPES), size), dtype=np.float32)
    square = np.eye(size, dtype=np.float32)

    def bias(count: int) -> np.ndarray:
        return np.zeros(count, dtype=np.float32)

    return ReaderHeads(
        (tag, bias(len(TAGS))),
        (polarity, bias(1)),
        (other, bias(len(OPERATIONS))),
        (types, bias(len(TYPES))),
        square,
        square,
    )


def _read(text: str, tags: list[str], negated: list[float] | None = None) -> WordStates:
    words = tuple(question_words(text))
    states = np.zeros((len(words), len(TAGS) + 1), dtype=np.float32)
    for number, tag in enumerate(tags):
        states[number, TAGS.index(tag)] = 9
    states[:, -1] = negated or [0.0] * len(words)
    return WordStates(words, states, np.zeros(2 * states.shape[1], dtype=np.float32))


def test_a_span_never_goes_on_with_another_part() -> None:
    scores = np.full((2, len(TAGS)), -9, dtype=np.float32)
    scores[0, TAGS.index("B-condition")] = 0
    scores[1, TAGS.index("I-value")] = 0
    scores[1, TAGS.index("I-condition")] = -1

    assert [TAGS[tag] for tag in best_tags(scores)] == ["B-condition", "I-condition"]


def test_no_words_have_no_tags() -> None:
    assert best_tags(np.zeros((0, len(TAGS)), dtype=np.float32)).tolist() == []


def test_polarity_is_decided_once_a_span() -> None:
    text = "not the anti assignment clause"
    read = _read(
        text,
        ["O", "B-condition", "I-condition", "I-condition", "I-condition"],
        [0.0, 0.0, 5.0, -2.0, 0.0],
    )

    (span,) = word_spans(text, read, _heads())

    assert span.is_negated
    assert (span.first, span.last) == (2, 4)  # the article and the last word name nothing


def test_what_is_asked_for_in_two_parts_is_one() -> None:
    text = "when does Acme expire"
    read = _read(text, ["B-asked", "O", "B-document", "I-asked"])

    when, document, expire = word_spans(text, read, _heads())

    assert when.pieces == expire.pieces == (0, 3)
    assert document.role is SpanRole.DOCUMENT


def test_words_that_name_nothing_make_no_span() -> None:
    text = "the of"
    read = _read(text, ["B-condition", "I-condition"])

    assert word_spans(text, read, _heads()) == []


def test_a_question_without_words_has_no_spans() -> None:
    assert word_spans("", _read("", []), _heads()) == []


def test_a_condition_that_joins_two_things_has_two_halves() -> None:
    text = "lacking the wind and the snow figures"
    read = _read(text, ["O", "B-condition", *["I-condition"] * 5])
    (span,) = word_spans(text, read, _heads())

    halves = coordinated(text, read, span)

    assert [(half.first, half.last) for half in halves] == [(2, 3), (5, 7)]


def test_a_condition_that_joins_nothing_has_no_halves() -> None:
    text = "lacking wind figures"
    read = _read(text, ["O", "B-condition", "I-condition"])
    (span,) = word_spans(text, read, _heads())

    assert coordinated(text, read, span) == ()
