"""The schema of 0.2. What was before it was nobody's but ours: no release had it."""

from __future__ import annotations

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "chores",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_chores")),
    )
    op.create_table(
        "deals",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("lone", sa.Boolean(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("game", "day", name=op.f("pk_deals")),
    )
    op.create_table(
        "files",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_files")),
    )
    op.create_table(
        "groups",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("invite", sa.Text(), nullable=True),
        sa.Column("calendar", sa.Text(), nullable=False),
        sa.Column("evening", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("called", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_groups")),
    )
    op.create_table(
        "host_log",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("host", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_host_log")),
    )
    op.create_index("ix_host_log_host", "host_log", ["host"], unique=False)
    op.create_index("ix_host_log_person", "host_log", ["person"], unique=False)
    op.create_table(
        "house_state",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_house_state")),
    )
    op.create_table(
        "installation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("pulse", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    op.create_table(
        "outages",
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("begun", name=op.f("pk_outages")),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), server_default="", nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), server_default="0", nullable=False),
        sa.Column("mark", sa.Text(), server_default="", nullable=False),
        sa.Column("by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("guardian", sa.Text(), nullable=True),
        sa.Column("barred", sa.Double(), nullable=True),
        sa.Column("bars_network", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["guardian"], ["people.id"], name=op.f("fk_people_guardian")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_people_token_hash")),
    )
    op.create_index("ix_people_guardian", "people", ["guardian"], unique=False)
    op.create_table(
        "riddles",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("found", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game", "puzzle", name=op.f("pk_riddles")),
    )
    op.create_table(
        "rungs",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("margin", sa.Integer(), nullable=True),
        sa.Column("claim_until", sa.Double(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("game", "day", "bot", name=op.f("pk_rungs")),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "answers",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("puzzle", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("loss", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_answers_person")),
        sa.PrimaryKeyConstraint("game", "puzzle", "person", name=op.f("pk_answers")),
    )
    op.create_index("ix_answers_person", "answers", ["person"], unique=False)
    op.create_table(
        "barred_networks",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_barred_networks_person")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_barred_networks")),
    )
    op.create_index("ix_barred_networks_person", "barred_networks", ["person"], unique=False)
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("blocked", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["blocked"], ["people.id"], name=op.f("fk_blocks_blocked")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_blocks_person")),
        sa.PrimaryKeyConstraint("person", "blocked", name=op.f("pk_blocks")),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"], unique=False)
    op.create_table(
        "codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_codes_person")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_codes")),
    )
    op.create_index("ix_codes_person", "codes", ["person"], unique=False)
    op.create_table(
        "devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_devices_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_devices")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_devices_token_hash")),
    )
    op.create_index("ix_devices_person", "devices", ["person"], unique=False)
    op.create_table(
        "finders",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_finders_person")),
        sa.PrimaryKeyConstraint("game", "person", name=op.f("pk_finders")),
    )
    op.create_index("ix_finders_person", "finders", ["person"], unique=False)
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.Column("evening", sa.Double(), nullable=True),
        sa.Column("comes", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_members_group_id")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_group_members_person")),
        sa.PrimaryKeyConstraint("group_id", "person", name=op.f("pk_group_members")),
    )
    op.create_index("ix_group_members_person", "group_members", ["person"], unique=False)
    op.create_table(
        "host_words",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("phrase", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_host_words_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_words")),
    )
    op.create_index("ix_host_words_person", "host_words", ["person"], unique=False)
    op.create_table(
        "hosts",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("named_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_hosts_person")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_hosts")),
    )
    op.create_table(
        "identities",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_identities_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
    )
    op.create_index("ix_identities_person", "identities", ["person"], unique=False)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("signed", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_passkeys_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkeys")),
    )
    op.create_index("ix_passkeys_person", "passkeys", ["person"], unique=False)
    op.create_table(
        "quiet",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("begin_minute", sa.Integer(), nullable=False),
        sa.Column("end_minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_quiet_person")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_quiet")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("components_file", sa.Text(), nullable=True),
        sa.Column("components_digest", sa.Text(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=False),
        sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("patience", sa.Integer(), server_default="45", nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("invite", sa.Text(), nullable=True),
        sa.Column("invite_hash", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
        sa.Column("scenario_file", sa.Text(), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.Column("salt", sa.LargeBinary(), nullable=True),
        sa.Column("snapshot", sa.LargeBinary(), nullable=True),
        sa.Column("games", sa.Integer(), server_default="0", nullable=False),
        sa.Column("deal", sa.Text(), nullable=True),
        sa.Column("undo", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("rematch", sa.Text(), nullable=True),
        sa.Column("time", sa.Text(), nullable=True),
        sa.Column("policy", sa.Text(), server_default="{}", nullable=False),
        sa.Column("listed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("played_from", sa.Text(), nullable=True),
        sa.Column("vote", sa.Text(), nullable=True),
        sa.Column("tick", sa.Double(), nullable=True),
        sa.Column("bot_due", sa.Boolean(), nullable=False),
        sa.Column("claim_by", sa.Text(), nullable=True),
        sa.Column("claim_until", sa.Double(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=True),
        sa.Column("group_id", sa.Text(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_tables_group_id")),
        sa.ForeignKeyConstraint(["host"], ["people.id"], name=op.f("fk_tables_host")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_index("ix_tables_bot_due_claim_until", "tables", ["bot_due", "claim_until"], unique=False)
    op.create_index("ix_tables_group_id", "tables", ["group_id"], unique=False)
    op.create_index("ix_tables_host", "tables", ["host"], unique=False)
    op.create_index(
        "ix_tables_listed",
        "tables",
        ["listed"],
        unique=False,
        postgresql_where=sa.text("listed"),
        sqlite_where=sa.text("listed"),
    )
    op.create_index("ix_tables_maker", "tables", ["maker"], unique=False)
    op.create_index("ix_tables_origin", "tables", ["origin"], unique=False)
    op.create_index("ix_tables_tick", "tables", ["tick"], unique=False)
    op.create_table(
        "tickets",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_tickets_person")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tickets")),
    )
    op.create_index("ix_tickets_person", "tickets", ["person"], unique=False)
    op.create_table(
        "wishes",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("tempos", sa.Text(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("told", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_wishes_person")),
        sa.PrimaryKeyConstraint("person", "number", name=op.f("pk_wishes")),
    )
    op.create_table(
        "changes",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("client_id", sa.Text(), nullable=True),
        sa.Column("steps", sa.Text(), nullable=False),
        sa.Column("notation", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("actors", sa.Text(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=False),
        sa.Column("forced", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("left", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_changes_table_id")),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_changes")),
    )
    op.create_index("ix_changes_client", "changes", ["table_id", "seat", "client_id"], unique=True)
    op.create_table(
        "finds",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_finds_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_finds_table_id")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_finds")),
    )
    op.create_index("ix_finds_table_id", "finds", ["table_id"], unique=False)
    op.create_table(
        "game_links",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_game_links_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_game_links")),
        sa.UniqueConstraint("secret", name=op.f("uq_game_links_secret")),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("line", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("reporter", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("looked", sa.Double(), nullable=True),
        sa.Column("done", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_reports_person")),
        sa.ForeignKeyConstraint(["reporter"], ["people.id"], name=op.f("fk_reports_reporter")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_reports_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index("ix_reports_line", "reports", ["table_id", "line", "reporter"], unique=True)
    op.create_index("ix_reports_person", "reports", ["person"], unique=False)
    op.create_index("ix_reports_reporter", "reports", ["reporter"], unique=False)
    op.create_index("ix_reports_status", "reports", ["status"], unique=False)
    op.create_table(
        "said",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("phrase", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_said_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_said_table_id")),
        sa.PrimaryKeyConstraint("table_id", "at", name=op.f("pk_said")),
    )
    op.create_index("ix_said_at", "said", ["at"], unique=False)
    op.create_index("ix_said_client", "said", ["table_id", "person", "client_id"], unique=True)
    op.create_index("ix_said_person", "said", ["person", "table_id", "at"], unique=False)
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("away", sa.Boolean(), nullable=False),
        sa.Column("mark", sa.Text(), server_default="", nullable=False),
        sa.Column("by_hand", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("kept", sa.Text(), nullable=True),
        sa.Column("guardian", sa.Text(), nullable=True),
        sa.Column("resigned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("wins", sa.Integer(), server_default="0", nullable=False),
        sa.Column("yields", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["guardian"], ["people.id"], name=op.f("fk_seats_guardian")),
        sa.ForeignKeyConstraint(["kept"], ["people.id"], name=op.f("fk_seats_kept")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_seats_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index("ix_seats_guardian", "seats", ["guardian"], unique=False)
    op.create_index("ix_seats_kept", "seats", ["kept"], unique=False)
    op.create_index("ix_seats_person", "seats", ["person"], unique=False)
    op.create_table(
        "showings",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("agree", sa.Boolean(), nullable=False),
        sa.Column("named", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("circle", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_showings_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_showings_table_id")),
        sa.PrimaryKeyConstraint("table_id", "person", name=op.f("pk_showings")),
    )
    op.create_index("ix_showings_person", "showings", ["person", "circle"], unique=False)
    op.create_table(
        "tries",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("finished", sa.Double(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("margin", sa.Integer(), nullable=True),
        sa.Column("counts", sa.Boolean(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_tries_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_tries_table_id")),
        sa.PrimaryKeyConstraint("game", "day", "person", name=op.f("pk_tries")),
        sa.UniqueConstraint("table_id", name=op.f("uq_tries_table_id")),
    )
    op.create_index("ix_tries_person", "tries", ["person"], unique=False)
    op.create_table(
        "ways",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("wants", sa.Text(), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("again", sa.Double(), nullable=False),
        sa.Column("claim_by", sa.Text(), nullable=True),
        sa.Column("claim_until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_ways_person")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_ways_table_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ways")),
    )
    op.create_index("ix_ways_address", "ways", ["address"], unique=False)
    op.create_index("ix_ways_person", "ways", ["person"], unique=False)
    op.create_index("ix_ways_table_id", "ways", ["table_id"], unique=False)
    op.create_table(
        "frames",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("view", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id", "seq"], ["changes.table_id", "changes.seq"], name=op.f("fk_frames_table_id_seq")
        ),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_frames")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("way", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("batch", sa.Text(), nullable=True),
        sa.Column("begun", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["way"], ["ways.id"], name=op.f("fk_outbox_way")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
    )
    op.create_index("ix_outbox_due", "outbox", ["due"], unique=False)
    op.create_index("ix_outbox_table_id", "outbox", ["table_id"], unique=False)
    op.create_index("ix_outbox_way", "outbox", ["way"], unique=False)
    op.create_table(
        "report_lines",
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("phrase", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_report_lines_person")),
        sa.ForeignKeyConstraint(["report"], ["reports.id"], name=op.f("fk_report_lines_report")),
        sa.PrimaryKeyConstraint("report", "at", name=op.f("pk_report_lines")),
    )
    op.create_index("ix_report_lines_person", "report_lines", ["person"], unique=False)

    installation = sa.table("installation", *map(sa.column, ("id", "epoch", "quiet", "changed", "place", "pulse")))
    begun = {"epoch": 1, "quiet": False, "changed": time.time(), "place": "", "pulse": ""}
    op.bulk_insert(installation, [{"id": secrets.token_hex(16), **begun}])
    chores = sa.table("chores", sa.column("name"), sa.column("begun"))
    op.bulk_insert(chores, [{"name": name, "begun": 0.0} for name in ("expire", "clocks", "copies")])
