"""Thresholds of a bucket between absent, uncertain and present, where not as shipped."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from core.errors import UsageError
from core.records.database.db import Repository, insert_or_update
from core.records.database.field_tables import field_thresholds


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
