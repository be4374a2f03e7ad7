from __future__ import annotations

import warnings

import numpy as np
import pytest

from core.encode.minilm import MiniLm
from core.encode.tokens import WordPieceCounter
from core.plan.readers.trained.network import (
    HEADS,
    TAGS,
    ReaderHeads,
    ReaderNetwork,
    WordStates,
    best_tags,
    coordinated,
    question_words,
    word_of_tokens,
    word_spans,
)
from core.plan.readers.trained.reading import SpanRole

TEXTS = ["Which contracts lack insurance?", "expiry", "the Acme/Beta deal's end w/o notice, please"]


def test_the_forward_pass_equals_that_of_torch(minilm: MiniLm) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import torch

        from bench.reader.export import network_of
        from bench.reader.network import ReaderModel
        from bench.reader.training import text_batch
        from core.encode.identity import find_model

        torch.manual_seed(1)
        model = ReaderModel(3, torch.float32).eval()
        for parameter in model.upper.parameters():
            parameter.data = (parameter.data + 0.01 * torch.randn_like(parameter)).half().float()
        batch = text_batch(TEXTS, WordPieceCounter.load(find_model("minilm")))
        with torch.no_grad():
            expected = model.states(batch)
            anchors = model.anchors(batch).numpy()

    network = network_of(model, minilm)
    for row, read in enumerate(network.read(TEXTS)):
        np.testing.assert_allclose(read.states, expected.words[row, : len(read.states)].numpy(), atol=2e-3)
    np.testing.assert_allclose(network.anchor_vectors(TEXTS), anchors, atol=2e-3)


def test_a_blank_text_has_no_words(minilm: MiniLm) -> None:
    from core.plan.readers.trained.trained import read_artefact

    artefact = read_artefact()
    (read,) = ReaderNetwork(minilm, artefact.layers, artefact.heads).read([" "])

    assert read.words == ()
    assert read.states.shape == (0, 384)


def test_a_training_goes_on_from_what_an_artefact_computes(minilm: MiniLm) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from bench.reader.export import network_of
        from bench.reader.resume import resumed
    from core.plan.readers.trained.trained import read_artefact

    artefact = read_artefact()
    again = network_of(resumed(artefact), minilm)
    network = ReaderNetwork(minilm, artefact.layers, artefact.heads)

    for one, other in zip(network.read(TEXTS), again.read(TEXTS), strict=True):
        np.testing.assert_array_equal(one.states, other.states)
    np.testing.assert_array_equal(network.anchor_vectors(TEXTS), again.anchor_vectors(TEXTS))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Acme's deal", ["Acme", "'s", "deal"]),
        ("w/o a non-compete?", ["w/o", "a", "non-compete", "?"]),
        ("over $5,000.50, isn't it", ["over", "$", "5,000.50", ",", "isn't", "it"]),
        ("Beta/Sonos", ["Beta", "/", "Sonos"]),
        ("20k", ["20k"]),
        ("", []),
    ],
)
def test_words_are_cut_where_people_cut_them(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in question_words(text)] == words


def test_a_token_belongs_to_the_word_in_which_it_begins() -> None:
    words = [(0, 4), (5, 12)]

    owner = word_of_tokens(np.array([0, 2, 5, 9, 12]), np.array([2, 4, 9, 12, 13]), words)

    assert owner.tolist() == [0, 0, 1, 1, -1]


def test_a_token_of_a_text_without_words_belongs_to_none() -> None:
    assert word_of_tokens(np.array([0]), np.array([1]), []).tolist() == [-1]


def _heads() -> ReaderHeads:
    """ReaderHeads that read tags, polarity, direction, alternatives off the states as they stand.

    A value is compared by ">=", a group is one of months.
    """
    size = len(TAGS) + 1
    heads = {}
    for name, outputs in HEADS.items():
        width = 2 * size if name in ("operation", "function", "relation") else size
        weight = np.zeros((len(outputs), width), dtype=np.float32)
        heads[name] = weight, np.zeros(len(outputs), dtype=np.float32)
    heads["tag"][0][:] = np.eye(len(TAGS), size)
    for name in ("polarity", "descending", "either"):
        heads[name][0][0, -1] = 1
    heads["comparison"][1][HEADS["comparison"].index(">=")] = 1
    heads["part"][1][HEADS["part"].index("month")] = 1
    square = np.eye(size, dtype=np.float32)
    return ReaderHeads(span=square, anchor=square, **heads)


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


def test_traits_are_those_of_the_part_that_words_play() -> None:
    text = "over 5 per month by date"
    read = _read(
        text,
        ["B-value", "I-value", "O", "B-group", "O", "B-order"],
        [-1.0, -1.0, 0.0, 0.0, 0.0, 5.0],
    )

    value, group, order = word_spans(text, read, _heads())

    assert [(each.comparison, each.part, each.descending) for each in (value, group, order)] == [
        (">=", "", None),
        ("", "month", None),
        ("", "", True),
    ]


def test_the_second_half_of_what_or_joins_is_an_alternative() -> None:
    text = "lacking wind or snow"
    read = _read(text, ["O", *["B-condition", "I-condition", "I-condition"]])
    (span,) = word_spans(text, read, _heads())

    former, latter = coordinated(text, read, span)

    assert not former.either
    assert latter.either


def test_a_number_of_an_order_is_left_as_it_stands() -> None:
    text = "the second one"
    read = _read(text, ["O", "B-nth", "O"])

    (nth,) = word_spans(text, read, _heads())

    assert (nth.role, nth.first, nth.last) == (SpanRole.NTH, 1, 2)
