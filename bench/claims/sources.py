"""Sentences of contracts, financial reports and web passages, and answers of models marked by people."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from core.text.sentences import split_sentences

_PASSAGE = re.compile(r"(?:^|\n)\s*passage \d+:", re.IGNORECASE)
_LABELLED = re.compile(r"\n\s*(?=passage \d+:)", re.IGNORECASE)  # answers speak of "passage 1"
_WHOLE = re.compile(r"[A-Z\"\u201c].{38,340}[.]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence with the text around it that could be cited: itself, or with its neighbours."""

    text: str
    around: str
    source: str


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence of a model's answer, its passages, and whether people marked words of it as unsupported."""

    text: str
    passages: tuple[str, ...]
    is_unsupported: bool
    question: int


def marked_sentences(data: Path) -> list[MarkedSentence]:
    """Every sentence of every answer of ragtruth's visible questions; question: its place in the file."""
    sentences: list[MarkedSentence] = []
    lines = (data / "ragtruth" / "qa_visible.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        record = json.loads(line)
        passages = tuple(part for part in _LABELLED.split(record["source"]["passages"]) if part.strip())
        for answer in record["responses"]:
            text, labels = answer["response"], answer["labels"]
            for start, end in split_sentences(text):
                is_marked = any(label["start"] < end and start < label["end"] for label in labels)
                sentences.append(MarkedSentence(text[start:end], passages, is_marked, number))
    return sentences


def source_sentences(data: Path, rng: random.Random) -> list[SourceSentence]:
    """Whole sentences of the three sources in turn, in a seeded order."""
    pools = []
    for name, texts in (("cuad", _cuad(data)), ("tatqa", _tatqa(data)), ("ragtruth", _ragtruth(data))):
        pool = [sentence for text in texts for sentence in _whole(text, name)]
        rng.shuffle(pool)
        pools.append(pool)
    return [sentence for group in zip(*(pool * 3 for pool in pools), strict=False) for sentence in group]


def halved_sentences(data: Path, half: int, rng: random.Random) -> list[SourceSentence]:
    """Whole sentences of other contracts, agreements of secrecy and reports, by documents: half 0 or 1."""
    contracts = [
        file.read_text("utf-8", errors="replace")[:80_000]
        for file in sorted((data / "cuad" / "contracts").glob("*.txt"))[1::2]
    ]
    secrecy = [
        each["text"]
        for each in json.loads((data / "contractnli" / "dev.json").read_text("utf-8"))["documents"]
    ]
    pools = []
    for name, texts in (("cuad", contracts), ("contractnli", secrecy), ("tatqa", list(_tatqa(data)))):
        pool = [sentence for text in texts[half::2] for sentence in _whole(text, name)]
        rng.shuffle(pool)
        pools.append(pool)
    return [sentence for group in zip_longest(*pools) for sentence in group if sentence is not None]


def _whole(text: str, source: str) -> Iterator[SourceSentence]:
    spans = split_sentences(text)
    for at, (start, end) in enumerate(spans):
        written = " ".join(text[start:end].split())
        if _WHOLE.fullmatch(written) and len(written.split()) >= 8:
            first, last = spans[max(0, at - 1)][0], spans[min(len(spans) - 1, at + 1)][1]
            yield SourceSentence(written, text[first:last], source)


def _cuad(data: Path) -> Iterator[str]:
    for file in sorted((data / "cuad" / "contracts").glob("*.txt"))[::4]:
        yield file.read_text("utf-8", errors="replace")[:60_000]


def _tatqa(data: Path) -> Iterator[str]:
    for record in json.loads((data / "tatqa" / "dev.json").read_text("utf-8")):
        yield from (paragraph["text"] for paragraph in record["paragraphs"])


def _ragtruth(data: Path) -> Iterator[str]:
    for line in (data / "ragtruth" / "qa_visible.jsonl").read_text("utf-8").splitlines():
        yield from _passages(json.loads(line)["source"]["passages"])


def _passages(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in _PASSAGE.split(text) if part.strip())
