"""Builds `core/text/antonyms/pairs.txt` from the database files of WordNet 3.0 (Debian: wordnet-base).

Run: python -m bench.build_antonyms --wordnet /usr/share/wordnet
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

TARGET = Path(__file__).parents[1] / "core/text/antonyms/pairs.txt"
SENSES = 4  # of a word, commonest first: a rare sense has opposites that its word has not
_WORD = re.compile(r"[a-z]{2,}(?:-[a-z]+)?")
_PARTS = ("adj", "adv", "noun", "verb")


class _Synset(NamedTuple):
    """Words of one meaning. opposites: words of another synset that exclude them; similar: near meanings."""

    words: tuple[str, ...]
    opposites: tuple[str, ...]
    similar: tuple[str, ...]


def main() -> None:
    """Write each word with its opposites, a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True)
    folder = parser.parse_args().wordnet
    pairs: dict[str, set[str]] = defaultdict(set)
    for part in _PARTS:
        synsets = dict(_synsets(folder / f"data.{part}"))
        common, tagged = _common(folder / f"index.{part}")
        for one, other in _pairs(synsets, common):
            if one in tagged or other in tagged:
                pairs[min(one, other)].add(max(one, other))
    lines = [f"{word} {' '.join(sorted(others))}" for word, others in sorted(pairs.items())]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{sum(map(len, pairs.values()))} pairs of {len(pairs)} words: {TARGET.stat().st_size} bytes")


def _synsets(path: Path) -> Iterator[tuple[str, _Synset]]:
    """Synsets by offset; the format is that of wndb(5WN)."""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith(" "):
            continue  # the licence
        fields = line.split(" | ")[0].split()
        count = int(fields[3], 16)
        words = tuple(re.sub(r"\((?:a|p|ip)\)$", "", word).lower() for word in fields[4 : 4 + 2 * count : 2])
        rest = fields[4 + 2 * count :]
        pointers = [rest[1 + 4 * at : 5 + 4 * at] for at in range(int(rest[0]))]
        yield (
            fields[0],
            _Synset(
                words,
                tuple(offset for symbol, offset, *_ in pointers if symbol == "!"),
                tuple(offset for symbol, offset, *_ in pointers if symbol == "&"),
            ),
        )


def _common(path: Path) -> tuple[dict[str, set[str]], set[str]]:
    """Offsets of the commonest senses of each word, and the words that WordNet's tagged texts have."""
    found, tagged = {}, set()
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            count = int(fields[2])
            found[fields[0]] = set(fields[-count:][:SENSES])
            if int(fields[-count - 1]):
                tagged.add(fields[0])
    return found, tagged


def _pairs(synsets: dict[str, _Synset], common: dict[str, set[str]]) -> Iterator[tuple[str, str]]:
    """Words of opposite synsets, and of what is similar to one of them against the other."""

    def plain(offset: str) -> list[str]:
        words = synsets[offset].words
        return [word for word in words if _WORD.fullmatch(word) and offset in common.get(word, ())]

    for offset, synset in synsets.items():
        for opposite in synset.opposites:
            sides = [plain(offset), *(plain(similar) for similar in synset.similar)]
            for side in sides:
                yield from (pair for pair in product(side, plain(opposite)) if pair[0] != pair[1])


if __name__ == "__main__":
    main()
