"""The frontier of a crawl: which addresses come next, and what came of them. One crawler writes it.

A crawl goes level by level: no address of one depth is handed out while one above it is open. So depths are
the fewest links from a start, and with ties broken by alphabet the ledger does not depend on which answer
came first: a crawl that was killed ends with the rows of one that was not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.crawl.ledger import Change, UrlReason, UrlRow, UrlState
from core.domain.crawl.outcome import FoundUrl, UrlOutcome, distinct
from core.domain.ids import CrawlId
from core.errors import JobError
from core.store.crawl.rows import row_of, values_of_found
from core.store.database.db import Database, rows_among, slices
from core.store.database.work_tables import crawl_urls, crawls

_OPEN = (UrlState.QUEUED.value, UrlState.FETCHING.value)
_REQUESTED = tuple(state.value for state in UrlState if state not in (UrlState.QUEUED, UrlState.SKIPPED))
# A site that says the same, or nothing, at every address never comes to its limit of pages.
_ANSWERS_A_PAGE = 10
_ANSWERS = 500
_URLS = crawl_urls.c
_STAYING = (
    "content_hash",
    "text_hash",
    "etag",
    "last_modified",
    "media_type",
    "document",
    "indexed_hash",
    "title",
)
_MOVED = ("state", "reason", "detail", "depth", "found_on", "hops")
# The last because a start address may lead to a site that only then belongs to the crawl.
_MAY_STILL_BE_QUEUED = tuple(
    reason.value for reason in (UrlReason.TOO_DEEP, UrlReason.NOFOLLOW, UrlReason.OTHER_HOST)
)


class FrontierLostError(JobError):
    """Another crawler writes to this ledger now; this one must end without writing anything more."""


@dataclass(frozen=True, slots=True)
class FrontierClaim:
    """Addresses to fetch now. is_finished: none is open any more. wait_s: until one may be fetched."""

    rows: tuple[UrlRow, ...]
    is_finished: bool = False
    wait_s: float = 0.0


class Frontier:
    """Hands out addresses and takes outcomes, each in one transaction. Thread-safe.

    runner: names the crawler that was given the ledger by `Crawls.hand_over`; every write raises
    FrontierLostError once it is another's.
    """

    def __init__(self, database: Database, crawl: CrawlId, runner: str) -> None:
        self._database = database
        self._crawl = crawl
        self._runner = runner

    def recover(self) -> int:
        """Queue again what a killed crawler had in flight, counted as repeats; gives their number."""
        with self._database.write_rows() as connection:
            run = self._run(connection).run
            lost = sa.and_(
                _URLS.crawl == self._crawl, _URLS.run == run, _URLS.state == UrlState.FETCHING.value
            )
            values = {"state": UrlState.QUEUED.value, "repeats": _URLS.repeats + 1}
            return int(connection.execute(sa.update(crawl_urls).where(lost).values(**values)).rowcount)

    def add_starts(self, starts: Sequence[FoundUrl]) -> None:
        """Add addresses of depth 0; those that this run knows stay as they are."""
        with self._database.write_rows() as connection:
            run = self._run(connection).run
            starts = [replace(found, is_same_depth=False) for found in starts]
            self._add(connection, run, starts, depth=0, found_on="")

    def claim(
        self, most: int, max_pages: int, most_of_a_pattern: int, now: datetime | None = None
    ) -> FrontierClaim:
        """Up to `most` addresses of the lowest level that has open ones, marked as being fetched."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            head = self._run(connection)
            mine = sa.and_(_URLS.crawl == self._crawl, _URLS.run == head.run)
            level = connection.execute(
                sa.select(sa.func.min(_URLS.depth)).where(mine, _URLS.state.in_(_OPEN))
            ).scalar()
            if level is None:
                return FrontierClaim((), is_finished=True)
            if level > head.level:
                self._release(connection, mine, level, most_of_a_pattern)
            kept, fetching, answered = self._counts(connection, mine)
            room = min(most, max_pages - kept - fetching)
            if kept >= max_pages or answered >= _ANSWERS_A_PAGE * max_pages + _ANSWERS:
                self._cut(connection, mine)
                return FrontierClaim((), is_finished=fetching == 0)
            queued = sa.and_(mine, _URLS.state == UrlState.QUEUED.value, _URLS.depth == level)
            is_due = sa.or_(_URLS.not_before.is_(None), _URLS.not_before <= now)
            found = connection.execute(
                sa.select(crawl_urls).where(queued, is_due).order_by(_URLS.url).limit(max(0, room))
            ).all()
            if found:
                connection.execute(
                    sa.update(crawl_urls)
                    .where(_URLS.crawl == self._crawl, _URLS.key.in_([row.key for row in found]))
                    .values(state=UrlState.FETCHING.value, requests=_URLS.requests + 1, not_before=None)
                )
                return FrontierClaim(
                    tuple(
                        replace(row_of(row), state=UrlState.FETCHING, requests=row.requests + 1)
                        for row in found
                    )
                )
            soonest = connection.execute(sa.select(sa.func.min(_URLS.not_before)).where(queued)).scalar()
        return FrontierClaim((), wait_s=max(0.0, (soonest - now).total_seconds()) if soonest else 0.0)

    def settle(self, url: str, outcome: UrlOutcome, now: datetime | None = None) -> None:
        """Write what came of an address, and the addresses on it."""
        now = now or datetime.now(UTC)
        with self._database.write_rows() as connection:
            head = self._run(connection)
            is_it = sa.and_(_URLS.crawl == self._crawl, _URLS.key == key_of(url))
            before = connection.execute(sa.select(crawl_urls).where(is_it)).one()
            values = _settled(before, outcome, now)
            connection.execute(sa.update(crawl_urls).where(is_it).values(**values))
            if values["state"] == UrlState.KEPT.value:
                self._settle_duplicates(connection, head.run, before.key)
            self._add(connection, head.run, outcome.found, depth=before.depth + 1, found_on=before.url)
            bases = list(head.bases)
            bases += [found.url for found in outcome.found if found.is_base and found.url not in bases]
            if bases != head.bases:
                connection.execute(sa.update(crawls).where(crawls.c.id == self._crawl).values(bases=bases))

    def revisit(self) -> int:
        """Queue pages of earlier runs that this one has not met, to see whether they are gone; their number.

        For a run that has nothing open any more. They keep their depth, and what is found on them counts.
        """
        with self._database.write_rows() as connection:
            run = self._run(connection).run
            unmet = sa.and_(
                _URLS.crawl == self._crawl,
                _URLS.run < run,
                _URLS.document.is_not(None),
                # Gone ones whose document was not withdrawn are looked at until it is, or they are back.
                sa.or_(_URLS.state != UrlState.GONE.value, _URLS.indexed_hash != ""),
            )
            values = {"state": UrlState.QUEUED.value, "run": run, "requests": 0, "repeats": 0}
            values |= {
                "change": Change.NONE.value,
                "not_before": None,
                "detail": "No page links to it any more.",
            }
            return int(connection.execute(sa.update(crawl_urls).where(unmet).values(**values)).rowcount)

    def conclude(self) -> None:
        """Settle what only the whole run tells: circles of redirects, canonical addresses that failed."""
        with self._database.write_rows() as connection:
            run = self._run(connection).run
            mine = sa.and_(_URLS.crawl == self._crawl, _URLS.run == run)
            self._settle_redirects(connection, mine)
            self._settle_canonical(connection, mine, run)

    def _run(self, connection: Connection) -> Any:
        statement = sa.select(crawls.c.run, crawls.c.level, crawls.c.bases, crawls.c.runner)
        row = connection.execute(statement.where(crawls.c.id == self._crawl).with_for_update()).first()
        if row is None or row.runner != self._runner:
            raise FrontierLostError(f"The ledger of crawl {self._crawl!r} is another crawler's now.")
        return row

    def _counts(self, connection: Connection, mine: sa.ColumnElement[bool]) -> tuple[int, int, int]:
        """Number of addresses kept, in flight, and answered in any way."""
        counted = sa.select(_URLS.state, sa.func.count()).where(mine, _URLS.state.in_(_REQUESTED))
        by_state = {state: int(count) for state, count in connection.execute(counted.group_by(_URLS.state))}
        fetching = by_state.pop(UrlState.FETCHING.value, 0)
        return by_state.get(UrlState.KEPT.value, 0), fetching, sum(by_state.values())

    def _release(
        self, connection: Connection, mine: sa.ColumnElement[bool], level: int, most_of_a_pattern: int
    ) -> None:
        """Begin a level; of patterns with more addresses than a crawl takes, the rest is left out."""
        # Ranked over all levels so far, so that a calendar cannot go on one month a level.
        place = sa.func.row_number().over(partition_by=_URLS.pattern, order_by=(_URLS.depth, _URLS.url))
        counted = sa.select(_URLS.key, _URLS.depth, place.label("place")).where(
            mine, _URLS.pattern != "", _URLS.state != UrlState.SKIPPED.value
        )
        ranked = counted.subquery()
        beyond = sa.select(ranked.c.key).where(ranked.c.place > most_of_a_pattern, ranked.c.depth == level)
        values = {
            "state": UrlState.SKIPPED.value,
            "reason": UrlReason.TRAP.value,
            "detail": f"More than {most_of_a_pattern:,} addresses differ from it only in what varies.",
        }
        queued = sa.and_(_URLS.crawl == self._crawl, _URLS.state == UrlState.QUEUED.value)
        connection.execute(sa.update(crawl_urls).where(queued, _URLS.key.in_(beyond)).values(**values))
        connection.execute(sa.update(crawls).where(crawls.c.id == self._crawl).values(level=level))

    def _cut(self, connection: Connection, mine: sa.ColumnElement[bool]) -> None:
        values = {"state": UrlState.SKIPPED.value, "reason": UrlReason.PAGE_LIMIT.value}
        queued = sa.and_(mine, _URLS.state == UrlState.QUEUED.value)
        connection.execute(sa.update(crawl_urls).where(queued).values(**values))

    def _add(
        self, connection: Connection, run: int, found: Iterable[FoundUrl], *, depth: int, found_on: str
    ) -> None:
        """Add addresses, or move known ones nearer: the fewest links, then the first page by alphabet.

        depth: of those that are one step further. All are looked up and all new ones written at once: a page
        of 100 links took 25 ms one by one, and 3 ms so.
        """
        by_key = {key_of(each.url): each for each in distinct(found)}
        columns = (_URLS.key, _URLS.run, _URLS.state, _URLS.reason, _URLS.depth, _URLS.found_on)
        statement = sa.select(*columns).where(_URLS.crawl == self._crawl)
        known = {row.key: row for row in rows_among(connection, statement, _URLS.key, by_key)}
        added: list[dict[str, Any]] = []
        nearer: dict[int, list[str]] = {}
        for key, each in by_key.items():
            at = depth - 1 if each.is_same_depth else depth
            values = values_of_found(each, run, at, found_on)
            row = known.get(key)
            if row is None:
                added.append({"crawl": self._crawl, "key": key, **values})
            elif changed := _renewed(row, each, values):
                is_it = sa.and_(_URLS.crawl == self._crawl, _URLS.key == key)
                connection.execute(sa.update(crawl_urls).where(is_it).values(**changed))
            elif self._is_nearer(connection, row, each, at, found_on):
                nearer.setdefault(at, []).append(key)
        if added:
            connection.execute(sa.insert(crawl_urls), added)
        for at, keys in nearer.items():
            for some in slices(keys):
                moved = sa.update(crawl_urls).where(_URLS.crawl == self._crawl, _URLS.key.in_(some))
                connection.execute(moved.values(depth=at, found_on=found_on))

    def _is_nearer(
        self, connection: Connection, known: Any, found: FoundUrl, depth: int, found_on: str
    ) -> bool:
        """True where this way to a known address is the one to note; start addresses have none."""
        is_first = known.found_on != "" and (depth, found_on) < (known.depth, known.found_on)
        if not is_first or (found.state is UrlState.SKIPPED and known.state != UrlState.SKIPPED.value):
            return False
        if depth < known.depth or not found.is_same_depth:
            return True
        # A page of the level above, which was settled before, goes before a redirect of the same level.
        is_it = sa.and_(_URLS.crawl == self._crawl, _URLS.key == key_of(known.found_on))
        return connection.execute(sa.select(_URLS.depth).where(is_it)).scalar() == depth

    def _settle_duplicates(self, connection: Connection, run: int, key: str) -> None:
        """Of pages with one content the nearest stays, then the first by alphabet; the others lead to it."""
        is_it = sa.and_(_URLS.crawl == self._crawl, _URLS.key == key)
        page = connection.execute(sa.select(crawl_urls).where(is_it)).one()
        column, value = (
            (_URLS.text_hash, page.text_hash) if page.text_hash else (_URLS.content_hash, page.content_hash)
        )
        if not value:
            return
        same_state = sa.or_(
            _URLS.state == UrlState.KEPT.value,
            sa.and_(_URLS.state == UrlState.DUPLICATE.value, _URLS.reason == UrlReason.SAME_CONTENT.value),
        )
        alike = connection.execute(
            sa.select(_URLS.key, _URLS.url)
            .where(_URLS.crawl == self._crawl, _URLS.run == run, column == value, same_state)
            .order_by(_URLS.depth, sa.func.length(_URLS.url), _URLS.url)
        ).all()
        if len(alike) < 2:
            return
        first = alike[0]
        keeps = {"state": UrlState.KEPT.value, "reason": "", "leads_to": ""}
        connection.execute(
            sa.update(crawl_urls).where(_URLS.crawl == self._crawl, _URLS.key == first.key).values(**keeps)
        )
        leads = {
            "state": UrlState.DUPLICATE.value,
            "reason": UrlReason.SAME_CONTENT.value,
            "leads_to": first.url,
        }
        others = [row.key for row in alike[1:]]
        connection.execute(
            sa.update(crawl_urls).where(_URLS.crawl == self._crawl, _URLS.key.in_(others)).values(**leads)
        )

    def _settle_redirects(self, connection: Connection, mine: sa.ColumnElement[bool]) -> None:
        leads = {
            row.url: row.leads_to
            for row in connection.execute(
                sa.select(_URLS.url, _URLS.leads_to).where(mine, _URLS.state == UrlState.REDIRECTED.value)
            )
        }
        circular = [url for url in leads if end_of(url, leads) in leads]
        for url in circular:
            connection.execute(
                sa.update(crawl_urls)
                .where(_URLS.crawl == self._crawl, _URLS.key == key_of(url))
                .values(
                    state=UrlState.FAILED.value,
                    reason=UrlReason.REDIRECT_LOOP.value,
                    detail="It redirects in a circle.",
                )
            )

    def _settle_canonical(self, connection: Connection, mine: sa.ColumnElement[bool], run: int) -> None:
        """Keep pages after all whose canonical address gives no page, however many steps it takes to see."""
        is_left_out = sa.and_(
            mine,
            _URLS.state == UrlState.DUPLICATE.value,
            _URLS.reason == UrlReason.CANONICAL.value,
            _URLS.content_hash != "",
        )
        left_out = connection.execute(
            sa.select(_URLS.key, _URLS.url)
            .where(is_left_out)
            .order_by(_URLS.depth, sa.func.length(_URLS.url), _URLS.url)
        ).all()
        if not left_out:
            return
        turned = (UrlState.DUPLICATE.value, UrlState.REDIRECTED.value)
        leads = {
            row.url: row.leads_to
            for row in connection.execute(
                sa.select(_URLS.url, _URLS.leads_to).where(mine, _URLS.state.in_(turned))
            )
        }
        for row in left_out:
            end = end_of(row.url, leads)
            if end != row.url:
                state = connection.execute(
                    sa.select(_URLS.state).where(mine, _URLS.key == key_of(end))
                ).scalar()
                # Of a circle that the page is not part of, another page is kept in its turn.
                if end in leads or state == UrlState.KEPT.value:
                    continue
            del leads[row.url]
            keeps = {"state": UrlState.KEPT.value, "reason": "", "leads_to": ""}
            keeps["detail"] = "Its canonical address gave no page."
            connection.execute(
                sa.update(crawl_urls).where(_URLS.crawl == self._crawl, _URLS.key == row.key).values(**keeps)
            )
            self._settle_duplicates(connection, run, row.key)


def key_of(url: str) -> str:
    """The key of an address in its crawl."""
    return hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _renewed(known: Any, found: FoundUrl, values: Mapping[str, Any]) -> dict[str, Any]:
    """Columns that change of an address that is met again: in a new run, or with another state; {} else."""
    if known.run < values["run"]:
        # Of what an earlier run knew stays what a conditional request and the document need.
        return {name: value for name, value in values.items() if name not in _STAYING}
    is_released = known.reason in _MAY_STILL_BE_QUEUED and found.state is UrlState.QUEUED
    if known.state == UrlState.SKIPPED.value and is_released:
        return {name: values[name] for name in _MOVED}
    is_first = (values["depth"], values["found_on"]) < (known.depth, known.found_on)
    if known.state == found.state == UrlState.SKIPPED and known.reason != found.reason and is_first:
        return {name: values[name] for name in _MOVED}
    return {}


def _settled(before: Any, outcome: UrlOutcome, now: datetime) -> dict[str, Any]:
    """Columns of an address once it is settled."""
    state = outcome.state
    if state is UrlState.FAILED and before.document and _says_gone(outcome):
        state = UrlState.GONE
    values: dict[str, Any] = {
        "state": state.value,
        "reason": outcome.reason.value,
        "detail": outcome.detail or (before.detail if state is UrlState.KEPT else ""),
        "status": outcome.status,
        "leads_to": outcome.leads_to,
        "fetched_at": now,
        "not_before": outcome.wait_until,
    }
    if not outcome.was_requested:
        values["requests"] = max(0, before.requests - 1)
    if state.is_open:
        open_columns = ("state", "status", "detail", "not_before", "requests")
        return {name: values[name] for name in open_columns if name in values}
    if outcome.is_not_modified:
        values |= {"media_type": outcome.media_type, "size_bytes": outcome.size_bytes}
        return values | {"change": Change.UNCHANGED.value}
    values |= {"media_type": outcome.media_type, "size_bytes": outcome.size_bytes}
    if state is UrlState.GONE:
        # One whose document was withdrawn was found gone by an earlier run: that it still is, is no change.
        is_found = before.indexed_hash != ""
        return values | {"change": (Change.GONE if is_found else Change.NONE).value}
    if outcome.content_hash:
        values |= {"content_hash": outcome.content_hash, "text_hash": outcome.text_hash}
        values |= {"etag": outcome.etag, "last_modified": outcome.last_modified, "title": outcome.title}
    if state is UrlState.KEPT:
        change = _change(before, outcome)
        values["change"] = change.value
        if change is Change.UNCHANGED and before.indexed_hash == before.content_hash:
            # Other bytes with the same text: its document says what the page says, so it stays as it is.
            values["indexed_hash"] = outcome.content_hash
    return values


def _says_gone(outcome: UrlOutcome) -> bool:
    return outcome.status in (404, 410) or outcome.reason is UrlReason.SOFT_404


def _change(before: Any, outcome: UrlOutcome) -> Change:
    if not before.content_hash:
        return Change.NEW
    if outcome.text_hash and before.text_hash:
        return Change.UNCHANGED if outcome.text_hash == before.text_hash else Change.CHANGED
    return Change.UNCHANGED if outcome.content_hash == before.content_hash else Change.CHANGED


def end_of(url: str, leads: dict[str, str]) -> str:
    """Where an address leads in the end: to itself where it is part of a circle, else into one."""
    seen: set[str] = set()
    at = leads.get(url, url)
    while at != url and at in leads and at not in seen:
        seen.add(at)
        at = leads[at]
    return at
