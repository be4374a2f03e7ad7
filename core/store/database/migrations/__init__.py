"""Alembic migrations of the records; run by `core.store.database.migrate`."""
