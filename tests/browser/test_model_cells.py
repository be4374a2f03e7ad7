from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, Visit, free_port, serve, violations, violations_in_both_schemes
from tests.browser.test_matrix import FEW, HAVE_READ
from tests.support.filled_matrix import FIELDS, LATER, add

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
    # Several documents are read at once: the first answer is about one or two cells.
    first = re.compile("1 of [12] cells decided so far, of 11; 1 call, 600 tokens")
    expect(panel.get_by_text(first)).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name=HAVE_READ)).to_be_disabled()
    here.open("/")
    line = page.locator(
        "[data-testid=stProgress]", has_text="11 uncertain cells of contracts, read by a model"
    )
    expect(line).to_contain_text("1 of 9 documents")
    expect(page.get_by_text("You can ask about those that are there.")).to_have_count(0)
    here.open(FEW)
    panel.get_by_role("button", name="Cancel").click()
    page.get_by_text(re.compile("The model settled 1 of 11 cells, .*(9|10) not asked")).wait_for(
        timeout=20_000
    )

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


def test_contradictions_are_decided_side_by_side_by_one_key(visit: Start, model_server: Server) -> None:
    (model_server.home / "go").touch()
    here = visit(model_server)
    page = here.page
    here.open(FEW)
    page.get_by_role("button", name=HAVE_READ).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Also cells that extraction decided").click()
    dialog.get_by_role("button", name=re.compile(r"Read \d+ cells")).click()
    page.get_by_text("≠ 4 cells the model reads otherwise than extraction.").wait_for()

    page.get_by_role("button", name="Decide contradictions").click()
    page.locator(".work .item").first.wait_for()
    here.open("/matrix?bucket=contracts&mode=work&of=contradicted")
    sides = page.get_by_role("group", name="Extraction and the model differ")
    expect(sides.locator(".side")).to_have_text(
        [
            re.compile("Extraction.*Present.*Each party keeps records"),
            re.compile("The model.*Absent.*None in"),
        ]
    )
    assert violations_in_both_schemes(here) == {}
    page.keyboard.press("1")
    expect(sides).to_contain_text("USD 3,250")
    page.keyboard.press("c")
    expect(sides).to_contain_text("Nordwind GmbH")
    page.keyboard.press("1")
    expect(page.locator(".work .item.decided")).to_have_count(3)
    here.open(FEW)
    page.get_by_text("≠ 1 cell the model reads otherwise").wait_for()
    page.get_by_role("gridcell", name="Parties: present, Nordwind GmbH, reviewed").wait_for()
    page.get_by_role("gridcell", name="Contract value: absent, reviewed").wait_for()


def test_a_definition_takes_counter_examples_from_what_people_and_readers_say(
    visit: Start, model_server: Server
) -> None:
    here = visit(model_server)
    page = here.page
    here.open("/schemas?schema=contracts&field=insurance")
    rejected = page.locator("[class*=proposal]", has_text="A person says that this is not it")
    expect(rejected).to_contain_text("Each party keeps records of its costs.")
    rejected.get_by_role("button", name="Take as counter-example").click()
    here.idle()
    expect(page.get_by_label("Counter-examples, one a line")).to_have_value(
        re.compile("Each party keeps records")
    )
    expect(rejected).to_have_count(0)
    page.get_by_text(re.compile(r"The model read \d+ cells by the definition of before. Once")).wait_for()
    assert violations_in_both_schemes(here) == {}
    page.get_by_role("button", name="Save the change").click()
    page.get_by_text("“Insurance” is changed.").wait_for()
    here.idle()
    page.get_by_text(
        re.compile(r"The model read \d+ cells by the definition of before. It is asked")
    ).wait_for()

    here.open("/matrix?bucket=contracts")
    page.locator(".grid[data-ready]").wait_for()
    page.get_by_role("button", name=HAVE_READ).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text(re.compile(r"\d+ uncertain cells of \d+ documents"))).to_be_visible()
    page.keyboard.press("Escape")
    page.goto(f"{model_server.url}/schemas?schema=contracts&field=%2B")
    page.get_by_label("Counter-examples, one a line").wait_for()


def test_new_documents_are_read_where_that_is_switched_on(visit: Start, model_server: Server) -> None:
    here = visit(model_server)
    page = here.page
    here.open(FEW)
    toggle = page.get_by_role("switch", name="Read new documents with the model")
    page.get_by_text("Read new documents with the model").click()
    page.get_by_text(
        re.compile(r"New documents are read from now on(, about \$0\.\d{4} a document)?, and")
    ).wait_for()
    expect(toggle).to_be_checked()

    add(model_server.home)
    row = page.locator(".row", has_text=LATER)
    row.get_by_role("gridcell", name="Audit rights: present, read by the model").wait_for()
    here.open(FEW)
    expect(toggle).to_be_checked()
    page.get_by_text("Read new documents with the model").click()
    here.idle()
    expect(toggle).not_to_be_checked()


def test_cells_are_read_in_a_batch_at_half_the_price_which_is_shown_before_and_after(
    visit: Start, model_server: Server
) -> None:
    here = visit(model_server)
    page = here.page
    here.open("/settings")
    page.get_by_text("Server, models and budgets").click()
    page.get_by_role("textbox", name="Reads cells").fill("m")  # another model: everything waits for it
    page.get_by_text("Cells in batches, at half the price").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Saved. It holds from the next question on.").wait_for()

    here.open(FEW)
    page.get_by_role("button", name=HAVE_READ).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text(re.compile(r"for m: .*, batch: half price, within a day\.")).wait_for(timeout=60_000)
    dialog.get_by_text(re.compile(r"about \$0\.\d{4} a document \(batch: half price\)")).wait_for()
    assert violations_in_both_schemes(here) == {}
    dialog.get_by_role("button", name=re.compile(r"Read \d+ cells")).click()
    panel = page.locator(".st-key-model-cells-job")
    panel.get_by_text(re.compile("A batch at half the price, by .* at the latest")).wait_for(timeout=60_000)
    spent = page.get_by_text(re.compile(r"\$0\.\d{4} \(\d+ calls in a batch: half price\)"))
    spent.wait_for(timeout=60_000)
