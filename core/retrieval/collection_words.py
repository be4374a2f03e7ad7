"""Words written anywhere in the collection, within what a principal may see."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from core.domain.document import PAGE_DETAILS
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.errors import IndexUnavailableError, NotFoundError
from core.records.database.visibility import Visibility
from core.records.store import Records
from core.retrieval.search import Retrieval
from core.text.analyse import analyse

_POOL = 50
_APART = 2  # words that may stand between those of a phrase
_JOINTS = re.compile(r"[\s\-\u2010\u2011/_.]")
_HAS_DIGIT = re.compile(r"\d")


class PassageFinder(Protocol):
    """Finds passages; `workbench.finder` is the real one."""

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        """The candidate passages with the question's analysis."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenTexts:
    """Texts of a collection's documents, for one visibility; the `Texts` of a planner."""

    finder: PassageFinder
    records: Records
    visible: Visibility

    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        """True where a passage, title or file name has the words together; True if none can be asked."""
        spaced = phrase.replace("_", " ")  # as file names join words
        wanted = list(dict.fromkeys(analyse(spaced)))
        query = SearchQuery(spaced, mode="keyword", top_k=_POOL, buckets=buckets, resolve=False)
        try:
            found = self.finder.retrieve(query, self.visible)
        except IndexUnavailableError:
            return True
        code = _JOINTS.sub("", phrase.casefold()) if _HAS_DIGIT.search(phrase) else ""
        for candidate in found.candidates:
            stored = candidate.stored
            for text in (stored.passage.text, stored.title, stored.source):
                if code and code in _JOINTS.sub("", text.casefold()):
                    return True
                if not code and wanted and _is_near(wanted, analyse(text)):
                    return True
        return False

    def of(self, document: str) -> str:
        """The pages of a document, one after the other."""
        try:
            found = self.records.documents.version(DocumentId(document), None, self.visible)
        except NotFoundError:
            return ""
        return "\n\n".join(page.text for page in found.pages if page.label != PAGE_DETAILS)


def _is_near(wanted: list[str], terms: list[str]) -> bool:
    """True where all of the wanted terms stand in a window little longer than they are."""
    if len(wanted) == 1:
        return wanted[0] in terms
    size = len(wanted) + _APART
    places = [at for at, term in enumerate(terms) if term in wanted]
    return any(set(wanted) <= set(terms[at : at + size]) for at in places)
