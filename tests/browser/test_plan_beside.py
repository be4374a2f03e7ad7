"""The plan of an answer beside its conversation, on its own page, and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Server, Visit, violations_in_both_schemes
from tests.browser.test_inspector import FOCUSED, TOTAL, Start, tab_to

pytestmark = pytest.mark.browser


def opened(visit: Start, server: Server) -> Visit:
    """An answer with its plan beside it."""
    here = visit(server)
    here.open()
    here.ask(TOTAL)
    here.page.get_by_role("button", name="Open the plan of this answer").first.click()
    here.page.locator(".node[data-state=done], .node[data-state=kept]").nth(1).wait_for()
    here.idle()
    return here


def panel(here: Visit) -> Locator:
    return here.page.locator(".st-key-evidence-panel")


def test_a_plan_is_read_beside_its_answer_and_changed_on_its_own_page(
    visit: Start, sample_server: Server
) -> None:
    here = opened(visit, sample_server)
    beside = here.page.locator(".st-key-beside-node")
    expect(here.page).to_have_url(re.compile(r"at=plan\.0"))

    here.page.locator("[data-node=select-1]").click()
    rows = here.page.get_by_role("table", name="Documents: fulfil it").locator("tbody tr")
    rows.nth(5).wait_for()
    here.idle()
    expect(rows).to_have_count(6)
    beside.get_by_text("Settings", exact=True).click()
    here.page.get_by_text("Expiration date between 1 Oct 2024 and 31 Dec 2024").wait_for()
    copied = here.page.url
    here.page.get_by_role("link", name="Open on its own page").click()
    here.page.get_by_text("ms in all").wait_for()
    here.idle()
    expect(here.page).to_have_url(re.compile("/inspector.*node=select-1"))
    expect(here.page.get_by_label("Question", exact=True)).to_have_value(TOTAL)

    here.page.get_by_role("link", name="Back to the conversation").click()
    here.page.locator(".st-key-evidence-panel .node").first.wait_for()
    here.idle()
    expect(here.page.get_by_text("Answered in").first).to_be_visible()
    other = visit(sample_server)
    other.open(copied.removeprefix(sample_server.url))
    other.page.get_by_text("Expiration date between 1 Oct 2024 and 31 Dec 2024").wait_for()


def test_evidence_beside_opens_its_place_and_says_what_became_of_it(
    visit: Start, sample_server: Server
) -> None:
    here = opened(visit, sample_server)
    panel(here).get_by_text("Evidence", exact=True).click()
    items = panel(here).get_by_role("region", name="Evidence by document").locator(".document")
    items.first.wait_for()
    here.idle()
    expect(items).to_have_count(12)
    assert all("used" in text for text in items.all_inner_texts())

    items.first.click()

    here.page.get_by_text("Evidence 1 of 12").wait_for()
    panel(here).locator(".focus").first.wait_for(state="attached")


def test_the_plan_beside_is_worked_by_keys_alone(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask(TOTAL)
    keys = here.page.keyboard
    here.page.get_by_role("button", name="Open the plan of this answer").focus()
    keys.press("Enter")
    here.page.locator(".node[data-state=done], .node[data-state=kept]").nth(1).wait_for()
    here.idle()
    tab_to(here.page, "aggregate-1")
    keys.press("ArrowUp")
    assert "select-1" in str(here.page.evaluate(FOCUSED))
    keys.press("Enter")

    here.page.get_by_role("table", name="Documents: fulfil it").wait_for()
    here.idle()
    keys.press("Escape")
    here.page.locator(".st-key-evidence-panel .node").first.wait_for(state="detached")

    expect(here.page).not_to_have_url(re.compile("at="))


def test_a_plan_beside_its_answer_is_accessible(visit: Start, sample_server: Server) -> None:
    here = opened(visit, sample_server)
    for part in ("Planner's notes", "Evidence", "Steps"):
        panel(here).get_by_text(part, exact=True).click()
        here.idle()
        assert violations_in_both_schemes(here) == {}, part
