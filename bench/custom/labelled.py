"""The documents of two labelled collections with their sentence vectors, as ingest would store them.

CUAD v1, The Atticus Project, CC BY 4.0; ContractNLI, Koreeda and Manning 2021, CC BY 4.0.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.clauses.gold import CUAD_VALUES, as_document, read_contracts
from core.config.models import Settings
from core.domain.document import Page
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.encode.base import TextToEncode
from core.encode.load import load_query_encoder, load_token_counter
from core.extract.base import DocumentText
from core.extract.clauses.head_names import CUAD_YES_NO
from core.ingest.chunk import chunk

_FIELDS = Path(__file__).parent / "cuad_fields.toml"


@dataclass(frozen=True, slots=True)
class Field:
    """A field in words. label: what its truth is called in the collection."""

    label: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document. truth: by label the spans of its text that state it, () where it does not."""

    document: DocumentText
    vectors: SentenceVectors
    truth: dict[str, tuple[tuple[int, int], ...]]


def cuad_fields(file: Path = _FIELDS) -> list[Field]:
    """Fields of a file; of the twelve that were written before the ranking, unless another is given."""
    found = tomllib.loads(file.read_text("utf-8"))["fields"]
    return [Field(each["category"], each["name"], each["description"]) for each in found]


def nli_fields(data: Path) -> list[Field]:
    """The seventeen hypotheses of ContractNLI, as they stand there."""
    labels = json.loads((data / "contractnli" / "dev.json").read_text("utf-8"))["labels"]
    return [
        Field(label, each["short_description"], each["hypothesis"]) for label, each in sorted(labels.items())
    ]


def cuad(data: Path, count: int, kept: Path, *, part: int = 0) -> list[Labelled]:
    """`count` contracts by the hash of their names; part: 1 for the ones after them, and so on."""
    folder = data / "cuad"
    contracts = sorted(
        read_contracts(folder, folder / "more"), key=lambda each: hashlib.sha256(each.name.encode()).digest()
    )[part * count : (part + 1) * count]
    pairs = []
    for each in contracts:
        truth = {title: each.spans[head] if each.yes[head] else () for head, title in CUAD_YES_NO.items()}
        truth |= {title: each.spans.get(head, ()) for head, title in CUAD_VALUES.items()}
        pairs.append((each.document, truth))
    return _with_vectors(pairs, kept / f"cuad-{count}-{part}.pickle")


def nli(data: Path, kept: Path) -> list[Labelled]:
    """The contracts of the development part; a hypothesis is stated where its label is entailment."""
    found = json.loads((data / "contractnli" / "dev.json").read_text("utf-8"))
    pairs = []
    for each in found["documents"]:
        document = as_document(f"{each['id']}.txt", [Page(page_no=1, text=each["text"])])
        truth = {
            label: tuple(
                (each["spans"][at][0], each["spans"][at][1])
                for at in (said["spans"] if said["choice"] == "Entailment" else ())
            )
            for label, said in each["annotation_sets"][0]["annotations"].items()
        }
        pairs.append((document, truth))
    return _with_vectors(pairs, kept / "contractnli.pickle")


def _with_vectors(
    pairs: Sequence[tuple[DocumentText, dict[str, tuple[tuple[int, int], ...]]]], kept: Path
) -> list[Labelled]:
    known: dict[str, SentenceVectors] = pickle.loads(kept.read_bytes()) if kept.exists() else {}
    missing = [document for document, _ in pairs if document.document not in known]
    if missing:
        kept.parent.mkdir(parents=True, exist_ok=True)
        known |= dict(zip((each.document for each in missing), _encoded(missing, kept.parent), strict=True))
        kept.write_bytes(pickle.dumps(known))
    return [Labelled(document, known[document.document], truth) for document, truth in pairs]


def _encoded(documents: Iterable[DocumentText], home: Path) -> list[SentenceVectors]:
    settings = Settings(home=home)
    counter, encoder = load_token_counter(settings), load_query_encoder(settings)
    found = []
    for document in documents:
        passages = chunk(document.pages, counter)
        encoded = encoder.encode_passages([TextToEncode(each.text, each.sentences) for each in passages])
        found.append(SentenceVectors.of(passages, [each.sentences for each in encoded]))
    return found
