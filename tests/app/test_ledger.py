from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.gate import Gate, hosts_of
from app.api.problems import problem
from app.api.routes import ROUTES
from app.presenting.answer_parts import documents_of, fields_of, waiting
from core.domain.answer import Answer, Column, Kind, Ledger, LedgerDocuments, Route, Status, Table
from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.errors import GroundworkError
from core.workbench import Workbench
from tests.support.filled_matrix import fill


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, DocumentId]]:
    home = tmp_path_factory.mktemp("ledger") / "home"
    return home, fill(home)


@pytest.fixture(scope="module")
def bench(filled: tuple[Path, dict[str, DocumentId]]) -> Iterator[Workbench]:
    with Workbench.open(home=filled[0]) as workbench:
        services.use(workbench)
        yield workbench
        services.close()


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    app = Starlette(routes=[Mount("/api", app=api)])
    return TestClient(Gate(app, hosts=hosts_of("127.0.0.1")), base_url="http://127.0.0.1:8501")


@pytest.fixture(scope="module")
def answer(bench: Workbench) -> Answer:
    """Of all contracts by their value and, of one, by its audit rights, with groups by law as its table."""
    found = {status: [] for status in CellStatus}  # type: ignore[var-annotated]
    for cell in bench.matrix("contracts", ["contract_value"]).cells:
        found[cell.finding.status].append(cell.document)
    found[CellStatus.UNCERTAIN].append(found[CellStatus.PRESENT].pop())
    lists = LedgerDocuments(**{status.value: tuple(ids) for status, ids in found.items()})
    counts = {status.value: len(ids) for status, ids in found.items()}
    everything = tuple(id for ids in found.values() for id in ids)
    return Answer(
        question="Which contracts grant audit rights?",
        trace_id="t",
        data_version=bench.data_version(),
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text="Some do.",
        ledger=Ledger(
            field="contract_value, audit_rights",
            scope=len(everything),
            documents=lists,
            reasons=dict.fromkeys(lists.uncertain, "Audit rights: it is not sure what it states"),
            **counts,
        ),
        table=Table(
            columns=(Column(name="Law", type="text"), Column(name="Number", type="number")),
            rows=(("Delaware", "3"), ("=Texas", "2")),
            members=(everything[:3], everything[3:5]),
        ),
    )


@pytest.fixture(scope="module")
def turn(bench: Workbench, answer: Answer) -> str:
    conversation = bench.local.conversations.create()
    started = bench.local.conversations.start_turn(conversation.id, answer.question)
    bench.local.conversations.finish_turn(started.id, answer)
    return f"/api/conversations/{conversation.id}/turns/{started.id}"


@pytest.mark.parametrize("part", ["present", "absent", "uncertain"])
def test_a_part_lists_its_documents_by_title_each_with_what_it_states(
    client: TestClient, turn: str, answer: Answer, part: str
) -> None:
    found = client.get(f"{turn}/parts/{part}").json()

    titles = [row["title"] for row in found["rows"]]
    assert {row["document"] for row in found["rows"]} == set(documents_of(answer, part))
    assert titles == sorted(titles, key=str.casefold)
    assert found["total"] == len(titles)
    assert found["fields"] == ["contract_value", "audit_rights"]
    assert all(row["stated"][0][0] == "Contract value" for row in found["rows"])


def test_present_documents_point_at_their_words_and_absent_ones_say_that_they_were_read(
    client: TestClient, turn: str
) -> None:
    present = client.get(f"{turn}/parts/present").json()["rows"]
    absent = client.get(f"{turn}/parts/absent").json()["rows"]

    assert all(row["quote"] and row["where"] == f"Page {row['page']}" for row in present)
    assert all(row["where"] == "Read in full, 2 pages" and not row["quote"] for row in absent)
    assert {row["stated"][0][1] for row in absent} == {"not found"}


def test_uncertain_documents_say_what_they_may_state_and_how_sure_that_is(
    client: TestClient, turn: str
) -> None:
    rows = client.get(f"{turn}/parts/uncertain").json()["rows"]

    assert rows
    assert all("perhaps" in row["stated"][1][1] and " % sure" in row["stated"][1][1] for row in rows)


def test_a_list_is_exported_whole_with_its_places(client: TestClient, turn: str, answer: Answer) -> None:
    found = client.get(f"{turn}/parts/present.csv")
    lines = list(csv.DictReader(io.StringIO(found.content.decode("utf-8-sig"))))

    assert {line["Document id"] for line in lines} == set(documents_of(answer, "present"))
    assert all(line["List"] == "present" and line["Quote"] and line["Page"] for line in lines)
    assert 'filename="which-contracts-grant-audit-rights-present.csv"' in found.headers["content-disposition"]


def test_a_workbook_says_how_the_ledger_adds_up(client: TestClient, turn: str, answer: Answer) -> None:
    found = client.get(f"{turn}/parts/absent.xlsx")
    book = openpyxl.load_workbook(io.BytesIO(found.content))

    about = dict(book["About"].iter_rows(values_only=True))
    assert answer.ledger is not None
    assert about["Ledger"].startswith(f"{answer.ledger.scope} in scope = {answer.ledger.present} present + ")
    assert book["Documents"].max_row == 1 + answer.ledger.absent


def test_the_table_is_exported_with_numbers_and_without_formulas(client: TestClient, turn: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{turn}/table.xlsx").content))

    assert list(book["Documents"].iter_rows(values_only=True))[1:] == [("Delaware", 3), ("'=Texas", 2)]


def test_a_group_of_the_table_lists_its_documents(client: TestClient, turn: str, answer: Answer) -> None:
    assert answer.table is not None
    found = client.get(f"{turn}/parts/group-1").json()

    assert {row["document"] for row in found["rows"]} == set(answer.table.members[1])
    assert documents_of(answer, "group-7") == ()


def test_groups_come_with_their_chart(client: TestClient, turn: str) -> None:
    assert client.get(f"{turn}/chart.json").json()["figure"]["data"][0]["y"] == [3.0, 2.0]
    assert "Plotly.newPlot" in client.get(f"{turn}/chart.html").text


def test_what_is_no_part_or_no_kind_of_file_is_not_found(client: TestClient, turn: str) -> None:
    for path in ("parts/nothing", "parts/absent.pdf", "table.pdf"):
        found = client.get(f"{turn}/{path}")
        assert found.status_code == 404, path
        assert "Expected" in json.dumps(found.json())
    assert client.get("/api/conversations/x/turns/y/parts/absent").status_code == 404


def test_the_work_list_can_be_asked_for_the_uncertain_documents_of_an_answer(
    client: TestClient, turn: str, answer: Answer
) -> None:
    conversation, name = turn.split("/")[3::2]
    token = f"{conversation}.{name}.uncertain"
    asked = {"bucket": "contracts", "fields": "audit_rights,governing_law", "of": token}

    items = client.get("/api/matrix/work", params=asked).json()["items"]

    assert {item["document"] for item in items} == set(documents_of(answer, "uncertain"))
    assert {item["field"] for item in items} == {"audit_rights"}
    assert waiting("gone.gone.uncertain") == ((), ())
    assert client.get("/api/matrix/work", params={**asked, "of": "gone.gone.x"}).json()["items"] == []


def test_an_answer_is_about_the_fields_of_its_ledger_and_of_its_plan(answer: Answer) -> None:
    nodes = [{"field": "contract_value"}, {"group_by": ["effective_date.year"], "fields": ["parties"]}]
    planned = answer.model_copy(update={"plan": {"nodes": nodes}})

    assert fields_of(planned) == ("contract_value", "audit_rights", "parties", "effective_date")
