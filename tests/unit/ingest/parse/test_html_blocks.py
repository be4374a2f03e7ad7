"""Blocks of a page: lists, tables, code, pictures."""

from __future__ import annotations

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html import document_from_html


def test_blocks_come_in_reading_order() -> None:
    markup = """<main><h1>Pump</h1><ul><li>One</li><li>Two</li></ul><pre>a = 1
  b = 2</pre><table><tr><th>Size</th><th>Flow</th></tr><tr><td rowspan=2>S</td><td>1 l</td></tr>
  <tr><td>2 l</td></tr></table><p>See <img src="p.png" alt="The pump, opened"> and
  <a href="pump.pdf?v=2">the sheet</a>.</p></main>"""
    parsed = document_from_html(markup, "pump.html", ParseLimits())
    text = parsed.pages[0].text
    assert "- One\n- Two" in text
    assert "a = 1\n  b = 2" in text
    assert "Size | Flow\nS | 1 l\nS | 2 l" in text
    assert "See The pump, opened and the sheet." in text
    assert [(link.kind, link.target) for link in parsed.links] == [
        ("image", "p.png"),
        ("pdf", "pump.pdf?v=2"),
    ]
    assert [(each.level, each.text) for each in parsed.pages[0].headings] == [(1, "Pump")]
