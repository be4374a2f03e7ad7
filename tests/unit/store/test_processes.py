"""Several processes on one home, and processes that are killed: the store stays whole."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import RecordsSettings, Settings
from core.domain.passage import EncodedPassage
from core.domain.principal import LOCAL_ADMIN
from core.errors import RecordsError
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import encoded, new_version, summary_of

ALL = Visibility.everything()
ROOT = Path(__file__).parents[3]

PUBLISHER = """
import sys
from pathlib import Path
from core.config.models import Settings
from core.store.store import Records
from tests.support.versions import new_version
settings, own = Settings(home=Path(sys.argv[1]), records={"url": sys.argv[2]}), sys.argv[3]
print("ready", flush=True)
sys.stdin.readline()
with Records.open(settings) as records:
    for number in range(20):
        records.documents.publish(new_version(f"{own}{number}.txt", passages=5))
        records.documents.publish(new_version(f"shared{number}.txt", passages=5))
"""

KILLED = """
import sys
from dataclasses import replace
from pathlib import Path
from core.config.models import Settings
from core.store.store import Records
from tests.support.versions import encoded, new_version
def slowly():
    for count, item in enumerate(encoded(5000)):
        if count == 3200:
            print("written", flush=True)
            sys.stdin.readline()
        yield item
with Records.open(Settings(home=Path(sys.argv[1]), records={"url": sys.argv[2]})) as records:
    records.documents.publish(replace(new_version(text="New text."), passages=slowly()))
"""


KEEPS_RUNS = """
import sys
from pathlib import Path
from core.config.models import Settings
from core.domain.principal import LOCAL_ADMIN
from core.store.store import Records
from tests.unit.store.conversations.test_plans import a_run, add, keep
with Records.open(Settings(home=Path(sys.argv[1]), records={"url": sys.argv[2]})) as records:
    audit = records.plans.create(keep(), LOCAL_ADMIN)
    for number in range(150):  # fewer than are kept
        add(records, a_run(audit.id, number))
        audit = records.plans.change(audit.id, LOCAL_ADMIN, audit.version, keep(f"Fees {number}"))
        print(number, flush=True)
    sys.stdin.readline()
"""


def start(script: str, settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    url = settings.records.url.get_secret_value()
    return subprocess.Popen(
        [sys.executable, "-c", script, str(settings.home), url, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def wait_for(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    assert process.stdout.readline().strip() == word


def test_two_processes_make_one_home_and_publish_into_it_at_once(untouched: Settings) -> None:
    processes = [start(PUBLISHER, untouched, own) for own in ("x", "y")]
    for process in processes:
        wait_for(process, "ready")
    for process in processes:
        process.communicate("go\n", timeout=100)
    assert [process.returncode for process in processes] == [0, 0]
    with Records.open(untouched) as records:
        summaries = records.documents.list(ALL)
        assert len(summaries) == 60
        assert {(row.version, row.passages) for row in summaries} == {(1, 5)}
        assert records.passages.count() == sum(len(batch) for batch in records.passages.iterate()) == 300
        assert records.changes.data_version() == 60


def test_a_process_killed_while_it_publishes_leaves_nothing_half_there(settings: Settings) -> None:
    with Records.open(settings) as records:
        document = records.documents.publish(new_version(text="Old text.", passages=3)).document
        before = records.changes.data_version()
    process = start(KILLED, settings)
    wait_for(process, "written")
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with Records.open(settings) as records:
        assert records.documents.page(document, None, 1, ALL).text == "Old text."
        assert len(records.passages.of_documents([document])) == 3
        assert records.changes.data_version() == before
        again = records.documents.publish(new_version(text="New text.", passages=4))
        assert (again.version, again.passages) == (2, 4)
    if settings.records.url.get_secret_value():
        return
    with sqlite3.connect(settings.home / "records.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()


def test_readers_see_the_version_before_until_the_new_one_is_whole(records: Records) -> None:
    document = records.documents.publish(new_version(text="Old text.", passages=1)).document
    seen: list[tuple[str, int]] = []

    def observed() -> Iterator[EncodedPassage]:
        for item in encoded(600):
            if item.passage.ordinal in (0, 599):
                reader = threading.Thread(target=look)
                reader.start()
                reader.join()
            yield item

    def look() -> None:
        page = records.documents.page(document, None, 1, ALL)
        seen.append((page.text, summary_of(records, document).passages))

    records.documents.publish(replace(new_version(text="New text."), passages=observed()))
    look()
    assert seen == [("Old text.", 1), ("Old text.", 1), ("New text.", 600)]


def test_threads_write_at_once_without_an_error(records: Records) -> None:
    failures: list[BaseException] = []

    def publish_some(own: int) -> None:
        try:
            for number in range(10):
                records.documents.publish(new_version(f"{own}-{number}.txt"))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=publish_some, args=(own,)) for own in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert records.documents.count(ALL) == 80
    assert records.changes.data_version() == 80


def test_a_writer_that_waits_too_long_is_told_so_and_can_go_on(settings: Settings) -> None:
    hasty = RecordsSettings(url=settings.records.url, busy_timeout_s=0.05)
    with (
        Records.open(settings) as first,
        Records.open(Settings(home=settings.home, records=hasty)) as second,
    ):
        with first.database.write(), pytest.raises(RecordsError, match="locked") as refused:
            second.documents.add_bucket("b")
        assert "try again" in refused.value.next_step
        second.documents.add_bucket("b")
        assert [row.name for row in first.documents.buckets(ALL)] == ["b"]


def test_a_process_killed_while_it_keeps_runs_and_plans_leaves_whole_ones(settings: Settings) -> None:
    process = start(KEEPS_RUNS, settings)
    for number in range(20):
        wait_for(process, str(number))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Records.open(settings) as records:
        (audit,) = records.plans.list(LOCAL_ADMIN)
        runs = records.plans.runs(audit.id, LOCAL_ADMIN)
        assert len(runs) == audit.runs >= 20
        assert {run.result.text for run in runs if run.result is not None} == {"5"}
        assert audit.version in (len(runs), len(runs) + 1)
