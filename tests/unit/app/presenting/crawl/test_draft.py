from __future__ import annotations

from dataclasses import replace

import pytest

from app.presenting.crawl.draft import CRON, CrawlDraft, scope_hint
from core.domain.crawl.ledger import UrlReason
from core.domain.crawl.request import CrawlPace, CrawlRequest, PageKind, SiteScope
from core.errors import UsageError

DRAFT = CrawlDraft(addresses="https://docs.example.com/manual/")


def fields(draft: CrawlDraft) -> list[str]:
    return [fault.field for fault in draft.faults()]


def test_an_empty_form_has_no_faults_and_makes_no_request() -> None:
    assert CrawlDraft().faults() == []
    with pytest.raises(UsageError):
        CrawlDraft().request()


def test_each_wrong_address_is_named_and_the_right_ones_are_not() -> None:
    draft = replace(DRAFT, addresses="file:///etc/passwd\n\nhttps://ok.example/\nhttp://exa mple\nokay")
    messages = [fault.message for fault in draft.faults()]
    assert len(messages) == 3
    assert "'file:///etc/passwd'" in messages[0]
    assert "'http://exa mple'" in messages[1]
    assert "'okay'" in messages[2]


def test_too_many_addresses_are_counted() -> None:
    many = "\n".join(f"https://site{number}.example/" for number in range(21))
    (fault,) = replace(DRAFT, addresses=many).faults()
    assert "21" in fault.message


@pytest.mark.parametrize(
    ("given", "suggested"),
    [("docs/*", "'/docs/*'"), ("https://a.example/docs/*", "'/docs/*'"), ("*" * 301, "300")],
)
def test_a_pattern_that_fits_nothing_says_what_to_write(given: str, suggested: str) -> None:
    (fault,) = replace(DRAFT, exclude=f"/fine/*\n{given}").faults()
    assert fault.field == "exclude"
    assert suggested in fault.next_step


def test_switching_off_robots_asks_for_the_reason() -> None:
    assert fields(replace(DRAFT, heeds_robots=False, ignore_robots_because=" ")) == ["because"]
    given = replace(DRAFT, heeds_robots=False, ignore_robots_because="Ours")
    assert given.request().ignore_robots_because == "Ours"
    assert replace(given, heeds_robots=True).request().heeds_robots


def test_what_cannot_be_is_named_by_its_widget() -> None:
    assert fields(replace(DRAFT, kinds=())) == ["kinds"]
    assert fields(replace(DRAFT, bucket="a/b")) == ["bucket"]
    assert fields(replace(DRAFT, user_agent="Grün")) == ["user_agent"]
    assert fields(replace(DRAFT, sets_groups=True)) == ["groups"]
    assert fields(replace(DRAFT, schedule=CRON, cron="every noon")) == ["cron"]
    assert fields(replace(DRAFT, schedule=CRON)) == ["cron"]


def test_a_request_goes_into_the_form_and_comes_out_the_same() -> None:
    request = CrawlRequest.checked(
        urls=["https://a.example/", "https://b.example/x"],
        depth=4,
        max_pages=7,
        scope=SiteScope.DOMAIN,
        include=["/docs/*"],
        exclude=["*.zip", "*/old/*"],
        kinds=[PageKind.PDF],
        ignore_robots_because="Ours",
        use_sitemaps=False,
        pace=CrawlPace(delay_s=1.5, concurrency=2, per_host=1, adapt=False),
        user_agent="Us/1",
        bucket="web",
        acl=["staff"],
    )
    draft = CrawlDraft.of(request, "30 6 * * 1-5")
    assert draft.request() == request
    assert draft.every == "30 6 * * 1-5"
    assert [CrawlDraft.of(request, each).every for each in ("", "daily")] == ["", "daily"]
    assert draft.faults() == []


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("https://docs.example.com/manual/page.html", UrlReason.NONE),
        ("docs.example.com/manual/old/page.html", UrlReason.EXCLUDED),
        ("https://docs.example.com/blog/", UrlReason.NOT_INCLUDED),
        ("https://www.example.com/manual/", UrlReason.OTHER_HOST),
        ("nonsense", None),
    ],
)
def test_an_address_is_tried_by_the_rules_of_the_crawl(address: str, reason: UrlReason | None) -> None:
    draft = replace(DRAFT, include="/manual/*", exclude="*/old/*")
    assert draft.verdict(address) is reason


def test_no_address_can_be_tried_before_the_form_is_right() -> None:
    assert CrawlDraft().verdict("https://docs.example.com/") is None


def test_the_hint_names_the_site_of_the_start_that_was_typed() -> None:
    starts = ["https://docs.python.org/3/library/"]
    assert scope_hint(SiteScope.HOST, starts) == "Pages of `docs.python.org`."
    assert scope_hint(SiteScope.DOMAIN, starts) == "Pages of all hosts of `python.org`."
    assert scope_hint(SiteScope.PREFIX, starts) == "Pages below `docs.python.org/3/library/`."
    assert "example.com" in scope_hint(SiteScope.HOST, [])
