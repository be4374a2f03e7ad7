from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.principal import Principal
from core.domain.trust.access import AccessTarget
from core.workbench.facade import Workbench
from tests.support.versions import new_version
from tests.unit.workbench.runs.test_masking import answer, kept_turn

ANN = Principal("ann", groups=frozenset({"legal"}))
BOB = Principal("bob")


def shared() -> None:
    from app.components.shell import draw_said
    from app.views.shared.page import page

    draw_said()
    page()


@pytest.fixture
def app(open_home: Workbench, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    from app import links, services

    for name in ("a", "b"):
        open_home._parts.records.documents.publish(new_version(name, passages=0))
    monkeypatch.setattr(services, "session", lambda: open_home.for_principal(BOB))
    monkeypatch.setattr("streamlit.page_link", lambda *_args, **_kwargs: None)
    monkeypatch.setattr(links, "page", lambda name: name)
    return AppTest.from_function(shared, default_timeout=20)


def text_of(app: AppTest) -> str:
    return " ".join(each.value for each in (*app.title, *app.markdown, *app.caption, *app.text, *app.info))


def test_a_link_shows_an_answer_to_who_may_see_its_documents(open_home: Workbench, app: AppTest) -> None:
    document = open_home.documents()[0].id
    ann = open_home.for_principal(ANN)
    turn = kept_turn(ann, answer(document))
    secret, _ = ann.sharing.share_answer(turn.conversation, turn.id)
    app.query_params["link"] = secret
    assert "What comes first?" in text_of(app.run())
    assert f"/documents?document={document}" in text_of(app)

    records = open_home._parts.records
    records.access.set(AccessTarget("document", document), ("legal",), "root")

    said = text_of(app.run())
    assert "This link leads to nothing that you may see." in said
    assert "What comes first?" not in said
    app.query_params["link"] = "forged"
    assert "This link leads to nothing that you may see." in text_of(app.run())


def test_ones_own_links_are_listed_and_ended(
    open_home: Workbench, app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app import services

    assert "You have shared nothing yet" in text_of(app.run())
    ann = open_home.for_principal(ANN)
    turn = kept_turn(ann, answer(open_home.documents()[0].id))
    _, link = ann.sharing.share_conversation(turn.conversation)
    monkeypatch.setattr(services, "session", lambda: ann)
    assert "A conversation, shared" in text_of(app.run())
    app.button(key=f"end-{link.id}").click().run()
    assert "revoked" in text_of(app)
    assert not app.exception
