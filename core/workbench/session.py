"""A home as one principal may see and change it."""

from __future__ import annotations

from core.domain.principal import Principal
from core.workbench.services.audits import AuditService
from core.workbench.services.citations import CitationService
from core.workbench.services.crawls import CrawlService
from core.workbench.services.documents import DocumentService
from core.workbench.services.index import IndexService
from core.workbench.services.jobs import JobService
from core.workbench.services.learning import LearningService
from core.workbench.services.matrix import MatrixService
from core.workbench.services.model_cells import ModelCellService
from core.workbench.services.plans import PlanService
from core.workbench.services.questions import ConversationService, QuestionService
from core.workbench.services.readings import ReadingService
from core.workbench.services.scans import ScanService
from core.workbench.services.schemas import SchemaService
from core.workbench.services.settings import SettingsService
from core.workbench.services.teaching import TeachingService
from core.workbench.services.thresholds import ThresholdService
from core.workbench.services.updates import UpdateService
from core.workbench.services.word_fields import WordFieldService
from core.workbench.trust.accounts import AccountService
from core.workbench.trust.audit_log import AuditLogService
from core.workbench.trust.request_keys import RequestKeyService
from core.workbench.trust.tokens import TokenService
from core.workbench.wiring import Parts


class Session:
    """Services for one principal: nothing that this principal may not see is there. Cheap; thread-safe.

    A deed that the principal may not do raises RefusedError.
    """

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self.principal = principal

    @property
    def documents(self) -> DocumentService:
        """Documents: listed, read, searched, brought in, removed."""
        return DocumentService(self._parts, self.principal)

    @property
    def crawls(self) -> CrawlService:
        """Crawls of sites: started, watched, run again."""
        return CrawlService(self._parts, self.principal)

    @property
    def matrix(self) -> MatrixService:
        """Cells and rows of tables, with reviews, counts and exports."""
        return MatrixService(self._parts, self.principal)

    @property
    def model_cells(self) -> ModelCellService:
        """Uncertain cells, read by a language model."""
        return ModelCellService(self._parts, self.principal)

    @property
    def learning(self) -> LearningService:
        """Failed questions and their corrections."""
        return LearningService(self._parts, self.principal)

    @property
    def teaching(self) -> TeachingService:
        """Wordings that went wrong, and how they are to be read."""
        return TeachingService(self._parts, self.principal, self.learning, self.plans)

    @property
    def questions(self) -> QuestionService:
        """Answers to questions."""
        return QuestionService(self._parts, self.principal, self.learning)

    @property
    def readings(self) -> ReadingService:
        """Readings of questions, and changes of them."""
        return ReadingService(self._parts, self.principal, self.learning)

    @property
    def updates(self) -> UpdateService:
        """Updates of answers whose documents were still being read."""
        return UpdateService(self._parts, self.principal)

    @property
    def citations(self) -> CitationService:
        """Citations held against their documents as they are now."""
        return CitationService(self._parts, self.principal)

    @property
    def conversations(self) -> ConversationService:
        """Conversations of the principal."""
        return ConversationService(self._parts, self.principal)

    @property
    def plans(self) -> PlanService:
        """Plans: made, checked, run."""
        return PlanService(self._parts, self.principal)

    @property
    def audits(self) -> AuditService:
        """Plans kept under a name, and their runs."""
        return AuditService(self._parts, self.principal, self.plans, self.learning)

    @property
    def schemas(self) -> SchemaService:
        """Schemas and their fields."""
        return SchemaService(self._parts, self.principal)

    @property
    def word_fields(self) -> WordFieldService:
        """Fields in plain words."""
        return WordFieldService(self._parts, self.principal, self.schemas, self.matrix)

    @property
    def thresholds(self) -> ThresholdService:
        """Thresholds and models of clause heads."""
        return ThresholdService(self._parts, self.principal, self.schemas)

    @property
    def jobs(self) -> JobService:
        """Jobs of the home."""
        return JobService(self._parts, self.principal)

    @property
    def scans(self) -> ScanService:
        """Scans that wait to be read."""
        return ScanService(self._parts, self.principal)

    @property
    def index(self) -> IndexService:
        """Care of the search index."""
        return IndexService(self._parts, self.principal)

    @property
    def settings(self) -> SettingsService:
        """State of the home as a whole."""
        return SettingsService(self._parts, self.principal)

    @property
    def accounts(self) -> AccountService:
        """Accounts, groups and roles; and one's own account."""
        return AccountService(self._parts, self.principal)

    @property
    def tokens(self) -> TokenService:
        """Tokens with which programs call."""
        return TokenService(self._parts, self.principal)

    @property
    def request_keys(self) -> RequestKeyService:
        """Requests that a program may send again."""
        return RequestKeyService(self._parts, self.principal)

    @property
    def audit_log(self) -> AuditLogService:
        """What was done, by whom, and whether that record is whole."""
        return AuditLogService(self._parts, self.principal)
