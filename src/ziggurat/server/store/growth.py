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
        ("store.accounts.add_ticket", "store.accounts.bury_token", "store.hosting.offer"),
        "one of a kind and person; of nobody's, as many as there are tries to sign in (`RateLimits.sign_ins`); "
        "forgotten within the hour in which they lapse (`services.housekeeping`)",
    ),
    "tokens": Growth(
        ("store.tokens.add",), "20 of a person (`domain.tokens.MOST`); those whose time is over go within the hour"
    ),
    "blocks": Growth(("store.blocks.add",), "200 of a person (`blocks.MOST`)"),
    "groups": Growth(
        ("store.groups.found",), "20 of a person; a group without people ends (`domain.groups.GROUPS`, `groups.leave`)"
    ),
    "group_members": Growth(
        ("store.groups._enter",), "20 of a person, 200 of a group (`domain.groups`); `RateLimits.joins`"
    ),
    # Hosts of the service.
    "hosts": Growth(("store.hosting.add_host",), "50 (`hosting.MOST`)"),
    "host_log": Growth(
        ("store.hosting.note",), "the newest 50,000 (`hosting.KEPT`), for `Settings.deed_days`; hosts alone add to it"
    ),
    "host_words": Growth(("store.hosting.say",), "20 to one person (`hosting.WORDS`)"),
    "barred_networks": Growth(
        ("store.hosting._refresh",),
        "those by which barred people try to come, for two days after they tried last (`hosting.forget_networks`)",
    ),
    "house_state": Growth(("store.hosting.set_state", "store.hosting.note_reached"), "three"),
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
    "game_links": Growth(("store.showings.say",), "one of a table"),
    "showings": Growth(("store.showings.say",), "one of a person and table"),
    # Being told.
    "ways": Growth(
        ("store.notifications.add_channel",),
        "of a person, and one of a table (`api.notifications.MOST`), `RateLimits.ways` an hour",
    ),
    "outbox": Growth(
        ("store.notifications.add", "store.notifications.add_alone"),
        "so many of a way wait (`notifications.add`), two days at most; of tests `RateLimits.ways`",
    ),
    "wishes": Growth(("store.open_tables.set_wishes",), "of a person (`open_tables.MOST_WISHES`)"),
    "finds": Growth(("store.open_tables.note_find",), "one of a person"),
    "quiet": Growth(("store.notifications.set_quiet",), "one of a person"),
    # The day's deals, and puzzles.
    "deals": Growth(
        ("store.daily._add",), "one of a game and day, of the year in which it can be played (`domain.daily.KEPT`)"
    ),
    "tries": Growth(("store.daily.begin",), "one of a person, game and day; each has a table"),
    "rungs": Growth(("store.daily._add",), "one of a game, day and level"),
    "finders": Growth(("store.puzzles._put", "store.puzzles.become"), "one of a person and game"),
    "riddles": Growth(("store.puzzles._put",), "one of a puzzle"),
    "answers": Growth(("store.puzzles.answer", "store.puzzles.become"), "one of a person and puzzle"),
    # Talk.
    "said": Growth(
        ("store.talk.add",),
        "of a person at a table 8 in 20 seconds and 200 in an hour (`domain.talk.RATES`), of an address "
        "`RateLimits.talk`; of a table the newest of each audience stay (`domain.talk.KEPT`), for `Settings.talk_days`",
    ),
    "reports": Growth(
        ("store.talk.report", "store.talk.report_name"),
        "each line and name once of a person, 30 of a person in a day (`services.talk.REPORTS`), of an address "
        "`RateLimits.reports`; forgotten after `Settings.report_days` (`services.housekeeping`)",
    ),
    "report_lines": Growth(("store.talk.report",), "of each report 21 (`store.talk.AROUND`)"),
    # The server's own.
    "secrets": Growth(("store.notifications.secret", "store.daily._add"), "four"),
    "chores": Growth((), "written by the migrations"),
    "installation": Growth((), "one, written by its migration"),
    "outages": Growth(
        ("store.housekeeping.beat", "store.original.make_quiet"),
        "one each time that the service was down, for 200 days",
    ),
}
"""By the tables of `store.models`."""
