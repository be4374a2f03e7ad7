from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.crawl.ledger import Change, UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.crawl.request import CrawlRequest
from core.domain.ids import ContentHash, CrawlId, DocumentId, JobId
from core.store.crawl.frontier import Frontier, FrontierLostError
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOST = "site.example"


def at(path: str, **more: object) -> FoundUrl:
    return FoundUrl(f"http://{HOST}/{path}", HOST, **more)  # type: ignore[arg-type]


def page(content: str, *links: FoundUrl) -> UrlOutcome:
    return UrlOutcome(UrlState.KEPT, content_hash=ContentHash(content), text_hash=content, found=links)


def begin(records: Records, runner: str = "me", job: str = "j1") -> tuple[CrawlId, Frontier]:
    crawl = records.crawls.create(CrawlRequest.checked(urls=[f"http://{HOST}/"]), "Site")
    records.crawls.begin_run(crawl, JobId(job))
    records.crawls.hand_over(crawl, runner)
    return crawl, records.frontier(crawl, runner)


SITE: dict[str, UrlOutcome] = {
    "": page("home", at("b"), at("a"), at("far", state=UrlState.SKIPPED, reason=UrlReason.EXCLUDED)),
    "a": page("a", at("c"), at("twin")),
    "b": page("b", at("c"), at("")),
    "c": page("same"),
    "twin": page("same"),
}


def crawl_all(
    records: Records, crawl: CrawlId, frontier: Frontier, order: random.Random, killed_after: int = 10**6
) -> None:
    settled = 0
    while not (claim := frontier.claim(3, 100, 100)).is_finished:
        rows = list(claim.rows)
        order.shuffle(rows)
        for row in rows:
            if settled == killed_after:
                return
            frontier.settle(row.url, SITE[row.url.removeprefix(f"http://{HOST}/")], NOW)
            settled += 1
    frontier.conclude()


def ledger(records: Records, crawl: CrawlId) -> list[tuple[object, ...]]:
    return [
        (row.url, row.depth, row.state, row.reason, row.found_on, row.leads_to, row.change)
        for row in records.crawl_ledger.rows(crawl)
    ]


def test_depths_ties_and_duplicates_do_not_depend_on_which_answer_came_first(records: Records) -> None:
    seen = []
    for seed in range(6):
        crawl, frontier = begin(records)
        frontier.add_starts([at("")])
        crawl_all(records, crawl, frontier, random.Random(seed))
        seen.append(ledger(records, crawl))
    assert all(each == seen[0] for each in seen)
    rows = {row[0]: row for row in seen[0]}
    assert rows[f"http://{HOST}/c"][1:6] == (2, UrlState.KEPT, UrlReason.NONE, f"http://{HOST}/a", "")
    assert rows[f"http://{HOST}/twin"][2:4] == (UrlState.DUPLICATE, UrlReason.SAME_CONTENT)
    assert rows[f"http://{HOST}/far"][2:4] == (UrlState.SKIPPED, UrlReason.EXCLUDED)


@pytest.mark.parametrize("killed_after", range(5))
def test_a_killed_crawl_goes_on_with_the_same_end(records: Records, killed_after: int) -> None:
    whole, frontier = begin(records)
    frontier.add_starts([at("")])
    crawl_all(records, whole, frontier, random.Random(1))

    crawl, frontier = begin(records)
    frontier.add_starts([at("")])
    crawl_all(records, crawl, frontier, random.Random(2), killed_after)
    records.crawls.hand_over(crawl, "next")
    successor = records.frontier(crawl, "next")
    assert successor.recover() <= 3
    successor.add_starts([at("")])
    crawl_all(records, crawl, successor, random.Random(3))
    assert ledger(records, crawl) == ledger(records, whole)
    with pytest.raises(FrontierLostError):
        frontier.claim(1, 100, 100)


def test_the_page_limit_is_never_exceeded_and_the_rest_is_accounted_for(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("")])
    while not (claim := frontier.claim(3, 2, 100)).is_finished:
        for row in claim.rows:
            frontier.settle(row.url, SITE[row.url.removeprefix(f"http://{HOST}/")], NOW)
    counts = records.crawl_ledger.progress(crawl).reasons
    assert counts[UrlState.KEPT, UrlReason.NONE] == 2
    assert counts[UrlState.SKIPPED, UrlReason.PAGE_LIMIT] == 3
    assert records.crawl_ledger.progress(crawl).queued == 0


def test_of_endless_patterns_only_so_many_are_taken(records: Records) -> None:
    crawl, frontier = begin(records)
    days = [at(f"day?d={number:02}", pattern="day?d=#") for number in range(10)]
    frontier.add_starts([at("")])
    (row,) = frontier.claim(9, 100, 4).rows
    frontier.settle(row.url, page("home", *days), NOW)
    assert [row.url[-2:] for row in frontier.claim(9, 100, 4).rows] == ["00", "01", "02", "03"]
    assert records.crawl_ledger.progress(crawl).reasons[UrlState.SKIPPED, UrlReason.TRAP] == 6


def test_an_address_waits_as_long_as_its_site_asks_and_holds_its_level(records: Records) -> None:
    _, frontier = begin(records)
    frontier.add_starts([at("slow"), at("fast")])
    rows = frontier.claim(9, 100, 100, NOW).rows
    later = NOW + timedelta(seconds=30)
    frontier.settle(rows[1].url, UrlOutcome(UrlState.QUEUED, status=429, wait_until=later), NOW)
    frontier.settle(rows[0].url, page("fast", at("deeper")), NOW)
    waiting = frontier.claim(9, 100, 100, NOW)
    assert (waiting.rows, waiting.is_finished, waiting.wait_s) == ((), False, 30.0)
    assert [row.requests for row in frontier.claim(9, 100, 100, later).rows] == [2]


def test_circles_of_redirects_and_lost_canonical_addresses_are_settled_at_the_end(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("round"), at("print")])
    for row in frontier.claim(9, 100, 100).rows:
        if row.url.endswith("round"):
            leads = UrlOutcome(UrlState.REDIRECTED, status=302, leads_to=row.url, found=(at("round"),))
        else:
            leads = UrlOutcome(
                UrlState.DUPLICATE,
                UrlReason.CANONICAL,
                content_hash=ContentHash("p"),
                leads_to=f"http://{HOST}/original",
                found=(at("original", is_same_depth=True),),
            )
        frontier.settle(row.url, leads, NOW)
    (original,) = frontier.claim(9, 100, 100).rows
    assert original.depth == 0
    frontier.settle(original.url, UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404), NOW)
    frontier.conclude()
    states = {row.url.rpartition("/")[2]: (row.state, row.reason) for row in records.crawl_ledger.rows(crawl)}
    assert states["round"] == (UrlState.FAILED, UrlReason.REDIRECT_LOOP)
    assert states["print"] == (UrlState.KEPT, UrlReason.NONE)


def test_a_page_whose_bytes_alone_changed_is_not_indexed_again(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a")])
    settle_all(frontier, {"a": page("text")}, random.Random(1))
    records.crawl_ledger.note_indexed(crawl, {at("a").url: (DocumentId("d"), ContentHash("text"))})
    records.crawls.end_run(crawl, 1)
    records.crawls.begin_run(crawl, JobId("j2"))
    records.crawls.hand_over(crawl, "me")
    frontier.add_starts([at("a")])
    dressed = UrlOutcome(UrlState.KEPT, content_hash=ContentHash("other"), text_hash="text")

    settle_all(frontier, {"a": dressed}, random.Random(1))

    (row,) = records.crawl_ledger.rows(crawl)
    assert (row.change, row.content_hash) == (Change.UNCHANGED, "other")
    assert records.crawl_ledger.to_index(crawl, 9) == []


def canonical(content: str, target: str) -> UrlOutcome:
    leads = at(target, is_same_depth=True)
    return UrlOutcome(
        UrlState.DUPLICATE,
        UrlReason.CANONICAL,
        content_hash=ContentHash(content),
        text_hash=content,
        leads_to=leads.url,
        found=(leads,),
    )


def redirect(target: str) -> UrlOutcome:
    leads = at(target, is_same_depth=True, hops=1)
    return UrlOutcome(UrlState.REDIRECTED, status=302, leads_to=leads.url, found=(leads,))


def settle_all(frontier: Frontier, site: dict[str, UrlOutcome], order: random.Random) -> None:
    while not (claim := frontier.claim(9, 100, 100)).is_finished:
        rows = list(claim.rows)
        order.shuffle(rows)
        for row in rows:
            frontier.settle(row.url, site[row.url.rpartition("/")[2]], NOW)
    frontier.conclude()


def test_pages_that_name_one_another_as_canonical_are_kept_once(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("long-one"), at("two"), at("lost")])
    site = {
        "long-one": canonical("one", "two"),
        "two": canonical("two", "long-one"),
        "lost": canonical("lost", "moved"),
        "moved": redirect("nothing"),
        "nothing": UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404),
    }

    settle_all(frontier, site, random.Random(1))

    rows = {row.url.rpartition("/")[2]: row for row in records.crawl_ledger.rows(crawl)}
    assert {name for name, row in rows.items() if row.state is UrlState.KEPT} == {"two", "lost"}
    assert rows["long-one"].leads_to == f"http://{HOST}/two"


@pytest.mark.parametrize("seed", range(6))
def test_the_way_to_an_address_does_not_depend_on_which_answer_came_first(
    records: Records, seed: int
) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("start")])
    unfollowed = {"state": UrlState.SKIPPED, "reason": UrlReason.NOFOLLOW}
    too_deep = {"state": UrlState.SKIPPED, "reason": UrlReason.TOO_DEEP}
    site = {
        "start": page("start", at("a"), at("b"), at("c"), at("loop")),
        "a": page("a", at("disputed", **unfollowed), at("beyond", **unfollowed), at("loop")),
        "b": page("b", at("disputed"), at("beyond", **too_deep)),
        "c": redirect("loop"),
        "loop": page("loop"),
        "disputed": page("disputed"),
    }

    settle_all(frontier, site, random.Random(seed))

    ways = {
        row.url.rpartition("/")[2]: (row.found_on.rpartition("/")[2], row.reason)
        for row in records.crawl_ledger.rows(crawl)
    }
    assert ways["disputed"] == ("b", UrlReason.NONE)
    assert ways["beyond"] == ("a", UrlReason.NOFOLLOW)
    assert ways["loop"] == ("start", UrlReason.NONE)


def test_a_second_run_tells_what_is_new_changed_unchanged_and_gone(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("")])
    crawl_all(records, crawl, frontier, random.Random(1))
    kept = [row for row in records.crawl_ledger.rows(crawl) if row.state is UrlState.KEPT]
    assert records.crawl_ledger.to_index(crawl, 10) == kept
    held = {row.url: (DocumentId(f"d{row.url}"), row.content_hash) for row in kept}
    records.crawl_ledger.note_indexed(crawl, held)
    assert records.crawl_ledger.to_index(crawl, 10) == []
    records.crawls.end_run(crawl, 1)

    assert records.crawls.begin_run(crawl, JobId("j2")) == 2
    records.crawls.hand_over(crawl, "me")
    frontier.add_starts([at("")])
    answers: dict[str, Callable[[], UrlOutcome]] = {
        "": lambda: page("home", at("a"), at("new")),
        "a": lambda: UrlOutcome(UrlState.KEPT, is_not_modified=True, status=304),
        "new": lambda: page("new"),
        "b": lambda: UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404),
        "c": lambda: page("other"),
    }
    while True:
        claim = frontier.claim(9, 100, 100)
        if claim.is_finished and not frontier.revisit():
            break
        for row in claim.rows:
            frontier.settle(row.url, answers[row.url.removeprefix(f"http://{HOST}/")](), NOW)
    frontier.conclude()
    rows = {row.url.rpartition("/")[2]: row for row in records.crawl_ledger.rows(crawl) if row.run == 2}
    assert {name: row.change for name, row in rows.items()} == {
        "": Change.UNCHANGED,
        "a": Change.UNCHANGED,
        "new": Change.NEW,
        "b": Change.GONE,
        "c": Change.CHANGED,
    }
    assert [row.url for row in records.crawl_ledger.to_withdraw(crawl, 2)] == [rows["b"].url]
    assert {row.url for row in records.crawl_ledger.to_index(crawl, 10)} == {rows["new"].url, rows["c"].url}


def test_a_page_gone_is_counted_by_the_run_that_found_it_gone(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a"), at("b")])
    missing = UrlOutcome(UrlState.FAILED, UrlReason.HTTP_ERROR, status=404)
    for row in frontier.claim(9, 100, 100).rows:
        frontier.settle(row.url, page(row.url), NOW)
    kept = [row for row in records.crawl_ledger.rows(crawl) if row.state is UrlState.KEPT]
    held = {row.url: (DocumentId(f"d{row.url}"), row.content_hash) for row in kept}
    records.crawl_ledger.note_indexed(crawl, held)
    records.crawls.end_run(crawl, 1)
    gone: list[tuple[int, int]] = []
    for run in (2, 3, 4):
        assert records.crawls.begin_run(crawl, JobId(f"j{run}")) == run
        records.crawls.hand_over(crawl, "me")
        frontier.add_starts([at("a"), at("b")])
        for row in frontier.claim(9, 100, 100).rows:
            is_gone = row.url.endswith("b")
            frontier.settle(row.url, missing if is_gone else page(row.url), NOW)
        frontier.conclude()
        counted = records.crawl_ledger.progress(crawl).changes.get(Change.GONE, 0)
        records.crawls.end_run(crawl, run)
        gone.append((counted, dict(records.crawls.runs(crawl)[0].counts).get("gone", 0)))
        if run == 3:  # its document was left in doubt by the run before: it counts until it is withdrawn
            records.crawl_ledger.note_withdrawn(crawl, [row.url for row in kept if row.url.endswith("b")])

    assert gone == [(1, 1), (1, 1), (0, 0)]


def test_of_pages_that_call_each_other_canonical_one_is_kept(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a"), at("b")])
    for row in frontier.claim(9, 100, 100).rows:
        other = "b" if row.url.endswith("a") else "a"
        leads = UrlOutcome(
            UrlState.DUPLICATE,
            UrlReason.CANONICAL,
            content_hash=ContentHash(f"page-{other}"),
            leads_to=f"http://{HOST}/{other}",
        )
        frontier.settle(row.url, leads, NOW)
    frontier.conclude()
    assert [row.state for row in records.crawl_ledger.rows(crawl)] == [UrlState.KEPT, UrlState.DUPLICATE]


def test_an_address_that_was_not_sent_is_given_back_without_a_request(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a")])
    (row,) = frontier.claim(9, 100, 100).rows
    frontier.settle(row.url, UrlOutcome(UrlState.QUEUED, was_requested=False), NOW)
    (given_back,) = records.crawl_ledger.rows(crawl)
    assert (given_back.state, given_back.requests, given_back.repeats) == (UrlState.QUEUED, 0, 0)


def test_an_address_of_another_host_is_queued_once_that_host_belongs_to_the_crawl(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a"), at("b")])
    other = at("c", state=UrlState.SKIPPED, reason=UrlReason.OTHER_HOST)
    first, second = frontier.claim(9, 100, 100).rows
    frontier.settle(first.url, page("a", other), NOW)
    frontier.settle(second.url, page("b", at("c")), NOW)
    assert records.crawl_ledger.rows(crawl)[-1].state is UrlState.QUEUED


def test_a_page_that_was_not_modified_keeps_its_type_and_size(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("a")])
    (row,) = frontier.claim(9, 100, 100).rows
    kept = UrlOutcome(
        UrlState.KEPT, content_hash=ContentHash("a"), media_type="text/html", size_bytes=7, etag="1"
    )
    frontier.settle(row.url, kept, NOW)
    records.crawls.end_run(crawl, 1)
    records.crawls.begin_run(crawl, JobId("j2"))
    records.crawls.hand_over(crawl, "me")
    frontier.add_starts([at("a")])
    (row,) = frontier.claim(9, 100, 100).rows
    assert (row.media_type, row.etag) == ("text/html", "1")
    same = UrlOutcome(UrlState.KEPT, is_not_modified=True, status=304, media_type="text/html", size_bytes=7)
    frontier.settle(row.url, same, NOW)
    (row,) = records.crawl_ledger.rows(crawl)
    assert (row.media_type, row.size_bytes, row.change) == ("text/html", 7, Change.UNCHANGED)


def test_a_site_that_says_the_same_everywhere_comes_to_an_end(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at(f"{number:04}") for number in range(700)])
    settled = 0
    while not (claim := frontier.claim(100, 5, 10_000)).is_finished:
        for row in claim.rows:
            frontier.settle(row.url, page("the same"))
            settled += 1
    assert settled <= 5 * 10 + 500 + 5
    reasons = records.crawl_ledger.progress(crawl).reasons
    assert reasons[UrlState.SKIPPED, UrlReason.PAGE_LIMIT] == 700 - settled


def test_a_robots_txt_out_of_order_takes_no_document_away(records: Records) -> None:
    crawl, frontier = begin(records)
    frontier.add_starts([at("")])
    (row,) = frontier.claim(9, 100, 100).rows
    frontier.settle(row.url, page("home"))
    records.crawl_ledger.note_indexed(crawl, {row.url: (DocumentId("d"), ContentHash("home"))})
    records.crawls.end_run(crawl, 1)
    for run, reason, withdrawn in ((2, UrlReason.ROBOTS, 0), (3, UrlReason.NOINDEX, 1)):
        records.crawls.begin_run(crawl, JobId(f"j{run}"))
        records.crawls.hand_over(crawl, "me")
        frontier.add_starts([at("")])
        frontier.claim(9, 100, 100)
        frontier.settle(row.url, UrlOutcome(UrlState.SKIPPED, reason))
        assert len(records.crawl_ledger.to_withdraw(crawl, run)) == withdrawn
        records.crawls.end_run(crawl, run)
