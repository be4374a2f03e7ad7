from __future__ import annotations

from core.client.client import events_of

STREAM = """id: 0
event: planned
data: {"type": "planned", "at_ms": 1.5}

: still here

id: 1
event: finished
data: {"type": "finished"}

id: 2
event: cut
"""


def test_events_are_read_and_comments_and_a_broken_end_left_out() -> None:
    found = list(events_of(STREAM.splitlines()))
    assert [(each.number, each.type, each.is_last) for each in found] == [
        (0, "planned", False),
        (1, "finished", True),
    ]
    assert found[0].data["at_ms"] == 1.5
    assert found[0].answer is None


def test_no_lines_are_no_events() -> None:
    assert list(events_of([])) == []
