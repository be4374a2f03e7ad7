from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from samples import COLLECTION
from tests.browser.conftest import ROOT, Server, Visit, violations_in_both_schemes

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]

TOTAL = "total value of contracts expiring in Q4 2024"
LACK = "Which contracts lack force majeure?"
SCOPE = {"schema_name": "contracts"}
SIDES: dict[str, Any] = {
    "question": "How many agreements under New York law are worth more than 100,000?",
    "kind": "aggregate",
    "route": "structured",
    "nodes": [
        {
            "id": "law",
            "type": "select",
            "purpose": "Find contracts under New York law",
            "scope": SCOPE,
            "conditions": [{"field": "governing_law", "op": "=", "value": "New York"}],
        },
        {
            "id": "large",
            "type": "select",
            "purpose": "Find large contracts",
            "scope": SCOPE,
            "conditions": [{"field": "contract_value", "op": ">", "value": "100 USD"}],
        },
        {
            "id": "both",
            "type": "combine",
            "purpose": "Keep what is in both",
            "inputs": ["law", "large"],
            "how": "intersect",
        },
        {
            "id": "count",
            "type": "aggregate",
            "purpose": "Count them",
            "inputs": ["both"],
            "function": "count",
        },
    ],
    "answer_node": "count",
}
# Every state that a node is shown in, in order.
WATCH = """plan => { window.seen = []; new MutationObserver((all) => all.forEach(({ target }) =>
  window.seen.push(`${target.dataset.node} ${target.dataset.state}`)))
  .observe(plan, { subtree: true, attributes: true, attributeFilter: ['data-state'] }) }"""
FOCUSED = """() => { let at = document.activeElement; while (at?.shadowRoot?.activeElement)
  at = at.shadowRoot.activeElement; return at ? `${at.getAttribute('aria-label') || ''} ${at.textContent} ` +
  (at.dataset.node || '') : '' }"""


def drawn(visit: Start, server: Server, question: str) -> Visit:
    """The plan of a question, not run."""
    here = visit(server)
    here.open("/inspector")
    here.page.get_by_label("Question").fill(question)
    here.page.keyboard.press("Enter")
    here.page.locator(".node").first.wait_for()
    here.idle()
    return here


def run(here: Visit) -> None:
    here.page.get_by_role("button", name="Run", exact=True).click()
    here.page.get_by_text("ms in all").wait_for()
    here.idle()


def imported(visit: Start, server: Server, plan: dict[str, Any]) -> Visit:
    here = visit(server)
    here.open("/inspector")
    here.page.get_by_label("Or paste it").fill(json.dumps(plan))
    here.page.keyboard.press("Control+Enter")
    here.page.get_by_role("button", name="Open this plan").click()
    here.page.locator(".st-key-foot", has_text="job").wait_for(
        state="detached"
    )  # it would change what is kept
    here.idle()
    return here


def states(page: Page) -> dict[str, str]:
    return {
        str(each.get_attribute("data-node")): str(each.get_attribute("data-state"))
        for each in page.locator(".node").all()
    }


def groundwork(server: Server, *words: str) -> str:
    """Output of the command line over the home of a server."""
    command = [sys.executable, "-m", "core.cli", *words, "--home", str(server.home)]
    done = subprocess.run(
        command, check=True, cwd=ROOT, env={**os.environ}, timeout=120, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def tab_to(page: Page, words: str, most: int = 60, key: str = "Tab") -> None:
    """Press Tab until the focus is on what says these words."""
    for _ in range(most):
        page.keyboard.press(key)
        if words in str(page.evaluate(FOCUSED)):
            return
    raise AssertionError(f"{most} times {key} lead to {page.evaluate(FOCUSED)!r}, not to {words!r}")


def test_a_plan_is_drawn_before_it_runs_and_its_nodes_change_as_they_run(
    visit: Start, sample_server: Server
) -> None:
    here = drawn(visit, sample_server, TOTAL)
    assert states(here.page) == {"select-1": "idle", "aggregate-1": "idle"}
    expect(here.page.locator("[data-node=select-1] .figures")).to_contain_text("about")
    here.page.locator(".plan").evaluate(WATCH)

    run(here)

    seen = here.page.evaluate("window.seen")
    for node in ("select-1", "aggregate-1"):
        assert f"{node} running" in seen
        assert seen.index(f"{node} running") < len(seen) - 1 - seen[::-1].index(f"{node} done")
    assert states(here.page) == {"select-1": "done", "aggregate-1": "done"}
    expect(here.page.locator("[data-node=aggregate-1] .figures")).to_contain_text("USD 2,332,000")
    expect(here.page.locator(".st-key-answer-panel").get_by_text("USD 2,332,000.00").first).to_be_visible()


def test_an_edit_runs_only_what_depends_on_it_and_says_what_it_changed(
    visit: Start, sample_server: Server
) -> None:
    here = imported(visit, sample_server, SIDES)
    here.page.get_by_text("ms in all").wait_for()
    here.idle()
    before = here.page.locator("[data-node=count] .figures").text_content()

    here.page.locator("[data-node=large]").click()
    amount = here.page.get_by_label("Condition on Contract value: value", exact=True)
    amount.fill("500,000")
    amount.press("Enter")
    here.page.get_by_text("What changed").wait_for()
    here.idle()

    assert states(here.page) == {"law": "kept", "large": "done", "both": "done", "count": "done"}
    expect(here.page.get_by_text("law: from memory")).to_be_visible()
    expect(here.page.get_by_text("large: ran again")).to_be_visible()
    expect(here.page.locator("[data-node=count] .figures")).not_to_have_text(str(before))
    expect(here.page.locator(".was").first).to_be_visible()
    edited = here.page.url

    here.page.get_by_role("button", name="Undo").click()
    here.page.locator("[data-node=count][data-state=kept]").wait_for()
    here.idle()
    assert set(states(here.page).values()) == {"kept"}
    expect(amount).to_have_value("100")

    copied = visit(sample_server)
    copied.open(edited.removeprefix(sample_server.url))
    copied.page.get_by_text("ms in all").wait_for()
    assert (
        copied.page.get_by_label("Condition on Contract value: value", exact=True).input_value() == "500000"
    )


def test_an_invalid_plan_names_the_node_and_never_runs(visit: Start, sample_server: Server) -> None:
    here = drawn(visit, sample_server, LACK)
    run(here)
    answer = here.page.locator(".st-key-answer-panel").inner_text()

    here.page.get_by_role("button", name="Add a node").click()
    here.page.get_by_role("button", name="Combine:").click()
    here.page.locator("[data-node=combine-1][data-state=wrong]").wait_for()
    here.idle()

    expect(here.page.get_by_text("It has 1 input, and needs at least two.").first).to_be_visible()
    expect(here.page.get_by_role("button", name="Run again")).to_be_disabled()
    expect(here.page.get_by_text("the answer of the plan before your last change")).to_be_visible()
    expect(here.page.locator(".st-key-answer-panel")).to_contain_text(answer.split("\n")[0])
    assert states(here.page)["select-1"] in ("done", "kept")

    circle = {**SIDES, "nodes": [dict(each) for each in SIDES["nodes"]]}
    circle["nodes"][0]["inputs"] = ["both"]
    other = imported(visit, sample_server, circle)
    expect(other.page.get_by_text("circle").first).to_be_visible()
    expect(other.page.locator(".node")).to_have_count(0)


def test_sql_over_rows_is_shown_and_edited_and_a_wrong_one_says_why(
    visit: Start, sample_server: Server
) -> None:
    listed = groundwork(sample_server, "documents", "list", "--json")
    register = next(d["id"] for d in json.loads(listed)["documents"] if "invoice-register" in d["source"])
    sql = "SELECT supplier, sum(amount_usd) AS total FROM invoices GROUP BY supplier ORDER BY total DESC"
    node = {"id": "rows", "type": "query", "purpose": "Ask rows", "sql": sql}
    node["tables"] = [{"name": "invoices", "places": [f"{register}|0"]}]
    plan = {"question": "Spend by supplier", "kind": "aggregate", "route": "structured", "nodes": [node]}
    here = imported(visit, sample_server, {**plan, "answer_node": "rows"})
    here.page.get_by_text("ms in all").wait_for()
    here.idle()
    answer = here.page.locator(".st-key-answer-panel")
    expect(answer.get_by_text("ACME Corporation; total: USD 111,066.00").first).to_be_visible()

    box = here.page.get_by_role("textbox", name="SQL")
    box.fill("SELECT count(*) AS invoices FROM invoices WHERE amount_usd > 3000")
    here.page.keyboard.press("Control+Enter")
    here.page.get_by_role("button", name="Run again").click()
    expect(answer.get_by_text("invoices is 5, over 5 rows.")).to_be_visible()

    box.fill("SELECT nothing FROM invoices")
    here.page.keyboard.press("Control+Enter")
    expect(here.page.get_by_text("Column 'nothing' is in no table here.").first).to_be_visible()
    expect(here.page.get_by_role("button", name="Run again")).to_be_disabled()


def test_graph_and_form_are_worked_by_keys_alone(visit: Start, sample_server: Server) -> None:
    here = visit(sample_server)
    here.open("/inspector")
    keys = here.page.keyboard
    here.page.get_by_label("Question").focus()
    keys.type(TOTAL)
    keys.press("Enter")
    here.page.locator(".node").first.wait_for()
    here.idle()

    tab_to(here.page, "Run")
    keys.press("Enter")
    here.page.get_by_text("ms in all").wait_for()
    here.idle()
    tab_to(here.page, "aggregate-1")
    keys.press("ArrowLeft")
    assert "select-1" in str(here.page.evaluate(FOCUSED))
    keys.press("Enter")
    here.page.get_by_text("which must all hold").wait_for()
    here.idle()
    tab_to(here.page, "month, Condition on Expiration date: value, from")
    keys.type("11")
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Tab")
    here.page.get_by_text("What changed").wait_for()
    here.idle()

    expect(here.page.locator("[data-node=select-1] .figures")).to_contain_text("5 of 15")


def test_a_ledger_count_opens_its_documents_which_lead_to_their_places(
    visit: Start, sample_server: Server
) -> None:
    here = drawn(visit, sample_server, TOTAL)
    run(here)

    here.page.get_by_role("button", name="Fulfil it").click()
    rows = here.page.get_by_role("table", name="Documents: fulfil it").locator("tbody tr")
    rows.first.wait_for()

    expect(rows).to_have_count(6)
    href = str(rows.first.get_by_role("link").get_attribute("href"))
    other = visit(sample_server)
    other.open(href)
    other.page.locator(".focus").first.wait_for(state="attached")


def test_a_link_to_a_plan_that_is_not_there_says_so_and_leaves_what_was_open(
    visit: Start, sample_server: Server
) -> None:
    here = visit(sample_server)
    here.open("/inspector?plan=p0123456789abcdef")

    expect(here.page.get_by_text("This plan is not there, or it is not for you to see.")).to_be_visible()


def test_a_plan_that_ran_is_accessible(visit: Start, sample_server: Server) -> None:
    here = drawn(visit, sample_server, TOTAL)
    run(here)
    for tab in ("Gives", "In and out", "SQL", "Settings"):
        here.page.locator(".st-key-node-panel").get_by_text(tab, exact=True).click()
        if tab == "SQL":
            here.page.get_by_text("-- 1 of").first.wait_for()  # the code is drawn when it comes into sight
        here.idle()
        assert violations_in_both_schemes(here) == {}, tab
    for side in ("Evidence", "Planner's notes", "Audit"):
        here.page.locator(".st-key-answer-panel").get_by_text(side, exact=True).click()
        here.idle()
        assert violations_in_both_schemes(here) == {}, side


def test_an_audit_is_run_again_after_an_ingest_and_says_what_is_new_and_why(
    visit: Start, sample_server: Server, tmp_path: Path
) -> None:
    here = drawn(visit, sample_server, LACK)
    run(here)
    here.page.get_by_text("Audit", exact=True).click()
    here.page.get_by_label("Name").fill("Contracts without force majeure")
    here.page.get_by_role("button", name="Save as audit").click()
    here.page.get_by_role("button", name="Run the audit").wait_for()
    here.idle()
    expect(here.page.get_by_text("Run it again to see what is different.")).to_be_visible()

    text = (COLLECTION / "contracts" / "delta-warehouse-lease.txt").read_text("utf-8")
    added = tmp_path / "omega-depot-lease.txt"
    added.write_text(text.replace("Delta", "Omega").replace("DELTA", "OMEGA"), "utf-8")
    groundwork(sample_server, "ingest", str(added), "--bucket", "contracts")
    here.page.get_by_role("button", name="Run the audit").click()
    here.page.get_by_label("with the later run").wait_for()
    here.idle()

    found = here.page.get_by_role("table", name="Documents that are told otherwise").locator("tbody tr")
    expect(found).to_have_count(1)
    expect(found.first).to_have_class(re.compile("new"))
    expect(found.first).to_contain_text("after the first run")
    href = str(found.first.get_by_role("link").get_attribute("href"))
    groundwork(sample_server, "documents", "remove", href.partition("document=")[2], "--yes")
