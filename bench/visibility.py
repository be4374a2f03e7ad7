"""What access control costs a hybrid search: p95 with many groups and grants, against a search of everything.

50,000 passages of real text in 2,500 documents; every document but one in five is open to some of 500 groups,
50,000 grants in all. The same questions are searched by somebody who sees everything and by people in groups,
turn by turn, so that both meet the same machine. Vectors are random unit vectors around 400 centres, and so
are those of questions: encoding is left out, which would hide the difference.

The store is built once and used again where it is there.

    OMP_NUM_THREADS=1 python -m bench.visibility --data DIR --home /tmp/visibility --runs 400
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from bench.search_latency import PER_DOCUMENT, SIGNATURE, make_passages, near, read_questions, read_texts
from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import DocumentId, content_hash
from core.domain.passage import EncodedPassage, Matrix
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchQuery
from core.domain.span import PageSpan
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.search.search import Retriever
from core.store.base import IndexedPassage, NewVersion
from core.store.store import Records

GROUPS, GRANTS = 500, 50_000


class GivenVectors:
    """An Encoder whose vectors are random, the same for the same text."""

    def __init__(self) -> None:
        rng = np.random.default_rng(3)
        self._centres = rng.normal(size=(400, SIGNATURE.dimension)).astype(np.float32)

    @property
    def signature(self) -> EncoderSignature:
        """That of the store."""
        return SIGNATURE

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text."""
        return np.stack([near(self._centres, np.random.default_rng(len(text))) for text in texts])

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        """Nothing: the store is built with vectors of its own."""
        raise NotImplementedError


def build(records: Records, size: int, data: Path) -> None:
    """Publish the documents with their access lists."""
    rng = np.random.default_rng(1)
    restricted = size // PER_DOCUMENT * 4 // 5
    each = max(1, GRANTS // restricted)
    group: list[IndexedPassage] = []
    documents = 0
    for one in make_passages(size, read_texts(data), rng):
        group.append(one)
        if len(group) == PER_DOCUMENT:
            publish(records, documents, group, rng, each)
            documents, group = documents + 1, []


def publish(
    records: Records, number: int, group: Sequence[IndexedPassage], rng: np.random.Generator, each: int
) -> None:
    """One document of one page, open to `each` groups unless it is one of five for everybody."""
    texts = [one.stored.passage.text for one in group]
    page, encoded, start = "\n".join(texts), [], 0
    for ordinal, one in enumerate(group):
        passage = one.stored.passage
        span = PageSpan(1, start, start + len(passage.text))
        start = span.end + 1
        passage = replace(passage, document=DocumentId(""), version=0, ordinal=ordinal, parts=(span,))
        encoded.append(EncodedPassage(passage, one.vector, np.asarray(one.vector)[None, :]))
    names = [f"group-{at:03}" for at in rng.choice(GROUPS, each, replace=False)]
    acl = () if number % 5 == 0 else tuple(sorted(names))
    parsed = ParsedDocument(f"Document {number}", "text/plain", (Page(1, page),))
    source, hashed = f"{number}.txt", content_hash(page.encode())
    bucket = group[0].stored.bucket
    records.documents.publish(NewVersion(bucket, source, parsed, hashed, len(page), encoded, acl, SIGNATURE))


def people(count: int) -> Iterator[Principal]:
    """People in 1 to 40 groups."""
    rng = np.random.default_rng(7)
    for number in range(count):
        chosen = rng.choice(GROUPS, int(rng.integers(1, 41)), replace=False)
        yield Principal(f"person-{number}", groups=frozenset(f"group-{at:03}" for at in chosen))


def measure(
    records: Records, engine: EmbeddedEngine, questions: Sequence[str], runs: int
) -> dict[str, object]:
    """Milliseconds of each question as an admin and as somebody, one after the other."""
    retriever = Retriever(records, engine, GivenVectors(), Settings(home=Path()))
    retriever.warm()
    everybody = list(people(20))
    spent: dict[str, list[float]] = {"everything": [], "restricted": [], "visibility": []}
    shares: list[float] = []
    total = records.documents.count(records.access.visibility(LOCAL_ADMIN))
    for at in range(-20, runs):
        question = SearchQuery(questions[at % len(questions)], top_k=10)
        person = everybody[at % len(everybody)]
        turns = [("everything", LOCAL_ADMIN), ("restricted", person)]
        for name, who in turns if at % 2 else turns[::-1]:
            started = time.perf_counter()
            visible = records.access.visibility(who)
            seen = time.perf_counter()
            retriever.search(question, visible)
            ended = time.perf_counter()
            if at >= 0:
                spent[name].append((ended - started) * 1000)
                if name == "restricted":
                    spent["visibility"].append((seen - started) * 1000)
        if -20 <= at < 0:
            shares.append(records.documents.count(records.access.visibility(person)) / total)
    found: dict[str, object] = {
        name: {f"p{q}": round(float(np.percentile(each, q)), 2) for q in (50, 95)}
        for name, each in spent.items()
    }
    ratio = np.percentile(spent["restricted"], 95) / np.percentile(spent["everything"], 95)
    return {
        **found,
        "overhead_p95": round(float(ratio) - 1, 3),
        "overhead_p50": round(float(np.median(spent["restricted"]) / np.median(spent["everything"])) - 1, 3),
        "documents": total,
        "seen_share": [round(min(shares), 2), round(max(shares), 2)],
        "searches": runs,
    }


def main() -> None:
    """Build the store where it is not there, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"), required=False)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--size", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=400)
    given = parser.parse_args()
    data = Path(given.data)
    with Records.open(Settings(home=given.home)) as records:
        if not records.changes.data_version():
            started = time.perf_counter()
            build(records, given.size, data)
            print(f"published in {time.perf_counter() - started:.0f} s", flush=True)
        engine = EmbeddedEngine.open(given.home / "index", SIGNATURE)
        catch_up(engine, records)
        found = measure(records, engine, read_questions(data), given.runs)
        found["passages"] = engine.status().passages
        engine.close()
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
