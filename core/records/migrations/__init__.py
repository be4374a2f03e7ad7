"""Alembic migrations of the records; run by `core.records.migrate`."""
