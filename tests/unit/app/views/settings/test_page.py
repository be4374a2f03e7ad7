from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.principal import LOCAL_ADMIN, Principal
from core.workbench import WorkbenchStatus
from tests.app.test_pages import open_page, texts
from tests.support.fake_workbench import FakeWorkbench


def test_without_a_model_answers_are_of_quotes_and_nothing_leaves(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")

    assert "composed from quotes, no language model, no network" in texts(app)


def test_with_a_model_it_says_which_one_writes(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = bench.status()

    def status(principal: Principal = LOCAL_ADMIN) -> WorkbenchStatus:
        return replace(known, mode="small")

    monkeypatch.setattr(bench, "status", status)
    open_page(app, "settings")

    assert "written by small, every sentence checked" in texts(app)
