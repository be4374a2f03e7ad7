"""A home from before the spells of work keeps its crawls and their runs."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config

from core.config.models import Settings
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import JobId
from core.records.database import migrate
from core.records.store import Records


def test_a_run_from_before_has_no_spells_and_the_next_one_has(settings: Settings) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with Records.open(settings) as records:
        request = CrawlRequest.checked(urls=["http://site.example/"])
        crawl = records.crawls.create(request, title="site", user="ada")
        records.crawls.begin_run(crawl, JobId("j1"))
        records.crawls.end_run(crawl, 1)
        with records.database.write() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0018")

    with Records.open(settings) as records:
        (run,) = records.crawls.runs(crawl)
        assert (run.run, run.spells) == (1, ())
        assert run.ended_at is not None
        assert run.seconds_at_work == (run.ended_at - run.started_at).total_seconds()
        assert records.crawls.begin_run(crawl, JobId("j2")) == 2
