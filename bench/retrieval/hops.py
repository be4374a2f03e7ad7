"""HotpotQA's questions with the passages that answer them, and passages of other sets to hide these among."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.retrieval.sets import acord_texts, chunking_texts, cranfield_texts, legalbench_texts

HOTPOT = "hotpot"
BUNDLE = 50


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question with the sources of all passages that its answer needs; kind: bridge or comparison."""

    text: str
    gold: frozenset[str]
    kind: str


def hotpot_texts(data: Path) -> dict[str, str]:
    """The 994 passages by path, each under its title as a heading."""
    corpus = _corpus(data)
    return {_path(at): f"# {title}\n\n{''.join(corpus[title])}\n" for at, title in enumerate(corpus)}


def hotpot_questions(data: Path) -> list[HopQuestion]:
    """The 100 questions."""
    path_of = {title: _path(at) for at, title in enumerate(_corpus(data))}
    rows = json.loads((data / "hotpotqa_100" / "questions.json").read_text(encoding="utf-8"))
    return [
        HopQuestion(
            row["question"],
            frozenset(path_of[title] for title, _ in row["supporting_facts"]),
            row.get("type", ""),
        )
        for row in rows
    ]


def foreign_texts(data: Path) -> dict[str, str]:
    """Documents of the other sets by path: contracts, policies, prose, bundles of abstracts and clauses."""
    contracts = sorted((data / "cuad" / "contracts").glob("*.txt"))
    legal = {path: text for path, text in legalbench_texts(data).items() if not path.startswith("maud")}
    sets = {
        "cuad": {path.name: path.read_text(encoding="utf-8") for path in contracts},
        "legal": {path.replace("/", "-"): text for path, text in legal.items()},
        "chunking": chunking_texts(data),
        "cranfield": _bundled(cranfield_texts(data)),
        "acord": _bundled(acord_texts(data)),
    }
    return {f"{name}/{path}": text for name, texts in sets.items() for path, text in texts.items()}


def _bundled(texts: Mapping[str, str]) -> dict[str, str]:
    """Short texts, BUNDLE to a document: 3,700 files of a passage each take ten times as long to read."""
    whole = [text for text in texts.values() if text.strip()]
    starts = range(0, len(whole), BUNDLE)
    return {f"part-{at // BUNDLE:03}.txt": "\n\n".join(whole[at : at + BUNDLE]) for at in starts}


def _corpus(data: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(
        (data / "hotpotqa_100" / "corpus.json").read_text(encoding="utf-8")
    )
    return found


def _path(at: int) -> str:
    return f"{HOTPOT}/{at:04}.md"
