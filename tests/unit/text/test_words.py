"""Lists of words stand once: no word twice in a list, and no list that is nearly another one."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import core.text.words
from core.text.words import word_list

FOLDER = Path(core.text.words.__file__).parent
FILES = {
    f"{file.stem}.{name}": text
    for file in sorted(FOLDER.glob("*.toml"))
    for name, text in tomllib.loads(file.read_text("utf-8")).items()
}
GROUPED = {"checks.asked", "checks.comparing", "languages.small"}
"""Lists whose lines are groups behind the name of what they say: a word may stand in several groups."""
LISTS = {name: text.split() for name, text in FILES.items()}
LEARNT = "carriers.learnt"
"""Made from questions by a program: it holds what the questions hold."""
FUNCTION_WORDS = frozenset(LISTS["stop.common"])
LEAST = 10
"""Content words from which on a list can be a copy: short lists of function words overlap by nature."""
FEWER = {
    frozenset(["stop.common", "stop.absence"]),
    frozenset(["checks.relative", "reader.running"]),
}
"""Lists that differ for a reason: checks know fewer words than readers do."""


@pytest.mark.parametrize("name", sorted(LISTS.keys() - GROUPED))
def test_no_word_stands_twice_in_a_list(name: str) -> None:
    assert sorted(set(LISTS[name])) == sorted(LISTS[name])


@pytest.mark.parametrize("kind", sorted({name.partition(".")[0] for name in LISTS}))
def test_what_a_list_adds_to_the_common_one_is_not_in_it(kind: str) -> None:
    common = set(LISTS.get(f"{kind}.common", ()))
    others = {n: w for n, w in LISTS.items() if n.startswith(f"{kind}.") and n != f"{kind}.common"}
    again = {
        n: sorted(common & set(w)) for n, w in others.items() if frozenset([f"{kind}.common", n]) not in FEWER
    }
    assert {name: words for name, words in again.items() if words} == {}


@pytest.mark.parametrize("name", sorted(GROUPED))
def test_no_word_stands_twice_in_a_group(name: str) -> None:
    lines = [line.split()[1:] for line in FILES[name].splitlines()]
    assert [line for line in lines if len(set(line)) < len(line)] == []


def test_no_list_is_most_of_another() -> None:
    content = {
        name: words - FUNCTION_WORDS if name != "stop.common" else words
        for name, words in ((name, set(words)) for name, words in LISTS.items() if name != LEARNT)
        if name not in GROUPED
    }
    copies = [
        (one, other)
        for one, other in combinations(content, 2)
        if frozenset([one, other]) not in FEWER
        and (smaller := min(len(content[one]), len(content[other]))) >= LEAST
        and len(content[one] & content[other]) > 0.6 * smaller
    ]
    assert copies == []


def test_lists_are_put_together() -> None:
    both = word_list("reader", "over", "running")
    assert {"please", "expired", "upcoming"} & both == {"expired", "upcoming"}


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        word_list("pointing", "rude")
