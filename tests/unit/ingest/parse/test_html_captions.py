"""Alternative texts of images beside their captions."""

from __future__ import annotations

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html import document_from_html

IMAGE = '<img src="a.png" alt="The pump, opened">'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<figure>{IMAGE}<figcaption>The pump, opened.</figcaption></figure>", "The pump, opened."),
        (
            f"<figure><a href=b>{IMAGE}</a><figcaption>Figure 1: The pump, opened</figcaption></figure>",
            "Figure 1: The pump, opened",
        ),
        (f"<div><a href=b>{IMAGE}</a><div>The pump, opened</div></div>", "The pump, opened"),
        (f"<p><a href=b>{IMAGE} The pump, opened</a></p>", "The pump, opened"),
        (f"<p>{IMAGE}</p>", "The pump, opened"),
        (f"<p>See {IMAGE} here.</p>", "See The pump, opened here."),
        (
            f"<figure>{IMAGE}<figcaption>Side view</figcaption></figure>",
            "The pump, opened\n\nSide view",
        ),
    ],
)
def test_an_alternative_text_and_its_caption_are_read_once(body: str, text: str) -> None:
    markup = f"<html><body><main><h1>Pump</h1>{body}<p>Words.</p></main></body></html>"
    page = document_from_html(markup, "page.html", ParseLimits()).pages[0].text
    assert page == f"Pump\n\n{text}\n\nWords."
