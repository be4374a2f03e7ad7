"""A home filled without extraction: reading, chunking, encoding and indexing as the product does them.

Fields take most of the time of an ingest of contracts, and no bench of retrieval looks at them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
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
from core.store.database.visibility import Visibility
from core.store.store import Records

BUCKET = "default"
TOGETHER = 10  # documents that are encoded side by side, and kept when a run is cut short
BATCH = 64


def fill(
    files: Mapping[str, Path],
    settings: Settings,
    encoder: Encoder | None = None,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> None:
    """Publish and index the files, by source, that the home lacks; a run that was cut short is gone on with.

    encoder: None for that of the settings. told: is called with how many are there, of how many.
    """
    counter, encoder = load_token_counter(settings), encoder or load_batch_encoder(settings)
    with Records.open(settings) as records:
        listed = {each.source for each in records.documents.list(Visibility.everything())}
        missing = [source for source in files if source not in listed]
        for start in range(0, len(missing), TOGETHER):
            told(len(files) - len(missing) + start, len(files))
            group = missing[start : start + TOGETHER]
            parsed = [parse_file(files[source], source, ParseLimits()) for source in group]
            passages = [chunk(each.pages, counter) for each in parsed]
            encoded = iter(_encoded([each for held in passages for each in held], encoder))
            for source, read, held in zip(group, parsed, passages, strict=True):
                raw = files[source].read_bytes()
                records.documents.publish(
                    NewVersion(
                        BUCKET,
                        source,
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
