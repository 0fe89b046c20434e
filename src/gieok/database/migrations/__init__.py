"""Migrations, run by `gieok.database.migrate`."""
