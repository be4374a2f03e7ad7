"""What is judged in SQL is what is true of each document by itself, and nothing hidden shows through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.domain.predicate import Predicate
from core.store.database.visibility import Visibility
from core.store.query.evaluate import Clause
from core.store.query.sources import JudgedScope
from core.store.store import Records
from tests.support.examples import examples
from tests.support.judged import ASKING, EVERYBODY, FIELDS, LAWS, LEGAL, NOBODY, Made, collection, fill, judge
from tests.support.postgres_server import PostgresServer
from tests.support.stated_values import day, days, money, text


class Filled:
    """One collection whole, and by itself what each principal sees of it."""

    def __init__(self, whole: Records, alone: dict[Visibility, Records], made: list[Made]) -> None:
        self.whole = whole
        self.alone = alone
        self.made = made


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    opened: list[Records] = []
    server: PostgresServer | None = None
    names: list[str] = []

    def new() -> Records:
        nonlocal server
        url = ""
        if request.param == "postgres":
            server = request.getfixturevalue("postgres_server")
            names.append(server.create_database())
            url = server.address(names[-1])
        home: Path = tmp_path_factory.mktemp("home")
        opened.append(Records.open(Settings(home=home, records=RecordsSettings(url=SecretStr(url)))))
        return opened[-1]

    documents = collection(seed=11)
    whole = new()
    made = fill(whole, documents)
    alone = {visible: new() for visible in (NOBODY, LEGAL)}
    for visible, records in alone.items():
        fill(records, documents, visible)
    yield Filled(whole, alone, made)
    for records in opened:
        records.close()
    if server is not None:
        for name in names:
            server.drop_database(name)


VALUES = {
    "law": st.sampled_from(LAWS).map(text),
    "vendor": st.sampled_from(LAWS).map(text),
    "fee": st.tuples(st.integers(0, 12), st.sampled_from(["USD", "USD", "EUR"])).map(
        lambda pair: money(str(pair[0] * 1000), pair[1])
    ),
    "end": st.tuples(st.integers(2020, 2024), st.integers(1, 12)).map(
        lambda pair: day(f"{pair[0]}-{pair[1]:02}-15")
    ),
    "notice": st.sampled_from([30, 60, 90]).map(days),
}
STATES = ["present", "absent", "uncertain", "unreadable", "not extracted", "check again", "not asked"]


@st.composite
def predicates(draw: st.DrawFn) -> Predicate:
    field = draw(st.sampled_from(FIELDS))
    is_text = field in ("law", "vendor")
    op = draw(st.sampled_from(["=", "!=", "in", "is", "is-missing"] + ["contains"] * is_text))
    if not is_text:
        op = draw(st.sampled_from([op, ">", ">=", "<", "<=", "between"]))
    if op == "is":
        return Predicate(field, op, draw(st.sampled_from(STATES)))
    if op == "is-missing":
        return Predicate(field, op)
    if op == "contains":
        return Predicate(field, op, draw(st.sampled_from(["ela", "NEW", "and w", "zz"])))
    if op not in ("in", "between"):
        return Predicate(field, op, draw(VALUES[field]))
    found = draw(st.lists(VALUES[field], min_size=2, max_size=3))
    same = sorted((each for each in found if each.unit == found[0].unit), key=lambda each: each.amount or 0)
    return Predicate(field, op, (same[0], same[-1]) if op == "between" else tuple(same))


def clauses() -> st.SearchStrategy[list[Clause]]:
    choices = st.lists(predicates(), min_size=1, max_size=3).map(tuple)
    return st.lists(st.one_of(predicates(), choices), max_size=3)


scopes = st.builds(
    JudgedScope,
    buckets=st.sampled_from([(), (), ("mixed",), ("deals",), ("mixed", "bills")]),
    schema=st.sampled_from(["", "contracts", "contracts", "invoices"]),
)
quick = settings(
    max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(conditions=clauses(), scope=scopes, visible=st.sampled_from([EVERYBODY, NOBODY, LEGAL]))
def test_documents_are_judged_as_each_by_itself(
    filled: Filled, conditions: list[Clause], scope: JudgedScope, visible: Visibility
) -> None:
    found = filled.whole.judging.judge(visible, scope, conditions, ASKING)
    wanted = [each if isinstance(each, tuple) else (each,) for each in conditions]
    expected = judge(filled.made, visible, scope.buckets, scope.schema, wanted)
    assert found.present == expected.present
    assert found.absent == expected.absent
    assert found.uncertain == expected.uncertain
    assert found.unreadable == expected.unreadable
    assert found.unknown.keys() == found.uncertain | found.unreadable


@quick
@given(conditions=clauses(), scope=scopes, visible=st.sampled_from([NOBODY, LEGAL]))
def test_what_is_hidden_is_as_if_it_were_not_there(
    filled: Filled, conditions: list[Clause], scope: JudgedScope, visible: Visibility
) -> None:
    found = filled.whole.judging.judge(visible, scope, conditions, ASKING)
    assert found == filled.alone[visible].judging.judge(EVERYBODY, scope, conditions, ASKING)


@quick
@given(conditions=clauses(), scope=scopes, some=st.sets(st.integers(0, 59), min_size=1))
def test_a_list_of_documents_is_judged_as_they_are_among_all(
    filled: Filled, conditions: list[Clause], scope: JudgedScope, some: set[int]
) -> None:
    ids = tuple(filled.made[at].id for at in sorted(some))
    listed = JudgedScope(scope.buckets, scope.schema, ids)
    found = filled.whole.judging.judge(EVERYBODY, listed, conditions, ASKING)
    among_all = filled.whole.judging.judge(EVERYBODY, scope, conditions, ASKING)
    assert found.present == among_all.present & set(ids)
    assert found.scope == among_all.scope & set(ids)
    assert found.unreadable == among_all.unreadable & set(ids)
