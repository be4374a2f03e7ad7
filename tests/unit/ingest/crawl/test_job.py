from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import Change, UrlReason, UrlRow, UrlState
from core.domain.ids import CrawlId, JobId
from core.domain.job import JobState
from core.ingest.crawl.job import nothing_kept
from core.jobs import queue
from core.store.database.visibility import Visibility
from tests.support.crawl_worker import Crawling, crawling
from tests.support.scripted_crawler import Site, url
from tests.support.waiting import wait_for

_ALL = Visibility.everything()
PAGES = {
    "": {"text": "The home of the site, with a lease.", "links": ["a", "b", "away"]},
    "a": {"text": "The tenant pays the rent.", "links": ["c"]},
    "b": {"text": "The landlord insures the house."},
    "c": {"text": "Notice is given in writing."},
    "away": {"state": "failed", "reason": "timeout"},
}
START = "https://site.example/docs"


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Crawling]:
    with crawling(tmp_path / "home") as made:
        yield made


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_kept_pages_become_documents_and_the_ledger_says_which(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))

    ended = at.end(job)

    assert (ended.state, ended.done, ended.total, ended.error) == (JobState.DONE, 5, 5, None)
    assert at.documents() == dict.fromkeys(("", "a", "b", "c"), "ready")
    rows = at.rows(crawl)
    assert all(rows[path].document for path in ("", "a", "b", "c"))
    assert (rows["away"].state, rows["away"].document) == (UrlState.FAILED, None)
    run = at.place.records.crawls.runs(crawl)[0]
    assert run.ended_at is not None
    assert (run.counts["kept"], run.counts["failed"], run.counts["new"]) == (4, 1, 4)


def test_a_dry_run_finds_the_same_and_makes_no_document(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES), is_dry_run=True)

    assert at.end(job).state is JobState.DONE
    assert at.documents() == {}
    assert {path: row.state for path, row in at.rows(crawl).items() if path != "away"} == dict.fromkeys(
        ("", "a", "b", "c"), UrlState.KEPT
    )


def test_a_run_again_indexes_what_changed_and_withdraws_what_is_gone(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))
    at.end(job)
    before = at.place.records.documents
    versions = {each.source: each.version for each in before.list(_ALL)}
    changed = {**PAGES, "b": {"text": "The tenant insures the house."}}
    changed["c"] = {"state": "failed", "reason": "http_error", "status": 404}

    assert at.end(at.again(crawl, Site(changed))).state is JobState.DONE

    assert at.documents() == dict.fromkeys(("", "a", "b"), "ready")
    rows = at.rows(crawl)
    assert (rows["c"].state, rows["c"].change) == (UrlState.GONE, Change.GONE)
    assert (rows["a"].change, rows["b"].change) == (Change.UNCHANGED, Change.CHANGED)
    after = {each.source: each.version for each in before.list(_ALL)}
    assert (after[url("a")], after[url("b")]) == (versions[url("a")], versions[url("b")] + 1)


def test_a_page_that_comes_back_is_a_document_again(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))
    at.end(job)
    at.end(at.again(crawl, Site({**PAGES, "c": {"state": "failed", "status": 410}})))
    assert "c" not in at.documents()

    at.end(at.again(crawl, Site(PAGES)))

    assert at.documents()["c"] == "ready"


def test_a_page_without_text_is_unreadable_in_the_ledger_and_one_with_its_content_leads_to_it(
    at: Crawling,
) -> None:
    pages = {"": {"text": "Home.", "links": ["x", "y"]}, "x": {"text": "%PDF-1.7 broken"}}
    pages["y"] = pages["x"]
    crawl, job = at.begin(Site(pages))

    assert at.end(job).state is JobState.DONE

    rows = at.rows(crawl)
    assert (rows["x"].state, rows["x"].reason) == (UrlState.FAILED, UrlReason.UNREADABLE)
    assert rows["x"].detail
    assert (rows["y"].state, rows["y"].leads_to) == (UrlState.DUPLICATE, url("x"))
    assert at.documents() == {"": "ready"}


def test_a_document_that_somebody_removed_stays_removed_and_nothing_breaks(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))
    at.end(job)
    removed = at.rows(crawl)["a"].document
    assert removed is not None
    at.place.records.documents.remove([removed])

    assert at.end(at.again(crawl, Site(PAGES))).state is JobState.DONE
    assert "a" not in at.documents()


def test_a_crawler_that_crashes_is_started_again_and_nothing_is_fetched_twice(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES, dies=2))

    assert at.end(job).state is JobState.DONE
    assert len(at.starts()) == 3
    assert len(at.documents()) == 4
    assert sum(row.requests - 1 for row in at.rows(crawl).values()) <= 2


def test_a_crawler_that_crashes_always_fails_the_job_with_its_last_words_but_no_secret(at: Crawling) -> None:
    _, job = at.begin(Site({"": {"text": "Home", "links": list("abcdefgh")}}, dies=99))

    ended = at.end(job)

    assert ended.state is JobState.FAILED
    assert ended.error is not None
    assert "password *** does not work" in ended.error
    assert "hunter2" not in ended.error


def test_a_full_disk_fails_the_job_and_a_resume_goes_on(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES, exits=CrawlerExit.STORE, says="No space left on device."))
    ended = at.end(job)
    assert (ended.state, len(at.starts())) == (JobState.FAILED, 1)
    assert ended.error is not None
    assert "No space left on device" in ended.error
    Site(PAGES).write(at.home)

    queue.resume(at.place.records, job)

    assert at.end(job).state is JobState.DONE
    assert [run.run for run in at.place.records.crawls.runs(crawl)] == [1]
    assert len(at.documents()) == 4


def test_a_cancel_ends_the_crawler_within_two_seconds_and_a_resume_goes_on(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES, page_s=0.6))
    with at.worker():
        process = at.wait_for_start()
        wait_for(lambda: any(row.state is UrlState.KEPT for row in at.rows(crawl).values()), 20)
        asked_at = time.monotonic()
        queue.cancel(at.place.records, job)
        wait_for(lambda: at.place.records.jobs.get(job).state is JobState.CANCELLED, 5)
        wait_for(lambda: not is_alive(process), 5)
        assert time.monotonic() - asked_at < 2.0
        Site(PAGES).write(at.home)
        queue.resume(at.place.records, job)
        wait_for(lambda: at.place.records.jobs.get(job).state is JobState.DONE, 20)

    assert len(at.documents()) == 4
    assert [run.run for run in at.place.records.crawls.runs(crawl)] == [1]


def test_a_worker_that_is_told_to_stop_leaves_no_crawler_and_another_goes_on(at: Crawling) -> None:
    _, job = at.begin(Site(PAGES, page_s=0.3))
    with at.worker():
        process = at.wait_for_start()
    wait_for(lambda: not is_alive(process), 5)
    assert at.place.records.jobs.get(job).state is JobState.QUEUED

    assert at.end(job).state is JobState.DONE
    assert len(at.documents()) == 4


def test_a_stop_ends_the_run_with_what_it_has(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES, page_s=0.4))
    with at.worker():
        wait_for(lambda: any(row.state is UrlState.KEPT for row in at.rows(crawl).values()), 20)
        at.place.records.crawls.stop(crawl)
        wait_for(lambda: at.place.records.jobs.get(job).state.is_ended, 20)

    assert at.place.records.jobs.get(job).state is JobState.DONE
    rows = at.rows(crawl)
    assert any(row.reason is UrlReason.STOPPED for row in rows.values())
    assert all(row.document for row in rows.values() if row.state is UrlState.KEPT)


def test_a_paused_crawl_that_is_stopped_ends_without_another_request(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES, page_s=0.4))
    with at.worker():
        wait_for(lambda: any(row.state is UrlState.KEPT for row in at.rows(crawl).values()), 20)
        queue.cancel(at.place.records, job)
        wait_for(lambda: at.place.records.jobs.get(job).state.is_ended, 20)
    at.place.records.crawls.stop(crawl)
    queue.resume(at.place.records, job)

    assert at.end(job).state is JobState.DONE
    assert len(at.starts()) == 1


def test_a_site_that_forbids_all_fails_with_the_reason_and_can_be_tried_again(at: Crawling) -> None:
    crawl, job = at.begin(Site({"": {"state": "skipped", "reason": "robots"}}))

    ended = at.end(job)

    assert ended.state is JobState.FAILED
    assert ended.error is not None
    assert "robots.txt of site.example forbids" in ended.error
    Site(PAGES).write(at.home)
    queue.resume(at.place.records, job)
    assert at.end(job).state is JobState.DONE
    assert at.rows(crawl)["a"].document


def test_a_run_that_ended_before_its_job_did_is_not_done_again(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))
    at.end(job)
    at.place.records.jobs.resume(job)  # as after a kill between the end of the run and that of its job

    assert at.end(job).state is JobState.DONE
    assert [run.run for run in at.place.records.crawls.runs(crawl)] == [1]
    assert len(at.starts()) == 1


def test_a_run_whose_place_a_later_one_took_says_so(at: Crawling) -> None:
    crawl, first = at.begin(Site(PAGES))
    queue.cancel(at.place.records, first)
    at.end(at.again(crawl, Site(PAGES)))
    queue.resume(at.place.records, first)

    ended = at.end(first)

    assert ended.state is JobState.FAILED
    assert ended.error is not None
    assert "A later run" in ended.error


def test_a_crawl_that_was_removed_fails_its_job_with_a_sentence(at: Crawling) -> None:
    crawl, job = at.begin(Site(PAGES))
    at.place.records.crawls.remove(crawl)

    ended = at.end(job)

    assert ended.state is JobState.FAILED
    assert ended.error is not None
    assert "no crawl" in ended.error


def test_two_crawls_at_once_both_end(at: Crawling) -> None:
    jobs: list[tuple[CrawlId, JobId]] = [at.begin(Site(PAGES, page_s=0.05)) for _ in range(2)]
    with at.worker():
        wait_for(lambda: all(at.place.records.jobs.get(job).state.is_ended for _, job in jobs), 30)

    assert [at.place.records.jobs.get(job).state for _, job in jobs] == [JobState.DONE] * 2
    assert len(at.starts()) == 2


def test_a_site_closed_for_a_while_keeps_its_documents_and_what_nobody_links_to_is_looked_at_again(
    at: Crawling,
) -> None:
    names = [f"p{number:02}" for number in range(12)]
    pages = {name: {"text": f"The tenant of {name} pays the rent."} for name in names}
    crawl, job = at.begin(Site({"": {"text": "Home.", "links": names}, **pages}))
    at.end(job)
    closed = {"": {"text": "We are closed for a while."}}

    for _ in range(2):
        assert at.end(at.again(crawl, Site(closed))).state is JobState.DONE

        assert {each.state for path, each in at.rows(crawl).items() if path} == {UrlState.GONE}
        assert at.documents() == dict.fromkeys(("", *names), "ready")

    at.end(at.again(crawl, Site({**closed, **pages})))
    assert {each.change for path, each in at.rows(crawl).items() if path} == {Change.UNCHANGED}
    assert at.documents() == dict.fromkeys(("", *names), "ready")


def row(state: UrlState, reason: UrlReason = UrlReason.NONE, **more: object) -> UrlRow:
    return UrlRow(START, "site.example", 0, state, reason, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("start", "words", "step"),
    [
        (
            row(UrlState.SKIPPED, UrlReason.ROBOTS),
            "robots.txt of site.example forbids",
            "Ask the site's owner",
        ),
        (row(UrlState.FAILED, UrlReason.UNKNOWN_HOST), "There is no host 'site.example'.", "in a browser"),
        (
            row(UrlState.FAILED, UrlReason.UNREACHABLE, detail="Connection refused."),
            "site.example cannot be reached: Connection refused.",
            "in a browser",
        ),
        (
            row(UrlState.FAILED, UrlReason.PRIVATE_ADDRESS, detail="10.0.0.1"),
            "leads to a private address (10.0.0.1).",
            "crawl.allowed_hosts",
        ),
        (
            row(UrlState.FAILED, UrlReason.HTTP_ERROR, status=500),
            "answers with status 500.",
            "start addresses",
        ),
        (row(UrlState.FAILED, UrlReason.LOGIN_WALL), "asks to sign in.", "start addresses"),
    ],
)
def test_the_reason_of_the_start_address_is_said_with_a_next_step(
    start: UrlRow, words: str, step: str
) -> None:
    error = nothing_kept([start])

    assert error.message.startswith("No page was kept. ")
    assert words in error.message
    assert step in error.next_step


def test_a_start_that_redirects_is_told_by_what_it_leads_to() -> None:
    error = nothing_kept([row(UrlState.REDIRECTED), row(UrlState.FAILED, UrlReason.TIMEOUT)])

    assert error.message == "No page was kept. site.example cannot be reached: no answer in time."


def test_of_many_starts_some_are_named_and_equal_sentences_once() -> None:
    starts = [
        row(UrlState.FAILED, UrlReason.HTTP_ERROR, status=status) for status in (500, 500, 501, 502, 503)
    ]

    message = nothing_kept(starts).message

    assert [message.count(f"status {status}") for status in (500, 501, 502, 503)] == [1, 1, 1, 0]
    assert message.endswith("1 more start addresses gave nothing.")


def test_no_address_at_all_is_said_too() -> None:
    assert nothing_kept([]).message == "Nothing was fetched."
