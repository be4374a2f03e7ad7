from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from app.api.gate import Gate, hosts_of
from app.api.problems import problem
from app.api.routes import ROUTES
from app.column_sets import ColumnSets
from core.domain.fields import Extraction
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.errors import GroundworkError
from core.workbench import Workbench
from tests.support.contradicting import bills
from tests.support.fake_workbench import FakeWorkbench
from tests.support.filled_matrix import CLAUSE, FIELDS, fill
from tests.support.roles import MAY_ASK
from tests.support.stated_values import absent, present, put, text
from tests.support.versions import new_version

ORIGIN = {"origin": "http://127.0.0.1:8501"}
CAROL = Principal("carol", roles=frozenset({"reviewer"}))


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, DocumentId]]:
    home = tmp_path_factory.mktemp("matrix") / "home"
    return home, fill(home)


@pytest.fixture
def bench(filled: tuple[Path, dict[str, DocumentId]]) -> Iterator[Workbench]:
    with Workbench.open(home=filled[0]) as workbench:
        services.use(workbench)
        yield workbench
        services.close()


@pytest.fixture
def acme(filled: tuple[Path, dict[str, DocumentId]]) -> DocumentId:
    return filled[1]["Acme agreement"]


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    app = Starlette(routes=[Mount("/api", app=api)])
    return TestClient(Gate(app, hosts=hosts_of("127.0.0.1")), base_url="http://127.0.0.1:8501")


def rows(client: TestClient, **asked: str) -> dict[str, Any]:
    parameters = {"bucket": "contracts", "fields": ",".join(FIELDS), **asked}
    found = client.get("/api/matrix/rows", params=parameters)
    assert found.status_code == 200, found.text
    return dict(found.json())


def titles(found: dict[str, Any]) -> list[str]:
    return [row["title"].split()[0] for row in found["rows"]]


def decide(client: TestClient, document: str, field: str, **body: Any) -> Any:
    return client.post(f"/api/matrix/cells/{document}/{field}", json=body, headers=ORIGIN)


def open_page(app: AppTest, name: str, **parameters: str) -> None:
    app.run()
    app._page_hash = calc_hash(name)  # the public switch_page knows page files only, ours are functions
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception


def mounted(app: AppTest, key: str) -> dict[str, Any]:
    found = (json.loads(each.proto.json)[0] for each in app.get("bidi_component") if each.proto.json)
    [data] = [each for each in found if key in each]
    return dict(data)


def test_a_row_gives_status_text_and_mark_of_every_field_asked_for(client: TestClient) -> None:
    first = rows(client, text="cobalt")["rows"][0]

    assert first["title"] == "Cobalt agreement"
    assert first["cells"] == [
        ["p", "Texas", ""],
        ["p", "1 Mar 2017", ""],
        ["a", "", ""],
        ["p", "90 days", ""],
        ["u", "", "", 0, [0, [[0, "Yes", 0.55], [None, "No", 0.45]]]],
        ["p", "Cobalt Corporation", ""],
    ]


def test_rows_are_sorted_and_filtered_by_the_server(client: TestClient) -> None:
    falling = rows(client, sort="effective_date", order="falling", limit="2")
    law = rows(client, where=json.dumps([["governing_law", "=", "Texas"]]))
    late = rows(
        client,
        where=json.dumps(
            [
                ["effective_date", "between", ["2016-01-01", "2018-12-31"]],
                ["contract_value", "is", "absent"],
            ]
        ),
    )

    assert titles(falling) == ["Iris", "Harbor"]
    assert titles(law) == ["Cobalt", "Glacier"]
    assert titles(late) == ["Cobalt"]


@pytest.mark.parametrize("where", ["{}", "[", '[["law"]]', '[[1, "is", "x"]]', '[["law", "near", "x"]]'])
def test_filters_that_cannot_be_read_are_refused_in_words(client: TestClient, where: str) -> None:
    found = client.get(
        "/api/matrix/rows", params={"bucket": "contracts", "fields": "parties", "where": where}
    )

    assert found.status_code == 400
    assert found.json()["next_step"]


def test_counts_tell_statuses_and_reviews_of_each_field(client: TestClient) -> None:
    found = client.get("/api/matrix/counts", params={"bucket": "contracts", "fields": "audit_rights"}).json()

    assert found["audit_rights"][2:4] == [9, 1]


def test_failed_and_unread_documents_and_other_kinds_are_shown_and_counted(tmp_path: Path) -> None:
    with Workbench.open(home=tmp_path / "home") as bench:
        records = bench._parts.records
        put(records, "read.txt", bucket="mixed", governing_law=present(text("Texas")))
        bill = records.documents.publish(new_version("bill.txt", "A bill.", bucket="mixed", passages=0))
        records.fields.put(bill.document, 1, Extraction("invoices", {"invoice_number": absent()}), "f")
        records.documents.publish(new_version("new.txt", "New text.", bucket="mixed", passages=0))
        failed = records.documents.record_failure("mixed", "gone.pdf", "It is damaged.").document
        services.use(bench)
        api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
        client = TestClient(Starlette(routes=[Mount("/api", app=api)]))
        asked = {"bucket": "mixed", "fields": "governing_law"}
        found = {row["source"]: row["cells"][0][0] for row in rows(client, **asked)["rows"]}
        counts = client.get("/api/matrix/counts", params=asked).json()["governing_law"]
        cell = client.get(f"/api/matrix/cells/{failed}/governing_law")
        csv_rows = list(csv.DictReader(io.StringIO(client.get("/api/matrix.csv", params=asked).text)))
        services.close()

    assert found == {"read.txt": "p", "bill.txt": "k", "new.txt": "w", "gone.pdf": "x"}
    assert counts == [1, 0, 0, 1, 0, 0, 1, 1, 0, 0]
    assert (cell.status_code, cell.json()["status"], cell.json()["note"]) == (200, "x", "It is damaged.")
    assert sorted(row["Governing law status"] for row in csv_rows) == [
        "not asked",
        "not read",
        "present",
        "unreadable",
    ]


def test_a_cell_tells_all_that_was_considered_and_where(client: TestClient, acme: DocumentId) -> None:
    found = client.get(f"/api/matrix/cells/{acme}/audit_rights").json()

    assert found["status"] == "u"
    assert [each["confidence"] for each in found["candidates"]] == [0.55, 0.31]
    assert found["candidates"][0]["spans"][0]["page"] == 2
    assert found["candidates"][0]["method"] == "A trained model of this clause"
    assert found["pages"]["ratio"] == pytest.approx(1.414, abs=0.01)


def test_verdicts_are_kept_undone_and_listed_in_the_history(client: TestClient, acme: DocumentId) -> None:
    event = client.get(f"/api/matrix/cells/{acme}/parties").json()["event"]
    confirmed = decide(client, acme, "parties", action="confirm", expected=event).json()
    undone = decide(client, acme, "parties", action="undo", expected=confirmed["event"]).json()

    assert (confirmed["review"]["user"], confirmed["brief"][2]) == ("admin", "r")
    assert undone["review"] is None
    assert [each["action"] for each in undone["history"]][:2] == ["took the last verdict back", "confirmed"]


def test_a_candidate_is_chosen_by_its_number(client: TestClient, acme: DocumentId) -> None:
    found = decide(client, acme, "audit_rights", action="correct", candidates=[1]).json()
    again = decide(client, acme, "audit_rights", action="undo").json()

    assert found["spans"][0]["quote"] == "Each party keeps records of its costs."
    assert again["status"] == "u"


def test_a_correction_takes_a_marked_span_with_its_characters(client: TestClient, acme: DocumentId) -> None:
    text = services.bench().for_principal(services.current_principal()).documents.page(acme, 1, 1).text
    start = text.index("Nordwind GmbH")
    span = {"page": 1, "start": start, "end": start + len("Nordwind GmbH")}
    found = decide(
        client, acme, "parties", action="correct", value="Nordwind GmbH", spans=[span], version=1
    ).json()
    decide(client, acme, "parties", action="undo")

    assert found["values"][0]["text"] == "Nordwind GmbH"
    assert found["spans"] == [{**span, "quote": "Nordwind GmbH"}]


def test_what_is_no_value_of_the_type_is_refused_in_words(client: TestClient, acme: DocumentId) -> None:
    found = decide(client, acme, "effective_date", action="correct", value="31/02/2020")

    assert found.status_code == 400
    assert "31/02/2020" in found.json()["detail"]
    assert "2024-03-01" in found.json()["next_step"]


def test_the_later_of_two_reviewers_is_told_who_came_first(client: TestClient, acme: DocumentId) -> None:
    event = client.get(f"/api/matrix/cells/{acme}/governing_law").json()["event"]
    services.bench().for_principal(CAROL).matrix.review(acme, "governing_law", "absent")
    found = decide(client, acme, "governing_law", action="confirm", expected=event)
    services.bench().for_principal(CAROL).matrix.undo(acme, "governing_law")

    assert found.status_code == 409
    assert "carol" in found.json()["detail"]


def test_a_reader_may_not_decide(
    client: TestClient, acme: DocumentId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("reader", MAY_ASK))

    assert decide(client, acme, "parties", action="confirm").status_code == 403


def test_a_foreign_page_may_not_decide(client: TestClient, acme: DocumentId) -> None:
    found = client.post(
        f"/api/matrix/cells/{acme}/parties", json={"action": "absent"}, headers={"origin": "http://evil.test"}
    )

    assert found.status_code == 403


def test_several_candidates_are_taken_at_once(client: TestClient, acme: DocumentId) -> None:
    found = decide(client, acme, "audit_rights", action="confirm", candidates=[1, 0]).json()
    decide(client, acme, "audit_rights", action="undo")

    assert (len(found["values"]), len(found["spans"])) == (1, 2)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"action": "burn"}',
        b'{"action": "confirm", "candidates": 1}',
        b'{"action": "undo", "expected": "x"}',
        b"\xff",
    ],
)
def test_a_verdict_that_cannot_be_read_is_refused(client: TestClient, acme: DocumentId, body: bytes) -> None:
    found = client.post(f"/api/matrix/cells/{acme}/parties", content=body, headers=ORIGIN)

    assert found.status_code == 400


def test_the_work_list_holds_uncertain_cells_even_odds_first(client: TestClient) -> None:
    found = client.get("/api/matrix/work", params={"bucket": "contracts", "fields": "audit_rights,parties"})

    assert {each["field"] for each in found.json()["items"]} == {"audit_rights"}
    assert len(found.json()["items"]) == 9


def test_the_matrix_is_exported_as_csv_and_xlsx(client: TestClient) -> None:
    asked = {"bucket": "contracts", "fields": "governing_law,parties"}
    as_csv, as_xlsx = (client.get(f"/api/matrix.{kind}", params=asked) for kind in ("csv", "xlsx"))
    read = list(csv.DictReader(io.StringIO(as_csv.content.decode("utf-8-sig"))))

    assert [row["Governing law"] for row in read if row["Document"] == "Acme agreement"] == ["Delaware"]
    assert as_csv.headers["content-disposition"] == 'attachment; filename="matrix-contracts.csv"'
    assert as_xlsx.content[:2] == b"PK"
    assert client.get("/api/matrix.pdf").status_code == 404


def test_an_export_holds_the_rows_shown_in_their_order_and_says_what_was_chosen(client: TestClient) -> None:
    asked = {
        "bucket": "contracts",
        "fields": "governing_law,effective_date",
        "where": json.dumps([["governing_law", "is", "present"], ["governing_law", "=", "Texas"]]),
        "sort": "effective_date",
        "order": "falling",
    }
    as_csv, as_xlsx = (client.get(f"/api/matrix.{kind}", params=asked) for kind in ("csv", "xlsx"))
    read = list(csv.DictReader(io.StringIO(as_csv.content.decode("utf-8-sig"))))
    about = openpyxl.load_workbook(io.BytesIO(as_xlsx.content)).worksheets[0]

    assert [row["Document"].split()[0] for row in read] == ["Glacier", "Cobalt"]
    assert "matrix-contracts-governing_law-is-present" in as_csv.headers["content-disposition"]
    assert ("Only where", "governing_law = Texas") in list(about.values)
    assert ("Sorted by", "effective_date, falling") in list(about.values)
    assert client.get("/api/matrix.csv", params={**asked, "text": "nobody"}).text.count("\n") == 1


def test_the_public_matrix_is_that_of_the_interface(client: TestClient) -> None:
    found = client.get("/api/v1/matrix", params={"bucket": "contracts", "fields": "governing_law"}).json()

    assert found["schema"] == 1
    assert found["fields"][0]["name"] == "governing_law"
    assert found["cells"][0]["spans"][0].keys() == {"page", "start", "end", "quote"}
    assert client.get("/api/v1/matrix/contradictions").json() == {"schema": 1, "contradictions": []}
    nothing = {"schema": 1, "contradictions": [], "is_whole": True}
    assert client.get("/api/v1/contradictions", params={"bucket": "contracts"}).json() == nothing
    assert client.get("/api/v1/contradictions", params={"state": "odd"}).status_code == 422


def test_contradictions_between_documents_stand_on_the_page_and_in_the_interface(
    app: AppTest, tmp_path: Path
) -> None:
    with Workbench.open(home=tmp_path / "home") as other:
        bills(other._parts.records)
        services.use(other)
        found = TestClient(Starlette(routes=[Mount("/api", Starlette(routes=ROUTES))]))
        given = found.get("/api/v1/contradictions", params={"bucket": "bills", "state": "open"}).json()
        open_page(app, "matrix", **{"part-of-matrix": "Contradictions"})
        [shown] = mounted(app, "columns")["rows"]
        open_page(app, "matrix", **{"part-of-matrix": "Contradictions", "open": shown["id"]})
        said = [each.value for each in app.markdown]

    [one] = given["contradictions"]
    assert [(side["value"], side["span"]["quote"]) for side in one["sides"]] == [("10", "10"), ("12", "12")]
    assert shown["cells"]["values"] == "USD 10 \u2260 USD 12"
    assert "\u201cBill A-1: **10** dollars\u201d" in said
    services.close()


def test_sets_of_columns_are_kept_for_every_user(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"bucket": "contracts", "name": "Money"}
    client.put("/api/matrix/column-sets", params=asked, json={"fields": ["contract_value"]}, headers=ORIGIN)
    mine = client.get("/api/matrix/column-sets", params={"bucket": "contracts"}).json()
    with monkeypatch.context() as other:
        other.setattr(services, "current_principal", lambda: CAROL)
        theirs = client.get("/api/matrix/column-sets", params={"bucket": "contracts"}).json()
    left = client.request("DELETE", "/api/matrix/column-sets", params=asked, headers=ORIGIN).json()

    assert mine["sets"] == {"Money": ["contract_value"]}
    assert theirs["sets"] == left == {}
    assert {"Names and dates", "Clauses"} <= set(mine["built_in"])


def test_sets_and_hidden_columns_are_kept_for_a_schema_and_old_sets_are_there_in_all(tmp_path: Path) -> None:
    sets = ColumnSets(tmp_path, CAROL)
    sets.save("legal", "Old", ["parties"])
    sets.save("legal", "Mine", ["total"], "invoices")
    sets.hide("legal", "invoices", ["tax"])

    assert sets.of("legal", "invoices") == {"Old": ["parties"], "Mine": ["total"]}
    assert sets.of("legal", "contracts") == {"Old": ["parties"]}
    assert sets.hidden("legal", "invoices") == ["tax"]
    assert sets.hidden("legal", "contracts") is None
    assert sets.remove("legal", "Old", "invoices") == {"Mine": ["total"]}
    assert ColumnSets(tmp_path, CAROL).hidden("legal", "invoices") == ["tax"]


def test_columns_that_were_hidden_stay_so_and_the_address_wins(app: AppTest, bench: Workbench) -> None:
    sets = ColumnSets(bench.settings.home, services.current_principal())
    sets.hide("contracts", "", ["parties"])
    open_page(app, "matrix")
    remembered = mounted(app, "columns")["view"]["hidden"]
    open_page(app, "matrix", hidden="governing_law")
    given = mounted(app, "columns")["view"]["hidden"]
    open_page(app, "matrix", hidden="-")
    everything = mounted(app, "columns")["view"]["hidden"]
    sets.hide("contracts", "", [])

    assert (remembered, given, everything) == (["parties"], ["governing_law"], [])


def test_columns_with_values_stand_first(app: AppTest, bench: Workbench) -> None:
    open_page(app, "matrix")

    names = [each["name"] for each in mounted(app, "columns")["columns"]]
    assert set(names[: len(FIELDS) + 1]) == {*FIELDS, CLAUSE}


def test_the_largest_schema_of_a_bucket_is_open_at_first(app: AppTest, tmp_path: Path) -> None:
    with Workbench.open(home=tmp_path / "home") as other:
        records = other._parts.records
        for number in range(3):
            bill = records.documents.publish(
                new_version(f"{number}.txt", f"Bill {number}.", bucket="mixed", passages=0)
            )
            records.fields.put(bill.document, 1, Extraction("invoices", {"total": absent()}), "f")
        put(records, "read.txt", bucket="mixed", governing_law=present(text("Texas")))
        services.use(other)
        open_page(app, "matrix")
        shown = mounted(app, "columns")
        services.close()

    assert shown["schema"] == "invoices"
    assert "governing_law" not in {each["name"] for each in shown["columns"]}


def test_files_of_unknown_kind_are_no_rows_of_a_kind_and_their_number_leads_to_them(
    app: AppTest, tmp_path: Path
) -> None:
    with Workbench.open(home=tmp_path / "home") as other:
        other._parts.records.documents.record_failure("deals", "broken.pdf", "It is damaged.")
        put(other._parts.records, "read.txt", bucket="deals", governing_law=present(text("Texas")))
        services.use(other)
        open_page(app, "matrix")
        shown, said = mounted(app, "columns"), [each.value for each in app.caption]
        leads = [each.proto for each in app.get("page_link")]
        services.close()

    assert shown["schema"] == "contracts"
    assert any(each.startswith("1 document of this bucket could not be read: its kind is") for each in said)
    assert any("Failed (1)" in each.label and "status=Failed" in each.query_string for each in leads)


def test_rows_are_chosen_and_ordered_by_guesses(client: TestClient) -> None:
    likely = rows(client, where=json.dumps([["audit_rights@guess", "=", "true"]]), sort="audit_rights@sure")
    sure = rows(client, where=json.dumps([["audit_rights@sure", ">=", "0.6"]]))

    assert likely["total"] == 9
    assert sure["total"] == 0


def test_a_guess_is_confirmed_only_as_it_was_shown(client: TestClient, filled: Any) -> None:
    document = filled[1]["Iris agreement"]
    wrong = decide(client, document, "audit_rights", action="confirm", candidates=[0], saw="No", expected=0)
    right = decide(client, document, "audit_rights", action="confirm", candidates=[0], saw="Yes", expected=0)
    undone = decide(client, document, "audit_rights", action="undo", expected=right.json()["event"])

    assert wrong.status_code == 409
    assert "read anew" in wrong.json()["detail"]
    assert right.json()["brief"][:3] == ["p", "Yes", "r"]
    assert undone.json()["brief"][4][1][0] == [0, "Yes", 0.55]


def test_what_people_checked_is_said_of_a_field_and_of_the_promise(client: TestClient) -> None:
    asked = {"bucket": "contracts", "field": "contract_value"}
    lines = client.get("/api/matrix/quality", params=asked).json()["lines"]
    promise = client.get("/api/matrix/promise", params={"bucket": "contracts"}).json()

    assert lines[0].startswith("Decided: 8 of 9 readable documents")
    assert "rules" in lines[-1]
    assert promise["broken"] is False


def test_who_may_not_review_learns_nothing_of_verdicts(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("dave", MAY_ASK))
    asked = {"bucket": "contracts", "field": "governing_law"}

    assert client.get("/api/matrix/quality", params=asked).status_code == 403
    assert client.get("/api/matrix/promise", params=asked).status_code == 403


def test_a_set_without_a_name_is_refused(client: TestClient) -> None:
    found = client.put(
        "/api/matrix/column-sets", params={"bucket": "contracts"}, json={"fields": ["a"]}, headers=ORIGIN
    )

    assert found.status_code == 400


def test_the_page_mounts_the_fields_of_the_bucket_and_what_the_address_asks_for(
    app: AppTest, bench: Workbench, acme: DocumentId
) -> None:
    where = json.dumps([["governing_law", "is", "uncertain"]])
    open_page(app, "matrix", where=where, sort="parties", cell=f"{acme}.parties", hidden="vendor,customer")
    data = mounted(app, "mayReview")

    assert data["bucket"] == "contracts"
    assert {column["name"] for column in data["columns"]} >= set(FIELDS)
    assert data["mayReview"] is True
    assert data["view"]["where"] == [["governing_law", "is", "uncertain"]]
    assert (data["view"]["document"], data["view"]["field"]) == (acme, "parties")
    assert data["view"]["hidden"] == ["vendor", "customer"]


def test_an_address_whose_filters_cannot_be_read_opens_without_them(app: AppTest, bench: Workbench) -> None:
    open_page(app, "matrix", where="nonsense")

    assert mounted(app, "mayReview")["view"]["where"] == []


def test_a_reader_sees_the_matrix_and_no_button_that_changes_it(
    app: AppTest, bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("reader", MAY_ASK))
    open_page(app, "matrix")

    assert mounted(app, "mayReview")["mayReview"] is False
    assert [button.label for button in app.button if button.label == "Read fields"] == []


def test_without_documents_the_matrix_leads_to_where_they_are_added(
    app: AppTest, empty_bench: FakeWorkbench
) -> None:
    open_page(app, "matrix")

    assert "no documents yet" in app.info[0].value
