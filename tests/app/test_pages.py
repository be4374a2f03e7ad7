from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from app.presenting.wording import outcome_of
from app.views.documents import table
from core.domain.conversation import TurnState
from core.domain.document import FilePart, IngestOutcome, PartState
from core.domain.job import IngestItem, JobState
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.upkeep import EngineState, IndexFacts, Repair, RepairReport
from tests.support.fake_workbench import FakeWorkbench
from tests.support.few_documents import NOW
from tests.support.roles import MAY_ASK


def texts(app: AppTest) -> str:
    return "\n".join(str(found.value) for found in (*app.markdown, *app.caption, *app.text, *app.title))


def mounted(app: AppTest) -> list[dict[str, Any]]:
    """The data of our browser components on the page."""
    found = (element.proto.json for element in app.get("bidi_component"))
    return [json.loads(text)[0] for text in found if text]


def rows(app: AppTest) -> list[dict[str, Any]]:
    """The rows of the table of documents."""
    [data] = [found for found in mounted(app) if found.get("name") == "documents"]
    return list(data["rows"])


def finish(bench: FakeWorkbench) -> None:
    """Wait for the answer's thread, not for a time."""
    for thread in threading.enumerate():
        if thread.name.startswith("turn-"):
            thread.join(10)


def open_page(app: AppTest, name: str, **parameters: str) -> None:
    app._page_hash = calc_hash(name)  # the public switch_page knows page files only, ours are functions
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()


def ask(app: AppTest, bench: FakeWorkbench, question: str) -> None:
    app.chat_input[0].set_value(question).run()
    finish(bench)
    app.run()


def test_ask_offers_starter_questions_over_a_loaded_collection(app: AppTest, bench: FakeWorkbench) -> None:
    app.run()

    assert not app.exception
    assert {button.label for button in app.button} >= set(bench.starters())
    assert "3 documents are ready. 1 cannot be read" in texts(app)


def test_the_first_page_takes_a_question_while_the_collection_is_being_opened(
    app: AppTest, bench: FakeWorkbench
) -> None:
    services._begun.set()  # somebody opens it, and is not done yet
    services._tried.clear()
    app.run()
    assert len(app.chat_input) == 1
    assert "Opening the collection" in texts(app)
    assert not app.button

    services.use(bench)  # type: ignore[arg-type]
    app.run()
    assert "Opening the collection" not in texts(app)
    assert {button.label for button in app.button} >= set(bench.starters())


def test_ask_says_how_to_begin_where_nothing_is_ingested(app: AppTest, empty_bench: FakeWorkbench) -> None:
    app.run()

    assert "Nothing to ask about yet" in texts(app)
    app.button(key="load-sample").click().run()
    assert empty_bench.status().documents == 4


def test_ask_shows_what_is_being_read_and_offers_no_second_load(
    app: AppTest, empty_bench: FakeWorkbench
) -> None:
    empty_bench.add_running_job("Sample collection", 1, 4)
    app.run()

    assert "Reading the first documents" in texts(app)
    assert "load-sample" not in {button.key for button in app.button}


def test_a_question_opens_a_conversation_named_after_it(app: AppTest, bench: FakeWorkbench) -> None:
    app.run()
    ask(app, bench, "Which law governs the agreement?")

    [conversation] = bench.conversations()
    assert conversation.title == "Which law governs the agreement?"
    assert app.query_params["conversation"] == conversation.id
    assert [turn.state for turn in bench.turns(conversation.id)] == [TurnState.DONE]
    assert "Which law governs the agreement?" in texts(app)


def test_a_link_to_a_conversation_opens_it(app: AppTest, bench: FakeWorkbench) -> None:
    conversation = bench.new_conversation(LOCAL_ADMIN)
    bench.start_turn(conversation.id, "Is this kept?")
    app.query_params["conversation"] = conversation.id

    app.run()

    assert "Is this kept?" in texts(app)


def test_a_link_to_a_conversation_that_is_gone_says_so(app: AppTest, bench: FakeWorkbench) -> None:
    app.query_params["conversation"] = "c999"

    app.run()

    assert "not there" in app.warning[0].value
    assert not app.exception
    app.button(key="begin").click().run()
    assert "Ask your documents" in texts(app)
    assert "conversation" not in app.query_params


def test_asking_about_a_document_scopes_to_its_bucket_and_suggests_it(
    app: AppTest, bench: FakeWorkbench
) -> None:
    document = bench.documents(text="Master")[0]
    app.query_params["in"] = document.bucket
    app.query_params["about"] = document.id

    app.run()

    assert app.multiselect(key="scope-new").value == [document.bucket]
    assert app.button(key="starter-0").label == f"Summarise “{document.title}”"


def test_a_link_to_a_citation_opens_the_evidence(app: AppTest, bench: FakeWorkbench) -> None:
    app.run()
    ask(app, bench, "What is the total liability of ACME per incident?")
    [conversation] = bench.conversations()
    [turn] = bench.turns(conversation.id)
    second = AppTest.from_file(app._script_path, default_timeout=20)
    second.query_params["conversation"] = conversation.id
    second.query_params["turn"] = turn.id
    second.query_params["cite"] = "1"

    second.run()

    assert not second.exception
    assert "Citation 1 of" in texts(second)
    second.button(key="ev-close").click().run()
    assert "Citation 1 of" not in texts(second)


def test_the_new_button_leaves_the_conversation(app: AppTest, bench: FakeWorkbench) -> None:
    app.run()
    ask(app, bench, "Which law governs the agreement?")

    app.button(key="new").click().run()

    assert "conversation" not in app.query_params
    assert "Ask your documents" in texts(app)


def test_the_scope_is_kept_with_the_conversation(app: AppTest, bench: FakeWorkbench) -> None:
    app.run()
    app.multiselect(key="scope-new").set_value(["manuals"]).run()
    ask(app, bench, "What are the maintenance steps?")

    assert bench.conversations()[0].buckets == ("manuals",)


def test_documents_lists_all_with_counts(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents")

    assert "**4** of **4** documents" in texts(app)
    assert [row["cells"]["status"] for row in rows(app)] == ["● Ready", "● Ready", "● Ready", "▲ Unreadable"]


def test_documents_are_filtered_by_bucket_state_and_text(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents")

    app.selectbox(key="bucket").set_value("contracts").run()
    assert "**2** of **4** documents" in texts(app)
    app.text_input(key="text").set_value("scan").run()
    assert [row["cells"]["title"] for row in rows(app)] == ["old-scan"]
    app.text_input(key="text").set_value("no such document").run()
    assert "No document fits these filters." in app.info[0].value


def test_documents_are_shown_in_parts_in_the_order_of_the_address(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "PART", 3)
    open_page(app, "documents", sort="size_bytes", order="falling", part="2")

    sizes = sorted((summary.size_bytes for summary in bench.documents()), reverse=True)
    [data] = [found for found in mounted(app) if found.get("name") == "documents"]
    assert (data["first"], data["total"], len(data["rows"])) == (4, 4, 1)
    assert bench.documents(text=data["rows"][0]["cells"]["file"])[0].size_bytes == sizes[3]


def test_a_part_beyond_the_last_and_an_unknown_order_are_forgiven(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents", sort="no such order", part="99")

    assert not app.exception
    assert len(rows(app)) == 4


def test_a_document_link_opens_it_and_its_text_is_searched(app: AppTest, bench: FakeWorkbench) -> None:
    document = bench.documents(text="Master")[0]
    open_page(app, "documents", document=document.id, page="2", start="0", end="14")

    assert app.subheader[0].value == document.title
    app.text_input(key="find").set_value("this  AGREEMENT").run()
    assert "1 of 4 hits on 2 pages" in texts(app)
    app.button(key="hit-next").click().run()
    assert "2 of 4 hits on 2 pages" in texts(app)


def test_a_link_to_a_removed_document_says_so(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents", document="dgone")

    assert "No document" in app.error[0].value
    assert not app.exception


def test_reingest_starts_a_job(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents", document=bench.documents()[0].id)

    app.button(key="reingest").click().run()

    assert [job.title for job in bench.jobs()] == ["Read again"]


def test_a_file_that_was_read_in_part_is_with_gaps_and_not_ready() -> None:
    gap = (FilePart("images without text", PartState.UNREAD, 2),)
    item = IngestItem(None, "a.pdf", "a", "default", IngestOutcome.READY, "", 1, 1)
    said = [outcome_of(each) for each in (item, replace(item, parts=gap))]
    updated = outcome_of(replace(item, parts=gap, outcome=IngestOutcome.UPDATED))
    assert [*said, updated] == ["● Ready", "◐ With gaps", "◐ New version, with gaps"]


def test_ingest_waits_for_files_and_then_starts_a_job(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "ingest")
    assert app.button(key="start").disabled
    batch = app.session_state["gw_batch"]
    services.staging().place(batch, "notes/first.txt").write_text("The panel width is 900 mm.")
    app.run()
    assert app.button(key="start").label == "Ingest 1 file"

    app.button(key="start").click().run()

    [job] = bench.jobs()
    assert app.query_params["job"] == job.id
    assert list(app.dataframe[0].value["Outcome"]) == [["● Ready"]]
    assert not any("staging" in found.source for found in bench.documents())


def test_ingest_finds_a_job_that_runs_without_a_link_to_it(app: AppTest, bench: FakeWorkbench) -> None:
    job = bench.add_running_job("47 files", 21, 47)

    open_page(app, "ingest")

    assert "1 min 20 s left" in texts(app)
    assert app.button(key="start").disabled  # the form stands below it, as ever
    app.button(key=f"show-{job}").click().run()
    assert app.query_params["job"] == [job] or app.query_params["job"] == job
    assert not app.exception


def test_a_running_job_shows_how_far_it_is_and_can_be_cancelled(app: AppTest, bench: FakeWorkbench) -> None:
    job = bench.add_running_job("47 files", 21, 47)
    open_page(app, "jobs", job=job)
    assert "1 min 20 s left" in texts(app)

    app.button(key=f"cancel-{job}").click().run()

    assert bench.job(job).state is JobState.CANCELLED
    assert not app.exception


def test_settings_says_what_serves(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")

    assert "all-MiniLM-L6-v2" in texts(app)
    assert "4 documents, 5 passages" in texts(app)


def test_settings_shows_each_engine_beside_the_records(app: AppTest, bench: FakeWorkbench) -> None:
    version = bench.data_version()
    report = RepairReport(5, missing=2, lost=1, surplus=0, repaired=3, is_rebuilt=True)
    bench.engines = (
        EngineState(
            "weaviate",
            False,
            IndexFacts(
                *("weaviate", "http://w:8080", "Passages", "Passages_v000003", 3, version - 1, 7, "rq8"),
                unlike_settings="It was made with another vectorizer.",
            ),
            repair=Repair("weaviate", NOW, 12.0, "The search server was started again.", report),
        ),
        EngineState("embedded", True, None, "It cannot be read.", "Run `groundwork reindex`."),
    )
    open_page(app, "settings")

    shown = texts(app).replace("\\", "")
    assert "Passages, now Passages_v000003" in shown
    assert "3 of 5 in the records" in shown
    assert "1 change behind" in shown
    assert "7 vectors" in shown
    assert "8 bits a number" in shown
    assert "It was made with another vectorizer. Rebuild to apply." in shown
    assert "2 missing, 1 not found by meaning; all put right by building it anew" in shown
    assert "no. It cannot be read." in shown
    assert "Run `groundwork reindex`." in shown
    assert app.button(key="repair-embedded").disabled
    assert not app.button(key="rebuild-embedded").disabled


@pytest.mark.parametrize("action", ["repair", "rebuild"])
def test_an_action_on_the_index_is_a_job_that_is_followed_and_cancelled_there(
    app: AppTest, bench: FakeWorkbench, action: str
) -> None:
    open_page(app, "settings")
    app.button(key=f"{action}-embedded").click().run()

    [job] = bench.jobs()
    assert job.kind == {"repair": "repair", "rebuild": "reindex"}[action]
    assert "1 min 20 s left" in texts(app)
    assert app.button(key="repair-embedded").disabled
    assert app.button(key="rebuild-embedded").disabled
    app.button(key=f"cancel-{job.id}").click().run()
    assert bench.job(job.id).state is JobState.CANCELLED
    assert not app.exception


def test_who_is_no_admin_sees_no_actions_on_the_index(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    open_page(app, "settings")

    assert not [button for button in app.button if "embedded" in str(button.key)]
    assert not app.exception


def test_no_page_imports_torch_and_ask_does_not_import_pandas() -> None:
    code = (
        "import sys, app.asgi, app.views.ask.page, app.views.documents.page, app.views.ingest.page\n"
        "sys.exit(sum(name in sys.modules for name in ('torch', 'pandas', 'pyarrow')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_map_of_an_empty_home_says_what_it_shows(app: AppTest, empty_bench: FakeWorkbench) -> None:
    open_page(app, "map")

    assert not app.exception
    assert "map shows what connects documents" in app.info[0].value
    assert "There are no documents yet." in app.info[0].value
