from __future__ import annotations

from pathlib import Path

import pytest

from core.config.models import EncodeSettings, Settings
from core.encode.base import TextToEncode
from core.encode.load import (
    AdaptiveEncoder,
    load_batch_encoder,
    load_query_encoder,
    load_token_counter,
    signature,
)
from core.encode.minilm import MiniLm
from core.errors import EncoderError


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def test_questions_are_encoded_by_the_built_in_model(settings: Settings) -> None:
    encoder = load_query_encoder(settings)

    assert isinstance(encoder, MiniLm)
    assert encoder.signature == signature(settings)


def test_ingest_starts_without_torch(settings: Settings) -> None:
    encoder = load_batch_encoder(settings)

    assert isinstance(encoder, AdaptiveEncoder)
    assert encoder.encode_passages([TextToEncode("A short note.", ((0, 13),))])[0].sentences.shape == (1, 384)


def test_ingest_stays_without_torch_where_the_settings_say_so(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, encode=EncodeSettings(torch="off"))

    assert isinstance(load_batch_encoder(settings), MiniLm)


def test_the_counter_loads_without_the_weights(settings: Settings) -> None:
    assert load_token_counter(settings).window == 254


def test_a_folder_of_the_same_model_has_the_same_hash(settings: Settings, model_dir: Path) -> None:
    named = settings.model_copy(update={"encode": EncodeSettings(model=str(model_dir))})

    assert signature(named).sha256 == signature(settings).sha256


@pytest.mark.parametrize("load", [signature, load_query_encoder, load_batch_encoder, load_token_counter])
def test_a_model_that_is_not_there_is_refused_by_every_loader(load: object, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, encode=EncodeSettings(model="nobody/nothing"))

    with pytest.raises(EncoderError, match="nobody/nothing") as caught:
        load(settings)  # type: ignore[operator]
    assert "encode.model" in caught.value.next_step
