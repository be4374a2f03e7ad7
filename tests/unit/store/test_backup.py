import os
import sqlite3
import subprocess
import threading
import tomllib
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.config.models import Settings
from core.domain.document import Page
from core.domain.job import JobState
from core.errors import RecordsError, UsageError
from core.store.backup import backup, restore, without_secrets
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.databases import on_sqlite
from tests.support.versions import new_version, summary_of

ALL = Visibility.everything()


def filled(records: Records) -> None:
    for number in range(3):
        name = records.blobs.put(f"original {number}".encode())
        records.documents.publish(new_version(f"{number}.txt", content_hash=name))
    records.blobs.put(b"nobody needs this")


@on_sqlite
def test_a_restored_home_holds_what_was_backed_up(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    filled(records)
    report = backup(records, settings.home, tmp_path / "backup.zip")
    assert (report.documents, report.originals, report.missing) == (3, 3, 0)
    restored = restore(tmp_path / "backup.zip", tmp_path / "new")
    assert (restored.documents, restored.originals) == (3, 3)
    with Records.open(Settings(home=tmp_path / "new")) as copy:
        assert copy.documents.list(ALL) == records.documents.list(ALL)
        assert copy.changes.data_version() == records.changes.data_version()
        for summary in copy.documents.list(ALL):
            assert copy.blobs.path(summary.content_hash).read_bytes().startswith(b"original")
            assert copy.documents.page(summary.id, None, 1, ALL) == Page(
                1, "First text.", records.documents.page(summary.id, None, 1, ALL).headings, "label"
            )
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["blobs", "records.sqlite"]
    assert sorted(path.name for path in settings.home.glob(".*")) == []


@on_sqlite
def test_a_backup_made_while_others_write_is_one_moment(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    filled(records)
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            name = records.blobs.put(f"more {number}".encode())
            new = new_version(f"more{number}.txt", content_hash=name, passages=3)
            document = records.documents.publish(new).document
            if number % 2:
                records.documents.remove([document])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        backup(records, settings.home, tmp_path / "backup.zip")
    finally:
        stop.set()
        writer.join()
    restore(tmp_path / "backup.zip", tmp_path / "new")
    with Records.open(Settings(home=tmp_path / "new")) as copy:
        summaries = copy.documents.list(ALL)
        assert all(copy.blobs.exists(row.content_hash) for row in summaries)
        assert sum(row.passages for row in summaries) == sum(len(rows) for rows in copy.passages.iterate())


@on_sqlite
def test_a_backup_signs_nobody_in(records: Records, settings: Settings, tmp_path: Path) -> None:
    records.accounts.add("root", password="$argon2id$hash", roles=["admin"])
    secret, session = records.browser_sessions.begin("root")
    key, file = records.browser_sessions.key(), tmp_path / "backup.zip"

    backup(records, settings.home, file)

    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            assert session.id.encode() not in data
            assert key.hex().encode() not in data
    restore(file, tmp_path / "new")
    with Records.open(Settings(home=tmp_path / "new")) as copy:
        assert copy.browser_sessions.open(secret) is None
        assert copy.browser_sessions.key() != key
        assert copy.accounts.get("root").password == "$argon2id$hash"
    assert records.browser_sessions.open(secret) is not None


@on_sqlite
def test_running_work_is_marked_as_interrupted_by_a_restore(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    job = records.jobs.create("ingest", "Files", {})
    records.jobs.claim("worker")
    records.leases.acquire("write", "worker", 1e9)
    backup(records, settings.home, tmp_path / "backup.zip")
    restore(tmp_path / "backup.zip", tmp_path / "new")
    with Records.open(Settings(home=tmp_path / "new")) as copy:
        found = copy.jobs.get(job)
        assert found.state is JobState.FAILED
        assert "resume" in (found.error or "")
        assert copy.leases.holder("write") is None


@on_sqlite
def test_a_home_with_records_is_only_replaced_by_force_and_when_nobody_uses_it(
    settings: Settings, tmp_path: Path
) -> None:
    file, other = tmp_path / "backup.zip", tmp_path / "other"
    with Records.open(settings) as records:
        filled(records)
        backup(records, settings.home, file)
    with Records.open(Settings(home=other)) as records:
        stray = records.blobs.put(b"stray")
        records.documents.publish(new_version("stray.txt", content_hash=stray))
        (other / "index").mkdir()
        with pytest.raises(UsageError, match="records already"):
            restore(file, other)
        with pytest.raises(UsageError, match="in use"):
            restore(file, other, force=True)
        assert records.documents.count(ALL) == 1
    restore(file, other, force=True)
    with Records.open(Settings(home=other)) as records:
        assert [row.source for row in records.documents.list(ALL)] == ["0.txt", "1.txt", "2.txt"]
        assert not records.blobs.exists(stray)
    assert not (other / "index").exists()


@on_sqlite
def test_a_damaged_home_can_be_replaced(settings: Settings, tmp_path: Path) -> None:
    with Records.open(settings) as records:
        filled(records)
        backup(records, settings.home, tmp_path / "backup.zip")
    (settings.home / "records.sqlite").write_bytes(b"damaged" * 5000)
    restore(tmp_path / "backup.zip", settings.home, force=True)
    with Records.open(settings) as records:
        assert records.documents.count(ALL) == 3


@on_sqlite
@pytest.mark.parametrize("position", [0.01, 0.3, 0.6, 0.9])
def test_a_damaged_backup_changes_nothing(settings: Settings, tmp_path: Path, position: float) -> None:
    file = tmp_path / "backup.zip"
    with Records.open(settings) as records:
        filled(records)
        backup(records, settings.home, file)
        document = records.documents.publish(new_version("later.txt")).document
    data = bytearray(file.read_bytes())
    at = int(len(data) * position)
    data[at : at + 40] = bytes(40)
    file.write_bytes(data)
    with pytest.raises(RecordsError, match="damaged"):
        restore(file, settings.home, force=True)
    with Records.open(settings) as records:
        assert summary_of(records, document).source == "later.txt"
    assert list(settings.home.glob(".restore-*")) == []


@on_sqlite
def test_names_that_lead_out_of_the_home_are_refused(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "evil.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("../evil.txt", "evil")
        archive.writestr("manifest.json", '{"format": 1, "revision": "0026", "sha256": {"../evil.txt": ""}}')
    with pytest.raises(RecordsError, match="damaged"):
        restore(file, settings.home)
    assert not (tmp_path / "evil.txt").exists()


@on_sqlite
def test_a_backup_never_overwrites_a_file_and_leaves_none_half_written(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "backup.zip").write_text("precious")
    with pytest.raises(UsageError, match="exists already"):
        backup(records, settings.home, tmp_path / "backup.zip")
    with pytest.raises(UsageError, match=r"There is no folder .*missing"):
        backup(records, settings.home, tmp_path / "missing" / "backup.zip")
    assert (tmp_path / "backup.zip").read_text() == "precious"


@on_sqlite
def test_what_killed_backups_left_is_deleted_but_nothing_of_one_that_runs(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    home, target = settings.home, tmp_path / "backup.zip"
    left = [home / f".backup-{ended.pid}-abc", home / f".restore-{ended.pid}-abc"]
    running = home / f".backup-{os.getpid()}-abc"
    for folder in (*left, running):
        folder.mkdir()
        (folder / "records.sqlite").touch()
    half = tmp_path / f".backup.zip.{ended.pid}.part"
    others = [tmp_path / ".backup.zip.notes.part", home / ".backup-notes-abc"]
    for path in (half, *others):
        path.touch()

    backup(records, home, target)

    assert not any(path.exists() for path in (*left, half))
    assert all(path.exists() for path in (running, *others, target))


@on_sqlite
def test_the_backup_holds_settings_without_secrets(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    (settings.home / "groundwork.toml").write_text(
        '# sk-comment\n[records]\nurl = "postgresql://u:hidden@h/d"\nbusy_timeout_s = 5.0\n'
        '[llm]\napi_key = "sk-1"\n'
    )
    backup(records, settings.home, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        text = archive.read("groundwork.toml").decode()
    assert tomllib.loads(text) == {"records": {"busy_timeout_s": 5.0}, "llm": {}}
    assert "sk-" not in text


NAMES = st.text("abc .'\"é\n", min_size=1, max_size=5)
VALUES = (
    st.booleans()
    | st.integers(-10, 10)
    | st.floats(-9, 9)
    | st.text('ab"\\\né😀')
    | st.lists(st.text("a'\""))
)


@given(st.dictionaries(NAMES, st.dictionaries(NAMES, VALUES | st.dictionaries(NAMES, VALUES))))
def test_settings_without_secrets_are_the_same_settings(tables: dict[str, dict[str, object]]) -> None:
    from core.store.backup import _lines

    once = "\n".join(_lines(tables, ())) + "\n"
    assert tomllib.loads(once) == tables
    assert tomllib.loads(without_secrets(once)) == tables


@on_sqlite
def test_a_backup_is_an_ordinary_database_in_a_zip(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    filled(records)
    backup(records, settings.home, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        archive.extract("records.sqlite", tmp_path)
    connection = sqlite3.connect(tmp_path / "records.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_policies_of_a_home_go_with_its_backup_and_never_over_others(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "kept.zip"
    with Records.open(Settings(home=home)) as records:
        (home / "policies").mkdir()
        (home / "policies" / "own.cedar").write_text("forbid (principal, action, resource);")
        (home / "policies" / "cases.toml").write_text("# none")
        (home / "policies" / "notes.txt").write_text("not of it")
        backup(records, home, file)

    restore(file, tmp_path / "new")
    assert {each.name for each in (tmp_path / "new" / "policies").iterdir()} == {"own.cedar", "cases.toml"}

    other = tmp_path / "other"
    (other / "policies").mkdir(parents=True)
    (other / "policies" / "query.cedar").write_text("// stricter")
    restore(file, other)
    assert [each.name for each in (other / "policies").iterdir()] == ["query.cedar"]


@on_sqlite
def test_rows_of_datasets_go_with_a_backup_and_nothing_else_of_their_folder(
    records: Records, settings: Settings, tmp_path: Path
) -> None:
    folder = settings.home / "datasets" / ("a" * 24)
    folder.mkdir(parents=True)
    for name in ("0.parquet", "progress.json"):
        (folder / name).write_bytes(b"rows")
    backup(records, settings.home, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "again")

    found = (tmp_path / "again" / "datasets").rglob("*.*")
    assert [path.relative_to(tmp_path / "again").as_posix() for path in found] == [
        f"datasets/{'a' * 24}/0.parquet"
    ]
