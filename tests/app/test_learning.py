"""The page of words that nobody knows and of corrections, over a real home of ten contracts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.app.test_matrix import open_page
from tests.support.contracts_at_hand import contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

SKEDADDLE = "Which contracts let us skedaddle?"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        services.use(found.bench)
        yield found.bench
        services.close()


def unknown(bench: Workbench) -> str:
    """Ask for something that no field is called by; gives the words of it."""
    bench.ask(SKEDADDLE)
    return phrases(bench)[0]


def phrases(bench: Workbench) -> list[str]:
    return [each.phrase for each in bench.local.learning.uncovered()]


def table(app: AppTest, name: str) -> list[dict[str, Any]]:
    """The rows of the table of that name."""
    found = (json.loads(each.proto.json)[0] for each in app.get("bidi_component") if each.proto.json)
    return list(next(each["rows"] for each in found if each.get("name") == name))


def shown(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in (*app.markdown, *app.caption, *app.info, *app.error))


def test_without_anything_to_learn_the_page_says_so(app: AppTest, bench: Workbench) -> None:
    open_page(app, "learning")

    assert "Every word of the questions so far was understood" in shown(app)
    assert "No question was corrected yet" in shown(app)


def test_words_become_a_synonym_and_that_is_taken_back(app: AppTest, bench: Workbench) -> None:
    phrase = unknown(bench)
    open_page(app, "learning", phrase=phrase)
    app.selectbox(key="synonym-schema").set_value("contracts").run()
    app.selectbox(key="synonym-field-contracts").set_value("audit_rights").run()
    assert "No document is read again" in shown(app)
    app.button(key="add-synonym").click().run()

    assert f"“{phrase}” means Audit rights now" in shown(app)
    assert phrase not in phrases(bench)
    app.button(key="undo").click().run()
    assert phrase in phrases(bench)
    assert "means Audit rights now" not in shown(app)


def test_a_phrase_that_means_something_already_is_an_error_in_words(app: AppTest, bench: Workbench) -> None:
    phrase = unknown(bench)
    open_page(app, "learning", phrase=phrase)
    app.selectbox(key="synonym-schema").set_value("contracts").run()
    app.selectbox(key="synonym-field-contracts").set_value("audit_rights").run()
    bench.local.learning.add_phrase("governing_law", phrase)
    bench.ask(SKEDADDLE)
    app.button(key="add-synonym").click().run()

    assert "in this schema" in shown(app)


def test_words_are_ignored_and_brought_back(app: AppTest, bench: Workbench) -> None:
    phrase = unknown(bench)
    open_page(app, "learning", phrase=phrase)
    app.button(key="ignore-phrase").click().run()
    assert bench.local.learning.ignored_phrases() == [phrase]
    app.button(key="bring-back-0").click().run()

    assert phrase in [each["id"] for each in table(app, "words")]


def test_the_table_is_filtered_by_words_and_questions(app: AppTest, bench: Workbench) -> None:
    unknown(bench)
    open_page(app, "learning")
    app.text_input(key="find").set_value("LET US").run()
    assert len(table(app, "words")) == len(phrases(bench))
    app.text_input(key="find").set_value("moon").run()

    assert "No words and no question have this text" in shown(app)


def test_a_correction_is_listed_and_forgotten(app: AppTest, bench: Workbench) -> None:
    lesson = bench.local.learning.correct(SKEDADDLE, plan_for(question=SKEDADDLE))
    open_page(app, "learning", lesson=lesson.id)
    (row,) = table(app, "corrections")
    assert row["cells"]["question"] == SKEDADDLE
    assert row["cells"]["instead"] == "law Texas"
    app.button(key="forget").click().run()

    assert bench.local.learning.failures() == []
    assert "No question was corrected yet" in shown(app)


def test_the_page_is_not_there_for_others(
    app: AppTest, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    app.run()
    open_page(app, "learning")

    assert "Learning" not in [each.value for each in app.title]


def test_what_failed_is_listed_by_stage_and_asked_again(app: AppTest, bench: Workbench) -> None:
    open_page(app, "learning")
    assert "No question has failed" in shown(app)
    bench.ask(SKEDADDLE)
    (shape,) = [each.shape for each in bench.local.failures.shapes()]
    open_page(app, "learning", shape=shape)
    assert "**1** of **1 kind of questions**, 1 question still open" in shown(app)
    assert f"Questions like “{SKEDADDLE}”" in [each.value for each in app.subheader]
    assert "These are asked in the usual way" in shown(app)
    app.button(key="ask-again").click().run()
    assert [job.kind for job in bench.local.jobs.list()] == ["ask_again"]
    stage = next(each for each in app.button_group if each.key == "stage")
    stage.set_value("writing").run()
    assert "**0** of **1 kind of questions**" in shown(app)
