from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Server, Visit

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]

# The words of the text layer whose middle lies in a highlighted box, in reading order.
COVERED = """() => { for (const host of document.querySelectorAll('.st-key-evidence-panel *')) {
    const root = host.shadowRoot; if (!root || !root.querySelector('.boxes .focus')) continue;
    const boxes = [...root.querySelectorAll('.boxes .focus')].map((b) => b.getBoundingClientRect());
    return [...root.querySelectorAll('.words text')].filter((word) => {
      const at = word.getBoundingClientRect(), x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;
      return boxes.some((b) => b.left <= x && x <= b.right && b.top <= y && y <= b.bottom);
    }).map((word) => word.textContent.trim()).join(' ');
  } return null }"""


PARTS = """const parts = (wanted) => [document, ...[...document.querySelectorAll('*')]
  .map((e) => e.shadowRoot)].filter(Boolean)
  .flatMap((root) => [...root.querySelectorAll(wanted)]).filter((e) => {
    const at = e.getBoundingClientRect(); return at.height > 0 && at.bottom <= innerHeight });"""

# How long after Enter a stage line and a Stop button stand on the page, ready for the next paint.
SEEN_AFTER_ENTER = f"""() => {{ {PARTS} document.addEventListener('keydown', (event) => {{
  const look = () => parts('.line, .stages li').length && parts('.stop').length
    ? window.seen = performance.now() - event.timeStamp : requestAnimationFrame(look);
  look() }}, true) }}"""

STOP_AFTER_ENTER = f"""() => {{ {PARTS} addEventListener('keydown', () => {{
  const look = () => parts('.stop').length ? parts('.stop')[0].click() : requestAnimationFrame(look);
  look() }}, true) }}"""


def letters(text: str) -> str:
    return re.sub(r"\W+", "", text)


def answer_of(visit: Visit, number: int = -1) -> dict[str, object]:
    """The stored answer of a turn of the open conversation, through the export of the page."""
    links = visit.page.get_by_role("link", name="Download as JSON")
    address = links.nth(number if number >= 0 else links.count() - 1).get_attribute("href")
    found = visit.page.request.get(f"{visit.server.url}{address}")
    return dict(found.json())


def citations(answer: dict[str, object]) -> dict[int, dict[str, object]]:
    claims = answer["claims"]
    assert isinstance(claims, list)
    return {c["n"]: c for claim in claims for c in claim["citations"]}


def test_a_citation_opens_on_its_words_on_the_page_image(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Explain the maintenance steps for battery cabinet B-120.")
    wanted = citations(answer_of(here))[2]

    here.page.get_by_role("button", name="Citation 2:").first.click()
    here.page.locator(".st-key-evidence-panel .boxes .focus").first.wait_for(state="attached")
    here.page.locator(".st-key-evidence-panel .words text").first.wait_for(state="attached")

    assert letters(str(here.page.evaluate(COVERED))) == letters(str(wanted["quote"]))
    expect(here.page).to_have_url(re.compile("cite=2"))


def test_a_citation_of_a_text_opens_on_its_words_in_the_sheet(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Which law governs the ACME software license?")
    wanted = citations(answer_of(here))[1]

    here.page.get_by_role("button", name="Citation 1:").first.click()
    mark = here.page.locator("mark.focus").first
    mark.wait_for()

    assert mark.text_content() == wanted["quote"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the minimum panel width for AlphaSolar models?",
        "Explain the maintenance steps for battery cabinet B-120.",
        "Which law governs the ACME software license?",
    ],
)
def test_every_chip_of_a_sample_answer_opens_its_page(
    visit: Start, sample_server: Server, question: str
) -> None:
    here = visit(sample_server)
    here.open()
    here.ask(question)
    chips = here.page.locator(".text .chip")

    chips.first.wait_for(state="attached")
    for index in range(chips.count()):
        number = chips.nth(index).text_content()
        chips.nth(index).click()
        here.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")
        here.page.wait_for_url(f"**cite={number}")
        here.page.get_by_text(f"Citation {index + 1} of").wait_for()


def test_an_abstention_shows_the_nearest_passages_and_opens_them(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("What is the favourite colour of the emperor of Mars?")
    assert answer_of(here)["status"] == "abstained"

    here.page.get_by_role("button", name="Nearest passage 1:").click()
    here.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")

    expect(here.page.get_by_text("Nearest passage 1 of")).to_be_visible()


def test_arrows_walk_the_citations_and_enter_opens_one(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Explain the maintenance steps for battery cabinet B-120.")
    first = here.page.get_by_role("button", name="Citation 1:").first
    first.focus()
    expect(here.page.get_by_role("tooltip")).to_be_visible()

    here.page.keyboard.press("ArrowRight")
    here.page.keyboard.press("Enter")
    here.page.get_by_text("Citation 2 of").wait_for()
    here.page.get_by_role("button", name="Next citation").click()
    here.page.get_by_text("Citation 3 of").wait_for()

    expect(here.page.locator(".chip[aria-current=true]")).to_have_text("3")


def test_the_quote_is_read_beside_the_page_which_zooms_to_its_words(
    visit: Start, sample_server: Server
) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Explain the maintenance steps for battery cabinet B-120.")
    wanted = citations(answer_of(here))[3]
    here.page.get_by_role("button", name="Citation 3:").first.click()
    focus = here.page.locator(".boxes .focus").first
    focus.wait_for(state="attached")
    small = focus.bounding_box()

    for _ in range(3):
        here.page.get_by_role("button", name="Larger").click()
    here.page.get_by_text("200 %").wait_for()

    large, frame = focus.bounding_box(), here.page.locator(".scroller.zoomed").bounding_box()
    assert here.page.locator("mark.quoted").text_content() == wanted["quote"]
    assert small is not None
    assert large is not None
    assert frame is not None
    assert 1.8 < large["height"] / small["height"] < 2.2
    assert frame["y"] <= large["y"] <= frame["y"] + frame["height"] - large["height"]
    assert frame["x"] <= large["x"] < frame["x"] + frame["width"]


@pytest.mark.parametrize("way", ["button", "key"])
def test_a_chip_loses_its_mark_when_the_evidence_closes(
    visit: Start, memory_server: Server, way: str
) -> None:
    here = visit(memory_server)
    here.open()
    here.ask("What is the total liability of ACME per incident?")
    here.page.get_by_role("button", name="Citation 1:").first.click()
    here.page.get_by_text("Citation 1 of").wait_for()
    marked = here.page.locator(".chip[aria-current=true]")
    marked.first.wait_for()

    if way == "key":
        here.page.keyboard.press("Escape")
    else:
        here.page.get_by_role("button", name="Close the evidence").click()

    marked.first.wait_for(state="detached")
    here.page.get_by_text("Citation 1 of").wait_for(state="detached")
    expect(marked).to_have_count(0)
    expect(here.page).not_to_have_url(re.compile("cite="))


def test_a_copied_link_opens_the_same_evidence_in_a_new_session(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Which law governs the ACME software license?")
    here.page.get_by_role("button", name="Citation 1:").first.click()
    here.page.get_by_text("Citation 1 of").wait_for()
    address = here.page.url.removeprefix(sample_server.url)

    other = visit(sample_server)
    other.open(address)

    other.page.get_by_text("Citation 1 of").wait_for()
    other.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")
    expect(other.page.get_by_text("Which law governs the ACME software license?").first).to_be_visible()


def test_a_follow_up_chip_asks_and_the_answer_is_copied_with_its_citations(
    visit: Start, memory_server: Server
) -> None:
    here = visit(memory_server)
    here.open()
    here.ask("What is the total liability of ACME per incident?")

    here.page.get_by_role("button", name="Copy with citations").click()
    here.page.get_by_role("button", name="Copied").wait_for()
    assert "[1] ACME Master Services Agreement, page 2" in here.page.evaluate(
        "navigator.clipboard.readText()"
    )
    here.page.get_by_role("button", name="When does the term begin?").click()
    here.page.get_by_text("Answered in").nth(1).wait_for()

    expect(here.page.get_by_text("The term begins on 1 October 2024").first).to_be_visible()


def test_a_conversation_keeps_its_thread_and_shows_how_a_turn_was_understood(
    visit: Start, sample_server: Server
) -> None:
    here = visit(sample_server)
    here.open()
    here.ask("Which contracts lack a force majeure clause?")
    here.ask("and how many of those end this year?")
    here.page.get_by_text("Understood as: ").wait_for()

    here.page.get_by_role("button", name="Edit and ask").last.click()
    here.page.get_by_role("textbox", name="The question as it stands alone").fill(
        "How many contracts that lack force majeure end in 2024?"
    )
    here.page.get_by_role("button", name="Ask this").click()
    here.page.get_by_text("Answered in").nth(2).wait_for()
    here.idle()
    assert answer_of(here)["value"] == {"type": "number", "value": "4", "unit": None}


def test_a_question_of_two_halves_says_which_has_no_answer(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open()
    here.ask(
        "Under which law is the supply agreement with Harbor Freight Rail governed? "
        "How tall is Mount Everest?"
    )

    here.page.get_by_text("1 of 2 questions answered.").wait_for()
    expect(here.page.get_by_text("Delaware").first).to_be_visible()
    assert answer_of(here)["status"] == "partial"


def test_stop_ends_a_running_answer(visit: Start, gated_server: Server) -> None:
    here = visit(gated_server)
    here.open()
    here.page.get_by_test_id("stChatInputTextArea").fill("What is the total liability of ACME per incident?")
    here.page.keyboard.press("Enter")
    here.page.get_by_text("Searching 4 documents").wait_for()

    here.page.get_by_role("button", name="Stop", exact=True).click()
    here.page.get_by_role("status").filter(
        has_text=re.compile("Stopping this answer|Stopped")
    ).first.wait_for()
    here.idle()
    (gated_server.home / "gate").write_text("go")

    here.page.get_by_text("Stopped before there was an answer.").wait_for()
    expect(here.page.get_by_text("Answered in")).to_have_count(0)


@pytest.mark.alone
def test_a_slow_question_shows_its_stage_and_a_stop_within_300_ms(visit: Start, gated_server: Server) -> None:
    here = visit(gated_server)
    here.open()
    question = ("What is the total liability of ACME per incident? " * 60)[:2500]
    here.page.get_by_test_id("stChatInputTextArea").fill(question)
    here.page.locator(".pending").wait_for(state="attached")
    here.page.evaluate(SEEN_AFTER_ENTER)

    here.page.keyboard.press("Enter")
    here.page.wait_for_function("() => window.seen !== undefined")
    assert here.page.evaluate("window.seen") < 300
    here.page.get_by_text("Searching 4 documents").wait_for()
    stop = here.page.get_by_role("button", name="Stop", exact=True)
    assert stop.bounding_box()["y"] < 850  # type: ignore[index]
    stop.click()

    here.page.get_by_text("Stopped before there was an answer.").wait_for()  # while the search still waits
    (gated_server.home / "gate").write_text("go")  # lets the stopped search go, and says nothing
    here.page.get_by_role("button", name="Ask again").click()
    here.page.get_by_text("Searching 4 documents").wait_for()
    (gated_server.home / "gate").write_text("go")
    here.page.get_by_text("Answered in").wait_for()


def test_stop_pressed_before_the_server_has_answered_counts(visit: Start, gated_server: Server) -> None:
    here = visit(gated_server)
    here.open()
    here.page.get_by_test_id("stChatInputTextArea").fill("What is the total liability of ACME per incident?")
    here.page.locator(".pending").wait_for(state="attached")
    here.page.evaluate(STOP_AFTER_ENTER)

    here.page.keyboard.press("Enter")

    here.page.get_by_text("Stopped before there was an answer.").wait_for()
    (gated_server.home / "gate").write_text("go")
    expect(here.page.get_by_text("Answered in")).to_have_count(0)


def test_a_reload_finds_the_running_answer_again(visit: Start, gated_server: Server) -> None:
    here = visit(gated_server)
    here.open()
    here.page.get_by_test_id("stChatInputTextArea").fill("What is the total liability of ACME per incident?")
    here.page.keyboard.press("Enter")
    here.page.get_by_text("Searching 4 documents").wait_for()
    here.idle()

    here.page.reload()
    here.page.get_by_text("Searching 4 documents").wait_for()
    (gated_server.home / "gate").write_text("go")

    here.page.get_by_text("shall not exceed $750,000 per incident").first.wait_for()
    expect(here.page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def test_conversations_are_renamed_and_deleted(visit: Start, memory_server: Server) -> None:
    here = visit(memory_server)
    here.open()
    here.ask("hello there, rename me")
    here.page.get_by_role("button", name="Rename, share or delete").click()
    here.page.get_by_role("menuitem", name="Rename").or_(
        here.page.get_by_role("option", name="Rename")
    ).click()
    here.page.get_by_role("textbox", name="Title").fill("Renamed talk")
    here.page.get_by_role("button", name="Save").click()
    here.idle()
    expect(here.page.get_by_role("button", name="Renamed talk")).to_be_visible()

    here.page.get_by_role("button", name="Rename, share or delete").click()
    here.page.get_by_role("menuitem", name="Delete").or_(
        here.page.get_by_role("option", name="Delete")
    ).click()
    here.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    here.idle()

    expect(here.page.get_by_role("button", name="Renamed talk")).to_have_count(0)
    expect(here.page.get_by_text("Ask your documents")).to_be_visible()
