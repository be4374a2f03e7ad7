"""The ledger as people and the job read it: rows, counts, what is to be indexed, what withdrawn."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Mapping
from itertools import takewhile
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.crawl.ledger import (
    Change,
    CrawlProgress,
    HostShare,
    LedgerGroup,
    LedgerQuery,
    UrlReason,
    UrlRow,
    UrlState,
)
from core.domain.ids import ContentHash, CrawlId, DocumentId
from core.store.crawl.frontier import end_of, key_of
from core.store.crawl.rows import COMPARED, row_of
from core.store.database.db import Repository, rows_among
from core.store.database.work_tables import crawl_urls, crawls

_URLS = crawl_urls.c
_FETCHED = tuple(
    state.value for state in UrlState if state not in (UrlState.QUEUED, UrlState.FETCHING, UrlState.SKIPPED)
)


class CrawlLedger(Repository):
    """Reads ledgers, from any process, and notes what the index made of them. Thread-safe."""

    def rows(self, crawl: CrawlId, query: LedgerQuery | None = None) -> builtins.list[UrlRow]:
        """Rows of a ledger, by the column that the query names (depth), then by address."""
        query = query or LedgerQuery()
        column = _URLS[query.order.value]
        by = column.desc().nulls_last() if query.descending else column.nulls_last()
        statement = sa.select(crawl_urls).where(*_conditions(crawl, query)).order_by(by, _URLS.url)
        if query.limit is not None:
            statement = statement.limit(query.limit)
        return [row_of(row) for row in self._database.rows(statement.offset(query.offset))]

    def count(self, crawl: CrawlId, query: LedgerQuery | None = None) -> int:
        """Number of rows that fulfil the conditions."""
        conditions = _conditions(crawl, query or LedgerQuery())
        return int(
            self._database.scalar(sa.select(sa.func.count()).select_from(crawl_urls).where(*conditions)) or 0
        )

    def find(self, crawl: CrawlId, url: str) -> UrlRow | None:
        """The row of an address."""
        is_it = sa.and_(_URLS.crawl == crawl, _URLS.key == key_of(url))
        row = self._database.first(sa.select(crawl_urls).where(is_it))
        return None if row is None else row_of(row)

    def of_documents(self, documents: Collection[DocumentId]) -> dict[DocumentId, UrlRow]:
        """The latest row that each document came from; those that no crawl brought are missing."""
        statement = sa.select(crawl_urls).order_by(_URLS.fetched_at)
        rows = self._database.rows_among(statement, _URLS.document, documents)
        return {DocumentId(row.document): row_of(row) for row in rows}

    def progress(self, crawl: CrawlId) -> CrawlProgress:
        """Counts of the current run."""
        run = sa.select(crawls.c.run).where(crawls.c.id == crawl).scalar_subquery()
        mine = sa.and_(_URLS.crawl == crawl, _URLS.run == run)
        columns = (_URLS.state, _URLS.reason, _URLS.change)
        # One pass over the rows: a page asks for these every second.
        counted = (
            sa.select(*columns, sa.func.count(), sa.func.sum(_URLS.size_bytes), sa.func.sum(_URLS.repeats))
            .where(mine)
            .group_by(*columns)
        )
        unmet = sa.select(sa.func.count()).where(_URLS.crawl == crawl, _URLS.run < run)
        counts: dict[UrlState, int] = {}
        reasons: dict[tuple[UrlState, UrlReason], int] = {}
        changes: dict[Change, int] = {}
        size = fetched = repeats = 0
        with self._database.read() as connection:
            for name, why, change, number, size_bytes, repeated in connection.execute(counted):
                state, reason = UrlState(name), UrlReason(why)
                counts[state] = counts.get(state, 0) + int(number)
                reasons[state, reason] = reasons.get((state, reason), 0) + int(number)
                if change and name in COMPARED:
                    changes[Change(change)] = changes.get(Change(change), 0) + int(number)
                size += int(size_bytes or 0)
                repeats += int(repeated or 0)
                fetched += int(number) if name in _FETCHED else 0
            earlier = int(connection.execute(unmet).scalar() or 0)
        return CrawlProgress(counts, reasons, fetched, size, repeats, changes, earlier)

    def groups(self, crawl: CrawlId) -> builtins.list[LedgerGroup]:
        """Counts by depth, host, state, reason and media type."""
        columns = (_URLS.depth, _URLS.host, _URLS.state, _URLS.reason, _URLS.media_type)
        statement = (
            sa.select(*columns, sa.func.count(), sa.func.coalesce(sa.func.sum(_URLS.size_bytes), 0))
            .where(_URLS.crawl == crawl)
            .group_by(*columns)
            .order_by(*columns)
        )
        return [
            LedgerGroup(depth, host, UrlState(state), UrlReason(reason), media, int(number), int(size))
            for depth, host, state, reason, media, number, size in self._database.rows(statement)
        ]

    def shares(self, crawl: CrawlId) -> builtins.list[HostShare]:
        """Counts by host, folder and state, for a map of the site."""
        with self._database.read() as connection:
            return shares_of(connection, crawl)

    def to_index(self, crawl: CrawlId, limit: int) -> builtins.list[UrlRow]:
        """Kept pages whose content is not in the index yet, the nearest first."""
        statement = (
            sa.select(crawl_urls).where(*_unindexed(crawl)).order_by(_URLS.depth, _URLS.url).limit(limit)
        )
        return [row_of(row) for row in self._database.rows(statement)]

    def count_to_index(self, crawl: CrawlId) -> int:
        """Number of kept pages whose content is not in the index yet."""
        statement = sa.select(sa.func.count()).select_from(crawl_urls).where(*_unindexed(crawl))
        return int(self._database.scalar(statement) or 0)

    def to_withdraw(self, crawl: CrawlId, run: int, *, is_known: bool = False) -> builtins.list[UrlRow]:
        """Addresses that have a document and, by this run, should not: gone, duplicate, left out.

        is_known: only those whose document an earlier run brought.
        """
        without = (UrlState.GONE, UrlState.DUPLICATE, UrlState.REDIRECTED, UrlState.SKIPPED)
        # Nobody looked at these this time; a robots.txt out of order must not take a whole site away.
        stays = (UrlReason.STOPPED.value, UrlReason.PAGE_LIMIT.value, UrlReason.ROBOTS.value)
        statement = (
            sa.select(crawl_urls)
            .where(
                _URLS.crawl == crawl,
                _URLS.run == run,
                _URLS.document.is_not(None),
                _URLS.indexed_hash != "",
                _URLS.state.in_([state.value for state in without]),
                _URLS.reason.not_in(stays),
                _URLS.change != Change.NEW.value if is_known else sa.true(),
            )
            .order_by(_URLS.depth, _URLS.url)
        )
        return [row_of(row) for row in self._database.rows(statement)]

    def count_documents(self, crawl: CrawlId) -> int:
        """Number of addresses whose document is in the index, and was before this run."""
        mine = sa.and_(_URLS.crawl == crawl, _URLS.document.is_not(None), _URLS.indexed_hash != "")
        statement = sa.select(sa.func.count()).where(mine, _URLS.change != Change.NEW.value)
        return int(self._database.scalar(statement) or 0)

    def ends(self, crawl: CrawlId, run: int, rows: Collection[UrlRow]) -> dict[str, str]:
        """Where each address leads in the end, by address; those that lead nowhere are missing.

        An end that is no page that was kept is told without its query, which often names where one came from.
        """
        turned = (UrlState.DUPLICATE.value, UrlState.REDIRECTED.value)
        mine = sa.and_(_URLS.crawl == crawl, _URLS.run == run)
        with self._database.read() as connection:
            statement = sa.select(_URLS.url, _URLS.leads_to).where(mine, _URLS.state.in_(turned))
            leads = {row.url: row.leads_to for row in connection.execute(statement)}
            ends = {row.url: end_of(row.url, leads) for row in rows if row.url in leads}
            kept = sa.select(_URLS.url).where(mine, _URLS.state == UrlState.KEPT.value)
            keys = {key_of(end) for end in ends.values()}
            pages = {row.url for row in rows_among(connection, kept, _URLS.key, keys)}
        return {url: end if end in pages else end.partition("?")[0] for url, end in ends.items()}

    def note_indexed(self, crawl: CrawlId, indexed: Mapping[str, tuple[DocumentId, ContentHash]]) -> None:
        """Note which document holds which content, by address."""
        self._note(
            crawl,
            {
                url: {"document": document, "indexed_hash": content}
                for url, (document, content) in indexed.items()
            },
        )

    def note_unreadable(self, crawl: CrawlId, reasons: Mapping[str, str]) -> None:
        """Note kept addresses that gave no text, by address, and why; the next run tries them again."""
        self._note(
            crawl,
            {
                url: {
                    "state": UrlState.FAILED.value,
                    "reason": UrlReason.UNREADABLE.value,
                    "detail": detail,
                    "indexed_hash": "",
                }
                for url, detail in reasons.items()
            },
            _URLS.state == UrlState.KEPT.value,
        )

    def note_withdrawn(self, crawl: CrawlId, urls: Collection[str]) -> None:
        """Note that nothing of these addresses is in the index any more."""
        self._note(crawl, {url: {"indexed_hash": ""} for url in urls})

    def _note(
        self,
        crawl: CrawlId,
        values: Mapping[str, Mapping[str, Any]],
        *conditions: sa.ColumnElement[bool],
    ) -> None:
        if not values:
            return
        with self._database.write_rows() as connection:
            for url, columns in values.items():
                is_it = sa.and_(_URLS.crawl == crawl, _URLS.key == key_of(url))
                connection.execute(sa.update(crawl_urls).where(is_it, *conditions).values(**columns))


def _unindexed(crawl: CrawlId) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        _URLS.crawl == crawl,
        _URLS.state == UrlState.KEPT.value,
        _URLS.content_hash != "",
        _URLS.content_hash != _URLS.indexed_hash,
    )


def _conditions(crawl: CrawlId, query: LedgerQuery) -> builtins.list[sa.ColumnElement[bool]]:
    conditions: builtins.list[sa.ColumnElement[bool]] = [_URLS.crawl == crawl]
    for column, values in (
        (_URLS.state, query.states),
        (_URLS.reason, query.reasons),
        (_URLS.change, query.changes),
    ):
        if values:
            conditions.append(column.in_([str(value) for value in values]))
    if query.changes:
        conditions.append(_URLS.state.in_(COMPARED))
    if query.depth is not None:
        conditions.append(_URLS.depth == query.depth)
    if query.host:
        conditions.append(_URLS.host == query.host)
    if query.text:
        conditions.append(sa.func.lower(_URLS.url).contains(query.text.lower(), autoescape=True))
    return conditions


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
