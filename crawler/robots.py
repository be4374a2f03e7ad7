"""robots.txt of a host: which addresses may be fetched, how slowly, and where its sitemaps are.

Source: RFC 9309. A file that is missing allows all; one that the server cannot give forbids all for now.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

LARGEST_BYTES = 512_000  # RFC 9309, section 2.5, asks for at least 500 KiB
_LONGEST_DELAY_S = 600.0


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one host. refusal: the reason why nothing may be fetched there; "" otherwise."""

    rules: Protego | None = None
    refusal: str = ""
    sitemaps: tuple[str, ...] = ()

    def forbids(self, url: str, agent: str) -> str:
        """The reason not to fetch an address, as a sentence; "" where it may be fetched."""
        if self.refusal:
            return self.refusal
        if self.rules is None or self.rules.can_fetch(url, agent):
            return ""
        host = urlsplit(url).netloc
        if not self.rules.can_fetch(f"{url.partition(host)[0]}{host}/", agent):
            return f"robots.txt of {host} forbids its start page and this address to {agent_token(agent)!r}."
        return f"robots.txt of {host} forbids it."

    def delay_s(self, agent: str) -> float:
        """Seconds between two requests that the host asks for; 0 where it asks for nothing."""
        if self.rules is None:
            return 0.0
        delay = float(self.rules.crawl_delay(agent) or 0.0)
        rate = self.rules.request_rate(agent)
        if rate is not None and rate.requests > 0:
            delay = max(delay, rate.seconds / rate.requests)
        return min(max(0.0, delay), _LONGEST_DELAY_S)


def rules_of(status: int, body: bytes, host: str) -> RobotsRules:
    """The rules that an answer to /robots.txt gives."""
    if 200 <= status < 300:
        text = body[:LARGEST_BYTES].decode("utf-8-sig", "replace")
        if "<html" in text[:2_000].lower():
            return RobotsRules()  # a page of a server that answers 200 to everything
        rules = Protego.parse(text)
        return RobotsRules(rules, sitemaps=tuple(dict.fromkeys(rules.sitemaps)))
    if status == 429 or status >= 500:
        said = f"robots.txt of {host} could not be read (HTTP {status}), which forbids all for now."
        return RobotsRules(refusal=said)
    return RobotsRules()


def agent_token(agent: str) -> str:
    """The name of a user agent, as robots.txt files write it: "Groundwork" of "Groundwork/1.0 (...)"."""
    return agent.split("/")[0].split(" ")[0].strip() or agent
