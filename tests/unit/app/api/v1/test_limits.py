from __future__ import annotations

import json

import pytest
from starlette.testclient import TestClient

from app.api.v1 import limits
from app.api.v1.limits import DEEPEST, depth_of, is_json


@pytest.mark.parametrize("path", ["search", "audits/import", "rag/query", "plans"])
@pytest.mark.parametrize("depth", [DEEPEST + 1, 10_000, 1_000_000])
def test_json_that_goes_too_deep_is_refused(rest: TestClient, path: str, depth: int) -> None:
    for text in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth, "[" * depth):
        found = rest.post(path, content=text, headers={"content-type": "application/json"})
        assert (found.status_code, found.headers["content-type"]) == (400, "application/problem+json")


def test_brackets_within_texts_are_no_depth() -> None:
    text = json.dumps({"a": "[" * 500, "b": '"' + "{" * 500, "c": ["\\", "]"]}).encode()

    assert depth_of(text, 100) == 2
    assert depth_of(b"[[1],[2],[3]]", 1) == 2
    assert depth_of(b'"' + b'\\"[' * 1000, 10) == 0  # a text that never ends


@pytest.mark.parametrize(
    "text", [b"{", b"NaN", b'{"a": -Infinity}', b'{"a": 1e999}', b'{"a": "\\ud800"}', b"\xff", b"9" * 5_000]
)
def test_what_could_not_be_sent_again_is_no_json(rest: TestClient, text: bytes) -> None:
    found = rest.post("audits/import", content=text)
    assert (found.status_code, found.headers["content-type"]) == (400, "application/problem+json")


def test_characters_beyond_the_basic_plane_are_json() -> None:
    assert is_json(b'"\\ud83d\\ude00 and \xf0\x9f\x98\x80"')
    assert is_json(b"[1.5e3, null]")


def test_a_body_of_another_type_is_refused(rest: TestClient) -> None:
    for path, media in (
        ("search", "text/plain"),
        ("search", "multipart/form-data"),
        ("documents", "text/csv"),
    ):
        found = rest.post(path, content=b"x", headers={"content-type": media})
        assert (found.status_code, found.headers["content-type"]) == (415, "application/problem+json")
    assert rest.post("search", content=b'{"query": "x"}').status_code == 200  # without a type it is JSON


def test_a_body_that_is_too_large_is_refused_before_it_is_read(
    rest: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_JSON", 1_000)
    monkeypatch.setattr(limits, "most_form_bytes", lambda: 1_000)
    text = json.dumps({"query": "x" * 2_000}).encode()
    assert rest.post("search", content=text).status_code == 413
    assert rest.post("search", content=iter([text[:900], text[900:]])).status_code == 413  # of unknown length
    files = [("files", ("a.txt", b"x" * 2_000))]
    assert rest.post("documents", files=files).status_code == 413
    body = rest.build_request("POST", "documents", files=files)
    pieces = body.read()
    kind = {"content-type": body.headers["content-type"]}
    found = rest.post("documents", content=iter([pieces[:900], pieces[900:]]), headers=kind)
    assert (found.status_code, found.headers["content-type"]) == (413, "application/problem+json")


def test_head_is_get_without_the_body(rest: TestClient) -> None:
    asked = rest.head("documents")
    assert (asked.status_code, asked.content) == (200, b"")
    assert int(asked.headers["content-length"]) > 2
    assert rest.head("nowhere").status_code == 404
