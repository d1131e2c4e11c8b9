"""Alembic's environment: it uses the connection that `store.migrate` hands over."""

from __future__ import annotations

from alembic import context

from ziggurat.server.store.models import schema

# Batches, because SQLite cannot change a column in place.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema(),
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
