"""Answers over fields: the ledger, tables, charts, and what is asked back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from core.cli.main import groundwork
from tests.browser.conftest import Server, Visit, serve_sample, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
LACK = "Which contracts lack force majeure?"
BY_LAW = "How many contracts are there by governing law?"
HOW_MANY = "How many contracts have a termination clause?"
ALIKE = "Which contracts have liability?"
WHICH = "What is the width of the AlphaSolar panel?"  # asked back in every conversation
KNOWN = {"list", "listitem", "svg-img-alt", "color-contrast-enhanced", "region", "page-has-heading-one"}


@pytest.fixture(scope="module")
def planned_server(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The sample collection, whose answers are planned."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
        patch.setenv("GROUNDWORK_RETRIEVAL__MAX_HITS", "40")  # of 47: more are too many
        yield from serve_sample(sample_home, tmp_path_factory.mktemp("planned"))


@pytest.fixture
def here(visit: Start, planned_server: Server) -> Visit:
    found = visit(planned_server)
    found.open()
    return found


def numbers(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", text)]


def test_the_ledger_adds_up_and_a_part_opens_a_document_and_goes_into_a_file(here: Visit) -> None:
    here.ask(LACK)
    scope, *parts = numbers(here.page.locator(".sum").inner_text())
    here.page.get_by_role("button", name=re.compile(r"\d+ present")).click()
    rows = here.page.locator(".ledger .document")
    rows.first.wait_for()
    with here.page.expect_download() as saved:
        here.page.get_by_role("link", name=re.compile(r"Download \d+ documents present as CSV")).click()
    lines = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text("utf-8-sig"))))
    rows.first.click()
    here.page.get_by_text("Present 1 of").wait_for()
    here.page.locator(".st-key-evidence-panel .focus").first.wait_for(state="attached")

    assert scope == sum(parts)
    assert len(lines) == parts[0]
    expect(rows).to_have_count(parts[0])
    assert all(line["Quote"] for line in lines)
    expect(here.page).to_have_url(re.compile("at=present.0"))


def test_what_is_left_out_of_a_count_is_said_and_counted_by_one_click(here: Visit) -> None:
    here.ask(HOW_MANY)
    said = here.page.locator("p.asked", has_text="are counted")
    expect(said).to_contain_text("1 amendment, 1 policy")
    expect(here.page.locator(".ledger .beside")).to_contain_text("Left out: amendment (1), policy (1)")
    scope = numbers(said.inner_text())[0]
    here.page.get_by_role("button", name="Count all").scroll_into_view_if_needed()
    assert violations_in_both_schemes(here, KNOWN) == {}

    here.page.get_by_role("button", name="Count all").click()
    expect(said).to_have_count(2)
    expect(said.last).to_contain_text(f"{scope + 2} documents are counted, of every kind of contracts")
    expect(here.page.get_by_role("button", name="Count all")).to_have_count(1)


def test_amounts_in_several_currencies_are_converted_by_one_click(here: Visit) -> None:
    home = ("--home", str(here.server.home))
    CliRunner().invoke(groundwork, ["rates", "choose", "--base", "EUR", *home])
    rate = ("USD=0.92", "--day", "2024-01-01", "--source", "ECB")
    assert CliRunner().invoke(groundwork, ["rates", "set", *rate, *home]).exit_code == 0
    here.ask("What is the total contract value?")
    button = here.page.get_by_role("button", name="Convert to EUR")
    button.scroll_into_view_if_needed()
    assert violations_in_both_schemes(here, KNOWN) == {}

    button.click()
    told = here.page.get_by_text("1 USD = EUR 0.92 of 1 Jan 2024 (ECB)")
    told.wait_for()
    expect(told).to_contain_text("converted to EUR: EUR 90,000.00 (1 value) and USD")
    expect(here.page.locator(".reading").last).to_contain_text("in EUR")
    here.open("/settings")
    expect(here.page.get_by_text("Money and years")).to_be_visible()
    assert violations_in_both_schemes(here) == {}


def test_the_parts_of_the_ledger_open_and_close_by_keys(here: Visit) -> None:
    here.ask(LACK)
    button = here.page.get_by_role("button", name=re.compile(r"\d+ absent"))
    button.focus()
    here.page.keyboard.press("Enter")
    here.page.locator(".ledger .document").first.wait_for()
    expect(button).to_have_attribute("aria-expanded", "true")

    here.page.keyboard.press("Enter")

    here.page.locator(".ledger .document").first.wait_for(state="hidden")
    expect(button).to_have_attribute("aria-expanded", "false")


def test_a_row_of_the_table_opens_on_the_words_that_it_states(here: Visit) -> None:
    here.ask("Which contracts have a contract value of at least 1000000 USD?")
    here.idle()
    here.page.get_by_role("button", name="Contract value", exact=True).click()
    heads = here.page.locator(".tabled th")
    expect(heads.nth(1)).to_have_attribute("aria-sort", "ascending")
    here.idle()
    amounts = [
        numbers(text.replace(",", ""))[0] for text in here.page.locator(".tabled td.right").all_inner_texts()
    ]

    here.page.locator(".tabled .open").first.click()
    here.page.get_by_text("Citation 2 of").wait_for()

    assert amounts == sorted(amounts)
    assert len(amounts) == 2


def test_a_chip_in_the_table_opens_its_own_row_where_several_say_the_same(here: Visit) -> None:
    here.ask("List all fuel purchases of Truck 14")
    same = here.page.locator(".tabled tbody tr", has_text="Truck 14")
    expect(same).to_have_count(2)
    numbers = []
    for at in range(2):
        chip = same.nth(at).locator("td", has_text="Truck 14").locator(".chip")
        numbers.append(int(chip.inner_text()))
        chip.click()
        here.page.get_by_text(f"Citation {numbers[-1]} of").wait_for()
        here.idle()

    assert len(set(numbers)) == 2
    own = [set(map(int, row.locator(".chip").all_inner_texts())) for row in same.all()]
    assert not own[0] & own[1]


def test_groups_have_a_chart_beside_their_table_and_both_go_into_files(here: Visit) -> None:
    here.ask(BY_LAW)
    chart = here.page.get_by_role(
        "img", name="Bar chart: number by governing law. Its values are in the table."
    )
    chart.locator(".bars path").first.wait_for()
    rows = here.page.locator(".tabled tbody tr")

    rows.nth(4).wait_for(state="attached")
    expect(chart.locator(".bars path")).to_have_count(rows.count())
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("HTML", b"<!doctype html>")):
        with here.page.expect_download() as saved:
            here.page.get_by_label(f"Download the chart as {kind}").click()
        assert Path(saved.value.path()).read_bytes().startswith(begins), kind
    rows.first.locator(".open").click()
    here.page.locator(".tabled .list .document").first.wait_for()


def test_words_with_two_meanings_are_asked_about_and_the_choice_is_remembered(here: Visit) -> None:
    here.ask(ALIKE)
    card = here.page.get_by_role("dialog", name="Which do you mean?")
    card.wait_for()
    choice = card.get_by_role("group", name="What you may mean").get_by_role("button").first
    assert re.search(r"\d+ documents", choice.inner_text())
    before = here.page.get_by_text("Answered in").count()
    choice.click()
    here.page.get_by_text("Answered in").nth(before).wait_for()
    here.idle()
    expect(here.page.get_by_text("Understood “liability” as")).to_have_count(1)

    here.ask("Which ACME contracts have liability?")

    expect(here.page.get_by_text("Understood “liability” as")).to_have_count(2)
    expect(card).to_have_count(1)

    before = here.page.get_by_text("Answered in").count()
    here.page.get_by_role("button", name="Ask me again").last.click()
    here.page.get_by_text("Answered in").nth(before).wait_for()
    here.idle()
    expect(card).to_have_count(2)
    answered = here.page.get_by_role("button", name="Copy with citations")
    expect(answered).to_have_count(2)


def test_too_much_is_said_and_can_be_fetched_whole(here: Visit) -> None:
    here.ask("List everything")
    card = here.page.get_by_role("dialog", name="Too much fits")
    card.wait_for()
    with here.page.expect_download() as saved:
        card.get_by_label("Download all that fits as CSV").click()
    lines = Path(saved.value.path()).read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("Document,File,Bucket,")
    assert lines[0].endswith(",Link,Document id")
    assert len(lines) > 40


def test_what_was_typed_in_the_box_stays_when_a_choice_is_clicked(here: Visit) -> None:
    here.ask(ALIKE)
    card = here.page.get_by_role("dialog", name="Which do you mean?")
    card.wait_for()
    here.page.get_by_test_id("stChatInputTextArea").fill("a draft of mine")
    before = here.page.get_by_text("Answered in").count()
    card.get_by_role("group", name="What you may mean").get_by_role("button").first.click()
    here.page.get_by_text("Answered in").nth(before).wait_for()
    here.idle()

    expect(here.page.get_by_test_id("stChatInputTextArea")).to_have_value("a draft of mine")


def test_what_fits_nothing_shows_what_was_tried_and_takes_other_words(here: Visit) -> None:
    here.ask("Which contracts have a noise cap?")
    card = here.page.get_by_role("dialog", name="Nothing fits so far")
    card.wait_for()
    expect(card.get_by_text("What was tried")).to_be_visible()
    before = here.page.get_by_text("Answered in").count()
    card.get_by_role("textbox").fill("force majeure")
    card.get_by_role("button", name="Ask").click()
    here.page.get_by_text("Answered in").nth(before).wait_for()
    here.idle()

    expect(here.page.locator(".ledger")).to_have_count(1)


def test_computed_answers_have_no_barriers(here: Visit) -> None:
    here.ask(BY_LAW)
    here.page.get_by_role("button", name=re.compile(r"\d+ present")).click()
    here.page.locator(".ledger .document").first.wait_for()
    here.ask(WHICH)
    here.page.get_by_role("dialog").wait_for()

    assert violations_in_both_schemes(here, KNOWN) == {}


def test_a_question_has_its_own_level_which_its_ledger_names_and_its_lists_keep(here: Visit) -> None:
    asked = "Which contracts have a volume restriction?"
    here.ask(asked)
    own = here.page.locator(".ledger .part").all_inner_texts()
    here.idle()
    box = here.page.get_by_test_id("stSidebar").get_by_role("combobox", name="How sure")
    box.scroll_into_view_if_needed()  # a list that is open closes as its box is scrolled
    here.page.wait_for_timeout(500)
    box.click()
    here.page.get_by_role("option", name="Strict", exact=True).click()
    here.idle()
    here.ask(asked)
    strict = here.page.locator(".ledger").last
    strict.get_by_text("clauses decided at the level strict").wait_for()
    parts = strict.locator(".part").all_inner_texts()

    assert [sum(numbers(" ".join(each))) for each in (own[:4], parts)] == [15, 15]
    uncertain = strict.locator(".part.uncertain")
    count = numbers(uncertain.inner_text())[0]
    assert count > numbers(own[2])[0]
    uncertain.click()
    strict.locator(".list .document").first.wait_for()
    expect(strict.locator(".list .document")).to_have_count(count)
