"""The records of one home: everything that is known, in one database and one folder of originals."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy as sa

from core.config.models import Settings
from core.domain.experiments.variant import HomeVariant
from core.domain.ids import CrawlId
from core.errors import UsageError
from core.on_demand import on_demand
from core.store.database.blobs import Blobs
from core.store.database.db import Database, insert_or_ignore
from core.store.database.failures import records_error
from core.store.database.migrate import ensure_schema
from core.store.database.schema import meta
from core.store.documents.vectors import serving
from core.store.store_file import RECORDS_FILE

if TYPE_CHECKING:
    from core.store.accounting import AccountingRecords
    from core.store.cells.amendments import Amendments
    from core.store.cells.facts import FactRecords
    from core.store.cells.model_readings import ModelReadings
    from core.store.cells.reviews import Reviews
    from core.store.cells.thresholds import FieldModels, ThresholdRecords
    from core.store.cells.word_heads import WordHeads
    from core.store.conversations.conversations import Conversations, Traces
    from core.store.conversations.corrections import Lessons
    from core.store.conversations.node_results import NodeResults
    from core.store.conversations.plans import KeptPlans
    from core.store.conversations.tries import QuestionTries
    from core.store.conversations.written_summaries import WrittenSummaries
    from core.store.crawl.crawls import Crawls
    from core.store.crawl.frontier import Frontier
    from core.store.crawl.ledger import CrawlLedger
    from core.store.database.changes import Changes
    from core.store.database.leases import Leases
    from core.store.datasets import DatasetRecords
    from core.store.documents.copies import CopyRecords
    from core.store.documents.documents import DocumentRecords
    from core.store.documents.mentions import MentionRecords
    from core.store.documents.page_readings import PageReadings
    from core.store.documents.passages import PassageRecords
    from core.store.evaluation.runs import EvaluationRuns, EvaluationSuites
    from core.store.fields import FieldRecords
    from core.store.jobs.jobs import Jobs, ReadingQueue
    from core.store.jobs.model_calls import ModelCallRecords
    from core.store.jobs.repairs import Repairs
    from core.store.people.access import AccessRecords
    from core.store.people.accounts import Accounts
    from core.store.people.audit_log import AuditLog
    from core.store.people.browser_sessions import BrowserSessions, Throttle
    from core.store.people.feedback import AnswerFeedback, EvaluationCases
    from core.store.people.request_keys import RequestKeys
    from core.store.people.review_queue import ReviewQueue
    from core.store.people.tokens import ApiTokens, SharedLinks
    from core.store.query.annotations import Annotations
    from core.store.query.connections import ConnectionRecords
    from core.store.query.contradictions import ContradictionRecords
    from core.store.query.evaluate import ConditionEvaluation
    from core.store.query.row_selection import RowSelection
    from core.store.variants import VariantRecords

BLOBS_FOLDER = "blobs"
_part = partial(on_demand, needs=("database",), is_kept=True)  # imported at once, all of them take .15 s


class Records:
    """The one SQL store with its parts. Thread-safe; any number of processes may have it open."""

    documents: DocumentRecords = on_demand(
        "core.store.documents.documents", ("database", "blobs", "vector_set", "profile"), is_kept=True
    )
    copies: CopyRecords = _part("core.store.documents.copies")
    mentions: MentionRecords = _part("core.store.documents.mentions")
    passages: PassageRecords = on_demand(
        "core.store.documents.passages", ("database", "vector_set", "profile"), is_kept=True
    )
    variants: VariantRecords = _part("core.store.variants")
    page_readings: PageReadings = _part("core.store.documents.page_readings")
    changes: Changes = _part("core.store.database.changes")
    conversations: Conversations = _part("core.store.conversations.conversations")
    traces: Traces = _part("core.store.conversations.conversations")
    jobs: Jobs = _part("core.store.jobs.jobs")
    crawls: Crawls = _part("core.store.crawl.crawls")
    crawl_ledger: CrawlLedger = _part("core.store.crawl.ledger")
    leases: Leases = _part("core.store.database.leases")
    repairs: Repairs = _part("core.store.jobs.repairs")
    fields: FieldRecords = _part("core.store.fields")
    reviews: Reviews = _part("core.store.cells.reviews")
    facts: FactRecords = _part("core.store.cells.facts")
    annotations: Annotations = _part("core.store.query.annotations")
    judging: ConditionEvaluation = _part("core.store.query.evaluate")
    row_selection: RowSelection = _part("core.store.query.row_selection")
    amendments: Amendments = _part("core.store.cells.amendments")
    contradictions: ContradictionRecords = _part("core.store.query.contradictions")
    connections: ConnectionRecords = _part("core.store.query.connections")
    thresholds: ThresholdRecords = _part("core.store.cells.thresholds")
    models: FieldModels = _part("core.store.cells.thresholds")
    datasets: DatasetRecords = _part("core.store.datasets")
    accounting: AccountingRecords = _part("core.store.accounting")
    word_heads: WordHeads = on_demand("core.store.cells.word_heads", ("database", "vector_set"), is_kept=True)
    plans: KeptPlans = _part("core.store.conversations.plans")
    lessons: Lessons = _part("core.store.conversations.corrections")
    tries: QuestionTries = _part("core.store.conversations.tries")
    reading_queue: ReadingQueue = _part("core.store.jobs.jobs")
    node_results: NodeResults = _part("core.store.conversations.node_results")
    model_calls: ModelCallRecords = _part("core.store.jobs.model_calls")
    written_summaries: WrittenSummaries = _part("core.store.conversations.written_summaries")
    model_readings: ModelReadings = _part("core.store.cells.model_readings")
    audit_log: AuditLog = _part("core.store.people.audit_log")
    accounts: Accounts = _part("core.store.people.accounts")
    access: AccessRecords = _part("core.store.people.access")
    shared_links: SharedLinks = _part("core.store.people.tokens")
    browser_sessions: BrowserSessions = _part("core.store.people.browser_sessions")
    api_tokens: ApiTokens = _part("core.store.people.tokens")
    request_keys: RequestKeys = _part("core.store.people.request_keys")
    throttle: Throttle = _part("core.store.people.browser_sessions")
    review_queue: ReviewQueue = _part("core.store.people.review_queue")
    feedback: AnswerFeedback = _part("core.store.people.feedback")
    evaluation_cases: EvaluationCases = _part("core.store.people.feedback")
    evaluation_runs: EvaluationRuns = _part("core.store.evaluation.runs")
    evaluation_suites: EvaluationSuites = _part("core.store.evaluation.runs")

    def __init__(self, database: Database, blobs: Blobs, variant: HomeVariant | None = None) -> None:
        self.database = database
        self.variant = variant or serving(database).variant
        self.vector_set, self.profile = self.variant.vector_set, self.variant.profile
        self.session = secrets.token_hex(4)  # names this opening among all processes
        self.blobs = blobs

    def frontier(self, crawl: CrawlId, runner: str) -> Frontier:
        """The frontier of a crawl, for the crawler that was handed it."""
        from core.store.crawl.frontier import Frontier

        return Frontier(self.database, crawl, runner)

    @classmethod
    def open(cls, settings: Settings, variant: HomeVariant | None = None) -> Records:
        """The records of a home; folder, file and tables are made where they are missing.

        variant: whose vectors are read and written; None: the one that serves now, for as long as it is open.
        Raises UsageError where the home cannot be a folder, RecordsError where the store cannot be opened or
        was written by a newer Groundwork.
        """
        home = settings.home
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError as error:
            raise UsageError(
                f"The home {str(home)!r} is a file, not a folder.",
                next_step="Choose another home with --home.",
            ) from error
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            raise UsageError(
                f"The home {str(home)!r} cannot be made: {error.strerror}.",
                next_step="Check the path and its rights, or choose another home with --home.",
            ) from error
        except OSError as error:
            raise records_error(error, str(home)) from error
        url = settings.records.url.get_secret_value() or f"sqlite:///{home.absolute() / RECORDS_FILE}"
        database = Database.open(
            url, busy_timeout_s=settings.records.busy_timeout_s, pool_size=settings.records.pool_size
        )
        try:
            ensure_schema(database)
        except BaseException:
            database.close()
            raise
        return cls(database, Blobs(home / BLOBS_FOLDER, database), variant)

    @property
    def is_shared(self) -> bool:
        """True where any number of workers may run on it (Postgres), not only that of one home (SQLite)."""
        return self.database.is_shared

    def close(self) -> None:
        """Close every connection; safe to call twice."""
        self.database.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_KEY = "installation"


def installation_id(records: Records) -> str:
    """The id of these records; made at the first call, the same for every process from then on.

    A backup holds it, so a home that is restored is the same installation. Raises RecordsError.
    """
    wanted = sa.select(meta.c.value).where(meta.c.key == _KEY)
    found = records.database.scalar(wanted)
    if found is None:
        with records.database.write_rows() as connection:
            insert_or_ignore(connection, meta, [{"key": _KEY, "value": {"id": secrets.token_hex(16)}}])
            found = connection.execute(wanted).scalar_one()
    return str(found["id"])
