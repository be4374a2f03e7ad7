"""What is computed in SQL over cells is what pandas computes over the same cells, to the last unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.domain.annotation import AggregateResult
from core.domain.matrix import MatrixQuery
from core.domain.predicate import Predicate
from core.errors import UsageError
from core.store.cells.field_rows import key_of
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.examples import examples
from tests.support.postgres_server import PostgresServer
from tests.support.stated_frame import LAWS, Frames, compute, fill, truths
from tests.support.stated_values import day, days, money, number, text

NOBODY = Visibility(frozenset())
NOT_OF = {"law": ("sum", "avg", "median"), "end": ("sum", "avg")}
ONE_VALUE = ["=", "!=", ">", ">=", "<", "<="]


@dataclass(frozen=True, slots=True, repr=False)
class Collection:
    records: Records
    frames: Frames


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.live)])
def collection(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Collection]:
    url = ""
    server: PostgresServer | None = None
    if request.param == "postgres":
        server = request.getfixturevalue("postgres_server")
        name = server.create_database()
        url = server.address(name)
    home: Path = tmp_path_factory.mktemp("home")
    with Records.open(Settings(home=home, records=RecordsSettings(url=SecretStr(url)))) as records:
        yield Collection(records, fill(records, seed=7))
    if server is not None:
        server.drop_database(name)


VALUES = {
    "law": st.sampled_from(LAWS).map(text),
    "fee": st.tuples(st.integers(-5_000, 900_000), st.sampled_from(["USD", "USD", "EUR"])).map(
        lambda pair: money(str(Decimal(pair[0]).scaleb(-4)), pair[1])
    ),
    "units": st.integers(0, 30).map(lambda count: number(str(count))),
    "end": st.dates().filter(lambda each: 2019 < each.year < 2024).map(lambda each: day(each.isoformat())),
    "notice": st.sampled_from([29, 30, 60, 90]).map(days),
}
STATUSES = st.sampled_from(["present", "absent", "uncertain", "unreadable", "missing"])


@st.composite
def predicates(draw: st.DrawFn) -> Predicate:
    field = draw(st.sampled_from(sorted(VALUES)))
    operators = [*ONE_VALUE, "in", "between", "is", "is-missing", "contains", "~"]
    op = draw(st.sampled_from(operators if field == "law" else operators[:-2]))
    if op == "is":
        return Predicate(field, op, draw(STATUSES))
    if op == "is-missing":
        return Predicate(field, op)
    if op == "contains":
        return Predicate(field, op, draw(st.sampled_from(["ela", "NEW", "and w", "zz"])))
    if op == "~":
        return Predicate(field, op, draw(st.sampled_from(["^d", "s$", "land|york", "[xz]"])))
    if op in ONE_VALUE:
        return Predicate(field, op, draw(VALUES[field]))
    found = draw(st.lists(VALUES[field], min_size=2, max_size=2 if op == "between" else 4))
    same = [each for each in found if each.unit == found[0].unit]
    if op == "between":
        pair = (same[0], same[-1])
        return Predicate(field, op, tuple(sorted(pair, key=lambda each: (each.amount or 0, key_of(each)))))
    return Predicate(field, op, tuple(same))


@settings(
    max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    chosen=st.lists(predicates(), max_size=3).map(tuple),
    aggregate=st.sampled_from(["count", "sum", "min", "max", "avg", "median", "distinct"]),
    field=st.sampled_from(["fee", "fee", "fee", "law", "units", "end", "notice"]),
    group_by=st.lists(
        st.sampled_from(["law", "fee.unit", "end.year", "notice"]), max_size=2, unique=True
    ).map(tuple),
)
def test_sums_counts_and_groups_are_those_of_pandas(
    collection: Collection,
    chosen: tuple[Predicate, ...],
    aggregate: str,
    field: str,
    group_by: tuple[str, ...],
) -> None:
    def run() -> AggregateResult:
        return collection.records.annotations.aggregate(NOBODY, "b", group_by, chosen, aggregate, field)

    if aggregate in NOT_OF.get(field, ()):
        with pytest.raises(UsageError):
            run()
        return
    expected = compute(collection.frames, aggregate, field, group_by, chosen)
    if expected.groups is None:
        with pytest.raises(UsageError):
            run()
        return
    result = run()
    found = {group.key: (group.value, group.rows, group.documents) for group in result.groups}
    assert found.keys() == expected.groups.keys()
    for key, (value, rows, documents) in expected.groups.items():
        assert found[key][1:] == (rows, documents)
        assert_equal(found[key][0], value, aggregate)
    assert {(each.field, each.reason): each.rows for each in result.excluded} == dict(expected.excluded)
    assert result.scope == len(collection.frames.documents)


def assert_equal(found: object, expected: object, aggregate: str) -> None:
    if not isinstance(expected, tuple):
        assert found == expected
        return
    assert isinstance(found, Decimal)
    exact = Fraction(*expected)
    if aggregate != "avg":
        assert Fraction(found) == exact
    else:  # 28 digits of a quotient that may not end
        assert abs(Fraction(found) - exact) <= abs(exact) / 10**27


@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(chosen=st.lists(predicates(), min_size=1, max_size=3).map(tuple))
def test_the_documents_found_are_those_of_pandas(
    collection: Collection, chosen: tuple[Predicate, ...]
) -> None:
    verdicts = [truths(collection.frames, each) for each in chosen]
    answers = {document: [found[document] for found in verdicts] for document in collection.frames.documents}
    expected = {document for document, said in answers.items() if set(said) == {"yes"}}
    hits = collection.records.annotations.search(NOBODY, "b", chosen, top_k=1_000)
    assert {hit.document.id for hit in hits.hits} == expected
    assert hits.total == len(expected)
    unknown = [said for said in answers.values() if "no" not in said and set(said) != {"yes"}]
    assert sum(each.rows for each in hits.excluded) == len(unknown)
    page = collection.records.fields.matrix_page(
        NOBODY, MatrixQuery("b", fields=("law",), where=tuple(chosen), limit=1_000)
    )
    assert {row.document.id for row in page.rows} == expected
