"""Lists of words stand once: no word twice in a list, and no list that is nearly another one."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path

import pytest

import core.text.words
from core.text.words import word_list

FOLDER = Path(core.text.words.__file__).parent
LISTS = {
    f"{file.stem}.{name}": words.split()
    for file in sorted(FOLDER.glob("*.toml"))
    for name, words in tomllib.loads(file.read_text("utf-8")).items()
}
FEWER = {frozenset(["stop.common", "stop.absence"])}
"""Lists that differ for a measured reason: the first is what others use, the second is smaller."""


@pytest.mark.parametrize("name", LISTS)
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


def test_no_list_is_most_of_another() -> None:
    copies = [
        (one, other)
        for one, other in combinations(LISTS, 2)
        if frozenset([one, other]) not in FEWER
        and len(set(LISTS[one]) & set(LISTS[other])) > 0.6 * min(len(LISTS[one]), len(LISTS[other]))
    ]
    assert copies == []


def test_lists_are_put_together() -> None:
    both = word_list("politeness", "common", "closing")
    assert {"please", "thanks", "cheers"} & both == {"thanks", "cheers"}


def test_a_list_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        word_list("politeness", "rude")
