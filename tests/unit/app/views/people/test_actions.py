from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.workbench.facade import Workbench
from tests.support.versions import new_version
from tests.unit.app.views.people.test_page import people


def test_what_other_groups_would_show_is_said_before_they_are_saved(
    open_home: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app import services

    accounts = open_home.local.accounts
    accounts.add("root", password="correct horse", roles=["admin"])
    accounts.add("ann", password="correct horse", groups=["legal"])
    for name in ("a", "b"):
        open_home._parts.records.documents.publish(new_version(name, passages=0))
    open_home.local.access.set_bucket("b", ["legal"])
    monkeypatch.setattr(services, "session", lambda: open_home.local)

    app = AppTest.from_function(people, default_timeout=20).run()
    app.selectbox(key="people-which").set_value("ann").run()
    app.text_input(key="person-groups-ann").set_value("")
    app.button(key="FormSubmitter:person-ann-What would they see?").click().run()

    assert not app.exception
    said = " ".join(each.value for each in app.markdown)
    assert "**ann** sees 2 documents now, and would see **0**: 0 more, 2 fewer." in said
    assert accounts.get("ann").groups == {"legal"}
