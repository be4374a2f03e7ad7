"""Summaries of one document, of those ticked, or of all that match: asked for here, answered in Ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app import links, services, state
from app.components.shell import draw_error
from app.running.attendance import current_session
from core.domain.answer import Answer
from core.domain.document import DocumentSummary
from core.domain.fields import SummaryKind
from core.domain.ids import DocumentId
from core.errors import GroundworkError

MOST = 5_000  # documents of one summary that are named one by one


def draw_summarise(
    key: str,
    label: str,
    documents: Sequence[DocumentId] = (),
    bucket: str | None = None,
    *,
    help: str = "",
    files: str = "",
) -> None:
    """A menu of the three readers; a choice opens Ask with the summary. files: links to save it by."""
    with st.popover(label, icon=":material/summarize:", type="tertiary", help=help or None, key=key):
        for kind in SummaryKind:
            if st.button(
                f"{kind.value.capitalize()} summary",
                key=f"{key}-{kind.value}",
                type="tertiary",
                width="stretch",
            ):
                _ask(kind, documents, bucket)
        if files:
            st.caption(files)


def _ask(kind: SummaryKind, documents: Sequence[DocumentId], bucket: str | None) -> None:
    session = services.session()
    try:
        question = session.summaries.question(kind, documents, bucket)
        conversation = session.conversations.create(question.buckets).id
        services.turns().start(conversation, question, current_session())
    except GroundworkError as error:
        draw_error(error)
        return
    state.open_conversation(conversation)
    st.switch_page(links.page("ask"), query_params={"conversation": conversation})


def draw_summary_actions(document: DocumentSummary) -> None:
    """The summary with its fields, or as the model writes it, in Ask; and as files."""
    model = services.session().summaries.model
    label = f"Write with {model}" if model else "Summarise in Ask, with its fields"
    told = "Every sentence is checked against the words that it cites" if model else ""
    address = f"/api/summaries?document={document.id}&kind="
    files = " · ".join(f"[{kind.value.capitalize()}]({address}{kind.value})" for kind in SummaryKind)
    key = f"summarise-{document.id}"
    draw_summarise(key, label, [document.id], help=told, files=f"As Markdown: {files}")


def written_of(document: DocumentId) -> dict[SummaryKind, Answer]:
    """Texts that a model wrote of the document as it is now, by reader; {} where no model is configured."""
    summaries = services.session().summaries
    return {kind: summaries.show(kind, [document]) for kind in SummaryKind} if summaries.model else {}


def draw_summarise_all(filters: Mapping[str, Any], matching: int) -> None:
    """The menu over all that the table lists; where they are too many to be named, over a bucket alone."""
    is_narrowed = any(value for name, value in filters.items() if name != "bucket")
    if matching < 2 or (is_narrowed and matching > MOST):
        return
    ids: Sequence[DocumentId] = ()
    if is_narrowed:
        ids = [each.id for each in services.session().documents.list(**filters, once=True, limit=MOST)]
    draw_summarise("summarise-all", "Summarise these", ids, filters.get("bucket"))
