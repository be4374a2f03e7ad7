"""Variants of a home with their sets of vectors, and which of them serves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.experiments.variant import ENCODER, HOME, PROFILE, HomeVariant, Serving, VariantComparison
from core.domain.ids import JobId
from core.encode.base import EncoderSignature
from core.errors import NotFoundError, UsageError
from core.store.database.db import Repository, insert_or_update, to_row
from core.store.database.schema import documents, passages
from core.store.database.variant_tables import variant_comparisons, variants, vector_sets
from core.store.documents.passages import is_uncut
from core.store.documents.vectors import (
    HOME_NAME,
    delete_set,
    point_to,
    serving_of,
    stored_signature,
    tables_of,
    variant_of,
)

_KEPT_COMPARISONS = 50


class VariantRecords(Repository):
    """Thread-safe. The home itself is variant 0: it is there without a row until its vectors are others."""

    def serving(self) -> Serving:
        """The variant that serves now, and the one before."""
        with self._database.read() as connection:
            return serving_of(connection)

    def list(self) -> list[HomeVariant]:
        """Every variant, the home first, then by age."""
        found = [variant_of(row) for row in self._database.rows(sa.select(variants).order_by(variants.c.id))]
        return found if found and found[0].id == HOME else [HomeVariant(HOME, HOME_NAME), *found]

    def get(self, name: str) -> HomeVariant:
        """The variant of a name, else of an id. Raises NotFoundError."""
        known = self.list()
        for each in sorted(known, key=lambda each: each.name != name):
            if name in (each.name, str(each.id)):
                return each
        names = ", ".join(repr(each.name) for each in known)
        raise NotFoundError(f"There is no variant {name!r}.", next_step=f"There are: {names}.")

    def by_id(self, id: int) -> HomeVariant:
        """The variant of an id, whatever others are called. Raises NotFoundError."""
        found = next((each for each in self.list() if each.id == id), None)
        if found is None:
            raise NotFoundError(f"There is no variant of id {id}.", next_step="Choose one that is there.")
        return found

    def add(
        self, name: str, settings: Mapping[str, str], encoder: EncoderSignature | None, user: str
    ) -> HomeVariant:
        """Keep a variant; it shares vectors of its encoder and profile. Raises UsageError for a known name.

        encoder: None for those of the home, whatever they are.
        """
        with self._database.write() as connection:
            taken = sa.select(sa.func.count()).where(variants.c.name == name)
            if name == HOME_NAME or connection.execute(taken).scalar():
                raise UsageError(f"There is a variant {name!r} already.", next_step="Choose another name.")
            row = {"name": name, "settings": dict(settings), "user": user, "created_at": datetime.now(UTC)}
            own = sa.select(variants.c.vector_set).where(variants.c.id == HOME)
            of_home = connection.execute(own).scalar() or 0
            row["vector_set"] = of_home
            if encoder is not None:
                row["vector_set"] = self._set_of(connection, encoder, settings.get(PROFILE, ""))
            connection.execute(sa.insert(variants).values(row))
        return self.get(name)

    def move(self, variant: HomeVariant, encoder: EncoderSignature) -> HomeVariant:
        """A variant with the set of an encoder's vectors; the kept one stays as it is until `arrive`."""
        with self._database.write() as connection:
            vector_set = self._set_of(connection, encoder, variant.profile)
        return replace(variant, vector_set=vector_set)

    def arrive(self, variant: HomeVariant) -> None:
        """Let a variant search its set of vectors from now on; of the home, all that share it do."""
        created_at = variant.created_at or datetime.now(UTC)
        row = to_row(variants, variant, settings=dict(variant.settings), created_at=created_at)
        with self._database.write() as connection:
            insert_or_update(connection, variants, row)
            for other in connection.execute(sa.select(variants)).all() if variant.id == HOME else ():
                if not other.settings.keys() & {ENCODER, PROFILE}:
                    moved = sa.update(variants).where(variants.c.id == other.id)
                    connection.execute(moved.values(vector_set=variant.vector_set))

    def switch(self, variant: HomeVariant, *, is_back: bool = False) -> bool:
        """Let a variant serve where no passage lacks a vector of its; gives whether it does now.

        is_back: a roll-back, which takes what serves off the history in place of adding it. The look and the
        switch are one transaction, and so are a document and its vectors: none is missed. Raises
        NotFoundError for one that was removed meanwhile.
        """
        with self._database.write() as connection:
            there = sa.select(sa.func.count()).where(variants.c.id == variant.id)
            if variant.id != HOME and not connection.execute(there).scalar():
                raise NotFoundError(
                    f"The variant {variant.name!r} was removed meanwhile.", next_step="Choose another one."
                )
            if self._lacking(connection, variant) or self._uncut(connection, variant):
                return False
            now = serving_of(connection)
            if now.variant.id != variant.id:
                back = is_back and now.before == variant.id
                history = now.history[:-1] if back else (*now.history, now.variant.id)
                point_to(connection, variant.id, history)
            return True

    def missing(self, variant: HomeVariant) -> int:
        """Number of passages of a variant that have no vector."""
        with self._database.read() as connection:
            return self._lacking(connection, variant)

    def uncut(self, variant: HomeVariant) -> int:
        """Number of documents with text that have no passage of a variant's profile."""
        with self._database.read() as connection:
            return self._uncut(connection, variant)

    def count(self, variant: HomeVariant) -> int:
        """Number of passages of a variant's profile."""
        wanted = sa.select(sa.func.count()).select_from(passages)
        return int(self._database.scalar(wanted.where(passages.c.profile == variant.profile)) or 0)

    def encoder(self, vector_set: int) -> EncoderSignature | None:
        """The encoder of a set of vectors; None where there is none yet."""
        with self._database.read() as connection:
            return stored_signature(connection, vector_set)

    def is_whole(self, vector_set: int) -> bool:
        """True of a set that was built to its end once; new documents are encoded for it, too."""
        wanted = sa.select(vector_sets.c.is_whole).where(vector_sets.c.id == vector_set)
        return vector_set == 0 or bool(self._database.scalar(wanted))

    def set_whole(self, vector_set: int) -> None:
        """Note that a set was built to its end."""
        wanted = sa.update(vector_sets).where(vector_sets.c.id == vector_set).values(is_whole=True)
        self._database.run(wanted)

    def remove(self, variant: HomeVariant) -> None:
        """Forget a variant. Raises UsageError for the home, and for the one that serves."""
        with self._database.write() as connection:
            now = serving_of(connection)
            if variant.id in (HOME, now.variant.id):
                what = "is the home itself" if variant.id == HOME else "answers questions now"
                raise UsageError(
                    f"The variant {variant.name!r} {what}.", next_step="Switch to another one first."
                )
            connection.execute(sa.delete(variants).where(variants.c.id == variant.id))

    def unused_sets(self) -> frozenset[int]:
        """The sets of vectors that no variant searches any more."""
        ids = {0, *self._database.scalars(sa.select(vector_sets.c.id))}
        return frozenset(ids - {each.vector_set for each in self.list()})

    def drop(self, vector_set: int) -> None:
        """Delete a set of vectors that no variant searches, and passages of a profile that none has."""
        with self._database.write() as connection:
            delete_set(connection, vector_set)

    def keep_comparison(self, job: JobId, report: VariantComparison) -> None:
        """Keep what a comparison came to, with the newest 50."""
        row = {"job": job, "at": datetime.now(UTC), "report": report.model_dump_json()}
        with self._database.write() as connection:
            insert_or_update(connection, variant_comparisons, row)
            newest = sa.select(variant_comparisons.c.job).order_by(variant_comparisons.c.at.desc())
            kept = connection.execute(newest.limit(_KEPT_COMPARISONS)).scalars().all()
            connection.execute(sa.delete(variant_comparisons).where(variant_comparisons.c.job.not_in(kept)))

    def comparison(self, job: JobId) -> VariantComparison | None:
        """Result of a comparison; None where it has not ended, or was forgotten."""
        wanted = sa.select(variant_comparisons.c.report).where(variant_comparisons.c.job == job)
        found = self._database.scalar(wanted)
        return None if found is None else VariantComparison.model_validate_json(found)

    @staticmethod
    def _lacking(connection: Connection, variant: HomeVariant) -> int:
        vectors, _ = tables_of(variant.vector_set)
        joined = passages.outerjoin(vectors, vectors.c.passage == passages.c.id)
        wanted = sa.select(sa.func.count()).select_from(joined)
        wanted = wanted.where(passages.c.profile == variant.profile, vectors.c.passage.is_(None))
        return int(connection.execute(wanted).scalar() or 0)

    @staticmethod
    def _uncut(connection: Connection, variant: HomeVariant) -> int:
        wanted = sa.select(sa.func.count()).select_from(documents).where(is_uncut(variant.profile))
        return int(connection.execute(wanted).scalar() or 0)

    @staticmethod
    def _set_of(connection: Connection, encoder: EncoderSignature, profile: str) -> int:
        """The set of an encoder's vectors of passages of a profile; an empty one where there is none."""
        if not profile and stored_signature(connection, 0) == encoder:
            return 0
        columns: dict[str, Any] = {**asdict(encoder), "profile": profile}
        same = sa.select(vector_sets.c.id).where(
            *(vector_sets.c[key] == value for key, value in columns.items())
        )
        known = connection.execute(same).scalar()
        if known is not None:
            return int(known)
        made = connection.execute(sa.insert(vector_sets).values(columns).returning(vector_sets.c.id))
        return int(made.scalar_one())
