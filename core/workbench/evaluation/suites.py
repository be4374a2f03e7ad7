"""The suites that a principal can run: shipped ones, from verdicts, made of the home, and own ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.domain.document import DocumentStatus
from core.domain.matrix import Matrix, MatrixQuery
from core.domain.principal import Principal
from core.errors import NotFoundError, UsageError
from core.evaluate.fitted import fitted
from core.evaluate.home_suite import HomePage, home_cases
from core.evaluate.measured import SuiteKind, SuiteOverview
from core.evaluate.shipped import SHIPPED
from core.evaluate.suite import Case, unknown_documents
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.evaluation.runs import KeptSuite
from core.text.analyse import content_terms
from core.workbench.work.measured_home import files_of, suite_ground

if TYPE_CHECKING:
    from core.workbench.wiring import Parts

REVIEWS, HOME = "reviews", "home"
MOST_ROWS, MOST_PAGED = 2_000, 400
"""Documents of a home of which all cells are read, and those of which sentences are searched for."""

_SHOWN_FILES = 3
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_OWN = "Made in this home."
_VERDICTS = "Answers that reviewers found correct: asked again, they must come out the same."
_HOME = "Look-ups, counts, lacks, groups and searches, made of its own sure cells and pages when it is run."


class SuiteShelf:
    """Every suite of a home, for a principal who sees so much. verdicts: the cases of reviewers."""

    def __init__(
        self, parts: Parts, principal: Principal, visible: Visibility, verdicts: Callable[[], Sequence[Case]]
    ) -> None:
        self._parts, self._principal = parts, principal
        self._visible, self._verdicts = visible, verdicts

    def overviews(self) -> list[SuiteOverview]:
        """Every suite with what it holds, shipped ones first."""
        kept = self._parts.records.evaluation_suites
        muted = Counter(str(each["suite"]) for each in kept.muted())
        found = [
            *(
                self._overview(each.name, each.title, SuiteKind.SHIPPED, each.about, each.load())
                for each in SHIPPED.values()
            ),
            self._overview(REVIEWS, "Verdicts", SuiteKind.REVIEWS, _VERDICTS, self._verdicts()),
            SuiteOverview(
                HOME,
                "This home",
                SuiteKind.HOME,
                _HOME,
                0,
                problem="" if self.files() else "There are no documents yet.",
            ),
            *(
                self._overview(each.name, each.title, SuiteKind.OWN, _OWN, cases)
                for each, cases in self._own().values()
            ),
        ]
        return [replace(each, muted=muted[each.name]) for each in found]

    def cases(self, suite: str) -> tuple[Case, ...]:
        """The cases of a suite. Raises NotFoundError for an unknown one; UsageError where it has none."""
        if suite in SHIPPED:
            return SHIPPED[suite].load()
        if suite == REVIEWS:
            step = "Find answers correct on the page Review, or with: groundwork review resolve"
            return _some(tuple(self._verdicts()), "No answer has become a case yet.", step)
        if suite == HOME:
            return _some(self._of_home(), "This home has no sure cells and no text.", "Ingest documents.")
        own = self._own(suite)
        if suite not in own:
            names = ", ".join((*SHIPPED, REVIEWS, HOME, *self._own()))
            raise NotFoundError(f"There is no suite {suite!r}.", next_step=f"Choose one of: {names}.")
        return own[suite][1]

    def files(self) -> frozenset[str]:
        """File names of the documents that may be seen."""
        return frozenset(each.name for each in files_of(self._parts.records, self._visible))

    def fitted(self, suite: str, cases: Sequence[Case]) -> list[tuple[Case, str]]:
        """The cases as they hold in this home, each with why it has no right answer here; "" where it has."""
        ground = suite_ground(self._parts.records, self._visible, suite)
        return [fitted(each, ground) for each in cases]

    def _every_file(self) -> frozenset[str]:
        return frozenset(each.name for each in files_of(self._parts.records, Visibility.everything()))

    def _own(self, only: str = "") -> Mapping[str, tuple[KeptSuite, tuple[Case, ...]]]:
        """Own suites, or the only one of a name, without cases that name a document that may not be seen."""
        is_all = self._visible.groups is None
        hidden = frozenset() if is_all else self._every_file() - self.files()
        found = {}
        for each in self._parts.records.evaluation_suites.list(only):
            cases = (Case.model_validate(case) for case in each.cases)
            found[each.name] = (each, tuple(case for case in cases if hidden.isdisjoint(case.expect.files)))
        return found

    def _overview(
        self, name: str, title: str, kind: SuiteKind, about: str, cases: Sequence[Case]
    ) -> SuiteOverview:
        shapes = Counter(each.shape.value for each in cases)
        return SuiteOverview(
            name, title, kind, about, len(cases), dict(shapes), problem=self.problem(name, cases)
        )

    def problem(self, suite: str, cases: Sequence[Case]) -> str:
        """Why some cases cannot come out right in this home, in sentences; "" where nothing tells so."""
        said = []
        if missing := unknown_documents(cases, self.files()):
            names = ", ".join(missing[:_SHOWN_FILES])
            more = ", …" if len(missing) > _SHOWN_FILES else ""
            said.append(f"{len(missing):,} of its documents are not in this home: {names}{more}.")
        reasons = Counter(reason for _, reason in self.fitted(suite, cases) if reason)
        said += [
            f"{count:,} of its cases will be skipped. {reason}" for reason, count in reasons.most_common()
        ]
        return " ".join(said)

    def _of_home(self) -> tuple[Case, ...]:
        matrix, is_whole = self._matrix()

        def frequencies(words: Sequence[str]) -> Sequence[int]:
            terms = [content_terms(word)[:1] for word in words]
            known = self._parts.engines.passages.document_frequencies(
                [each for some in terms for each in some]
            )
            return [known.of_terms[some[0]] if some else 0 for some in terms]

        schemas = self._parts.schemas.schemas()
        return home_cases(schemas, matrix, self._pages(), frequencies, is_whole=is_whole)

    def _matrix(self) -> tuple[Matrix, bool]:
        """Cells of the home, and whether they are all of it: of a large one those of some documents."""
        from core.workbench.services.matrix import MatrixService

        service = MatrixService(self._parts, self._principal)
        if self._parts.records.documents.count(self._visible, DocumentQuery()) <= MOST_ROWS:
            return service.read(), True
        rows = service.page(MatrixQuery(limit=MOST_ROWS)).rows
        cells = tuple(cell for row in rows for cell in row.cells.values())
        return Matrix((), tuple(row.document for row in rows), cells), False

    def _pages(self) -> Iterator[HomePage]:
        """First pages of some documents, the same ones each time."""
        documents = self._parts.records.documents
        ready = DocumentQuery(status=DocumentStatus.READY, limit=MOST_PAGED)
        for each in documents.list(self._visible, ready):
            for number in range(1, min(each.pages, 3) + 1):
                page = documents.page(each.id, each.version, number, self._visible)
                yield HomePage(each.source, number, page.text)


def own_name(name: str) -> str:
    """The name, where it can be that of an own suite. Raises UsageError."""
    if not _NAME.fullmatch(name) or len(name) > 60 or name in (*SHIPPED, REVIEWS, HOME):
        raise UsageError(
            f"{name!r} cannot be the name of an own suite.",
            next_step="Use small letters, digits and '-', and no name of a suite that ships.",
        )
    return name


def _some(cases: tuple[Case, ...], problem: str, step: str) -> tuple[Case, ...]:
    if not cases:
        raise UsageError(problem, next_step=step)
    return cases
