"""Copies are counted once; files of one name, moved files and gone files are told, and nothing is lost."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from core.domain.answer import Answer
from core.domain.job import IngestReport
from core.domain.matrix import MatrixQuery
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.support.planted import open_home
from tests.support.twins import settings_of

LEASE = """Lease Agreement

This Lease Agreement is made on 5 June 2021 between Marlow Mills Ltd and Quayside Homes GmbH.
The rent is ${rent},000.00 a year. This Agreement is governed by the laws of {law}.
"""
SPRING = "The committee of Fernhill met. Nadia Roth was elected chair, and the fence is to be mended by May."
AUTUMN = "At Harbour Street the meeting chose Luis Pardo as treasurer. Nobody spoke about the old boat house."


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with open_home(settings_of(tmp_path / "home")) as opened:
        yield opened


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def ask(bench: Workbench, question: str) -> Answer:
    return bench.local.questions.ask(question)


def told(report: IngestReport) -> dict[str, str]:
    return {Path(each.source).name: each.decision.value for each in report.items}


def test_copies_are_counted_once_with_how_many_files_they_are(bench: Workbench, tmp_path: Path) -> None:
    text = LEASE.format(rent=40, law="Texas")
    put(tmp_path / "in", "lease.txt", text)
    put(tmp_path / "in", "lease again.txt", text.upper() + "\n\n")
    put(tmp_path / "in", "other.txt", LEASE.format(rent=55, law="Delaware").replace("Marlow", "Tarn"))
    bench.ingest([tmp_path / "in"])
    counted = ask(bench, "How many contracts are there?")
    assert counted.value is not None
    assert counted.value.value == "2"
    assert counted.ledger is not None
    assert counted.ledger.copies_said == "3 files, 1 of them copies"
    assert [len(each) for each in counted.copies.values()] == [1]
    hits = bench.local.documents.search("rent of Marlow Mills").hits
    assert len({hit.document for hit in hits}) == 2
    assert len(bench.documents()) == 3
    documents, matrix = bench.local.documents, bench.local.matrix
    [first] = documents.list(text="marlow", once=True)
    [again] = [each for each in documents.list(text="marlow") if each.id != first.id]
    assert documents.count(once=True) == documents.totals().documents == 2
    assert bench.local.settings.status().documents == 2
    assert documents.with_copies([first.id]) == {first.id: [again]}
    assert documents.list(text=again.source, once=True) == [again]  # what is looked for stands for all
    assert documents.count(has_copies=True) == 2
    assert documents.list(has_copies=True, once=True) == [first]
    read = matrix.read()
    assert [each.id for each in read.documents if each.id in read.copies] == [first.id]
    assert (len(read.documents), matrix.page(MatrixQuery()).total) == (2, 2)
    assert [row.document for row in matrix.page(MatrixQuery(text=again.source)).rows] == [again]
    counts = matrix.counts(fields=["governing_law"])["governing_law"]
    assert sum(counts.statuses.values()) + counts.not_asked == 2
    assert sum(matrix.kinds().values()) == 2
    assert {each.document for each in matrix.worklist()} <= {each.id for each in read.documents}


def test_a_copy_that_may_not_be_seen_plays_no_role(bench: Workbench, tmp_path: Path) -> None:
    text = LEASE.format(rent=40, law="Texas")
    bench.ingest([put(tmp_path / "hidden", "first.txt", text)], acl=["legal"])
    bench.ingest([put(tmp_path / "open", "second.txt", text)])
    outsider = bench.for_principal(Principal("ann", frozenset({"analyst"}), frozenset()))
    found = outsider.questions.ask("How many contracts are there?")
    assert found.ledger is not None
    assert (found.ledger.scope, found.ledger.copies_said, found.copies) == (1, "", {})
    assert "second" in {Path(h.source).stem for h in outsider.documents.search("rent of Marlow").hits}


def test_one_name_is_a_version_where_texts_are_alike_and_else_another_document(
    bench: Workbench, tmp_path: Path
) -> None:
    folder = put(tmp_path / "in", "minutes.txt", SPRING)
    bench.ingest([folder])
    put(folder, "minutes.txt", AUTUMN)
    assert told(bench.ingest([folder])) == {"minutes.txt": "other"}
    again = bench.ingest([folder])
    assert [each.outcome.value for each in again.items] == ["unchanged"]
    put(folder, "minutes.txt", AUTUMN.replace("Luis Pardo", "Ines Couto"))
    changed = bench.ingest([folder])
    assert told(changed) == {"minutes.txt": "version"}
    assert "alike" in changed.items[0].remark
    assert sorted(Path(each.source).name for each in bench.documents()) == ["minutes.txt", "minutes.txt (2)"]
    assert changed.vanished == ()


def test_of_an_upload_of_a_known_name_a_person_decides(bench: Workbench, tmp_path: Path) -> None:
    documents = bench.local.documents
    first, other = (put(tmp_path / n, n, text) / n for n, text in (("a", SPRING), ("b", AUTUMN)))

    def upload(path: Path, choice: Literal["version", "other"] | None) -> str:
        choices = {} if choice is None else {"minutes.txt": choice}
        report = documents.ingest([path], names=["minutes.txt"], choices=choices)
        return report.items[0].decision.value

    upload(first, None)
    assert documents.same_names([first, other], ["minutes.txt", "new.txt"], bucket="default") == []
    [same] = documents.same_names([other], ["minutes.txt"], bucket="default")
    assert (same.name, same.is_alike, same.document.version) == ("minutes.txt", False, 1)
    assert upload(other, "version") == "version"
    assert [(each.source, each.version) for each in bench.documents()] == [("minutes.txt", 2)]
    assert upload(first, "other") == "other"
    assert sorted(each.source for each in bench.documents()) == ["minutes.txt", "minutes.txt (2)"]
    changed = put(tmp_path / "c", "c", SPRING.replace("Nadia Roth", "Ines Couto")) / "c"
    [same] = documents.same_names([changed], ["minutes.txt"], bucket="default")
    assert (same.document.source, same.is_alike) == ("minutes.txt (2)", True)
    assert upload(changed, "version") == "version"
    versions = {each.source: each.version for each in bench.documents()}
    assert versions == {"minutes.txt": 2, "minutes.txt (2)": 2}


def test_an_upload_of_the_name_of_a_file_in_a_folder_is_asked_about(bench: Workbench, tmp_path: Path) -> None:
    documents = bench.local.documents
    folder = put(tmp_path / "in", "a_b.txt", SPRING)
    put(folder, "axb.txt", LEASE.format(rent=1, law="Texas"))
    other = put(tmp_path / "b", "a_b.txt", AUTUMN) / "a_b.txt"
    documents.ingest([folder], names=["in"])
    [same] = documents.same_names([other], ["a_b.txt"], bucket="default")
    assert (same.name, same.document.source) == ("a_b.txt", "in/a_b.txt")
    documents.ingest([other], names=["a_b.txt"], choices={"a_b.txt": "version"})
    assert sorted((each.source, each.version) for each in bench.documents()) == [
        ("in/a_b.txt", 2),
        ("in/axb.txt", 1),
    ]


def test_a_file_that_moved_keeps_its_document(bench: Workbench, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", "permit.txt", SPRING)
    put(folder, "stays.txt", AUTUMN)
    bench.ingest([folder])
    [before] = [each for each in bench.documents() if each.source.endswith("permit.txt")]
    (folder / "permit.txt").rename(folder / "permit of fernhill.txt")
    report = bench.ingest([folder])
    assert told(report) == {"permit of fernhill.txt": "renamed", "stays.txt": ""}
    assert "permit.txt" in report.items[0].remark
    [after] = [each for each in bench.documents() if "permit" in each.source]
    assert (after.id, after.version, Path(after.source).name) == (before.id, 1, "permit of fernhill.txt")
    put(folder, "permit.txt", LEASE.format(rent=1, law="Texas"))  # the old name once more
    put(folder, "copy.txt", SPRING)
    report = bench.ingest([folder])
    assert told(report) == dict.fromkeys(
        ["copy.txt", "permit of fernhill.txt", "permit.txt", "stays.txt"], ""
    )
    assert len({each.id for each in bench.documents()}) == len(bench.documents()) == 4


def test_files_that_are_gone_are_told_and_withdrawn_on_request(bench: Workbench, tmp_path: Path) -> None:
    folder = put(tmp_path / "in", "minutes.txt", SPRING)
    put(folder, "plan.txt", AUTUMN)
    bench.ingest([folder])
    (folder / "plan.txt").unlink()
    report = bench.ingest([folder])
    assert [Path(each.source).name for each in report.vanished] == ["plan.txt"]
    documents = bench.local.documents
    gone = documents.vanished(report.job)
    assert documents.withdraw([each.id for each in gone]) == [gone[0].id]
    assert documents.vanished(report.job) == []
    assert len(bench.documents()) == 1
    put(folder, "plan.txt", AUTUMN)
    bench.ingest([folder])
    assert len(bench.documents()) == 2
    put(tmp_path / "empty", "x.txt", SPRING)
    (tmp_path / "in").rename(tmp_path / "away")
    (tmp_path / "in").mkdir()
    assert bench.ingest([folder]).vanished == ()  # an empty folder is a drive that is away


def test_folders_of_an_archive_go_into_buckets_of_their_own(bench: Workbench, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("leases/a.txt", LEASE.format(rent=40, law="Texas"))
        archive.writestr("post/old/b.txt", SPRING)
        archive.writestr("c.txt", AUTUMN)
    documents, given = bench.local.documents, {"all.zip/leases": "leases", "all.zip/post": "post"}
    for _ in range(2):
        job = documents.submit_ingest([tmp_path / "all.zip"], names=["all.zip"], folders=given)
        report = documents._writing.follow(job, None)
        placed = {each.source: each.bucket for each in report.items}
        assert placed == {
            "all.zip/leases/a.txt": "leases",
            "all.zip/post/old/b.txt": "post",
            "all.zip/c.txt": "default",
        }
        assert report.vanished == ()
    assert len(bench.documents()) == 3
