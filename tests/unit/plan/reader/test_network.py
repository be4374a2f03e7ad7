from __future__ import annotations

import warnings

import numpy as np
import pytest

from core.encode.minilm import MiniLm
from core.encode.tokens import WordPieceCounter
from core.plan.reader.network import ReaderNetwork, question_words, word_of_tokens

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
    from core.plan.reader.artefact_file import read_artefact

    artefact = read_artefact()
    (read,) = ReaderNetwork(minilm, artefact.layers, artefact.heads).read([" "])

    assert read.words == ()
    assert read.states.shape == (0, 384)


def test_a_training_goes_on_from_what_an_artefact_computes(minilm: MiniLm) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from bench.reader.export import network_of
        from bench.reader.resume import resumed
    from core.plan.reader.artefact_file import read_artefact

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
