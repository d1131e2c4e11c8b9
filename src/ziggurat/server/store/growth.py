"""The growth of the database: for each of its tables what adds rows, and what bounds them.

Features tell of theirs (`ServerFeature.rows`). A test looks for all statements that add rows, and for tables that
nobody names.
"""

from __future__ import annotations

from ziggurat.server.feature import Growth, features

GROWTH: dict[str, Growth] = {
    # People.
    "people": Growth(
        ("store.people.insert", "store.accounts.must_be_house"),
        "newcomers of an address an hour (`RateLimits.newcomers`), sign-ins by a provider (`RateLimits.sign_ins`); "
        "forgotten `Settings.guest_days` after the last visit, without a table (`services.housekeeping`)",
    ),
    "devices": Growth(("store.accounts.add_device",), "40 of a person, the oldest goes (`accounts.MOST_PER_PERSON`)"),
    "passkeys": Growth(("store.accounts.add_passkey",), "20 of a person (`accounts.MOST_PER_PERSON`)"),
    "identities": Growth(("store.identities.add",), "20 of a person (`identities.MOST_IDENTITIES`)"),
    "codes": Growth(
        ("store.accounts.renew_codes",), "ten of a person: new ones replace the old (`api.accounts.RECOVERY_CODES`)"
    ),
    "tickets": Growth(
        ("store.accounts.add_ticket", "store.accounts.note_replaced"),
        "one of a kind and person; of nobody's, as many as there are tries to sign in (`RateLimits.sign_ins`); "
        "forgotten within the hour in which they lapse (`services.housekeeping`)",
    ),
    "blocks": Growth(("store.blocks.add",), "200 of a person (`blocks.MOST_BLOCKS`)"),
    # Hosts of the service.
    # Tables.
    "tables": Growth(
        ("store.log._ADD_TABLE",),
        "of a person and of an address in an hour, and unfinished (`store.quotas`, asked by `TableService.add` and by "
        "`TableService.change` for a rematch); those that nobody begins expire",
    ),
    "seats": Growth(("store.log._ADD_SEATS",), "of each table as many as its game has players"),
    "changes": Growth(("store.log._ADD_CHANGE",), "of each kind so many at a table (`domain.bounds`)"),
    "frames": Growth(("store.log.keep_views",), "one for each move of a game that is over"),
    "files": Growth(
        ("store.files.store_file",),
        "one for each new table; forgotten with the last that needs it (`services.housekeeping`)",
    ),
    # Being told.
    # The day's deals, and puzzles.
    # Talk.
    # The server's own.
    "secrets": Growth(("store.secrets.secret",), "four"),
    "chores": Growth((), "written by the migrations"),
    "installation": Growth((), "one, written by its migration"),
    "outages": Growth(
        ("store.housekeeping.write_heartbeat", "store.original.make_standby"),
        "one each time that the service was down, for 200 days",
    ),
}
"""By the tables of `store.models` that belong to no feature."""


def all_growth() -> dict[str, Growth]:
    """Return how each table of the database grows."""
    return {
        name: growth for rows in (GROWTH, *(feature.rows for feature in features())) for name, growth in rows.items()
    }
