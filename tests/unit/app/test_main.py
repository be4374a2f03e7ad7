from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import identity
from core.workbench.facade import Workbench

MAIN = str(Path(__file__).parents[3] / "app" / "main.py")
PASSWORD = "correct horse"


def shown(app: AppTest) -> str:
    return " ".join(str(each.value) for each in [*app.error, *app.markdown, *app.title])


def test_without_accounts_the_pages_are_the_local_admins(open_home: Workbench) -> None:
    app = AppTest.from_file(MAIN, default_timeout=20).run()

    assert not app.exception
    assert "Nobody is signed in" not in shown(app)


def test_with_accounts_a_page_of_nobody_shows_nothing(
    open_home: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_home.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    session = open_home.sign_in.by_password("root", PASSWORD, address="").session.id

    app = AppTest.from_file(MAIN, default_timeout=20).run()
    assert "Nobody is signed in" in shown(app)
    assert len(app.chat_input) == 0

    monkeypatch.setattr(identity, "_session_of_page", lambda: session)
    app.run()
    assert "Nobody is signed in" not in shown(app)
    assert not app.exception
