"""A crawler that fetches nothing: it settles the addresses of a crawl as a file in the home says.

Run as the crawler is: `python -m tests.support.scripted_crawler --home HOME --crawl ID --runner TOKEN`.
The file `site.json` in the home holds the pages by path, and what befalls the process: see `Site`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.config.load import load_settings
from core.domain.crawl.exits import CrawlerExit
from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome
from core.domain.ids import CrawlId
from core.store.crawl.frontier import FrontierLostError
from core.store.store import Records

HOST = "site.example"
PROGRAM = ("-m", "tests.support.scripted_crawler")


@dataclass
class Site:
    """pages: by path, `{"text": …, "links": […]}`, or `{"state": …, "reason": …, "status": …}`.

    dies: how many starts end in a crash after one page; exits: code of the end; page_s: time of a page.
    """

    pages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    dies: int = 0
    exits: int = 0
    page_s: float = 0.0
    says: str = ""

    def write(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        (home / "site.json").write_text(json.dumps(asdict(self)))


def url(path: str) -> str:
    return f"http://{HOST}/{path}"


def outcome(records: Records, row: UrlRow, page: Mapping[str, Any]) -> UrlOutcome:
    state = UrlState(page.get("state", "kept"))
    if state is not UrlState.KEPT:
        reason = UrlReason(page.get("reason", ""))
        return UrlOutcome(state, reason, status=page.get("status"), leads_to=page.get("leads_to", ""))
    data = page["text"].encode()
    content = records.blobs.put(data)
    if content == row.content_hash:
        return UrlOutcome(UrlState.KEPT, status=304, is_not_modified=True, found=links(page))
    return UrlOutcome(
        UrlState.KEPT,
        status=200,
        media_type="text/plain",
        size_bytes=len(data),
        content_hash=content,
        text_hash=hashlib.sha256(data).hexdigest(),
        found=links(page),
    )


def links(page: Mapping[str, Any]) -> tuple[FoundUrl, ...]:
    return tuple(FoundUrl(url(path), HOST) for path in page.get("links", ()))


def end_with_input() -> None:
    while os.read(0, 1024):  # not by sys.stdin, whose lock would be held at the end of the process
        pass
    os._exit(CrawlerExit.INTERRUPTED)


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("home", "crawl", "runner"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    threading.Thread(target=end_with_input, daemon=True).start()
    home = Path(given.home)
    with (home / "starts.txt").open("a") as starts:
        starts.write(f"{os.getpid()}\n")
    count = len((home / "starts.txt").read_text().splitlines())
    site = Site(**json.loads((home / "site.json").read_text()))
    if site.says:
        print(site.says, file=sys.stderr)  # noqa: T201
    if site.exits:
        return site.exits
    with Records.open(load_settings(home)) as records:
        record, frontier = (
            records.crawls.get(CrawlId(given.crawl)),
            records.frontier(given.crawl, given.runner),
        )
        frontier.recover()
        frontier.add_starts([FoundUrl(url(""), HOST)])
        while True:
            if records.crawls.get(record.id).is_stopping:
                break
            claim = frontier.claim(2, record.request.max_pages, 100)
            if claim.is_finished and not (record.run > 1 and frontier.revisit()):
                break
            for row in claim.rows:
                time.sleep(site.page_s)
                page = site.pages.get(row.url.removeprefix(url("")))
                frontier.settle(row.url, outcome(records, row, page or {"state": "failed", "status": 404}))
                if count <= site.dies:
                    raise RuntimeError("password hunter2 does not work")
        frontier.conclude()
    return CrawlerExit.FINISHED


if __name__ == "__main__":
    try:
        code = main()
    except FrontierLostError:
        code = CrawlerExit.LOST
    sys.stdout.flush()
    os._exit(code)
