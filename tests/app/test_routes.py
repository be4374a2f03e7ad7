from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from app import services
from app.api import uploads
from app.api.gate import Gate, hosts_of
from app.api.problems import problem
from app.api.routes import ROUTES
from core.ask.request import Question
from core.domain.principal import LOCAL_ADMIN
from core.errors import GroundworkError
from tests.support.fake_workbench import FakeWorkbench

ORIGIN = {"origin": "http://127.0.0.1:8501"}
SOCKETS = "ws://127.0.0.1:8501/api"


@pytest.fixture
def client(bench: FakeWorkbench) -> TestClient:
    api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
    app = Starlette(routes=[Mount("/api", app=api)])
    return TestClient(Gate(app, hosts=hosts_of("127.0.0.1")), base_url="http://127.0.0.1:8501")


def first(bench: FakeWorkbench, text: str) -> str:
    return bench.documents(text=text)[0].id


def test_healthz_says_what_serves(client: TestClient) -> None:
    found = client.get("/api/v1/healthz")

    assert found.status_code == 200
    assert found.json()["documents"] == 4


def test_a_page_image_is_a_jpeg_that_may_be_cached_for_good(client: TestClient, bench: FakeWorkbench) -> None:
    found = client.get(f"/api/documents/{first(bench, 'ACME')}/versions/1/pages/2.jpg?h=x")

    assert found.content[:3] == b"\xff\xd8\xff"
    assert found.headers["cache-control"] == "private, max-age=31536000, immutable"


def test_a_format_without_page_images_answers_404_with_the_next_step(
    client: TestClient, bench: FakeWorkbench
) -> None:
    found = client.get(f"/api/documents/{first(bench, 'AlphaSolar')}/versions/1/pages/1.jpg")

    assert found.status_code == 404
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json()["next_step"] == "Read the page's text."


def test_a_window_of_page_text_is_clamped_to_the_page(client: TestClient, bench: FakeWorkbench) -> None:
    document = first(bench, "AlphaSolar")
    text = bench.document(document).pages[0].text  # type: ignore[arg-type]

    found = client.get(f"/api/documents/{document}/versions/1/pages/1/text?start=2&end=99999999").json()

    assert (found["start"], found["end"], found["total"]) == (2, len(text), len(text))
    assert found["text"] == text[2:]


def test_boxes_come_in_the_order_of_the_spans(client: TestClient, bench: FakeWorkbench) -> None:
    base = f"/api/documents/{first(bench, 'ACME')}/versions/1/pages/2"

    found = client.get(f"{base}/boxes?spans=0-14,16-20,nonsense").json()

    assert len(found) == 2
    assert found[0][0][1] < found[1][0][1]


def test_more_boxes_than_a_page_needs_are_refused(client: TestClient, bench: FakeWorkbench) -> None:
    base = f"/api/documents/{first(bench, 'ACME')}/versions/1/pages/2"

    assert len(client.get(f"{base}/boxes?spans={','.join(['0-14'] * 50)}").json()) == 50
    assert client.get(f"{base}/boxes?spans={','.join(['0-14'] * 51)}").status_code == 422


def test_the_original_is_a_download_under_its_own_name(client: TestClient, bench: FakeWorkbench) -> None:
    found = client.get(f"/api/documents/{first(bench, 'ACME')}/original")

    assert found.headers["content-disposition"] == 'attachment; filename="acme-master-services.pdf"'
    assert found.headers["x-content-type-options"] == "nosniff"


def test_the_table_export_holds_no_formula(client: TestClient, bench: FakeWorkbench) -> None:
    bench.add("contracts", "=HYPERLINK(1).txt", "=1+1", "text/plain", ["x"])

    found = client.get("/api/documents.csv?bucket=contracts").text.splitlines()

    assert len(found) == 4
    assert any(line.startswith("'=1+1,'=HYPERLINK(1).txt,contracts,") for line in found)


def test_an_upload_arrives_whole_under_a_safe_name(client: TestClient) -> None:
    batch = "0" * 32
    found = client.put(f"/api/uploads/{batch}?name=../../etc/./pass%00wd.txt", content=b"x" * 3_000_000)

    assert found.status_code == 201
    assert found.json() == {"name": "etc/pass_wd.txt", "size_bytes": 3_000_000}
    assert [file.name for file in services.staging().files(batch)] == ["etc/pass_wd.txt"]


def test_an_upload_over_the_limit_leaves_nothing(client: TestClient, bench: FakeWorkbench) -> None:
    ingest = bench.settings.ingest.model_copy(update={"max_file_mb": 1})
    bench.settings = bench.settings.model_copy(update={"ingest": ingest})
    batch = "1" * 32

    found = client.put(f"/api/uploads/{batch}?name=big.txt", content=b"x" * 1_500_000)

    assert found.status_code == 422
    assert "larger than 1 MB" in found.json()["detail"]
    assert services.staging().files(batch) == []
    assert list(services.staging().folder(batch).iterdir()) == []


def test_an_upload_leaves_the_disk_some_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = "5" * 32
    client.put(f"/api/uploads/{batch}?name=first.txt", content=b"x")
    free = shutil.disk_usage(services.staging().folder(batch)).free
    monkeypatch.setattr(uploads, "RESERVE_BYTES", free + 10_000_000_000)

    found = client.put(f"/api/uploads/{batch}?name=more.txt", content=b"x" * 1_000)

    assert (found.status_code, "nearly full" in found.json()["detail"]) == (422, True)
    assert [file.name for file in services.staging().files(batch)] == ["first.txt"]


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("ok.txt", "a/" * 3_000 + "a.txt"),
        ("ok.txt", ("n" * 150 + "/") * 12 + "a.txt"),
        ("hello.txt", "hello.txt/under.txt"),
        ("hello.txt", "hello.txt/deep/under.txt"),
        ("d/x.txt", "d"),
        ("d.txt.part/x.txt", "d.txt"),
    ],
)
def test_an_upload_whose_name_cannot_be_a_file_is_refused_with_what_to_do(
    client: TestClient, before: str, name: str
) -> None:
    address = f"/api/uploads/{'3' * 32}"
    client.put(address, params={"name": before}, content=b"x")

    found = client.put(address, params={"name": name}, content=b"x")

    assert found.status_code == 422
    assert found.json()["next_step"]
    assert [file.name for file in services.staging().files("3" * 32)] == [before]


def test_a_browser_that_goes_away_leaves_no_half_file_and_no_traceback(client: TestClient) -> None:
    batch = "4" * 32
    messages: list[dict[str, object]] = [
        {"type": "http.request", "body": b"x" * 2_000_000, "more_body": True},
        {"type": "http.disconnect"},
    ]
    scope = {
        "type": "http",
        "method": "PUT",
        "path": f"/api/uploads/{batch}",
        "query_string": b"name=half.txt",
        "headers": [(b"host", b"127.0.0.1:8501")],
    }
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return messages.pop(0)

    async def send(message: object) -> None:
        sent.append(message)

    asyncio.run(client.app(scope, receive, send))  # type: ignore[arg-type]

    assert messages == []
    assert sent
    assert list(services.staging().folder(batch).iterdir()) == []


@pytest.mark.parametrize("batch", ["..", "abc", "Z" * 32])
def test_an_upload_to_what_is_no_batch_is_refused(client: TestClient, batch: str) -> None:
    assert client.put(f"/api/uploads/{batch}?name=a.txt", content=b"x").status_code in (404, 405)


def test_a_foreign_host_name_is_refused(client: TestClient) -> None:
    found = client.get("/api/v1/healthz", headers={"host": "attacker.example:8501"})

    assert found.status_code == 403


def test_a_write_from_another_origin_is_refused(client: TestClient) -> None:
    batch = "2" * 32
    address = f"/api/uploads/{batch}?name=a.txt"

    assert client.put(address, content=b"x", headers={"origin": "http://evil.example"}).status_code == 403
    assert client.put(address, content=b"x", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.put(address, content=b"x", headers={"origin": "http://[::1"}).status_code == 403
    assert client.put(address, content=b"x", headers=ORIGIN).status_code == 201


def ask(bench: FakeWorkbench, question: str) -> tuple[str, str]:
    conversation = bench.new_conversation(LOCAL_ADMIN)
    turn = services.turns().start(conversation.id, Question(question, LOCAL_ADMIN))
    return conversation.id, turn.id


def test_the_events_of_a_turn_are_replayed_from_any_place(client: TestClient, bench: FakeWorkbench) -> None:
    _, turn = ask(bench, "What is the total liability of ACME per incident?")

    with client.websocket_connect(f"{SOCKETS}/turns/{turn}/ws", headers=ORIGIN) as socket:
        events = [socket.receive_json() for _ in range(7)]
    with client.websocket_connect(f"{SOCKETS}/turns/{turn}/ws?after=5", headers=ORIGIN) as socket:
        last = socket.receive_json()

    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["stage_started", "stage_finished"]
    assert kinds[4:] == ["claim_added", "answered", "finished"]
    assert events[5]["answer"]["status"] == "answered"
    assert last == {
        "type": "finished",
        "follow_ups": events[5]["answer"]["follow_ups"],
    }  # the answer goes once


def test_an_unknown_turn_and_a_foreign_origin_get_no_events(client: TestClient) -> None:
    with client.websocket_connect(f"{SOCKETS}/turns/t9/ws", headers=ORIGIN) as socket:
        closed = socket.receive()
    foreign = {"origin": "http://evil.example"}
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect(f"{SOCKETS}/turns/t9/ws", headers=foreign),
    ):
        pass

    assert closed["code"] == 4404
    assert refused.value.code == 4403


def test_an_answer_is_exported_with_its_citations(client: TestClient, bench: FakeWorkbench) -> None:
    conversation, turn = ask(bench, "What is the total liability of ACME per incident?")
    with client.websocket_connect(f"{SOCKETS}/turns/{turn}/ws", headers=ORIGIN) as socket:
        while socket.receive_json()["type"] != "finished":
            pass

    text = client.get(f"/api/conversations/{conversation}/turns/{turn}.md").text
    address = f"/api/conversations/{conversation}/turns/{turn}.json"
    data = client.get(address).json()
    noted = client.get(f"{address}?standings=true").json()

    assert "1. ACME Master Services Agreement, page 2 (acme-master-services.pdf, version 1)" in text
    assert "$750,000 per incident" in text
    assert data["schema"] == 1
    assert "standing" not in data["claims"][0]["citations"][0]
    assert noted["claims"][0]["citations"][0]["standing"]["state"] == "current"
    assert client.get(f"/api/conversations/{conversation}/turns/{turn}.exe").status_code == 404


def test_component_scripts_are_served_under_their_fingerprint(client: TestClient) -> None:
    found = client.get("/api/assets/anything/answer.js")

    assert found.headers["content-type"].startswith("text/javascript")
    assert client.get("/api/assets/anything/../../asgi.py").status_code == 404


def test_a_home_that_cannot_be_opened_answers_503(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "groundwork.toml").write_text("[nonsense]\nkey = 1\n")
    services.close()
    monkeypatch.setenv(services.HOME, str(home))
    client = TestClient(Starlette(routes=ROUTES))

    assert client.get("/v1/healthz").status_code == 503


@pytest.mark.parametrize("number", ["abc", "-1", "%C2%B2", "9" * 5_000])
def test_a_number_that_is_none_is_left_out_of_account(
    client: TestClient, bench: FakeWorkbench, number: str
) -> None:
    page = f"/api/documents/{first(bench, 'ACME')}/versions/1/pages/1"

    assert client.get(f"{page}/text?start={number}").json()["start"] == 0
    assert client.get(f"{page}.jpg?w={number}").status_code < 500


@pytest.mark.parametrize("version", ["abc", "-1", "0", "%C2%B2", "9" * 30])
def test_a_version_that_is_none_is_not_taken_for_the_current_one(
    client: TestClient, bench: FakeWorkbench, version: str
) -> None:
    address = f"/api/documents/{first(bench, 'ACME')}/original"

    found = client.get(f"{address}?version={version}")

    assert found.status_code == 404
    assert found.json()["next_step"] == "Leave the version out for the current one."
    assert (
        client.get(f"{address}?version=1").status_code == client.get(f"{address}?version=").status_code == 200
    )
