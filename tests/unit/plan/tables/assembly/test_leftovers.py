"""Words of which nothing was made."""

from __future__ import annotations

import pytest

from tests.support.table_catalogue import assembled


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("what did Brandt Holz order in purple", ["purple"]),
        ("how many steel beams (roughly) were shipped", []),
        ("how many steel beams were shipped", []),
    ],
)
def test_content_that_nothing_took_is_not_covered(question: str, left: list[str]) -> None:
    found = assembled(question)
    assert found is not None
    assert found.uncovered == left
