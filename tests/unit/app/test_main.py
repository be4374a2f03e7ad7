from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import identity, services
from core.domain.trust.permission import Action
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


def test_what_is_offered_follows_the_policies_of_the_home(
    open_home: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_home.local.accounts.add("root", password=PASSWORD, roles=["admin"])
    open_home.local.accounts.add("ann", password=PASSWORD, roles=["analyst"])
    session = open_home.sign_in.by_password("ann", PASSWORD, address="").session.id
    monkeypatch.setattr(identity, "_session_of_page", lambda: session)
    assert services.may(Action.QUERY)
    assert not services.may(Action.CRAWL)

    folder = open_home.settings.home / "policies"
    folder.mkdir()
    own = 'permit (principal in Role::"analyst", action == Action::"crawl", resource);'
    (folder / "own.cedar").write_text(f'@id("own")\n{own}\n')

    assert services.may(Action.CRAWL)
    assert not services.may(Action.PEOPLE)
    assert not AppTest.from_file(MAIN, default_timeout=20).run().exception
