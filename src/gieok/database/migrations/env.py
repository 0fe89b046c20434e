"""Runs migrations over the connection that `gieok.database.migrate` passes in."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table_schema="gieok")
with context.begin_transaction():
    context.run_migrations()
