from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from core.config.schema_store import shipped_schemas
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.filled_matrix import CLAUSE, FIELDS

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]

HIDDEN = [each.name for each in shipped_schemas()["contracts"].fields if each.name not in FIELDS]
HAVE_READ = "Have uncertain cells read by the model"
FEW = f"/matrix?hidden={','.join(HIDDEN)}"


@pytest.fixture(scope="session")
def matrix_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real home of ten contracts with cells."""
    home, port = tmp_path_factory.mktemp("matrix") / "home", free_port()
    command = ["-m", "tests.support.serve_matrix", str(port), str(home)]
    yield from serve(command, port, home, lambda _health: True)


def opened(visit: Start, server: Server, path: str = FEW) -> Visit:
    here = visit(server)
    here.open(path)
    here.page.locator(".grid[data-ready], .work .item").first.wait_for()
    return here


def cell(here: Visit, label: str, row: str) -> None:
    """Open the cell of that field in the row of that document."""
    line = here.page.locator(".row", has_text=row)
    line.get_by_role("gridcell", name=f"{label}: ").click()
    here.page.locator(".panel h2", has_text=label).wait_for()


def status(here: Visit, words: str) -> None:
    here.page.locator(".panel .state", has_text=words).wait_for()


def test_documents_and_fields_make_a_grid_with_roles(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)

    grid = here.page.get_by_role("grid", name="Fields of documents")
    expect(grid).to_have_attribute("aria-rowcount", "11")
    expect(here.page.get_by_role("rowheader", name="Acme agreement")).to_be_visible()
    expect(here.page.get_by_role("gridcell", name="Parties: present, Acme Corporation")).to_be_visible()
    expect(here.page.get_by_role("gridcell", name="Parties: unreadable")).to_have_count(1)


def test_the_button_for_a_model_is_not_there_without_one(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    here.idle()

    expect(here.page.get_by_role("button", name=HAVE_READ)).to_have_count(0)


def test_rows_are_sorted_and_filtered_and_the_address_says_so(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    first = here.page.locator("[data-row='0'] .name")

    here.page.get_by_title("Sort by Parties").click()
    here.page.get_by_title("Sort by Parties").click()
    here.page.locator("[data-row='0'] .name", has_text="Iris").wait_for()
    here.page.get_by_role("button", name="Parties: counts, sort, filter").click()
    here.page.get_by_label("Value", exact=True).fill("dune")
    here.page.get_by_role("button", name="Filter", exact=True).click()
    here.page.get_by_text("1 of 10 documents").wait_for()
    here.page.wait_for_url("**where=*")
    expect(first).to_have_text("Dune agreement")

    copied = opened(visit, matrix_server, here.page.url.removeprefix(matrix_server.url))
    copied.page.get_by_role("button", name="Remove the filter Parties contains dune").click()
    copied.page.get_by_text("10 documents", exact=True).wait_for()
    copied.page.get_by_role("button", name="Parties: counts, sort, filter").click()
    copied.page.get_by_role("button", name="▲ Unreadable").click()
    copied.page.get_by_text("1 of 10 documents").wait_for()
    expect(copied.page.locator("[data-row='0'] .name")).to_have_text("Juno agreement")


def test_a_cell_opens_on_its_words_which_are_highlighted(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Parties", "Acme")

    box = here.page.locator(".panel .boxes .focus").first
    box.wait_for(state="attached")
    here.page.locator(".panel .words text").first.wait_for(state="attached")
    covered, highlight = [], box.bounding_box()
    assert highlight is not None
    for word in here.page.locator(".panel .words text").all():
        place = word.bounding_box()
        assert place is not None
        middle = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        if (
            highlight["x"] < middle[0] < highlight["x"] + highlight["width"]
            and highlight["y"] < middle[1] < highlight["y"] + highlight["height"]
        ):
            covered.append(str(word.text_content()).strip())
    assert covered == ["Acme", "Corporation"]
    expect(here.page).to_have_url(re.compile("cell="))


def test_cells_are_decided_by_keys(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Parties", "Cobalt")
    keys = here.page.keyboard

    keys.press("c")
    status(here, "✓ admin")
    here.page.get_by_role("gridcell", name="Parties: present, Cobalt Corporation, reviewed").wait_for()
    keys.press("a")
    status(here, "○ Absent")
    keys.press("u")
    status(here, "● Present")
    keys.press("u")
    here.page.locator(".panel .by").wait_for(state="detached")
    keys.press("e")
    keys.press("Control+a")
    keys.type("Nordwind GmbH\nCobalt Holding Ltd.")
    keys.press("Control+Enter")
    here.page.locator("form.correct .unfound", has_text="Cobalt Holding Ltd.").wait_for()
    keys.press("Control+Enter")
    status(here, "Nordwind GmbH")
    status(here, "Not found in the document: Cobalt Holding Ltd.")
    here.page.get_by_text("History (5)").click()
    expect(here.page.locator(".panel li").first).to_contain_text("corrected")


def test_a_value_is_added_to_those_that_are_there(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Parties", "Fathom")
    keys = here.page.keyboard

    keys.press("e")
    expect(here.page.locator("form.correct textarea")).to_have_value("Fathom Corporation\n")
    keys.type("Nordwind GmbH")
    keys.press("Control+Enter")

    status(here, "Nordwind GmbH")
    assert here.page.locator(".panel .state .read").all_text_contents() == [
        "Fathom Corporation",
        "Nordwind GmbH",
    ]
    expect(here.page.locator(".panel .state .unfound")).to_have_count(0)


def test_where_a_clause_stands_is_said_by_keys(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Audit rights", "Harbor")
    keys = here.page.keyboard

    keys.press("e")
    assert here.page.get_by_role("radio", name="Present").evaluate(
        "node => node.getRootNode().activeElement === node"
    )
    here.page.get_by_label("Find words in the document").press_sequentially("written notice")
    here.page.locator("form.correct .hit", has_text="Either party may terminate").wait_for()
    keys.press("ArrowDown")
    keys.press("Space")
    here.page.locator(".panel mark", has_text="Either party may terminate").wait_for()
    keys.press("Enter")

    status(here, "● Present")
    status(here, "✓ admin")
    expect(here.page.locator("form.correct")).to_have_count(0)

    keys.press("e")
    keys.press("ArrowDown")
    keys.press("Enter")
    status(here, "○ Absent")


def test_what_is_no_date_is_said_and_nothing_is_kept(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Effective date", "Dune")

    here.page.keyboard.press("e")
    here.page.keyboard.type("31/02/2020")
    here.page.keyboard.press("Enter")

    here.page.get_by_text("'31/02/2020' is no date").wait_for()
    status(here, "1 Mar 2018")
    expect(here.page.locator(".panel .state", has_text="31")).to_have_count(0)
    expect(here.page.locator(".panel .by")).to_have_count(0)


def test_words_marked_on_the_page_become_the_value(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    cell(here, "Parties", "Borealis")
    here.page.locator(".panel .words text", has_text="Nordwind").wait_for(state="attached")

    here.page.keyboard.press("e")
    start = here.page.locator(".panel .words text", has_text="Nordwind").bounding_box()
    end = here.page.locator(".panel .words text", has_text="GmbH").bounding_box()
    assert start is not None
    assert end is not None
    here.page.mouse.move(start["x"] + 1, start["y"] + start["height"] / 2)
    here.page.mouse.down()
    here.page.mouse.move(end["x"] + end["width"] - 3, end["y"] + end["height"] / 2, steps=8)
    here.page.mouse.up()
    here.page.get_by_text("Marked on page 1").wait_for()
    expect(here.page.locator("form.correct textarea")).to_have_value(re.compile("Nordwind GmbH"))
    here.page.locator("form.correct textarea").fill("Nordwind GmbH")
    here.page.keyboard.press("Control+Enter")

    status(here, "Nordwind GmbH")
    here.page.locator(".panel .boxes .focus").first.wait_for(state="attached")
    expect(here.page.locator("form.correct")).to_have_count(0)


def test_the_later_of_two_reviewers_sees_the_earlier(visit: Start, matrix_server: Server) -> None:
    first, second = opened(visit, matrix_server), opened(visit, matrix_server)
    cell(first, "Parties", "Ember")
    cell(second, "Parties", "Ember")

    first.page.keyboard.press("a")
    status(first, "✓ admin")
    second.page.keyboard.press("c")

    second.page.get_by_text("after you opened it").wait_for()
    status(second, "○ Absent")
    expect(second.page.locator(".panel .state", has_text="Present")).to_have_count(0)
    expect(second.page.get_by_text("after you opened it")).to_be_visible()


def test_the_work_list_goes_from_cell_to_cell(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server, "/matrix?mode=work&hidden=termination_notice,contract_value")
    progress, keys = here.page.locator(".progress"), here.page.keyboard
    here.page.locator(".panel h2", has_text="Audit rights").wait_for()
    expect(progress).to_have_text(re.compile("^1 of "))
    first = str(here.page.locator(".item.on .document").text_content())

    keys.press("c")
    here.page.locator(".progress", has_text="1 decided").wait_for()
    here.page.locator(".panel .document", has_text=first).wait_for(state="detached")
    keys.press("2")
    here.page.locator(".progress", has_text="2 decided").wait_for()
    keys.press("n")
    here.page.locator(".progress strong", has_text="4 of").wait_for()
    keys.press("u")
    here.page.locator(".progress", has_text="1 decided").wait_for()
    expect(progress).to_have_text(re.compile("^2 of "))


def test_columns_are_chosen_and_kept_as_a_set(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    here.page.get_by_role("button", name=re.compile("^Columns")).click()
    here.page.get_by_role("button", name="None", exact=True).click()
    for name in ("Parties", "Governing law"):
        here.page.get_by_role("checkbox", name=name, exact=True).check()
    here.page.get_by_label("Name of this set").fill("Who and where")
    here.page.get_by_role("button", name="Save the set").click()
    here.page.get_by_role("button", name="Remove the set Who and where").wait_for()

    again = opened(visit, matrix_server)
    again.page.get_by_role("button", name=re.compile("^Columns")).click()
    again.page.get_by_role("button", name="Who and where", exact=True).click()
    again.page.get_by_role("columnheader", name="Parties").wait_for()
    again.page.get_by_role("columnheader", name="Vendor").wait_for(state="detached")
    expect(again.page.get_by_role("columnheader")).to_have_count(3)


def test_what_is_shown_is_exported(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    with here.page.expect_download() as download:
        here.page.get_by_role("link", name="CSV").click()
    read = list(csv.DictReader(Path(download.value.path()).read_text("utf-8-sig").splitlines()))

    assert download.value.suggested_filename == "matrix-contracts.csv"
    assert len(read) == 10


def test_the_grid_is_walked_by_keys(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    here.page.get_by_role("grid").focus()
    for key in ("Control+Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        here.page.keyboard.press(key)
    here.page.locator(".panel .document", has_text="Borealis").wait_for()
    here.page.keyboard.press("ArrowDown")
    here.page.locator(".panel .document", has_text="Cobalt").wait_for()
    expect(here.page.locator(".panel .document", has_text="Borealis")).to_have_count(0)
    here.page.keyboard.press("Escape")
    here.page.locator(".panel").wait_for(state="hidden")
    expect(here.page.get_by_role("grid")).to_be_visible()


def walk_to(here: Visit, label: str, row: str) -> None:
    """Make that cell the active one by keys alone: none is open."""
    grid = here.page.get_by_role("grid")
    grid.focus()
    here.page.keyboard.press("Control+Home")
    line = here.page.locator(".row", has_text=row)
    wanted = line.get_by_role("gridcell", name=f"{label}: ").get_attribute("id")
    assert wanted is not None
    _, down, right = wanted.split("-")
    for key, times in (("ArrowDown", int(down)), ("ArrowRight", int(right))):
        for _ in range(times):
            here.page.keyboard.press(key)
    here.page.locator(".hint strong", has_text=label).wait_for()
    expect(grid).to_have_attribute("aria-activedescendant", wanted)


def test_undecided_cells_show_their_best_guess_and_say_that_it_is_one(
    visit: Start, matrix_server: Server
) -> None:
    here = opened(visit, matrix_server)

    guess = here.page.get_by_role("gridcell", name="Contract value: best guess, 62 %, not decided: USD 5,250")
    expect(guess).to_contain_text("62 %")
    expect(guess).to_contain_text("USD 5,250")
    assert "g" in str(guess.get_attribute("class")).split()
    clause = here.page.get_by_role("gridcell", name="Audit rights: best guess, 55 %, not decided: Yes")
    clause.nth(4).wait_for(state="attached")
    sure = here.page.get_by_role("gridcell", name="Governing law: present, Delaware").first
    expect(sure).not_to_contain_text("%")
    bar = here.page.get_by_role("columnheader", name=re.compile("Contract value")).locator(".bar")
    expect(bar).to_have_attribute("aria-label", re.compile("best guess, not decided 10 %"))
    expect(bar).to_have_attribute("aria-label", re.compile("unreadable 10 %"))


def test_a_guess_is_decided_by_one_key_in_the_grid_and_taken_back(
    visit: Start, matrix_server: Server
) -> None:
    here = opened(visit, matrix_server)
    keys = here.page.keyboard
    walk_to(here, "Contract value", "Ember")
    here.page.locator(".hint", has_text="Best guess: USD 5,250, 62 %").wait_for()

    keys.press("c")
    here.page.get_by_role("gridcell", name="Contract value: present, USD 5,250, reviewed").wait_for()
    here.page.get_by_role("status").filter(has_text="Confirmed: USD 5,250").wait_for()
    expect(here.page.locator(".panel")).to_be_hidden()
    keys.press("u")
    here.page.get_by_role(
        "gridcell", name="Contract value: best guess, 62 %, not decided: USD 5,250"
    ).wait_for()
    keys.press("a")
    line = here.page.locator(".row", has_text="Ember")
    line.get_by_role("gridcell", name="Contract value: absent, reviewed").wait_for()
    keys.press("u")
    line.get_by_role("gridcell", name="Contract value: best guess").wait_for()


def test_c_is_off_while_two_readings_tie_and_a_number_chooses(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    keys, line = here.page.keyboard, here.page.locator(".row", has_text="Harbor")
    walk_to(here, "Termination notice", "Harbor")
    tie = line.get_by_role("gridcell", name="Two readings tie: choose 1 or 2")
    tie.wait_for()

    keys.press("c")
    here.page.get_by_role("status").filter(has_text="Two readings tie: choose 1 or 2. C is off.").wait_for()
    expect(tie).to_have_count(1)
    keys.press("Enter")
    here.page.locator(".panel h2", has_text="Termination notice").wait_for()
    expect(here.page.get_by_role("button", name=re.compile("^Confirm"))).to_be_disabled()
    keys.press("c")
    here.page.locator(".panel .said", has_text="C is off").wait_for()
    keys.press("Escape")
    here.page.locator(".panel").wait_for(state="hidden")
    keys.press("2")
    line.get_by_role("gridcell", name="Termination notice: present, 365 days, reviewed").wait_for()
    keys.press("u")
    tie.wait_for()


def test_the_later_of_two_who_decide_in_the_grid_sees_the_earlier(
    visit: Start, matrix_server: Server
) -> None:
    here = opened(visit, matrix_server)
    walk_to(here, "Audit rights", "Glacier")
    asked = {"bucket": "contracts", "fields": "audit_rights", "text": "Glacier"}
    found = here.page.request.get(f"{matrix_server.url}/api/matrix/rows", params=asked).json()
    address = f"{matrix_server.url}/api/matrix/cells/{found['rows'][0]['id']}/audit_rights"

    said = here.page.request.post(address, data={"action": "absent"}, headers={"origin": matrix_server.url})
    here.page.keyboard.press("c")

    assert said.ok
    here.page.locator(".said", has_text="after you opened it").wait_for()
    line = here.page.locator(".row", has_text="Glacier")
    line.get_by_role("gridcell", name="Audit rights: absent, reviewed").wait_for()
    here.page.keyboard.press("u")
    line.get_by_role("gridcell", name="Audit rights: best guess").wait_for()


def test_guesses_are_filtered_and_ordered(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    here.page.get_by_role("button", name="Contract value: counts, sort, filter").click()
    here.page.locator(".quality", has_text="Decided: 8 of 9 readable documents").wait_for()
    here.page.get_by_role("button", name="Not decided, most likely first").click()
    here.page.get_by_text("1 of 10 documents").wait_for()
    here.page.get_by_role("button", name="Remove the filter Contract value: uncertain").click()
    here.page.get_by_text("10 documents", exact=True).wait_for()

    here.page.get_by_role("button", name="Contract value: counts, sort, filter").click()
    here.page.get_by_label("Sure at least").select_option("0.7")
    here.page.get_by_text("8 of 10 documents").wait_for()
    here.page.get_by_role("button", name="Remove the filter Contract value: at least 70 % sure").click()
    here.page.get_by_role("button", name="Contract value: counts, sort, filter").click()
    here.page.get_by_role("button", name="Rising with guesses ↑").click()
    here.page.wait_for_url("**sort=contract_value%40any*")
    expect(here.page.locator("[data-row='3'] .name")).to_contain_text("Ember")


def test_columns_chosen_last_are_there_again_and_built_in_sets_choose_them(
    visit: Start, matrix_server: Server
) -> None:
    here = opened(visit, matrix_server, "/matrix?hidden=-")
    here.page.get_by_role("button", name=re.compile("^Columns")).click()
    here.page.get_by_role("group", name="Sets of columns").get_by_role("button", name="Money").click()
    here.page.get_by_role("columnheader", name=re.compile("Contract value")).wait_for()
    here.page.wait_for_url("**hidden=*parties*")

    again = opened(visit, matrix_server, "/matrix")
    again.page.get_by_role("columnheader", name=re.compile("Contract value")).wait_for()
    expect(again.page.get_by_role("columnheader", name=re.compile("Parties"))).to_have_count(0)

    again.page.get_by_role("button", name=re.compile("^Columns")).click()
    again.page.get_by_role("button", name="With values", exact=True).click()
    again.page.get_by_role("columnheader", name=re.compile("Parties")).wait_for()


@pytest.mark.parametrize(
    "path", ["/matrix?hidden=-", "/matrix?hidden=-&mode=work", "/matrix?hidden=-&sort=parties"]
)
def test_the_matrix_is_accessible(visit: Start, matrix_server: Server, path: str) -> None:
    here = opened(visit, matrix_server, path)
    if "sort" in path:
        cell(here, "Parties", "Glacier")
        here.page.get_by_role("button", name="Governing law: counts, sort, filter").click()
    here.idle()

    assert violations_in_both_schemes(here) == {}


@pytest.mark.parametrize("path", ["/schemas", "/schemas?field=%2B", "/schemas?part=When+it+is+sure"])
def test_schemas_are_accessible(visit: Start, matrix_server: Server, path: str) -> None:
    here = visit(matrix_server)
    here.open(path)
    here.idle(700)  # buttons fade in

    assert violations_in_both_schemes(here) == {}


def test_the_page_says_where_a_promise_does_not_hold(visit: Start, matrix_server: Server) -> None:
    here = opened(visit, matrix_server)
    found = here.page.request.get(
        f"{matrix_server.url}/api/matrix/rows", params={"bucket": "contracts", "fields": CLAUSE}
    ).json()
    for row in found["rows"]:
        if row["cells"][0][0] == "p":
            said = here.page.request.post(
                f"{matrix_server.url}/api/matrix/cells/{row['id']}/{CLAUSE}",
                data={"action": "absent"},
                headers={"origin": matrix_server.url},
            )
            assert said.ok

    again = opened(visit, matrix_server)
    again.page.locator(".promise.broken", has_text="The promise does not hold here").wait_for()
    again.page.locator(".promise", has_text="called present 0 of 9 (0 %").wait_for()
    again.open("/schemas?schema=contracts&part=When+it+is+sure")
    again.page.get_by_text("0 of 9 checked present cells were right (0 %), promised 95 %").wait_for()
    expect(again.page.get_by_text("The promise does not hold here").first).to_be_visible()
