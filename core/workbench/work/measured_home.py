"""The product as a run of a suite measures it: questions, searches and stored pages of one principal."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from core.ask.request import Question
from core.cache import Cache
from core.domain.answer import Answer
from core.domain.document import DocumentStatus
from core.domain.event import Answered
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.search import SearchQuery
from core.errors import NotFoundError
from core.evaluate.fitted import HomeFile, SuiteGround, fitted
from core.evaluate.job import MeasuredProduct
from core.evaluate.judge import ModelJudge
from core.evaluate.measures import DEEP
from core.evaluate.runner import DocumentNames
from core.evaluate.scoring import file_name
from core.evaluate.shipped import SHIPPED, sample_files
from core.evaluate.suite import Case
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.store import Records

if TYPE_CHECKING:
    from core.workbench.wiring import Parts

_KEPT_PAGES = 500
_files: Cache[tuple[object, ...], tuple[HomeFile, ...]] = Cache(8)
_grounds: Cache[tuple[object, ...], SuiteGround] = Cache(8)


class HomeAsker:
    """Asks a home as one principal. Its answers keep traces, teach nothing and wait for no reviewer."""

    def __init__(self, parts: Parts, principal: Principal, *, with_model: bool) -> None:
        self._parts, self._principal, self._with_model = parts, principal, with_model
        self.page_text = lru_cache(_KEPT_PAGES)(self._page_text)

    @cached_property
    def visible(self) -> Visibility:
        """The documents that the principal may see."""
        return self._parts.records.access.visibility(self._principal)

    def answer(self, question: str, buckets: tuple[str, ...]) -> Answer:
        """See CaseAsker; its follow-up questions are not waited for."""
        asked = Question(question, self._principal, buckets, offline=not self._with_model)
        with closing(self._parts.orchestrator.stream(asked, reviews=False)) as events:
            return next(event.answer for event in events if isinstance(event, Answered))

    def search(self, question: str, buckets: tuple[str, ...]) -> Sequence[tuple[str, int]]:
        """See CaseAsker."""
        query = SearchQuery(question, top_k=DEEP, buckets=buckets)
        return [(str(hit.document), hit.page) for hit in self._parts.finder.search(query, self.visible).hits]

    def likeness(self, question: str, answer: str) -> float:
        """See CaseAsker."""
        one, other = self._parts.query_encoder.encode_queries([question, answer])
        return float(one @ other)

    def _page_text(self, document: str, version: int, page: int) -> str | None:
        try:
            found = self._parts.records.documents.page(
                DocumentId(document), version, page, self.visible.including_gone()
            )
        except NotFoundError:
            return None
        return found.text


def measured_product(parts: Parts, principal: Principal, with_model: bool, suite: str) -> MeasuredProduct:
    """The product of a home for a principal; judged by the configured model where one is asked, too.

    suite: says which documents its cases are about.
    """
    asker = HomeAsker(parts, principal, with_model=with_model)
    documents = parts.records.documents.list(asker.visible, DocumentQuery(with_gone=True))
    names = DocumentNames(
        sources={str(each.id): each.source for each in documents},
        shown={str(each.id): each.name for each in documents},
        gone=frozenset(str(each.id) for each in documents if each.is_gone),
    )
    is_judged = with_model and parts.models is not None and parts.models_of_home.settings.verify
    judge = ModelJudge(parts.models_of_home.open, principal.user) if is_judged else None

    def fit(case: Case) -> tuple[Case, str]:
        return fitted(case, suite_ground(parts.records, asker.visible, suite))

    return MeasuredProduct(asker, names, fit, judge)


def files_of(records: Records, visible: Visibility) -> tuple[HomeFile, ...]:
    """The documents that may be seen, read once for a state of the collection."""

    def make() -> tuple[HomeFile, ...]:
        return tuple(
            HomeFile(each.bucket, file_name("", {"": each.source}), each.status is DocumentStatus.READY)
            for each in records.documents.list(visible, DocumentQuery())
        )

    return _files.get_or_make(_key(records, visible), make)


def suite_ground(records: Records, visible: Visibility, suite: str) -> SuiteGround:
    """What the cases of a suite meet now, documents of datasets included."""
    seen, is_shipped = replace(visible, with_rows=True), suite in SHIPPED

    def make() -> SuiteGround:
        return SuiteGround.of(files_of(records, seen), sample_files() if is_shipped else None)

    return _grounds.get_or_make((*_key(records, seen), is_shipped), make)


def _key(records: Records, visible: Visibility) -> tuple[object, ...]:
    return records.session, visible.sight, visible.with_rows, records.changes.data_version()
