"""From settings to encoders: torch only where it must be."""

from __future__ import annotations

import os
from pathlib import Path

from core.config.models import Settings
from core.encode.adaptive import AdaptiveEncoder
from core.encode.base import Encoder, EncoderSignature
from core.encode.identity import find_model, name_of, sign
from core.encode.minilm import MiniLm, fits
from core.encode.sentence_transformer import SentenceTransformerEncoder, has_bf16
from core.encode.tokens import WordPieceCounter

CACHE = "encoder.json"
# Passages after which loading torch pays. See docs/decisions/0003-encoder.md for the measurement.
SWITCH_AFTER = 2_000
SWITCH_AFTER_BF16 = 256


def signature(settings: Settings) -> EncoderSignature:
    """The signature of the configured model; no weights are loaded, and a known file is not hashed again."""
    return _sign(settings, find_model(settings.encode.model))


def load_token_counter(settings: Settings) -> WordPieceCounter:
    """The TokenCounter of the configured model, without its weights."""
    return WordPieceCounter.load(find_model(settings.encode.model))


def load_query_encoder(settings: Settings) -> Encoder:
    """The encoder for questions and small batches, on one thread; torch-free for every MiniLM-like model.

    Raises EncoderError, with what to do, for a model that is not there.
    """
    folder = find_model(settings.encode.model)
    if fits(folder):
        return MiniLm.load(folder, _sign(settings, folder))
    return _load_sentence_transformer(settings, folder)


def load_batch_encoder(settings: Settings) -> Encoder:
    """The encoder for ingest: torch-free at first, sentence-transformers once the work is large.

    For the worker; a command that ingests a few files never pays for torch.
    """
    folder = find_model(settings.encode.model)
    if not fits(folder):
        return _load_sentence_transformer(settings, folder)
    threads = settings.encode.threads or os.cpu_count() or 1
    small = MiniLm.load(folder, _sign(settings, folder), threads=threads)
    after = SWITCH_AFTER if not _is_bf16_wanted(settings) else SWITCH_AFTER_BF16
    return AdaptiveEncoder(small, lambda: _load_sentence_transformer(settings, folder), after)


def _sign(settings: Settings, folder: Path) -> EncoderSignature:
    return sign(folder, name_of(settings.encode.model), settings.home / CACHE)


def _is_bf16_wanted(settings: Settings) -> bool:
    return settings.encode.bf16 != "off" and has_bf16()


def _load_sentence_transformer(settings: Settings, folder: Path) -> Encoder:
    encode = settings.encode
    return SentenceTransformerEncoder.load(
        folder, encode.batch_size, encode.threads, encode.bf16, _sign(settings, folder)
    )
