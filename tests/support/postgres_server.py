"""A PostgreSQL server of one's own: on a free loopback port, in a temporary folder.

Debian keeps `initdb` and `postgres` outside PATH, and both refuse to run as root: they are then run as
another user. `GROUNDWORK_POSTGRES_BIN` names their folder where it is not found by itself.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

USER = "groundwork"
PASSWORD = "correct horse/battery@staple"
_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
_READY_WITHIN_S = 60.0
# Tests kill processes, not machines: without fsync a server of two cores writes as fast as a disk in memory.
_OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "120",
    "shared_buffers": "64MB",
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
    "log_min_messages": "fatal",
}

_EMPTY = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid();
SET session_replication_role = replica;
DO $$ DECLARE each regclass; BEGIN
  FOR each IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' LOOP
    EXECUTE format('DELETE FROM %s', each);
  END LOOP;
  FOR each IN SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' LOOP
    EXECUTE format('ALTER SEQUENCE %s RESTART', each);
  END LOOP;
END $$;
INSERT INTO audit_head (id, sequence, hash) VALUES (1, 0, '');
INSERT INTO alembic_version VALUES ('{revision}');
"""
_COLUMNS = """SELECT count(*) FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
  WHERE relnamespace = 'public'::regnamespace"""


def find_binaries() -> Path | None:
    """The folder of `initdb` and `postgres`, the newest version's; None where there is none."""
    named = os.environ.get("GROUNDWORK_POSTGRES_BIN")
    found = [Path(named)] if named else []
    on_path = shutil.which("initdb")
    found += [Path(on_path).resolve().parent] if on_path else []
    for place in _PLACES:
        folders = Path("/").glob(place.lstrip("/"))
        found += sorted(folders, key=_version, reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def _version(folder: Path) -> int:
    digits = "".join(char for char in folder.parent.name if char.isdigit())
    return int(digits or 0)


class PostgresServer:
    """One server, started by the constructor. `databases` are made and dropped one by one."""

    def __init__(self, binaries: Path | None = None) -> None:
        chosen = binaries or find_binaries()
        if chosen is None:
            raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
        self._binaries = chosen
        self._account = _account()
        self.folder = Path(tempfile.mkdtemp(prefix="gw-postgres-"))
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._columns: dict[str, int] = {}
        try:
            self._hand_over(self.folder)
            self._initialise()
            self.start()
        except BaseException:
            self.close()
            raise

    def address(self, database: str, *, user: str = USER, password: str = PASSWORD, driver: str = "") -> str:
        """Where a client finds a database: postgresql://..."""
        return f"postgresql{driver}://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def create_database(self, **options: str) -> str:
        """A new, empty database; gives its name. options: of CREATE DATABASE, such as ENCODING."""
        name = f"t{secrets.token_hex(6)}"
        chosen = " ".join(f"{key} {value}" for key, value in options.items())
        self.execute(f'CREATE DATABASE "{name}" {chosen}')
        return name

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        self.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def empty(self, name: str) -> None:
        """Make a database of records as it was when its tables were made, whoever is connected to it.

        Raises RuntimeError where the tables are not the same as at the first call.
        """
        from core.store.database.schema import REVISIONS

        ((columns,),) = self.execute(_EMPTY.replace("{revision}", REVISIONS[-1]) + _COLUMNS, name)
        if self._columns.setdefault(name, columns) != columns:
            raise RuntimeError("The tables were changed: only a database of its own may be.")

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run statements as the superuser, and give the rows of the last."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True, connect_timeout=10) as connection:
            cursor = connection.execute(statement.encode())
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def start(self) -> None:
        """Start it again where it was stopped; waits until it answers."""
        log = self.folder / "server.log"
        with log.open("ab") as output:
            command = [str(self._binaries / "postgres"), "-D", str(self._data), "-p", str(self.port)]
            for key, value in _OPTIONS.items():
                command += ["-c", f"{key}={value}"]
            self._process = subprocess.Popen(
                command, stdout=output, stderr=output, cwd=self.folder, preexec_fn=self._become()
            )
        deadline = time.monotonic() + _READY_WITHIN_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it as an administrator would: open transactions are broken off."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """End it as a crash would. Data survives: another start recovers it."""
        self._end(signal.SIGQUIT)

    def restart(self) -> None:
        """Stop it and start it on the same port."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Stop all its processes where they stand: it takes connections and answers nothing."""
        self._signal_all(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        assert self._process is not None
        main = self._process.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for process in (main, *map(int, children)):
            os.kill(process, number)

    def close(self) -> None:
        """Stop it and delete its folder; safe to call twice."""
        self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _initialise(self) -> None:
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        self._hand_over(secret)
        # A locale that sorts as people do, so that nothing leans on the order of bytes by accident.
        command = [str(self._binaries / "initdb"), "-D", str(self._data), "-U", USER, "-E", "UTF8"]
        command += ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"]
        command += ["-A", "scram-sha-256", "--pwfile", str(secret), "-N"]
        made = subprocess.run(
            command, cwd=self.folder, preexec_fn=self._become(), capture_output=True, text=True, check=False
        )
        secret.unlink()
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr.strip()[-2000:]}")

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _end(self, with_signal: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(with_signal)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _hand_over(self, path: Path) -> None:
        if self._account is not None:
            os.chown(path, self._account.pw_uid, self._account.pw_gid)

    def _become(self) -> Callable[[], None] | None:
        account = self._account
        if account is None:
            return None

        def become() -> None:
            os.setgroups([])
            os.setgid(account.pw_gid)
            os.setuid(account.pw_uid)

        return become


def _account() -> pwd.struct_passwd | None:
    """Whom to run as instead of root; None for whoever runs this."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL refuses to run as root, and there is no other user to run it as.")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
