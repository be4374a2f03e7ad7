from __future__ import annotations

import pytest

from core.domain.crawl.addresses import address_of
from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.outcome import FoundUrl
from core.domain.crawl.request import CrawlRequest
from core.domain.crawl.scope import CrawlScope, registered_domain


def judge(url: str, depth: int = 1, *, is_nofollow: bool = False, **request: object) -> FoundUrl:
    scope = CrawlScope(CrawlRequest.checked(**{"urls": ["http://www.site.co.uk/docs/index.html"], **request}))
    address = address_of(url)
    assert address is not None
    return scope.judge(address, depth, is_nofollow=is_nofollow)


@pytest.mark.parametrize(
    ("scope", "url", "reason"),
    [
        ("host", "http://www.site.co.uk/x", UrlReason.NONE),
        ("host", "https://www.site.co.uk/x", UrlReason.NONE),
        ("host", "http://www.site.co.uk:8080/x", UrlReason.OTHER_HOST),
        ("host", "http://site.co.uk/x", UrlReason.OTHER_HOST),
        ("domain", "http://news.site.co.uk/x", UrlReason.NONE),
        ("domain", "https://site.co.uk/", UrlReason.NONE),
        ("domain", "http://other.co.uk/", UrlReason.OTHER_HOST),
        ("domain", "http://site.co.uk.evil.example/", UrlReason.OTHER_HOST),
        ("prefix", "http://www.site.co.uk/docs/a/b", UrlReason.NONE),
        ("prefix", "http://www.site.co.uk/docs/", UrlReason.NONE),
        ("prefix", "http://www.site.co.uk/docs2/", UrlReason.OTHER_HOST),
        ("prefix", "http://www.site.co.uk/", UrlReason.OTHER_HOST),
        ("host", "mailto:a@b.example", UrlReason.SCHEME),
        ("host", "http://www.site.co.uk/" + "x" * 2_000, UrlReason.TOO_LONG),
    ],
)
def test_an_address_belongs_to_the_site_or_is_left_out_with_the_reason(
    scope: str, url: str, reason: UrlReason
) -> None:
    found = judge(url, scope=scope)

    assert found.reason is reason
    assert found.state is (UrlState.SKIPPED if reason else UrlState.QUEUED)
    assert len(found.url) <= 2_000


@pytest.mark.parametrize(
    ("include", "exclude", "path", "reason"),
    [
        (["/docs/*"], [], "/docs/a", UrlReason.NONE),
        (["/docs/*"], [], "/blog/a", UrlReason.NOT_INCLUDED),
        ([], ["*/old/*"], "/docs/old/a", UrlReason.EXCLUDED),
        (["/docs/*"], ["*.pdf"], "/docs/a.pdf", UrlReason.EXCLUDED),
        ([], ["*?print=*"], "/a?print=1", UrlReason.EXCLUDED),
        ([], ["/a"], "/a/b", UrlReason.NONE),
        ([], ["*a*a*a*a*b"], "/" + "a" * 300, UrlReason.NONE),
        (["*"], [], "/anything", UrlReason.NONE),
        ([], ["/x*x"], "/x", UrlReason.NONE),
    ],
)
def test_patterns_fit_the_whole_address_from_its_path_on(
    include: list[str], exclude: list[str], path: str, reason: UrlReason
) -> None:
    found = judge(f"http://www.site.co.uk{path}", include=include, exclude=exclude)

    assert found.reason is reason


def test_start_addresses_need_no_include() -> None:
    request = CrawlRequest.checked(urls=["http://site.example/"], include=["/docs/*"])

    assert [found.state for found in CrawlScope(request).starts()] == [UrlState.QUEUED]


def test_two_start_addresses_with_one_normal_form_are_one() -> None:
    request = CrawlRequest.checked(urls=["http://site.example/", "http://SITE.example:80/#a"])

    assert [found.url for found in CrawlScope(request).starts()] == ["http://site.example/"]


def test_depth_and_nofollow_are_the_last_reasons() -> None:
    inside = "http://www.site.co.uk/a"

    assert judge(inside, 3).reason is UrlReason.TOO_DEEP
    assert judge(inside, 3, is_nofollow=True).reason is UrlReason.NOFOLLOW
    assert judge("http://other.example/", 3, is_nofollow=True).reason is UrlReason.OTHER_HOST


def test_a_start_without_a_slash_at_its_end_is_a_folder() -> None:
    scope = CrawlScope(CrawlRequest.checked(urls=["http://site.example/docs"], scope="prefix"))
    inside, beside, start = (
        address_of(f"http://site.example/{path}") for path in ("docs/a", "docs-old/a", "docs")
    )

    assert inside is not None and beside is not None and start is not None  # noqa: PT018
    assert (scope.holds(inside), scope.holds(beside), scope.holds(start)) == (True, False, True)


def test_the_site_that_a_start_redirects_to_belongs_to_the_crawl() -> None:
    request = CrawlRequest.checked(urls=["http://site.example/"])
    target = address_of("https://www.new.example/home")
    assert target is not None

    assert not CrawlScope(request).holds(target)
    assert CrawlScope(request, [target.url]).holds(target)


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("ann.github.io", "ann.github.io"),
        ("10.0.0.1", "10.0.0.1"),
        ("intranet", "intranet"),
    ],
)
def test_registered_domains_come_from_the_bundled_list(host: str, domain: str) -> None:
    assert registered_domain(host) == domain
