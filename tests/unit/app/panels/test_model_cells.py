"""The button that has cells read by a model shows the cost first; the line below says what came of it."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest


def _page(is_admin: bool, model: str, by_model: int, checked: int, state: str, reads_new: bool) -> None:
    from datetime import UTC, datetime
    from types import SimpleNamespace
    from unittest.mock import patch

    from app.panels import model_cells
    from core.domain.ids import JobId
    from core.domain.job import Job, JobState
    from core.domain.llm.cells import CellReadingEstimate, CellReadingTally, ModelSample
    from core.workbench.services.model_cells import ModelCellOffer

    now = datetime.now(UTC)
    job = (
        Job(JobId("j1"), "read_cells", "", JobState(state), 3, 9, None, None, "", None, now, now)
        if state
        else None
    )
    offer = ModelCellOffer(
        model=model,
        uncertain=480,
        by_model=by_model,
        sample=ModelSample(of=by_model, size=min(50, by_model), checked=checked, right=checked),
        job=job,
        tally=CellReadingTally(read=480, present=300, absent=12) if by_model else CellReadingTally(),
        asked=480,
        reads_new=reads_new,
    )
    estimate = CellReadingEstimate(model=model, cells=168, documents=9, calls=40, prompt_tokens=90_000)
    service = SimpleNamespace(offer=lambda _: offer, estimate=lambda *_, **__: estimate)
    session = SimpleNamespace(model_cells=service)
    with (
        patch.object(model_cells.services, "session", lambda: session),
        patch.object(model_cells.services, "may", lambda _: is_admin),
    ):
        model_cells.draw_model_reading("leases", model_cells.draw_model_button("leases", ()))


def _drawn(**given: Any) -> AppTest:
    known = {"is_admin": True, "model": "small", "by_model": 0, "checked": 0, "state": "", "reads_new": False}
    app = AppTest.from_function(_page, kwargs={**known, **given}).run()
    assert not app.exception
    return app


def _keys(app: AppTest) -> set[str]:
    return {str(each.key) for each in app.button}


def test_the_button_is_for_admins_where_a_model_is_configured() -> None:
    assert _keys(_drawn()) == {"read-by-model"}
    assert not _drawn(is_admin=False).button
    gone = _drawn(model="")
    assert (list(gone.button), list(gone.toggle)) == ([], [])


def test_what_is_switched_on_is_seen_and_can_be_switched_off_without_a_model() -> None:
    app = _drawn(model="", reads_new=True)

    assert [each.value for each in app.toggle] == [True]
    assert [each.value for each in app.caption] == ["No language model is configured, so none is read."]


def test_the_cost_is_shown_before_anything_begins() -> None:
    app = _drawn()

    app.button(key="read-by-model").click().run()

    assert not app.exception
    assert [each.label for each in app.metric] == ["Cells", "Calls", "Tokens", "Cost"]
    assert [each.value for each in app.metric] == ["168", "40", "90,000", "price not known"]
    assert {"start-model-cells", "no-model-cells"} <= _keys(app)


def test_what_came_of_it_and_how_right_it_was_stand_below() -> None:
    app = _drawn(by_model=312, checked=20, state="done")

    [line] = [each.value for each in app.caption]
    assert line == (
        "The model settled 312 of 480 cells; 168 stay as they were. ◇ 312 cells of leases rest on the model. "
        "Of the sample of 50, 20 are checked: 20 right (100%, 95 % interval 84% to "
        "100%)."
    )
    assert "check-sample" in _keys(app)


def test_a_job_that_was_cancelled_can_go_on() -> None:
    assert "resume-model-cells" in _keys(_drawn(by_model=3, state="cancelled"))
    assert "resume-model-cells" not in _keys(_drawn(by_model=3, state="done"))
