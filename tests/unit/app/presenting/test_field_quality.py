from __future__ import annotations

from app.presenting.field_quality import broken_promise, checked, promise_line, quality_lines
from core.domain.certainty.share import CheckedShare
from core.domain.facts import FieldOutlook, FieldQuality, PromiseCost
from core.domain.fields import PromiseLevel


def quality(decisions: CheckedShare, guesses: CheckedShare) -> FieldQuality:
    return FieldQuality("fee", 50, 30, 8, 4, 1, decisions, guesses)


def test_a_share_is_said_with_its_interval() -> None:
    assert checked(CheckedShare(41, 44)) == "41 of 44 (93 %, likely 82 to 98 %)"
    assert checked(CheckedShare()) == "none yet"


def test_what_is_decided_right_and_likely_to_come_is_said_in_sentences() -> None:
    decisions = CheckedShare(18, 20)
    lines = quality_lines(
        quality(decisions, CheckedShare(3, 5)), FieldOutlook(10, decisions.after(10), decided=4.2)
    )

    assert lines[0] == ("Decided: 30 of 45 readable documents (67 %); a best guess in 8 more, no guess in 7.")
    assert "18 of 20 (90 %" in lines[1]
    assert "3 of 5" in lines[2]
    assert "from 70 to 97 % to about" in lines[3]
    assert "about 4 more" in lines[4]


def test_what_nobody_checked_and_what_cannot_be_said_is_said_plainly() -> None:
    nothing = CheckedShare()
    lines = quality_lines(
        quality(nothing, nothing), FieldOutlook(10, nothing.after(10), why="Nothing can be said.")
    )

    assert "Nobody has checked" in lines[1]
    assert "if all are right" in lines[2]
    assert lines[-1] == "Nothing can be said."


def test_a_promise_is_said_with_what_people_found_here() -> None:
    holds = PromiseCost(PromiseLevel.BALANCED, True, 60, 0.1, CheckedShare(41, 44), CheckedShare(1, 1))
    fails = PromiseCost(PromiseLevel.BALANCED, True, 60, 0.1, CheckedShare(30, 44), CheckedShare(10, 10))

    assert promise_line(holds) == (
        "41 of 44 checked present cells were right (93 %), promised 95 %; "
        "1 of 1 checked absent cell was right (100 %), promised 97 %"
    )
    assert broken_promise(holds) == []
    [warning] = broken_promise(fails)
    assert "called present 30 of 44" in warning
