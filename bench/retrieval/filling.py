"""A home filled without extraction: reading, chunking, encoding and indexing as the product does them.

Fields take most of the time of an ingest of contracts, and no bench of retrieval looks at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.config.models import Settings
from core.domain.ids import ContentHash
from core.domain.passage import EncodedPassage, Passage
from core.encode.base import Encoder, TextToEncode
from core.encode.load import load_batch_encoder, load_token_counter
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.ingest.chunk import chunk
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.store.base import NewVersion
from core.store.store import Records

BUCKET = "default"
TOGETHER = 10  # documents that are encoded side by side, and kept when a run is cut short
BATCH = 64


def fill(files: Sequence[Path], settings: Settings) -> None:
    """Publish and index the files that the home lacks; one that was cut short goes on where it was."""
    counter, encoder = load_token_counter(settings), load_batch_encoder(settings)
    with Records.open(settings) as records:
        missing = [path for path in files if records.documents.find(BUCKET, str(path)) is None]
        for start in range(0, len(missing), TOGETHER):
            group = missing[start : start + TOGETHER]
            parsed = [parse_file(path, str(path), ParseLimits()) for path in group]
            passages = [chunk(each.pages, counter) for each in parsed]
            encoded = iter(_encoded([each for held in passages for each in held], encoder))
            for path, read, held in zip(group, parsed, passages, strict=True):
                raw = path.read_bytes()
                records.documents.publish(
                    NewVersion(
                        BUCKET,
                        str(path),
                        read,
                        ContentHash(hashlib.sha256(raw).hexdigest()),
                        len(raw),
                        [next(encoded) for _ in held],
                        encoder=encoder.signature,
                    )
                )
        engine = EmbeddedEngine.open(settings.home / "index", encoder.signature)
        try:
            catch_up(engine, records)
        finally:
            engine.close()


def _encoded(passages: Sequence[Passage], encoder: Encoder) -> list[EncodedPassage]:
    """The passages with their vectors, in order; passages of like lengths are encoded together."""
    order = sorted(range(len(passages)), key=lambda at: -passages[at].tokens)
    found: dict[int, EncodedPassage] = {}
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        texts = [TextToEncode(passages[at].text, passages[at].sentences) for at in places]
        for at, one in zip(places, encoder.encode_passages(texts), strict=True):
            found[at] = EncodedPassage(passages[at], one.vector, one.sentences)
    return [found[at] for at in range(len(passages))]
