from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.api import rate_limit
from app.api.rate_limit import RateLimit, TokenBucket
from core.config.models import ApiSettings


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def answer(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limited(clock: Clock) -> TestClient:
    limits = ApiSettings(requests_per_s=10, burst=5)
    middleware = Middleware(RateLimit, limits=lambda: limits, clock=clock)
    return TestClient(Starlette(routes=[Route("/{path:path}", answer)], middleware=[middleware]))


def statuses(client: TestClient, count: int, path: str = "/api/v1/search", token: str = "a") -> list[int]:
    sent = {"authorization": f"Bearer {token}"} if token else {}
    return [client.get(path, headers=sent).status_code for _ in range(count)]


def test_a_bucket_fills_at_its_rate_up_to_its_burst() -> None:
    bucket = TokenBucket(2, now=0.0)
    assert [bucket.take(10, 2, 0.0) for _ in range(3)] == [0.0, 0.0, 0.1]
    assert bucket.take(10, 2, 0.1) == 0.0
    assert [bucket.take(10, 2, 9.0) for _ in range(3)] == [0.0, 0.0, 0.1]
    assert bucket.take(10, 2, 8.0) > 0  # a clock that steps back gives nothing


def test_a_flood_is_told_when_the_next_one_counts(limited: TestClient, clock: Clock) -> None:
    assert statuses(limited, 1_000).count(200) == 5
    refused = limited.get("/api/v1/search", headers={"authorization": "Bearer a"})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    assert refused.headers["content-type"] == "application/problem+json"
    clock.now += 0.25
    assert statuses(limited, 5).count(200) == 2


def test_each_token_has_its_own_and_pages_have_none(limited: TestClient) -> None:
    assert statuses(limited, 6, token="a")[-1] == 429
    assert statuses(limited, 5, token="b") == [200] * 5
    assert statuses(limited, 6, token="")[-1] == 429  # by its address
    for path in ("/", "/api/documents/d1/versions/1/pages/1.jpg", "/api/v1/healthz"):
        assert statuses(limited, 20, path, token="") == [200] * 20
    assert statuses(limited, 1, "/api/documents.csv", token="a") == [429]


def test_many_callers_take_a_bounded_room(limited: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_CALLERS", 3)
    for name in "abcd":
        assert statuses(limited, 1, token=name) == [200]
    assert statuses(limited, 5, token="a").count(200) == 5  # forgotten, and so as new
