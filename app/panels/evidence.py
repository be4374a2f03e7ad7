"""Evidence panel, read from the workbench: a cited place, its page, its scores."""

from __future__ import annotations

from app import services, state
from app.components.evidence import Evidence
from app.presenting import answer_parts
from app.presenting.pages import boxes_of, excerpt_of, page_set
from app.state import Kind
from core.domain.answer import Answer, Citation, NearPassage
from core.domain.conversation import find_turn
from core.domain.ids import ConversationId, DocumentId
from core.domain.search import SearchHit, SearchQuery
from core.domain.span import PageSpan
from core.errors import GroundworkError, NotFoundError

DEPTH = 50


def read_evidence(conversation: ConversationId, shown: tuple[str, Kind, int]) -> Evidence | None:
    """The place that the panel points at; None where it is gone."""
    session = services.session()
    try:
        turns = session.conversations.turns(conversation)
        buckets = session.conversations.get(conversation).buckets
    except NotFoundError:
        return None
    turn = find_turn(turns, shown[0])
    if turn is None or turn.answer is None:
        return None
    kind, number = shown[1], shown[2]
    places = _places(turn.answer, kind)
    place = places.get(number)
    if place is None:
        return None
    numbers = tuple(places)
    try:
        document = session.documents.get(DocumentId(place.document), version=place.version)
        (standing,) = session.citations.standings([place])
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
        standing=standing,
        compare=lambda: session.citations.compare(
            DocumentId(place.document), place.version, PageSpan(place.page, place.start, place.end)
        ),
        excerpt=excerpt_of(text, place.start, place.end) if place.end > place.start else None,
    )


def _places(answer: Answer, kind: Kind) -> dict[int, Citation | NearPassage]:
    """The places of one kind in an answer, by number."""
    if kind == "cite":
        return {c.n: c for c in answer.citations}
    return {
        **(dict(enumerate(answer.nearest)) if kind == "near" else answer_parts.citations_of(answer, kind))
    }


def step_evidence(step: int) -> None:
    """Go to the next or the previous citation of the same answer."""
    shown = state.evidence()
    conversation = state.conversation()
    if not shown or not conversation:
        return
    turns = services.session().conversations.turns(conversation)
    turn = find_turn(turns, shown[0])
    answer = turn.answer if turn is not None else None
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
    session = services.session()
    for documents in ((), (DocumentId(document),)):
        query = SearchQuery(question, top_k=DEPTH, buckets=buckets, documents=documents)
        for hit in session.documents.search(query).hits:
            if hit.document == document and hit.page == page and hit.start <= start < hit.end:
                return hit
    return None
