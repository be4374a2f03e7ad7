from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encode.base import TextToEncode
from core.encode.identity import find_model
from core.encode.minilm import MiniLm, fits
from core.encode.sentence_transformer import SentenceTransformerEncoder, agree, has_bf16
from core.encode.tokens import unit
from core.errors import EncoderError
from tests.support.examples import examples

WORDS = ["agreement", "party", "notice", "termination", "liability", "cap", "indemnify", "$1,250,000.00"]
WORDS += ["2024-12-31", "Müller", "naïve", "Ωmega", "契約", "договор", "عقد", "🙂", "e-mail", "O'Neil", "(a)"]
WORDS += [";", "supplier's", "voltage", "48V", "panel", "-40°C", "confidential", "shall", "not"]


@pytest.fixture(scope="module")
def torch_encoder(torch_libraries: None) -> SentenceTransformerEncoder:
    return SentenceTransformerEncoder.load("minilm", batch_size=16, bf16="off")


@pytest.fixture(scope="module")
def reference(torch_libraries: None) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(find_model("minilm")), device="cpu", local_files_only=True)


def varied_texts(count: int) -> Iterator[str]:
    """Texts of 0 to 70 words, mostly short, with accents, other scripts and signs; all fit the window."""
    rng = random.Random(7)
    for number in range(count):
        length = 70 if number % 25 == 0 else rng.choice((0, 1, 2, 3, 5, 8, 8, 13, 13, 21))
        yield " ".join(rng.choices(WORDS, k=length))


def spans_of(text: str) -> tuple[tuple[int, int], ...]:
    """Consecutive spans of 50 characters."""
    return tuple((start, min(start + 50, len(text))) for start in range(0, len(text), 50))


def test_numpy_equals_sentence_transformers_on_many_texts(
    minilm: MiniLm, torch_encoder: SentenceTransformerEncoder, reference: Any
) -> None:
    texts = list(varied_texts(examples(500)))
    is_blank = np.asarray([not text for text in texts])

    expected = reference.encode(texts, batch_size=16, show_progress_bar=False)
    expected[is_blank] = 0  # sentence-transformers gives the vector of [CLS] [SEP]; we give none

    assert max(len(minilm.offsets(text)) for text in texts) <= minilm.window
    np.testing.assert_allclose(minilm.encode_queries(texts), expected, atol=1e-5)
    np.testing.assert_allclose(torch_encoder.encode_queries(texts), expected, atol=1e-5)


def test_both_paths_give_the_same_passage_and_sentence_vectors(
    minilm: MiniLm, torch_encoder: SentenceTransformerEncoder
) -> None:
    bodies = ["", "  ", *varied_texts(60), " ".join(WORDS * 12)]
    texts = [TextToEncode(text, spans_of(text)) for text in bodies]
    assert len(minilm.offsets(bodies[-1])) > 2 * minilm.window

    pairs = zip(minilm.encode_passages(texts), torch_encoder.encode_passages(texts), strict=True)

    for light, heavy in pairs:
        np.testing.assert_allclose(light.vector, heavy.vector, atol=1e-5)
        np.testing.assert_allclose(light.sentences, heavy.sentences, atol=1e-5)


def test_both_paths_have_the_same_signature(
    minilm: MiniLm, torch_encoder: SentenceTransformerEncoder
) -> None:
    assert torch_encoder.signature == minilm.signature


def test_no_texts_and_blank_texts_are_fine_with_torch_too(torch_encoder: SentenceTransformerEncoder) -> None:
    assert torch_encoder.encode_queries([]).shape == (0, 384)
    assert torch_encoder.encode_passages([]) == []
    assert not torch_encoder.encode_queries([" "]).any()


def save_tiny_model(folder: Path, pooling: str, *, is_projected: bool, prompts: dict[str, str]) -> Any:
    """A random two-layer BERT of 32 dimensions, written in today's file format."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import BertConfig, BertModel, BertTokenizerFast

    source = folder / "bert"
    source.mkdir()
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ":", ".", *"abcdefghijklmnopqrstuvwxyz"]
    pieces += [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    (source / "vocab.txt").write_text("\n".join(pieces))
    torch.manual_seed(3)
    shape = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.3,
    )
    BertModel(shape).save_pretrained(source)
    BertTokenizerFast(str(source / "vocab.txt"), model_max_length=64).save_pretrained(source)
    parts: list[Any] = [modules.Transformer(str(source)), modules.Pooling(32, pooling_mode=pooling)]
    if is_projected:
        parts.append(modules.Dense(32, 8))
    parts.append(modules.Normalize())
    model = SentenceTransformer(modules=parts, device="cpu", prompts=prompts)
    model.save(str(folder / "tiny"))
    return model


def test_a_mean_pooled_bert_in_the_new_format_needs_no_torch(tmp_path: Path, torch_libraries: None) -> None:
    model = save_tiny_model(tmp_path, "mean", is_projected=False, prompts={})
    texts = ["some words", "a", "other words follow here"]

    assert fits(tmp_path / "tiny")
    rows = MiniLm.load(tmp_path / "tiny").encode_queries(texts)

    np.testing.assert_allclose(rows, model.encode(texts), atol=1e-5)


def test_pooling_dense_layer_and_prompts_are_the_models_own(tmp_path: Path, torch_libraries: None) -> None:
    prompts = {"query": "query: ", "document": "text: "}
    model = save_tiny_model(tmp_path, "cls", is_projected=True, prompts=prompts)
    texts = ["some words", "a", "other words follow"]
    folder = tmp_path / "tiny"

    encoder = SentenceTransformerEncoder.load(folder, batch_size=2, bf16="off")

    assert not fits(folder)
    assert encoder.signature.dimension == 8
    np.testing.assert_allclose(encoder.encode_queries(texts), model.encode_query(texts), atol=1e-5)
    encoded = encoder.encode_passages([TextToEncode(text, ((0, len(text)), (0, 0))) for text in texts])
    rows = np.stack([item.vector for item in encoded])
    np.testing.assert_allclose(rows, model.encode_document(texts), atol=1e-5)
    for item in encoded:
        np.testing.assert_allclose(np.linalg.norm(item.sentences, axis=1), [1, 0], atol=1e-6)


def test_a_folder_without_a_loadable_model_is_refused(tmp_path: Path, torch_libraries: None) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert", "hidden_size": 4}')
    (tmp_path / "model.safetensors").write_bytes(b"nothing")

    with pytest.raises(EncoderError, match="cannot be loaded") as caught:
        SentenceTransformerEncoder.load(tmp_path)
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("flags", "expected"), [("fma avx2", False), ("avx2 avx512_bf16 sse", True), ("amx_bf16", True)]
)
def test_bf16_is_told_from_the_cpu_flags(tmp_path: Path, flags: str, expected: bool) -> None:
    (tmp_path / "cpuinfo").write_text(f"flags : {flags}\n")

    assert has_bf16(tmp_path / "cpuinfo") is expected


def test_without_cpu_flags_there_is_no_bf16(tmp_path: Path) -> None:
    assert not has_bf16(tmp_path / "missing")


def test_an_encoder_whose_vectors_turn_away_does_not_agree(minilm: MiniLm) -> None:
    shift = np.random.default_rng(1).normal(0, 0.01, 384).astype(np.float32)

    assert agree(minilm.encode_queries, minilm.encode_queries)
    assert not agree(minilm.encode_queries, lambda texts: unit(minilm.encode_queries(texts) + shift))
