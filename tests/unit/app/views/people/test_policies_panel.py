from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.workbench.facade import Workbench


def panel() -> None:
    from app import services
    from app.views.people.policies_panel import draw_policies

    draw_policies(services.session())


def test_what_roles_may_do_is_a_table_beside_the_policies_in_force(open_home: Workbench) -> None:
    app = AppTest.from_function(panel, default_timeout=20).run()

    rights = {row["Deed"]: (row["Allowed"], row["Because"]) for _, row in app.dataframe[0].value.iterrows()}
    assert rights["crawl sites"] == ("no", "needs the role 'admin'")
    assert rights["ask where it computes over amounts of money"] == ("no", "needs the role 'finance_read'")
    assert app.expander[0].label.startswith("may_administer (administer.cedar, line ")

    app.multiselect(key="people-rights").set_value(["contract_read", "finance_read"]).run()
    changed = {row["Deed"]: row["Allowed"] for _, row in app.dataframe[0].value.iterrows()}
    assert changed["ask where it computes over amounts of money"] == "yes"


def test_a_broken_file_is_said_in_place_of_them(open_home: Workbench) -> None:
    folder = open_home.settings.home / "policies"
    folder.mkdir()
    (folder / "own.cedar").write_text("permit (")

    app = AppTest.from_function(panel, default_timeout=20).run()

    assert "own.cedar, line 1" in app.error[0].value
