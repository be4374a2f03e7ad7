"""A variant is compared with what answers, switched to and rolled back; another cut and prompt are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from core.workbench import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.encoder_folders import tiny

pytestmark = pytest.mark.browser
SUBJECTS = ("pumps", "rent", "freight", "software", "cleaning", "catering", "steel", "paint", "energy")
Start = Callable[..., Visit]


@pytest.fixture(scope="module")
def experiment_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Some texts, a question that was asked of them, and a tiny encoder beside."""
    folder, port = tmp_path_factory.mktemp("experiments"), free_port()
    home, texts = folder / "home", folder / "texts"
    texts.mkdir()
    home.mkdir()
    (home / "groundwork.toml").write_text('[ingest]\nprofile = "standard"\n')
    for number, subject in enumerate(SUBJECTS):
        (texts / f"{number}.txt").write_text(f"The agreement on {subject} is governed by the law of Texas.")
    with Workbench.open(home=home) as bench:
        bench.ingest([texts])
        bench.ask("Which law governs the agreement?", offline=True)
        experiments = bench.local.experiments
        experiments.add("tiny", {"encode.model": str(tiny(folder))})
        experiments.follow(experiments.build("tiny"))
        bench.local.settings.choose_model(base_url="http://localhost:9/v1")  # nothing is sent to it
    command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
    yield from serve(command, port, home, lambda _health: True)


def test_a_variant_is_compared_switched_to_and_rolled_back(visit: Start, experiment_server: Server) -> None:
    here = visit(experiment_server)
    here.open("/experiments")
    page = here.page
    page.get_by_role("button", name="tiny", exact=True).click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_text("text of the first ten passages is the same").wait_for()
    page.get_by_role("button", name="Which law governs the agreement?").first.click()
    page.get_by_role("heading", name="Which law governs the agreement?").wait_for()
    here.idle()
    assert violations_in_both_schemes(here) == {}

    page.get_by_role("button", name="Switch to it").click()
    page.get_by_text("Questions are encoded by tiny then").wait_for()
    page.get_by_role("button", name="Switch", exact=True).click()
    page.get_by_text("tiny answers now").wait_for()
    page.get_by_role("button", name="Roll back to home").click()
    page.get_by_role("button", name="Switch", exact=True).click()
    page.get_by_text("home answers now").wait_for()
    expect(page.get_by_role("button", name="Roll back")).to_have_count(0)  # it never leads forward again
    assert here.errors == []


def test_another_cut_and_prompt_are_made_measured_and_their_lag_is_told(
    visit: Start, experiment_server: Server
) -> None:
    here = visit(experiment_server)
    here.open("/experiments")
    page = here.page
    page.get_by_text("New variant").click()
    page.get_by_role("button", name="Make and build").click()
    page.get_by_text("The variant has no name").wait_for()  # and the form stays open
    here.idle()
    page.get_by_label("Name", exact=True).fill("wide")
    page.get_by_label("Chunk profile (ingest.profile)").click()
    page.get_by_role("option", name="long").click()
    prompt = page.get_by_label("Prompt that writes answers (prompt.write)")
    prompt.fill(f"{prompt.input_value()}\nOne sentence is enough.")
    page.get_by_role("button", name="Make and build").click()
    page.get_by_text("Its prompts").wait_for(timeout=60_000)
    page.get_by_role("button", name="Run it on both").wait_for(timeout=60_000)
    assert page.get_by_text("Chunk profile: long; Prompt that writes answers").count()
    page.get_by_text("Its prompts").click()
    page.get_by_text("One sentence is enough.").first.wait_for()
    expect(page.get_by_test_id("stToast")).to_have_count(0, timeout=30_000)  # it has no name that axe takes
    here.idle()
    assert violations_in_both_schemes(here) == {}

    page.get_by_role("button", name="Switch to it").click()
    page.get_by_role("button", name="Switch", exact=True).click()
    page.get_by_text("wide answers now").wait_for()
    here.open("/settings")
    page.get_by_text("Chunk profile: groundwork.toml says 'standard', the variant 'long'.").wait_for()
    here.idle()
    assert violations_in_both_schemes(here) == {}
    page.get_by_test_id("stMain").get_by_role("link", name="Experiments").click()
    page.get_by_role("button", name="Roll back to home").wait_for()
    assert here.errors == []
