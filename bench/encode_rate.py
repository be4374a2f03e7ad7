"""Encoding rates on one machine: the bare sentence-transformers loop against ours, sentence vectors included.

    python -m bench.encode_rate --data DIR [--passages 2000] [--rounds 3]

Reads contracts from DIR/legalbenchrag/corpus, cuts them into passages of about 220 tokens, and prints a
table and then one JSON object. Every way sees the same passages; rounds alternate between the ways, and
the best round of each counts, since other work on the machine only ever slows one down.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: our own threads must not multiply

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from core.encode.base import TextToEncode
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.encode.sentence_transformer import SentenceTransformerEncoder
from core.encode.tokens import WordPieceCounter

TOKENS = 220


def passages(data: Path, count: int, counter: WordPieceCounter) -> list[TextToEncode]:
    """`count` passages of 160 to 220 tokens from contracts, with sentences cut at full stops."""
    found: list[TextToEncode] = []
    for path in sorted((data / "legalbenchrag" / "corpus").rglob("*.txt")):
        text = path.read_text(encoding="utf-8")[:40_000]
        places = counter.offsets(text)
        for start in range(0, len(places) - TOKENS, TOKENS):
            size = TOKENS - (len(found) * 7) % 61  # mixed lengths, as chunks at sentence borders have
            part = text[places[start][0] : places[start + size - 1][1]]
            found.append(TextToEncode(part, sentences(part)))
            if len(found) == count:
                return found
    return found


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Spans that end at '. ' or at the end of the text."""
    spans, start = [], 0
    while start < len(text):
        end = text.find(". ", start)
        end = len(text) if end < 0 else end + 1
        spans.append((start, end))
        start = end
    return tuple(spans)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of wall clock, and of CPU over all threads, that `work` takes."""
    begin, begin_cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begin, time.process_time() - begin_cpu


def measure(texts: list[TextToEncode], rounds: int, batch_size: int, threads: int) -> dict[str, object]:
    """Rates of each way in passages/s, and what loading each costs in seconds."""
    folder = find_model("minilm")
    begin = time.perf_counter()
    light = MiniLm.load(folder, threads=threads)
    light_load_s = time.perf_counter() - begin
    begin = time.perf_counter()
    heavy = SentenceTransformerEncoder.load("minilm", batch_size, threads)
    heavy_load_s = time.perf_counter() - begin

    from sentence_transformers import SentenceTransformer

    bare = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    plain = [text.text for text in texts]
    ways: dict[str, Callable[[], object]] = {
        "bare SentenceTransformer.encode": lambda: bare.encode(
            plain, batch_size=batch_size, show_progress_bar=False
        ),
        "ours, torch, with sentence vectors": lambda: heavy.encode_passages(texts),
        "ours, numpy, with sentence vectors": lambda: light.encode_passages(texts),
    }
    warm = texts[:batch_size]
    bare.encode([text.text for text in warm])
    heavy.encode_passages(warm)
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for turn in range(rounds):
        names = list(ways) if turn % 2 == 0 else list(ways)[::-1]
        for name in names:
            seconds[name].append(timed(ways[name]))
    rates = {name: round(len(texts) / min(values)[0], 2) for name, values in seconds.items()}
    bare_rate, torch_rate, numpy_rate = rates.values()
    gain = 1 / numpy_rate - 1 / torch_rate
    return {
        "passages": len(texts),
        "sentences": sum(len(text.sentences) for text in texts),
        "batch_size": batch_size,
        "threads": threads,
        "passages_per_s": rates,
        "rounds_s": {name: [round(wall, 1) for wall, _ in values] for name, values in seconds.items()},
        "cpu_ms_per_passage": {
            name: round(min(cpu for _, cpu in values) / len(texts) * 1000, 1)
            for name, values in seconds.items()
        },
        "torch_against_bare": round(torch_rate / bare_rate, 3),
        "numpy_against_bare": round(numpy_rate / bare_rate, 3),
        "load_s": {"numpy": round(light_load_s, 2), "torch": round(heavy_load_s, 2)},
        "break_even_passages": round((heavy_load_s - light_load_s) / gain) if gain > 0 else None,
        "query_ms": round(min(timed(lambda: light.encode_queries([QUERY]))[0] for _ in range(20)) * 1000, 1),
    }


QUERY = "Which agreements let either party terminate for convenience?"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--passages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    texts = passages(Path(options.data), options.passages, WordPieceCounter.load(find_model("minilm")))
    if not texts:
        parser.error(f"no .txt files under {str(Path(options.data) / 'legalbenchrag' / 'corpus')!r}")
    result = measure(texts, options.rounds, options.batch_size, options.threads)
    rates = result["passages_per_s"]
    assert isinstance(rates, dict)
    for name, rate in rates.items():
        print(f"{name:<40}{rate:>8.1f} passages/s")
    print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
