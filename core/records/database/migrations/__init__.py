"""Alembic migrations of the records; run by `core.records.database.migrate`."""
