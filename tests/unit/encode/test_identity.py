from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from core.encode.identity import find_model, name_of, sign
from core.errors import EncoderError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    model = tmp_path / "my-encoder"
    model.mkdir()
    (model / "config.json").write_text('{"hidden_size": 12}')
    (model / "model.safetensors").write_bytes(b"weights")
    return model


def test_the_signature_has_the_hash_that_is_published_for_the_weights(model_dir: Path) -> None:
    found = sign(model_dir)

    assert (found.name, found.dimension) == ("all-MiniLM-L6-v2", 384)
    assert found.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_a_known_file_is_not_hashed_again(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "encoder.json"
    first = sign(folder, cache=cache)
    cache.write_text(cache.read_text().replace(first.sha256, "remembered"))

    assert sign(folder, cache=cache).sha256 == "remembered"


def test_changed_weights_are_hashed_again(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "encoder.json"
    sign(folder, cache=cache)
    weights = folder / "model.safetensors"
    weights.write_bytes(b"WEIGHTS")
    os.utime(weights, ns=(1, 1))

    assert sign(folder, cache=cache).sha256 == hashlib.sha256(b"WEIGHTS").hexdigest()


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"files": 3, "sha256": 4}'])
def test_a_broken_cache_is_replaced(folder: Path, tmp_path: Path, text: str) -> None:
    cache = tmp_path / "encoder.json"
    cache.write_text(text)

    assert sign(folder, cache=cache).sha256 == hashlib.sha256(b"weights").hexdigest()
    assert hashlib.sha256(b"weights").hexdigest() in cache.read_text()


def test_a_cache_in_a_folder_that_does_not_exist_is_left_out(folder: Path, tmp_path: Path) -> None:
    found = sign(folder, cache=tmp_path / "absent" / "encoder.json")

    assert found.sha256 == hashlib.sha256(b"weights").hexdigest()
    assert not (tmp_path / "absent").exists()


def test_several_weight_files_all_count(folder: Path) -> None:
    one = sign(folder)
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "model.safetensors").write_bytes(b"more")
    (folder / "2_Dense" / "config.json").write_text('{"out_features": 5}')

    assert sign(folder).sha256 != one.sha256
    assert sign(folder).dimension == 5


@pytest.mark.parametrize(
    "model", ["minilm", "sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2", "/a/all-MiniLM-L6-v2/"]
)
def test_one_model_has_one_name(model: str) -> None:
    assert name_of(model) == "all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    "model", ["no-such-encoder", "nobody/no-such-encoder", "not a name?", "/no/such/folder"]
)
def test_an_unknown_model_is_refused_with_the_next_step(model: str) -> None:
    with pytest.raises(EncoderError, match="No encoder") as caught:
        find_model(model)

    assert model in str(caught.value)
    assert "minilm" in caught.value.next_step


def test_a_folder_that_holds_no_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="without an encoder"):
        find_model(str(tmp_path))


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")

    with pytest.raises(EncoderError, match="No weights"):
        sign(tmp_path)
