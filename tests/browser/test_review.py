"""Flagged answers are judged by keys alone, with their pages beside them; the asker sees the verdict."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from core.domain.ids import TraceId
from core.domain.trust.review import AnswerVerdict, ReviewFilter
from core.workbench import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.examples import IS_FULL
from tests.support.filled_matrix import NAMES, fill

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
ASKED = (
    "What is the governing law of {}?",
    "What is the contract value of {}?",
    "When is {} effective?",
    "Who are the parties of {}?",
    "What notice period has {}?",
    "Does {} grant audit rights?",
)[: None if IS_FULL else 2]
MANY = len(NAMES) * len(ASKED)


@pytest.fixture(scope="module")
def review_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ten contracts, of which sixty questions were asked, twenty in a usual run; no answer pleased."""
    home, port = tmp_path_factory.mktemp("review") / "home", free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
        fill(home)
        with Workbench.open(home=home) as bench:
            for question in ASKED:
                for name in NAMES:
                    trace = TraceId(bench.ask(question.format(name)).trace_id)
                    bench.local.feedback.give(trace, "down", reason="wrong_value")
        command = ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)]
        yield from serve(command, port, home, lambda _health: True)


def test_a_flagged_answer_opens_with_its_claims_and_its_page(visit: Start, review_server: Server) -> None:
    here = visit(review_server)
    here.open("/review?reason=thumbs_down&find=law+of+Acme")
    here.page.get_by_role("button", name="What is the governing law of Acme?").click()
    here.page.get_by_role("list", name="The answer and its claims").wait_for()
    here.page.locator("figure img").first.wait_for()
    here.idle()

    expect(here.page.get_by_text("marked as wrong").first).to_be_visible()
    expect(here.page.get_by_text("admin: thumbs down, a value is wrong.")).to_be_visible()
    assert violations_in_both_schemes(here) == {}


def test_many_answers_are_worked_by_keys_alone(visit: Start, review_server: Server) -> None:
    here = visit(review_server)
    here.open("/review?by=question&down=0")
    here.page.locator("tbody .title").first.focus()
    here.page.keyboard.press("Enter")
    here.page.get_by_role("list", name="The answer and its claims").wait_for()
    for number in range(MANY):
        here.idle(50)
        before = here.page.evaluate("new URLSearchParams(location.search).get('item')")
        here.page.keyboard.press("j")
        here.page.keyboard.press("k")
        here.page.keyboard.press("2" if number % 10 == 9 else "1")
        here.page.keyboard.press("Enter")
        here.page.wait_for_function(
            "before => new URLSearchParams(location.search).get('item') !== before", arg=before
        )
    here.idle()

    with Workbench.open(home=review_server.home) as bench:
        page = bench.local.reviews.page(ReviewFilter(state=None, limit=None))
        done = [each for each in page.items if each.verdict is not None]
        assert len(done) == MANY
        assert sum(each.verdict is AnswerVerdict.WRONG for each in done) == MANY // 10
        assert len(bench.local.reviews.cases()) > MANY // 2


def test_enter_saves_after_a_row_was_opened_by_the_mouse(visit: Start, review_server: Server) -> None:
    here = visit(review_server)
    here.open("/review?state=all&by=question&down=0")
    here.page.locator("tbody .title").first.click()
    here.page.get_by_role("list", name="The answer and its claims").wait_for()
    here.idle()
    before = here.page.evaluate("new URLSearchParams(location.search).get('item')")
    here.page.keyboard.press("1")
    here.page.keyboard.press("Enter")

    here.page.wait_for_function(
        "before => new URLSearchParams(location.search).get('item') !== before", arg=before
    )


def test_from_a_flagged_answer_to_the_corrected_cell_and_the_case(
    visit: Start, review_server: Server
) -> None:
    here = visit(review_server)
    here.open()
    here.ask("What is the governing law of the Borealis agreement?")
    here.page.get_by_role("button", name="Wrong", exact=True).click()
    here.page.get_by_label("What is wrong?").select_option("wrong_value")
    here.idle()
    conversation = here.page.url

    here.open("/review?find=law+of+the+Borealis")
    here.page.locator("tbody .title").first.click()
    here.page.get_by_role("list", name="The answer and its claims").wait_for()
    here.page.get_by_text("Correct the cause").click()
    here.page.get_by_label("Value").fill("Nevada")
    here.page.keyboard.press("Enter")
    here.idle()
    here.page.get_by_role("button", name="Correct the cell").click()
    here.page.get_by_text("A cell (governing_law) was corrected").wait_for()
    here.page.get_by_role("button", name="Ask again").click()
    here.page.get_by_role("button", name="This is right: keep it as an evaluation case").click()
    here.idle()
    here.page.get_by_role("textbox", name="Note for the asker").fill("It is Nevada.")
    here.page.locator("section.review .row.on").first.click()
    here.page.keyboard.press("2")
    here.page.keyboard.press("Enter")
    here.idle()

    here.open("/review?review-part=Cases")
    here.page.get_by_text("groundwork evaluate reviews").wait_for()
    here.page.goto(conversation)
    here.page.get_by_text("Reviewed by admin: wrong. “It is Nevada.”").wait_for()
    with Workbench.open(home=review_server.home) as bench:
        cases = {each.question: each for each in bench.local.reviews.cases()}
        case = cases["What is the governing law of the Borealis agreement?"]
        assert case.expect.value is not None
        assert case.expect.value.value == "Nevada"


def test_an_evidence_pack_opens_from_disk_with_its_images_and_asks_nobody(
    chromium: BrowserContext, review_server: Server, tmp_path: Path
) -> None:
    with Workbench.open(home=review_server.home) as bench:
        [item, *_] = bench.local.reviews.page(ReviewFilter(state=None, text="law of Acme")).items
        data = bench.local.evidence_packs.data(TraceId(item.trace))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto((tmp_path / "answer.html").as_uri())

    page.get_by_role("heading", name="What is the governing law of Acme?").wait_for()
    image = page.locator("figure img").first
    assert image.evaluate("image => image.complete && image.naturalWidth") > 500
    page.locator("figure .box").first.wait_for(state="attached")
    assert [url for url in asked if not url.startswith("file:")] == []
    page.close()
