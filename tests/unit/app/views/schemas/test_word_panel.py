from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from core.workbench import Workbench

MAIN = str(Path(__file__).parents[5] / "app" / "main.py")
MEANING = "The supplier keeps spare parts in stock for years."


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    services._warmed.set()
    files = tmp_path / "files"
    files.mkdir()
    for number in range(14):
        said = (
            "The supplier keeps spare parts in stock." if number % 2 else "The parties meet in May each year."
        )
        (files / f"{number:02}.txt").write_text(f"AGREEMENT {number}\n\n{said} It is number {number}.")
    with Workbench.open(home=tmp_path / "home") as workbench:
        workbench.ingest([files], bucket="contracts")
        services.use(workbench)
        yield workbench
        services.close()


def opened(app: AppTest, **parameters: str) -> None:
    app.run()
    app._page_hash = calc_hash("schemas")
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()


def shown(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in (*app.markdown, *app.error, *app.warning))


def defined(app: AppTest, title: str, meaning: str) -> None:
    app.text_input(key="new-contracts-title").set_value(title)
    app.text_area(key="new-contracts-description").set_value(meaning).run()


def test_a_field_in_words_is_tried_judged_and_saved_with_its_verdicts(bench: Workbench) -> None:
    app = AppTest.from_file(MAIN, default_timeout=60)
    opened(app, schema="contracts", field="+")
    defined(app, "Spare parts", MEANING)
    app.button(key="try-field").click().run()

    assert not app.exception
    assert "Looked at 14 documents" in shown(app)
    yes = next(each.key for each in app.button if each.key and each.key.startswith("yes-"))
    app.button(key=yes).click().run()
    no = [each.key for each in app.button if each.key and each.key.startswith("no-")][-1]
    app.button(key=no).click().run()
    assert "**2 verdicts**" in shown(app)

    app.button(key="save-field").click().run()

    assert not app.exception
    [field] = [
        each for each in bench.local.schemas.of_bucket("contracts").fields if each.name == "spare_parts"
    ]
    assert field.description == MEANING
    assert bench.local.word_fields.learnt("contracts", "spare_parts").verdicts == 2
    assert "2 verdicts; too few" in shown(app)


def test_what_is_wrong_with_the_words_is_said(bench: Workbench) -> None:
    app = AppTest.from_file(MAIN, default_timeout=60)
    opened(app, schema="contracts", field="+")
    defined(app, "Spare parts", "Are there any spare parts?")
    app.button(key="try-field").click().run()

    assert "is a question" in shown(app)
    assert "Write it as a statement. For instance: “There are any spare parts.”" in shown(app)


def test_several_fields_are_pasted_with_their_cost_before_they_are_added(bench: Workbench) -> None:
    app = AppTest.from_file(MAIN, default_timeout=60)
    opened(app, schema="contracts")
    lines = "Spare parts: the supplier keeps spare parts\nMeetings: the parties meet each year"
    app.text_area(key="many-contracts").set_value(lines).run()
    assert "**2 fields** in 14 documents are 28 cells" in shown(app)

    app.button(key="add-many").click().run()

    names = {each.name for each in bench.local.schemas.of_bucket("contracts").fields}
    assert {"spare_parts", "meetings"} <= names
