from __future__ import annotations

import csv
import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from core.cli.main import groundwork
from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import UrlState
from core.domain.crawl.request import CrawlRequest, PageKind, SiteScope
from core.domain.ids import CrawlId
from core.domain.job import Job
from core.errors import JobError, NotFoundError, RefusedError, UsageError
from core.ingest.crawl.process import CrawlerProcess
from core.workbench import Workbench
from core.workbench.services.crawls import CrawlService, CrawlView
from core.workbench.work import handlers
from tests.support.scripted_crawler import PROGRAM, Site, url

PAGES = {
    "": {"text": "The home of the site, with a lease.", "links": ["a", "away"]},
    "a": {"text": "The tenant pays the rent."},
    "away": {"state": "failed", "reason": "timeout"},
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose crawls are done by the scripted crawler."""
    monkeypatch.setattr(handlers, "CrawlerProcess", functools.partial(CrawlerProcess, program=PROGRAM))
    Site(PAGES).write(tmp_path / "home")
    return tmp_path / "home"


def run(home: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON document of a command."""
    result = CliRunner().invoke(
        groundwork, ["crawl", *arguments, "--home", str(home), "--json"], standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    return int(result.return_value or 0), json.loads(result.stdout)


def shown(home: Path, *arguments: str) -> str:
    """All that a person sees of a command."""
    result = CliRunner().invoke(groundwork, ["crawl", *arguments, "--home", str(home)], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def test_a_dry_run_accounts_for_every_address_and_says_that_some_failed(home: Path) -> None:
    code, ledger = run(home, url(""), "--dry-run")

    assert (code, ledger["schema"], ledger["state"], ledger["dry_run"]) == (3, 1, "done", True)
    assert {row["url"]: (row["depth"], row["status"], row["reason"]) for row in ledger["urls"]} == {
        url(""): (0, "kept", ""),
        url("a"): (1, "kept", ""),
        url("away"): (1, "failed", "timeout"),
    }
    assert {row["document"] for row in ledger["urls"]} == {None}
    assert (ledger["counts"]["kept"], ledger["counts"]["failed"]) == (2, 1)


def test_a_crawl_makes_documents_that_a_run_again_leaves_as_they_are(home: Path) -> None:
    code, first = run(home, url(""), "--bucket", "web", "--every", "day")
    assert code == 3
    with Workbench.open(home) as bench:
        documents = {each.source: each.id for each in bench.documents(bucket="web")}
    assert {row["url"]: row["document"] for row in first["urls"] if row["document"]} == documents

    _, again = run(home, "--again", first["crawl"])

    assert (again["counts"]["unchanged"], [each["run"] for each in again["runs"]]) == (2, [2, 1])
    _, listed = run(home, "--list")
    assert [(each["id"], each["schedule"], each["state"]) for each in listed["crawls"]] == [
        (first["crawl"], "daily", "done")
    ]


def test_the_ledger_is_filtered_and_written_in_words(home: Path, tmp_path: Path) -> None:
    _, made = run(home, url(""), "--dry-run")
    out = tmp_path / "ledger.csv"

    _, failed = run(home, "--ledger", made["crawl"], "--state", "failed", "--out", str(out))

    assert [row["url"] for row in failed["urls"]] == [url("away")]
    with out.open(encoding="utf-8-sig", newline="") as file:
        (line,) = csv.DictReader(file)
    assert (line["Address"], line["State"], line["Reason"]) == (url("away"), "failed", "no answer in time")
    table = shown(home, "--ledger", made["crawl"], "--reason", "timeout", "--text", "away")
    assert "no answer in time" in table
    assert "kept" not in table.splitlines()[1]


def test_a_crawl_that_kept_nothing_says_why_and_its_code_is_one(home: Path) -> None:
    Site({"": {"state": "skipped", "reason": "robots"}}).write(home)

    code, ledger = run(home, url(""), "--dry-run")

    assert (code, ledger["state"]) == (1, "failed")
    assert "robots.txt of site.example forbids" in ledger["error"]
    assert ledger["urls"][0]["reason"] == "robots"


def test_people_see_counts_by_reason_and_what_failed(home: Path) -> None:
    text = shown(home, url(""), "--dry-run")

    assert "no answer in time" in text
    assert "2 kept, 1 failed" in text
    assert url("away") in text


@pytest.mark.parametrize(
    "arguments",
    [(), ("--list", "--again", "c1"), ("https://example.com", "--resume", "c1")],
)
def test_nothing_and_two_things_at_once_are_wrong_usage(home: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="Crawl what"):
        run(home, *arguments)


def test_a_bad_address_and_a_bad_schedule_are_wrong_usage(home: Path) -> None:
    with pytest.raises(UsageError, match="scheme 'file'"):
        run(home, "file:///etc/passwd")
    with pytest.raises(UsageError, match="whenever"):
        run(home, url(""), "--every", "whenever")
    with pytest.raises(NotFoundError):
        run(home, "--ledger", "c-nothing")


def test_a_crawl_that_is_done_cannot_be_resumed(home: Path) -> None:
    _, made = run(home, url(""), "--dry-run")

    with pytest.raises(JobError, match="is done"):
        run(home, "--resume", made["crawl"])


def test_options_reach_the_request(home: Path) -> None:
    _, made = run(
        home, url(""), "--dry-run", "--depth", "1", "--max-pages", "7", "--scope", "prefix",
        "--include", "/d/*", "--exclude", "*.pdf", "--kind", "text", "--kind", "html",
        "--ignore-robots", "It is ours.", "--delay", "0.5", "--concurrency", "3",
        "--user-agent", "Us/1.0", "--timeout", "9", "--acl", "legal", "--no-sitemaps",
    )  # fmt: skip

    with Workbench.open(home) as bench:
        request = bench.local.crawls.get(CrawlId(made["crawl"])).request
    assert (request.depth, request.max_pages, request.scope) == (1, 7, SiteScope.PREFIX)
    assert (request.include, request.exclude) == (("/d/*",), ("*.pdf",))
    assert (request.kinds, request.acl) == ((PageKind.TEXT, PageKind.HTML), ("legal",))
    assert (request.pace.delay_s, request.pace.concurrency, request.pace.per_host) == (0.5, 3, 3)
    assert (request.user_agent, request.timeout_s, request.use_sitemaps) == ("Us/1.0", 9, False)
    assert request.ignore_robots_because == "It is ours."


def test_an_interrupt_says_how_to_go_on(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(
        self: CrawlService, crawl: CrawlId, on_progress: Callable[[Job], None] | None = None
    ) -> CrawlView:
        raise KeyboardInterrupt

    monkeypatch.setattr(CrawlService, "follow", interrupted)

    with pytest.raises(click.exceptions.Abort):
        groundwork.main(["crawl", url(""), "--home", str(home)], standalone_mode=False)
    assert "groundwork crawl --resume c" in capsys.readouterr().err


def test_a_program_crawls_with_one_call(home: Path) -> None:
    with Workbench.open(home) as bench:
        view = bench.crawl(url(""), is_dry_run=True, depth=1)

    assert view.progress.counts[UrlState.KEPT] == 2
    assert view.job is not None
    assert view.job.error is None


def test_documents_in_doubt_are_named_and_withdrawn_on_demand(home: Path) -> None:
    names = [f"p{number:02}" for number in range(12)]
    pages = {name: {"text": f"The tenant of {name} pays the rent."} for name in names}
    Site({"": {"text": "Home.", "links": names}, **pages}).write(home)
    _, first = run(home, url(""), "--bucket", "web")
    with pytest.raises(JobError, match="left no documents"):
        run(home, "--withdraw", first["crawl"])
    Site({"": {"text": "We are closed for a while."}}).write(home)

    text = shown(home, "--again", first["crawl"])

    assert "12 of 13 documents stay for now" in text
    assert f"groundwork crawl --withdraw {first['crawl']}" in text
    _, ledger = run(home, "--ledger", first["crawl"])
    assert ledger["in_doubt"] == [url(name) for name in names]
    assert run(home, "--withdraw", first["crawl"]) == (
        0,
        {"schema": 1, "crawl": first["crawl"], "documents": 12},
    )
    with Workbench.open(home) as bench:
        assert [each.source for each in bench.documents(bucket="web")] == [url("")]


def test_what_a_resume_cannot_help_is_not_offered_one(home: Path) -> None:
    Site({"": {"state": "skipped", "reason": "robots"}}).write(home)
    forbidden = shown(home, url(""), "--dry-run")
    Site({"": {"state": "failed", "reason": "timeout"}}).write(home)
    away = shown(home, url(""), "--dry-run")

    assert f"groundwork crawl {url('')} --ignore-robots" in forbidden
    assert "groundwork crawl --again c" in away
    assert "--resume" not in forbidden + away


def test_a_crawl_that_broke_off_is_offered_a_resume(home: Path) -> None:
    Site(PAGES, exits=CrawlerExit.STORE, says="No space left on device.").write(home)

    assert "groundwork crawl --resume c" in shown(home, url(""))


def test_an_older_job_that_is_finished_first_is_named(home: Path) -> None:
    with Workbench.open(home) as bench:
        other = bench.local.crawls.start(CrawlRequest.checked(urls=[url("")]), title="Ann's site")
        job = bench.local.crawls.get(other).summary.job

    text = shown(home, url(""), "--dry-run")

    assert f"First, an older job: Crawl of Ann's site ({job})." in text
    assert "Now what was asked for." in text


def test_who_is_no_admin_is_refused_by_every_way_of_the_command(home: Path, tmp_path: Path) -> None:
    (home / "groundwork.toml").write_text('[users.ann]\ngroups = ["legal"]\n')
    _, made = run(home, url(""), "--bucket", "web")
    crawl, out = made["crawl"], tmp_path / "ledger.csv"
    for arguments in (
        (url(""),),
        (url(""), "--dry-run"),
        (url(""), "--every", "day"),
        ("--again", crawl),
        ("--resume", crawl),
        ("--list",),
        ("--ledger", crawl),
        ("--ledger", crawl, "--out", str(out)),
        ("--withdraw", crawl),
    ):
        with pytest.raises(RefusedError, match="'ann' may not"):
            run(home, *arguments, "--as", "ann")
    assert not out.exists()
    assert [each["id"] for each in run(home, "--list")[1]["crawls"]] == [crawl]
