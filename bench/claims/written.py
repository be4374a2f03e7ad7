"""Claims that a person wrote about words of the sample collection: false ones by class, and honest ones."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SETS = ("strangers", "unseen")
"""`strangers` was read while the checks were written; `unseen` was written later, on other documents."""


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """A claim with the spans that it cites. kind: class of the falsehood, "" for an honest claim."""

    text: str
    spans: tuple[str, ...]
    kind: str


def written_pairs(name: str) -> list[WrittenPair]:
    """All claims of a set, in the order of its file. Raises FileNotFoundError for a set that is not there."""
    pairs: list[WrittenPair] = []
    for group in tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))["group"]:
        spans = tuple(group["spans"])
        pairs += [WrittenPair(text, spans, kind) for kind, text in group.get("false", ())]
        pairs += [WrittenPair(text, spans, "") for text in group.get("true", ())]
    return pairs
