from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from core.config.models import Settings
from core.store.store import Records
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.mapped import papers

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
COVERED = """() => {
  const inside = (each) => (each.shadowRoot ? all(each.shadowRoot) : []);
  const all = (root) => [...root.querySelectorAll("*")].flatMap((each) => [each, ...inside(each)]);
  const drawn = all(document).filter((each) => each.matches(".stage .node .name, .stage .node .dot"));
  const seen = drawn.filter((each) => getComputedStyle(each).visibility === "visible");
  const at = seen.map((each) => [each.textContent, each.getBoundingClientRect()]);
  const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pairs = at.flatMap((one, n) => at.slice(n + 1).map((other) => [one, other]));
  return [seen.length > 3, ...pairs.filter(([[, a], [, b]]) => covers(a, b)).map(String)];
}"""
FOCUSED = """() => { let at = document.activeElement; while (at?.shadowRoot) at = at.shadowRoot.activeElement;
  return at?.dataset?.id || null; }"""
MIXED = """() => {
  let written = false;
  window.mixed = 0;
  const set = CSSStyleDeclaration.prototype.setProperty;
  CSSStyleDeclaration.prototype.setProperty = function (...given) {
    written = true;
    Promise.resolve().then(() => { written = false; });
    return set.apply(this, given);
  };
  for (const size of ["offsetWidth", "offsetHeight"]) {
    const { get } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, size);
    Object.defineProperty(HTMLElement.prototype, size, { get() {
      if (written && this.matches(".stage .node, .stage .name")) window.mixed += 1;
      return get.call(this);
    } });
  }
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Papers that are connected."""
    home, port = tmp_path_factory.mktemp("map") / "home", free_port()
    command = ["-m", "tests.support.serve_matrix", str(port), str(home)]
    for served in serve(command, port, home, lambda _health: True):
        with Records.open(Settings(home=home)) as records:
            papers(records)
        yield served


def test_sizes_of_names_are_read_before_any_is_moved(visit: Start, server: Server) -> None:
    here = visit(server)
    here.open("/map?bucket=papers")
    delta = here.page.get_by_role("button", name=re.compile("^Party Delta Freight GmbH"))
    expect(delta).to_be_visible()
    here.page.evaluate(MIXED)
    delta.focus()
    expect(delta).to_have_class(re.compile("near"))
    assert here.page.evaluate("window.mixed") == 0


def test_an_analyst_walks_the_map_by_keyboard_and_reads_the_words(visit: Start, server: Server) -> None:
    here = visit(server)
    page = here.page
    here.open("/map?bucket=papers")
    delta = page.get_by_role("button", name=re.compile("^Party Delta Freight GmbH"))
    expect(delta).to_be_visible()
    page.locator(".stage .node[tabindex='0']").focus()
    first = page.evaluate(FOCUSED)
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    assert page.evaluate(FOCUSED) is not None
    assert first is not None
    delta.focus()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("node=party"))
    said = page.locator(".st-key-map-edges")
    expect(said).to_contain_text("names Delta Freight GmbH as customer")
    expect(said.get_by_role("link", name="page 1").first).to_have_attribute(
        "href", re.compile("/documents.*start=")
    )
    assert violations_in_both_schemes(here) == {}


def test_ways_are_found_between_two_names_and_the_link_opens_them_again(visit: Start, server: Server) -> None:
    here = visit(server)
    page = here.page
    here.open("/map?bucket=papers")
    page.get_by_text("How are two of them connected?").click()
    page.get_by_role("textbox", name="From").fill("ACME Widgets")
    page.get_by_role("textbox", name="To", exact=True).fill("beta foods")
    page.get_by_role("button", name="Find the ways").click()
    steps = page.locator(".st-key-map-steps")
    expect(steps).to_contain_text("names ACME Widgets Ltd as vendor")
    here.open(page.url.removeprefix(server.url))
    expect(steps).to_contain_text("names Beta Foods Inc.")
    expect(page.locator(".stage .node").first).to_be_visible()
    assert page.evaluate(COVERED) == [True]


def test_what_is_found_is_opened_from_the_table(visit: Start, server: Server) -> None:
    here = visit(server)
    page = here.page
    here.open("/map?bucket=papers&words=hx")
    page.get_by_role("button", name="HX-900").first.click()
    expect(page.locator(".st-key-map-edges")).to_contain_text("Model: HX-900")


def test_a_question_for_a_connection_leads_to_its_ways_on_the_map(visit: Start, server: Server) -> None:
    here = visit(server)
    page = here.page
    here.open()
    here.ask("How is ACME Widgets connected with Beta Foods?")
    expect(page.get_by_text("is connected with Beta Foods Inc.").first).to_be_visible()
    expect(page.get_by_text("names Delta Freight GmbH as customer").first).to_be_visible()
    assert violations_in_both_schemes(here) == {}
    page.get_by_role("link", name="Show these ways on the map").click()

    steps = page.locator(".st-key-map-steps")
    expect(steps).to_contain_text("names ACME Widgets Ltd as vendor")
    expect(page).to_have_url(re.compile("from=ACME"))
