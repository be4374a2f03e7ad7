from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.principal import Principal
from core.workbench.facade import Workbench
from tests.support.versions import new_version


def access_tab() -> None:
    from app import services
    from app.components.shell import draw_said
    from app.views.people.access import draw_access
    from core.domain.principal import LOCAL_ADMIN

    draw_said()
    draw_access(services.bench().for_principal(LOCAL_ADMIN))


@pytest.fixture
def app(open_home: Workbench, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    from app import services

    accounts = open_home.local.accounts
    accounts.add("root", password="correct horse", roles=["admin"])
    accounts.add("ann", password="correct horse", groups=["legal"])
    accounts.add("bob", password="correct horse")
    for name in ("a", "b"):
        open_home._parts.records.documents.publish(new_version(name, passages=0))
    monkeypatch.setattr(services, "session", lambda: open_home.local)
    return AppTest.from_function(access_tab, default_timeout=20)


def sees(home: Workbench, user: str, *groups: str) -> int:
    return home.for_principal(Principal(user, groups=frozenset(groups))).documents.count()


def test_what_would_change_is_shown_before_it_is_saved(open_home: Workbench, app: AppTest) -> None:
    app.run()
    app.radio(key="access-way").set_value("only").run()
    app.selectbox(key="access-person").set_value("bob").run()
    assert "Nobody is named" in " ".join(each.value for each in app.caption)
    app.multiselect(key="access-keys").set_value(["legal"]).run()
    said = " ".join(each.value for each in app.markdown)
    assert "would see **0**: 0 more, 2 fewer" in said
    assert sees(open_home, "bob") == 2

    app.button(key="access-save").click().run()

    assert not app.exception
    assert (sees(open_home, "bob"), sees(open_home, "ann", "legal")) == (0, 2)
    assert app.dataframe[0].value["Open to"][0] == "the group legal"
    assert "nothing changes for them" in " ".join(each.value for each in app.caption)


def test_a_document_is_found_and_closed_to_all_but_admins(open_home: Workbench, app: AppTest) -> None:
    app.run()
    app.session_state["access-kind"] = "document"
    app.run()
    assert "Type a part of its name." in [each.value for each in app.caption]
    app.text_input(key="access-find").set_value("zzz").run()
    assert "No document is called so." in [each.value for each in app.caption]
    app.text_input(key="access-find").set_value("Title of a").run()
    app.radio(key="access-way").set_value("admins").run()
    app.button(key="access-save").click().run()

    assert not app.exception
    assert sees(open_home, "ann", "legal") == 1
    app.radio(key="access-way").set_value("bucket").run()
    app.button(key="access-save").click().run()
    assert sees(open_home, "bob") == 2


def test_what_a_person_sees_is_listed(open_home: Workbench, app: AppTest) -> None:
    open_home.local.access.set_bucket("b", ["legal"])
    app.run()
    app.selectbox(key="sees-person").set_value("ann").run()
    assert any("**ann** sees 2 documents: b 2." in each.value for each in app.markdown)
    app.selectbox(key="sees-person").set_value("bob").run()
    assert any("**bob** sees 0 documents." in each.value for each in app.markdown)


def test_the_form_begins_with_what_holds_for_the_bucket(open_home: Workbench, app: AppTest) -> None:
    [bucket] = open_home.local.access.buckets()
    open_home.local.access.set_bucket(bucket.bucket, ["legal"])
    app.run()

    assert app.radio(key="access-way").value == "only"
    assert app.multiselect(key="access-keys").value == ["legal"]
