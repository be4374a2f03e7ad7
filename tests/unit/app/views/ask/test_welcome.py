from __future__ import annotations

from streamlit.testing.v1 import AppTest


def draw(ready: int, total: int, starters: tuple[str, ...], loading: tuple[int, int] | None) -> None:
    """The page of a reader, who may not bring documents in."""
    from app.views.ask.welcome import Loading, draw_welcome

    running = None if loading is None else Loading(total, *loading)
    draw_welcome(
        ready, total, starters, lambda _question: None, lambda: None, lambda: running, may_ingest=False
    )


def drawn(
    ready: int = 0, total: int = 0, starters: tuple[str, ...] = (), loading: tuple[int, int] | None = None
) -> AppTest:
    return AppTest.from_function(draw, args=(ready, total, starters, loading)).run()


def test_a_reader_of_nothing_is_told_who_brings_documents_in_and_offered_no_sample() -> None:
    page = drawn()
    assert page.title[0].value == "Nothing to ask about yet"
    assert "brings documents in" in page.markdown[0].value
    assert len(page.button) == 0


def test_the_first_documents_are_counted_while_they_are_read() -> None:
    page = drawn(loading=(12, 47))
    assert page.title[0].value == "Reading the first documents"


def test_at_most_six_questions_are_offered_and_what_cannot_be_read_is_said() -> None:
    page = drawn(44, 47, tuple(f"Question {number}?" for number in range(9)))
    assert page.title[0].value == "Ask your documents"
    assert "44 documents are ready. 3 cannot be read" in page.markdown[0].value
    assert [each.label for each in page.button] == [f"Question {number}?" for number in range(6)]
