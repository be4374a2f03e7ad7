"""The encoder in the protocol of text2vec-transformers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from core.domain.passage import Matrix
from core.encode.base import EncodedText, TextToEncode
from core.encode.minilm import MiniLm
from core.encode.serve import MAX_BODY_BYTES, listen, make_app
from core.errors import EncoderError, UsageError


def repr_start(value: object) -> str:
    return repr(value)[:20]


@pytest.fixture(scope="module")
def client(minilm: MiniLm) -> TestClient:
    return TestClient(make_app(minilm))


def error_of(client: TestClient, body: Any) -> tuple[int, str]:
    answer = client.post("/vectors", content=body if isinstance(body, bytes) else json.dumps(body))
    return answer.status_code, answer.json()["error"]


@pytest.mark.parametrize("path", ["/.well-known/live", "/.well-known/ready"])
def test_it_says_that_it_is_there(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 204


def test_meta_names_the_model(client: TestClient, minilm: MiniLm) -> None:
    assert client.get("/meta").json()["name"] == "all-MiniLM-L6-v2"
    assert client.get("/meta").json()["dimension"] == minilm.signature.dimension


@pytest.mark.parametrize("path", ["/vectors", "/vectors/"])
@pytest.mark.parametrize("task", ["query", "passage"])
def test_a_text_has_the_vector_that_searches_and_ingest_give_it(
    client: TestClient, minilm: MiniLm, path: str, task: str
) -> None:
    text = "The rent of the warehouse is $15,000. " * 60  # longer than the window
    config = {"pooling_strategy": "masked_mean", "task_type": task}
    answer = client.post(path, json={"text": text, "config": config}).json()
    assert (answer["text"], answer["dim"]) == (text, 384)
    np.testing.assert_allclose(answer["vector"], minilm.encode_queries([text])[0], atol=1e-6)
    assert np.linalg.norm(answer["vector"]) == pytest.approx(1.0, abs=1e-5)


def test_the_clients_own_request_is_understood(client: TestClient) -> None:
    sent = {"text": "rent", "dims": 0, "vector": None, "error": "", "config": {"task_type": "query"}}
    assert client.post("/vectors", json=sent).status_code == 200


def test_odd_characters_do_no_harm(client: TestClient) -> None:
    answer = client.post("/vectors", content=b'{"text": "a\\ud800b \\u0000 \xf0\x9f\x8f\xa0"}')
    assert answer.json()["text"] == "a\ufffdb \0 \U0001f3e0"


@pytest.mark.parametrize(
    "body", [b"", b"\xff", b"[" * 100_000, b"[1]", {}, {"text": ["a", "b"]}, {"text": 3}]
)
def test_what_is_not_a_request_is_refused_in_words(client: TestClient, body: Any) -> None:
    status, sentence = error_of(client, body)
    assert status == 400
    assert sentence


def test_a_blank_text_has_no_vector(client: TestClient) -> None:
    assert error_of(client, {"text": " \n"}) == (422, "The text holds no words, so it has no vector.")


@pytest.mark.parametrize(
    ("config", "named"), [({"pooling_strategy": "cls"}, "masked_mean"), ({"dimensions": 128}, "dimensions")]
)
def test_vectors_of_another_kind_are_refused(client: TestClient, config: dict[str, Any], named: str) -> None:
    status, sentence = error_of(client, {"text": "rent", "config": config})
    assert status == 400
    assert named in sentence


def test_too_large_a_request_is_refused(client: TestClient) -> None:
    status, sentence = error_of(client, b'{"text": "' + b"a" * MAX_BODY_BYTES + b'"}')
    assert status == 413
    assert "200,000 bytes" in sentence


def test_an_unknown_path_is_an_error_in_json(client: TestClient) -> None:
    assert client.get("/nothing").json() == {"error": "Not Found"}


def test_an_encoder_that_fails_is_said_to(minilm: MiniLm) -> None:
    class Failing:
        signature = minilm.signature

        def encode_queries(self, texts: Sequence[str]) -> Matrix:
            raise EncoderError(f"no vector for {len(texts)} text")

        def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
            raise EncoderError(f"no vector for {len(texts)} texts")

    client = TestClient(make_app(Failing()), raise_server_exceptions=False)
    assert error_of(client, {"text": "rent"}) == (500, "The encoder failed; its log says more.")


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(UsageError, match=f"Cannot listen on 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
