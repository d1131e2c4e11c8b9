"""Alembic's migrations, from the first version of the database to the present one."""
