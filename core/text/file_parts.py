"""Parts of a file in words: what was read of it beside its text, what was left out, what was not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.domain.document import FilePart, PartState
from core.domain.job import IngestItem
from core.text.nouns import singular

_BEHIND = re.compile(r"\s(?:without|with|of|in|on|for|from|to|that|which|not|by|as)\s")
"""Words that end the noun of a kind: `images` of `images without text`."""


def part_in_words(part: FilePart) -> str:
    """`2 images without text (page 3)`, `1 hidden sheet (Reserve)`."""
    kind = part.kind if part.count != 1 else _one_of(part.kind)
    return f"{part.count:,} {kind}" + (f" ({part.place})" if part.place else "")


def by_kind(parts: Iterable[FilePart], most: int = 3) -> list[FilePart]:
    """Parts of one kind with one fate and one reason as one, in the order of the first of each.

    most: places that it names; behind them, how many more there are.
    """
    found: dict[tuple[str, PartState, str], list[FilePart]] = {}
    for each in parts:
        found.setdefault((each.kind, each.state, each.reason), []).append(each)
    return [_as_one(some, most) for some in found.values()]


def _as_one(parts: Sequence[FilePart], most: int) -> FilePart:
    places = list(dict.fromkeys(each.place for each in parts if each.place))
    more = f" and {len(places) - most:,} more" if len(places) > most else ""
    count = sum(each.count for each in parts)
    return replace(parts[0], count=count, place=", ".join(places[:most]) + more)


def gaps_in_words(parts: Iterable[FilePart]) -> str:
    """What can be seen and was not read: `2 images without text (page 3); 1 stamp`; "" for nothing."""
    return "; ".join(part_in_words(each) for each in by_kind(parts) if each.is_gap)


def reading_in_words(parts: Iterable[FilePart]) -> str:
    """`Read with gaps: 2 images without text; 1 hidden sheet (left out)`; "" where all was read."""
    beside = [each for each in by_kind(parts) if each.state is not PartState.READ]
    gaps = [part_in_words(each) for each in beside if each.is_gap]
    left_out = [f"{part_in_words(each)} (left out)" for each in beside if not each.is_gap]
    if not gaps:
        return f"Read: {'; '.join(left_out)}" if left_out else ""
    return f"Read with gaps: {'; '.join((*gaps, *left_out))}"


def note_of(item: IngestItem) -> str:
    """What is to be said of an input: why it was not read, what it was taken for, what of it was not read."""
    return item.reason or " ".join(filter(None, (item.remark, reading_in_words(item.parts))))


def _one_of(kind: str) -> str:
    """One thing of a kind in the plural: `image without text`, `embedded copy`."""
    end = match.start() if (match := _BEHIND.search(kind)) else len(kind)
    return singular(kind[:end]) + kind[end:]
