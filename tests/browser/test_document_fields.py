"""Fields beside the pages of a document, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from core.domain.ids import document_id
from tests.browser.conftest import Server, Visit, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
DOCUMENT = document_id("contracts", "acme-master-services.pdf")


def test_a_click_on_a_field_highlights_its_words_and_the_other_fields_lightly(
    visit: Start, memory_server: Server
) -> None:
    here = visit(memory_server)
    here.open(f"/documents?document={DOCUMENT}")
    here.page.get_by_role("tab", name="Fields").click()

    here.page.get_by_role("button", name="Governing law: open page 2").click()

    here.page.locator("figure[data-page='2'] .boxes .focus").first.wait_for(state="attached")
    here.page.locator("figure[data-page='2'] .boxes .hit").first.wait_for(state="attached")
    here.idle()
    expect(here.page).to_have_url(re.compile("page=2"))
    assert violations_in_both_schemes(here) == {}


def test_dates_stand_on_a_line_and_in_a_table_that_says_the_same(visit: Start, memory_server: Server) -> None:
    here = visit(memory_server)
    here.open(f"/documents?document={DOCUMENT}")
    here.page.get_by_role("tab", name="Dates").click()

    here.page.locator("svg .point").first.wait_for()
    here.page.get_by_role("button", name="1 Oct 2024: open page 1").click()

    here.page.locator("figure[data-page='1'] .boxes .focus").first.wait_for(state="attached")
    expect(here.page.locator("svg .point text")).to_have_text(["1 Oct 2024 · Effective date"])
