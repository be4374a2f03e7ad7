"""Token ids and their places in a text, without any weights and without cutting anything off."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from core.errors import EncoderError

Integers = NDArray[np.int64]
DEFAULT_MAX_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Tokens:
    """The content tokens of one text, special tokens left out: three arrays of equal length."""

    ids: Integers
    starts: Integers
    ends: Integers  # one past the token's last character

    def __len__(self) -> int:
        return len(self.ids)


class WordPieceCounter:
    """A TokenCounter over a model folder's `tokenizer.json`. Thread-safe."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        tokenizer.no_truncation()  # MiniLM's file says 128, which would silently drop half a passage
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.prefix, self.suffix = _special_ids(tokenizer)
        self._window = max_tokens - len(self.prefix) - len(self.suffix)

    @classmethod
    def load(cls, model_dir: Path | str) -> Self:
        """The counter of the model in `model_dir`. Raises EncoderError where it has no readable tokenizer."""
        folder = Path(model_dir)
        try:
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # tokenizers raises bare Exception for a missing or broken file
            raise EncoderError(
                f"No readable tokenizer.json in {str(folder)!r}.",
                next_step="Name a complete sentence-transformers folder, or 'minilm', as encode.model.",
            ) from error
        return cls(tokenizer, max_tokens(folder))

    @property
    def window(self) -> int:
        """Content tokens of one forward pass: 254 for MiniLM."""
        return self._window

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The character span of every token of `text`, in order; [] for blank text."""
        spans: list[tuple[int, int]] = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return spans

    def count(self, text: str) -> int:
        """The number of tokens of `text`."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Ids and places of the tokens of many texts, on all cores."""
        return [
            _tokens(found) for found in self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        ]


def max_tokens(folder: Path) -> int:
    """Most tokens of one forward pass, special tokens included: the folder's own limit, else 512."""
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        value = read_json(folder / name).get(key)
        if isinstance(value, int) and 0 < value < 1_000_000:  # "no limit" is written as 1e30
            return value
    return DEFAULT_MAX_TOKENS


def read_json(path: Path) -> dict[str, object]:
    """The object in `path`; {} where the file is missing or is no JSON object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _special_ids(tokenizer: Tokenizer) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Ids that the tokenizer puts before and after a text, e.g. ([CLS],) and ([SEP],)."""
    found = tokenizer.encode("a")
    mask = found.special_tokens_mask
    first = mask.index(0) if 0 in mask else len(mask)
    last = len(mask) - mask[::-1].index(0) if 0 in mask else len(mask)
    return tuple(found.ids[:first]), tuple(found.ids[last:])


def _tokens(found: object) -> Tokens:
    spans = np.asarray(found.offsets, dtype=np.int64).reshape(-1, 2)  # type: ignore[attr-defined]
    return Tokens(np.asarray(found.ids, dtype=np.int64), spans[:, 0], spans[:, 1])  # type: ignore[attr-defined]
