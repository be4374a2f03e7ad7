"""Postgres' own ways: how it is reached, how writers take turns, and what its errors mean.

The driver is psycopg 3, which SQLAlchemy imports when the engine is made and not before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import ArgumentError

from core.errors import RecordsError, RecordsUnavailableError

DRIVER = "postgresql+psycopg"
NO_ANSWER = "no answer within the deadline"
_ADVISORY_LOCK = 0x67726F756E64  # "ground"
_CONNECT_WITHIN_S = 10
_PING_WITHIN_S = 5.0
_STATEMENT_WITHIN_S = 60.0  # beside the time that it may wait for another writer
_BROKEN_OFF_AFTER_S = 300  # in a transaction and silent: its holder is stuck, and everybody waits for it


def open_engine(
    address: URL,
    *,
    busy_timeout_s: float,
    pool_size: int,
    json_serializer: Callable[[Any], str],
    json_deserializer: Callable[[str | bytes], Any],
) -> Engine:
    """An engine with a pool of at most `pool_size` connections, each tried before it is used again.

    `postgresql://` and `postgres://` mean this driver too. Raises ArgumentError for any other address.
    """
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername=DRIVER)
    if address.drivername != DRIVER:
        raise ArgumentError("neither SQLite nor Postgres")
    engine = sa.create_engine(
        address,
        pool_pre_ping=True,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=busy_timeout_s,
        pool_recycle=1800,
        json_serializer=json_serializer,
        json_deserializer=json_deserializer,
        connect_args=_connect_arguments(address, busy_timeout_s),
    )
    bound_waiting(engine, statement_within_s=busy_timeout_s + _STATEMENT_WITHIN_S)
    return engine


def _connect_arguments(address: URL, busy_timeout_s: float) -> dict[str, Any]:
    """Bounds for everything that could hang: connecting, a lock, a server or client that went silent."""
    options = {
        "lock_timeout": f"{int(busy_timeout_s * 1000)}ms",
        "idle_in_transaction_session_timeout": f"{_BROKEN_OFF_AFTER_S}s",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
    chosen: dict[str, Any] = {
        "connect_timeout": _CONNECT_WITHIN_S,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        "application_name": "groundwork",
        "client_encoding": "utf8",
        "options": " ".join(f"-c {key}={value}" for key, value in options.items()),
    }
    return {key: value for key, value in chosen.items() if key not in address.query}


def bound_waiting(engine: Engine, *, statement_within_s: float) -> None:
    """Have every connection give up on a server that takes requests and never answers them.

    Only the client can tell: the kernel of a stopped server still acknowledges, so no keepalive fails. A
    connection that is given up is closed, for an answer might still come.
    """
    import psycopg

    class BoundedConnection(psycopg.Connection[Any]):
        within_s = statement_within_s

        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            try:
                return super().wait(gen, interval, self.within_s if timeout is None else timeout)
            except psycopg.OperationalError as error:
                if timeout is not None or type(error).__name__ != "_WaitTimeout":
                    raise
                self.pgconn.finish()
                raise psycopg.OperationalError(NO_ANSWER) from None

    @sa.event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, arguments: Any, options: Any) -> BoundedConnection:
        return BoundedConnection.connect(*arguments, **options)

    # The pool tries a connection between these two: that is the one request that is answered at once.
    @sa.event.listens_for(engine, "checkin")
    def shorten(connection: Any, _record: Any) -> None:
        if connection is not None:
            connection.within_s = _PING_WITHIN_S

    @sa.event.listens_for(engine, "checkout")
    def lengthen(connection: Any, _record: Any, _proxy: Any) -> None:
        connection.within_s = statement_within_s


def lock_writers(connection: Connection) -> None:
    """Wait for the right to write, until the transaction ends: one writer at a time, as on SQLite.

    Sequence numbers then become visible in their order, and a second migration finds the first one's work.
    """
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")


def require_utf8(connection: Connection, place: str) -> None:
    """Raises RecordsError where the database keeps text in an encoding that cannot hold all of ours."""
    found = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
    if found != "UTF8":
        raise RecordsError(
            f"The database {place!r} keeps text as {found}, not as UTF8.",
            next_step="Create one with ENCODING 'UTF8' TEMPLATE template0, and name that in records.url.",
        )


_BUSY = (
    "Another process has kept {place!r} locked for too long.",
    "Wait until its work is done, or raise records.busy_timeout_s, and try again.",
)
_FULL = (
    "The disk of the database is full: nothing was written to {place!r}.",
    "Free some space there and try again; what was stored before is unharmed.",
)
_READ_ONLY = (
    "The records in {place!r} can be read but not written: the server is read only.",
    "Name the primary server in records.url, or wait until it takes writes again.",
)
_TOO_LARGE = (
    "A name or text is larger than the records in {place!r} can hold.",
    "Shorten the name, or split the document into smaller files.",
)
_BROKEN_OFF = (
    "The database {place!r} broke off the connection; nothing of that last step was kept.",
    "Try again; jobs go on by themselves once the server is back.",
)
_UNREACHABLE = (
    "The database {place!r} cannot be reached.",
    "Start the server, or check host and port in records.url; jobs go on once it is back.",
)
_REFUSED = (
    "The database {place!r} refused the user name or password.",
    "Correct user and password in records.url (GROUNDWORK_RECORDS__URL); they are not shown here.",
)
_RIGHTS = (
    "The database user may not do this in {place!r}.",
    "Make the user the owner of the database: ALTER DATABASE name OWNER TO user.",
)
_MISSING = (
    "There is no such database: {place!r}.",
    "Create it with `createdb`, or correct its name in records.url.",
)
_CROWDED = (
    "The database server of {place!r} takes no more connections.",
    "Raise max_connections there, or lower records.pool_size of each process.",
)
_STARTING = (
    "The database {place!r} is starting or stopping.",
    "Wait a moment and try again; jobs go on by themselves.",
)
_SILENT = (
    "The database {place!r} does not answer.",
    "Look whether the server hangs or its disk does; a step that was under way is kept whole or not at all.",
)
_NO_TLS = (
    "The database server of {place!r} does not speak TLS, which records.url asks for.",
    "Turn `ssl` on in the server, or take sslmode out of records.url.",
)
_ADDRESS = (
    "The address of the records database (records.url) has an option that is not known.",
    "Take out what stands behind '?', or correct it; known are libpq's connection options.",
)
# By SQLSTATE, the longest known beginning first: https://www.postgresql.org/docs/15/errcodes-appendix.html
_BY_STATE = {
    "55P03": _BUSY,
    "57014": _BUSY,
    "40": _BUSY,
    "53100": _FULL,
    "53300": _CROWDED,
    "25006": _READ_ONLY,
    "54": _TOO_LARGE,
    "42501": _RIGHTS,
    "28": _REFUSED,
    "3D000": _MISSING,
    "57P03": _STARTING,
    "57P": _BROKEN_OFF,
    "25P03": _BROKEN_OFF,
    "08": _BROKEN_OFF,
}
# libpq gives no SQLSTATE to what goes wrong before there is a connection.
_BY_WORDS = {
    "password authentication failed": _REFUSED,
    "no password supplied": _REFUSED,
    "no pg_hba.conf entry": _REFUSED,
    "too many clients": _CROWDED,
    "too many connections": _CROWDED,
    "remaining connection slots": _CROWDED,
    "starting up": _STARTING,
    "shutting down": _STARTING,
    "recovery": _STARTING,
    "role ": _REFUSED,
    'database "': _MISSING,
    "server closed the connection": _BROKEN_OFF,
    "connection is lost": _BROKEN_OFF,
    "connection is closed": _BROKEN_OFF,
    "terminating connection": _BROKEN_OFF,
    "consuming input failed": _BROKEN_OFF,
    "sending query": _BROKEN_OFF,
    "discarding": _BROKEN_OFF,
    NO_ANSWER: _SILENT,
    "timeout expired": _SILENT,
    "server does not support SSL": _NO_TLS,
    "invalid URI query parameter": _ADDRESS,
    "invalid connection option": _ADDRESS,
}
_PASSING = (_BROKEN_OFF, _UNREACHABLE, _STARTING, _CROWDED, _SILENT)


def postgres_error(error: BaseException, place: str) -> RecordsError | None:
    """The RecordsError for what psycopg raised; None where it is no error of psycopg's.

    A RecordsUnavailableError where the same would work once the server is back. The driver's own words are
    left out, for they may hold addresses and values.
    """
    if not type(error).__module__.startswith("psycopg"):
        return None
    state = getattr(error, "sqlstate", None) or ""
    words = str(error)
    found = next((_BY_STATE[state[:length]] for length in (5, 3, 2) if state[:length] in _BY_STATE), None)
    if found is None and not state:
        fatal = words.rpartition("FATAL:")[2].strip()
        found = next((_BY_WORDS[known] for known in _BY_WORDS if known in fatal), None)
        if type(error).__name__ in ("OperationalError", "ConnectionTimeout"):
            found = found or _UNREACHABLE
    if found is None and "during recovery" in words:
        found = _READ_ONLY  # a standby: 0A000, which says nothing by itself
    if found is None:
        return None
    sentence, next_step = found
    kind = RecordsUnavailableError if found in _PASSING else RecordsError
    return kind(sentence.format(place=place), next_step=next_step)
