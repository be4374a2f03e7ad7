"""Names that are one party: equal without their legal form, or spelt nearly alike in one word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from core.values.names import same_party
from core.values.naming.words import key_of

_MOST_SHARING = 60  # names that share a word: of more it tells nothing
_LONG, _LONGER = 5, 9  # letters from which a word may be misspelt by one sign, and by two


def one_names(normals: Collection[str]) -> dict[str, str]:
    """By normal name the one that stands for all that are one party; most stand for themselves.

    Names with other numbers, or with another short word, are others, however alike the rest is.
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in sorted(normals):
        groups[" ".join(sorted(map(key_of, name.split()))) or name].append(name)
    joined: dict[str, str] = {}
    squeezed: dict[str, str] = {}
    for names in groups.values():
        first = squeezed.setdefault("".join(sorted(names[0].replace(" ", ""))) + names[0][:1], names[0])
        whole = first if first.replace(" ", "") == names[0].replace(" ", "") else names[0]
        joined.update(dict.fromkeys(names, whole))
    for one, other in _near(sorted(set(joined.values()))):
        joined[other] = joined[one]
    return {name: _end(joined, name) for name in normals}


def _end(joined: dict[str, str], name: str) -> str:
    seen = {name}
    while (to := joined[name]) not in seen:
        seen.add(to)
        name = to
    return to


def _near(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Pairs of names that share a word and differ in the spelling of one, the earlier first."""
    by_word: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for word in set(name.split()):
            by_word[word].append(name)
    seen = set()
    for alike in by_word.values():
        for at, one in enumerate(alike if len(alike) <= _MOST_SHARING else ()):
            for other in alike[at + 1 :]:
                if (one, other) not in seen and _is_misspelt(one, other):
                    yield one, other
                seen.add((one, other))


def _is_misspelt(one: str, other: str) -> bool:
    mine, theirs = set(one.split()), set(other.split())
    first, second = mine - theirs, theirs - mine
    if len(first) != 1 or len(second) != 1:
        return False
    from rapidfuzz.distance import OSA

    word, spelt = first.pop(), second.pop()
    edits = 2 if min(len(word), len(spelt)) >= _LONGER else 1
    is_word = word.isalpha() and spelt.isalpha() and min(len(word), len(spelt)) >= _LONG
    is_near = is_word and word[0] == spelt[0] and OSA.distance(word, spelt) <= edits
    return is_near and same_party(one, other)
