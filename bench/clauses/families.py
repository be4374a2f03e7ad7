"""Folds of contracts such that one company's contracts, and near-duplicates, never stand on both sides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

import numpy as np

_COMPANY = re.compile(r"^(.+?)(?:_\d{2}_\d{2}_\d{4}|_\d{8}|_-_|$)")
_NOT_LETTER = re.compile(r"[^a-z]+")
_SUFFIX = re.compile(
    r"(incorporated|inc|corporation|corp|company|co|ltd|limited|llc|lp|plc|sa|nv|holdings|group)+$"
)
ASIDE = -1
"""Fold of what is set aside: nothing is trained, calibrated or chosen on it."""

NEAR_DUPLICATE = 0.3
"""Jaccard similarity of words in sevens from which two contracts belong together."""


def company(name: str) -> str:
    """The company that filed a contract, by its file name."""
    match = _COMPANY.match(name)
    head = match[1] if match else name
    return _SUFFIX.sub("", _NOT_LETTER.sub("", head.lower())) or head.lower()


def shingles(text: str, size: int = 7, keep: int = 8) -> frozenset[int]:
    """A sample of the hashes of words in sevens: those whose last three bits are 0."""
    words = re.findall(r"[a-z]+", text.lower())
    hashes = (crc32(" ".join(words[i : i + size]).encode()) for i in range(len(words) - size))
    return frozenset(value for value in hashes if value % keep == 0)


def families(names: Sequence[str], texts: Sequence[str]) -> list[int]:
    """The family of each contract."""
    parent = list(range(len(names)))

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    samples = [shingles(text) for text in texts]
    companies = [company(name) for name in names]
    for left in range(len(names)):
        for right in range(left):
            both = len(samples[left] & samples[right])
            either = len(samples[left] | samples[right]) or 1
            alike = companies[left][:12] == companies[right][:12]
            if alike or both / either >= NEAR_DUPLICATE:
                parent[root(left)] = root(right)
    return [root(index) for index in range(len(names))]


def folds(groups: Sequence[int], count: int = 5, seed: int = 0) -> np.ndarray:
    """(n,) fold of each contract: families whole, folds of near equal size."""
    rng = np.random.default_rng(seed)
    sizes = Counter(groups)
    order = sorted(sizes, key=lambda group: (-sizes[group], rng.random()))
    load = [0] * count
    fold: dict[int, int] = {}
    for group in order:
        least = min(range(count), key=lambda index: (load[index], rng.random()))
        fold[group] = least
        load[least] += sizes[group]
    return np.array([fold[group] for group in groups])


def set_aside(groups: Sequence[int], allowed: Sequence[bool], count: int, seed: int = 0) -> np.ndarray:
    """Indices of about `count` contracts: whole families, drawn at random, all of which are allowed."""
    rng = np.random.default_rng(seed)
    members: dict[int, list[int]] = {}
    for index, group in enumerate(groups):
        members.setdefault(group, []).append(index)
    whole = [each for each in members.values() if all(allowed[index] for index in each)]
    chosen: list[int] = []
    for at in rng.permutation(len(whole)):
        if len(chosen) + len(whole[at]) <= count:
            chosen += whole[at]
    return np.array(sorted(chosen), dtype=np.int64)
