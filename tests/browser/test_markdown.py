"""The answer's own renderer of Markdown shows what was stored, and marks only what core marked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from core.text.markdown import escape, flatten

pytestmark = pytest.mark.browser
ASSETS = Path(__file__).parents[2] / "app" / "components" / "assets"
SIGNS = "*_|`<>$[]\\#+-=~!&;:().12 ax"
TEXTS = [
    "Smith *and* `Sons` | Co_Ltd_ <b>x</b>",
    "C:\\path\\[1] `a` and `b`",
    "**bold** $5 to $6 https://example.com/a_b_c",
    "- not an item",
    "1. not a number",
    "=== ## >",
    *("".join(random.Random(seed).choices(SIGNS, k=24)) for seed in range(400)),
]


def script() -> str:
    parts = [(ASSETS / name).read_text(encoding="utf-8") for name in ("dom.js", "markdown.js")]
    lines = [line for part in parts for line in part.splitlines() if not line.startswith("import ")]
    return "\n".join(lines).replace("export ", "")


@pytest.mark.parametrize("form", ["{}", "**{}**: x", "- {} [1]"])
def test_a_value_is_shown_as_it_was_stored(chromium: BrowserContext, form: str) -> None:
    page = chromium.new_page()
    page.set_content("<div></div>")
    found = page.evaluate(
        f"""texts => {{ {script()}
          return texts.map(text => {{
            const box = blocks(document.createElement("div"), text, () => null);
            return [box.textContent, box.querySelectorAll("em, code, h4, blockquote").length]; }}) }}""",
        [form.format(escape(text)) for text in TEXTS],
    )

    page.close()
    bare = form.replace("**", "").removeprefix("- ")
    for text, (shown, marks) in zip(TEXTS, found, strict=True):
        assert (shown, marks) == (bare.format(flatten(text)), 0), text
