"""Every set of roles by every kind of query by every way in: all decide alike, and before any search."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.testclient import TestClient

from app import services
from app.api.identity import Identity
from app.api.problems import problem
from app.api.routes import ROUTES
from app.running.plan_runs import PlanRuns
from core.cli.main import groundwork
from core.cli.mcp.identity import McpCaller
from core.cli.mcp.server import server
from core.cli.output import REFUSED
from core.domain.answer import Kind, Status
from core.domain.principal import ROLES, Principal
from core.domain.trust.deed import AuditQuery
from core.domain.trust.permission import Trait
from core.errors import GroundworkError, RefusedError
from core.plan.ir.nodes import Plan
from core.plan.operators import RecordOperators
from core.search.search import Retriever
from core.workbench import Session, Workbench
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.examples import IS_FULL

OTHERS = tuple(each for each in ROLES if each != "admin")
SIZES = range(len(OTHERS) + 1) if IS_FULL else (0, 1, len(OTHERS) - 1, len(OTHERS))  # none, one, all but one
ROLE_SETS = [
    frozenset(some)
    for some in (*chain.from_iterable(combinations(OTHERS, size) for size in SIZES), ("admin",))
]
QUESTIONS = {
    "plain": ("Which contracts are governed by the law of Texas?", frozenset[Trait]()),
    "compliance": ("Which contracts lack audit rights?", frozenset({Trait.COMPLIANCE})),
    "financial": ("What is the total contract value?", frozenset({Trait.FINANCIAL_AGGREGATE})),
    "both": ("What is the total value of the contracts without audit rights?", frozenset(Trait)),
}
PREDICATES = {
    "plain": (["governing_law = Texas"], {}),
    "compliance": (["audit_rights is-missing"], {}),
    "financial": ([], {"aggregate": "sum", "field": "contract_value"}),
    "both": (["audit_rights is-missing"], {"aggregate": "sum", "field": "contract_value"}),
}


def lacking(roles: frozenset[str], traits: frozenset[Trait]) -> set[str]:
    """The roles that are lacking, told without any policy."""
    if "admin" in roles:
        return set()
    found = set() if roles & {"contract_read", "analyst"} else {"contract_read"}
    found |= {"compliance_officer"} - roles if Trait.COMPLIANCE in traits else set()
    return found | ({"finance_read"} - roles if Trait.FINANCIAL_AGGREGATE in traits else set())


@dataclass
class Spent:
    """Calls of searches and of operators of plans since it was last looked at."""

    calls: list[str] = field(default_factory=list)

    def take(self) -> list[str]:
        found, self.calls = self.calls, []
        return found


@pytest.fixture(scope="module")
def spent() -> Iterator[Spent]:
    counted = Spent()
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in ((Retriever, "retrieve"), (Retriever, "search"), (RecordOperators, "run")):
            real = getattr(owner, name)

            def counting(self: Any, *args: Any, _real: Any = real, **kwargs: Any) -> Any:
                counted.calls.append(_real.__qualname__)
                return _real(self, *args, **kwargs)

            patch.setattr(owner, name, counting)
        yield counted


@dataclass
class Home:
    """A home with an account and a token for each set of roles, and a saved plan of each kind."""

    at_hand: Contracts
    names: dict[frozenset[str], str]
    tokens: dict[frozenset[str], str]
    plans: dict[str, Plan]
    saved: dict[str, str]
    links: dict[str, str]
    client: TestClient

    def session(self, roles: frozenset[str]) -> Session:
        return self.at_hand.bench.for_principal(self.at_hand.bench.principal(self.names[roles]))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, spent: Spent) -> Iterator[Home]:
    with contracts_at_hand(tmp_path_factory.mktemp("policies") / "home") as at_hand:
        services.use(at_hand.bench)
        local = at_hand.bench.local
        local.accounts.add("root", password="correct horse", roles=["admin"])
        names = {roles: f"r{at}" for at, roles in enumerate(ROLE_SETS)}
        tokens = {}
        for roles, name in names.items():
            local.accounts.add(name, identity=f"https://id.example#{name}", roles=roles)
            tokens[roles] = local.tokens.add("table", ["ask", "read"], account=name)[0]
        plans = {}
        for kind, (question, traits) in QUESTIONS.items():
            plan = local.plans.make(question)
            assert isinstance(plan, Plan)
            assert set(local.policies.explain(plan).request.traits) == traits
            plans[kind] = plan
        saved = {kind: local.audits.save(plan, kind, acl=()).id for kind, plan in plans.items()}
        links = {kind: shared_link(local, question) for kind, (question, _) in QUESTIONS.items()}
        api = Starlette(routes=ROUTES, exception_handlers={GroundworkError: problem})
        app = Starlette(routes=[Mount("/api", api)], middleware=[Middleware(Identity)])
        with TestClient(app) as client:
            yield Home(at_hand, names, tokens, plans, saved, links, client)
    services.close()


def shared_link(session: Session, question: str) -> str:
    """The secret of a link to the answer of a question."""
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, question)
    session.conversations.finish_turn(turn.id, session.questions.ask(question))
    return session.sharing.share_answer(conversation.id, turn.id)[0]


Way = Callable[[Home, frozenset[str], str], set[str] | None]
"""Asks, and gives the roles that a refusal names; None where it was answered."""


def by_question(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    answer = home.session(roles).questions.ask(QUESTIONS[kind][0])
    if answer.status is not Status.REFUSED:
        return None
    assert "not_permitted" in answer.flags
    assert all(role in answer.text.replace("\\", "") for role in answer.lacking)
    return set(answer.lacking)


def refused(deed: Callable[[], object]) -> set[str] | None:
    try:
        deed()
    except RefusedError as error:
        return set(error.lacking) & _named(error.message)
    return None


def by_plan(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    return refused(lambda: home.session(roles).plans.run(home.plans[kind]))


def by_edited_plan(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """The nodes of the plan under other names, as the plan of a harmless question of another kind."""
    text = home.plans[kind].model_dump_json()
    for node in home.plans[kind].nodes:
        text = text.replace(f'"{node.id}"', f'"x{node.id}"')
    edited = Plan.model_validate_json(text).model_copy(
        update={"kind": Kind.LOOKUP, "question": "Which contracts are there?", "notes": ()}
    )
    return refused(lambda: home.session(roles).plans.run(edited))


def by_page(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """As the Plan page runs it, on a thread."""
    principal = home.at_hand.bench.principal(home.names[roles])
    run = PlanRuns(home.at_hand.bench).start(home.plans[kind], principal)
    assert run.ended.wait(30)
    if run.outcome is not None:
        return None
    assert run.said is not None
    return {role for role in ROLES if repr(role) in run.said[0]}


def by_saved_plan(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    return refused(lambda: home.session(roles).audits.run(home.saved[kind]))


def by_shown_results(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """The results that somebody else's run of a saved plan gave."""
    return refused(lambda: home.session(roles).audits.runs(home.saved[kind]))


def by_shared_link(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """An answer that an admin was given, and sent the link of."""
    return refused(lambda: home.session(roles).sharing.open(home.links[kind]))


def by_sql(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    plan = home.plans[kind]
    return refused(lambda: home.session(roles).plans.statements(plan, plan.answer_node or ""))


def by_cells(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    predicates, given = PREDICATES[kind]
    matrix = home.session(roles).matrix
    if given:
        return refused(lambda: matrix.aggregate("contracts", (), predicates, **given))
    return refused(lambda: matrix.search("contracts", predicates))


def by_tools(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """As a language model calls them for somebody."""
    predicates, given = PREDICATES[kind]
    tools = home.session(roles).plans.tools()
    name = "annotations_aggregate" if given else "annotations_search"
    return refused(lambda: tools.call(name, {"predicates": predicates, **given}))


def by_api(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    return _called(home, roles, f"/api/v1/plans/{home.saved[kind]}/run")


def by_edited_plan_over_api(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """A plan of their own, posted and then run."""
    plan = home.plans[kind].model_dump(mode="json") | {"kind": "lookup", "question": "Hello"}
    made = _call(home, roles, "/api/v1/plans", plan=plan)
    if made.status_code == 403:
        return _named(made.json()["detail"])
    return _called(home, roles, f"/api/v1/plans/{made.json()['id']}/run")


def by_command(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workbench, "open", lambda **_: Open(home.at_hand.bench))
        result = CliRunner().invoke(
            groundwork,
            ["ask", QUESTIONS[kind][0], "--offline", "--as", home.names[roles], "--json"],
            standalone_mode=False,
        )
    assert result.exception is None
    if result.return_value != REFUSED:
        return None
    return set(json.loads(result.stdout)["lacking"])


def by_mcp(home: Home, roles: frozenset[str], kind: str) -> set[str] | None:
    """As a program with a language model runs an edited plan, by the SDK's own client."""
    caller = McpCaller(home.at_hand.bench.principal(home.names[roles]))
    plan = home.plans[kind].model_dump(mode="json") | {"kind": "lookup", "question": "Hello"}

    async def run() -> set[str] | None:
        async with Client(server(home.at_hand.bench, lambda _context: caller)) as client:
            found = await client.call_tool("run_plan", {"plan": plan})
        return _named(found.content[0].text) if found.is_error else None

    return asyncio.run(run())


class Open:
    """A workbench that is open already, and stays so."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def __enter__(self) -> Workbench:
        return self._bench

    def __exit__(self, *_: object) -> None:
        return None


def _call(home: Home, roles: frozenset[str], path: str, **body: Any) -> Any:
    headers = {"Authorization": f"Bearer {home.tokens[roles]}"}
    return home.client.post(path, json=body, headers=headers)


def _called(home: Home, roles: frozenset[str], path: str) -> set[str] | None:
    found = _call(home, roles, path)
    if found.status_code == 200:
        return None
    assert found.status_code == 403, found.text
    assert found.headers["content-type"].startswith("application/problem+json")
    return _named(found.json()["detail"])


def _named(text: str) -> set[str]:
    return {role for role in ROLES if repr(role) in text}


WAYS: list[Way] = [
    by_question,
    by_plan,
    by_edited_plan,
    by_page,
    by_saved_plan,
    by_shown_results,
    by_shared_link,
    by_sql,
    by_cells,
    by_tools,
    by_api,
    by_edited_plan_over_api,
    by_command,
    by_mcp,
]


BEFORE_A_PLAN = (by_question, by_command)
"""Ways on which who may ask nothing is refused before anything is planned, so for that alone."""


@pytest.mark.parametrize("kind", list(QUESTIONS))
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_decides_by_the_roles_and_refuses_before_any_search(
    home: Home, spent: Spent, way: Way, kind: str
) -> None:
    wrong = []
    for roles in ROLE_SETS:
        spent.take()
        expected = lacking(roles, QUESTIONS[kind][1])
        if way in BEFORE_A_PLAN and "contract_read" in expected:
            expected = {"contract_read"}
        named = way(home, roles, kind)
        calls = spent.take()
        if (named or set()) != expected or (named is not None and calls):
            wrong.append((sorted(roles), expected, named, calls))
    assert wrong == []


def test_a_refused_question_is_in_the_audit_log_without_its_words(home: Home) -> None:
    session = home.session(frozenset({"contract_read"}))
    answer = session.questions.ask("Which contracts lack audit rights? (ann@example.com)")
    assert answer.lacking == ("compliance_officer",)

    log = home.at_hand.bench.local.audit_log
    [asked] = log.entries(AuditQuery(trace=answer.trace_id))
    assert (asked.deed.name, asked.deed.outcome) == ("question.ask", "refused")
    assert asked.deed.detail["lacking"] == ["compliance_officer"]
    assert "shown_count" not in asked.deed.detail or asked.deed.detail["shown_count"] == 0
    with pytest.raises(RefusedError):
        session.plans.run(home.plans["financial"])
    run = log.entries(AuditQuery(account=session.principal.user, limit=1))[0]
    assert (run.deed.name, run.deed.outcome) == ("plan.run", "refused")
    assert run.deed.detail["lacking"] == ["finance_read"]
    with pytest.raises(RefusedError):
        list(session.plans.stream(home.plans["financial"]))
    streamed = log.entries(AuditQuery(account=session.principal.user, limit=1))[0]
    assert (streamed.deed.name, streamed.deed.outcome) == ("policy.refuse", "refused")
    assert streamed.deed.detail == {"lacking": ["finance_read"], "traits": ["financial_aggregate"]}
    for entry in (asked, run, streamed):
        assert "example.com" not in json.dumps(entry.deed.detail)


def test_of_two_questions_in_one_the_one_that_is_allowed_is_answered(home: Home) -> None:
    session = home.session(frozenset({"contract_read"}))
    answer = session.questions.ask(
        "Which contracts are governed by the law of Texas? Which contracts lack audit rights?"
    )

    answered, not_allowed = answer.parts
    assert answered.table is not None
    assert (not_allowed.status, not_allowed.claims) == (Status.REFUSED, ())
    assert answer.lacking == ("compliance_officer",)


def test_the_local_admin_is_asked_nothing_even_where_a_file_is_broken(home: Home) -> None:
    folder = home.at_hand.parts.settings.home / "policies"
    folder.mkdir()
    (folder / "own.cedar").write_text("permit (")
    try:
        analyst = home.session(frozenset({"analyst"}))
        answer = analyst.questions.ask(QUESTIONS["plain"][0])
        assert answer.status is Status.REFUSED
        assert "own.cedar, line 1" in answer.text.replace("\\", "")
        with pytest.raises(RefusedError, match=r"own\.cedar, line 1"):
            analyst.plans.run(home.plans["plain"])
        assert home.at_hand.bench.local.questions.ask(QUESTIONS["plain"][0]).status is not Status.REFUSED
        admin = home.at_hand.bench.for_principal(Principal("root", frozenset({"admin"})))
        with pytest.raises(RefusedError, match=r"own\.cedar, line 1"):
            admin.documents.add_bucket("x")
    finally:
        (folder / "own.cedar").unlink()
        folder.rmdir()


def test_no_question_is_suggested_that_would_be_refused(home: Home) -> None:
    session = home.session(frozenset({"contract_read"}))
    suggested = session.questions.ask(QUESTIONS["plain"][0]).follow_ups
    assert suggested
    for question in suggested:
        assert session.questions.ask(question).status is not Status.REFUSED, question
