from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.document import IngestOutcome
from core.domain.evidence.change import EvidenceState
from core.domain.principal import Principal
from core.domain.rows.dataset import DatasetState
from core.errors import JobError, NotFoundError, RefusedError, UsageError
from core.workbench import Session, Workbench
from tests.support.roles import MAY_ASK
from tests.support.row_files import SPEND, written

ANN = Principal("ann", MAY_ASK, groups=frozenset({"finance"}))
BOB = Principal("bob", MAY_ASK)
SANCTIONS = "vendor,since\nBeta GmbH,2021-03-04\nDelta Ltd,2022-05-06\nEps AG,2023-01-01\n"
VENDORS = "Vendor,Total (USD)\nACME,5\nBeta GmbH,7.50\nDelta Ltd,9\nEps AG,1\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    written(folder, "spend.csv", SPEND)
    written(folder, "vendors.csv", VENDORS)
    written(folder, "sanctions list.csv", SANCTIONS)
    return folder


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, files: Path) -> Iterator[Workbench]:
    with Workbench.open(home=tmp_path_factory.mktemp("home")) as bench:
        datasets = bench.local.datasets
        datasets.register([files / "spend.csv"], acl=["finance"])
        datasets.register([files / "vendors.csv", files / "sanctions list.csv"])
        yield bench


@pytest.fixture
def session(bench: Workbench) -> Session:
    return bench.local


def test_datasets_are_no_documents_of_any_list(session: Session) -> None:
    assert [each.table for each in session.datasets.list()] == ["sanctions_list", "spend", "vendors"]
    assert session.documents.list() == []
    assert session.settings.status().documents == 0
    assert not any(bucket.documents for bucket in session.documents.buckets())


def test_rows_are_asked_with_the_rows_they_rest_on(session: Session) -> None:
    found = session.datasets.query(
        "SELECT region, sum(amount_eur) AS total FROM spend GROUP BY region ORDER BY region"
    )

    assert [each["type"] for each in found.columns] == ["text", "money"]
    assert found.rows == (("East", None), ("North", "1200.50"), ("South", "300.00"), ("West", "97.50"))
    assert [each.row for each in found.sources if each.result == 2] == [4, 6]
    (_, rows), *_ = session.datasets.source_rows(found, 2)
    assert [row[:3] for row in rows.rows] == [("4", "1", "North"), ("6", "3", "North")]


def test_two_datasets_are_joined_on_the_columns_that_share_values(session: Session) -> None:
    (join,) = session.datasets.joins(session.datasets.get("vendors"))
    assert (join.column, join.table, join.other, join.share) == ("vendor", "sanctions_list", "vendor", 1.0)

    found = session.datasets.query(
        "SELECT v.vendor, v.total_usd FROM vendors v JOIN sanctions_list s ON v.vendor = s.vendor ORDER BY 1"
    )
    assert found.rows == (("Beta GmbH", "7.50"), ("Delta Ltd", "9.00"), ("Eps AG", "1.00"))
    assert {(each.row, Path(each.source).name) for each in found.sources if each.result == 1} == {
        (3, "vendors.csv"),
        (2, "sanctions list.csv"),
    }


def test_a_plan_of_a_query_cites_its_rows_and_becomes_an_audit(session: Session) -> None:
    plan = session.datasets.plan("SELECT vendor, total_usd FROM vendors WHERE total_usd > 8", "Large vendors")
    answer = session.plans.run(plan)

    quotes = [each.quote for claim in answer.claims for each in claim.citations]
    assert set(quotes) == {"Delta Ltd | 9.00"}
    assert session.audits.save(plan, "Large vendors").name == "Large vendors"


def test_citations_of_a_dataset_stand_for_whoever_may_see_it(bench: Workbench) -> None:
    ann, bob = bench.for_principal(ANN), bench.for_principal(BOB)
    answer = ann.plans.run(ann.datasets.plan("SELECT vendor FROM sanctions_list", "Sanctions"))
    places = [each for claim in answer.claims for each in claim.citations]
    hides = bench._parts.records.access.hides
    spend = ann.datasets.get("spend").id

    assert {each.state for each in ann.citations.standings(places)} == {EvidenceState.CURRENT}
    assert not hides([places[0].document], [], bob.datasets._visible)
    assert hides([spend], [], bob.datasets._visible)


def test_who_may_not_see_a_dataset_finds_nothing_of_it(bench: Workbench) -> None:
    ann, bob = bench.for_principal(ANN).datasets, bench.for_principal(BOB).datasets

    assert "spend" in {each.table for each in ann.list()}
    assert {each.table for each in bob.list()} == {"sanctions_list", "vendors"}
    assert "spend" not in bob.tables()
    with pytest.raises(NotFoundError):
        bob.get("spend")
    with pytest.raises(RefusedError, match="no table 'spend'"):
        bob.query("SELECT count(*) FROM spend")
    with pytest.raises(RefusedError):
        bob.remove("vendors")
    with pytest.raises(RefusedError):
        bob.register([Path("x.csv")])


def test_amounts_are_asked_by_those_whom_the_policies_let(bench: Workbench) -> None:
    eve = bench.for_principal(Principal("eve", frozenset({"analyst"})))

    with pytest.raises(RefusedError, match="finance_read"):
        eve.datasets.query("SELECT sum(total_usd) FROM vendors")
    assert eve.datasets.query("SELECT count(*) FROM sanctions_list").rows == (("3",),)


@pytest.mark.parametrize(
    "sql",
    ["DROP TABLE vendors", "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM nothing", "not sql"],
)
def test_what_is_no_checked_select_is_refused(session: Session, sql: str) -> None:
    with pytest.raises(RefusedError):
        session.datasets.query(sql)


def test_a_file_that_changed_is_told_and_becomes_a_new_version(bench: Workbench, tmp_path: Path) -> None:
    datasets, path = bench.local.datasets, written(tmp_path, "stock.csv", "item,pieces\nbolt,5\nnut,7\n")
    (item,) = datasets.register([path])
    before = datasets.get("stock")
    os.utime(path)
    assert datasets.get("stock").state is DatasetState.READY, "only its time is another"

    path.write_text("item,pieces\nbolt,5\nnut,7\ncog,9\n")
    assert datasets.get("stock").state is DatasetState.CHANGED
    (again,) = datasets.register([path])
    (same,) = datasets.register([path])
    assert [each.outcome for each in (item, again, same)] == [
        IngestOutcome.READY,
        IngestOutcome.UPDATED,
        IngestOutcome.UNCHANGED,
    ]
    newest = datasets.get("stock")
    assert (newest.version, newest.rows, newest.state) == (2, 3, DatasetState.READY)
    assert datasets.get("stock", before.version).rows == 2
    old = bench.local.documents.page(before.id, 1, before.version).text
    assert old.split("\n")[2] == "bolt | 5", "what cites the version before can be opened"

    path.unlink()
    assert datasets.get("stock").state is DatasetState.MISSING
    datasets.remove("stock")
    assert "stock" not in datasets.tables()
    with pytest.raises(RefusedError):
        datasets.query("SELECT * FROM stock")
    assert [each.table for each in datasets.list(removed=True)] == ["stock"]
    datasets.restore("stock")
    assert datasets.query("SELECT sum(pieces) FROM stock").rows == (("21",),)
    datasets.remove("stock")


def test_uploads_have_no_file_that_could_change(session: Session, tmp_path: Path) -> None:
    path = written(tmp_path, "up.csv", "a,b\n1,2\n3,4\n")
    job = session.datasets.submit_register([path], names=["lists/up.csv"])
    session.datasets.register([path])  # runs what waits first
    shutil.rmtree(tmp_path)

    found = next(each for each in session.datasets.list() if each.source == "lists/up.csv")
    assert session.jobs.get(job).state.is_ended
    assert (found.path, found.state) == ("", DatasetState.READY)


def test_what_cannot_be_registered_says_so(session: Session, tmp_path: Path) -> None:
    bad = written(tmp_path, "bad.parquet", "no")
    good = written(tmp_path, "good.csv", "a,b\n1,2\n")
    items = session.datasets.register([tmp_path])

    assert [(Path(each.source).name, each.outcome.value) for each in items] == [
        (bad.name, "failed"),
        (good.name, "ready"),
    ]
    assert "no Parquet file" in items[0].reason
    with pytest.raises(UsageError, match="no file or folder"):
        session.datasets.register([tmp_path / "none"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(JobError, match="no file of rows"):
        session.datasets.register([tmp_path / "empty"])


def test_files_that_are_one_go_and_come_back_by_the_name_of_all(session: Session, tmp_path: Path) -> None:
    paths = [written(tmp_path, f"tour-{n}.csv", f"stop,riders\nx,{n}\ny,{n}\n") for n in (1, 2)]
    session.datasets.register(paths)
    session.datasets.remove("tour_files")
    session.datasets.restore("tour_files")
    assert session.datasets.query("SELECT sum(riders) FROM tour_files").rows == (("6",),)
    session.datasets.remove("tour_files")


def test_a_figure_over_many_rows_opens_them(session: Session, tmp_path: Path) -> None:
    session.datasets.register([written(tmp_path, "many.csv", "n\n" + "7\n" * 300)])
    found = session.datasets.query("SELECT sum(n) AS total FROM many")

    [(_, rows)] = session.datasets.source_rows(found, 1)
    session.datasets.remove("many")

    assert len(rows.rows) == 200


def test_access_is_set_though_the_file_is_the_same(bench: Workbench, tmp_path: Path) -> None:
    file = written(tmp_path, "open.csv", VENDORS)
    bench.local.datasets.register([file])
    assert "open" in bench.for_principal(BOB).datasets.tables()

    bench.local.datasets.register([file], acl=["finance"])

    assert "open" not in bench.for_principal(BOB).datasets.tables()
