from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.workbench.facade import Workbench


def people() -> None:
    from app.components.shell import draw_said
    from app.views.people.page import page

    draw_said()
    page()


def test_the_first_account_is_an_admin_with_a_password_of_its_own(open_home: Workbench) -> None:
    app = AppTest.from_function(people, default_timeout=20).run()
    assert "There are no accounts" in app.info[0].value

    app.text_input(key="people-name").set_value("Root")
    app.button(key="FormSubmitter:people-new-Add account").click().run()
    assert "needs a password" in app.error[0].value
    assert not open_home.sign_in.is_required

    app.text_input(key="people-password").set_value("correct horse")
    app.button(key="FormSubmitter:people-new-Add account").click().run()

    signed_in = open_home.sign_in.by_password("root", "correct horse", address="")
    assert (signed_in.principal.is_admin, signed_in.must_change) == (True, False)


def test_who_is_not_an_admin_gets_nowhere(open_home: Workbench) -> None:
    open_home.local.accounts.add("root", roles=["admin"])

    app = AppTest.from_function(people, default_timeout=20).run()

    assert app.exception  # the local start ended with the first account
    assert len(app.text_input) == 0
