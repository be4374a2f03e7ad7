"""Every operation with generated requests, fitting and not: nothing fails, all answers are as described."""

from __future__ import annotations

import json

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount

from app.api.identity import Identity
from app.api.problems import HANDLERS
from app.api.request_id import RequestId
from app.api.routes import ROUTES
from tests.support.contracts_at_hand import Contracts

EXAMPLES = 12
LONGEST_WAIT_S = 0.2
load_all_checks()
NOT_HELD = [CHECKS.get_one("positive_data_acceptance")]
"""A request of the right form may ask for what is not there: a bucket, a plan, an address."""


@pytest.fixture(scope="module")
def interface(at_hand: Contracts) -> schemathesis.BaseSchema:
    api = Starlette(routes=ROUTES, exception_handlers=HANDLERS)
    middleware = [Middleware(RequestId), Middleware(Identity)]
    app = Starlette(routes=[Mount("/api", api)], middleware=middleware)
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    generation = GenerationConfig(modes=modes, deterministic=True, database="none")
    projects = ProjectsConfig(default=ProjectConfig(generation=generation))
    config = SchemathesisConfig(projects=projects)
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app, config=config)


schema = schemathesis.pytest.from_fixture("interface")


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_an_operation_answers_as_it_is_described(case: Case) -> None:
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("wait_s"), int | float):
        body["wait_s"] = min(body["wait_s"], LONGEST_WAIT_S)  # what is too little stays so
    response = case.call_and_validate(excluded_checks=NOT_HELD)
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"]
        assert json.loads(response.content)["request_id"]
