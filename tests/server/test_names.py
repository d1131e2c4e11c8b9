"""What strangers call themselves: refused where it could deceive, and read as words wherever it is sent."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from msgspec import Struct
from msgspec.structs import replace as changed
from tests.example import EXAMPLE, SEATS
from tests.server.inside import browser
from tests.server.receivers import Browser, Receiver

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import catalogue
from ziggurat.server.domain.create import NewSeat, NewTable, companion, create
from ziggurat.server.domain.people import NAME_LENGTH, Person, alike, bot_name, clean_name, fit_to_show
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications.rows import Channel, OutboxEntry
from ziggurat.server.features.notifications.senders import (
    DeliveryOutcome,
    Secrets,
    Senders,
    for_discord,
    for_slack,
    new_hook_key,
    new_push_key,
)
from ziggurat.server.features.notifications.text import Message, message
from ziggurat.server.problems import Problem
from ziggurat.server.services.egress import Destination, Egress, EgressResponse
from ziggurat.server.settings import Settings
from ziggurat.server.words import words

LINKS = [
    *("[pay](http://evil.example)", "http://evil.example", "HTTPS://EVIL.EXAMPLE", "ftp://x", "javascript://x"),
    *("www.evil.example", "WWW.Evil.Example", "Ann www.evil.example", "(www.evil.example", "www2.evil.example"),
    # In the broad letters of East Asia, which programs read as the narrow ones.
    *("\uff48ttp\uff1a\uff0f\uff0fx", "\uff57\uff57\uff57\uff0eevil"),
]


def why_not(name: str) -> str:
    """Why a name is refused; then none of before is shown either."""
    try:
        return f"it is not: {clean_name(name)}"
    except Problem as problem:
        return f"shown as {shown}" if (shown := fit_to_show(name)) else problem.code


def test_a_name_is_no_link() -> None:
    assert {name: why_not(name) for name in LINKS} == dict.fromkeys(LINKS, "link_name")
    for name in ("J.R.R. Tolkien", "St.John", "Ann: 1/2", "Wwwendy", "swww.x", "[Ann]", "A*B_c~d"):
        assert clean_name(name) == name


NOT, ZWJ = "\u200c", "\u200d"


SPELLED = [
    # Persian, Kurdish, Urdu: two letters that are written apart, in one word.
    *(f"بی{NOT}نظیر", f"علی{NOT}رضا", f"مه{NOT}لقا", f"نیک{NOT}پور", f"فاطمه{NOT}زهرا", f"شه{NOT}ناز علی{NOT}پور"),
    *(f"شَه{NOT}ناز", f"هیچ{NOT}کاک", f"گل{NOT}اندام"),
    # Sinhala: letters that are written as one.
    *(f"ශ්{ZWJ}රී", f"ප්{ZWJ}රියා", f"චන්ද්{ZWJ}රිකා", f"ක්{ZWJ}රිෂාන්", f"විද්{ZWJ}යා", f"ශ්{ZWJ}රී ලාල්"),
    # Hindi, Marathi, Nepali; Bengali, also with the joiner before the virama; Gujarati, Kannada, Telugu, Malayalam.
    *(f"लक्ष्{ZWJ}मी", f"श्{NOT}याम", f"गर्{ZWJ}हाडे", f"अर्{ZWJ}याल", f"র{ZWJ}্যাফেল", f"র{ZWJ}্যান্ডি", f"উদ্{NOT}ঘাটন"),
    *(f"જગત્{NOT}સિંહ", f"ರಾಜ್{NOT}ಕುಮಾರ್", f"ಎಮ್{NOT}ಎಸ್", f"రాజ్{NOT}కుమార్", f"ജോര്{NOT}ജ്", f"ਸ੍{ZWJ}ਰੀ"),
    # Pictures of several: families, flags, professions, with a colour of skin or without.
    *(f"👨{ZWJ}👩{ZWJ}👧{ZWJ}👦", f"👩🏽{ZWJ}🚀", f"🧑{ZWJ}💻", f"🏴{ZWJ}☠", f"🏳{ZWJ}🌈", f"❤{ZWJ}🔥", f"🐈{ZWJ}⬛"),
    *(f"👩{ZWJ}❤{ZWJ}💋{ZWJ}👨", f"🤷🏾{ZWJ}♀", f"👁{ZWJ}🗨", f"🐻{ZWJ}❄ Ann", f"🙂{ZWJ}↔", f"🧑🏿{ZWJ}🤝{ZWJ}🧑🏻"),
]


def test_a_joiner_is_part_of_a_name_that_is_spelled_with_it() -> None:
    for name in SPELLED:
        assert clean_name(name) == fit_to_show(name) == name
        assert alike(name, name.replace(NOT, "").replace(ZWJ, "")), "and nobody can call themselves nearly so"
        assert alike(name.replace(ZWJ, NOT), name)


def test_a_joiner_that_changes_nothing_is_left_out() -> None:
    for name, kept in (
        # What changes nothing is left out: after a letter that is never joined to the next one, or behind a word.
        *((f"زهرا{NOT}سادات", "زهراسادات"), (f"داد{NOT}خواه", "دادخواه"), (f"രാജേഷ്{NOT}", "രാജേഷ്")),
        *((f"രാജേഷ്{NOT} നായര്{ZWJ}", "രാജേഷ് നായർ"), (f"రాజ్{NOT} గోపాల్", "రాజ్ గోపాల్")),
        # Letters that have a character of their own today.
        *((f"മോഹന്{ZWJ}", "മോഹൻ"), (f"അരുണ്{ZWJ}", "അരുൺ"), (f"অভিজিত্{ZWJ}", "অভিজিৎ"), (f"ശ്രീകുമാര്{ZWJ}", "ശ്രീകുമാർ")),
        *(("a\ufe0f\u0301", "á"), ("❤\ufe0f", "❤"), (f"❤\ufe0f{ZWJ}🔥", f"❤{ZWJ}🔥"), (f"🏳\ufe0f{ZWJ}🌈", f"🏳{ZWJ}🌈")),
    ):
        assert clean_name(name) == clean_name(kept) == kept


SPOOFS = [
    *("A|nn", "An|n", "|Ann", "Ann|", "A||nn", "A |nn", "A| nn", "Ι|ων", "И|лона", "É|va", "A|н", "1|2", "!|!", "|"),
    *("ا|", "|ب", "ب|", "بی||نظیر", "بی|n", "n|بی", "بی |نظیر", "李|小龙", "か|な", "ש|ל", "ก|ข", "가|나", "ա|բ"),
    *("क|ख", "क्|k", "k|क्", "क्|ක", "क्||ष", "क्|!", "क्|1", "|क्ष", "ක|ර", "|ශ්රී", "👩||🚀", "👩|A", "A|🚀", "|👩"),
    *("👩|", "🏽|", "🇭|🇺", "↔|👩", "👩| 🚀", "a\u0301|b", "ब्|\u093f", "Mast|er"),
]


def test_a_joiner_that_nobody_spells_with_is_refused() -> None:
    names = [spoof.replace("|", joiner) for spoof in SPOOFS for joiner in (NOT, ZWJ)]
    names += [f"بی{ZWJ}نظیر", f"👩{NOT}🚀", f"র{NOT}্য"]  # each joiner is for its own letters
    assert [name for name in names if why_not(name) != "bad_name"] == []


def test_letters_of_other_alphabets_do_not_pass_for_anothers_name() -> None:
    for name in ("ꓮꓠꓠꓮ", "ᎪNNᎪ", "ꭺnna", "Ⲁnna", "ᴀɴɴᴀ", "Aոոa", "ɑnnɑ", "Аnna"):
        assert clean_name(name) == name
        assert alike(name, "Anna")
        assert not alike(name, "Hanna")
    assert why_not("ꓟaster") == "bots_name", "as bots are called"


def test_joiners_count_and_hide_no_marks() -> None:
    assert len(clean_name(f"ශ්{ZWJ}" * 9 + "රී")) <= NAME_LENGTH
    for name in (f"👩{ZWJ}" * 16 + "👩", "ක්" + "\u0dca" * 2 + f"{ZWJ}ක" + "\u0dca" * 5):
        assert why_not(name) == "bad_name"
    assert not alike(f"ශ්{ZWJ}රී", "ශ්රා")


class Seen(Egress):
    """Keeps what would be posted."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[tuple[Mapping[str, str], Any]] = []

    async def post(self, where: Destination, headers: Mapping[str, str], body: bytes) -> EgressResponse:
        self.got.append((headers, json.loads(body)))
        return EgressResponse(204)


def table_of(name: str) -> Table:
    """A game of Bob and somebody who is called so, since before names were looked at as closely as today."""
    made = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")]), Person("a", "Ann", "en"))
    table = start(join(made, Join(made.invite or "", "Bob"), Person("b", "Bob", "en")))
    return replace(table, seats=table.with_seat(replace(table.seats[0], name=name)))


def way(kind: Any = "hook", table: str | None = "t") -> Channel:
    keys, base = new_hook_key(), "https://games.example"
    return Channel("w", "b", table, kind, "https://hook.example/1", "h", keys, "", None, [], base, True, 0.0, 0.0, 0)


def told(name: str, language: str = "en") -> Message:
    table = table_of(name)
    by = changed(way(), language=language)
    return message(by, "key", [(OutboxEntry("n", table.id, 1, "turn", [0], 0.0, None, 0), table)], {})


@pytest.mark.parametrize(
    ("language", "invited", "called"),
    [
        ("en", "Ann invites you to sit down here", "Ann has opened a table for your group Friday"),
        ("hu", "Ann hív ide", "Ann asztalt nyitott a csoportodnak (Friday)"),
        ("de", "Ann", "Friday"),
    ],
)
def test_a_notification_of_an_invitation_says_who_invites_and_for_which_group(
    language: str, invited: str, called: str
) -> None:
    made = create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], group="g"), Person("a", "Ann", "en"))
    by = changed(way(table=None), language=language)
    for kind, says in (("invite", invited), ("evening", called)):
        entry = OutboxEntry("n", made.id, 1, kind, [], 0.0, None, 0)
        assert says in message(by, "key", [(entry, made)], {"g": "Friday"}).text
        # Who has made a table without sitting there is not named.
        gone = replace(made, seats=made.with_seat(replace(made.seats[0], kind="open", person=None, name="")))
        assert "Ann" not in message(by, "key", [(entry, gone)], {"g": "Friday"}).text
    # A group's name is no link either.
    assert "evil.example" not in message(by, "key", [(entry, made)], {"g": "evil.example"}).text


async def sent(name: str) -> tuple[Mapping[str, str], Any]:
    outside = Seen()
    couriers = Senders(
        Settings(address="https://games.example", smtp="smtp://127.0.0.1:1", mail_from="games@games.example"), outside
    )
    couriers.secrets = Secrets("", "secret")
    assert (await couriers.send(way(), told(name))).arrived
    return outside.got[0]


def test_a_name_that_would_be_refused_today_reaches_nobody() -> None:
    for name in (*LINKS, "Master", "a\u202eb", "\u3164", "Ann\r\nBcc: all@games.example"):
        for language in LANGUAGES:
            said = told(name, language)
            assert name not in f"{said.text}{said.title}"
            assert "evil" not in said.text.casefold()
            assert "\n" not in said.text
            letter = Senders(
                Settings(address="https://games.example", smtp="smtp://127.0.0.1:1", mail_from="games@games.example"),
                Seen(),
            )
            mail = letter._letter(changed(way("mail"), address="bob@games.example"), said)
            assert mail["Bcc"] is None
            assert name not in mail.as_string()


async def test_what_looks_like_the_name_of_a_server_is_no_link_anywhere() -> None:
    """Programs that read a message make one of it, without https:// before it."""
    for name in ("evil.example", "evil\uff0eexample", "ann@evil.example", "discord.gg/abc"):
        assert clean_name(name) == name
        _, body = await sent(name)
        for text in (told(name).text, body["content"], body["text"], body["message"], body["news"][0]["text"]):
            assert name not in text.partition("https://games.example")[0]
            assert ". example" in text or "\uff0e example" in text or ". gg" in text


CHATS = [
    ("[pay](evil)", r"\[pay\](evil)", "［pay］(evil)"),
    ("<@everyone> @here", r"\<\@everyone\> \@here", "&lt;＠everyone&gt; ＠here"),
    ("<https:x|pay>", r"\<https:x\|pay\>", "&lt;https:x｜pay&gt;"),
    ("**A** __b__ ~~c~~", r"\*\*A\*\* \_\_b\_\_ \~\~c\~\~", "＊＊A＊＊ ＿＿b＿＿ ～～c～～"),
    ("`code` ||d||", r"\`code\` \|\|d\|\|", "｀code｀ ｜｜d｜｜"),
    (r"\*A\*", r"\\\*A\\\*", "＼＊A＼＊"),
    ("# Ann & Bob", r"\# Ann & Bob", "＃ Ann &amp; Bob"),
    ("{{.end}} {names}", "{{.end}} {names}", "{{.end}} {names}"),
]
"""Names, and what they become at Discord and at Slack."""


async def test_a_name_is_words_to_every_chat() -> None:
    for name, discord, slack in CHATS:
        headers, body = await sent(name)
        assert discord in body["content"].replace(". ", ".")
        assert slack in body["text"].replace(". ", ".")
        assert body["allowed_mentions"] == {"parse": []}
        assert name in body["title"].replace(". ", "."), "of the others"
        assert body["message"].replace(". ", ".").count(name) == 1, "who is waited for"
        assert body["content"].endswith(f" https://games.example/#/table/{body['news'][0]['table']}")
        # What ntfy puts in is not read once more, and what it reads has nothing of a stranger's in it.
        assert {headers["x-title"], headers["x-message"]} == {"{{.title}}", "{{.message}}"}
        assert all(name not in value for value in headers.values())


def test_what_means_something_at_the_beginning_of_a_line_is_words_too() -> None:
    assert for_discord("- a\n-# b\n1. c\n> d\n+ e") == "\\- a\n\\-\\# b\n1\\. c\n\\> d\n\\+ e"
    assert for_discord("A - b. 1.5 + 2") == "A - b. 1.5 + 2"
    assert for_slack("# a\n> b") == "＃ a\n&gt; b"


async def test_a_webhook_is_told_of_whole_tables_alone() -> None:
    """What is cut in the middle could end within an address."""
    table = table_of("*" * 30)
    waiting = [(OutboxEntry("n", f"t{n}", 1, "turn", [0], 0.0, None, 0), replace(table, id=f"t{n}")) for n in range(10)]
    outside = Seen()
    await Senders(Settings(), outside).send(way(), message(way(), "key", waiting, {}))
    for form in ("content", "text", "message"):
        text = outside.got[0][1][form]
        assert len(text) <= 1900
        assert all(line.split()[-1].startswith("https://games.example/#/table/t") for line in text.splitlines())


async def test_an_address_of_before_that_would_be_refused_today_is_no_error() -> None:
    couriers = Senders(Settings(), Egress(resolve=lambda host, port: ["9.9.9.9"]))
    couriers.secrets = Secrets(new_push_key(), "secret")
    browser = json.dumps(Browser(Receiver("https://push.example")).subscription["keys"])
    for kind, keys in (("hook", new_hook_key()), ("push", browser)):
        for address in ("https://hook.example:22/", "gopher://hook.example/", "https://a b/", ""):
            by = changed(way(kind), address=address, keys=keys)
            assert await couriers.send(by, told("Ann")) == DeliveryOutcome(), (kind, address)


CLAIMS = [
    *("Host", "ADMIN", "H0st", "host 2", "Ad min", "A.d.m.i.n", "АDMIN", "adm1n", "ＢＯＴ", "Bots"),
    *("Anna (bot)", "Anna [Host]", "Anna \u2013 program", "bot: Anna", "Anna bot", "Admin Anna", "Anna the Moderator"),
    *("Gazda", "a gazda", "Rendszergazda", "uzemelteto", "Moderátor Jani", "Anna (házigazda)", "Ziggurat"),
    # A title stands before a name.
    *("Host Anna", "Robot Anna", "Bot 2 Anna", "Játékvezető", "vendéglátó", "Vendeglato Anna"),
]
OWN = [
    "Gazda Péter",
    "Michael Host",
    "Anna Bot",
    "Botond",
    "Hostess",
    "Administratrix",
    "Ann Root",
    "Gép Elek",
    "Robert",
]


def test_a_name_claims_no_role() -> None:
    assert {name: why_not(name) for name in CLAIMS} == dict.fromkeys(CLAIMS, "bots_name")
    assert [clean_name(name) for name in OWN] == OWN
    assert bot_name("My bot") == "My bot", "a host's own bot is one"


NOBODY = [
    "Somebody",
    "SOMEBODY",
    "valaki",
    "Guest",
    "vendeg",
    "Player 2",
    "player2",
    "2. játékos",
    "2 jatekos",
    "Seat 3",
]
"""What the page calls those who have said no name, or whose name it does not say; nearly so, too."""
SOMEBODY = ["Anna Guest", "Guesty", "Gary Player", "Játékos Anna", "Valakiné"]
UNNAMED = (
    "ui.seat.guest",
    "ui.seat.somebody",
    "ui.seat.open",
    "near.name",
    "room.player",
    "box.player",
    "ui.setup.seat",
)


def test_nobody_is_called_as_those_are_who_have_no_name() -> None:
    assert {name: why_not(name) for name in NOBODY} == dict.fromkeys(NOBODY, "nobodys_name")
    assert [clean_name(name) for name in SOMEBODY] == SOMEBODY
    for language in LANGUAGES:
        texts = {**catalogue(language, None, "room", "box").texts, **words(language).texts}
        for key in UNNAMED:
            assert why_not(texts[key].replace("{n}", "7")) == "nobodys_name", key
        # Who plays on the device of another, and has no name typed for them, is called by their number.
        beside = texts["near.name"].replace("{n}", "2")
        assert companion(1, beside, "ann").name == beside
        assert beside in told(beside, language).text


def named_fields(route: Any) -> set[str]:
    """Which texts of a route's body are names, those of its lists among them."""
    if "data" not in (fields := route.parsed_fn_signature.parameters):
        return set()
    found, seen = set(), [("", fields["data"].annotation)]
    for path, kind in seen:
        for one in get_args(kind):
            seen.append((path, one))
        if isinstance(kind, type) and issubclass(kind, Struct):
            for name, hint in get_type_hints(kind, include_extras=True).items():
                if name in ("name", "called"):
                    found.add(path + name)
                seen.append((f"{path}{name}.", hint))
    return found


def test_no_door_takes_a_name_that_claims_a_role(tmp_path: Path) -> None:
    """Every body in which a name is said, as the routes declare them; what a proxy or a provider says is not shown."""
    bad = "Anna (bot)"
    assert fit_to_show(bad) == ""  # `_meet`, and `_newcomer` of OpenID Connect
    with browser(tmp_path) as ann:
        chairs = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
        made = ann.post("/api/tables", json={"game": EXAMPLE, "seats": chairs}).json()
        at = f"/api/tables/{made['id']}"
        group = f"/api/groups/{ann.post('/api/groups', json={'name': 'A', 'called': 'Ann'}).json()['id']}"
        beside = [chairs[0], {"kind": "companion", "name": bad}, *chairs[2:]]
        find = {"id": "x", "games": [EXAMPLE], "tempo": "live"}
        begins = int(time.time()) + 86_400
        season = {"name": bad, "games": [{"game": EXAMPLE, "sizes": [SEATS]}], "starts": [begins], "ends": 2 * begins}
        doors: list[tuple[str, str, str, Any]] = [
            ("PUT", "/api/me", "name", {}),
            ("POST", "/api/tables", "seats.name", {"game": EXAMPLE, "seats": beside}),
            ("POST", f"{at}/join", "name", {"invite": made["invite"]}),
            ("POST", f"{at}/companions", "name", {"seat": 1}),
            ("POST", f"{at}/take", "name", {"secret": ann.post(f"{at}/hand").json()["url"].rpartition("/")[2]}),
            ("POST", "/api/groups", "name", {"called": "Ann"}),
            ("POST", "/api/groups", "called", {"name": "A"}),
            ("PUT", group, "name", {}),
            ("POST", f"{group}/join", "name", {"invite": ann.get(group).json()["invite"]}),
            ("POST", "/api/open-tables/find", "name", find),
            ("POST", "/api/seasons", "terms.name", {"group": group.rpartition("/")[2], "terms": season}),
        ]
        walked = set()
        with browser(tmp_path) as eve:
            for method, path, field, more in doors:
                sent = more if "." in field else {**more, field: bad}
                asker = ann if method == "PUT" or path.endswith(("/companions", "groups", "seasons")) else eve
                answer = asker.request(method, path, json=sent)
                assert answer.json().get("code") == "bots_name", (method, path, field, answer.text)
                plain = path.replace(made["id"], "{table_id:str}")
                walked.add((method, plain.replace(group, "/api/groups/{group_id:str}"), field))
            assert eve.get("/api/me").json()["id"] is None, "nobody becomes a guest by it"
        found = {
            (method, route.path, field)
            for route in ann.app.routes.routes
            for method, (handler, *_) in getattr(route, "route_handler_map", {}).items()
            for field in named_fields(handler)
        }
    elsewhere = {
        ("POST", "/api/open-tables/near", "name"),  # who only asks what waits is called nothing
        ("POST", "/api/tables/{table_id:str}/play-on", "seats.name"),  # by the function of a new table
        ("POST", "/api/host/people/{person:str}", "name"),  # what a host calls somebody
        ("POST", "/api/me/tokens", "name"),  # that of a token, which its owner alone reads
    }
    assert found == walked | elsewhere
