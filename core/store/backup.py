"""Backup of a home into one .zip while it is in use, and its restore, all or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import RecordsError, UsageError
from core.store.database.db import remove_file_and_journals
from core.store.database.failures import records_error
from core.store.database.migrate import require_known
from core.store.database.schema import REVISIONS
from core.store.people.browser_sessions import SIGN_IN_KEY
from core.store.store import BLOBS_FOLDER, Records
from core.store.store_file import RECORDS_FILE

SETTINGS_FILE = "groundwork.toml"
SCHEMAS_FOLDER = "schemas"
POLICIES_FOLDER = "policies"
DATASETS_FOLDER = "datasets"
_MANIFEST = "manifest.json"
_FORMAT = 1
_CHUNK = 1 << 20
_HASH = re.compile(r"[0-9a-f]{64}")
_SCHEMA = re.compile(r"[a-z][a-z0-9_]{0,62}\.toml")
_POLICY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\.(?:cedar|cedarschema|toml)")
_ROWS = re.compile(r"[0-9a-f]{24}/[0-9]{1,6}\.parquet")
_LEFT_BEHIND = re.compile(r"\.(?:backup|restore)-(\d+)-.*")
_ATTEMPTS = 3
_DERIVED = ("index",)  # built again from the records


@dataclass(frozen=True, slots=True)
class BackupReport:
    """Contents of a backup. missing: originals that the home itself no longer had."""

    file: Path
    documents: int
    originals: int
    missing: int
    size_bytes: int


def backup(records: Records, home: Path, target: Path, now: datetime | None = None) -> BackupReport:
    """Write everything but indexes and secrets into `target`, which must not exist yet; schemas, policies
    and the rows of datasets too.

    One moment of the collection, however much is written meanwhile. Blocks; nobody waits for it.
    Raises UsageError where the target exists, RecordsError.
    """
    if target.exists():
        raise UsageError(
            f"The file {str(target)!r} exists already.", next_step="Choose another name for the backup."
        )
    if not target.absolute().parent.is_dir():
        raise UsageError(
            f"There is no folder {str(target.absolute().parent)!r} for the backup.",
            next_step="Make that folder first, or name a file in one that is there.",
        )
    sweep_leftovers(home, target)
    with _disk(target), tempfile.TemporaryDirectory(prefix=f".backup-{os.getpid()}-", dir=home) as folder:
        work = Path(folder)
        wanted = _snapshot(records, work)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            originals = _write_zip(part, work, home, wanted, now or datetime.now(UTC))
            with part.open("rb") as handle:
                os.fsync(handle.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        documents = _count(work / RECORDS_FILE, "documents")
    return BackupReport(target, documents, originals, len(wanted) - originals, target.stat().st_size)


def restore(file: Path, home: Path, *, force: bool = False) -> BackupReport:
    """Put a backup's records and originals into a home that has none, or with `force` in their place.

    Every hash is checked before anything is changed; the database is exchanged in one step at the end.
    The home's own groundwork.toml and policies are kept where it has any. Jobs and turns that ran at the
    time of the backup are marked as interrupted. The index has to be rebuilt afterwards.
    Raises UsageError where the home is not empty or in use, RecordsError where the backup is damaged.
    """
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    current = home / RECORDS_FILE
    if current.exists() and not force:
        raise UsageError(
            f"The home {str(home)!r} has records already.",
            next_step="Choose an empty home with --home, or replace them with --force.",
        )
    sweep_leftovers(home)
    with _disk(home), tempfile.TemporaryDirectory(prefix=f".restore-{os.getpid()}-", dir=home) as folder:
        work = Path(folder)
        manifest = _unpack(file, work)
        _settle_running(work / RECORDS_FILE)
        if current.exists():
            _close_down(current)
        for name in _DERIVED:
            shutil.rmtree(home / name, ignore_errors=True)
        originals = _move_blobs(work / BLOBS_FOLDER, home / BLOBS_FOLDER)
        if (work / SETTINGS_FILE).exists() and not (home / SETTINGS_FILE).exists():
            (work / SETTINGS_FILE).replace(home / SETTINGS_FILE)
        _move_blobs(work / DATASETS_FOLDER, home / DATASETS_FOLDER)
        _move_schemas(work / SCHEMAS_FOLDER, home / SCHEMAS_FOLDER)
        if (work / POLICIES_FOLDER).is_dir() and not (home / POLICIES_FOLDER).exists():
            shutil.move(work / POLICIES_FOLDER, home / POLICIES_FOLDER)
        (work / RECORDS_FILE).replace(current)
        documents = _count(current, "documents")
        _drop_other_blobs(current, home / BLOBS_FOLDER)
    return BackupReport(file, documents, originals, int(manifest["missing"]), file.stat().st_size)


def sweep_leftovers(home: Path, target: Path | None = None) -> None:
    """Delete what backups and restores left behind that were killed: in the home, and beside `target`."""
    found = [(path, _LEFT_BEHIND.fullmatch(path.name)) for path in home.glob(".*-*-*")]
    if target is not None:
        part = re.compile(rf"{re.escape(f'.{target.name}.')}(\d+)\.part")
        found += [(path, part.fullmatch(path.name)) for path in target.absolute().parent.glob(".*.part")]
    for path, match in found:
        if match is None or _is_running(int(match[1])):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def _is_running(process: int) -> bool:
    """True where the process may still be at work, and always on Windows, where a signal cannot ask that."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


@contextmanager
def _disk(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise records_error(error, str(place)) from error
    except sqlite3.Error as error:
        raise records_error(error, str(place)) from error


def _snapshot(records: Records, work: Path) -> set[str]:
    """A copy of the database with links to every original that it refers to; gives their hashes."""
    copy, links = work / RECORDS_FILE, work / BLOBS_FOLDER
    links.mkdir()
    for attempt in range(_ATTEMPTS):
        copy.unlink(missing_ok=True)
        records.database.copy_to(copy)
        with closing(sqlite3.connect(copy)) as connection:
            _take_out_sign_ins(connection)
            wanted = _hashes(connection)
        lost = {name for name in wanted if not _link(records.blobs.folder, links, name)}
        # Removed between copy and link: copy again, unless it was missing all along.
        if not lost or attempt == _ATTEMPTS - 1 or lost <= _still_referenced(records, lost):
            break
    return wanted


def _take_out_sign_ins(connection: sqlite3.Connection) -> None:
    """Whoever holds a backup shall not be signed in by it: no sessions, and no key that signs cookies."""
    connection.execute("PRAGMA secure_delete=ON")  # else the rows stay readable in the file's free pages
    connection.execute("DELETE FROM browser_sessions")
    connection.execute("DELETE FROM meta WHERE key = ?", (SIGN_IN_KEY,))
    connection.commit()


def _still_referenced(records: Records, hashes: set[str]) -> set[str]:
    return {str(name) for name in records.blobs.referenced(hashes)}


def _link(blobs: Path, links: Path, name: str) -> bool:
    source, target = blobs / name[:2] / name, links / name
    if target.exists():
        return True
    try:
        os.link(source, target)
    except FileNotFoundError:
        return False
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)
    return True


def _write_zip(part: Path, work: Path, home: Path, wanted: set[str], now: datetime) -> int:
    hashes: dict[str, str] = {}
    originals = 0
    with zipfile.ZipFile(part, "x", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        hashes[RECORDS_FILE] = _add(archive, work / RECORDS_FILE, RECORDS_FILE)
        for name in sorted(wanted):
            original = work / BLOBS_FOLDER / name
            if original.exists():
                inside = f"{BLOBS_FOLDER}/{name[:2]}/{name}"
                hashes[inside] = _add(archive, original, inside)
                originals += 1
        if (home / SETTINGS_FILE).exists():
            text = without_secrets((home / SETTINGS_FILE).read_text(encoding="utf-8")).encode()
            archive.writestr(SETTINGS_FILE, text)
            hashes[SETTINGS_FILE] = hashlib.sha256(text).hexdigest()
        for folder in (SCHEMAS_FOLDER, POLICIES_FOLDER):
            for file in sorted((home / folder).glob("*")):
                inside = f"{folder}/{file.name}"
                if _is_safe(inside) and file.is_file():
                    hashes[inside] = _add(archive, file, inside)
        for file in sorted((home / DATASETS_FOLDER).glob("*/*.parquet")):
            inside = file.relative_to(home).as_posix()
            if _is_safe(inside):
                hashes[inside] = _add(archive, file, inside)
        manifest = {
            "format": _FORMAT,
            "revision": REVISIONS[-1],
            "made_at": now.isoformat(),
            "missing": len(wanted) - originals,
            "sha256": hashes,
        }
        archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))
    return originals


def _add(archive: zipfile.ZipFile, source: Path, inside: str) -> str:
    digest = hashlib.sha256()
    with source.open("rb") as reader, archive.open(inside, "w", force_zip64=True) as writer:
        while chunk := reader.read(_CHUNK):
            digest.update(chunk)
            writer.write(chunk)
    return digest.hexdigest()


def _unpack(file: Path, work: Path) -> dict[str, Any]:
    damaged = RecordsError(
        f"The backup {str(file)!r} is damaged or is not a Groundwork backup.",
        next_step="Use another backup; nothing was changed.",
    )
    try:
        with zipfile.ZipFile(file) as archive:
            manifest: dict[str, Any] = json.loads(archive.read(_MANIFEST))
            if manifest["format"] != _FORMAT:
                raise RecordsError(
                    f"The backup {str(file)!r} was made by a newer Groundwork.",
                    next_step="Install that version to restore it; nothing was changed.",
                )
            require_known(manifest["revision"], f"The backup {str(file)!r} was made")
            for inside, expected in manifest["sha256"].items():
                if not _is_safe(inside) or _extract(archive, inside, work) != expected:
                    raise damaged
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, EOFError) as error:
        raise damaged from error
    except (NotImplementedError, RuntimeError, zlib.error) as error:
        raise damaged from error
    if not (work / RECORDS_FILE).is_file():
        raise damaged
    return manifest


def _is_safe(inside: str) -> bool:
    if inside in (RECORDS_FILE, SETTINGS_FILE):
        return True
    parts = inside.split("/")
    if len(parts) == 2 and parts[0] == SCHEMAS_FOLDER:
        return _SCHEMA.fullmatch(parts[1]) is not None
    if len(parts) == 2 and parts[0] == POLICIES_FOLDER:
        return _POLICY.fullmatch(parts[1]) is not None
    if parts[0] == DATASETS_FOLDER:
        return _ROWS.fullmatch("/".join(parts[1:])) is not None
    is_original = len(parts) == 3 and _HASH.fullmatch(parts[2]) is not None
    return is_original and parts[0] == BLOBS_FOLDER and parts[1] == parts[2][:2]


def _extract(archive: zipfile.ZipFile, inside: str, work: Path) -> str:
    """Write one member out and give its hash; an original must also bear its hash as its name."""
    target = work / inside
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with archive.open(inside) as reader, target.open("wb") as writer:
        while chunk := reader.read(_CHUNK):
            digest.update(chunk)
            writer.write(chunk)
        writer.flush()
        os.fsync(writer.fileno())
    is_original = inside.startswith(f"{BLOBS_FOLDER}/")
    return digest.hexdigest() if not is_original or digest.hexdigest() == target.name else ""


def _settle_running(file: Path) -> None:
    """Nobody works on what ran at the time of the backup: let it be resumed by hand."""
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("PRAGMA quick_check").fetchone()[0]
        if found != "ok":
            raise RecordsError(
                "The database in the backup is damaged.", next_step="Use another backup; nothing was changed."
            )
        error = "Interrupted when the backup was restored; resume it to go on."
        connection.execute(
            "UPDATE jobs SET state = 'failed', owner = '', error = ? WHERE state IN ('queued', 'running')",
            (error,),
        )
        connection.execute("UPDATE turns SET state = 'interrupted' WHERE state = 'running'")
        connection.execute("DELETE FROM leases")
        connection.commit()


def _close_down(current: Path) -> None:
    """Fold the old database's journals into it, which works only while nobody has it open."""
    try:
        with closing(sqlite3.connect(current, timeout=2)) as connection:
            mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
    except sqlite3.OperationalError:
        mode = "in use"
    except sqlite3.DatabaseError:  # damaged: what it is restored for
        remove_file_and_journals(current)
        return
    if mode != "delete":
        raise UsageError(
            f"The home {str(current.parent)!r} is in use.",
            next_step="Stop `groundwork up` and its worker, then restore again.",
        )


def _move_blobs(source: Path, target: Path) -> int:
    """Add originals to those of the home: the same name is the same content, so nothing can clash."""
    count = 0
    for path in sorted(source.glob("*/*")):
        (target / path.parent.name).mkdir(parents=True, exist_ok=True)
        path.replace(target / path.parent.name / path.name)
        count += 1
    return count


def _move_schemas(source: Path, target: Path) -> None:
    """Put the backup's definitions of fields in place of those there: they belong to its cells."""
    shutil.rmtree(target, ignore_errors=True)
    if source.is_dir():
        shutil.move(source, target)


def _drop_other_blobs(current: Path, blobs: Path) -> None:
    with closing(sqlite3.connect(current)) as connection:
        kept = _hashes(connection)
    for path in blobs.glob("[0-9a-f][0-9a-f]/*"):
        if path.name not in kept:
            path.unlink(missing_ok=True)


def _hashes(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute(
        "SELECT content_hash FROM document_versions"
        " UNION SELECT failed_hash FROM documents WHERE failed_hash <> ''"
    )
    return {str(name) for (name,) in rows if _HASH.fullmatch(name)}


def _count(file: Path, table: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


_SECRET_WORDS = ("key", "secret", "password", "token", "credential", "url", "dsn")


def without_secrets(toml: str) -> str:
    """The same settings as TOML, without values whose key names a secret or an address, or comments.

    An address goes too: it may carry a password. A file that is not TOML gives an empty one.
    """
    try:
        settings = tomllib.loads(toml)
    except tomllib.TOMLDecodeError:
        return ""
    return "\n".join(_lines(_public(settings), ())) + "\n"


def _public(table: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in table.items() if not _is_secret(key)}
    return {key: _public(value) if isinstance(value, dict) else value for key, value in kept.items()}


def _is_secret(key: str) -> bool:
    return any(word in key.lower() for word in _SECRET_WORDS)


def _lines(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [
        f"{json.dumps(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, dict)
    ]
    if path and (lines or not table):
        lines = ["", f"[{'.'.join(json.dumps(part) for part in path)}]", *lines]
    for key, value in table.items():
        if isinstance(value, dict):
            lines += _lines(value, (*path, key))
    return lines


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {_value(v)}' for k, v in _public(value).items())}}}"
    if isinstance(value, bool | int | float | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value.isoformat())  # dates and times: all else that TOML has
