"""The workbench over one home: opened, closed, and handed out as sessions."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config.load import load_settings
from core.config.models import Settings
from core.domain.answer import Answer
from core.domain.document import DocumentSummary
from core.domain.event import Event
from core.domain.job import IngestReport, Job
from core.domain.matrix import Matrix
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.search import SearchQuery, SearchReport
from core.errors import GroundworkError
from core.workbench.people import principal_of
from core.workbench.session import Session

if TYPE_CHECKING:
    from core.plan.clarify import Clarify
    from core.plan.ir.nodes import Plan
    from core.workbench.services.crawls import CrawlView
    from core.workbench.trust.sign_in import SignIn
    from core.workbench.wiring import Parts


_LOOK_EVERY_S = 0.25  # a look is one SELECT of .2 ms


class Workbench:
    """One home, opened. Thread-safe; torch is never imported by anything but a large ingest.

    What a person may do is done through a session: `for_principal`. The short cuts below (`ingest`, `ask`,
    `search`, ...) are for programs that open their own home: they act as its local admin unless another
    principal is named.
    """

    def __init__(self, parts: Parts) -> None:
        self._newest = parts
        self._left: list[Parts] = []  # of variants that served before, while somebody goes on with them
        self._look_at = 0.0
        self._following = threading.Lock()  # one thread goes over to the variant that serves now

    @classmethod
    def open(
        cls, home: Path | str | None = None, settings: Settings | None = None, *, verify_encoder: bool = True
    ) -> Workbench:
        """The workbench of `home` (default: GROUNDWORK_HOME or the user's data folder), made if it is new.

        verify_encoder=False opens it also where the stored vectors fit another encoder, for `reindex`.
        Raises SettingsError, RecordsError, EncoderError.
        """
        from core.workbench.wiring import Parts

        parts = Parts(settings if settings is not None else load_settings(home))
        try:
            if verify_encoder:
                parts.engines.require_stored_vectors_fit()
        except BaseException:
            parts.close()
            raise
        return cls(parts)

    @property
    def _parts(self) -> Parts:
        """The parts of the variant that serves; those of another are closed once nobody uses them."""
        if time.monotonic() >= self._look_at and self._following.acquire(blocking=False):
            try:
                self._look_at = time.monotonic() + _LOOK_EVERY_S
                self._follow()
            finally:
                self._following.release()
        return self._newest

    def _follow(self) -> None:
        if not self._newest.is_serving():
            other = self._newest.beside()
            try:
                other.engines.require_stored_vectors_fit()
            except BaseException:
                other.close()
                raise
            from core.workbench.work.vectors import Followers

            self._newest.part(Followers).close()  # the others write that index now
            self._left.append(self._newest)
            self._newest = other
            return  # who asked a moment ago may not have said yet that they use the others
        for parts in [each for each in self._left if not each.users]:
            self._left.remove(parts)
            parts.close()

    def for_principal(self, principal: Principal) -> Session:
        """The home as this principal may see and change it."""
        return Session(self._parts, principal)

    @property
    def local(self) -> Session:
        """The home as the admin of a local start has it."""
        return self.for_principal(LOCAL_ADMIN)

    def principal(self, user: str | None = None, *, origin: str = "") -> Principal:
        """The principal that a user name stands for on this machine; None: the built-in admin.

        An account comes before a user of groundwork.toml. origin: from where they call, for the audit log.
        """
        return principal_of(self._parts.records.accounts, self.settings, user, origin)

    @property
    def sign_in(self) -> SignIn:
        """The door: who somebody is, by password, cookie or token."""
        from core.workbench.trust.sign_in import SignIn

        return SignIn(self._parts.records, has_provider=self.settings.sign_in.has_provider)

    @property
    def settings(self) -> Settings:
        """The settings that this workbench runs on."""
        return self._parts.settings

    def warm(self) -> None:
        """Load what the first question and the first page image need; for a server, in the background."""
        self._parts.orchestrator  # noqa: B018 - made on first use, with the index and the encoder
        self._parts.retriever.warm()
        with suppress(GroundworkError):  # a question says it
            self._parts.reranker  # noqa: B018 - begins to load
        self._parts.engines.passages.document_frequencies(("question",))  # connects to a server
        self._parts.warm_plans()
        self._parts.renderer.start()

    def server_problem(self) -> GroundworkError | None:
        """The reason why the search server cannot be used now; None where it can, or none is configured."""
        return self._parts.engines.server_problem()

    def data_version(self) -> int:
        """A number that rises with every change of the collection; cheap."""
        return self._parts.records.changes.data_version()

    def is_empty(self) -> bool:
        """True where nothing was ever ingested."""
        return self.data_version() == 0

    def close(self) -> None:
        """Close files and processes; safe to call twice."""
        self._look_at = math.inf
        with self._following:
            for parts in (*self._left, self._newest):
                parts.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Short cuts for programs; each is the call of the same name of a session.

    def ingest(
        self, paths: Iterable[Path | str], *, principal: Principal | None = None, **options: Any
    ) -> IngestReport:
        """Read files, folders and ZIPs and wait for the end; see `DocumentService.ingest`."""
        return self._session(principal).documents.ingest(paths, **options)

    def crawl(
        self,
        urls: str | Iterable[str],
        *,
        principal: Principal | None = None,
        is_dry_run: bool = False,
        schedule: str = "",
        on_progress: Callable[[Job], None] | None = None,
        **options: Any,
    ) -> CrawlView:
        """Crawl sites and wait for the end; options as in CrawlRequest (`depth=2, bucket="site"`).

        Where nothing was kept, `job.error` of what it gives says why. Raises UsageError, RefusedError.
        """
        from core.domain.crawl.request import CrawlRequest

        starts = (urls,) if isinstance(urls, str) else tuple(urls)
        crawls = self._session(principal).crawls
        request = CrawlRequest.checked(urls=starts, **options)
        crawl = crawls.start(request, is_dry_run=is_dry_run, schedule=schedule)
        return crawls.follow(crawl, on_progress)

    def documents(self, principal: Principal | None = None, **options: Any) -> list[DocumentSummary]:
        """Documents by title; see `DocumentService.list`."""
        return self._session(principal).documents.list(**options)

    def search(self, query: SearchQuery | str, principal: Principal | None = None) -> SearchReport:
        """Passages or facts that fit a query; see `DocumentService.search`."""
        return self._session(principal).documents.search(query)

    def ask(self, question: str, principal: Principal | None = None, **options: Any) -> Answer:
        """The answer to a question; see `QuestionService.ask`."""
        return self._session(principal).questions.ask(question, **options)

    def stream(self, question: str, principal: Principal | None = None, **options: Any) -> Iterator[Event]:
        """Typed events of one question; see `QuestionService.stream`."""
        return self._session(principal).questions.stream(question, **options)

    def plan(
        self, question: str, principal: Principal | None = None, *, buckets: tuple[str, ...] = ()
    ) -> Plan | Clarify:
        """The plan of a question, not run; see `PlanService.make`."""
        return self._session(principal).plans.make(question, buckets=buckets)

    def run(self, plan: Plan, principal: Principal | None = None) -> Answer:
        """The answer of a plan; see `PlanService.run`."""
        return self._session(principal).plans.run(plan)

    def matrix(
        self,
        bucket: str | None = None,
        fields: Collection[str] | None = None,
        principal: Principal | None = None,
    ) -> Matrix:
        """Cells of a bucket's documents; see `MatrixService.read`."""
        return self._session(principal).matrix.read(bucket, fields)

    def _session(self, principal: Principal | None) -> Session:
        return self.local if principal is None else self.for_principal(principal)
