"""Cranfield with its passages read again by a cross-encoder that was trained on half of its questions.

Run: python -m bench.reranking --data DIR [--home DIR] [--limit N]

The packaged MiniLM gets a head and is trained on pairs of the even questions with their documents and with
others that the search finds; the odd ones are measured, by the search alone and read again.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.retrieval.command import read_options, report
from bench.retrieval.home import Home, open_home
from bench.retrieval.measure import EVERYTHING, Measured
from bench.retrieval.sets import RankQuestion, cranfield_questions, cranfield_texts
from core.config.models import Settings
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.errors import RerankError
from core.rerank.base import Reranker, open_named
from core.search.reorder import Reordering
from core.search.search import Retriever

DEPTH, TOP, WITHIN_S = 50, 20, 60.0
RIGHT, WRONG = 4, 6  # pairs of a question to train on
_TRAINING = """
import json, random, sys
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from core.encode.identity import BUILT_IN, find_model
pairs = json.load(open(sys.argv[1]))
random.Random(5).shuffle(pairs)
torch.manual_seed(5)
torch.set_num_threads(1)
tokenizer = AutoTokenizer.from_pretrained(find_model(BUILT_IN), local_files_only=True)
model = AutoModelForSequenceClassification.from_pretrained(find_model(BUILT_IN), num_labels=1,
                                                           local_files_only=True)
optimiser = torch.optim.AdamW(model.parameters(), lr=5e-5)
model.train()
for at in range(0, len(pairs), 16):
    some = pairs[at : at + 16]
    batch = tokenizer([a for a, _, _ in some], [b for _, b, _ in some], padding=True, truncation=True,
                      max_length=160, return_tensors="pt")
    logits = model(**batch).logits[:, 0]
    wanted = torch.tensor([label for _, _, label in some])
    loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    print(f"{at + len(some)} of {len(pairs)} pairs, loss {loss.item():.3f}", file=sys.stderr)
model.save_pretrained(sys.argv[2])
tokenizer.save_pretrained(sys.argv[2])
"""


def main() -> None:
    """Train on the even questions, measure the odd ones."""
    options = read_options("Cranfield, read again by a cross-encoder")
    questions = cranfield_questions(options.data)
    texts = {name: text for name, text in cranfield_texts(options.data).items() if text}  # two are empty
    with open_home(texts, options.home, extract=False) as home, tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        _train(home, questions[::2][: options.limit], texts, folder)
        reranker = open_named(f"cross_encoder {folder}", WITHIN_S)
        asked = questions[1::2][: options.limit]
        try:
            _wait(reranker)
            runs = {"search": _measure(home, asked, None), "read again": _measure(home, asked, reranker)}
        finally:
            reranker.close()
    report(f"Cranfield, {len(asked)} questions", runs, options)


def _wait(reranker: Reranker) -> None:
    """Until it is loaded; each try waits for a while. Raises RerankError."""
    for _ in range(6):
        with contextlib.suppress(RerankError):
            reranker.score("ready?", ["ready"])
            return
    reranker.score("ready?", ["ready"])


def _ranked(home: Home, question: str, retriever: Retriever) -> list[str]:
    source_of = {DocumentId(document): source for source, document in home.sources.items()}
    found = retriever.retrieve(SearchQuery(question, top_k=100), EVERYTHING)
    if found.degradations:
        raise SystemExit(f"{question!r}: {found.degradations[0].message}")
    return list(dict.fromkeys(source_of[each.stored.passage.document] for each in found.candidates))


def _train(home: Home, questions: Sequence[RankQuestion], texts: dict[str, str], folder: Path) -> None:
    pairs: list[tuple[str, str, float]] = []
    for each in questions:
        found = _ranked(home, each.text, home.retriever)
        wrong = [source for source in found[:DEPTH] if source not in each.gains]
        pairs += [(each.text, texts[source], 1.0) for source in sorted(each.gains)[:RIGHT]]
        pairs += [(each.text, texts[source], 0.0) for source in wrong[:: max(1, len(wrong) // WRONG)][:WRONG]]
    (folder / "pairs.json").write_text(json.dumps(pairs), "utf-8")
    began = time.perf_counter()
    command = [sys.executable, "-c", _TRAINING, str(folder / "pairs.json"), str(folder)]
    subprocess.run(command, check=True)
    print(f"trained on {len(pairs)} pairs in {time.perf_counter() - began:.0f} s", file=sys.stderr)


def _measure(home: Home, questions: Sequence[RankQuestion], reranker: Reranker | None) -> Measured:
    reordering = None if reranker is None else Reordering(lambda: reranker, TOP)
    settings = Settings(home=Path())
    retriever = Retriever(home.records, home.engine, home.encoder, settings, reordering=reordering)
    rows, times = [], []
    for each in questions:
        began = time.perf_counter()
        ranked = _ranked(home, each.text, retriever)
        times.append((time.perf_counter() - began) * 1000)
        first = next((at for at, source in enumerate(ranked, 1) if source in each.gains), None)
        rows.append(
            {
                "P@10": sum(source in each.gains for source in ranked[:10]) / 10,
                "R@50": len(each.gains.keys() & set(ranked[:DEPTH])) / len(each.gains),
                "MRR": 1 / first if first else 0.0,
            }
        )
    scores = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
    ordered = sorted(times)
    return Measured(
        len(rows), scores, {}, {"p50": ordered[len(ordered) // 2], "p95": ordered[int(len(ordered) * 0.95)]}
    )


if __name__ == "__main__":
    main()
