"""The button that reads scans says what it costs, and is for admins only."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _page(is_admin: bool, documents: int) -> None:
    from types import SimpleNamespace
    from unittest.mock import patch

    from app.panels import scans
    from core.workbench.services.jobs import ScanOffer

    offer = ScanOffer(documents=documents, pages=3 * documents, is_installed=True)
    session = SimpleNamespace(scans=SimpleNamespace(offer=lambda: offer))
    with (
        patch.object(scans.services, "session", lambda: session),
        patch.object(scans.services, "may", lambda _: is_admin),
    ):
        scans.draw_scans("here")


def _drawn(*, is_admin: bool, documents: int) -> AppTest:
    app = AppTest.from_function(_page, kwargs={"is_admin": is_admin, "documents": documents}).run()
    assert not app.exception
    return app


def test_waiting_scans_have_a_button() -> None:
    app = _drawn(is_admin=True, documents=2)

    assert [each.label for each in app.button] == ["Read scans"]
    assert "**2 scans** (6 pages) are images without text." in [each.value for each in app.markdown]


def test_neither_strangers_nor_homes_without_scans_see_it() -> None:
    assert not _drawn(is_admin=False, documents=2).button
    assert not _drawn(is_admin=True, documents=0).button
