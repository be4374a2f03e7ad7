"""Summaries of a document, of some, or of a bucket: by fields and quotes, and as a model wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.answer.prose.kept_summaries import KeptSummaries
from core.ask.request import Question, QuestionHandle
from core.domain.answer import Answer, Kind, Route
from core.domain.event import last_answer
from core.domain.fields import SummaryKind
from core.domain.ids import DocumentId
from core.domain.trust.permission import Action
from core.errors import NotFoundError
from core.plan.ir.nodes import Plan, Scope, Select
from core.workbench.services.base import Service
from core.workbench.services.questions import QuestionService


class SummaryService(Service):
    """Summaries for a reader: executive, legal, financial."""

    def question(
        self, kind: SummaryKind, documents: Sequence[DocumentId] = (), bucket: str | None = None
    ) -> Question:
        """The question, with its plan, that a summary answers: of documents, or of a bucket, None for all.

        Raises NotFoundError for a document that is not there.
        """
        self._permit(Action.QUERY)
        known = self._parts.records.documents.get_many(documents, self._visible)
        for id in documents:
            if id not in known:
                raise NotFoundError(f"There is no document {id!r}.", next_step="List the documents.")
        reader = kind.value.capitalize()
        if len(documents) == 1:
            title = f"{reader} summary of “{known[documents[0]].name[:200]}”"
        elif documents:
            title = f"{reader} summary of {len(documents):,} documents"
        else:
            title = f"{reader} summary of {f'the bucket “{bucket}”' if bucket else 'all documents'}"
        scope = Scope(documents=tuple(documents), buckets=(bucket,) if bucket else ())
        node = Select(id="documents", purpose="Take the documents that were picked", scope=scope)
        parts = {"nodes": (node,), "answer_node": node.id, "by": "person", "summary": kind}
        plan = Plan(question=title, kind=Kind.SUMMARY, route=Route.STRUCTURED, **parts)
        return Question(title, self._principal, (bucket,) if bucket else (), plan=plan)

    def show(
        self, kind: SummaryKind, documents: Sequence[DocumentId] = (), bucket: str | None = None
    ) -> Answer:
        """The summary as it is now; no model is called, and what one wrote of the same before is there.

        Raises NotFoundError, RefusedError.
        """
        asked = replace(self.question(kind, documents, bucket), offline=True)
        answer = last_answer(self._parts.orchestrator.stream(asked, keeps=False))
        return KeptSummaries(self._parts.records).shown(answer, self.model) if self.model else answer

    def write(
        self,
        kind: SummaryKind,
        documents: Sequence[DocumentId] = (),
        bucket: str | None = None,
        handle: QuestionHandle | None = None,
    ) -> Answer:
        """The summary written by the model, each sentence checked; kept, so that it is paid for once.

        Raises UsageError where no model is configured, NotFoundError, RefusedError.
        """
        self._parts.models_of_home.require()
        asked = self.question(kind, documents, bucket)
        return QuestionService(self._parts, self._principal).ask(asked, handle=handle)

    @property
    def model(self) -> str:
        """The model that writes summaries; "" where none is configured."""
        return self._parts.models_of_home.name
