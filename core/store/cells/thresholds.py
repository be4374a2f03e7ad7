"""Thresholds between absent, uncertain and present, and calibrated heads, where not as shipped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from core.errors import NotFoundError, UsageError
from core.store.database.db import Repository, insert_or_update
from core.store.database.field_tables import field_models, field_thresholds


@dataclass(frozen=True, slots=True)
class Threshold:
    """A cell is absent below `absent_below`, present from `present_from`, and uncertain between."""

    bucket: str
    field: str
    absent_below: float
    present_from: float
    set_by: str
    set_at: datetime


class ThresholdRecords(Repository):
    """Thresholds that admins have set. Thread-safe."""

    def of_bucket(self, bucket: str) -> dict[str, Threshold]:
        """Thresholds set for the fields of a bucket; {} where everything is as shipped."""
        statement = sa.select(field_thresholds).where(field_thresholds.c.bucket == bucket)
        return {row.field: Threshold(*row) for row in self._database.rows(statement)}

    def put(self, threshold: Threshold) -> None:
        """Set a field's lines in a bucket. UsageError unless 0 <= absent_below <= present_from <= 1."""
        if not 0 <= threshold.absent_below <= threshold.present_from <= 1:
            raise UsageError(
                f"The thresholds {threshold.absent_below:g} and {threshold.present_from:g} are not in order.",
                next_step="Both must be from 0 to 1, and the one for present not below the one for absent.",
            )
        row = {name: getattr(threshold, name) for name in field_thresholds.c.keys()}  # noqa: SIM118
        with self._database.write_rows() as connection:
            insert_or_update(connection, field_thresholds, row)

    def remove(self, bucket: str, field: str) -> None:
        """Go back to what is shipped."""
        self._database.run_rows(
            sa.delete(field_thresholds).where(
                field_thresholds.c.bucket == bucket, field_thresholds.c.field == field
            )
        )


@dataclass(frozen=True, slots=True)
class FieldModel:
    """A trained artefact without its bytes. figures: JSON, before and after, on held-back verdicts."""

    id: str
    created_at: datetime
    figures: dict[str, Any]
    is_active: bool


_FACTS = tuple(column for column in field_models.c if column.name != "artefact")


class FieldModels(Repository):
    """Keeps artefacts. Thread-safe."""

    def put(self, id: str, artefact: bytes, figures: dict[str, Any], now: datetime) -> FieldModel:
        """Keep an artefact, not in use yet. Raises UsageError where that id is taken."""
        with self._database.write() as connection:
            if connection.execute(sa.select(field_models.c.id).where(field_models.c.id == id)).first():
                raise UsageError(f"There is a model {id!r} already.", next_step="Give it another id.")
            row = {"id": id, "created_at": now, "figures": figures, "is_active": False, "artefact": artefact}
            connection.execute(sa.insert(field_models).values(row))
        return FieldModel(id, now, figures, False)

    def list(self) -> list[FieldModel]:
        """All artefacts, newest first."""
        statement = sa.select(*_FACTS).order_by(field_models.c.created_at.desc(), field_models.c.id)
        return [FieldModel(*row) for row in self._database.rows(statement)]

    def use(self, id: str | None) -> None:
        """Switch to an artefact, or for None back to what is shipped. Raises NotFoundError."""
        with self._database.write() as connection:
            connection.execute(sa.update(field_models).values(is_active=False))
            if id is None:
                return
            found = connection.execute(
                sa.update(field_models).where(field_models.c.id == id).values(is_active=True)
            ).rowcount
            if not found:
                raise NotFoundError(f"There is no model {id!r}.", next_step="Look at the list of models.")

    def active(self) -> tuple[str, bytes] | None:
        """Id and bytes of the artefact in use; None where that is the shipped one."""
        statement = sa.select(field_models.c.id, field_models.c.artefact).where(
            field_models.c.is_active.is_(True)
        )
        row = self._database.first(statement)
        return None if row is None else (row.id, bytes(row.artefact))

    def active_id(self) -> str:
        """The id of the artefact in use; "" where that is the shipped one. Cheap."""
        statement = sa.select(field_models.c.id).where(field_models.c.is_active.is_(True))
        return str(self._database.scalar(statement) or "")
