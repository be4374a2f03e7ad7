"""Controls of jobs, on the page that begins them."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _nothing_runs() -> None:
    from types import SimpleNamespace
    from unittest.mock import patch

    from app.panels import jobs

    session = SimpleNamespace(settings=SimpleNamespace(status=lambda: SimpleNamespace(open_jobs=0)))
    with patch.object(jobs.services, "session", lambda: session):
        jobs.draw_running()


def test_while_nothing_runs_no_job_is_shown() -> None:
    app = AppTest.from_function(_nothing_runs).run()

    assert not app.exception
    assert not app.button
