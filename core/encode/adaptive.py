"""The small encoder for small work, the large one once the work is large."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from core.domain.passage import Matrix
from core.encode.base import EncodedText, Encoder, EncoderSignature, TextToEncode
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
