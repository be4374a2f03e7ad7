"""A home as one principal may see and change it; a service is imported by who asks for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.on_demand import on_demand
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
    from core.workbench.accounting import AccountingService
    from core.workbench.evaluation.failures import FailureService
    from core.workbench.evaluation.service import EvaluationService
    from core.workbench.experiments.service import ExperimentService
    from core.workbench.explore.map import MapService
    from core.workbench.rows.datasets import DatasetService
    from core.workbench.services.audits import AuditService
    from core.workbench.services.citations import CitationService
    from core.workbench.services.crawls import CrawlService
    from core.workbench.services.documents import DocumentService
    from core.workbench.services.index import IndexService
    from core.workbench.services.jobs import JobService, ScanService
    from core.workbench.services.learning import LearningService
    from core.workbench.services.matrix import MatrixService
    from core.workbench.services.model_cells import ModelCellService
    from core.workbench.services.plans import PlanService
    from core.workbench.services.questions import ConversationService, FeedbackService, QuestionService
    from core.workbench.services.readings import ReadingService
    from core.workbench.services.schemas import SchemaService
    from core.workbench.services.settings import SettingsService
    from core.workbench.services.summaries import SummaryService
    from core.workbench.services.thresholds import ThresholdService
    from core.workbench.services.updates import UpdateService
    from core.workbench.services.word_fields import WordFieldService
    from core.workbench.trust.access import AccessService
    from core.workbench.trust.accounts import AccountService, TokenService
    from core.workbench.trust.audit_log import AuditLogService
    from core.workbench.trust.evidence_pack import EvidencePackService
    from core.workbench.trust.policies import PolicyService
    from core.workbench.trust.replay import ReplayService
    from core.workbench.trust.request_keys import RequestKeyService
    from core.workbench.trust.reviews import ReviewService
    from core.workbench.trust.sharing import SharingService
    from core.workbench.wiring import Parts

_service = partial(on_demand, needs=("_parts", "principal"))  # anew each time: it knows what may be seen now


class Session:
    """Services for one principal: nothing that this principal may not see is there. Cheap; thread-safe.

    A deed that the principal may not do raises RefusedError.
    """

    documents: DocumentService = _service("core.workbench.services.documents")
    """Documents: listed, read, searched, brought in, removed."""
    datasets: DatasetService = _service("core.workbench.rows.datasets")
    """Datasets: registered, described, asked by SQL."""
    crawls: CrawlService = _service("core.workbench.services.crawls")
    """Crawls of sites: started, watched, run again."""
    matrix: MatrixService = _service("core.workbench.services.matrix")
    """Cells and rows of tables, with reviews, counts and exports."""
    map: MapService = _service("core.workbench.explore.map")
    """The map of parties, documents, products and places, and ways between them."""
    model_cells: ModelCellService = _service("core.workbench.services.model_cells")
    """Uncertain cells, read by a language model."""
    learning: LearningService = _service("core.workbench.services.learning")
    """Failed questions and their corrections."""
    failures: FailureService = _service("core.workbench.evaluation.failures")
    """Failed questions by their shape, what was tried of them, and asking them again."""
    questions: QuestionService = _service("core.workbench.services.questions")
    """Answers to questions."""
    summaries: SummaryService = _service("core.workbench.services.summaries")
    """Summaries of documents, for a reader."""
    readings: ReadingService = _service("core.workbench.services.readings")
    """Readings of questions, and changes of them."""
    updates: UpdateService = _service("core.workbench.services.updates")
    """Updates of answers whose documents were still being read."""
    citations: CitationService = _service("core.workbench.services.citations")
    """Citations held against their documents as they are now."""
    conversations: ConversationService = _service("core.workbench.services.questions")
    """Conversations of the principal."""
    plans: PlanService = _service("core.workbench.services.plans")
    """Plans: made, checked, run."""
    audits: AuditService = _service("core.workbench.services.audits")
    """Plans kept under a name, and their runs."""
    schemas: SchemaService = _service("core.workbench.services.schemas")
    """Schemas and their fields."""
    word_fields: WordFieldService = _service("core.workbench.services.word_fields")
    """Fields in plain words."""
    thresholds: ThresholdService = _service("core.workbench.services.thresholds")
    """Thresholds and models of clause heads."""
    jobs: JobService = _service("core.workbench.services.jobs")
    """Jobs of the home."""
    scans: ScanService = _service("core.workbench.services.jobs")
    """Scans that wait to be read."""
    index: IndexService = _service("core.workbench.services.index")
    """Care of the search index."""
    experiments: ExperimentService = _service("core.workbench.experiments.service")
    """Variants of the home: another encoder beside the one that serves, held against it, switched to."""
    settings: SettingsService = _service("core.workbench.services.settings")
    """State of the home as a whole."""
    accounting: AccountingService = _service("core.workbench.accounting")
    """Exchange rates and the fiscal year."""
    accounts: AccountService = _service("core.workbench.trust.accounts")
    """Accounts, groups and roles; and one's own account."""
    access: AccessService = _service("core.workbench.trust.access")
    """Access to documents: whom they are open to."""
    sharing: SharingService = _service("core.workbench.trust.sharing")
    """Links to answers, conversations and audits."""
    tokens: TokenService = _service("core.workbench.trust.accounts")
    """Tokens with which programs call."""
    policies: PolicyService = _service("core.workbench.trust.policies")
    """Policies in force: who may do what."""
    request_keys: RequestKeyService = _service("core.workbench.trust.request_keys")
    """Requests that a program may send again."""
    audit_log: AuditLogService = _service("core.workbench.trust.audit_log")
    """What was done, by whom, and whether that record is whole."""
    reviews: ReviewService = _service("core.workbench.trust.reviews")
    """Flagged answers and verdicts on them."""
    evaluations: EvaluationService = _service("core.workbench.evaluation.service")
    """Suites of questions with known answers, their runs and comparisons."""
    feedback: FeedbackService = _service("core.workbench.services.questions")
    """Opinions on one's own answers and their citations."""
    replays: ReplayService = _service("core.workbench.trust.replay")
    """Answers asked again, on the terms of then."""
    evidence_packs: EvidencePackService = _service("core.workbench.trust.evidence_pack")
    """Answers with all that they rest on, as files that stand on their own."""

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self.principal = principal
        parts.users.add(self)

    def may(self, action: Action) -> bool:
        """True where the policies allow this principal such deeds; reads nothing of the collection."""
        return self._parts.door(self.principal, Visibility.of(self.principal)).may(action)
