"""The table of the database for moves that are written ahead. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed, needed_person, of_a_table

# Whole moves that a person has written for their seat, to be made when its question comes.
standing_orders = sa.Table(
    "standing_orders",
    metadata,
    of_a_table(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    # Who wrote them: they are theirs as long as they sit there.
    needed_person(),
    # JSON: the moves by what they name, with the words for them, in the order in which they are tried.
    needed("orders", sa.Text),
    # Made anew with every change of the row, so that what is tried is what was written.
    needed("version", sa.Text),
    # When one of them is played, in seconds since 1970; null: none answers what is asked now.
    sa.Column("due", sa.Double),
    # The change since which that question is the same.
    sa.Column("asked", sa.Integer),
    sa.Index("ix_standing_orders_person", "person"),
    sa.Index("ix_standing_orders_due", "due"),
)
