from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from core.cache import Cache


@pytest.fixture
def often_switching() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_a_value_is_made_once() -> None:
    cache: Cache[str, int] = Cache(2)
    made: list[str] = []

    def make() -> int:
        made.append("a")
        return 1

    assert [cache.get_or_make("a", make), cache.get_or_make("a", make)] == [1, 1]
    assert made == ["a"]


def test_none_is_a_value_like_others() -> None:
    cache: Cache[str, int | None] = Cache(2)
    cache.put("a", None)
    assert cache.get_or_make("a", lambda: 1) is None


def test_the_least_recently_used_goes_first() -> None:
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert [cache.get(key) for key in "abc"] == [1, None, 3]


def test_entries_go_until_those_that_stay_have_room() -> None:
    cache: Cache[str, str] = Cache(room=5, weigh=len)
    for key, value in (("a", "xx"), ("b", "xx"), ("c", "xxxx")):
        cache.put(key, value)
    assert [cache.get(key) for key in "abc"] == [None, None, "xxxx"]


def test_what_replaces_a_value_does_not_weigh_twice() -> None:
    cache: Cache[str, str] = Cache(room=5, weigh=len)
    cache.put("a", "xx")
    for _ in range(5):
        cache.put("b", "xxx")
    assert cache.get("a") == "xx"


def test_one_value_stays_though_it_is_too_heavy() -> None:
    cache: Cache[str, str] = Cache(room=1, weigh=len)
    cache.put("a", "xxx")
    assert cache.get("a") == "xxx"


def test_nothing_is_kept_of_what_cannot_be_made() -> None:
    cache: Cache[str, float] = Cache(2)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("a", lambda: 1 / 0)
    assert len(cache) == 0


@pytest.mark.usefixtures("often_switching")
def test_threads_never_make_it_grow_beyond_its_bound() -> None:
    cache: Cache[int, int] = Cache(8, room=100, weigh=lambda value: value)

    def use(first: int) -> None:
        for at in range(500):
            key = (first * 7 + at) % 31
            assert cache.get_or_make(key, lambda key=key: key) == key  # type: ignore[misc]

    threads = [threading.Thread(target=use, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) <= 8
