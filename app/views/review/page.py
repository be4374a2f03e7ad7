"""Review: flagged answers, worked one after the other, and what the verdicts say."""

from __future__ import annotations

import streamlit as st

from app import links, services, state
from app.components.controls import draw_page_link
from app.components.pages import draw_pages
from app.components.review_item import draw_review_item
from app.components.shell import moment, plain
from app.presenting.document_pages import Span, place_pages
from app.presenting.trust.review_words import item_json
from app.views.review import actions, queue
from app.views.review.correction import documents_of, draw_correction
from app.views.review.quality import draw_cases, draw_quality
from core.domain.answer import LEDGER_PARTS, Answer, Citation
from core.domain.trust.permission import Action
from core.domain.trust.review import ReviewItem, ReviewPage
from core.errors import GroundworkError, NotFoundError
from core.review.flags import claims_in
from core.workbench.trust.reviews import ReviewDetails

_MOST_DOCUMENTS = 60


def page() -> None:
    """Draw the page."""
    st.title("Review", anchor=False)
    waiting, quality, cases = st.tabs(
        ["Queue", "Quality", "Cases"], key="review-part", bind="query-params", on_change="rerun"
    )
    if waiting.open:
        with waiting:
            _draw_queue()
    if quality.open:
        with quality:
            draw_quality()
    if cases.open:
        with cases:
            draw_cases()


def _draw_queue() -> None:
    queue.draw_filters()
    asked = queue.wanted()
    session = services.session()
    shown = session.reviews.page(asked)
    if not shown.items:
        st.info(
            "No answer waits. Answers come here when they are doubtful, when a guardrail or an asker marked "
            "them, and by chance: one in a hundred."
        )
    else:
        queue.draw_export(shown, asked)
        opened = state.from_address("item")
        queue.draw_queue(shown, asked, opened, actions.open_item, actions.sort, actions.turn)
        if not opened:
            st.markdown(":small[Choose a row to review its answer. From there on keys do everything.]")
    if opened := state.from_address("item"):
        _draw_item(opened, shown)


def _draw_item(opened: str, shown: ReviewPage) -> None:
    try:
        found = services.session().reviews.get(opened)
    except NotFoundError as error:
        st.warning(f"{plain(error.message)} {plain(error.next_step)}")
        return
    citations = _citations(found.answer)
    n = state.from_address("n")
    focus = int(n) if n.isdecimal() and int(n) in citations else next(iter(citations), None)
    left, right = st.columns([0.52, 0.48], gap="medium")
    with left:
        data = item_json(
            found,
            me=services.current_principal().user,
            place=queue.place_of(shown.items, opened),
            total=len(shown.items),
            focus=focus,
            said=_said(found),
            moment=moment,
        )
        draw_review_item(
            data,
            save=actions.save,
            step=lambda sent: actions.step(str(sent["item"]), int(sent["by"])),
            focus=lambda sent: state.to_address(n=int(sent["n"])),
            claim=lambda sent: actions.claim(str(sent["item"]), bool(sent["release"]), bool(sent["over"])),
            reopen=lambda sent: actions.reopen(str(sent["item"])),
        )
        _draw_ways(found.item)
        if found.answer is not None:
            draw_correction(found.item, found.answer)
    with right:
        if focus is not None:
            _draw_place(citations[focus])
        elif found.answer is not None:
            _draw_uncited(found.answer)


def _draw_ways(item: ReviewItem) -> None:
    """Ways from the item to how its answer came about."""
    with st.container(horizontal=True):
        st.link_button("Plan", links.inspector(question=item.question), icon=":material/account_tree:")
        if services.may(Action.AUDIT):
            draw_page_link("audit", "In the audit log", "fact_check", trace=item.trace)


def _draw_uncited(answer: Answer) -> None:
    """The documents of an answer without citations, each a way to its pages."""
    counted_in = documents_of(answer)[:_MOST_DOCUMENTS]
    known = services.session().documents.by_id(counted_in)
    if not known:
        st.info("This answer cites no place, and names no document. Its plan says how it came about.")
        return
    st.markdown("**Documents of this answer**")
    st.caption("No place is cited for what is absent: open a document to look for yourself.")
    states = _states(answer)
    rows = [
        f"- [{plain(known[each].name)}]({links.place(each)}){states.get(each, '')}"
        for each in counted_in
        if each in known
    ]
    st.markdown("\n".join(rows))


def _states(answer: Answer) -> dict[str, str]:
    """The part of a ledger that each document is in, as words behind its name."""
    ledgers = [part.ledger for part in answer.parts or (answer,)]
    return {
        document: f": {part}"
        for ledger in ledgers
        if ledger is not None and not ledger.fulfils
        for part in LEDGER_PARTS
        for document in getattr(ledger.documents, part)
    }


def _said(found: ReviewDetails) -> tuple[str, str]:
    """A message about the item, and its tone: somebody was faster, or works on it."""
    item, me = found.item, services.current_principal().user
    if message := state.review_message(item.id):
        return message, "wrong"
    if item.verdict is None and item.assignee not in ("", me):
        return f"{item.assignee} works on this answer.", "wrong"
    return "", ""


def _citations(answer: Answer | None) -> dict[int, Citation]:
    claims = claims_in(answer) if answer is not None else ()
    return {place.n: place for claim in claims for place in claim.citations}


def _draw_place(place: Citation) -> None:
    """The cited page with its words marked; where it is gone, the quote as it was cited."""
    st.markdown(f"**{plain(place.title)}**, page {place.page}")
    try:
        found = place_pages(place)
    except GroundworkError as error:
        st.warning(f"{plain(error.message)} The quote is kept as it was cited.")
        st.markdown(f"> {plain(place.quote)}")
        return
    draw_pages(
        found.pages,
        key="review-pages",
        as_text=False,
        focus=Span(place.page, place.start, place.end, found.boxes),
        excerpt=found.excerpt,
    )
