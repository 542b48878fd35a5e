"""What Alembic runs: the revisions, inside the transaction that `running.migrate` opened and hands in."""

from __future__ import annotations

from alembic import context

from scenograph.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
