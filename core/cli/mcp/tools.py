"""Tools of the MCP server: each is a call of a session's service, and gives JSON as the command line does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from core.domain.answer import LEDGER_PARTS, Answer, Citation
from core.domain.ids import DocumentId, TraceId
from core.domain.search import SearchQuery
from core.domain.wire.documents import standing_json
from core.domain.wire.records import SearchResult, WholeDocument
from core.domain.wire.shapes import envelope
from core.errors import NotFoundError, UsageError
from core.plan.clarify import Clarify
from core.workbench.session import Session

MOST_PAGES = 20
MOST_LISTED = 1_000

Query = Annotated[str, Field(min_length=1, max_length=4_000, description="what to look for, in plain words")]
Question = Annotated[str, Field(min_length=1, max_length=8_000, description="the question, in plain words")]
Bucket = Annotated[str, Field(max_length=200, description="only this bucket; empty for all of them")]
Trace = Annotated[
    str, Field(min_length=1, max_length=100, description="`trace_id` of an answer that you were given")
]
Document = Annotated[str, Field(min_length=1, max_length=100, description="the id of the document")]
PlanJson = Annotated[dict[str, Any], Field(description="a plan as `plan` gives it, also an edited one")]


@dataclass(frozen=True, slots=True)
class ToolSpecification:
    """A tool. scope: what a token must be good for. run: takes the session first, then its arguments.

    is_lasting: it keeps something, an answer's trace; all others only read.
    """

    name: str
    scope: str
    run: Callable[..., dict[str, Any]]
    is_lasting: bool = False

    @property
    def description(self) -> str:
        """What it gives, for the model that calls it."""
        return " ".join((self.run.__doc__ or "").split())


def search(
    session: Session,
    query: Query,
    index: Literal["passages", "clauses", "parties", "financials", "summaries"] = "passages",
    mode: Literal["hybrid", "keyword", "semantic"] = "hybrid",
    bucket: Bucket = "",
    top_k: Annotated[int, Field(ge=1, le=200)] = 10,
) -> dict[str, Any]:
    """Find the passages, clauses, parties, amounts or summaries that fit a query best. Each hit has its
    document, version, page and place: `text` is the stored page text [start:end]. The best ones only; for
    counts and complete lists use `ask`.
    """
    buckets = (_known_bucket(session, bucket),) if bucket else ()
    wanted = SearchQuery(query, mode, None, top_k, buckets=buckets, index=index)
    return SearchResult.of(session.documents.search(wanted)).json_ready()


def ask(session: Session, question: Question, bucket: Bucket = "") -> dict[str, Any]:
    """Answer a question from the collection. Every claim rests on quotes that were checked against their
    stored pages; counts, sums and lists have a ledger of all documents in scope. `trace_id` names the answer
    for `verified_spans` and `ledger`. A question that is vague comes back with choices (`clarification`).
    """
    buckets = (_known_bucket(session, bucket),) if bucket else ()
    return session.questions.ask(question, buckets=buckets).model_dump(mode="json", by_alias=True)


def plan(session: Session, question: Question, bucket: Bucket = "") -> dict[str, Any]:
    """Show the plan of a question: its steps, with estimates. Nothing runs. `plan` can be edited and given to
    `run_plan`; `clarification` is there instead where the question has several meanings.
    """
    buckets = (_known_bucket(session, bucket),) if bucket else ()
    made = session.plans.make(question, buckets=buckets)
    if isinstance(made, Clarify):
        return envelope(plan=None, problems=[], clarification=made.model_dump(mode="json"))
    problems = [
        {"node": each.node, "message": each.message, "next_step": each.next_step}
        for each in session.plans.problems(made)
    ]
    return envelope(plan=made.model_dump(mode="json"), problems=problems, clarification=None)


def run_plan(session: Session, plan: PlanJson) -> dict[str, Any]:
    """Run a plan over fields and sets, also one that was edited, and answer from it, with its ledger. No
    trace is kept of it.
    """
    found = session.plans.load({"plan": plan})
    return session.plans.answer(found).model_dump(mode="json", by_alias=True)


def get_document(
    session: Session,
    document: Document,
    version: Annotated[int, Field(ge=0, description="0 for the current one")] = 0,
    first_page: Annotated[int, Field(ge=1)] = 1,
    pages: Annotated[int, Field(ge=1, le=MOST_PAGES)] = MOST_PAGES,
) -> dict[str, Any]:
    """Read a document: what it is, and the stored text of some of its pages. Spans of hits and citations are
    places [start:end) in these texts. `page_count` says how many pages there are.
    """
    found = session.documents.get(DocumentId(document), version or None)
    data = WholeDocument.of(found).json_ready()
    data["page_count"] = len(data["pages"])
    data["pages"] = [each for each in data["pages"] if first_page <= each["page"] < first_page + pages]
    return data


def verified_spans(session: Session, trace_id: Trace) -> dict[str, Any]:
    """Hold every citation of an answer against its stored page once more: whether the page says these very
    words at that place, and whether the document has changed since.
    """
    answer = session.questions.kept(TraceId(trace_id))
    citations = _citations(answer)
    known = session.documents.by_id({DocumentId(each.document) for each in citations})
    shown = [each for each in citations if DocumentId(each.document) in known]
    standings = session.citations.standings(shown)
    spans = [
        {
            "n": each.n,
            "document": each.document,
            "title": known[DocumentId(each.document)].name,
            "version": each.version,
            "page": each.page,
            "start": each.start,
            "end": each.end,
            "quote": each.quote,
            "verified": _says(session, each),
            "standing": standing_json(standing),
        }
        for each, standing in zip(shown, standings, strict=True)
    ]
    return envelope(trace_id=trace_id, spans=spans, not_readable=len(citations) - len(shown))


def ledger(
    session: Session,
    trace_id: Trace,
    part: Literal["", "present", "absent", "uncertain", "unreadable"] = "",
    offset: Annotated[int, Field(ge=0)] = 0,
    limit: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 200,
) -> dict[str, Any]:
    """List the documents behind the counts of an answer, part by part: present, absent, uncertain and
    unreadable together are all documents in scope. `reason` says why a document is uncertain or unreadable.
    """
    answer = session.questions.kept(TraceId(trace_id))
    found = next((each.ledger for each in (answer, *answer.parts) if each.ledger is not None), None)
    if found is None:
        raise NotFoundError(
            "This answer has no ledger: it rests on the passages that were found.",
            next_step="Ask for a count, a sum or a list, or look at its citations with verified_spans.",
        )
    parts = {}
    for name in LEDGER_PARTS if not part else (part,):
        ids: Sequence[str] = getattr(found.documents, name)
        chosen = [DocumentId(each) for each in ids[offset : offset + limit]]
        known = session.documents.by_id(chosen)
        parts[name] = {
            "total": len(ids),
            "documents": [
                {"document": each, "title": known[each].name, "reason": found.reasons.get(each, "")}
                for each in chosen
                if each in known
            ],
        }
    counts = {name: getattr(found, name) for name in ("scope", *LEDGER_PARTS)}
    return envelope(
        trace_id=trace_id,
        field=found.field,
        about=found.about,
        is_exhaustive=found.is_exhaustive,
        **counts,
        parts=parts,
    )


TOOLS: Mapping[str, ToolSpecification] = {
    each.name: each
    for each in (
        ToolSpecification("search", "read", search),
        ToolSpecification("ask", "ask", ask, is_lasting=True),
        ToolSpecification("plan", "ask", plan),
        ToolSpecification("run_plan", "ask", run_plan),
        ToolSpecification("get_document", "read", get_document),
        ToolSpecification("verified_spans", "ask", verified_spans),
        ToolSpecification("ledger", "ask", ledger),
    )
}
"""All tools by name."""


def _known_bucket(session: Session, name: str) -> str:
    known = [each.name for each in session.documents.buckets()]
    if name not in known:
        expected = f"Expected one of: {', '.join(known)}." if known else "There are no buckets yet."
        raise UsageError(f"There is no bucket {name!r}. {expected}", next_step="Choose one, or leave it out.")
    return name


def _citations(answer: Answer) -> list[Citation]:
    """Every citation of an answer and of its parts, in order."""
    return [citation for each in (answer, *answer.parts) for citation in each.citations]


def _says(session: Session, citation: Citation) -> bool:
    """True where the stored page says these very words at that place."""
    try:
        page = session.documents.page(DocumentId(citation.document), citation.version, citation.page)
    except NotFoundError:
        return False
    return page.text[citation.start : citation.end] == citation.quote
