import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.domain.document import Page, PageSize
from core.errors import RecordsError, UsageError
from core.store.database.failures import records_error
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.databases import on_sqlite
from tests.support.versions import new_version, summary_of

ALL = Visibility.everything()


def test_what_was_stored_is_there_when_it_is_opened_again(untouched: Settings) -> None:
    with Records.open(untouched) as records:
        document = records.documents.publish(new_version()).document
    with Records.open(untouched) as records:
        assert summary_of(records, document).version == 1


@on_sqlite
def test_a_file_that_is_no_database_is_refused(settings: Settings) -> None:
    settings.home.mkdir()
    (settings.home / "records.sqlite").write_bytes(b"not a database at all" * 500)
    with pytest.raises(RecordsError, match="not a records database") as refused:
        Records.open(settings)
    assert refused.value.next_step


@on_sqlite
def test_a_damaged_database_says_so(settings: Settings) -> None:
    with Records.open(settings) as records:
        for number in range(50):
            records.documents.publish(new_version(f"{number}.txt", "Long text. " * 500))
    file = settings.home / "records.sqlite"
    data = bytearray(file.read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    file.write_bytes(data)
    with pytest.raises(RecordsError, match="damaged") as refused, Records.open(settings) as records:
        records.documents.list(ALL)
    assert "restore" in refused.value.next_step


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(UsageError, match="is a file"):
        Records.open(Settings(home=tmp_path / "home"))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    url = SecretStr(f"sqlite:///{tmp_path}/missing/records.sqlite")
    with pytest.raises(RecordsError, match="cannot be opened"):
        Records.open(Settings(home=tmp_path, records=RecordsSettings(url=url)))


@pytest.mark.parametrize("url", ["nonsense", "oracle9://x", "sqlite://", "mysql+nothing://u:hidden@h/d"])
def test_an_address_that_cannot_be_used_is_refused_without_showing_it(tmp_path: Path, url: str) -> None:
    with pytest.raises(RecordsError) as refused:
        Records.open(Settings(home=tmp_path, records=RecordsSettings(url=SecretStr(url))))
    assert refused.value.next_step
    assert "hidden" not in str(refused.value)


@on_sqlite
def test_a_full_disk_is_said_plainly_and_nothing_is_half_written(settings: Settings) -> None:
    with Records.open(settings) as records:
        document = records.documents.publish(new_version(text="Old text.")).document
        with records.database.read() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        sa.event.listen(
            records.database._engine,
            "begin",
            lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 5}"),
        )
        with pytest.raises(RecordsError, match="disk is full") as refused:
            records.documents.publish(new_version(text="New text. " * 20_000, passages=500))
        assert "unharmed" in refused.value.next_step
        assert records.documents.page(document, None, 1, ALL).text == "Old text."


@on_sqlite
def test_a_read_only_database_can_be_read_and_says_why_it_is_not_written(settings: Settings) -> None:
    with Records.open(settings) as records:
        document = records.documents.publish(new_version()).document
        sa.event.listen(
            records.database._engine,
            "begin",
            lambda connection: connection.exec_driver_sql("PRAGMA query_only=ON"),
        )
        assert summary_of(records, document).version == 1
        with pytest.raises(RecordsError, match="not written"):
            records.documents.add_bucket("b")


def test_a_disk_too_full_to_open_the_records_is_said_to_be_full() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    said = records_error(error, "x")
    assert "disk is full" in str(said)
    assert "unharmed" in said.next_step


def test_an_unforeseen_failure_still_has_a_next_step() -> None:
    assert "doctor" in records_error(ValueError("odd"), "x").next_step
    assert "full" in str(records_error(OSError(28, "No space left"), "x"))


@on_sqlite
def test_lists_of_fifty_thousand_documents_use_no_passages(records: Records) -> None:
    records.documents.publish(new_version())
    with records.database.read() as connection:
        plan = connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT id, pages, passages FROM documents ORDER BY title, id LIMIT 100"
        ).fetchall()
    assert any("documents_by_title" in str(row) for row in plan)


def test_pages_have_the_sizes_that_were_measured(records: Records) -> None:
    plain = records.documents.publish(new_version("old.pdf", "Old text.")).document
    sized = new_version("new.pdf", "New text.")
    sized = replace(
        sized, parsed=replace(sized.parsed, pages=(Page(1, "New text.", size=PageSize(595.5, 842.25)),))
    )
    new = records.documents.publish(sized).document
    assert (records.documents.page(plain, 1, 1, ALL).size, records.documents.page_size(plain, 1, 1)) == (
        None,
    ) * 2
    assert records.documents.page(new, 1, 1, ALL).size == PageSize(595.5, 842.25)
    assert records.documents.page_size(new, 1, 1) == PageSize(595.5, 842.25)
    assert records.documents.page_size(new, 1, 2) is None
