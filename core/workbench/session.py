"""A home as one principal may see and change it."""

from __future__ import annotations

from core.domain.principal import Principal
from core.workbench.services.audits import AuditService
from core.workbench.services.conversations import ConversationService
from core.workbench.services.documents import DocumentService
from core.workbench.services.index import IndexService
from core.workbench.services.jobs import JobService
from core.workbench.services.learning import LearningService
from core.workbench.services.matrix import MatrixService
from core.workbench.services.plans import PlanService
from core.workbench.services.questions import QuestionService
from core.workbench.services.schemas import SchemaService
from core.workbench.services.settings import SettingsService
from core.workbench.services.thresholds import ThresholdService
from core.workbench.wiring import Parts


class Session:
    """Services for one principal: nothing that this principal may not see is there. Cheap; thread-safe.

    A deed that the principal may not do raises RefusedError.
    """

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self.principal = principal
        self.documents = DocumentService(parts, principal)
        self.matrix = MatrixService(parts, principal)
        self.learning = LearningService(parts, principal)
        self.questions = QuestionService(parts, principal, self.learning)
        self.conversations = ConversationService(parts, principal)
        self.plans = PlanService(parts, principal)
        self.audits = AuditService(parts, principal, self.plans, self.learning)
        self.schemas = SchemaService(parts, principal)
        self.thresholds = ThresholdService(parts, principal, self.schemas)
        self.jobs = JobService(parts, principal)
        self.index = IndexService(parts, principal)
        self.settings = SettingsService(parts, principal)
