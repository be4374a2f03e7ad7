"""The trained reader from files: arrays in `reader.npz`, in half precision, all else in `reader.json`.

Beside them `texts.npz` has vectors of the texts by which shipped fields are known, made once by
`bench.reader.known_texts`: no first question waits for them.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.passage import Matrix, Vector
from core.encode.minilm import TransformerLayer
from core.errors import UsageError
from core.plan.reader.confidence import Confidence, Existence
from core.plan.reader.linker import LinkWeights, PhraseBank, TextPair
from core.plan.reader.network import HEADS, ReaderHeads

FORMAT = 3
ARRAYS = "reader.npz"
FACTS = "reader.json"
TEXTS = "texts.npz"
SHIPPED = Path(__file__).parent / "artefact"

Arrays = dict[str, NDArray[Any]]
LAYER = ("qkv", "qkv_bias", "out", "out_bias", "up", "up_bias", "down", "down_bias")


@dataclass(frozen=True, slots=True)
class ReaderArtefact:
    """Everything that a trained reader needs beside the shipped encoder.

    encoder_sha256: of the encoder whose lower layers it goes on from. facts: what the model card shows.
    """

    layers: tuple[TransformerLayer, ...]
    heads: ReaderHeads
    weights: LinkWeights
    bank: PhraseBank
    existence: Existence
    confidence: Confidence
    encoder_sha256: str
    facts: Mapping[str, Any]


def read_artefact(folder: Path | None = None) -> ReaderArtefact:
    """The artefact in `folder`, or the shipped one. Raises UsageError if there is none of this format."""
    place = folder or SHIPPED
    try:
        return from_files({name: (place / name).read_bytes() for name in (ARRAYS, FACTS)})
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"The trained reader in {str(place)!r} cannot be read: {error}. Expected {ARRAYS} and {FACTS} as"
            " written by this version; train it again with: python -m bench.train_reader"
        ) from error


def from_files(files: Mapping[str, bytes]) -> ReaderArtefact:
    """Artefact that `bench.reader.artefact_file` wrote. Raises ValueError or KeyError for anything else."""
    facts = json.loads(files[FACTS])
    written = (facts.get("format"), facts.get("heads"))
    if written != (FORMAT, {name: list(outputs) for name, outputs in HEADS.items()}):
        raise ValueError("its format, or what its heads tell, is not that of this version")
    with np.load(io.BytesIO(files[ARRAYS]), allow_pickle=False) as stored:
        arrays: Arrays = dict(stored)

    def of(name: str) -> Matrix:
        return arrays[name].astype(np.float32)

    def head(name: str) -> tuple[Matrix, Vector]:
        return of(f"head_{name}"), of(f"head_{name}_bias")

    bank = of("bank")
    norms = np.linalg.norm(bank, axis=-1, keepdims=True)
    return ReaderArtefact(
        tuple(_layer(of, number) for number in range(facts["layers"])),
        ReaderHeads(span=of("head_span"), anchor=of("head_anchor"), **{name: head(name) for name in HEADS}),
        LinkWeights(of("link_shared"), of("link_of_role"), of("link_types")),
        PhraseBank(
            tuple((schema, field) for schema, field in facts["bank"]),
            np.asarray(bank / np.where(norms == 0, 1, norms), dtype=np.float32),
            arrays["bank_owner"].astype(np.int64),
        ),
        Existence.from_facts(facts["existence"]),
        Confidence.from_facts(facts["confidence"]),
        facts["encoder"],
        facts["facts"],
    )


def _layer(of: Callable[[str], Matrix], number: int) -> TransformerLayer:
    values: dict[str, Any] = {name: of(f"layer{number}_{name}") for name in LAYER}
    values |= {name: tuple(of(f"layer{number}_{name}")) for name in ("norm", "out_norm")}
    return TransformerLayer(**values)


def read_known_texts(folder: Path | None = None) -> Mapping[str, TextPair]:
    """Vectors by text; none where the file is missing, damaged, or of another training than the arrays."""
    place = folder or SHIPPED
    try:
        with (place / TEXTS).open("rb") as file, np.load(file, allow_pickle=False) as kept:
            if str(kept["reader"]) != digest((place / ARRAYS).read_bytes()):
                return {}
            frozen, own = kept["frozen"].astype(np.float32), kept["own"].astype(np.float32)
            return dict(zip(kept["texts"].tolist(), zip(frozen, own, strict=True), strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}


def digest(arrays: bytes) -> str:
    """By what the training is known whose arrays these are."""
    return hashlib.sha256(arrays).hexdigest()
