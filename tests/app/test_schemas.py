from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from app import services
from app.api.problems import problem
from app.api.routes import ROUTES
from app.presenting import field_draft
from app.presenting.field_draft import Draft, definition_of, draft_of, said
from app.presenting.field_quality import figures_of
from core.config.field_words import WordedField, definition_of_words, name_of_title
from core.config.fields import FieldDefinition, PatternExtractor
from core.config.schema_store import shipped_schemas
from core.domain.fields import FieldType, PromiseLevel
from core.domain.principal import Principal
from core.errors import GroundworkError, SettingsError
from core.workbench import Workbench
from tests.app.test_matrix import mounted, open_page
from tests.support.filled_matrix import fill
from tests.support.roles import MAY_ASK

RULE = shipped_schemas()["contracts"].fields[0]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    fill(tmp_path / "home")
    with Workbench.open(home=tmp_path / "home") as workbench:
        services.use(workbench)
        yield workbench
        services.close()


def shown(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in (*app.markdown, *app.caption, *app.info, *app.error))


def fields(app: AppTest) -> list[str]:
    return [row["cells"]["title"] for row in mounted(app, "ticks")["rows"]]


def fill_form(app: AppTest, title: str, pattern: str) -> None:
    app.text_input(key="new-contracts-title").set_value(title)
    # Fields in plain words are offered first since they ask for no pattern; a pattern is chosen.
    app.selectbox(key="new-contracts-method").set_value("pattern").run()
    app.text_area(key="new-contracts-pattern-lines").set_value(pattern).run()


def test_the_fields_of_a_schema_are_listed_with_how_each_is_found(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="receipts_are_not_one")

    rows = mounted(app, "ticks")["rows"]
    assert len(rows) == len(shipped_schemas()["contracts"].fields)
    assert rows[0]["cells"]["found"] == "A rule of the product"


def test_a_new_field_is_added_and_filled_by_a_job(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", field="+")
    fill_form(app, "Inspection of books", "inspect the books")
    app.button(key="save-field").click().run()

    assert not app.exception
    assert "Inspection of books" in fields(app)
    [job] = bench.local.jobs.list()
    assert job.kind == "extract"


def test_what_is_wrong_with_a_field_is_said_and_nothing_is_saved(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", field="+")
    fill_form(app, "Broken", "(unclosed")
    app.button(key="save-field").click().run()

    assert "Broken" not in fields(app)
    assert any("unclosed" in error.value for error in app.error)


def test_a_field_is_removed_kept_and_restored(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", field="vendor")
    app.button(key="remove-field").click().run()
    removed = fields(app)
    app.button(key="restore-vendor").click().run()

    assert "Vendor" not in removed
    assert "Vendor" in fields(app)


def test_a_reader_sees_fields_and_changes_none(
    app: AppTest, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("reader", MAY_ASK))
    open_page(app, "schemas", schema="contracts", field="vendor")

    assert {button.key for button in app.button} & {"add", "save-field", "remove-field"} == set()
    assert "A rule of the product" in shown(app)


def test_lines_of_a_clause_are_shown_with_what_choices_cost(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", part="When it is sure")

    assert "absent below" in shown(app)
    assert "20 more are needed" in shown(app)
    assert app.button(key="move-lines").disabled


def test_lines_are_moved_by_a_job_and_back(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", part="When it is sure")
    slider = next(each for each in app.slider if str(each.key).startswith("lines-"))
    slider.set_value((10.0, 70.0)).run()
    app.button(key="move-lines").click().run()

    field = str(slider.key).removeprefix("lines-")
    moved = next(each for each in bench.local.thresholds.list("contracts") if each.field == field)
    assert (moved.absent_below, moved.present_from, moved.set_by) == (0.1, 0.7, "admin")
    assert "moved by admin" in shown(app)


def test_a_schema_is_downloaded_as_toml(bench: Workbench) -> None:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    client = TestClient(Starlette(routes=[Mount("/api", app=api)]))
    found = client.get("/api/schemas/contracts.toml")

    assert found.headers["content-disposition"] == 'attachment; filename="contracts.toml"'
    assert 'name = "governing_law"' in found.text
    assert client.get("/api/schemas/nothing.toml").status_code == 404


def test_a_draft_comes_back_as_the_definition_that_it_was_made_of() -> None:
    definition = FieldDefinition(
        name="due",
        title="Due",
        type=FieldType.DURATION,
        description="When it is paid.",
        synonyms=("terms",),
        connects="number",
        includes="Also in a schedule.",
        excludes="Periods for complaints.",
        examples=("Invoices are due in 30 days.",),
        counter_examples=("Claims are due in 10 days.",),
        extractors=(PatternExtractor(patterns=(r"net (\d+ days)",), scope="top", take="sentence"),),
    )

    assert definition_of(draft_of(definition)) == definition
    assert definition_of(draft_of(RULE)) == RULE
    assert draft_of(RULE).method == field_draft.KEPT
    words = definition_of_words(WordedField("Due", "When an invoice has to be paid", ("Due in 30 days.",)))
    assert definition_of(draft_of(words)) == words
    assert draft_of(words).examples == words.all_examples == ("Due in 30 days.",)


@pytest.mark.parametrize(
    ("draft", "said_in"),
    [
        (Draft(lines=("x",)), "no title"),
        (Draft(title="A"), "how the field is found"),
        (Draft(title="A", method="model", lines=("x",)), "come later"),
        (Draft(title="A", type=FieldType.ENUM, lines=("x",)), "options"),
    ],
)
def test_a_draft_that_is_not_complete_is_refused_in_words(draft: Draft, said_in: str) -> None:
    with pytest.raises(SettingsError, match=said_in):
        definition_of(draft)


def test_a_name_is_made_of_the_title() -> None:
    assert name_of_title("Inspection of books (yearly)") == "inspection_of_books_yearly"
    assert name_of_title("3rd party") == "field_3rd_party"
    assert name_of_title("…") == ""


def test_how_a_field_is_found_is_said_in_words() -> None:
    assert said((PatternExtractor(patterns=("a",)),)) == "Words or a pattern"


def test_a_clause_says_on_what_its_model_was_trained() -> None:
    clauses = [field for field in shipped_schemas()["contracts"].fields if field.name == "audit_rights"]

    lines = figures_of(clauses)["audit_rights"]
    assert any("CUAD" in line and "[" not in line for line in lines)
    assert any("contracts with this clause" in line for line in lines)


def test_a_field_found_by_rules_says_that_nobody_calibrated_it() -> None:
    law = [field for field in shipped_schemas()["contracts"].fields if field.name == "governing_law"]

    assert any("not calibrated" in line for line in figures_of(law)["governing_law"])


def test_a_field_is_tried_on_documents_side_by_side_before_it_is_saved(
    app: AppTest, bench: Workbench
) -> None:
    open_page(app, "schemas", schema="contracts", field="+")
    fill_form(app, "Inspection of books", "inspect the books")
    app.button(key="try-field").click().run(timeout=120)

    assert "of **10** documents" in shown(app)
    assert "Acme agreement" in shown(app)
    assert "inspect the books" in shown(app)
    assert "Inspection of books" not in fields(app)


def test_a_promise_level_is_chosen_and_applied_by_a_job(app: AppTest, bench: Workbench) -> None:
    open_page(app, "schemas", schema="contracts", part="When it is sure")
    levels = next(each for each in app.button_group if each.key == "promise-level")
    assert bench.local.thresholds.promise("contracts") is PromiseLevel.BALANCED

    levels.set_value(PromiseLevel.STRICT).run()
    app.button(key="choose-promise").click().run()

    assert bench.local.thresholds.promise("contracts") is PromiseLevel.STRICT
    chosen = [each.level for each in bench.local.thresholds.promises("contracts") if each.is_chosen]
    assert chosen == [PromiseLevel.STRICT]


def test_stricter_levels_call_fewer_cells_and_ask_for_more_probability(bench: Workbench) -> None:
    found = {}
    for level in PromiseLevel:
        bench.local.thresholds.set_promise("contracts", level)
        lines = next(each for each in bench.local.thresholds.list("contracts") if each.field == "insurance")
        found[level] = (lines.absent_below, lines.present_from)
    strict, balanced, broad = (found[level] for level in PromiseLevel)
    assert strict[0] < balanced[0] < broad[0]
    assert strict[1] > balanced[1] > broad[1]
