"""Every operation with generated requests, fitting and not: nothing fails, all answers are as described."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime, timedelta

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount

from app.api.gate import Gate
from app.api.identity import Identity
from app.api.problems import HANDLERS
from app.api.request_id import RequestId
from app.api.routes import ROUTES, V1
from tests.support.contracts_at_hand import Contracts
from tests.support.examples import IS_FULL

EXAMPLES = 8 if IS_FULL else 4
PATIENCE_S = 60
"""For one request: the first of a home loads what the others use."""
LONGEST_WAIT_S, MOST_WAIT_S = 0.2, 120
load_all_checks()
NOT_HELD = [CHECKS.get_one("positive_data_acceptance")]
"""A request of the right form may ask for what is not there: a bucket, a plan, an address."""
FORMS = frozenset({"POST /documents"})
NOT_HELD_IN_FORMS = [*NOT_HELD, CHECKS.get_one("negative_data_rejection")]
"""In a form a text and a list of one text are written alike."""
OPERATIONS = sorted(
    f"{method.upper()} {path}" for path, each in V1.open().openapi()["paths"].items() for method in each
)


@pytest.fixture(scope="module")
def interface(at_hand: Contracts) -> schemathesis.BaseSchema:
    """The interface of a home with accounts, called with the token of an admin."""
    at_hand.bench.local.accounts.add("root", password="correct horse", roles=["admin"])
    until = datetime.now(UTC) + timedelta(days=1)
    token, _ = at_hand.records.api_tokens.add("root", "generated", ["admin"], until)
    api = Starlette(routes=ROUTES, exception_handlers=HANDLERS)
    middleware = [Middleware(RequestId), Middleware(Gate, hosts=("testserver",)), Middleware(Identity)]
    app = Starlette(routes=[Mount("/api", api)], middleware=middleware)
    headers = {"Authorization": f"Bearer {token}"}
    config = SchemathesisConfig.from_dict({"headers": headers, "generation": {"database": "none"}})
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, config=config, headers=headers)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_an_operation_answers_as_it_is_described(
    interface: schemathesis.BaseSchema, operation: str, mode: GenerationMode
) -> None:
    method, path = operation.split(" ")
    found = interface[path][method]
    cases = found.as_strategy(generation_mode=mode)

    @given(case=cases)
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    def answers(case: Case) -> None:
        body = case.body
        if isinstance(body, dict) and 0 < _number(body.get("wait_s")) <= MOST_WAIT_S:
            body["wait_s"] = LONGEST_WAIT_S  # what is too little or too much stays so
        excluded = NOT_HELD_IN_FORMS if operation in FORMS else NOT_HELD
        response = case.call_and_validate(excluded_checks=excluded, timeout=PATIENCE_S)
        if response.status_code >= 400:
            assert response.headers["content-type"] == ["application/problem+json"]
            assert json.loads(response.content)["request_id"]

    with contextlib.suppress(Unsatisfiable if mode is GenerationMode.NEGATIVE else ()):
        answers()  # some operations take nothing that could be wrong
