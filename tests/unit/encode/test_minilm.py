from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from core.encode.base import TextToEncode
from core.encode.minilm import MiniLm, fits
from core.encode.tokens import unit
from core.errors import EncoderError

FIRST = "The agreement ends on 31 December 2024."
SECOND = "Either party may terminate it earlier with thirty days' notice."
PASSAGE = TextToEncode(f"{FIRST} {SECOND}", ((0, len(FIRST)), (len(FIRST) + 1, len(FIRST) + 1 + len(SECOND))))


def test_a_query_is_nearer_to_its_paraphrase_than_to_another_matter(minilm: MiniLm) -> None:
    query, near, far = minilm.encode_queries(
        ["When does the contract expire?", "The agreement ends on that day.", "Rinse the filter with water."]
    )

    assert query @ near > 0.4 > query @ far


def test_vectors_have_unit_norm_and_a_blank_text_gives_a_zero_row(minilm: MiniLm) -> None:
    rows = minilm.encode_queries(["one", "", " \n ", "two words"])

    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 0, 0, 1], atol=1e-6)


def test_no_texts_give_no_rows(minilm: MiniLm) -> None:
    assert minilm.encode_queries([]).shape == (0, 384)
    assert minilm.encode_passages([]) == []


def test_a_blank_passage_keeps_the_shape_of_its_sentences(minilm: MiniLm) -> None:
    (encoded,) = minilm.encode_passages([TextToEncode("  ", ((0, 1), (1, 2)))])

    assert not encoded.vector.any()
    assert encoded.sentences.shape == (2, 384)
    assert not encoded.sentences.any()


def test_each_sentence_has_a_unit_vector_near_the_sentence_encoded_alone(minilm: MiniLm) -> None:
    (encoded,) = minilm.encode_passages([PASSAGE])
    alone = minilm.encode_queries([FIRST, SECOND])

    np.testing.assert_allclose(np.linalg.norm(encoded.sentences, axis=1), 1, atol=1e-6)
    cosines = encoded.sentences @ alone.T
    assert cosines[0, 0] > cosines[0, 1]
    assert cosines[1, 1] > cosines[1, 0]


def test_a_passage_has_the_same_vector_alone_and_among_others(minilm: MiniLm) -> None:
    others = [TextToEncode(f"Clause {number}. " * number, ()) for number in range(40)]

    packed = minilm.encode_passages([*others, PASSAGE, *others])[40]
    (alone,) = minilm.encode_passages([PASSAGE])

    np.testing.assert_allclose(packed.vector, alone.vector, atol=1e-6)
    np.testing.assert_allclose(packed.sentences, alone.sentences, atol=1e-6)


def test_a_text_over_the_window_is_the_mean_of_its_windows(minilm: MiniLm) -> None:
    words = [f"item{number % 7}" for number in range(300)]
    text = " ".join(words)
    spans = minilm.offsets(text)
    middle = spans[len(spans) // 2][0]
    assert minilm.window < len(spans) <= 3 * minilm.window

    count = -(-len(spans) // minilm.window)
    edges = [spans[len(spans) * part // count][0] for part in range(count)] + [len(text)]
    halves = minilm.encode_queries([text[a:b] for a, b in pairwise(edges)])
    (whole,) = minilm.encode_passages([TextToEncode(text, ((0, middle), (middle, len(text))))])

    np.testing.assert_allclose(whole.vector, unit(halves.mean(axis=0)), atol=1e-5)
    assert whole.sentences.shape == (2, 384)


def test_the_end_of_a_long_text_changes_its_vector(minilm: MiniLm) -> None:
    body = "The parties agree on the following terms. " * 60

    plain, changed = minilm.encode_queries([body, f"{body} Penguins swim under the polar ice."])

    assert plain @ changed < 0.9999


def test_threads_that_encode_at_once_get_their_own_results(minilm: MiniLm) -> None:
    texts = [f"Invoice number {number} over {number * 17} dollars" for number in range(32)]
    expected = minilm.encode_queries(texts)

    with ThreadPoolExecutor(4) as executor:
        rows = list(executor.map(lambda text: minilm.encode_queries([text])[0], texts))

    np.testing.assert_allclose(np.stack(rows), expected, atol=1e-6)


def test_several_threads_give_what_one_gives(model_dir: Path, minilm: MiniLm) -> None:
    texts = [
        TextToEncode(f"Section {number}. " + "Payment is due. " * 40, ((0, 12),)) for number in range(12)
    ]

    several = MiniLm.load(model_dir, minilm.signature, threads=3).encode_passages(texts)

    for one, other in zip(minilm.encode_passages(texts), several, strict=True):
        np.testing.assert_allclose(other.vector, one.vector, atol=1e-6)
        np.testing.assert_allclose(other.sentences, one.sentences, atol=1e-6)


def test_encoding_and_its_loader_never_import_torch() -> None:
    code = (
        "import sys; import core.encode.load; from core.encode.minilm import MiniLm; "
        "from core.encode.identity import find_model; "
        "MiniLm.load(find_model('minilm')).encode_queries(['a']); "
        "print(sorted({'torch', 'sentence_transformers', 'transformers', 'scipy'} & set(sys.modules)))"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"


def test_a_model_of_another_shape_is_refused_with_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "mpnet"}')

    assert not fits(tmp_path)
    with pytest.raises(EncoderError, match="mean-pooled BERT") as caught:
        MiniLm.load(tmp_path)
    assert caught.value.next_step


def test_broken_weights_are_refused_with_the_next_step(tmp_path: Path, model_dir: Path) -> None:
    for path in model_dir.rglob("*.json"):
        target = tmp_path / path.relative_to(model_dir)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0{broken}")

    with pytest.raises(EncoderError, match="cannot be read") as caught:
        MiniLm.load(tmp_path)
    assert "minilm" in caught.value.next_step
