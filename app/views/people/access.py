"""The tab Document access: whom documents are open to, and what a person sees, before it is saved."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import state
from app.components.controls import draw_button
from app.components.shell import guarded, plain
from app.presenting.wording import counted
from app.views.people import actions
from app.views.people.actions import AS_BUCKET, EVERYBODY, NOBODY, ONLY
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.principal import ADMINS_ONLY, Grantee, in_words
from core.domain.trust.access import DocumentAccess, PersonSight
from core.errors import GroundworkError
from core.workbench.session import Session

_MOST_OWN = 200
_MOST_FOUND = 50

CHOICES = {
    EVERYBODY: "Everybody",
    ONLY: "Only these groups and users",
    NOBODY: "Admins only",
    AS_BUCKET: "As its bucket",
}
"""Ways to open a bucket or document, in words; the last one is of documents."""


def draw_access(session: Session) -> None:
    """Draw the tab."""
    buckets = session.access.buckets()
    if not buckets:
        st.info("There are no documents yet. What is ingested is open to everybody until you say otherwise.")
        return
    st.dataframe(
        [
            {
                "Bucket": each.bucket,
                "Open to": in_words(each.acl),
                "Documents": each.documents,
                "With access of their own": each.documents - each.following,
            }
            for each in buckets
        ],
        hide_index=True,
    )
    _draw_own(session.access.own(limit=_MOST_OWN))
    st.subheader("Change access", anchor=False)
    _draw_change(session, [each.bucket for each in buckets])
    st.subheader("What can this person see?", anchor=False)
    _draw_sees(session)


def _draw_own(own: Sequence[DocumentAccess]) -> None:
    if not own:
        return
    more = "+" if len(own) == _MOST_OWN else ""
    with st.expander(f"Documents with access of their own ({len(own):,}{more})"):
        rows = [(each.document, each.acl) for each in own]
        st.dataframe([_row(document, acl) for document, acl in rows], hide_index=True)


def _row(document: DocumentSummary, acl: Sequence[str]) -> dict[str, str]:
    return {"Name": document.name, "Bucket": document.bucket, "Open to": in_words(acl)}


def _draw_change(session: Session, buckets: Sequence[str]) -> None:
    kind = st.segmented_control(
        "Of a", ["bucket", "document"], default="bucket", required=True, key="access-kind"
    )
    if kind == "bucket":
        st.selectbox("Bucket", buckets, key="access-bucket", bind="query-params")
    elif not _draw_document_choice(session):
        return
    _show_as_it_is(session, str(kind))
    ways = [way for way in CHOICES if way != AS_BUCKET or kind == "document"]
    way = st.radio("Open to", ways, format_func=CHOICES.__getitem__, key="access-way", horizontal=True)
    if way == ONLY:
        grantees = session.access.grantees()
        st.multiselect(
            "Groups and users",
            [each.key for each in grantees],
            format_func=lambda key: Grantee.of(key).label,
            key="access-keys",
        )
    people = session.access.people()
    if people:
        st.selectbox(
            "See first what would change for", ["", *people], key="access-person", format_func=_person
        )
    _draw_preview()
    draw_button("Save access", guarded(actions.set_access), type="primary", key="access-save")


def _show_as_it_is(session: Session, kind: str) -> None:
    """Let the form begin with what holds for the bucket or document that was just chosen."""
    id = str(state.widget(f"access-{kind}") or "")
    if state.widget("access-of") == (kind, id):
        return
    acl: Sequence[str] | None
    if kind == "bucket":
        acl = session.access.of_bucket(id).acl
    else:
        acl = session.access.of_document(DocumentId(id)).own
    keys = [key for key in acl or () if key != ADMINS_ONLY]
    way = AS_BUCKET if acl is None else EVERYBODY if not acl else ONLY if keys else NOBODY
    state.set_widget("access-of", (kind, id))
    state.set_widget("access-way", way)
    state.set_widget("access-keys", keys)


def _draw_document_choice(session: Session) -> bool:
    text = st.text_input("Find a document", key="access-find", placeholder="Name, title or source")
    found = session.documents.list(text=text, limit=_MOST_FOUND) if text.strip() else []
    if not found:
        st.caption("Type a part of its name." if not text.strip() else "No document is called so.")
        return False
    names = {each.id: f"{each.name} · {each.bucket}" for each in found}
    chosen = st.selectbox("Document", list(names), format_func=names.__getitem__, key="access-document")
    if chosen is not None:
        access = session.access.of_document(chosen)
        follows = "as its bucket" if access.own is None else "by access of its own"
        st.caption(f"Now open to {plain(in_words(access.acl))}, {follows}.")
    return True


def _draw_preview() -> None:
    try:
        sight = actions.access_preview()
    except GroundworkError as error:
        st.caption(plain(f"{error.message} {error.next_step}"))
        return
    if sight is not None:
        draw_sight(sight)


def draw_sight(sight: PersonSight) -> None:
    """What a person sees before and after a change, with the documents that they gain and lose."""
    if not sight.gained and not sight.lost:
        st.caption(
            f"{plain(sight.person)} sees {counted(sight.before, 'document')}; nothing changes for them."
        )
        return
    st.markdown(
        f"**{plain(sight.person)}** sees {counted(sight.before, 'document')} now, and would see "
        f"**{sight.after:,}**: {sight.gained:,} more, {sight.lost:,} fewer."
    )
    _draw_some("Would be shown", sight.some_gained, sight.gained)
    _draw_some("Would be hidden", sight.some_lost, sight.lost)


def _draw_some(title: str, some: Sequence[DocumentSummary], total: int) -> None:
    if not some:
        return
    with st.expander(f"{title}: {counted(total, 'document')}", expanded=total <= len(some)):
        st.dataframe([{"Name": each.name, "Bucket": each.bucket} for each in some], hide_index=True)
        if total > len(some):
            st.caption(f"The first {len(some)} of {total:,}.")


def _draw_sees(session: Session) -> None:
    people = session.access.people()
    if not people:
        st.caption("There is nobody but the admin of this machine, who sees everything.")
        return
    person = st.selectbox("Person", people, key="sees-person", bind="query-params")
    buckets = session.access.sees_buckets(person)
    total = sum(each.documents for each in buckets)
    by_bucket = ", ".join(f"{plain(each.name)} {each.documents:,}" for each in buckets)
    st.markdown(
        f"**{plain(person)}** sees {counted(total, 'document')}" + (f": {by_bucket}." if by_bucket else ".")
    )
    text = st.text_input("Whose name holds", key="sees-text")
    found = session.access.sees(person, text=text, limit=_MOST_OWN)
    if found:
        st.dataframe([_row(each, each.acl) for each in found], hide_index=True)
        if len(found) == _MOST_OWN:
            st.caption(f"The first {_MOST_OWN}.")


def _person(name: str) -> str:
    return name or "nobody in particular"
