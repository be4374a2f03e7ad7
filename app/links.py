"""The pages by name, for links from one to another: a page never imports another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from streamlit import Page

if TYPE_CHECKING:
    from core.domain.answer import Citation, EvidenceItem
    from core.domain.results import PassageHit
    from core.domain.span import PageSpan

_pages: dict[str, Page] = {}


def register(pages: Mapping[str, Page]) -> None:
    """Name the pages that there are; the router does."""
    _pages.update(pages)


def page(name: str) -> Page:
    """The page of that name."""
    return _pages[name]


def answer(conversation: str, turn: str) -> dict[str, str]:
    """Query parameters by which addresses find an answer again."""
    return {"conversation": conversation, "turn": turn}


def inspector(plan: str = "", question: str = "", buckets: Sequence[str] = ()) -> str:
    """The address that opens a plan. plan: the trace of an answer, or a saved audit; else it is made anew."""
    asked = {"plan": plan, "question": "" if plan else question, "in": "" if plan else ",".join(buckets)}
    return f"/inspector?{urlencode({name: value for name, value in asked.items() if value})}"


def ways(one: str, other: str, **filters: str) -> str:
    """The address of the ways between two names on the map."""
    return f"/map?{urlencode({**filters, 'from': one, 'to': other})}"


def rows_by_sql(sql: str) -> str:
    """The address of the editor of SQL with a statement in it, which runs."""
    return f"/datasets?{urlencode({'view': 'SQL', 'sql': sql})}"


def shared(secret: str) -> str:
    """The address of a shared link."""
    return f"/shared?{urlencode({'link': secret})}"


def crawl(crawl: str, **filters: str) -> str:
    """The address of a crawl; with filters, of the lines of its ledger that fulfil them."""
    asked = {"crawl": crawl, **({"view": "Addresses", **filters} if filters else {})}
    return f"/crawl?{urlencode(asked)}"


def place(document: str, version: int | None = None, page: int = 0, start: int = 0, end: int = 0) -> str:
    """The address of a document, or of a span on one of its pages."""
    asked: dict[str, object] = {"document": document}
    if version is not None and page:
        asked |= {"version": version, "page": page, "start": start, "end": end}
    return f"/documents?{urlencode(asked)}"


def span(document: str, version: int, of: PageSpan | None) -> str:
    """The address of a span of a document; of the document where there is none."""
    return place(document, version, of.page_no, of.start, of.end) if of is not None else place(document)


def cited(each: Citation | EvidenceItem | PassageHit) -> str:
    """The address of a cited place."""
    return place(each.document, each.version, each.page, each.start, each.end)
