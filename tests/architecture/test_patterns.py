"""No pattern of the core takes long over any text: each is run against texts that patterns hang on."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import core
from tests.support.examples import IS_FULL

LENGTH = 1_500 if IS_FULL else 750
SHORT = 200
PARTS = 8
LIMIT_S = 0.3 if IS_FULL else 0.075  # what takes the square of the length is seen in both
"""Processor time for one pattern over one text; a linear one takes a thousandth of it."""

PLAIN = (
    "a", "A", "a ", "A ", "Aa ", "1", "1 ", "1.", "1,", "a1", "F9", " ", "\t", "\n", "\n ", "-",
    "- ", "(", "((a) ", "[", "<", "<a ", '"', "'a", "“a” ", "'", ".", "a.", "A. ", "a@", "a.b@",
    "http://a/", "/", "//", "a/", "&", "a & ", "$1", "€ ", "_", "*", "**a", "|", "a|", "#", ":",
    "a: ", "?", "no ", "not ", "the ", "of the ", "and ", "or ", "1 and 2 ", "between 1 and ",
    "January ", "2020-01-", "one hundred ", "Inc. ", "A, B and ",
)  # fmt: skip


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The compiled patterns of all modules, by module and name."""
    found: dict[re.Pattern[str], str] = {}
    for module in pkgutil.walk_packages(core.__path__, "core."):
        if ".migrations" in module.name or module.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            for each in _within(value):
                if isinstance(each.pattern, str):
                    found.setdefault(each, f"{module.name}.{name}")
    return tuple((name, each) for each, name in found.items())


def _within(value: Any) -> Iterable[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        return [value]
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return [found for each in value for found in _within(each)]
    return []


def sample(parts: Iterable[Any], seed: int) -> str:
    """A text that a part of a pattern fits, or nearly."""
    said = []
    for op, value in parts:
        name = str(op)
        if name == "LITERAL":
            said.append(chr(value))
        elif name == "IN":
            said.append(_of_class(value, seed))
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = value
            said.append(sample(inner, seed) * max(low, min(2, int(high))))
        elif name == "SUBPATTERN":
            said.append(sample(value[3], seed))
        elif name == "ATOMIC_GROUP":
            said.append(sample(value, seed))
        elif name == "BRANCH":
            choices = value[1]
            said.append(sample(choices[seed % len(choices)], seed))
        elif name in ("ANY", "NOT_LITERAL"):
            said.append("a")
    return "".join(said)


def _of_class(items: Iterable[Any], seed: int) -> str:
    found = []
    for op, value in items:
        if str(op) == "LITERAL":
            found.append(chr(value))
        elif str(op) == "RANGE":
            found.append(chr(value[0]))
        elif str(op) == "CATEGORY":
            found.append({"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(value), "a"))
    return found[seed % len(found)] if found else "a"


def repeated(parts: Iterable[Any]) -> Iterator[Any]:
    """The parts of a pattern that it repeats, however deep."""
    for op, value in parts:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            yield value[2]
            yield from repeated(value[2])
        elif name == "SUBPATTERN":
            yield from repeated(value[3])
        elif name == "BRANCH":
            for each in value[1]:
                yield from repeated(each)


def hard_texts(pattern: re.Pattern[str]) -> set[str]:
    """Texts of a pattern's own parts, again and again, that break off where it would fit."""
    parsed = parser.parse(pattern.pattern, pattern.flags)
    found = {sample(parsed, seed) for seed in range(2)}
    inner = [part for part, _ in zip(repeated(parsed), range(6), strict=False)]
    found |= {sample(part, seed) for part in inner for seed in range(2)}
    begun = sample(parsed, 0)[:40]
    units = [each for each in found if each]
    texts = {(each * (LENGTH // len(each) + 1))[:LENGTH] + "\x00" for each in units}
    return texts | {(begun + each * (LENGTH // len(each) + 1))[:LENGTH] + "\x00" for each in units}


GENERAL = tuple((each * (LENGTH // len(each) + 1))[:LENGTH] + "\x00" for each in PLAIN)


def test_there_are_patterns() -> None:
    assert len(patterns()) > 100


def least_seconds(pattern: re.Pattern[str], text: str) -> float:
    """Processor time of a search; the least of three where the first took too long."""
    least = LIMIT_S + 1
    for _ in range(3):
        began = time.thread_time()
        pattern.search(text)
        least = min(least, time.thread_time() - began)
        if least <= LIMIT_S:
            break
    return least


@pytest.mark.parametrize("at", range(PARTS))
def test_no_pattern_hangs(at: int) -> None:
    slow = []
    for name, pattern in patterns()[at::PARTS]:
        for text in (*GENERAL, *hard_texts(pattern)):
            short = text[:SHORT] + "\x00"  # what hangs for ever over the whole text is seen over a short one
            if max(least_seconds(pattern, short), least_seconds(pattern, text)) > LIMIT_S:
                slow.append(f"{name} over {text[:30]!r}...")
                break
    assert slow == []
