from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app import services
from app.presenting.document_pages import Span, excerpt_of, is_marked, page_set
from core.domain.principal import LOCAL_ADMIN
from core.ingest.markdown_page import MOST_CHARS
from tests.support.fake_workbench import FakeWorkbench


@pytest.fixture
def bench(tmp_path: Path) -> FakeWorkbench:
    fake = FakeWorkbench(tmp_path / "home", samples=False)
    services.use(fake)  # type: ignore[arg-type]
    return fake


@pytest.mark.parametrize(
    ("kind", "text", "views"),
    [
        ("application/pdf", "Text.", ("Pages", "Text")),
        ("text/csv", "A\nA: 1", ("Table", "Text")),
        ("text/markdown", "# Rules", ("As it reads", "Text")),
        ("text/markdown", "x" * (MOST_CHARS + 1), ("Text",)),
        ("text/html", "Text.", ("Text", "Page as it was")),
        ("text/plain", "Text.", ("Text",)),
    ],
)
def test_a_document_is_shown_first_as_people_know_it(
    bench: FakeWorkbench, kind: str, text: str, views: tuple[str, ...]
) -> None:
    document = bench.document(bench.add("b", "a", "A", kind, [text]), LOCAL_ADMIN)
    assert page_set(document).views == views


def test_words_are_marked_as_they_read_unless_they_are_markup(bench: FakeWorkbench) -> None:
    text = "See [the plan](https://example.org/plan)."
    document = bench.document(bench.add("b", "a.md", "A", "text/markdown", [text]), LOCAL_ADMIN)
    pages, plan = page_set(document), Span(1, 5, 13)
    assert is_marked(pages, plan)
    assert not is_marked(pages, replace(plan, start=text.index("https"), end=len(text) - 2))


def test_an_excerpt_is_cut_between_words() -> None:
    found = excerpt_of("a " * 400, 400, 402)
    assert (found.before[:2], found.quote, found.after[-1]) == ("… ", "a ", "…")
