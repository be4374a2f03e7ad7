"""A suite is run in the browser, gives the figures of the command, is compared, and a case is opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from core.workbench import Workbench
from tests.browser.conftest import ROOT, Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.filled_matrix import fill

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
TEXAN = "Which contracts are governed by the law of Texas?"
ALL = "Which contracts are there?"


@pytest.fixture(scope="module")
def evaluating_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ten contracts, and a suite of two questions, of which one expects too little."""
    folder, port = tmp_path_factory.mktemp("evaluating"), free_port()
    home = folder / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
        fill(home)
        with Workbench.open(home=home) as bench:
            sources = [each.source for each in bench.local.documents.list()]
            names = [name for name in sources if name.startswith(("Cobalt", "Glacier"))]
            told = {"shape": "list", "why": "Both say so."}
            told["expect"] = {"status": "answered", "documents": names}  # type: ignore[assignment]
            lines = [{"id": id, "question": q, **told} for id, q in (("texan", TEXAN), ("every", ALL))]
            file = folder / "own.jsonl"
            file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
            bench.local.evaluations.import_suite(file)
        yield from serve(
            ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)],
            port,
            home,
            lambda _health: True,
        )


def by_command(server: Server) -> dict[str, float | None]:
    """The figures of a run of the suite by command, by their names."""
    command = [sys.executable, "-m", "core.cli", "evaluate", "own", "--json", "--home", str(server.home)]
    own = {**os.environ, "GROUNDWORK_INGEST__OCR": "off"}  # as the server has it
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, check=True, timeout=180)
    return {each["name"]: each["value"] for each in json.loads(done.stdout)["figures"]}


def test_a_suite_is_run_compared_and_a_case_opened(visit: Start, evaluating_server: Server) -> None:
    here = visit(evaluating_server)
    page = here.page
    here.open("/evaluate")
    page.get_by_role("button", name="own", exact=True).click()
    page.get_by_role("button", name="Run it").click()
    page.get_by_text("Complete: 2 of 2 cases").wait_for()
    here.idle()
    figures = by_command(evaluating_server)
    tiles = page.get_by_test_id("stMetricValue").all_inner_texts()
    assert tiles[:3] == [f"{figures[name]:.3f}" for name in ("exact", "silently_wrong", "citation_accuracy")]
    assert violations_in_both_schemes(here) == {}

    page.get_by_role("button", name=ALL, exact=True).click()
    page.get_by_text("Both say so.").wait_for()
    expect(page.get_by_role("link", name="Open its plan")).to_be_visible()
    assert "case=every" in page.url
    link = page.url

    page.get_by_role("button", name="All suites and runs").click()
    here.idle()
    for box in page.locator(".st-key-runs-table").get_by_role("checkbox").all()[1:3]:
        box.check()
        here.idle()
    page.get_by_role("button", name="Compare the two that are ticked").click()
    page.get_by_text("All 2", exact=True).wait_for()
    assert violations_in_both_schemes(here) == {}

    page.goto(link)
    page.get_by_text("Both say so.").wait_for()
    assert here.errors == []
