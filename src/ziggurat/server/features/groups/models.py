"""The tables of the database for who belongs to a group. A change here needs a migration."""

from __future__ import annotations

import sqlalchemy as sa

from ziggurat.server.store.models import metadata, needed

group_members = sa.Table(
    "group_members",
    metadata,
    sa.Column("group_id", sa.Text, sa.ForeignKey("groups.id"), primary_key=True),
    sa.Column("person", sa.Text, sa.ForeignKey("people.id"), primary_key=True),
    needed("name", sa.Text),
    # founder, keeper or member
    needed("role", sa.Text),
    needed("joined", sa.Double),
    # When the evening begins of which they have said last whether they come.
    sa.Column("evening", sa.Double),
    sa.Column("comes", sa.Boolean),
    sa.Index("ix_group_members_person", "person"),
)
