from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from core.config.models import Settings
from core.store.store import Records
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.contradicting import bills

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Contracts with cells, and bills that contradict one another."""
    home, port = tmp_path_factory.mktemp("bills") / "home", free_port()
    command = ["-m", "tests.support.serve_matrix", str(port), str(home)]
    for served in serve(command, port, home, lambda _health: True):
        with Records.open(Settings(home=home)) as records:
            bills(records)
        yield served


def test_an_analyst_finds_both_sides_and_goes_on_to_the_place_and_the_cell(
    visit: Start, server: Server
) -> None:
    here = visit(server)
    page = here.page
    here.open("/matrix?bucket=bills")
    page.get_by_role("radio", name="Contradictions").click()
    page.get_by_role("button", name=re.compile("ACME . A-1")).click()

    sides = page.locator(".st-key-contradiction p", has_text="dollars")
    expect(sides).to_have_text(["\u201cBill A-1: 10 dollars\u201d", "\u201cBill A-1: 12 dollars\u201d"])
    expect(page).to_have_url(re.compile("open="))
    place = page.get_by_role("link", name="See the place").first
    expect(place).to_have_attribute("href", re.compile("/documents.*page=1.*start=10"))
    assert violations_in_both_schemes(here) == {}

    here.open(page.url.removeprefix(server.url))  # as the link says that somebody sent
    expect(sides).to_have_count(2)
    page.get_by_role("button", name="Open the cell").first.click()
    page.locator(".panel h2", has_text="Total").wait_for()


def test_contradictions_are_reached_from_the_map_and_sorted(visit: Start, server: Server) -> None:
    here = visit(server)
    page = here.page
    here.open("/map?bucket=bills")
    page.get_by_role("link", name=re.compile("contradict")).click()
    expect(page.get_by_role("button", name=re.compile("ACME . A-1"))).to_be_visible()
    page.get_by_role("button", name="Of", exact=True).click()
    expect(page).to_have_url(re.compile("order=thing"))
