"""A search engine on a server, with one in local files that answers while the server is away."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from core.domain.upkeep import IndexFacts, RepairReport
from core.errors import GroundworkError, IndexUnavailableError
from core.index.base import (
    EngineAtHand,
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    SearchEngine,
    SearchRequest,
    TermFrequencies,
)
from core.index.rebuildable import OnProgress, RebuildableEngine, ServerEngine, ServerStart
from core.index.sync import PassageFeed, catch_up

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
RETRY_S = 5.0  # between looks at a server that is away


class FailoverEngine:
    """A SearchEngine that asks a server, and its standby while the server does not answer. Thread-safe.

    The standby is written first and always, so what it holds is what is searched at worst. A server that
    missed a batch does not serve again before `restore` (in the process that writes) has brought it up.
    on_away: told why the server cannot be asked, in a thread of its own, never in one that searches.
    newest: the newest change of the records; a server that knows later ones holds what they do not.
    """

    def __init__(
        self,
        open_server: Callable[[], ServerEngine],
        standby: RebuildableEngine,
        *,
        server_name: str = "server",
        on_away: Callable[[str], None] = lambda _reason: None,
        newest: Callable[[], int] | None = None,
        retry_s: float = RETRY_S,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self._open_server = open_server
        self._standby = standby
        self._server_name = server_name
        self._on_away = on_away
        self._newest = newest
        self._retry_s = retry_s
        self._wait = wait
        self._applying = threading.Lock()  # one batch at a time, on both
        self._changing = threading.Lock()  # guards what follows
        self._server: ServerEngine | None = None
        self._serves = False
        self._reason = ""
        self._next_step = ""
        self._untold = ""  # a reason that `on_away` has not been told
        self._prober: threading.Thread | None = None
        self._closed = threading.Event()

    @property
    def name(self) -> str:
        """The engine that answers now."""
        return self.status().engine

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """See SearchEngine; from the standby while the server is away."""
        return self._ask(lambda engine: engine.search(request))

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """See SearchEngine."""
        return self._ask(lambda engine: engine.document_frequencies(terms, within))

    def each(self) -> tuple[EngineAtHand, ...]:
        """The server and the standby, each to be asked by itself; what one cannot answer it raises."""
        server = self._serving()
        with self._changing:
            reason = "" if server is not None else self._reason or "It has been closed."
        return (
            EngineAtHand(self._server_name, server, reason),
            EngineAtHand(self._standby.name, self._standby),
        )

    def degradation(self) -> str:
        """Reason why the standby answers now, in a sentence or two; empty while the server does."""
        with self._changing:
            return "" if self._serves or not self._reason else _sentence(self._reason, self._next_step)

    def status(self) -> EngineStatus:
        """State of the standby, under the name of the engine that answers now; no call to the server."""
        with self._changing:
            name = self._server.name if self._serves and self._server is not None else None
        status = self._standby.status()
        return status if name is None else replace(status, engine=name)

    def apply(self, batch: IndexBatch) -> None:
        """Apply to the standby, then to the server where it is level with it; see SearchEngine."""
        with self._applying:
            server = self._serving()
            problem = None if server is None else self._why_not_level(server)
            self._standby.apply(batch)
            if server is None:
                return
            if problem is not None:
                self._lose(server, problem)
                return
            try:
                server.apply(batch)
            except IndexUnavailableError as error:
                self._lose(server, error)

    def restore(self, records: PassageFeed) -> bool:
        """Bring a server that was away up to the records, and let it serve again; gives whether it serves.

        For the process that writes. A server that knows changes which the records do not have (they are
        older than it: restored) is built anew. What an outage lost beside is for `repair` to find.
        """
        if self._serving() is not None:
            return True
        server: ServerEngine | None = None
        try:
            server = self._opened()
            with self._applying:
                _bring_up(server, records)
        except IndexUnavailableError as error:
            self._note_away(error)
            self._drop(server)
            return False
        with self._changing:
            self._serves, self._reason = True, ""
        _log.info("The search server serves again.")
        return True

    def check(self) -> bool:
        """True where the server serves and is level with the records; one that is not serves no longer.

        For a collection that was replaced while the server was up: nothing fails then. One small read.
        """
        server = self._serving()
        if server is None:
            return False
        if not self._applying.acquire(blocking=False):
            return True  # in the midst of a batch the server is behind the standby
        try:
            problem = self._difference(server)
        except IndexUnavailableError as error:
            self._lose(server, error)
            return False
        finally:
            self._applying.release()
        if problem is not None:
            self._lose(server, problem, is_away=False)
        return problem is None

    def start(self) -> ServerStart | None:
        """Start of the server that runs now; None where it does not serve."""
        server = self._serving()
        if server is None:
            return None
        try:
            return server.start()
        except IndexUnavailableError as error:
            self._lose(server, error)
            return None

    def repair(
        self, records: PassageFeed, on_progress: OnProgress | None = None, *, only: str = ""
    ) -> RepairReport:
        """Repair the server, or the standby where `only` names it; searches go on meanwhile.

        Raises IndexUnavailableError where the server is away.
        """
        if only == self._standby.name:
            return self._standby.repair(records, on_progress)
        self.check()
        if not self.restore(records):
            raise self._away()
        with self._applying:
            return self._opened().repair(records, on_progress)

    def rebuild(self, records: PassageFeed, on_progress: OnProgress | None = None, *, only: str = "") -> str:
        """Build both anew beside what serves, or the one that `only` names; gives the last one's new name.

        Raises IndexUnavailableError.
        """
        name = ""
        if only in ("", self._standby.name):
            name = self._standby.rebuild(records, on_progress)
        if only in ("", self._server_name):
            name = self._opened().rebuild(records, on_progress)
            with self._changing:
                self._serves, self._reason = True, ""
        return name

    def facts(self, of: str = "") -> IndexFacts:
        """Contents of the engine named `of`; "": the one that answers now.

        Raises IndexUnavailableError where that is the server and it does not serve; without asking it again.
        """
        server = None if of == self._standby.name else self._serving()
        if server is None:
            if of == self._server_name:
                raise self._away()
            return self._standby.facts()
        try:
            return server.facts()
        except IndexUnavailableError as error:
            self._lose(server, error)
            raise

    def is_mostly_dead(self) -> bool:
        """True where the standby holds mostly replaced passages."""
        return self._standby.is_mostly_dead()

    def close(self) -> None:
        """Close both; safe to call twice."""
        self._closed.set()
        with self._changing:
            server, self._server, self._serves = self._server, None, False
        if server is not None:
            server.close()
        self._standby.close()

    def _ask(self, work: Callable[[SearchEngine], _T]) -> _T:
        server = self._serving()
        if server is not None:
            try:
                return work(server)
            except IndexUnavailableError as error:
                self._lose(server, error)
        return work(self._standby)

    def _serving(self) -> ServerEngine | None:
        """The server while it may be asked; opens it at the first call."""
        with self._changing:
            if self._serves:
                return self._server
            is_first = self._prober is None and not self._reason and not self._closed.is_set()
        if is_first:
            self._try_again()
        with self._changing:
            return self._server if self._serves else None

    def _try_again(self) -> bool:
        """Let the server serve where it answers and has missed nothing; gives whether it does."""
        try:
            problem = self._difference(self._opened())
        except GroundworkError as error:
            self._note_away(error)
            return False
        if problem is not None:
            self._note_away(problem, is_away=False)
            return False
        with self._changing:
            self._serves, self._reason = not self._closed.is_set(), ""
        return True

    def _why_not_level(self, server: ServerEngine) -> GroundworkError | None:
        """Reason why the server cannot be given the next batch; None where it can."""
        try:
            return self._difference(server)
        except GroundworkError as error:  # of the server, or of the records
            return error

    def _difference(self, server: ServerEngine) -> IndexUnavailableError | None:
        """Changes that the server has too few or too many; None where it has every one that the standby has.

        Raises IndexUnavailableError, and what the records raise.
        """
        sequence = server.status().sequence  # before the records, which may go on meanwhile
        if sequence < self._standby.status().sequence:
            return _behind()
        if self._newest is not None and sequence > self._newest():
            return _ahead()
        return None

    def _opened(self) -> ServerEngine:
        with self._changing:
            if self._server is not None:
                return self._server
        opened = self._open_server()  # seconds; never under the lock that searches take
        with self._changing:
            if self._server is None and not self._closed.is_set():
                self._server = opened
                return opened
            server = self._server
        opened.close()
        if server is None:
            raise IndexUnavailableError("The search index has been closed.", next_step="Open it again.")
        return server

    def _drop(self, server: ServerEngine | None) -> None:
        """Open a server that could not be brought up anew: its collection may be gone, or be another's."""
        with self._changing:
            if server is None or self._server is not server or self._serves:
                return
            self._server = None
        server.close()

    def _lose(self, server: ServerEngine, error: GroundworkError, *, is_away: bool = True) -> None:
        with self._changing:
            if self._server is not server or not self._serves:
                return
            self._serves = False
        _log.warning("The search server does not serve: %s", error.message)
        self._note_away(error, is_away=is_away)

    def _away(self) -> IndexUnavailableError:
        with self._changing:
            reason, next_step = self._reason or "It has been closed.", self._next_step
        return IndexUnavailableError(reason, next_step=next_step)

    def _note_away(self, error: GroundworkError, *, is_away: bool = True) -> None:
        with self._changing:
            self._reason, self._next_step = error.message, error.next_step
            self._untold = error.message if is_away else self._untold
            if self._prober is None and not self._closed.is_set():
                self._prober = threading.Thread(target=self._probe, name="search-server-probe", daemon=True)
                self._prober.start()

    def _probe(self) -> None:
        """Look every few seconds whether the server is back, until it is."""
        self._tell()
        while not self._wait(self._closed, self._retry_s):
            with contextlib.suppress(Exception):  # whatever it is, the standby goes on answering
                self._tell()
                if self._serving() is not None or self._try_again():
                    break
        with self._changing:
            self._prober = None

    def _tell(self) -> None:
        with self._changing:
            reason, self._untold = self._untold, ""
        if reason:
            try:
                self._on_away(reason)
            except GroundworkError as error:  # the records are away too: told again at the next look
                _log.warning("%s", error.message)
                with self._changing:
                    self._untold = self._untold or reason


def _bring_up(server: ServerEngine, records: PassageFeed) -> None:
    sequence, newest = server.status().sequence, records.changes.data_version()
    if sequence > newest:
        _log.warning("The search server knows change %d, the records end at %d.", sequence, newest)
        server.rebuild(records)
    else:
        catch_up(server, records)


def _ahead() -> IndexUnavailableError:
    return IndexUnavailableError(
        "The search server is ahead of the records, which were put back to an older state.",
        next_step="Nothing: a worker builds its index anew, where one runs.",
    )


def _behind() -> IndexUnavailableError:
    return IndexUnavailableError(
        "The search server is behind the records, and is being brought up to date.",
        next_step="Nothing: a worker sees to it, where one runs.",
    )


def _sentence(reason: str, next_step: str) -> str:
    told = f"The search server cannot be used now, so the search went on in the local index. {reason}"
    return f"{told} {next_step}" if next_step else told
