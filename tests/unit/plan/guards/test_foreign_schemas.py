"""Questions over pages of a site, which name what pages have no field for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.domain.answer import Route
from core.plan.catalogue import DocumentEntry, KnownCatalogue, ValueEntry
from core.plan.ir.nodes import Plan, Search
from core.plan.planner import RulePlanner
from tests.support.known_collection import known_collection


class _AllWritten:
    """Texts in which every word stands."""

    def holds(self, phrase: str, buckets: tuple[str, ...] = ()) -> bool:
        return True

    def of(self, document: str) -> str:
        return ""


def _site() -> KnownCatalogue:
    """Pages alone: no document of any other schema."""
    titles = ("FTS5 Extension", "Built-In SQL Functions", "User SQL Functions", "TH3", "City of Lisbon")
    pages = tuple(
        DocumentEntry(f"p{at}", title, f"https://example.org/{at}.html", "pages", "pages")
        for at, title in enumerate(titles)
    )
    known = known_collection()
    schemas = tuple(
        replace(each, documents=len(pages) if each.name == "pages" else 0) for each in known.schemas
    )
    values = (ValueEntry("pages", "publisher", "Lisbon City Museum", 1),)
    return KnownCatalogue("site", schemas, (), pages, values)


def planned(question: str) -> Plan:
    plan = RulePlanner(_site(), today=date(2026, 11, 25), texts=_AllWritten()).plan(question)
    assert isinstance(plan, Plan)
    return plan


@pytest.mark.parametrize(
    "question",
    [
        "Which tokenizers ship inside the FTS5 full-text module?",
        "Which tokenizers does the FTS5 extension offer?",
        "Name built-in SQL functions that may give a different answer each time they are called.",
        "On what date was the first TH3 code written?",
        "How much is paid for a reported security hole under the bounty scheme?",
        "What is the most tables that a wide join may contain?",
        "Who is the mayor of Lisbon?",
        "What kinds of temporary files may the engine create?",
    ],
)
def test_what_no_document_states_is_asked_of_the_text(question: str) -> None:
    plan = planned(question)

    assert plan.route in (Route.HYBRID, Route.LONG_TEXT)
    assert not plan.nodes[0].scope.documents if isinstance(plan.nodes[0], Search) else False


@pytest.mark.parametrize(
    "question",
    ["How many pages are there?", "Which pages mention FTS5?", "How many invoices are there?"],
)
def test_documents_that_are_named_as_such_are_listed_and_counted(question: str) -> None:
    assert planned(question).route is Route.STRUCTURED


def test_a_field_of_absent_documents_is_still_what_has_to_be_said() -> None:
    assert planned("What discount do universities get on membership?").asked == "discount"
