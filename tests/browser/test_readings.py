"""The line that says how a question was read: its parts changed, other readings, the set in hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
TEXAN = "Which documents are governed by Texas law?"
ONE_WAY = "Which documents are governed by Delaware law?"
EITHER = "Contracts Texas or not?"
KNOWN = {"list", "listitem", "svg-img-alt", "color-contrast-enhanced", "region", "page-has-heading-one"}


@pytest.fixture(scope="module")
def read_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home, port = tmp_path_factory.mktemp("read") / "home", free_port()
    command = ["-m", "tests.support.serve_readings", str(port), str(home)]
    yield from serve(command, port, home, lambda _health: True)


@pytest.fixture
def here(visit: Start, read_server: Server) -> Visit:
    found = visit(read_server)
    found.open()
    return found


@pytest.fixture
def two_things(visit: Start, read_server: Server) -> Visit:
    found = visit(read_server)
    conversation = (read_server.home / "conversation").read_text()
    found.open(f"/?conversation={conversation}")
    return found


def part(here: Visit, text: str) -> Locator:
    return here.page.get_by_role("button", name=f"Change: {text}", exact=True)


def choose(here: Visit, text: str, name: str) -> None:
    part(here, text).click()
    here.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
    here.page.locator(".answer.anew").wait_for(state="detached")
    here.idle()


def headline(here: Visit) -> str:
    return here.page.locator(".headline, .value").last.inner_text()


def back(here: Visit) -> None:
    """As it was first read, so that the next test finds the home as it was."""
    here.page.get_by_role("button", name="As it was first read").click()
    here.page.get_by_role("button", name="As it was first read").wait_for(state="detached")
    here.idle()


def questions(two_things: Visit) -> tuple[Locator, Locator]:
    """The two questions in one, each with its answer."""
    found = two_things.page.locator("section.question")
    found.nth(1).wait_for()
    return found.nth(0), found.nth(1)


def top_of_input(here: Visit) -> float:
    found = here.page.get_by_test_id("stChatInput").bounding_box()
    assert found is not None
    return found["y"]


def test_a_chip_is_changed_and_the_answer_follows(here: Visit) -> None:
    here.ask(ONE_WAY)
    before = headline(here)

    choose(here, "governing law Delaware", "Is not")

    assert headline(here) != before
    expect(part(here, "governing law not Delaware")).to_be_focused()
    expect(here.page.get_by_text("this wording is read so from now on")).to_be_visible()
    here.page.reload()
    here.idle()
    expect(part(here, "governing law not Delaware")).to_be_visible()
    back(here)
    assert headline(here) == before


def test_a_wording_is_remembered_until_it_is_forgotten(here: Visit) -> None:
    here.ask(ONE_WAY)
    choose(here, "list", "Count")
    here.ask(ONE_WAY)
    expect(part(here, "count").nth(1)).to_be_visible()

    here.page.get_by_role("button", name="Forget").first.click()
    here.page.get_by_text("for this answer only").wait_for()
    here.idle()
    here.ask(ONE_WAY)

    expect(part(here, "list")).to_have_count(1)


def test_a_menu_opens_without_the_server_and_by_keys(here: Visit) -> None:
    held: list[Route] = []
    here.page.route("**/reading", lambda each: held.append(each))
    here.ask(ONE_WAY)
    chip = part(here, "governing law Delaware")
    part(here, "contracts").focus()
    here.page.keyboard.press("ArrowRight")
    expect(chip).to_be_focused()

    here.page.keyboard.press("ArrowDown")

    menu = here.page.get_by_role("dialog")
    expect(menu.get_by_label("Value", exact=True)).to_be_focused()
    expect(menu.get_by_role("button", name="Remove")).to_be_visible()
    expect(menu.get_by_text("Reading the fields")).to_be_visible()
    here.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(chip).to_be_focused()
    for each in held:
        each.continue_()


def test_another_field_is_found_by_its_words(here: Visit) -> None:
    here.ask(ONE_WAY)
    part(here, "governing law Delaware").click()
    menu = here.page.get_by_role("dialog")
    menu.locator(".option").nth(10).wait_for()
    menu.get_by_role("searchbox", name="Find a field").fill("audit")
    expect(menu.locator(".option")).to_have_count(1)

    here.page.keyboard.press("Enter")
    here.page.locator(".answer.anew").wait_for(state="detached")

    expect(part(here, "with audit rights")).to_be_visible()
    back(here)


def test_a_value_is_written_as_people_write_it(here: Visit) -> None:
    here.ask(ONE_WAY)
    part(here, "governing law Delaware").click()
    here.page.get_by_label("Value", exact=True).fill("new york")
    here.page.keyboard.press("Enter")

    expect(part(here, "governing law New York")).to_be_visible()
    expect(here.page.get_by_text("for this answer only")).to_be_visible()
    back(here)


def test_a_change_that_cannot_be_says_why_and_leaves_the_answer(here: Visit) -> None:
    here.ask("Which documents have a contract value above 3,000 USD?")
    before = headline(here)
    part(here, "contract value above USD 3,000").click()
    here.page.get_by_label("Value", exact=True).fill("a lot")
    here.page.keyboard.press("Enter")

    expect(here.page.get_by_role("alert")).to_contain_text(
        "“a lot” cannot be read as a value of contract value."
    )
    assert headline(here) == before
    here.ask(ONE_WAY)
    expect(here.page.get_by_role("alert")).to_have_count(0)


def test_two_readings_are_shown_with_their_counts_and_one_is_chosen(here: Visit) -> None:
    here.ask(TEXAN)
    other = here.page.get_by_role("button", name="Read it so: contracts · governing law not Texas · list")
    expect(other).to_have_text(re.compile(r"\(\d+\)"))
    number = other.inner_text().rsplit("(", 1)[1].rstrip(")")

    other.click()

    expect(part(here, "governing law not Texas")).to_be_visible()
    assert headline(here).startswith(number)
    expect(
        here.page.get_by_role("button", name="Read it so: contracts · governing law Texas · list")
    ).to_have_text(re.compile(r"\(2\)"))
    back(here)
    expect(other).to_be_visible()


def test_a_question_back_shows_each_reading_with_its_count(here: Visit) -> None:
    here.ask(EITHER)
    choice = here.page.locator(".askback .choice").first
    expect(choice).to_have_text(re.compile(r"governing law Texas · list\s*2 documents"))

    choice.click()
    here.page.get_by_text("Answered in").nth(1).wait_for()
    here.idle()

    expect(part(here, "governing law Texas")).to_be_visible()


def test_two_questions_in_one_have_a_reading_citations_and_a_ledger_each(two_things: Visit) -> None:
    first, second = questions(two_things)
    expect(first.get_by_role("heading", name=TEXAN)).to_be_visible()
    assert first.locator(".chip").first.inner_text() == second.locator(".chip").first.inner_text() == "1"
    expect(first.locator(".ledger")).to_have_count(1)
    expect(second.locator(".ledger")).to_have_count(1)
    expect(first.locator(".estimate")).to_have_text(re.compile(r"for sure, .* not sure; about 3 \(2 to 4\)"))

    second.locator(".chip").first.click()
    two_things.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")

    expect(two_things.page).to_have_url(re.compile(r"turn=t\w+\.1(&|$)"))
    expect(second.locator(".chip.on")).not_to_have_count(0)
    expect(first.locator(".chip.on")).to_have_count(0)
    second.get_by_role("button", name=re.compile(r"\d+ present")).click()
    second.locator(".ledger .document").first.wait_for()


def test_one_of_two_questions_is_read_otherwise(two_things: Visit) -> None:
    first, second = questions(two_things)
    before = second.inner_text()

    first.get_by_role("button", name="Change: list").click()
    two_things.page.get_by_role("dialog").get_by_role("button", name="Count", exact=True).click()
    two_things.page.locator(".answer.anew").wait_for(state="detached")
    two_things.idle()

    expect(first.get_by_role("button", name="Change: count")).to_be_focused()
    assert second.inner_text() == before
    back(two_things)
    expect(first.get_by_role("button", name="Change: list")).to_be_visible()


def test_the_set_in_hand_is_shown_and_cleared(two_things: Visit) -> None:
    line = two_things.page.get_by_role("region", name="Set in hand")
    place = top_of_input(two_things)
    expect(line).to_contain_text("2 contracts governed by Texas law")
    line.get_by_role("button", name="Show").click()
    line.locator(".document").nth(1).wait_for()
    line.locator(".document").first.click()
    two_things.page.get_by_text("In hand 1 of 2").wait_for()
    expect(two_things.page).to_have_url(re.compile("at=set.0"))
    two_things.page.keyboard.press("Escape")
    two_things.idle()

    line.get_by_role("button", name="Clear").click()
    line.get_by_role("button", name="Clear").wait_for(state="detached")
    two_things.page.reload()
    two_things.idle()

    expect(line.get_by_role("button", name="Clear")).to_have_count(0)
    assert top_of_input(two_things) == place
    two_things.page.get_by_role("button", name="New conversation").click()
    two_things.idle()
    assert top_of_input(two_things) == place  # nothing moves, with a set or without


def test_the_line_and_its_menu_can_be_read_by_all(here: Visit) -> None:
    here.ask(TEXAN)
    part(here, "governing law Texas").click()
    here.page.get_by_role("dialog").locator(".option").first.wait_for()

    assert violations_in_both_schemes(here, KNOWN) == {}
