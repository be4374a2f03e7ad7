"""A value that is written into Markdown renders as it was stored, wherever it stands."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.text.markdown import escape, flatten, unescape
from tests.support.examples import examples

RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SIGNS = st.sampled_from("*_|`<>$[]\\#+-=~!&;:().1x \n\té•")
TEXTS = st.one_of(
    st.text(SIGNS, max_size=40),
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=40),
)


def rendered(markdown: str) -> tuple[list[str], str]:
    """The kinds of blocks and inline marks of a text but for plain ones, and what a reader sees."""
    kinds: list[str] = []
    words: list[str] = []

    def walk(tokens: list[Token]) -> None:
        for token in tokens:
            if token.type == "text" or token.type == "text_special":
                words.append(token.content)
            elif token.type == "inline":
                walk(token.children or [])
            else:
                kinds.append(token.type)

    walk(RENDER.parse(markdown))
    return kinds, "".join(words)


@settings(max_examples=examples(1000))
@given(TEXTS)
@example("*a* _b_ | `c` <b> $d$ [e](f) &amp; ~~g~~")
@example("- ")
@example("===")
@example("1. one")
def test_a_text_in_a_paragraph_is_what_it_was(text: str) -> None:
    kinds, seen = rendered(f"Value: {escape(text)}")
    assert kinds == ["paragraph_open", "paragraph_close"]
    assert seen == f"Value: {flatten(text)}".strip()


@settings(max_examples=examples(1000))
@given(TEXTS.filter(lambda text: bool(flatten(text))))
def test_a_text_that_begins_a_line_makes_no_heading_list_or_rule(text: str) -> None:
    kinds, seen = rendered(f"Before\n{escape(text)}")
    assert kinds == ["paragraph_open", "softbreak", "paragraph_close"]
    assert seen == f"Before{flatten(text)}"


@settings(max_examples=examples(500))
@given(TEXTS.filter(lambda text: bool(flatten(text))))
def test_a_text_in_a_table_stays_in_its_cell(text: str) -> None:
    kinds, seen = rendered(f"| a | b |\n| --- | --- |\n| {escape(text)} | z |")
    assert kinds.count("td_open") == 2
    assert seen == f"ab{flatten(text)}z"


@settings(max_examples=examples(500))
@given(TEXTS)
def test_what_was_escaped_is_read_back_as_it_was(text: str) -> None:
    assert unescape(escape(text)) == flatten(text)
