"""A home as one principal may see and change it; a service is imported by who asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.records.database.visibility import Visibility
from core.workbench.services.learning import LearningService
from core.workbench.services.questions import ConversationService, QuestionService
from core.workbench.wiring import Parts

if TYPE_CHECKING:
    from core.workbench.services.audits import AuditService
    from core.workbench.services.citations import CitationService
    from core.workbench.services.crawls import CrawlService
    from core.workbench.services.documents import DocumentService
    from core.workbench.services.feedback import FeedbackService
    from core.workbench.services.index import IndexService
    from core.workbench.services.jobs import JobService
    from core.workbench.services.matrix import MatrixService
    from core.workbench.services.model_cells import ModelCellService
    from core.workbench.services.plans import PlanService
    from core.workbench.services.readings import ReadingService
    from core.workbench.services.scans import ScanService
    from core.workbench.services.schemas import SchemaService
    from core.workbench.services.settings import SettingsService
    from core.workbench.services.teaching import TeachingService
    from core.workbench.services.thresholds import ThresholdService
    from core.workbench.services.updates import UpdateService
    from core.workbench.services.word_fields import WordFieldService
    from core.workbench.trust.access import AccessService
    from core.workbench.trust.accounts import AccountService
    from core.workbench.trust.audit_log import AuditLogService
    from core.workbench.trust.evidence_pack import EvidencePackService
    from core.workbench.trust.policies import PolicyService
    from core.workbench.trust.replay import ReplayService
    from core.workbench.trust.request_keys import RequestKeyService
    from core.workbench.trust.reviews import ReviewService
    from core.workbench.trust.sharing import SharingService
    from core.workbench.trust.tokens import TokenService


class Session:
    """Services for one principal: nothing that this principal may not see is there. Cheap; thread-safe.

    A deed that the principal may not do raises RefusedError.
    """

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self.principal = principal

    def may(self, action: Action) -> bool:
        """True where the policies allow this principal such deeds; reads nothing of the collection."""
        return self._parts.door(self.principal, Visibility.of(self.principal)).may(action)

    @property
    def documents(self) -> DocumentService:
        """Documents: listed, read, searched, brought in, removed."""
        from core.workbench.services.documents import DocumentService

        return DocumentService(self._parts, self.principal)

    @property
    def crawls(self) -> CrawlService:
        """Crawls of sites: started, watched, run again."""
        from core.workbench.services.crawls import CrawlService

        return CrawlService(self._parts, self.principal)

    @property
    def matrix(self) -> MatrixService:
        """Cells and rows of tables, with reviews, counts and exports."""
        from core.workbench.services.matrix import MatrixService

        return MatrixService(self._parts, self.principal)

    @property
    def model_cells(self) -> ModelCellService:
        """Uncertain cells, read by a language model."""
        from core.workbench.services.model_cells import ModelCellService

        return ModelCellService(self._parts, self.principal)

    @property
    def learning(self) -> LearningService:
        """Failed questions and their corrections."""
        return LearningService(self._parts, self.principal)

    @property
    def teaching(self) -> TeachingService:
        """Wordings that went wrong, and how they are to be read."""
        from core.workbench.services.teaching import TeachingService

        return TeachingService(self._parts, self.principal, self.learning, self.plans)

    @property
    def questions(self) -> QuestionService:
        """Answers to questions."""
        return QuestionService(self._parts, self.principal, self.learning)

    @property
    def readings(self) -> ReadingService:
        """Readings of questions, and changes of them."""
        from core.workbench.services.readings import ReadingService

        return ReadingService(self._parts, self.principal, self.learning)

    @property
    def updates(self) -> UpdateService:
        """Updates of answers whose documents were still being read."""
        from core.workbench.services.updates import UpdateService

        return UpdateService(self._parts, self.principal)

    @property
    def citations(self) -> CitationService:
        """Citations held against their documents as they are now."""
        from core.workbench.services.citations import CitationService

        return CitationService(self._parts, self.principal)

    @property
    def conversations(self) -> ConversationService:
        """Conversations of the principal."""
        return ConversationService(self._parts, self.principal)

    @property
    def plans(self) -> PlanService:
        """Plans: made, checked, run."""
        from core.workbench.services.plans import PlanService

        return PlanService(self._parts, self.principal)

    @property
    def audits(self) -> AuditService:
        """Plans kept under a name, and their runs."""
        from core.workbench.services.audits import AuditService

        return AuditService(self._parts, self.principal, self.plans, self.learning)

    @property
    def schemas(self) -> SchemaService:
        """Schemas and their fields."""
        from core.workbench.services.schemas import SchemaService

        return SchemaService(self._parts, self.principal)

    @property
    def word_fields(self) -> WordFieldService:
        """Fields in plain words."""
        from core.workbench.services.word_fields import WordFieldService

        return WordFieldService(self._parts, self.principal, self.schemas, self.matrix)

    @property
    def thresholds(self) -> ThresholdService:
        """Thresholds and models of clause heads."""
        from core.workbench.services.thresholds import ThresholdService

        return ThresholdService(self._parts, self.principal, self.schemas)

    @property
    def jobs(self) -> JobService:
        """Jobs of the home."""
        from core.workbench.services.jobs import JobService

        return JobService(self._parts, self.principal)

    @property
    def scans(self) -> ScanService:
        """Scans that wait to be read."""
        from core.workbench.services.scans import ScanService

        return ScanService(self._parts, self.principal)

    @property
    def index(self) -> IndexService:
        """Care of the search index."""
        from core.workbench.services.index import IndexService

        return IndexService(self._parts, self.principal)

    @property
    def settings(self) -> SettingsService:
        """State of the home as a whole."""
        from core.workbench.services.settings import SettingsService

        return SettingsService(self._parts, self.principal)

    @property
    def accounts(self) -> AccountService:
        """Accounts, groups and roles; and one's own account."""
        from core.workbench.trust.accounts import AccountService

        return AccountService(self._parts, self.principal)

    @property
    def access(self) -> AccessService:
        """Access to documents: whom they are open to."""
        from core.workbench.trust.access import AccessService

        return AccessService(self._parts, self.principal)

    @property
    def sharing(self) -> SharingService:
        """Links to answers, conversations and audits."""
        from core.workbench.trust.sharing import SharingService

        return SharingService(self._parts, self.principal)

    @property
    def tokens(self) -> TokenService:
        """Tokens with which programs call."""
        from core.workbench.trust.tokens import TokenService

        return TokenService(self._parts, self.principal)

    @property
    def policies(self) -> PolicyService:
        """Policies in force: who may do what."""
        from core.workbench.trust.policies import PolicyService

        return PolicyService(self._parts, self.principal)

    @property
    def request_keys(self) -> RequestKeyService:
        """Requests that a program may send again."""
        from core.workbench.trust.request_keys import RequestKeyService

        return RequestKeyService(self._parts, self.principal)

    @property
    def audit_log(self) -> AuditLogService:
        """What was done, by whom, and whether that record is whole."""
        from core.workbench.trust.audit_log import AuditLogService

        return AuditLogService(self._parts, self.principal)

    @property
    def reviews(self) -> ReviewService:
        """Flagged answers and verdicts on them."""
        from core.workbench.trust.reviews import ReviewService

        return ReviewService(self._parts, self.principal, self.matrix, self.learning)

    @property
    def feedback(self) -> FeedbackService:
        """Opinions on one's own answers and their citations."""
        from core.workbench.services.feedback import FeedbackService

        return FeedbackService(self._parts, self.principal)

    @property
    def replays(self) -> ReplayService:
        """Answers asked again, on the terms of then."""
        from core.workbench.trust.replay import ReplayService

        return ReplayService(self._parts, self.principal)

    @property
    def evidence_packs(self) -> EvidencePackService:
        """Answers with all that they rest on, as files that stand on their own."""
        from core.workbench.trust.evidence_pack import EvidencePackService

        return EvidencePackService(self._parts, self.principal, self.replays, self.documents, self.audit_log)
