"""Answers of a language model on the page: streamed, checked, stopped, late, and made anew."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from app.running.turns import GRACE_S
from core.config.models import Settings
from core.workbench import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve, violations, violations_in_both_schemes
from tests.support.model_desk import WRONG, ModelDesk
from tests.support.scripted_llm import ScriptedLlm

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]

TEXTS = {
    "halden-pumps.md": "# Inspection of the pumps at the Halden plant\n\n"
    "The pumps of the Halden plant are inspected every six weeks by the shift engineer. "
    "Each inspection of the Halden pumps is logged under the code HP-417.\n",
    "moss-turbine.md": "# Turbine of the Moss plant\n\n"
    "The turbine of the Moss plant is overhauled every four years. "
    "During the overhaul the Moss plant draws its power from the grid.\n",
    "voss-gates.md": "# Gates of the Voss dam\n\nThe gates of the Voss dam are opened above 212 metres.\n",
    "fjord-report.txt": "Report of the Fjord plant\n\n"
    "Figures of the Fjord plant (in thousands) 2022 2021\n"
    "Revenue of the Fjord plant 4,000 3,200\nCost of the Fjord plant 1,000 900\n",
    "rjukan-safety.md": "# Safety at Rjukan\n\nVisitors to Rjukan wear a helmet and carry a radio.\n",
}
PUMPS = "Explain the inspection of the pumps at the Halden plant."
COST = "Explain the cost of the Fjord plant beside its revenue in 2022."
STOPPED = "Stopped while the model wrote; the quotes stand as they were found."
WHOLE = "Who logs the inspection of the pumps at the Halden plant?"
FIRST_WORDS = """() => { const roots = () => [...document.querySelectorAll('*')].map((e) => e.shadowRoot)
  .filter(Boolean); const look = () => {
    const found = roots().flatMap((root) => [...root.querySelectorAll('.prose.live .writing')]);
    const seen = (e) => e.textContent.trim() && e.getBoundingClientRect().height;
    if (found.some(seen)) window.firstAt = Date.now();
    else requestAnimationFrame(look); }; look() }"""


@pytest.fixture(scope="module")
def desk() -> ModelDesk:
    return ModelDesk()


@pytest.fixture(scope="module")
def model(desk: ModelDesk) -> Iterator[ScriptedLlm]:
    with ScriptedLlm(desk) as server:
        yield server


@pytest.fixture(scope="module")
def model_server(tmp_path_factory: pytest.TempPathFactory, model: ScriptedLlm) -> Iterator[Server]:
    folder, port = tmp_path_factory.mktemp("model"), free_port()
    home, texts = folder / "home", folder / "texts"
    texts.mkdir()
    for name, text in TEXTS.items():
        (texts / name).write_text(text, encoding="utf-8")
    _ingest(home, texts)
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    (home / "groundwork.toml").write_text(f'[llm]\nbase_url = "{model.url}"\n', encoding="utf-8")
    environ = {
        "GROUNDWORK_LLM__TOKENS_PER_MINUTE": "0",
        "GROUNDWORK_LLM__TIMEOUT_S": "8",
    }
    yield from serve(command, port, home, lambda health: int(str(health["documents"])) >= len(TEXTS), environ)


def _ingest(home: Path, texts: Path) -> None:
    with Workbench.open(home, Settings(home=home)) as bench:
        bench.ingest([texts])


@pytest.fixture
def here(visit: Start, model_server: Server, desk: ModelDesk) -> Iterator[Visit]:
    desk.reset()
    found = visit(model_server)
    found.open()
    yield found
    desk.reset()


def put(here: Visit, question: str) -> None:
    here.page.get_by_test_id("stChatInputTextArea").fill(question)
    here.page.keyboard.press("Enter")


def answer(here: Visit) -> Locator:
    return here.page.locator(".answer").last


def test_prose_streams_and_each_sentence_is_marked_as_its_checks_are_through(
    here: Visit, desk: ModelDesk
) -> None:
    desk.between_s = 0.2
    put(here, PUMPS)

    live = here.page.locator(".prose.live")
    live.locator(".kept").first.wait_for()
    expect(live.locator(".kept").first).to_contain_text("every six weeks")
    expect(live.locator(".writing").first).to_be_visible()  # the next one is still being written
    expect(here.page.locator(".stages .running")).to_be_visible()
    here.page.get_by_text("Answered in").wait_for()

    expect(answer(here).locator(".use")).to_contain_text(re.compile(r"Written by .+, every sentence checked"))
    expect(answer(here).locator("span.why")).to_contain_text("every one checked")
    answer(here).get_by_text("Compare with the answer without the model").click()
    expect(answer(here).get_by_role("region", name="Quotes alone")).to_contain_text("HP-417")
    here.page.get_by_text("Answered in").click()
    expect(answer(here).get_by_role("cell", name="Write", exact=True)).to_be_visible()


def test_a_calculation_stands_under_the_answer_and_opens_on_its_cells(here: Visit, desk: ModelDesk) -> None:
    desk.calculates = True
    put(here, COST)
    here.page.get_by_text("Answered in").wait_for()

    expect(answer(here).locator(":scope > .text")).to_contain_text("was 25% of its revenue")
    made = answer(here).get_by_role("region", name="Calculated")
    expect(made).to_contain_text("cost of the revenue = 1,000 / 4,000 = 25%")
    made.get_by_role("button", name=re.compile("Citation")).first.click()
    panel = here.page.locator(".st-key-evidence-panel")
    expect(panel.get_by_text("Cost of the Fjord plant 1,000 900").first).to_be_visible()
    assert not violations(here)


def test_what_the_model_misses_is_searched_for_and_told(here: Visit, desk: ModelDesk) -> None:
    desk.misses = "gates of the Voss dam"
    put(here, PUMPS)
    here.page.get_by_text("Answered in").wait_for()

    here.page.get_by_text("Answered in").click()
    searched = answer(here).get_by_text(re.compile(r"search \(query: gates of the Voss dam.* hits?"))
    expect(searched).to_be_visible()
    expect(answer(here).get_by_role("cell", name="Write", exact=True)).to_have_count(2)
    assert not violations(here)


def test_a_sentence_that_no_evidence_bears_is_struck_and_shown_on_demand(
    here: Visit, desk: ModelDesk
) -> None:
    desk.wrong, desk.between_s = True, 0.1
    put(here, PUMPS)

    struck = here.page.locator(".prose.live .struck")
    struck.wait_for()
    expect(struck).to_have_text(WRONG)
    here.page.get_by_text("Answered in").wait_for()

    assert WRONG not in answer(here).locator(":scope > .text").inner_text()
    expect(answer(here).locator(".removed")).to_contain_text("1 sentence was removed")
    expect(answer(here).get_by_text(WRONG)).to_be_hidden()
    answer(here).get_by_text("Show what was removed").click()
    expect(answer(here).locator(".removed li")).to_contain_text(WRONG)


def test_stop_in_the_middle_of_the_prose_frees_the_model_and_keeps_the_quotes(
    here: Visit, desk: ModelDesk, model: ScriptedLlm
) -> None:
    desk.between_s = 0.3
    put(here, PUMPS)
    here.page.locator(".prose.live .writing").first.wait_for()

    here.page.get_by_role("button", name="Stop", exact=True).click()

    answer(here).get_by_text(STOPPED).wait_for()
    expect(answer(here).locator(":scope > .text")).to_contain_text("HP-417")
    expect(answer(here).locator(".chip").first).to_be_visible()
    expect(answer(here).get_by_role("button", name="Regenerate")).to_be_visible()
    assert model.wait_until_idle(3)
    here.page.get_by_text("Answered in").click()
    expect(answer(here).get_by_role("cell", name="stopped", exact=True)).to_be_visible()


def test_regenerate_asks_the_same_again(here: Visit, model: ScriptedLlm) -> None:
    here.ask(PUMPS)
    before = len(model.requests)

    answer(here).get_by_role("button", name="Regenerate").click()
    here.page.get_by_text("Answered in").nth(1).wait_for()

    assert len(model.requests) > before
    expect(here.page.locator(".answer .use")).to_have_count(2)


def test_a_follow_up_is_made_whole_and_can_be_edited(here: Visit, desk: ModelDesk) -> None:
    here.ask(PUMPS)
    desk.whole = WHOLE
    here.ask("and who logs it?")

    expect(answer(here).locator(".standalone")).to_contain_text(f"Understood as: {WHOLE}")
    answer(here).get_by_role("button", name="Edit and ask").click()
    field = answer(here).get_by_role("textbox", name="The question as it stands alone")
    expect(field).to_be_focused()
    field.fill("What is the turbine of the Moss plant overhauled for?")
    here.page.keyboard.press("Enter")
    here.page.get_by_text("Answered in").nth(2).wait_for()
    expect(answer(here)).to_contain_text("Moss plant")


def test_tools_that_the_model_called_are_shown_with_arguments_and_results(here: Visit) -> None:
    chosen = here.page.get_by_role("combobox", name="Answered by")
    chosen.focus()
    here.page.keyboard.type("Calling")
    here.page.keyboard.press("Enter")
    here.idle()
    here.ask(PUMPS)

    here.page.get_by_text("Answered in").click()
    tool = answer(here).get_by_text(re.compile(r"search_text \(query: pumps, top_k: 3.*\) · 1 hit\b"))
    tool.click()
    expect(answer(here).locator("pre")).to_contain_text("Halden")


def test_tool_calls_are_opened_by_keyboard_on_the_page_of_the_plan(
    visit: Start, model_server: Server, desk: ModelDesk
) -> None:
    desk.reset()
    here = visit(model_server)
    here.open()
    chosen = here.page.get_by_role("combobox", name="Answered by")
    chosen.focus()
    here.page.keyboard.type("Calling")
    here.page.keyboard.press("Enter")
    here.idle()
    here.ask(PUMPS)
    here.page.get_by_role("button", name="Open the plan of this answer").first.click()
    here.page.get_by_role("link", name="Open on its own page").click()
    here.page.get_by_role("radio", name="Model").wait_for()
    here.idle()

    part = here.page.get_by_role("radio", name="Model")
    # The page may be drawn again between focus and key, which then goes nowhere: press until it shows.
    for _ in range(5):
        part.focus()
        here.page.keyboard.press("Enter")
        here.idle()
        if part.is_checked():
            break
    tool = here.page.locator("summary", has_text=re.compile(r"1 · search_text · 1 hit · .* ms · .* tokens"))
    tool.wait_for()
    here.idle()
    tool.focus()
    here.page.keyboard.press("Enter")
    panel = here.page.locator(".st-key-answer-panel")
    expect(panel.get_by_text('"query": "pumps"')).to_be_visible()
    expect(panel.get_by_text("every six weeks").first).to_be_visible()
    assert violations_in_both_schemes(here) == {}


def test_a_browser_that_is_closed_in_the_middle_loses_nothing(
    here: Visit, visit: Start, desk: ModelDesk
) -> None:
    desk.between_s = 0.2
    put(here, PUMPS)
    here.page.locator(".prose.live .writing").first.wait_for()
    address = here.page.url.removeprefix(here.server.url)
    here.page.close()

    later = visit(here.server)
    later.open(address)

    later.page.get_by_text("Answered in").wait_for()
    expect(later.page.locator(".answer .use")).to_contain_text("Written by")


def test_a_tab_that_stays_closed_frees_the_model_and_keeps_the_quotes_as_interrupted(
    here: Visit, visit: Start, desk: ModelDesk, model: ScriptedLlm
) -> None:
    desk.between_s = 0.9
    put(here, PUMPS)
    here.page.locator(".prose.live .writing").first.wait_for()
    address = here.page.url.removeprefix(here.server.url)
    here.page.close()

    assert model.wait_until_idle(GRACE_S + 5)
    later = visit(here.server)
    later.open(address)

    later.page.get_by_text("The browser was closed while the model wrote; the quotes stand").wait_for()
    expect(answer(later).locator(":scope > .text")).to_contain_text("HP-417")


def test_the_button_test_tries_each_kind_of_call(here: Visit) -> None:
    here.open("/settings")
    here.page.get_by_role("button", name="Test", exact=True).click()

    here.page.get_by_text("It works.").wait_for()
    for kind in ("Replies of a given form", "Tool calls", "Streamed text"):
        expect(here.page.get_by_role("listitem").filter(has_text=kind)).to_be_visible()


def test_a_test_is_cancelled_by_one_click_and_says_so_at_once(
    here: Visit, desk: ModelDesk, model: ScriptedLlm
) -> None:
    desk.tools_wait_s = 30.0
    here.open("/settings")
    here.page.get_by_role("button", name="Test", exact=True).click()
    here.page.get_by_text(re.compile(r"\d of 3 done\. Trying: ")).wait_for()
    here.page.get_by_role("button", name="Cancel", exact=True).click()

    expect(here.page.get_by_text(re.compile(r"Cancelled, \d of 3 done\."))).to_be_visible()
    expect(here.page.get_by_role("button", name="Test", exact=True)).to_be_enabled()
    desk.reset()
    here.page.get_by_role("button", name="Test", exact=True).click()
    here.page.get_by_text("It works.").wait_for()


def test_a_wrong_address_is_said_beside_its_field(here: Visit) -> None:
    here.open("/settings")
    here.page.get_by_text("Server, models and budgets").click()
    field = here.page.get_by_role("textbox", name="Server address")
    field.fill("localhost:11434")
    here.page.get_by_role("button", name="Save").click()

    beside = here.page.get_by_text("it does not begin with http:// or https://")
    beside.wait_for()
    below, above = beside.bounding_box(), field.bounding_box()
    assert below is not None
    assert above is not None
    assert 0 < below["y"] - above["y"] < 120


def test_a_model_that_falls_silent_leaves_the_quotes_and_says_so(here: Visit, desk: ModelDesk) -> None:
    desk.hangs = True  # the last: after three failures no call is made for a while
    put(here, PUMPS)
    here.page.get_by_text("Answered in").wait_for()

    expect(answer(here).locator(":scope > .text")).to_contain_text("HP-417")
    expect(answer(here).locator(".notes")).to_contain_text("E005")
    expect(answer(here).locator(".use")).to_contain_text("Answered without the model's words")


@pytest.mark.alone
def test_the_first_words_are_on_the_page_300_ms_after_the_model_sent_them(
    here: Visit, desk: ModelDesk
) -> None:
    waits = []
    for _ in range(5):
        desk.between_s = 0.2
        here.open()
        here.page.evaluate("window.firstAt = 0")
        here.page.evaluate(FIRST_WORDS)
        put(here, PUMPS)
        here.page.wait_for_function("() => window.firstAt > 0")
        waits.append(1000 * (here.page.evaluate("window.firstAt") / 1000 - desk.first_at))
        here.page.get_by_role("button", name="Stop", exact=True).click()
        answer(here).get_by_text(STOPPED).wait_for()
        time.sleep(0.1)

    assert max(waits) < 300, [round(each) for each in waits]


def test_a_summary_is_written_in_ask_and_stands_on_the_page_of_its_document(
    here: Visit, desk: ModelDesk
) -> None:
    desk.wrong = True
    listed = here.page.evaluate("fetch('/api/v1/documents?text=halden').then((found) => found.json())")
    pumps = f"/documents?document={listed['documents'][0]['id']}"
    here.open(pumps)
    here.page.get_by_role("tab", name="Summary").click()
    here.page.get_by_role("button", name="Write with").click()
    here.page.get_by_role("button", name="Executive summary").click()

    expect(answer(here)).to_contain_text("every six weeks")
    here.page.get_by_text("Answered in").wait_for()
    here.open(pumps)
    here.page.get_by_role("tab", name="Summary").click()

    written = here.page.locator(".prose")
    expect(written).to_contain_text("every sentence was checked")
    expect(written).to_contain_text("1 sentence did not pass and was removed.")
    here.page.get_by_role("button", name="Written sentence 1: open page 1").first.click()
    here.page.locator("mark, .focus").first.wait_for(state="attached")
    assert violations_in_both_schemes(here) == {}
