"""What the pages for contributors name exists, and CONTRIBUTING stays short enough to be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 150
PAGES = ("CONTRIBUTING.md", "README.md", "docs/architecture.md", "docs/extending.md", "docs/tutorial.md")
NAMED = re.compile(r"`((?:core|app|crawler|tests|docs|bench)/[\w./-]+)`")
LINKED = re.compile(r"\]\((?!https?:)([^)#]+)")


def test_contributing_is_read_in_ten_minutes() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_are_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    named = {path for path in NAMED.findall(text) if "NNNN" not in path}
    missing = {path for path in named if not (ROOT / path).exists()}
    missing |= {path for path in LINKED.findall(text) if not (ROOT / page).parent.joinpath(path).exists()}

    assert sorted(missing) == []
