"""What goes wrong with a Postgres is said in one plain sentence with the next step, and nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from core.config.models import RecordsSettings, Settings
from core.domain.job import JobState
from core.domain.passage import EncodedPassage
from core.errors import RecordsError, RecordsUnavailableError
from core.jobs import queue, worker
from core.store.backup import backup
from core.store.base import DocumentOrder, DocumentQuery
from core.store.database.postgres import NO_ANSWER, bound_waiting, postgres_error
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.postgres_server import PASSWORD, PostgresServer
from tests.support.toy_jobs import CountingJob
from tests.support.versions import encoded, new_version, summary_of
from tests.support.waiting import wait_for

pytestmark = pytest.mark.live
ALL = Visibility.everything()


@pytest.fixture(scope="module")
def own_server(postgres_server: PostgresServer) -> Iterator[PostgresServer]:
    """A server that tests of this module may stop; the other tests' goes on."""
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def own_url(own_server: PostgresServer) -> str:
    return own_server.address(own_server.create_database())


def settings_of(home: Path, url: str, **records: float) -> Settings:
    return Settings(home=home, records=RecordsSettings.model_validate({"url": url, **records}))


def opened(home: Path, url: str, **records: float) -> Records:
    return Records.open(settings_of(home, url, **records))


def test_a_server_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(RecordsUnavailableError, match=r"'127.0.0.1:1/gw' cannot be reached") as refused:
        opened(tmp_path, "postgresql://ann:hidden@127.0.0.1:1/gw")

    assert "Start the server" in refused.value.next_step
    assert "hidden" not in f"{refused.value} {refused.value.next_step}"
    assert time.monotonic() - began < 15


@pytest.mark.parametrize("words", [("wrong", "refused the user name or password"), ("", "refused the user")])
def test_a_wrong_password_is_never_shown(postgres_url: str, tmp_path: Path, words: tuple[str, str]) -> None:
    wrong, sentence = words
    address = sa.make_url(postgres_url).set(password=wrong).render_as_string(hide_password=False)
    with pytest.raises(RecordsError, match=sentence) as refused:
        opened(tmp_path, address)

    shown = f"{refused.value} {refused.value.next_step}"
    assert "GROUNDWORK_RECORDS__URL" in shown
    assert "wrong" not in shown.replace("wrong user", "")
    assert PASSWORD not in shown


def test_a_database_that_is_not_there_is_named(postgres_server: PostgresServer, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match=r"no such database: '.*/nowhere'") as refused:
        opened(tmp_path, postgres_server.address("nowhere"))

    assert "createdb" in refused.value.next_step


def test_a_database_of_another_encoding_is_refused_before_anything_is_made(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    name = postgres_server.create_database(
        ENCODING="'LATIN1'", TEMPLATE="template0", LOCALE_PROVIDER="libc", LOCALE="'C'"
    )
    with pytest.raises(RecordsError, match="keeps text as LATIN1") as refused:
        opened(tmp_path, postgres_server.address(name))

    assert "UTF8" in refused.value.next_step
    postgres_server.drop_database(name)


def test_a_database_of_another_program_is_refused_and_left_alone(
    postgres_server: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    database = sa.make_url(postgres_url).database or ""
    postgres_server.execute("CREATE TABLE songs (name TEXT)", database)
    with pytest.raises(RecordsError, match="another program"):
        opened(tmp_path, postgres_url)

    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    assert postgres_server.execute(tables, database) == [("songs",)]


def test_a_user_without_rights_is_told_which_are_missing(
    postgres_server: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    database = sa.make_url(postgres_url).database or ""
    postgres_server.execute(f"CREATE ROLE guest_{database} LOGIN PASSWORD 'guest'")
    with pytest.raises(RecordsError, match="may not do this") as refused:
        opened(tmp_path, postgres_server.address(database, user=f"guest_{database}", password="guest"))

    assert "OWNER" in refused.value.next_step
    postgres_server.execute(f"DROP ROLE guest_{database}")


def test_a_server_that_only_reads_says_so() -> None:
    for error in (
        psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT in a read-only transaction"),
        psycopg.errors.FeatureNotSupported("cannot set transaction read-write mode during recovery"),
    ):
        assert "read but not written" in str(postgres_error(error, "host:5432/gw"))


def test_a_backup_says_which_tool_to_use(postgres_url: str, tmp_path: Path) -> None:
    with (
        opened(tmp_path / "home", postgres_url) as records,
        pytest.raises(RecordsError, match="in Postgres") as refused,
    ):
        backup(records, tmp_path / "home", tmp_path / "backup.zip")

    assert "pg_dump" in refused.value.next_step
    assert not (tmp_path / "backup.zip").exists()


def test_the_order_is_that_of_code_points_whatever_the_databases_language(
    postgres_server: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    assert postgres_server.execute("SELECT 'a' < 'B'") == [(True,)]  # as people sort
    with opened(tmp_path, postgres_url) as records:
        for name in ("b.txt", "A.txt", "a.txt", "Ä.txt", "B.txt", "_.txt"):
            records.documents.publish(new_version(name))
        listed = records.documents.list(ALL, DocumentQuery(order=DocumentOrder.SOURCE))

        assert [row.source[0] for row in listed] == ["A", "B", "_", "a", "b", "Ä"]


def test_a_very_long_name_is_kept(postgres_url: str, tmp_path: Path) -> None:
    name = "".join(chr(0x4E00 + number % 9000) for number in range(4_000))
    with opened(tmp_path, postgres_url) as records:
        published = records.documents.publish(new_version(name))

        assert summary_of(records, published.document).source == name


def test_a_restart_between_two_calls_is_not_noticed(
    own_server: PostgresServer, own_url: str, tmp_path: Path
) -> None:
    with opened(tmp_path, own_url) as records:
        document = records.documents.publish(new_version()).document
        own_server.restart()

        assert summary_of(records, document).version == 1
        assert records.documents.publish(new_version("b.txt")).version == 1


def test_a_restart_in_the_middle_of_a_transaction_loses_it_whole_and_nothing_else(
    own_server: PostgresServer, own_url: str, tmp_path: Path
) -> None:
    def interrupted() -> Iterator[EncodedPassage]:
        yield from encoded(700)
        own_server.restart()
        yield from encoded(700, start=700)

    with opened(tmp_path, own_url) as records:
        document = records.documents.publish(new_version(text="Old text.")).document
        before = records.changes.data_version()
        with pytest.raises(RecordsUnavailableError, match="broke off") as refused:
            records.documents.publish(replace(new_version(text="New text."), passages=interrupted()))

        assert "Try again" in refused.value.next_step
        assert records.changes.data_version() == before
        assert records.documents.page(document, None, 1, ALL).text == "Old text."
        assert records.documents.publish(new_version(text="New text.")).version == 2


def test_a_server_that_is_away_is_said_within_seconds_and_found_again(
    own_server: PostgresServer, own_url: str, tmp_path: Path
) -> None:
    with opened(tmp_path, own_url) as records:
        records.documents.publish(new_version())
        own_server.stop()
        began = time.monotonic()
        with pytest.raises(RecordsUnavailableError):
            records.documents.count(ALL)
        assert time.monotonic() - began < 10
        own_server.start()

        assert records.documents.count(ALL) == 1


def test_a_server_that_hangs_is_given_up_within_the_deadline_and_found_again(
    own_server: PostgresServer, own_url: str, tmp_path: Path
) -> None:
    with opened(tmp_path, own_url) as records:
        records.changes.data_version()
        own_server.pause()
        try:
            began = time.monotonic()
            with pytest.raises(RecordsUnavailableError, match="does not answer"):
                records.changes.data_version()
            assert time.monotonic() - began < 20
        finally:
            own_server.resume()
        assert records.changes.data_version() == 0


def test_a_statement_that_is_never_answered_ends_with_its_connection(own_url: str) -> None:
    engine = sa.create_engine(own_url.replace("postgresql://", "postgresql+psycopg://"))
    bound_waiting(engine, statement_within_s=0.5)
    with pytest.raises(sa.exc.OperationalError, match=NO_ANSWER), engine.connect() as connection:
        connection.exec_driver_sql("SELECT pg_sleep(30)")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1
    engine.dispose()


def test_an_option_that_is_not_known_is_said_without_the_address(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="has an option that is not known") as refused:
        opened(tmp_path, postgres_url + "?foo=bar")
    assert PASSWORD not in str(refused.value)


def test_a_server_without_tls_is_named_as_such(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(RecordsError, match="does not speak TLS"):
        opened(tmp_path, postgres_url + "?sslmode=require")


def test_a_worker_outlives_a_restart_of_the_server_and_its_job_is_done_once(
    own_server: PostgresServer, own_url: str, tmp_path: Path
) -> None:
    begun: list[int] = []

    def restart(ordinal: int) -> None:
        begun.append(ordinal)
        if begun == [0, 1]:
            own_server.restart()

    with opened(tmp_path, own_url) as records:
        job = queue.submit(records, "count", "Counting", {"count": 4}, user="ann")
        stop = threading.Event()
        thread = threading.Thread(
            target=worker.run,
            args=(records, tmp_path, lambda: {"count": CountingJob(records, restart)}, stop),
        )
        thread.start()
        try:
            wait_for(lambda: has_ended(own_url, tmp_path, job), 60)
        finally:
            stop.set()
            thread.join()
        found = records.jobs.get(job)

        assert (found.state, found.done, found.error) == (JobState.DONE, 4, None)
        assert sorted(set(begun)) == [0, 1, 2, 3]


def test_too_few_connections_are_named_with_the_setting(postgres_url: str, tmp_path: Path) -> None:
    with (
        opened(tmp_path, postgres_url, pool_size=2, busy_timeout_s=0.3) as records,
        records.database.read(),
        records.database.read(),
        pytest.raises(RecordsUnavailableError) as refused,
    ):
        records.changes.data_version()

    assert "records.pool_size" in refused.value.next_step


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_plain_addresses_are_taken(postgres_url: str, tmp_path: Path, scheme: str) -> None:
    with opened(tmp_path, postgres_url.replace("postgresql", scheme, 1)) as records:
        assert records.is_shared


def test_another_driver_is_refused_without_showing_the_address(tmp_path: Path) -> None:
    with pytest.raises(RecordsError) as refused:
        opened(tmp_path, "postgresql+psycopg2://ann:hidden@host/gw")

    assert "postgresql://" in refused.value.next_step
    assert "hidden" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_the_address_is_not_in_the_words_of_the_settings() -> None:
    assert "hidden" not in repr(RecordsSettings(url=SecretStr("postgresql://ann:hidden@host/gw")))


def has_ended(url: str, home: Path, job: str) -> bool:
    try:
        with opened(home, url) as records:
            return records.jobs.get(job).state.is_ended  # type: ignore[arg-type]
    except RecordsUnavailableError:
        return False
