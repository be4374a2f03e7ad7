"""What the evidence panel shows, read from the workbench: a cited place, its page, its scores."""

from __future__ import annotations

from app import services, state
from app.components.evidence import Evidence
from app.components.pages import Excerpt, PageSet
from app.presenting import answer_parts
from app.presenting.wording import read_by
from app.state import Kind
from core.domain.answer import Answer, Citation, NearPassage
from core.domain.document import DocumentVersion
from core.domain.ids import ConversationId, DocumentId
from core.domain.search import SearchHit, SearchQuery
from core.domain.span import Box
from core.errors import GroundworkError, NotFoundError

DEPTH = 50
AROUND = 240  # characters


def read_evidence(conversation: ConversationId, shown: tuple[str, Kind, int]) -> Evidence | None:
    """The place that the panel points at; None where it is gone."""
    bench, principal = services.bench(), services.current_principal()
    try:
        turns = bench.turns(conversation, principal)
        buckets = bench.conversation(conversation, principal).buckets
    except NotFoundError:
        return None
    turn = next((t for t in turns if t.id == shown[0]), None)
    if turn is None or turn.answer is None:
        return None
    kind, number = shown[1], shown[2]
    places = _places(turn.answer, kind)
    place = places.get(number)
    if place is None:
        return None
    numbers = tuple(places)
    try:
        document = bench.document(DocumentId(place.document), principal, version=place.version)
        newest = bench.document(DocumentId(place.document), principal).version
        pages = page_set(document)
        boxes = boxes_of(pages, place.page, place.start, place.end)
        text = document.pages[place.page - 1].text if place.page <= pages.pages else ""
    except GroundworkError as error:
        is_removed = isinstance(error, NotFoundError)
        return Evidence(
            turn, kind, number, numbers, place, None, missing=error.message, is_removed=is_removed
        )
    return Evidence(
        turn,
        kind,
        number,
        numbers,
        place,
        pages,
        boxes,
        buckets,
        newest=newest,
        excerpt=excerpt_of(text, place.start, place.end) if place.end > place.start else None,
    )


def _places(answer: Answer, kind: Kind) -> dict[int, Citation | NearPassage]:
    """The places of one kind in an answer, by number."""
    if kind == "cite":
        return {c.n: c for c in answer.citations}
    return {
        **(dict(enumerate(answer.nearest)) if kind == "near" else answer_parts.citations_of(answer, kind))
    }


def excerpt_of(text: str, start: int, end: int) -> Excerpt:
    """The span with up to 240 characters before and after it, cut between words."""
    head, tail = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    if start > AROUND:
        head = "…" + head[head.find(" ") :] if " " in head else "…"
    if end + AROUND < len(text):
        tail = tail[: tail.rfind(" ")] + " …" if " " in tail else "…"
    return Excerpt(head, text[start:end], tail)


def page_set(document: DocumentVersion) -> PageSet:
    """How the viewer is to draw this version."""
    bench, principal, summary = services.bench(), services.current_principal(), document.summary
    size = bench.page_size(summary.id, principal, document.version, 1) if document.pages else None
    return PageSet(
        document=summary.id,
        version=document.version,
        hash=f"{summary.content_hash[:12]}-{document.version}",
        title=summary.title,
        pages=len(document.pages),
        ratio=size.height_pt / size.width_pt if size else None,
        is_table="csv" in summary.media_type or "sheet" in summary.media_type,
        mark=read_by(document.metadata),
    )


def boxes_of(pages: PageSet, page_no: int, start: int, end: int) -> tuple[Box, ...]:
    """Where the span stands on the page image; () where there is none."""
    if pages.ratio is None or end <= start:
        return ()
    principal = services.current_principal()
    return tuple(services.bench().boxes(pages.document, principal, pages.version, page_no, [(start, end)])[0])


def step_evidence(step: int) -> None:
    """Go to the next or the previous citation of the same answer."""
    shown = state.evidence()
    conversation = state.conversation()
    if not shown or not conversation:
        return
    turns = services.bench().turns(conversation, services.current_principal())
    answer = next((turn.answer for turn in turns if turn.id == shown[0]), None)
    if answer is None:
        return
    kind, number = shown[1], shown[2]
    numbers = list(_places(answer, kind))
    at = numbers.index(number) + step if number in numbers else -1
    if 0 <= at < len(numbers):
        state.show_evidence(shown[0], kind, numbers[at])


def find_scores(
    question: str, buckets: tuple[str, ...], document: str, page: int, start: int
) -> SearchHit | None:
    """The passage around this place as a search for the question ranks it now; None where it is not found."""
    bench, principal = services.bench(), services.current_principal()
    for documents in ((), (DocumentId(document),)):
        query = SearchQuery(question, top_k=DEPTH, buckets=buckets, documents=documents)
        for hit in bench.search(query, principal).hits:
            if hit.document == document and hit.page == page and hit.start <= start < hit.end:
                return hit
    return None
