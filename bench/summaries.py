"""Summaries: what lawyers marked that they hold, and searches that look in them first.

python -m bench.summaries covered --home HOME --data DIR --half 0|1
python -m bench.summaries first --home HOME --data DIR --half 0|1

HOME holds contracts of CUAD (covered) or texts of LegalBench-RAG (first), ingested under their names. Of the
halves one is for looking, the other is measured once.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.extract.jobs.service import read_task
from core.extract.summaries import summaries_of
from core.workbench import Workbench

_GRAM = 5
_PRESENT = 0.5  # of the word sequences of a marked text


def main() -> None:
    """Measure one of the two."""
    options = argparse.ArgumentParser()
    options.add_argument("what", choices=["covered", "first"])
    options.add_argument("--home", type=Path, required=True)
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--half", type=int, choices=[0, 1], required=True)
    given = options.parse_args()
    bench = Workbench.open(given.home)
    result = (covered if given.what == "covered" else first)(bench, given.data, given.half)
    print(json.dumps(result, indent=2))


def covered(bench: Workbench, data: Path, half: int) -> Mapping[str, object]:
    """Share of the marked texts of contracts that stand in a summary."""
    parts = bench.local.documents._parts  # what extraction is given
    known = {PurePath(each.source).stem: each.id for each in bench.local.documents.list(limit=1000)}
    with (data / "cuad/labels.csv").open(encoding="utf-8") as file:
        labels = [row for row in csv.DictReader(file) if PurePath(row["File"]).stem in known]
    labels = [row for at, row in enumerate(sorted(labels, key=lambda row: row["File"])) if at % 2 == half]
    tasks = []
    for row in labels:
        task = read_task(parts.records, parts.definitions(), DocumentId(known[PurePath(row["File"]).stem]))
        facts = bench.local.documents.facts(DocumentId(known[PurePath(row["File"]).stem]))
        schema = next(each for each in parts.schemas.schemas() if each.name == facts.schema)
        tasks.append((row, task, schema, {cell.field: cell.finding for cell in facts.cells}))
    found: dict[str, object] = {"contracts": len(tasks)}
    for name in ("as it is", "no vectors"):
        marked, present, sentences = 0, 0, 0
        for row, task, schema, findings in tasks:
            vectors = None if name == "no vectors" else task.vectors
            made = summaries_of(task.text, schema, findings, vectors)
            said = {gram for each in made for quote in each.sentences for gram in _grams(quote.quote)}
            sentences += sum(len(each.sentences) for each in made)
            for text in _marked(row):
                grams = list(_grams(text))
                marked += bool(grams)
                present += bool(grams) and sum(gram in said for gram in grams) >= _PRESENT * len(grams)
        found[name] = {"share": round(present / marked, 4), "marked": marked, "sentences": sentences}
    return found


def _marked(row: Mapping[str, str]) -> Iterator[str]:
    for name, text in row.items():
        if text.startswith("[") and not name.rstrip().endswith("Answer"):
            yield from map(str, ast.literal_eval(text))


def _grams(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    yield from (tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1))


def first(bench: Workbench, data: Path, half: int) -> Mapping[str, object]:
    """Share of questions whose document, and whose words, are among the first hits.

    In passages alone; in those of the five documents whose summaries fit best; and both lists by turns.
    """
    session = bench.local
    known = {PurePath(each.source).name: each.id for each in session.documents.list(limit=1000)}
    found: dict[str, object] = {}
    for file in sorted((data / "legalbenchrag").glob("mini_*.json")):
        tests = json.loads(file.read_text(encoding="utf-8"))["tests"][half::2]
        tests = [each for each in tests if PurePath(each["snippets"][0]["file_path"]).name in known][:60]
        right = dict.fromkeys(("passages", "summaries first", "by turns"), 0)
        for test in tests:
            # The name of the document before the semicolon is left out: a search by meaning, not by name.
            words = test["query"].rpartition(";")[2].strip() or test["query"]
            gold = [each["answer"][:80] for each in test["snippets"]]
            query = SearchQuery(words, top_k=10, resolve=False)
            plain = session.documents.search(query).hits
            of = session.documents.search(replace(query, index="summaries", top_k=10)).hits
            best = tuple(dict.fromkeys(hit.document for hit in of))[:5]
            narrowed = session.documents.search(replace(query, documents=best)).hits if best else plain
            turns = [hit for pair in zip(plain, narrowed, strict=False) for hit in pair][:10]
            for name, hits in (("passages", plain), ("summaries first", narrowed), ("by turns", turns)):
                shown = [" ".join(hit.text.split()) for hit in hits[:10]]
                right[name] += any(" ".join(each.split()) in text for each in gold for text in shown)
        found[file.stem] = {"questions": len(tests), **right}
    return found


if __name__ == "__main__":
    main()
