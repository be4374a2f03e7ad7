"""One search over every index, and along titles where a question needs two passages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from core.domain.ids import DocumentId
from core.domain.search import SearchQuery, SearchReport
from core.search.search import Retrieval, Retriever
from core.store.database.visibility import Visibility
from core.workbench.finder import IndexFinder

BRIDGE = "the country where the founder of Halden was born"
ALL = Visibility.everything()


@dataclass
class Spy:
    """A retriever that finds one thing, and says what was asked of it."""

    asked: list[str] = field(default_factory=list)

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """One search."""
        del query, visibility
        self.asked.append("search")
        return SearchReport(())

    def report(self, found: Retrieval, query: SearchQuery) -> SearchReport:
        """What was found."""
        del query
        self.asked.append("report")
        return SearchReport((), found.named_documents)


def search(spy: Spy, text: str, **values: Any) -> list[str]:
    finder = IndexFinder(lambda: cast(Retriever, spy), lambda: cast(Any, None))
    finder.search(SearchQuery(text, **values), ALL)
    return spy.asked


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("What is the liability cap?", {}),
        (BRIDGE, {"mode": "keyword"}),
        (BRIDGE, {"documents": (DocumentId("d1"),)}),
    ],
)
def test_most_questions_are_searched_once(text: str, values: dict[str, Any]) -> None:
    assert search(Spy(), text, **values) == ["search"]


def test_a_question_that_needs_two_passages_goes_along_the_titles(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Hops:
        finder: object

        def search(self, query: SearchQuery, visibility: Visibility) -> Any:
            """Found along titles."""
            del query, visibility
            return type("Found", (), {"retrieval": Retrieval(cast(Any, None), (), (DocumentId("second"),))})()

    monkeypatch.setattr("core.search.multi_hop.MultiHop", Hops)
    spy = Spy()
    finder = IndexFinder(lambda: cast(Retriever, spy), lambda: cast(Any, None))
    found = finder.search(SearchQuery(BRIDGE), ALL)
    assert found.named_documents == (DocumentId("second"),)
