"""Questions that others asked or marked, with the places that answer them; half of them are kept apart."""

from __future__ import annotations

import ast
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.collapse.pieces import Piece
from bench.collapse.texts import labels
from bench.collapse.words import holds
from bench.retrieval.scores import Place
from bench.retrieval.sets import (
    chunking_questions,
    cranfield_questions,
    legalbench_questions,
)

MOST_GOLD = 3
"""Places that answer a question; who needs more asks for a list and not for an answer."""
EACH = {"legal": 80, "chunking": 75, "hotpot": 100, "cranfield": 50, "filings": 24, "cuad": 80}
"""Questions of each set, of LegalBench-RAG's three parts each: their documents are fewer than a thousand."""
CATEGORIES = {
    "Governing Law": "Which state/country's law governs the interpretation of the contract?",
    "Expiration Date": "On what date will the contract's initial term expire?",
    "Renewal Term": "What is the renewal term after the initial term expires?",
    "Notice Period To Terminate Renewal": "What is the notice period required to terminate renewal?",
    "Warranty Duration": "What is the duration of any warranty against defects or errors?",
    "Audit Rights": "Does a party have the right to audit the books, records, or physical locations of the"
    " counterparty to ensure compliance with the contract?",
    "Cap On Liability": "Does the contract include a cap on liability upon the breach of a party's"
    " obligation?",
    "Insurance": "Is there a requirement for insurance that must be maintained by one party for the"
    " benefit of the counterparty?",
}
"""CUAD's own words for what its lawyers looked for."""


@dataclass(frozen=True, slots=True)
class CollapseQuestion:
    """gold: places in the documents that answer it. needed: whether it takes all of them. answer: words that
    a right answer holds, "" where any words of the place do."""

    text: str
    part: str
    gold: tuple[Place, ...]
    answer: str = ""

    @property
    def documents(self) -> frozenset[str]:
        """The paths of the documents that answer it."""
        return frozenset(place.source for place in self.gold)

    @property
    def half(self) -> str:
        """`tuned` or `apart`, by its words: what was looked at while building, and what was measured once."""
        return "apart" if hashlib.sha256(self.text.encode()).digest()[0] % 2 else "tuned"


def all_questions(data: Path, pieces: Iterable[Piece]) -> list[CollapseQuestion]:
    """The questions of every set whose answers stand in a few documents, the same ones in every run."""
    of_parent: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        of_parent[piece.parent].append(piece)
    made = [*_legal(data, of_parent), *_chunking(data, of_parent), *_hotpot(data, of_parent)]
    made += [*_cranfield(data, of_parent), *_filings(data, of_parent), *_cuad(data, of_parent)]
    bodies = {piece.path: piece.text for held in of_parent.values() for piece in held}
    by_part: dict[str, dict[str, CollapseQuestion]] = defaultdict(dict)
    for each in made:
        if 0 < len(each.gold) <= MOST_GOLD:
            stands = any(holds(bodies[path], each.answer) for path in each.documents)
            by_part[each.part].setdefault(each.text, each if stands else replace(each, answer=""))
    return [
        each for part, of_part in by_part.items() for each in _drawn(of_part.values(), EACH[part.split()[0]])
    ]


def _drawn(questions: Iterable[CollapseQuestion], count: int) -> Sequence[CollapseQuestion]:
    """So many of them, by a hash of their words."""
    return sorted(questions, key=lambda each: hashlib.sha256(f"drawn {each.text}".encode()).digest())[:count]


def _places(pieces: Iterable[Piece], start: int, end: int) -> Iterator[Place]:
    """The parts of a span of a text in its pieces; an overlap of a few characters is none."""
    for piece in pieces:
        first, last = max(start, piece.start), min(end, piece.end)
        if last - first >= min(20, end - start):
            yield Place(piece.path, piece.place(first), piece.place(last))


def _spans(pieces: Mapping[str, list[Piece]], gold: Iterable[Place], folder: str) -> tuple[Place, ...]:
    named = ((f"{folder}/{each.source.rsplit('.', 1)[0]}", each) for each in gold)
    return tuple(place for parent, each in named for place in _places(pieces[parent], each.start, each.end))


def _legal(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    for each in legalbench_questions(data):
        if each.part != "maud":  # agreements of 300 pages, whose parts only stand beside
            yield CollapseQuestion(each.text, f"legal {each.part}", _spans(pieces, each.gold, "legal"))


def _chunking(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    for each in chunking_questions(data):
        yield CollapseQuestion(each.text, "chunking", _spans(pieces, each.gold, "chunking"))


def _hotpot(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    corpus = json.loads((data / "hotpotqa_100" / "corpus.json").read_text(encoding="utf-8"))
    path_of = {title: f"hotpot/{at:04}" for at, title in enumerate(corpus)}
    for row in json.loads((data / "hotpotqa_100" / "questions.json").read_text(encoding="utf-8")):
        titles = dict.fromkeys(title for title, _ in row["supporting_facts"])
        gold = tuple(_whole(piece) for title in titles for piece in pieces[path_of[title]])
        answer = "" if row["answer"].casefold() in ("yes", "no") else row["answer"]
        yield CollapseQuestion(row["question"], "hotpot", gold, answer)


def _cranfield(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    for each in cranfield_questions(data):
        parents = (f"cranfield/{source.removesuffix('.txt')}" for source in each.gains)
        gold = tuple(_whole(piece) for parent in parents for piece in pieces[parent])
        yield CollapseQuestion(each.text, "cranfield", gold)


def _filings(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    for line in (data / "financebench" / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        parents = [f"filings/{Path(each['file']).stem}/{each['page']:03}" for each in row["gold"]]
        gold = tuple(_whole(piece) for parent in parents for piece in pieces[parent])
        yield CollapseQuestion(row["question"], "filings", gold)


def _cuad(data: Path, pieces: Mapping[str, list[Piece]]) -> Iterator[CollapseQuestion]:
    for label in filter(lambda each: each.is_named, labels(data)):
        for column, asked in CATEGORIES.items():
            quotes = ast.literal_eval(label.columns[column] or "[]")
            places = [
                place
                for quote in quotes
                for place in _quoted(pieces[f"cuad/{label.stem}"], label.text, quote)
            ]
            answer = label.columns[f"{column}-Answer"] if column == "Governing Law" else ""
            yield CollapseQuestion(f"Consider the {label.title}; {asked}", "cuad", tuple(places), answer)


def _quoted(pieces: Sequence[Piece], text: str, quote: str) -> Iterator[Place]:
    """Where a quote stands first; nowhere where the lawyers left words out of it."""
    at = text.find(quote)
    if at >= 0:
        yield from _places(pieces, at, at + len(quote))


def _whole(piece: Piece) -> Place:
    return Place(piece.path, 0, len(piece.text))
