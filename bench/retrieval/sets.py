"""The public data sets: documents to ingest, and questions with what is right."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.retrieval.scores import Place
from core.ingest.clean import normalise

LEGAL_PARTS = ("contractnli", "maud", "privacy_qa")


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    """A question whose answer is known to the character; `part` names the part of the set that it is from."""

    text: str
    gold: tuple[Place, ...]
    part: str


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """A question with graded documents, by source; `judged`: all that anybody judged, in any grade."""

    text: str
    gains: Mapping[str, float]
    judged: frozenset[str]


def legalbench_texts(data: Path) -> dict[str, str]:
    """LegalBench-RAG's documents by path."""
    root = data / "legalbenchrag" / "corpus"
    return {str(path.relative_to(root)): _read(path) for path in sorted(root.rglob("*.txt"))}


def legalbench_questions(data: Path) -> list[SpanQuestion]:
    """Its 582 questions; gold spans moved to where the stored text has them."""
    shift = _Shift(legalbench_texts(data))
    questions = []
    for part in LEGAL_PARTS:
        tests = json.loads((data / "legalbenchrag" / f"mini_{part}.json").read_text(encoding="utf-8"))[
            "tests"
        ]
        for test in tests:
            gold = tuple(shift.place(s["file_path"], *s["span"]) for s in test["snippets"])
            questions.append(SpanQuestion(test["query"], gold, part))
    return questions


def chunking_texts(data: Path) -> dict[str, str]:
    """chunking_eval's documents by file name."""
    root = data / "chunking_eval" / "corpora"
    return {path.name: _read(path) for path in sorted(root.glob("*.md"))}


def chunking_questions(data: Path) -> list[SpanQuestion]:
    """Its questions about the documents that are there."""
    texts = chunking_texts(data)
    shift = _Shift(texts)
    questions = []
    with (data / "chunking_eval" / "questions.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            source = f"{row['corpus_id']}.md"
            if source in texts:
                gold = tuple(
                    shift.place(source, reference["start_index"], reference["end_index"])
                    for reference in json.loads(row["references"])
                )
                questions.append(SpanQuestion(row["question"], gold, row["corpus_id"]))
    return questions


def cranfield_texts(data: Path) -> dict[str, str]:
    """Cranfield's abstracts, title first, by `NUMBER.txt`."""
    raw = (data / "cranfield" / "cran.all.1400").read_text(encoding="utf-8")
    found = {}
    for entry in _entries(raw):
        number, rest = entry.split("\n", 1)
        found[f"{int(number):04}.txt"] = rest.split("\n.W\n", 1)[-1].strip()
    return found


def cranfield_questions(data: Path) -> list[RankQuestion]:
    """Its 225 questions; every relevant grade counts 1. Judgements go by the order of the questions."""
    raw = (data / "cranfield" / "cran.qry").read_text(encoding="utf-8")
    texts = [" ".join(entry.split("\n.W\n", 1)[-1].split()) for entry in _entries(raw)]
    gains: dict[int, dict[str, float]] = {}
    for line in (data / "cranfield" / "cranqrel").read_text(encoding="utf-8").splitlines():
        question, document, grade = (int(field) for field in line.split()[:3])
        # One document of every question has grade -1, which cranqrel.readme does not explain. Counting it as
        # relevant would raise nDCG@10 by .14.
        if grade >= 1:
            gains.setdefault(question, {})[f"{document:04}.txt"] = 1.0
    return [
        RankQuestion(text, gains[number], frozenset(gains[number]))
        for number, text in enumerate(texts, start=1)
        if number in gains
    ]


def acord_texts(data: Path) -> dict[str, str]:
    """ACORD's clauses by `ID.txt`."""
    lines = (data / "acord" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    clauses = (json.loads(line) for line in lines)
    return {f"{clause['_id']}.txt": clause["text"] for clause in clauses}


def acord_questions(data: Path) -> list[RankQuestion]:
    """Its queries with lawyers' grades as gains; grades below 2 are not relevant and gain nothing."""
    grades: dict[str, dict[str, int]] = {}
    for name in ("qrels_train.tsv", "qrels_valid.tsv"):
        with (data / "acord" / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                grades.setdefault(row["query-id"], {})[f"{row['corpus-id']}.txt"] = int(row["score"])
    questions = []
    for line in (data / "acord" / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        judged = grades.get(query["_id"], {})
        gains = {source: float(grade) for source, grade in judged.items() if grade >= 2}
        if gains:
            questions.append(RankQuestion(query["text"], gains, frozenset(judged)))
    return questions


def _read(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _entries(raw: str) -> Iterator[str]:
    """The entries of a SMART file, each beginning with its number."""
    return (entry for entry in re.split(r"^\.I ", raw, flags=re.MULTILINE) if entry.strip())


class _Shift:
    """Moves offsets of a raw file to its stored text: ingest drops invisible characters."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._moved: dict[str, list[int]] = {}

    def place(self, source: str, start: int, end: int) -> Place:
        """The stored characters of raw [start, end)."""
        raw = self._texts[source]
        if source not in self._moved:
            stored = [0]
            for char in raw:
                stored.append(stored[-1] + len(normalise(char)))
            if stored[-1] != len(normalise(raw)):
                raise ValueError(f"the stored text of {source!r} cannot be aligned with its file")
            self._moved[source] = stored
        moved = self._moved[source]
        return Place(source, moved[start], moved[min(end, len(raw))])
