"""Words that nobody knows become a synonym of a field, which is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from core.workbench import Workbench
from tests.browser.conftest import Server, Visit, free_port, serve, violations_in_both_schemes
from tests.support.contracts_at_hand import plan_for
from tests.support.filled_matrix import fill

pytestmark = pytest.mark.browser
Start = Callable[..., Visit]
SKEDADDLE = "Which contracts let us skedaddle?"
WALK = "Which contracts have wriggle rights?"


@pytest.fixture(scope="module")
def learning_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Ten contracts, of which some was asked that no field is called by, and one correction."""
    home, port = tmp_path_factory.mktemp("learning") / "home", free_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
        fill(home)
        with Workbench.open(home=home) as bench:
            go_wrong(bench)
        yield from serve(
            ["-m", "core.cli", "up", "--port", str(port), "--home", str(home)],
            port,
            home,
            lambda _health: True,
        )


def go_wrong(bench: Workbench) -> None:
    for question in (SKEDADDLE, SKEDADDLE, WALK):
        bench.ask(question)
    bench.local.learning.correct(WALK, plan_for(question=WALK))


def test_unknown_words_become_a_synonym_and_that_is_taken_back(visit: Start, learning_server: Server) -> None:
    here = visit(learning_server)
    here.open("/learning")
    here.page.get_by_label("Find").fill("SKEDADDLE")
    here.page.keyboard.press("Enter")
    here.page.get_by_role("button", name="wriggle rights", exact=True).wait_for(state="detached")
    here.page.get_by_role("button", name="skedaddle", exact=True).click()
    here.page.get_by_role("heading", name="“skedaddle”").wait_for()
    here.page.get_by_role("combobox", name="Field", exact=True).fill("Audit rights")
    here.page.keyboard.press("Enter")
    here.page.get_by_text("No document is read again").wait_for()
    here.idle()
    assert violations_in_both_schemes(here) == {}

    here.page.get_by_role("button", name="Add as synonym").click()
    here.page.get_by_text("means Audit rights now").wait_for()
    here.page.get_by_role("button", name="Undo").click()

    here.page.get_by_role("button", name="skedaddle", exact=True).wait_for()
