"""A home as one principal may see and change it; a service is imported by who asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.store.database.visibility import Visibility

if TYPE_CHECKING:
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
    from core.workbench.services.teaching import TeachingService
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

_MODULES = {
    "documents": "services.documents",
    "crawls": "services.crawls",
    "matrix": "services.matrix",
    "model_cells": "services.model_cells",
    "learning": "services.learning",
    "teaching": "services.teaching",
    "questions": "services.questions",
    "readings": "services.readings",
    "updates": "services.updates",
    "citations": "services.citations",
    "conversations": "services.questions",
    "plans": "services.plans",
    "audits": "services.audits",
    "schemas": "services.schemas",
    "word_fields": "services.word_fields",
    "thresholds": "services.thresholds",
    "jobs": "services.jobs",
    "scans": "services.jobs",
    "index": "services.index",
    "settings": "services.settings",
    "accounts": "trust.accounts",
    "access": "trust.access",
    "sharing": "trust.sharing",
    "tokens": "trust.accounts",
    "policies": "trust.policies",
    "request_keys": "trust.request_keys",
    "audit_log": "trust.audit_log",
    "reviews": "trust.reviews",
    "feedback": "services.questions",
    "replays": "trust.replay",
    "evidence_packs": "trust.evidence_pack",
}
"""Modules of the services, by the name of each."""


class Session:
    """Services for one principal: nothing that this principal may not see is there. Cheap; thread-safe.

    A deed that the principal may not do raises RefusedError.
    """

    documents: DocumentService
    """Documents: listed, read, searched, brought in, removed."""
    crawls: CrawlService
    """Crawls of sites: started, watched, run again."""
    matrix: MatrixService
    """Cells and rows of tables, with reviews, counts and exports."""
    model_cells: ModelCellService
    """Uncertain cells, read by a language model."""
    learning: LearningService
    """Failed questions and their corrections."""
    teaching: TeachingService
    """Wordings that went wrong, and how they are to be read."""
    questions: QuestionService
    """Answers to questions."""
    readings: ReadingService
    """Readings of questions, and changes of them."""
    updates: UpdateService
    """Updates of answers whose documents were still being read."""
    citations: CitationService
    """Citations held against their documents as they are now."""
    conversations: ConversationService
    """Conversations of the principal."""
    plans: PlanService
    """Plans: made, checked, run."""
    audits: AuditService
    """Plans kept under a name, and their runs."""
    schemas: SchemaService
    """Schemas and their fields."""
    word_fields: WordFieldService
    """Fields in plain words."""
    thresholds: ThresholdService
    """Thresholds and models of clause heads."""
    jobs: JobService
    """Jobs of the home."""
    scans: ScanService
    """Scans that wait to be read."""
    index: IndexService
    """Care of the search index."""
    settings: SettingsService
    """State of the home as a whole."""
    accounts: AccountService
    """Accounts, groups and roles; and one's own account."""
    access: AccessService
    """Access to documents: whom they are open to."""
    sharing: SharingService
    """Links to answers, conversations and audits."""
    tokens: TokenService
    """Tokens with which programs call."""
    policies: PolicyService
    """Policies in force: who may do what."""
    request_keys: RequestKeyService
    """Requests that a program may send again."""
    audit_log: AuditLogService
    """What was done, by whom, and whether that record is whole."""
    reviews: ReviewService
    """Flagged answers and verdicts on them."""
    feedback: FeedbackService
    """Opinions on one's own answers and their citations."""
    replays: ReplayService
    """Answers asked again, on the terms of then."""
    evidence_packs: EvidencePackService
    """Answers with all that they rest on, as files that stand on their own."""

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self.principal = principal

    def may(self, action: Action) -> bool:
        """True where the policies allow this principal such deeds; reads nothing of the collection."""
        return self._parts.door(self.principal, Visibility.of(self.principal)).may(action)

    def __getattr__(self, name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"A session has no {name!r}.")
        module = import_module(f"core.workbench.{_MODULES[name]}")
        return getattr(module, type(self).__annotations__[name])(self._parts, self.principal)
