from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, Visit, free_port, serve, violations
from tests.browser.test_matrix import FEW, HAVE_READ
from tests.support.filled_matrix import FIELDS

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]


@pytest.fixture(scope="module")
def model_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ten contracts, and a scripted model that waits for the file `go` after its first answer."""
    home, port = tmp_path_factory.mktemp("model") / "home", free_port()
    command = ["-m", "tests.support.serve_model_cells", str(port), str(home)]
    yield from serve(command, port, home, lambda health: bool(health["worker_alive"]))


def test_uncertain_cells_are_read_after_the_cost_was_shown_and_checked_by_a_sample(
    visit: Start, model_server: Server
) -> None:
    assert "audit_rights" in FIELDS
    here = visit(model_server)
    page = here.page
    here.open(FEW)
    page.locator(".grid[data-ready]").wait_for()

    page.get_by_role("button", name=HAVE_READ).click()
    dialog = page.get_by_role("dialog")
    expect(
        dialog.get_by_text("11 uncertain cells of 9 documents for openai/gpt-oss-20b: 9 calls")
    ).to_be_visible(timeout=20_000)
    assert violations(here) == {}
    dialog.get_by_role("button", name="Read 11 cells").click()

    panel = page.locator(".st-key-model-cells-job")
    expect(panel.get_by_text("of 1 cells decided so far, of 11; 1 call, 600 tokens")).to_be_visible(
        timeout=20_000
    )
    expect(page.get_by_role("button", name=HAVE_READ)).to_be_disabled()
    panel.get_by_role("button", name="Cancel").click()
    page.get_by_text("The model settled 1 of 11 cells, 10 not asked.").wait_for(timeout=20_000)

    (model_server.home / "go").touch()
    page.get_by_role("button", name="Go on with the rest").click()
    page.get_by_text("The model settled 9 of 11 cells; 2 stay as they were.").wait_for(timeout=30_000)
    page.get_by_role("gridcell", name="Audit rights: present, read by the model").first.wait_for()

    page.get_by_role("button", name="Check the sample").click()
    page.locator(".work .item").first.wait_for()
    expect(page.locator(".work .item")).to_have_count(9)
    page.get_by_text("Read by the language model", exact=False).first.wait_for()
    page.locator(".panel .boxes .focus, .panel mark, .panel .focus").first.wait_for(state="attached")
    page.keyboard.press("c")
    page.locator(".work .item.decided").first.wait_for()
    page.keyboard.press("a")
    page.locator(".work .item.decided").nth(1).wait_for()
    here.open(FEW)
    page.get_by_text("Of the sample of 9, 2 are checked: 1 right (50%, 95 % interval 9% to 91%).").wait_for()
