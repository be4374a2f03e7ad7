"""Sets of vectors, one for each encoder: where each is stored, whose they are, and which one serves."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.experiments.variant import HOME, HomeVariant, Serving
from core.domain.passage import Matrix, Vector
from core.encode.base import EncoderSignature
from core.errors import EncoderError
from core.store.database.db import Database, insert_or_update
from core.store.database.schema import meta, passage_vectors, passages, sentence_vectors
from core.store.database.variant_tables import (
    other_passage_vectors,
    other_sentence_vectors,
    variants,
    vector_sets,
)
from core.store.documents.rows import matrix_bytes, vector_bytes

HOME_NAME = "home"
_ENCODER, _SERVING = "encoder", "serving"
_MOST_HISTORY = 50  # switches that can be rolled back


def tables_of(vector_set: int) -> tuple[sa.FromClause, sa.FromClause]:
    """The vectors of passages and of sentences of a set, to read from."""
    if vector_set == 0:
        return passage_vectors, sentence_vectors
    found = (
        sa.select(*(column for column in table.c if column.name != "vector_set"))
        .where(table.c.vector_set == vector_set)
        .subquery()
        for table in (other_passage_vectors, other_sentence_vectors)
    )
    return next(found), next(found)


def insert_vectors(
    connection: Connection, vector_set: int, rows: Sequence[tuple[int, Vector, Matrix]]
) -> None:
    """Add the vectors of passages, of which each has a vector and those of its sentences."""
    if not rows:
        return
    own = {"vector_set": vector_set} if vector_set else {}
    tables = (other_passage_vectors, other_sentence_vectors) if own else (passage_vectors, sentence_vectors)
    connection.execute(
        sa.insert(tables[0]),
        [{"passage": key, "vector": vector_bytes(vector), **own} for key, vector, _ in rows],
    )
    connection.execute(
        sa.insert(tables[1]),
        [
            {"passage": key, "dimension": len(vector), "vectors": matrix_bytes(matrix), **own}
            for key, vector, matrix in rows
        ],
    )


def delete_set(connection: Connection, vector_set: int) -> None:
    """Drop all vectors of a set, what is known of it, and passages of a profile that no other has."""
    if vector_set:
        for table in (other_passage_vectors, other_sentence_vectors):
            connection.execute(sa.delete(table).where(table.c.vector_set == vector_set))
        connection.execute(sa.delete(vector_sets).where(vector_sets.c.id == vector_set))
        others = sa.select(vector_sets.c.profile)
        idle = sa.and_(passages.c.profile != "", passages.c.profile.not_in(others))
        connection.execute(sa.delete(passages).where(idle))
        return
    for first in (passage_vectors, sentence_vectors):
        connection.execute(sa.delete(first))
    connection.execute(sa.delete(meta).where(meta.c.key == _ENCODER))


def stored_signature(connection: Connection, vector_set: int) -> EncoderSignature | None:
    """The encoder of a set; None where there is none, as before the first document."""
    if vector_set:
        row = connection.execute(sa.select(vector_sets).where(vector_sets.c.id == vector_set)).first()
        return None if row is None else EncoderSignature(row.name, row.dimension, row.sha256)
    value = connection.execute(sa.select(meta.c.value).where(meta.c.key == _ENCODER)).scalar()
    return None if value is None else EncoderSignature(**value)


def check_encoder(connection: Connection, encoder: EncoderSignature | None, vector_set: int) -> None:
    """Raises EncoderError for vectors of another encoder than the set's; the first one makes it its own."""
    if encoder is None:
        return
    stored = stored_signature(connection, vector_set)
    if stored is None and vector_set == 0 and serving_of(connection).variant.vector_set == 0:
        value = {"name": encoder.name, "dimension": encoder.dimension, "sha256": encoder.sha256}
        insert_or_update(connection, meta, {"key": _ENCODER, "value": value})
    elif stored is None:
        raise EncoderError(
            f"The vectors of {encoder.name!r} were removed meanwhile: another encoder serves now.",
            next_step="Resume the job: it goes on with the encoder that serves.",
        )
    elif stored != encoder:
        raise EncoderError(
            f"The stored vectors are of the encoder {stored.name!r} ({stored.dimension} dimensions), "
            f"not of {encoder.name!r} ({encoder.dimension}).",
            next_step="Set encode.model back, or encode the collection again with `groundwork reindex`.",
        )


def serving(database: Database) -> Serving:
    """The variant that serves now, read as a whole."""
    with database.read() as connection:
        return serving_of(connection)


def serving_of(connection: Connection) -> Serving:
    """The same within a transaction. One statement: pointer and variant are of one moment."""
    value = sa.select(meta.c.value).where(meta.c.key == _SERVING).scalar_subquery()
    found = connection.execute(
        sa.select(value.label("pointer"), variants).select_from(
            sa.select(sa.literal(1).label("one")).subquery().outerjoin(variants, sa.true())
        )
    ).all()
    pointer = found[0].pointer or {}
    known = {row.id: variant_of(row) for row in found if row.id is not None}
    home = known.get(HOME) or HomeVariant(HOME, HOME_NAME)
    serving = known.get(pointer.get("variant", HOME), home)
    history = [each for each in pointer.get("history", ()) if each in (HOME, *known)]
    pairs = zip(history, (*history, serving.id)[1:], strict=True)  # one that was removed leaves others alike
    return Serving(serving, tuple(each for each, following in pairs if each != following))


def point_to(connection: Connection, variant: int, history: Sequence[int]) -> None:
    """Let a variant serve: one row, which readers see as it was or as it is."""
    value = {"variant": variant, "history": list(history)[-_MOST_HISTORY:]}
    insert_or_update(connection, meta, {"key": _SERVING, "value": value})


def variant_of(row: sa.Row[tuple[object, ...]]) -> HomeVariant:
    """A variant from its row."""
    return HomeVariant(row.id, row.name, row.settings, row.vector_set, row.created_at, row.user)
