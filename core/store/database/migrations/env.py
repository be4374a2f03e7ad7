"""Runs migrations on the connection, and in the transaction, that `database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from core.store.database.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
