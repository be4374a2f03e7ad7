"""Families of documents: marks kept with each reading, and resolved when they are looked at.

Nothing about two documents is kept together: what comes, goes or is hidden changes what is found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.fields import Family, FamilyMarks, Quote, Relative
from core.domain.ids import DocumentId
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.store.database.field_tables import extraction_state, family_marks, family_references
from core.store.database.schema import documents
from core.store.database.visibility import Visibility
from core.values.naming.references import Kinship, ParentReference, PossibleParent, choose

MOST_CHILDREN = 50
_MOST_ALIKE = 500  # documents of one title and day: of more, none is told apart
_MOST_REFERENCES = 2_000

_Candidates = Callable[[str, str, str], list[PossibleParent]]
_MARK, _REFERENCE = family_marks.c, family_references.c


def put_marks(connection: Connection, document: DocumentId, bucket: str, marks: FamilyMarks) -> None:
    """Keep the marks of a document in place of those of the reading before."""
    for table in (family_marks, family_references):
        connection.execute(sa.delete(table).where(table.c.document == document))
    own = {"document": document, "bucket": bucket}
    connection.execute(sa.insert(family_marks).values(**own, title=marks.title, day=marks.day))
    rows = [
        {
            **own,
            "ordinal": ordinal,
            "kinship": each.kinship,
            "title": each.title,
            "day": each.day,
            "page_no": each.quote.span.page_no,
            "start": each.quote.span.start,
            "end": each.quote.span.end,
            "quote": each.quote.quote,
        }
        for ordinal, each in enumerate(marks.references)
    ]
    if rows:
        connection.execute(sa.insert(family_references), rows)


def family(connection: Connection, document: DocumentId, visible: Visibility) -> Family:
    """The documents over one and under it, in its bucket, that may be seen. Raises NotFoundError."""
    is_own = sa.select(documents.c.id).where(documents.c.id == document, visible.condition())
    if connection.execute(is_own).first() is None:
        raise NotFoundError(
            f"There is no document {document!r} that you may see.",
            next_step="Look at the list of documents for its id.",
        )

    candidates = _candidates_of(connection, visible)
    children = _children(connection, document, visible, candidates)
    parents = _parents(connection, document, visible, candidates)
    return Family(parents, tuple(children[:MOST_CHILDREN]), len(children))


def relatives(connection: Connection, visible: Visibility) -> Iterator[tuple[DocumentId, int, Relative]]:
    """Every document that may be seen and stands under another one, with its version; each pair once."""
    candidates, seen = _candidates_of(connection, visible), set()
    statement = (
        sa.select(documents.c.id, documents.c.version, documents.c.identity, *_REFERENCE)
        .join(family_references, _REFERENCE.document == documents.c.id)
        .join(extraction_state, extraction_state.c.document == documents.c.id)
        .where(visible.condition(), extraction_state.c.version == documents.c.version)
        .order_by(documents.c.id, _REFERENCE.ordinal)
    )
    for row in connection.execute(statement).all():
        kin = choose(_reference(row), _possible(row), candidates(row.bucket, row.title, row.day))
        if kin.fit is not None and (row.id, kin.id) not in seen:
            seen.add((row.id, kin.id))
            over = Relative(DocumentId(kin.id), "", row.kinship, kin.fit, _quote(row))
            yield DocumentId(row.id), row.version, over


def _candidates_of(connection: Connection, visible: Visibility) -> _Candidates:
    @cache
    def candidates(bucket: str, title: str, day: str) -> list[PossibleParent]:
        rows = connection.execute(candidates_statement(visible, bucket, title, day)).all()
        return [] if len(rows) > _MOST_ALIKE else [_possible(row) for row in rows]

    return candidates


def candidates_statement(visible: Visibility, bucket: str, title: str, day: str) -> sa.Select[Any]:
    """Documents of a title that may be of that day ("": of any), and that may be seen."""
    statement = (
        sa.select(documents.c.id, documents.c.name, documents.c.identity, _MARK.title, _MARK.day)
        .join(family_marks, _MARK.document == documents.c.id)
        .where(_MARK.bucket == bucket, _MARK.title == title, visible.condition())
        .limit(_MOST_ALIKE + 1)
    )
    return statement.where(_MARK.day.in_(["", day])) if day else statement


def references_statement(visible: Visibility, bucket: str, title: str, day: str) -> sa.Select[Any]:
    """References to a title that may be of that day ("": of any), of documents that may be seen."""
    statement = (
        sa.select(documents.c.id, documents.c.name, documents.c.identity, *_REFERENCE)
        .join(family_references, _REFERENCE.document == documents.c.id)
        .where(_REFERENCE.bucket == bucket, _REFERENCE.title == title, visible.condition())
        .order_by(documents.c.id, _REFERENCE.ordinal)
        .limit(_MOST_REFERENCES)
    )
    return statement.where(_REFERENCE.day.in_(["", day])) if day else statement


def _parents(
    connection: Connection, document: DocumentId, visible: Visibility, candidates: _Candidates
) -> tuple[Relative, ...]:
    rows = connection.execute(
        sa.select(documents.c.id, documents.c.identity, *_REFERENCE)
        .join(family_references, _REFERENCE.document == documents.c.id)
        .where(documents.c.id == document)
        .order_by(_REFERENCE.ordinal)
    ).all()
    found: dict[str, Relative] = {}
    for row in rows:
        kin = choose(_reference(row), _possible(row), candidates(row.bucket, row.title, row.day))
        if kin.fit is not None and kin.id not in found:
            name = connection.execute(
                sa.select(documents.c.name).where(documents.c.id == kin.id, visible.condition())
            ).scalar_one()
            found[kin.id] = Relative(DocumentId(kin.id), name, row.kinship, kin.fit, _quote(row))
    return tuple(found.values())


def _children(
    connection: Connection, document: DocumentId, visible: Visibility, candidates: _Candidates
) -> list[Relative]:
    own = connection.execute(sa.select(family_marks).where(_MARK.document == document)).first()
    if own is None or not own.title:
        return []
    found: dict[str, Relative] = {}
    for row in connection.execute(references_statement(visible, own.bucket, own.title, own.day)):
        if row.id == document or row.id in found:
            continue
        kin = choose(_reference(row), _possible(row), candidates(row.bucket, row.title, row.day))
        if kin.fit is not None and kin.id == document:
            found[row.id] = Relative(DocumentId(row.id), row.name, row.kinship, kin.fit, _quote(row))
    return sorted(found.values(), key=lambda each: (each.name, each.id))


def _reference(row: Any) -> ParentReference:
    return ParentReference(Kinship(row.kinship), row.start, row.end, row.title, row.day)


def _possible(row: Any) -> PossibleParent:
    parties = tuple(each["whole"] or each["text"] for each in (row.identity or {}).get("parties", ()))
    days = frozenset([row.day] if row.day else ())
    return PossibleParent(row.id, frozenset([row.title]), parties, days)


def _quote(row: Any) -> Quote:
    return Quote(PageSpan(row.page_no, row.start, row.end), row.quote)
