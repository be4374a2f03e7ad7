"""Two recordings beside each other: equal, changed, missing and new records, and where they differ."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.same.canonical import without

_MOST_LINES, _MOST_PATHS, _WIDEST = 40, 20, 200
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where a record differs. path: dotted, lists add nothing; change: added, removed or changed."""

    path: str
    change: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Names of records by what became of them; differences of each changed one."""

    equal: Sequence[str]
    changed: Mapping[str, Sequence[Difference]]
    missing: Sequence[str]
    new: Sequence[str]

    @property
    def is_equal(self) -> bool:
        """Every record is there and the same."""
        return not (self.changed or self.missing or self.new)


def compare(before: Mapping[str, Any], now: Mapping[str, Any], ignore: Collection[str] = ()) -> Comparison:
    """The records of two recordings held against each other. ignore: keys as in `without`."""
    changed, equal = {}, []
    for name in [each for each in before if each in now]:
        differences = tuple(_differences(without(before[name], ignore), without(now[name], ignore)))
        if differences:
            changed[name] = differences
        else:
            equal.append(name)
    return Comparison(
        equal,
        changed,
        [each for each in before if each not in now],
        [each for each in now if each not in before],
    )


def report(
    comparison: Comparison,
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    ignore: Collection[str] = (),
    show: int = 5,
) -> Iterator[str]:
    """Lines for a person: counts by kind, where records differ, and the first differences in full."""
    groups = {
        "equal": comparison.equal,
        "changed": comparison.changed,
        "missing": comparison.missing,
        "new": comparison.new,
    }
    for kind in sorted({_kind(name) for some in groups.values() for name in some}):
        counts = (f"{sum(_kind(name) == kind for name in some):,} {group}" for group, some in groups.items())
        yield f"{kind:24s} {', '.join(counts)}"
    yield f"{'together':24s} " + ", ".join(f"{len(some):,} {group}" for group, some in groups.items())
    if comparison.changed:
        yield from _places(comparison.changed)
    for group in ("missing", "new"):
        yield from (f"{group}: {name}" for name in list(groups[group])[:show])
    for name in _by_novelty(comparison.changed)[:show]:
        yield from _diff(name, without(before[name], ignore), without(now[name], ignore))


def _places(changed: Mapping[str, Sequence[Difference]]) -> Iterator[str]:
    only_added = sum(all(each.change == "added" for each in some) for some in changed.values())
    keys = Counter(each.change for some in changed.values() for each in some)
    yield f"\nOf {len(changed):,} changed records {only_added:,} only have added keys."
    yield ", ".join(
        f"{change} keys or values: {keys[change]:,}" for change in ("added", "removed", "changed")
    )
    paths = Counter(place for some in changed.values() for place in set(some))
    for place, count in sorted(paths.items(), key=lambda pair: (-pair[1], pair[0].path))[:_MOST_PATHS]:
        yield f"  {count:5,} records  {place.change:7s}  {place.path or 'the record'}"
    if len(paths) > _MOST_PATHS:
        yield f"  and {len(paths) - _MOST_PATHS:,} places more"


def _by_novelty(changed: Mapping[str, Sequence[Difference]]) -> list[str]:
    """The names, those first that differ at a place where none before them does."""
    covered: set[Difference] = set()
    novel = []
    for name, places in changed.items():
        if not covered.issuperset(places):
            novel.append(name)
            covered.update(places)
    return [*novel, *(name for name in changed if name not in novel)]


def _differences(before: Any, now: Any, path: str = "") -> Iterator[Difference]:
    if before is _NOTHING or now is _NOTHING:
        yield Difference(path, "added" if before is _NOTHING else "removed")
    elif isinstance(before, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*before, *now)):
            place = f"{path}.{key}" if path else key
            yield from _differences(before.get(key, _NOTHING), now.get(key, _NOTHING), place)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for old, new in zip(before, now, strict=True):
            yield from _differences(old, new, path)
    elif type(before) is not type(now) or before != now:  # 1 and true are equal to Python
        yield Difference(path, "changed")


def _diff(name: str, before: Any, now: Any) -> Iterator[str]:
    old, new = (json.dumps(each, ensure_ascii=False, indent=1, sort_keys=True) for each in (before, now))
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), "before", "now", "", "", 2, ""))
    yield f"\n{name}"
    yield from (line if len(line) <= _WIDEST else f"{line[:_WIDEST]}…" for line in lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        yield f"… {len(lines) - _MOST_LINES:,} lines more"


def _kind(name: str) -> str:
    return "/".join(name.split("/")[:2])
