"""A field in plain words in a real browser: defined, judged, saved, and seen in the matrix."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.config.schema_store import shipped_schemas
from tests.browser.conftest import Server, Visit, violations

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]


def test_a_field_in_words_is_judged_and_saved_and_is_a_column(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open("/schemas")
    here.page.get_by_role("button", name="Add a field").click()
    here.idle()
    here.page.get_by_label("Title").fill("Length of the warranty")
    here.page.get_by_label("Title").press("Enter")
    here.idle()
    meaning = here.page.get_by_label("What it is, in a sentence")
    meaning.fill("How long the seller warrants the goods or the work")
    meaning.press("Control+Enter")
    here.idle()
    here.page.get_by_role("button", name="Try it").click()
    here.idle()
    here.page.get_by_text("2 years", exact=True).first.wait_for()
    here.page.get_by_text("Among the farthest from its words").first.wait_for()

    here.page.keyboard.press("y")
    here.idle()
    here.page.get_by_text("1 verdict", exact=True).wait_for()
    no = here.page.get_by_role("button", name="No, it does not state it").last
    no.focus()
    here.page.keyboard.press("Enter")
    here.idle()

    here.page.get_by_text("2 verdicts").wait_for()
    here.page.get_by_text("18 more verdicts before anything may be decided.").wait_for()
    for verdicts in (
        3,
        4,
        5,
    ):  # the button with the focus is gone: the key goes on with the next document
        here.page.keyboard.press("n")
        here.idle()
        here.page.get_by_text(f"{verdicts} verdicts").wait_for()
    assert violations(here) == {}
    here.page.get_by_role("button", name="Add the field").click()
    here.page.get_by_text("is a field now").wait_for()
    here.idle()
    others = ",".join(each.name for each in shipped_schemas()["contracts"].fields)
    here.open(f"/matrix?bucket=contracts&hidden={others}")
    here.page.get_by_title("Sort by Length of the warranty").wait_for()
    here.page.get_by_role("gridcell", name="Length of the warranty: ").first.wait_for()
