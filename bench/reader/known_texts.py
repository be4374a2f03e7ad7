"""Make the vectors of the texts by which shipped fields are known; again after each training.

python -m bench.reader.known_texts [FOLDER]
"""

from __future__ import annotations

import argparse
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.reader.contexts import WITH_FIELDS as SCHEMAS
from bench.reader.writers import shipped_fields
from core.domain.passage import Matrix
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.plan.readers.trained.linker import TextVectors, distinct_texts
from core.plan.readers.trained.network import ReaderNetwork
from core.plan.readers.trained.trained import ARRAYS, SHIPPED, TEXTS, read_artefact


def to_file(texts: Sequence[str], frozen: Matrix, own: Matrix, trained: bytes) -> bytes:
    """The file's content. frozen, own: (texts, d); trained: the arrays of the reader that made `own`."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        allow_pickle=False,
        texts=np.array(list(texts)),
        frozen=frozen.astype(np.float16),
        own=own.astype(np.float16),
        reader=np.array(hashlib.sha256(trained).hexdigest()),
    )
    return buffer.getvalue()


def main() -> None:
    """Write the file beside the reader in a folder, or the shipped one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=SHIPPED)
    place = parser.parse_args().folder
    encoder = MiniLm.load(find_model("minilm"))
    artefact = read_artefact(place)
    network = ReaderNetwork(encoder, artefact.layers, artefact.heads)
    texts = distinct_texts(field for schema in SCHEMAS for field in shipped_fields(schema))
    frozen, own = TextVectors(encoder, network).of(texts)
    content = to_file(texts, frozen, own, (place / ARRAYS).read_bytes())
    (place / TEXTS).write_bytes(content)
    print(f"{len(texts):,} texts, {len(content):,} bytes")


if __name__ == "__main__":
    main()
