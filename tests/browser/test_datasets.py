"""A file of rows is registered, looked at, asked by SQL, exported, and removed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.row_files import SPEND, written

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
SQL = "SELECT region, sum(amount_eur) AS total FROM spend GROUP BY region ORDER BY region"


@pytest.fixture(scope="module")
def dataset_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An empty home beside a file of rows."""
    folder, port = tmp_path_factory.mktemp("datasets"), free_port()
    written(folder, "spend.csv", SPEND)
    home = folder / "home"
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    yield from serve(command, port, home, lambda _health: True)


def test_a_file_is_registered_looked_at_asked_and_removed(
    visit: Start, dataset_server: Server, tmp_path: Path
) -> None:
    here = visit(dataset_server)
    page = here.page
    here.open("/datasets")
    page.get_by_text("There is no dataset yet").wait_for()
    page.get_by_role("textbox", name="Or a file or folder on this server").fill(
        str(dataset_server.home.parent / "spend.csv")
    )
    page.keyboard.press("Enter")
    here.idle()
    page.get_by_role("button", name="Register the path").click()
    page.get_by_text("Ready 1").wait_for()
    page.get_by_role("link", name="See the datasets").click()
    page.get_by_role("button", name="spend", exact=True).click()

    page.get_by_role("button", name="Amount (EUR)", exact=True).click()
    page.get_by_role("heading", name="Amount (EUR)").wait_for()
    here.idle()
    assert violations_in_both_schemes(here) == {}
    page.get_by_text("Problems", exact=True).click()
    page.get_by_text("add up others are left out").wait_for()
    page.get_by_text("Rows", exact=True).click()
    page.get_by_text("see note").wait_for()
    here.idle()

    page.get_by_role("button", name="Ask by SQL").click()
    page.get_by_role("textbox", name="SQL").fill(SQL)
    page.get_by_role("button", name="Run").click()
    page.get_by_text("4 rows").first.wait_for()
    here.idle()
    assert violations_in_both_schemes(here) == {}
    page.get_by_role("button", name="North", exact=True).click()
    page.get_by_text("Row 2 rests on 2 rows").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_text("utf-8-sig").splitlines()[2] == "North,1200.50"

    head = page.get_by_role("button", name="total", exact=True)
    totals = page.locator("table", has=head).locator("tbody tr td:last-child")
    head.click()  # numbers are sorted as such, the greatest first
    falling = [float(each.replace(",", "")) for each in totals.all_inner_texts() if each]
    assert falling == sorted(falling, reverse=True)

    page.get_by_role("textbox", name="SQL").fill("DELETE FROM spend")
    page.get_by_role("button", name="Run").click()
    page.get_by_text("Only SELECT is run, not DELETE").wait_for()

    here.open("/datasets?dataset=spend")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove it").click()
    page.get_by_text("1 removed dataset").wait_for()
