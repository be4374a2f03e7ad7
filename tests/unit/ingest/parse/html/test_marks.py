"""What markup says of words beside the words: struck through, raised, filled in, drawn, left to others."""

from __future__ import annotations

import pytest

from core.domain.document import ParsedDocument
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import document_from_html


def read(markup: str) -> ParsedDocument:
    return document_from_html(markup, "page.html", ParseLimits())


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Fee: <del>CHF 90</del> CHF 75.", "Fee: [deleted: CHF 90] CHF 75."),
        ("<p>Fee: <s>CHF <b>90</b> net</s> CHF 75.", "Fee: [deleted: CHF 90 net] CHF 75."),
        ("<p>[deleted: 90] [<b>deleted</b>: 8] <del>7</del> <input name=n value='[comment by A: 6]'>",
         "[ deleted: 90] [ deleted: 8] [deleted: 7] [ comment by A: 6]"),
        ("<p>Fee: <strike>CHF 90 </strike>CHF 75.", "Fee: [deleted: CHF 90] CHF 75."),
        ('<p>Fee: <span style="text-decoration: line-through red">CHF 90</span> 75',
         "Fee: [deleted: CHF 90] 75"),
        ("<style>.was{text-decoration:line-through}</style><p><i class=was>90</i> 75", "[deleted: 90] 75"),
        ("<del><p>One <del>two</del>.</p><p>Three.</p></del>",
         "[deleted: One] [deleted: two][deleted: .]\n\n[deleted: Three.]"),
        ("<p>CHF 4,000<sup>2</sup>, 10<sup>-5</sup> m<sup>2</sup> CO<sub>2</sub>", "CHF 4,000², 10⁻⁵ m² CO₂"),
        ("<p>In 2020<sup><a href='#n'>4</a></sup> the 4<sup>th</sup>", "In 2020⁴ the 4th"),
        ("<p>Name <input name=n value='Ida Holm'> <input type=hidden value=7>", "Name Ida Holm"),
        ("<p><input type=checkbox name=a checked> Crane <input type=radio name=b> Lift",
         "[x] Crane [ ] Lift"),
        ("<p>Site <select><option>Oslo<option selected>Bergen</select>", "Site Bergen"),
        ("<p>Note <textarea>call first</textarea><input type=password value=x>", "Note call first"),
        ("<details><summary>Terms</summary><p>Thirty days.</p></details>", "Terms\n\nThirty days."),
        ("<p>See <img src=a.png title='Plan of the quay'>", "See Plan of the quay"),
        ("<p>Load <svg><text>12 t</text></svg> on <math><mi>x</mi></math>", "Load 12 t on x"),
        ("<dialog open><p>Closed in May.</p></dialog><dialog><p>No.</p></dialog>", "Closed in May."),
    ],
)  # fmt: skip
def test_the_page_says_what_its_markup_says(markup: str, text: str) -> None:
    assert read(markup).pages[0].text == text


def test_what_a_page_shows_and_its_text_lacks_is_said() -> None:
    found = read(
        "<p>Map:</p><!-- old --><p hidden>Not now.</p><del>x</del><input name=a value=b>"
        "<iframe src='/map.html' width=600></iframe><iframe width=1 height=1></iframe><canvas></canvas>"
        "<video src=v.mp4></video><div style='display:none'><iframe></iframe></div>"
    )
    assert {(part.kind, part.state.value, part.count, part.place) for part in found.parts} == {
        ("frames", "unread", 1, "/map.html"),
        ("drawings by scripts", "unread", 1, ""),
        ("films and sounds", "unread", 1, "v.mp4"),
        ("form fields", "read", 1, ""),
        ("deletions", "read", 1, ""),
        ("hidden texts", "left out", 1, ""),
        ("comments in the markup", "left out", 1, ""),
    }
    assert found.gaps == 3


def test_a_banner_on_cookies_is_left_out_of_a_short_page() -> None:
    banner = "<div class='cookie-banner'><p>We use cookies to measure visits. Accept all or reject.</p></div>"
    assert read(f"{banner}<p>The pool opens at nine.</p>").pages[0].text == "The pool opens at nine."
    assert "We use cookies" in read(banner).pages[0].text


def test_a_page_of_thousands_of_marks_is_read_in_time() -> None:
    found = read("<p>" + "<s>a<sup>2</sup><input name=x value=y></s> b " * 4_000)
    assert found.pages[0].text.count("[deleted: ") == 4_000
    deep = read("<s>" * 90 + "x" + "</s>" * 90 + "<p>y")
    assert "[deleted: x]" in deep.pages[0].text


@pytest.mark.parametrize("is_mail", [False, True])
def test_what_is_nested_deep_is_read_or_said_to_be_unread(is_mail: bool) -> None:
    def nested(depth: int) -> ParsedDocument:
        markup = "<p>First.</p>" + "<div>" * depth + "Deep." + "</div>" * depth + "<p>Last.</p>"
        return document_from_html(markup, "page.html", ParseLimits(), is_mail=is_mail)

    assert nested(1_500).pages[0].text == "First.\n\nDeep.\n\nLast."
    assert [(each.kind, each.state) for each in nested(9_000).parts] == [("rest of the page", "unread")]
