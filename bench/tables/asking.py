"""Questions asked of a home of tables, offline or with the configured model, several at once."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from core.config.load import load_settings
from core.domain.answer import Answer
from core.workbench import Workbench

T = TypeVar("T")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of a bench that can ask with a model."""
    parser.add_argument("--with-model", action="store_true", help="by the model of GROUNDWORK_LLM__BASE_URL")
    parser.add_argument("--draw", type=int, help="so many questions, drawn by --seed")
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--at-once", type=int, default=8, help="questions at a time, with a model")


def drawn(questions: Sequence[T], options: argparse.Namespace) -> list[T]:
    """The questions that are asked, in their order."""
    if options.draw is None or options.draw >= len(questions):
        return list(questions)
    places = random.Random(options.seed).sample(range(len(questions)), options.draw)
    return [questions[at] for at in sorted(places)]


def require_model(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End with what to do where a model is wanted and none is configured."""
    if options.with_model and not load_settings().llm.is_configured:
        parser.error("name a server of models in GROUNDWORK_LLM__BASE_URL")


def ask_each(
    bench: Workbench, questions: Sequence[tuple[str, tuple[str, ...]]], options: argparse.Namespace
) -> list[tuple[Answer, float]]:
    """The answer and milliseconds of each question, with the buckets that it is asked of."""

    def ask(question: tuple[str, tuple[str, ...]]) -> tuple[Answer, float]:
        began = time.perf_counter()
        answer = bench.ask(question[0], buckets=question[1], offline=not options.with_model)
        return answer, 1000 * (time.perf_counter() - began)

    if not options.with_model:
        return list(map(ask, questions))
    with ThreadPoolExecutor(max(1, options.at_once)) as pool:
        return list(pool.map(ask, questions))
