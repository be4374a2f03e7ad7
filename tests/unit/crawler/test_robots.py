from __future__ import annotations

import pytest

from core.domain.crawl.request import USER_AGENT
from crawler.robots import agent_token, rules_of

FILE = b"""
User-agent: *
Disallow: /private/
Crawl-delay: 2
Request-rate: 1/5

User-agent: Groundwork
Disallow: /mine/
Allow: /mine/open
Crawl-delay: 3

Sitemap: http://site.example/a.xml
Sitemap: http://site.example/b.xml
Sitemap: http://site.example/a.xml
"""


def test_the_group_of_the_crawlers_own_name_goes_before_that_of_all() -> None:
    rules = rules_of(200, FILE, "site.example")

    assert rules.forbids("http://site.example/private/x", USER_AGENT) == ""
    assert rules.forbids("http://site.example/private/x", "Other/2") != ""
    assert rules.forbids("http://site.example/mine/x", USER_AGENT) == "robots.txt of site.example forbids it."
    assert rules.forbids("http://site.example/mine/open", USER_AGENT) == ""


def test_a_delay_is_what_the_host_asks_for_in_either_way() -> None:
    rules = rules_of(200, FILE, "site.example")

    assert rules.delay_s(USER_AGENT) == 3.0
    assert rules.delay_s("Other/2") == 5.0
    assert rules_of(404, b"", "site.example").delay_s(USER_AGENT) == 0.0


def test_sitemaps_are_named_once_each() -> None:
    assert rules_of(200, FILE, "site.example").sitemaps == (
        "http://site.example/a.xml",
        "http://site.example/b.xml",
    )


def test_a_file_that_forbids_all_says_so() -> None:
    rules = rules_of(200, b"User-agent: *\nDisallow: /\n", "site.example")

    assert rules.forbids("http://site.example/a", USER_AGENT) == (
        "robots.txt of site.example forbids its start page and this address to 'Groundwork'."
    )


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_missing_file_allows_all(status: int) -> None:
    assert rules_of(status, b"User-agent: *\nDisallow: /", "h").forbids("http://h/a", USER_AGENT) == ""


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_file_that_cannot_be_had_forbids_all_for_now(status: int) -> None:
    said = rules_of(status, b"", "h").forbids("http://h/a", USER_AGENT)

    assert said == f"robots.txt of h could not be read (HTTP {status}), which forbids all for now."


@pytest.mark.parametrize(
    "body", [b"", b"<!doctype html><html>Disallow: /</html>", b"\xff\xfe\x00 nonsense", b"Disallow: /"]
)
def test_what_is_no_such_file_allows_all(body: bytes) -> None:
    assert rules_of(200, body, "h").forbids("http://h/a", USER_AGENT) == ""


def test_a_mark_of_utf8_is_no_part_of_the_first_line() -> None:
    rules = rules_of(200, b"\xef\xbb\xbfUser-agent: *\nDisallow: /a", "h")

    assert rules.forbids("http://h/a", USER_AGENT) != ""


def test_the_name_of_an_agent_is_its_first_word() -> None:
    assert [agent_token(agent) for agent in ("Groundwork/1.0 (+x)", "Some Bot", "")] == [
        "Groundwork",
        "Some",
        "",
    ]


def test_a_delay_that_no_number_can_hold_is_none() -> None:
    many = "9" * 400
    rules = rules_of(200, f"User-agent: *\nRequest-rate: 1/{many}s\nCrawl-delay: {many}".encode(), "x")
    assert 0 <= rules.delay_s("Groundwork") <= 600
