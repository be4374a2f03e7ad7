"""Make the vectors of the texts by which shipped fields are known; again after each training.

python -m bench.reader.known_texts [FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.reader.contexts import WITH_FIELDS as SCHEMAS
from bench.reader.writers import shipped_fields
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.plan.reader.anchors import distinct_texts
from core.plan.reader.artefact_file import ARRAYS, SHIPPED, read_artefact
from core.plan.reader.known_texts import TEXTS, to_file
from core.plan.reader.linker import TextVectors
from core.plan.reader.network import ReaderNetwork


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
