"""Conditions as a person writes them, over cells that are put straight into records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.config.load import load_settings
from core.domain.fields import FieldType
from core.domain.ids import DocumentId, document_id
from core.domain.predicate import Predicate
from core.domain.principal import Principal
from core.domain.wire.annotations import aggregate_json, hits_json
from core.errors import NotFoundError, UsageError
from core.store.store import Records
from core.workbench import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK_ALL
from tests.support.stated_values import absent, day, days, money, number, present, put, row, text, uncertain

BOB = Principal("bob", MAY_ASK_ALL)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("annotations") / "home"
    home.mkdir()
    (home / "groundwork.toml").write_text(
        "[users.bob]\nroles = ['contract_read', 'finance_read', 'compliance_officer']\n"
    )
    with Records.open(load_settings(home)) as records:
        rows = (row(0, 0, item="Pen", price=money("2")), row(0, 1, item="Ink", price=money("5.25")))
        put(
            records,
            "one.txt",
            rows=rows,
            law=present(text("Delaware")),
            fee=present(money("3500000")),
            end=present(day("2024-12-31")),
            notice=present(days(60)),
            crate_weight=present(number("5000", "g")),
        )
        put(records, "two.txt", law=uncertain(), fee=present(money("100")), end=absent())
        put(records, "three.txt", acl=("legal",), law=present(text("Texas")), fee=present(money("7")))
    return home


@pytest.fixture
def bench(home: Path) -> Iterator[Workbench]:
    with Workbench(PartsWith(load_settings(home), HashedEncoder())) as opened:
        yield opened


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("fee = $3.5 million", 1),
        ("fee > USD 100.00", 1),
        ("end = December 31, 2024", 1),
        ("end between 2024-01-01 and Dec 31, 2024", 1),
        ("notice >= sixty (60) days", 1),
        ("crate_weight = 5 kg", 1),
        ("crate_weight < 4.5 kg", 0),
        ("law contains aware", 1),
        ("law is uncertain", 1),
        ("item ~ ^p", 1),
        (("law", "=", "texas"), 1),
        (Predicate("fee", "<=", money("100")), 2),
    ],
)
def test_conditions_are_read_as_documents_are(
    bench: Workbench, condition: str | tuple[str, str, str] | Predicate, count: int
) -> None:
    assert bench.local.matrix.search("b", [condition]).total == count


def test_a_date_that_can_be_read_two_ways_is_refused(bench: Workbench) -> None:
    with pytest.raises(UsageError, match="2021-03-04 or 2021-04-03"):
        bench.local.matrix.search("b", ["end > 03/04/2021"])
    with pytest.raises(UsageError, match="not a date"):
        bench.local.matrix.search("b", ["end > 31/02/2020"])
    with pytest.raises(UsageError, match="Unknown source"):
        bench.local.matrix.search("b", source="tables")


def test_what_a_principal_may_not_see_counts_nowhere(bench: Workbench) -> None:
    everything = bench.local.matrix.aggregate("b", (), (), "sum", "fee")
    mine = bench.for_principal(BOB).matrix.aggregate("b", (), (), "sum", "fee")
    assert [str(result.groups[0].value) for result in (everything, mine)] == ["3500107", "3500100"]
    assert (everything.scope, mine.scope) == (3, 2)
    assert bench.for_principal(BOB).matrix.search("b", ["law = texas"]).total == 0


def test_metadata_of_a_document_holds_its_cells_but_not_its_pages(bench: Workbench) -> None:
    document = document_id("b", "one.txt")
    found = bench.local.documents.metadata(document)
    assert (found.document.id, found.file, found.family) == (document, {"author": "A"}, "")
    assert {each.field: [value.text for value in each.finding.values] for each in found.cells}["law"] == [
        "Delaware"
    ]
    with pytest.raises(NotFoundError):
        bench.for_principal(BOB).documents.metadata(DocumentId(document_id("b", "three.txt")))


def test_hits_and_groups_are_plain_json(bench: Workbench) -> None:
    hits = json.loads(json.dumps(hits_json(bench.local.matrix.search("b", ["law = delaware"]))))
    assert hits["schema"] == 1
    assert hits["hits"][0]["fields"][0]["values"] == ["Delaware"]
    rows = json.loads(json.dumps(hits_json(bench.local.matrix.search("b", ["price > 3 USD"]))))
    assert [cell["value"] for cell in rows["hits"][0]["columns"]] == ["Ink", "5.25"]
    groups = aggregate_json(bench.local.matrix.aggregate("b", "law", (), "max", "fee"))
    assert groups["groups"][0] == {
        "key": ["Delaware"],
        "value": "3500000",
        "unit": "USD",
        "rows": 1,
        "documents": 1,
    }
    assert groups["type"] == FieldType.MONEY.value


def run(home: Path, *arguments: str) -> Any:
    result = CliRunner().invoke(
        groundwork, ["annotations", *arguments, "--home", str(home)], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout) if "--json" in arguments else result.output


def test_the_command_line_searches_and_computes(home: Path) -> None:
    found = run(
        home, "search", "--bucket", "b", "--where", "fee >= $100", "--where", "end is-missing", "--json"
    )
    assert [hit["source"] for hit in found["hits"]] == ["two.txt"]
    summed = run(
        home,
        "aggregate",
        "--bucket",
        "b",
        "--aggregate",
        "sum:fee",
        "--group-by",
        "law",
        "--as",
        "bob",
        "--json",
    )
    assert [(group["key"], group["value"]) for group in summed["groups"]] == [(["Delaware"], "3500000")]
    assert {"field": "law", "reason": "uncertain", "rows": 1} in summed["excluded"]
    counted = run(home, "aggregate", "--json")
    assert counted["groups"][0]["value"] == "3"
    rates = run(home, "aggregate", "--aggregate", "sum:fee", "--rate", "USD=0.5", "--into", "EUR", "--json")
    assert (rates["groups"][0]["value"], rates["groups"][0]["unit"]) == ("1750053.5", "EUR")


def test_a_person_sees_a_table_and_what_could_not_take_part(home: Path) -> None:
    shown = run(home, "aggregate", "--bucket", "b", "--aggregate", "median:fee", "--where", "law ~ .")
    assert "median of fee" in shown
    assert "1 could not take part: law uncertain." in shown
    assert "Delaware" in run(home, "search", "--where", "law = delaware")
    assert "item: Pen; price: 2 USD" in run(home, "search", "--where", "item = pen")


@pytest.mark.parametrize("rate", ["EUR", "EUR=x", "=2", "EUR=-1", "EUR=nan"])
def test_a_rate_that_cannot_be_read_is_refused(home: Path, rate: str) -> None:
    with pytest.raises(UsageError, match="rate"):
        run(home, "aggregate", "--aggregate", "sum:fee", "--rate", rate)
