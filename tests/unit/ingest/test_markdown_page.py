from __future__ import annotations

import re

import pytest

from core.domain.document import Page
from core.domain.span import PageSpan
from core.ingest.markdown_page import MOST_CHARS, render_markdown
from core.ingest.stored_page import CITED

TEXT = """---
owner: ops
---
# House rules

The hall **must be aired** twice. See [the plan](https://example.org/plan).

| Room | Guests |
|---|---:|
| Blue | 40 |

<script>alert(1)</script> ![Far](https://example.org/far.png)
"""


def render(words: str = "") -> str:
    start = TEXT.index(words) if words else 0
    found = render_markdown([Page(1, TEXT)], PageSpan(1, start, start + len(words)) if words else None)
    assert found is not None
    return found


def test_markdown_is_drawn_and_nothing_of_it_runs_or_is_fetched() -> None:
    found = render()
    assert "<h1>House rules</h1>" in found
    assert "<strong>must be aired</strong>" in found
    assert "<td>Blue</td>" in found
    assert "<script" not in found
    assert "&lt;script&gt;" in found
    assert "<img" not in found
    assert "[Image: Far]" in found
    assert "owner: ops" in found


@pytest.mark.parametrize(
    "words", ["**must be aired**", "must be aired", "# House rules", "aired** twice", "40"]
)
def test_the_quoted_words_are_marked_whatever_marks_them_up(words: str) -> None:
    found = render(words)
    marked = " ".join(re.findall(r"<mark[^>]*>(.*?)</mark>", found))
    assert set(marked.split()) <= set(re.findall(r"\w+", words))
    assert f'id="{CITED}"' in found
    assert "\U0010f0fe" not in found + render("example.org/plan")


def test_words_of_an_address_cannot_be_marked_and_a_long_text_is_not_drawn() -> None:
    assert CITED not in render("example.org/plan").split("</style>")[1]
    assert render_markdown([Page(1, "x" * (MOST_CHARS + 1))]) is None
