"""A workbench whose encoder is given, and an encoder that encodes no text twice."""

from __future__ import annotations

from collections.abc import Sequence

from core.config.models import Settings
from core.domain.passage import Matrix
from core.encode.base import EncodedText, Encoder, EncoderSignature, TextToEncode
from core.workbench.wiring import Parts


class PartsWith(Parts):
    """The parts of a workbench, with this encoder for questions and passages."""

    def __init__(self, settings: Settings, encoder: Encoder) -> None:
        super().__init__(settings)
        self._encoder = encoder
        self.engines.signature = encoder.signature  # type: ignore[assignment]

    @property
    def query_encoder(self) -> Encoder:  # type: ignore[override]
        return self._encoder

    @property
    def batch_encoder(self) -> Encoder:  # type: ignore[override]
        return self._encoder


class RememberingEncoder:
    """An Encoder over another that keeps every vector: the same text costs nothing the second time."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[TextToEncode, EncodedText] = {}

    @property
    def signature(self) -> EncoderSignature:
        return self._encoder.signature

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        return self._encoder.encode_queries(texts)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        unknown = [text for text in dict.fromkeys(texts) if text not in self._known]
        if unknown:
            self._known.update(zip(unknown, self._encoder.encode_passages(unknown), strict=True))
        return [self._known[text] for text in texts]
