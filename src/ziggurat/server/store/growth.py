"""The growth of the database: for every table of it, what adds rows and what bounds them, in one place.

A test looks for all statements that add rows, and for tables that are not named here.
"""

from __future__ import annotations

from typing import NamedTuple


class Growth(NamedTuple):
    """`by`: what adds rows, a function or a statement of `store`. `bound`: how many there can be, and where it is seen
    to."""

    by: tuple[str, ...]
    bound: str


GROWTH: dict[str, Growth] = {
    # People.
    "people": Growth(
        ("store.people.insert", "store.accounts.must_be_house"),
        "newcomers of an address an hour (`RateLimits.newcomers`), sign-ins by a provider (`RateLimits.sign_ins`); "
        "forgotten `Settings.guest_days` after the last visit, without a table (`services.housekeeping`)",
    ),
    "devices": Growth(("store.accounts.add_device",), "40 of a person, the oldest goes (`accounts.MOST`)"),
    "passkeys": Growth(("store.accounts.add_passkey",), "20 of a person (`accounts.MOST`)"),
    "identities": Growth(("store.identities.add",), "20 of a person (`identities.MOST`)"),
    "codes": Growth(
        ("store.accounts.renew_codes",), "ten of a person: new ones replace the old (`api.accounts.CODES`)"
    ),
    "tickets": Growth(
        ("store.accounts.add_ticket", "store.accounts.bury_token", "features.moderation.rows.offer"),
        "one of a kind and person; of nobody's, as many as there are tries to sign in (`RateLimits.sign_ins`); "
        "forgotten within the hour in which they lapse (`services.housekeeping`)",
    ),
    "tokens": Growth(
        ("features.programs.rows.add",),
        "20 of a person (`features.programs.rules.MOST`); those whose time is over go within the hour",
    ),
    "blocks": Growth(("store.blocks.add",), "200 of a person (`blocks.MOST`)"),
    "groups": Growth(
        ("features.groups.rows.found",),
        "20 of a person; a group without people ends (`features.groups.rules.GROUPS`, `groups.leave`)",
    ),
    "group_members": Growth(
        ("features.groups.rows._enter",), "20 of a person, 200 of a group (`features.groups.rules`); `RateLimits.joins`"
    ),
    # Hosts of the service.
    "hosts": Growth(("features.moderation.rows.add_host",), "50 (`hosting.MOST`)"),
    "host_log": Growth(
        ("features.moderation.rows.note",),
        "the newest 50,000 (`hosting.KEPT`), for `Settings.deed_days`; hosts alone add to it",
    ),
    "host_words": Growth(("features.moderation.rows.say",), "20 to one person (`hosting.WORDS`)"),
    "barred_networks": Growth(
        ("features.moderation.rows._refresh",),
        "those by which barred people try to come, for two days after they tried last (`hosting.forget_networks`)",
    ),
    "house_state": Growth(("features.moderation.rows.set_state", "features.moderation.rows.note_reached"), "three"),
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
        ("store.files.keep",), "one for each new table; forgotten with the last that needs it (`services.housekeeping`)"
    ),
    "game_links": Growth(("features.review.rows.say",), "one of a table"),
    "showings": Growth(("features.review.rows.say",), "one of a person and table"),
    # Being told.
    "ways": Growth(
        ("features.notifications.rows.add_channel",),
        "of a person, and one of a table (`features.notifications.routes.MOST`), `RateLimits.ways` an hour",
    ),
    "outbox": Growth(
        ("features.notifications.rows.add", "features.notifications.rows.add_alone"),
        "so many of a way wait (`notifications.add`), two days at most; of tests `RateLimits.ways`",
    ),
    "wishes": Growth(("features.open_tables.rows.set_wishes",), "of a person (`open_tables.MOST_WISHES`)"),
    "finds": Growth(("features.open_tables.rows.note_find",), "one of a person"),
    "quiet": Growth(("features.notifications.rows.set_quiet",), "one of a person"),
    # The day's deals, and puzzles.
    "deals": Growth(
        ("features.daily.rows._add",),
        "one of a game and day, of the year in which it can be played (`features.daily.rules.KEPT`)",
    ),
    "tries": Growth(("features.daily.rows.begin",), "one of a person, game and day; each has a table"),
    "rungs": Growth(("features.daily.rows._add",), "one of a game, day and level"),
    "finders": Growth(("features.puzzles.rows._put", "features.puzzles.rows.become"), "one of a person and game"),
    "riddles": Growth(("features.puzzles.rows._put",), "one of a puzzle"),
    "answers": Growth(("features.puzzles.rows.answer", "features.puzzles.rows.become"), "one of a person and puzzle"),
    # Talk.
    "said": Growth(
        ("features.talk.rows.add",),
        "of a person at a table 8 in 20 seconds and 200 in an hour (`features.talk.rules.RATES`), of an address "
        "`RateLimits.talk`; of a table the newest of each audience stay (`features.talk.rules.KEPT`), for "
        "`Settings.talk_days`",
    ),
    "reports": Growth(
        ("features.talk.rows.report", "features.talk.rows.report_name"),
        "each line and name once of a person, 30 of a person in a day (`features.talk.service.REPORTS`), of an address "
        "`RateLimits.reports`; forgotten after `Settings.report_days` (`services.housekeeping`)",
    ),
    "report_lines": Growth(("features.talk.rows.report",), "of each report 21 (`features.talk.rows.AROUND`)"),
    # The server's own.
    "secrets": Growth(("features.notifications.rows.secret", "features.daily.rows._add"), "four"),
    "chores": Growth((), "written by the migrations"),
    "installation": Growth((), "one, written by its migration"),
    "outages": Growth(
        ("store.housekeeping.beat", "features.copies.rows.make_quiet"),
        "one each time that the service was down, for 200 days",
    ),
}
"""By the tables of `store.models`."""
