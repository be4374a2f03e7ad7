from __future__ import annotations

import threading
from functools import cached_property

import pytest

from core.workbench.made_once import MakesParts, made_once
from core.workbench.wiring import Parts

MOST_S = 20.0


class Pair(MakesParts):
    """Two parts of which each is asked for while the other may be made."""

    def __init__(self) -> None:
        super().__init__()
        self.made: list[str] = []
        self.is_making = threading.Event()

    @made_once
    def base(self) -> str:
        """What both need."""
        self.made.append("base")
        return "base"

    @made_once
    def outer(self) -> str:
        """Lets another thread ask for `inner`, and then asks for it itself."""
        self.is_making.set()
        self.made.append("outer")
        return f"outer of {self.inner}"

    @made_once
    def inner(self) -> str:
        """Asked for by both threads."""
        self.made.append("inner")
        return f"inner of {self.base}"


def test_threads_that_ask_for_parts_of_one_another_all_get_them() -> None:
    for _ in range(100):
        pair, seen = Pair(), dict[str, str]()

        def ask_inner(pair: Pair = pair, seen: dict[str, str] = seen) -> None:
            pair.is_making.wait(MOST_S)
            seen["inner"] = pair.inner

        def ask_outer(pair: Pair = pair, seen: dict[str, str] = seen) -> None:
            seen["outer"] = pair.outer

        threads = [threading.Thread(target=ask, daemon=True) for ask in (ask_inner, ask_outer)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(MOST_S)

        assert seen == {"inner": "inner of base", "outer": "outer of inner of base"}
        assert sorted(pair.made) == ["base", "inner", "outer"]


def test_no_part_of_a_workbench_has_a_lock_of_its_own() -> None:
    assert [name for name, part in vars(Parts).items() if isinstance(part, cached_property)] == []
    assert isinstance(vars(Parts)["retriever"], made_once)


def test_a_part_that_cannot_be_made_is_tried_again() -> None:
    class Failing(MakesParts):
        tries = 0

        @made_once
        def part(self) -> int:
            """Made at the second try."""
            self.tries += 1
            if self.tries == 1:
                raise OSError("not yet")
            return self.tries

    failing = Failing()
    with pytest.raises(OSError, match="not yet"):
        failing.part  # noqa: B018
    assert failing.part == failing.part == 2
