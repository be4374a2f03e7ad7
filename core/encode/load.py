"""From settings to encoders: torch only where it must be, the large encoder once the work is large."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from core.config.models import Settings
from core.domain.passage import Matrix
from core.encode.base import EncodedText, Encoder, EncoderSignature, TextToEncode
from core.encode.identity import BUILT_IN, BUILT_IN_NAME, find_model, name_of, sign
from core.encode.minilm import MiniLm, fits
from core.encode.sentence_transformer import SentenceTransformerEncoder, has_bf16
from core.encode.tokens import WordPieceCounter
from core.errors import EncoderError


class AdaptiveEncoder:
    """Encodes with `small` until `switch_after` passages have come in, then with what `load_large` gives.

    The count runs over the encoder's life, since ingest hands over its passages in modest batches:
    renting until the rent has reached the price of buying costs at most twice the best choice.
    Thread-safe; `load_large` is called once at most, and the call that triggers it waits for it.
    """

    def __init__(self, small: Encoder, load_large: Callable[[], Encoder], switch_after: int) -> None:
        self._small = small
        self._load_large = load_large
        self._switch_after = switch_after
        self._seen = 0
        self._large: Encoder | None = None
        self._lock = threading.Lock()  # guards _seen and _large: the large encoder is loaded once

    @property
    def signature(self) -> EncoderSignature:
        """Identity of the encoder that these vectors may be compared with; both encoders have it."""
        return self._small.signature

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """(len(texts), d), always by the small encoder."""
        return self._small.encode_queries(texts)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """As `small` or `large` gives them; they agree to 1e-5."""
        return self._choose(len(texts)).encode_passages(texts)

    def _choose(self, count: int) -> Encoder:
        with self._lock:
            self._seen += count
            if self._large is None and self._seen > self._switch_after:
                large = self._load_large()
                if large.signature != self._small.signature:
                    raise EncoderError(
                        f"{large.signature} does not fit {self._small.signature}.",
                        next_step="Load both encoders from one folder.",
                    )
                self._large = large
            return self._large or self._small


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


def load_shipped(encoder: Encoder) -> MiniLm:
    """The shipped MiniLM: `encoder` itself where it is that one, else loaded beside it.

    For what was trained on its layers, whatever passages are encoded by. Raises EncoderError without it.
    """
    if isinstance(encoder, MiniLm) and encoder.signature.name == BUILT_IN_NAME:
        return encoder
    return MiniLm.load(find_model(BUILT_IN))


def load_batch_encoder(settings: Settings) -> Encoder:
    """The encoder for ingest: torch-free at first, sentence-transformers once the work is large.

    For the worker; a command that ingests a few files never pays for torch, nor does one that was told to
    stay without it (`encode.torch`).
    """
    folder = find_model(settings.encode.model)
    if not fits(folder):
        return _load_sentence_transformer(settings, folder)
    threads = settings.encode.threads or os.cpu_count() or 1
    small = MiniLm.load(folder, _sign(settings, folder), threads=threads)
    if settings.encode.torch == "off":
        return small
    after = SWITCH_AFTER_BF16 if settings.encode.bf16 != "off" and has_bf16() else SWITCH_AFTER
    return AdaptiveEncoder(small, lambda: _load_sentence_transformer(settings, folder), after)


def _sign(settings: Settings, folder: Path) -> EncoderSignature:
    return sign(folder, name_of(settings.encode.model), settings.home / CACHE)


def _load_sentence_transformer(settings: Settings, folder: Path) -> Encoder:
    encode = settings.encode
    return SentenceTransformerEncoder.load(
        folder, encode.batch_size, encode.threads, encode.bf16, _sign(settings, folder)
    )
