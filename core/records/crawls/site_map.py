"""The map of a crawl: its addresses by host, folder and state, counted by the database."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.crawl.ledger import HostShare, UrlState
from core.domain.ids import CrawlId
from core.records.database.work_tables import crawl_urls

_URLS = crawl_urls.c
MOST_HOSTS = 20
"""Hosts of which folders are counted, those with the most addresses; the others are counted whole."""


def shares_of(connection: Connection, crawl: CrawlId) -> list[HostShare]:
    """Counts by host, by the first folder in which addresses of the host part, and by state."""
    is_postgres = connection.dialect.name == "postgresql"
    place = sa.func.strpos if is_postgres else sa.func.instr
    # "example.com/docs/page", whatever the scheme.
    address = sa.func.substr(_URLS.url, place(_URLS.url, "://") + 3)
    bases = _bases(connection, crawl, sa.collate(address, "C") if is_postgres else address)
    folder = _folder(address, place, bases)
    counted = (
        sa.select(_URLS.host, folder.label("folder"), _URLS.state, sa.func.count().label("urls"))
        .where(_URLS.crawl == crawl)
        .group_by(_URLS.host, folder, _URLS.state)
    )
    found = [
        HostShare(row.host, _path(row.folder), UrlState(row.state), int(row.urls))
        for row in connection.execute(counted)
    ]
    return sorted(found, key=lambda share: (share.host, share.folder, share.state.value))


def _bases(connection: Connection, crawl: CrawlId, address: Any) -> dict[str, str]:
    """The folder below which the addresses of a host lie, by host: all begin as the first and the last do."""
    statement = (
        sa.select(_URLS.host, sa.func.min(address), sa.func.max(address))
        .where(_URLS.crawl == crawl, _URLS.host != "", _URLS.state != UrlState.SKIPPED.value)
        .group_by(_URLS.host)
        .order_by(sa.func.count().desc(), _URLS.host)
        .limit(MOST_HOSTS)
    )
    found = {}
    for host, first, last in connection.execute(statement):
        base = _common_folder(first, last)
        if base:
            found[str(host)] = base
    return found


def _common_folder(first: str, last: str) -> str:
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    common = "".join(sign for sign, _ in alike).partition("?")[0]
    return common[: common.rfind("/") + 1]


def _folder(address: Any, place: Any, bases: dict[str, str]) -> Any:
    if not bases:
        return sa.literal("")
    base = sa.case(bases, value=_URLS.host, else_="")
    length = sa.case({host: len(base) for host, base in bases.items()}, value=_URLS.host, else_=0)
    rest = sa.func.substr(address, length + 1)
    path = sa.case((place(rest, "?") > 0, sa.func.substr(rest, 1, place(rest, "?") - 1)), else_=rest)
    below = sa.case((place(path, "/") > 0, base + sa.func.substr(path, 1, place(path, "/"))), else_=base)
    return sa.case((sa.and_(length > 0, sa.func.substr(address, 1, length) == base), below), else_="")


def _path(folder: str) -> str:
    return folder[folder.find("/") :] if folder else ""
