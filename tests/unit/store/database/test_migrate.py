import json
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.types import TypeEngine

from core.config.models import Settings
from core.domain.fields import CellStatus
from core.domain.ids import ContentHash, content_hash
from core.errors import RecordsError
from core.store.backup import backup, restore
from core.store.database import migrate
from core.store.database.schema import REVISIONS, Text, metadata
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.databases import on_sqlite
from tests.support.stated_values import put
from tests.support.versions import new_version

ALL = Visibility.everything()
ROOT = Path(__file__).parents[4]
MIGRATIONS = ROOT / "core/store/database/migrations"
FIRST_HOME = Path(__file__).with_name("home_0026.sql")
"""A home of the last schema before there was one migration, as SQLite dumps it."""
ORIGINAL = b"Consulting agreement of 1 March 2024"


def first_home(file: Path) -> None:
    """Write the records of that home into a new file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(FIRST_HOME.read_text(encoding="utf-8"))


def schema_of(file: Path) -> list[str]:
    """Tables, columns with their order, type and default, keys, indices and triggers, a line each."""
    lines = []
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'"
        ).fetchall()
        for kind, name, sql in rows:
            if kind != "table":
                lines.append(f"{kind} {name}: {sql}")
                continue
            options = re.findall("AUTOINCREMENT|WITHOUT ROWID|CHECK|CONSTRAINT", sql)
            lines.append(f"table {name}: {options}")
            for pragma in ("table_info", "foreign_key_list", "index_list"):
                found = connection.execute(f'PRAGMA {pragma}("{name}")').fetchall()
                # Indices are numbered in the order in which they were made.
                lines += [f"{name} {pragma} {row[1:] if pragma == 'index_list' else row}" for row in found]
    return sorted(lines)


def set_revision(settings: Settings, revision: str) -> None:
    with Records.open(settings) as records, records.database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :it"), {"it": revision})


@pytest.mark.usefixtures("real_tables")
@on_sqlite
def test_a_home_from_before_comes_out_as_a_new_one_does(records: Records, tmp_path: Path) -> None:
    first_home(tmp_path / "before" / "records.sqlite")
    Records.open(Settings(home=tmp_path / "before")).close()
    assert records.database.file is not None
    assert schema_of(records.database.file) == schema_of(tmp_path / "before" / "records.sqlite")


@pytest.mark.usefixtures("real_tables")
def test_a_new_home_has_exactly_the_schema(records: Records) -> None:
    with records.database.read() as connection:
        name = connection.dialect.name
        options = {"compare_type": is_other_text, "include_object": lambda *found: is_meant_for(name, *found)}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []


def is_meant_for(dialect: str, thing: Any, _name: str | None, kind: str, is_found: bool, _other: Any) -> bool:
    """Whether an index is to be there: Alembic does not ask for its `ddl_if`."""
    if kind != "index" or is_found or thing._ddl_if is None:
        return True
    return bool(thing._ddl_if.dialect == dialect)


def is_other_text(
    context: MigrationContext, _found: Any, _wanted: Any, found: TypeEngine[Any], wanted: TypeEngine[Any]
) -> bool | None:
    """Compare texts with their collation, which Alembic does not see in a type of ours; None: as it does."""
    if not isinstance(wanted, Text):
        return None
    expected = wanted.load_dialect_impl(context.dialect)
    return not (
        isinstance(found, sa.Text) and isinstance(expected, sa.Text) and found.collation == expected.collation
    )


def test_the_known_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    assert tuple(script.revision for script in reversed(scripts)) == REVISIONS


def test_a_home_from_before_opens_as_it_is_and_takes_documents_again(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    first_home(tmp_path / "records.sqlite")
    with Records.open(settings) as records:
        check_first_home(records)
        put(records, "c.txt")
        assert records.documents.count(ALL) == 3


def check_first_home(records: Records) -> None:
    contract, reviewed = records.documents.list(ALL)
    assert records.documents.page(contract.id, 1, 1, ALL).text.startswith("Consulting agreement")
    assert contract.content_hash == content_hash(ORIGINAL)
    cell = records.fields.cell(reviewed.id, "law", ALL)
    assert cell.review is not None
    assert (cell.finding.status, cell.review.user) == (CellStatus.ABSENT, "carol")
    assert records.accounts.get("root").password == "$argon2id$hash"
    assert sum(len(rows) for rows in records.passages.iterate()) == 1


def first_backup(file: Path, revision: str = "0026") -> None:
    """A backup of that home, as it was written then."""
    records = file.with_suffix(".sqlite")
    first_home(records)
    members = {
        "records.sqlite": records.read_bytes(),
        f"blobs/{content_hash(ORIGINAL)[:2]}/{content_hash(ORIGINAL)}": ORIGINAL,
    }
    manifest = {
        "format": 1,
        "revision": revision,
        "made_at": "2026-11-30T02:34:00+00:00",
        "missing": 0,
        "sha256": {name: content_hash(data) for name, data in members.items()},
    }
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("manifest.json", json.dumps(manifest))


def test_a_backup_from_before_is_restored_and_backed_up_again(tmp_path: Path) -> None:
    first_backup(tmp_path / "first.zip")
    restore(tmp_path / "first.zip", tmp_path / "home")
    with Records.open(Settings(home=tmp_path / "home")) as records:
        check_first_home(records)
        assert records.blobs.path(ContentHash(content_hash(ORIGINAL))).read_bytes() == ORIGINAL
        backup(records, tmp_path / "home", tmp_path / "second.zip")
    restore(tmp_path / "second.zip", tmp_path / "other")
    with Records.open(Settings(home=tmp_path / "other")) as records:
        check_first_home(records)


def test_an_older_home_and_its_backup_say_what_to_do(settings: Settings, tmp_path: Path) -> None:
    set_revision(settings, "0013")
    with pytest.raises(RecordsError, match=r"from before the first release \(schema 0013\)") as refused:
        Records.open(settings)
    assert "schema 0026" in refused.value.next_step
    assert "ingest" in refused.value.next_step
    first_backup(tmp_path / "older.zip", "0013")
    with pytest.raises(RecordsError, match=r"backup .*from before the first release") as refused:
        restore(tmp_path / "older.zip", tmp_path / "new")
    assert not (tmp_path / "new" / "records.sqlite").exists()


def test_a_newer_schema_is_refused_with_what_to_do(settings: Settings, tmp_path: Path) -> None:
    set_revision(settings, "9999")
    with pytest.raises(RecordsError, match="newer Groundwork") as refused:
        Records.open(settings)
    assert "Install" in refused.value.next_step
    first_backup(tmp_path / "newer.zip", "9999")
    with pytest.raises(RecordsError, match="newer Groundwork"):
        restore(tmp_path / "newer.zip", tmp_path / "new")


@pytest.mark.usefixtures("real_tables")
def test_a_later_migration_runs_for_a_home_that_is_there_and_not_for_a_new_one(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Records.open(settings) as records:
        document = records.documents.publish(new_version()).document
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    change = "from alembic import op\n    op.execute(\"UPDATE documents SET title = 'changed'\")"
    later = next(MIGRATIONS.glob("versions/0035_*.py")).read_text().replace('"0035"', '"9000"')
    later = later.replace("down_revision = None", f'down_revision = "{REVISIONS[-1]}"')
    (folder / "versions" / "9000_later.py").write_text(
        later.replace('"""Nothing: `migrate` completes what is older."""', change)
    )
    monkeypatch.setattr(migrate, "_MIGRATIONS", folder)
    monkeypatch.setattr(migrate, "REVISIONS", (*REVISIONS, "9000"))
    with Records.open(settings) as records, records.database.read() as connection:
        assert migrate.stored_revision(connection) == "9000"
        assert records.documents.list(ALL)[0].title == "changed"
        assert records.documents.list(ALL)[0].id == document
    with Records.open(Settings(home=tmp_path / "new")) as records, records.database.read() as connection:
        assert migrate.stored_revision(connection) == "9000"


def test_making_and_opening_a_home_does_not_import_alembic(settings: Settings) -> None:
    script = (
        "import sys; from pathlib import Path; from core.config.models import Settings;"
        "from core.store.store import Records;"
        "Records.open(Settings(home=Path(sys.argv[1]), records={'url': sys.argv[2]})).close();"
        "print(sorted({'alembic', 'torch', 'pandas'} & set(sys.modules)))"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", script, str(settings.home), settings.records.url.get_secret_value()],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == "[]"


@on_sqlite
def test_a_database_of_another_program_is_refused_and_left_alone(settings: Settings) -> None:
    settings.home.mkdir()
    file = settings.home / "records.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    with pytest.raises(RecordsError, match="another program"):
        Records.open(settings)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
