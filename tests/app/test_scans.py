"""Scans that wait: one button, which says what it costs before anything begins."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.principal import Principal
from core.jobs.kinds import INSTALL, OCR
from tests.app.test_pages import open_page, texts
from tests.support.fake_workbench import FakeWorkbench
from tests.support.roles import MAY_ASK


def _keys(app: AppTest) -> set[str]:
    return {str(button.key) for button in app.button}


@pytest.mark.parametrize("page", ["documents", "ingest", "settings"])
def test_it_says_what_it_costs_and_begins_when_confirmed(
    app: AppTest, bench: FakeWorkbench, page: str
) -> None:
    open_page(app, page)
    assert "**1 scan** (1 page) is an image without text." in texts(app)

    app.button(key=f"read-scans-{page}").click().run()

    assert "**120 MB** to download, **300 MB** of disk" in texts(app)
    assert "about 15 s a page" in texts(app)
    assert bench.jobs() == []
    app.button(key="confirm-read-scans").click().run()
    assert [job.kind for job in bench.jobs()] == [INSTALL]
    assert not app.exception


def test_not_now_begins_nothing(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")

    app.button(key="read-scans-settings").click().run()
    app.button(key="no-read-scans").click().run()

    assert bench.jobs() == []
    assert not app.exception


def test_where_it_is_installed_only_the_time_is_said(app: AppTest, bench: FakeWorkbench) -> None:
    bench.has_ocr = True
    open_page(app, "documents")

    app.button(key="read-scans-documents").click().run()

    assert "to download" not in texts(app)
    app.button(key="confirm-read-scans").click().run()
    assert [job.kind for job in bench.jobs()] == [OCR]


def test_a_job_at_work_is_followed_instead_and_can_be_cancelled(app: AppTest, bench: FakeWorkbench) -> None:
    bench.read_scans()

    open_page(app, "settings")

    [job] = bench.jobs()
    assert f"cancel-{job.id}" in _keys(app)
    assert "read-scans-settings" not in _keys(app)


def test_the_page_of_a_scan_offers_it_where_it_is_missing(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.views.documents.document.is_installed", lambda: False)
    scan = bench.documents(text="old-scan")[0].id

    open_page(app, "documents", document=scan)
    assert {"read-scans-documents", "read-scans-document"} <= _keys(app)
    bench.read_scans()
    app.run()

    assert not app.exception
    assert "Text recognition is at work." in texts(app)


def test_where_nothing_waits_only_settings_offers_it(app: AppTest, empty_bench: FakeWorkbench) -> None:
    open_page(app, "documents")
    assert not [key for key in _keys(app) if key.startswith("read-scans")]

    open_page(app, "settings")
    app.button(key="read-scans-settings").click().run()

    assert app.button(key="confirm-read-scans").label == "Install"


def test_who_is_no_admin_sees_none_of_it(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))

    for page in ("documents", "ingest", "settings"):
        open_page(app, page)
        assert not [key for key in _keys(app) if key.startswith("read-scans")]
    assert not app.exception
