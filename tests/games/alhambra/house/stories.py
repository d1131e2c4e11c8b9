"""What people do together at tables and on the pages around them, as the page's tests are told it; with this game."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from tests.server.features.review.test_after import end, moves
from tests.server.player import Json, Player
from tests.server.recorded import House, Recorder, Story
from websockets.asyncio.client import connect

from ziggurat.server.features.moderation import rows as hosting

GAME = "alhambra"
PEOPLE: Json = {"game": GAME, "policy": {"watch": "anyone"}}
DONKEY = "You play like a donkey"


async def games(person: Recorder) -> None:
    """What there is to play, as far as this game is concerned."""
    await person.ask("GET", "/api/games")
    answer: Any = person.lines[-1]
    answer["answer"] = [one for one in answer["answer"] if one["id"] == GAME]


async def begun(host: Player, *guests: Player, **more: Any) -> Json:
    """A table of people, and a bot, that has begun."""
    table = await host.table("me", *["open"] * len(guests), "random", **PEOPLE, **more)
    for guest in guests:
        await guest.join(table, (await guest.get("/api/me"))["name"])
    if guests:
        await host.post(f"/api/tables/{table['id']}/start", {})
    return table


async def people(house: House, *names: str) -> list[Recorder]:
    return [await house.person(name) for name in names]


async def company(house: House) -> Recorder:
    """Ada waits for Béla, changes what is agreed, and begins; they talk all the time."""
    ada, bela, eve = await people(house, "Ada", "Béla", "Eve")
    table = await ada.table("me", "open", "random", **PEOPLE)
    path = f"/api/tables/{table['id']}"
    await games(ada)
    await ada.ask("GET", "/api/people")
    async with ada.sit(table["id"]) as chair, AsyncExitStack() as here:
        await chair.say(type="talk")
        await chair.see("Béla sits down", bela.join(table, "Béla"))
        his = await here.enter_async_context(bela.at(table["id"]))
        await chair.see("Béla wishes luck", his.reply(type="say", phrase="good_luck"), "said")
        await chair.see("seats move", ada.ask("POST", f"{path}/order", {"order": [2, 0, 1]}))
        await chair.see("lots are drawn", ada.ask("POST", f"{path}/order", {"order": None}))
        await here.enter_async_context(eve.at(table["id"]))
        await chair.see("all begins", ada.ask("POST", f"{path}/start", {}))
        await chair.see("Béla says hello", his.reply(type="say", text="Hello, Ada"), "said")
        await chair.say(type="say", text="<b>Hi</b> https://evil.example שלום")
        await chair.say(type="say", phrase="thanks")
        await chair.say(type="say", text="\u200b")
        line = next(one["line"]["at"] for one in chair.messages if one.get("line", {}).get("text") == "Hello, Ada")
        await ada.ask("POST", f"{path}/reports", {"line": line})
    return ada


async def account(house: House) -> Recorder:
    """Somebody unknown gets a name, ways back, a token for a program, and goes."""
    ada = await house.person()
    for path in ("/api/me", "/api/sign-in"):
        await ada.ask("GET", path)
    (await ada.ask("GET", "/api/me/news"))["push_key"] = "a key of this server"
    await ada.ask("PUT", "/api/me", {"name": "Ada"})
    await ada.ask("GET", "/api/me/account")
    await ada.ask("GET", "/api/me/tokens")
    await ada.ask("PUT", "/api/me", {"mark": {"picture": "owl", "colour": "indigo"}})
    await ada.ask("GET", "/api/me/account")
    await ada.ask("POST", "/api/me/codes", {})
    await ada.ask("GET", "/api/me")
    await ada.ask("GET", "/api/me/account")
    link = await ada.ask("POST", "/api/me/link", {})
    link.update(url=f"http://here/#/me/{link['url'].split('/')[-1]}", qr=["101", "010", "101"])
    await ada.ask("POST", "/api/me/tokens", {"name": "My bot", "scope": "bot", "days": 90})
    (made,) = ada.lines[-1]["answer"]["mine"]
    made["until"] = "2026-08-30T12:00:00+00:00"  # which follows from the clock
    await ada.ask("DELETE", f"/api/me/tokens/{made['id']}")
    await ada.ask("GET", "/api/me/tokens")
    await ada.ask("POST", "/api/sign-in", {"secret": "aaaa-bbbb-cccc"})
    await ada.ask("DELETE", "/api/me")
    return ada


async def hand(house: House) -> Recorder:
    """Béla takes the seat that Ada hands on by a link."""
    ada, bela = await people(house, "Ada", "Béla")
    path = f"/api/tables/{(await begun(ada))['id']}"
    secret = (await ada.post(f"{path}/hand", {}))["url"].split("/")[-1]
    await bela.ask("GET", "/api/me")
    await bela.ask("GET", f"{path}/take", **{"X-Invite": secret})
    await bela.do("POST", f"{path}/take", {"secret": secret, "name": "Béla"})
    await bela.ask("GET", f"{path}/take", **{"X-Invite": secret})
    return bela


async def group(house: House) -> Recorder:
    """Ada knows Béla, invites him, founds a group that meets on Fridays, and blocks him for a while."""
    ada, bela = await people(house, "Ada", "Béla")
    waiting = await ada.table("me", "open", game=GAME)
    await begun(ada, bela)
    known = (await ada.ask("GET", "/api/people"))["played"][0]["id"]
    await ada.ask("POST", f"/api/tables/{waiting['id']}/invite", {"person": known})
    await ada.ask("GET", "/api/people")
    await ada.ask("GET", "/api/me")
    made = await ada.ask("POST", "/api/groups", {"name": "Friday", "called": "Ada"})
    path = f"/api/groups/{made['id']}"
    invite = (await ada.ask("GET", path))["invite"]
    evening: dict[str, Any] = {
        "weekday": 4,
        "on": None,
        "time": "19:30",
        "zone": "Europe/Budapest",
        "minutes": 180,
        "games": [],
    }
    next_one = (await ada.do("PUT", path, {"evenings": [evening]}))["evening"]["next"]
    await ada.ask("PUT", f"{path}/evening", {"evening": next_one, "comes": True})
    await bela.post(f"{path}/join", {"invite": invite, "name": "Béla"})
    await bela.http.put(f"{path}/evening", json={"evening": next_one, "comes": False})
    await ada.ask("GET", path)
    await ada.ask("GET", f"/api/seasons?group={made['id']}")
    await games(ada)
    await bela.table("me", "open", game=GAME, group=made["id"])
    await ada.ask("GET", "/api/home")
    await ada.ask("PUT", path, {"link": "withdraw"})
    await ada.ask("POST", "/api/blocks", {"person": known})
    blocked = (await ada.ask("GET", "/api/people"))["blocked"][0]["id"]
    await ada.ask("DELETE", f"/api/blocks/{blocked}")
    await ada.ask("GET", "/api/people")
    return ada


async def invited(house: House) -> Recorder:
    """Béla comes by the link of a group."""
    ada, bela = await people(house, "Ada", "Béla")
    made = await ada.post("/api/groups", {"name": "Friday", "called": "Ada"}, 201)
    path = f"/api/groups/{made['id']}"
    invite = (await ada.get(path))["invite"]
    await bela.ask("GET", path, **{"X-Invite": invite})
    await bela.ask("GET", "/api/me")
    await bela.ask("POST", f"{path}/join", {"invite": invite, "name": "Béla"})
    await bela.ask("GET", path)
    await bela.ask("GET", f"/api/seasons?group={made['id']}")
    bela.lines.append({"ask": "the link", "status": 0, "answer": f"#/group/{made['id']}/{invite}"})
    return bela


async def host(house: House) -> Recorder:
    """Hanna becomes a host, settles a report, does something about its person, a table, and the server."""
    hanna, ada, bela = await people(house, "Hanna", "Ada", "Walter")
    await house.database.transact(partial(hosting.offer, token="token", first=False))
    table = await begun(ada, bela)
    async with bela.at(table["id"]) as his, ada.at(table["id"]) as hers:
        await his.reply(type="say", text=DONKEY)
        line = await hers.until(lambda: next((one["line"] for one in hers.messages if one["type"] == "said"), None))
        await ada.post_nothing(f"/api/tables/{table['id']}/reports", {"line": line["at"]})
    await hanna.ask("POST", "/api/me/host", {"token": "token"})
    await overview(hanna)
    found = await hanna.ask("GET", "/api/host/reports?status=new")
    done = {"done": "Warned.", "text": "", "to_person": "warned", "to_reporter": "thanks", "take": True}
    [report] = [one for one in found if one["table"] == table["id"]]
    await hanna.ask("POST", f"/api/host/reports/{report['id']}", done)
    await hanna.ask("GET", "/api/host/reports?status=new")
    await overview(hanna)
    await hanna.ask("GET", "/api/host/reports?status=seen")
    await hanna.ask("GET", "/api/host/people?text=")
    await hanna.ask("GET", "/api/host/tables?text=")
    (one,) = await hanna.ask("GET", "/api/host/people?text=Walt")
    deed = {"name": "", "days": None, "network": False, "phrase": None, "text": ""}
    for what in ({"do": "rename", "name": "Wally"}, {"do": "bar", "days": 7}):
        await hanna.ask("POST", f"/api/host/people/{one['id']}", {**deed, **what})
        await hanna.ask("GET", "/api/host/people?text=Walt")
        await hanna.ask("GET", "/api/host/people?text=Wally")
    await hanna.ask("GET", "/api/host/tables?text=Wally")
    await hanna.ask("POST", f"/api/host/tables/{table['id']}", {"do": "end", "seat": 0})
    await hanna.ask("PUT", "/api/host/message", {"text": {"en": "Tea at five!", "hu": "Ötkor tea!"}, "hours": 24})
    await overview(hanna)
    await hanna.ask("GET", "/api/house")
    for minutes in (0, None):
        await hanna.ask("PUT", "/api/host/maintenance", {"minutes": minutes, "text": {}})
        await overview(hanna)
        await hanna.ask("GET", "/api/house")
    await hanna.ask("GET", "/api/host/deeds")
    return hanna


async def overview(hanna: Recorder) -> None:
    """What the host is told of the server, without what a computer measures."""
    numbers = (await hanna.ask("GET", "/api/host"))["numbers"]
    for of in (numbers, numbers["counts"]):
        of.update({name: 7 for name, value in of.items() if isinstance(value, int | float)})
    numbers["version"] = "7"


async def open_tables(house: House) -> Recorder:
    """Somebody unknown looks at open tables, while Ada opens one that is full with them; and looks for others."""
    eve, ada = await house.person(), await house.person("Ada")
    await eve.ask("GET", "/api/home")
    await eve.ask("GET", "/api/me")
    await eve.ask("GET", "/api/me/wishes")

    async def hears(when: str) -> None:
        message = await socket.recv()
        eve.lines.append({"at": "/api/open-tables/live", "when": when, "hears": [json.loads(message)]})

    async with connect(f"{eve.base.replace('http', 'ws', 1)}/api/open-tables/live", compression=None) as socket:
        await hears("it opens")
        terms = {"wait": 86_400, "bot": "random", "strength": "beginners", "language": "hu"}
        live = {"kind": "live", "reserve": 600, "step": 30}
        table = await ada.table("me", "open", game=GAME, time=live, policy={"join": "anyone", "terms": terms})
        await hears("Ada opens a table")
    await eve.do("POST", f"/api/tables/{table['id']}/join", {"invite": "", "name": "Eve"})
    await eve.do("PUT", "/api/me", {"name": "Eve", "language": "en"})
    await eve.do("PUT", "/api/me/wishes", {"wishes": [{"games": [GAME], "tempos": ["live"]}]})
    (await eve.ask("GET", "/api/me/news"))["push_key"] = "a key of this server"
    await eve.do("PUT", "/api/me/wishes", {"wishes": []})
    return eve


async def room(house: House) -> Recorder:
    """After the end: Bob leads, points, and tries a move; he asks Ann to play on."""
    ann, bob = await people(house, "Ann", "Bob")
    table = await begun(ann, bob)
    path = f"/api/tables/{table['id']}"
    async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
        await moves(a, b, 2)
        await end(a, b)
    await ann.ask("GET", f"{path}/showing")
    async with ann.sit(table["id"]) as chair, bob.at(table["id"]) as his:
        frames = (await ann.ask("GET", f"{path}/history"))["frames"]
        await chair.see("Bob leads", his.reply(type="lead", lead=True), "room")
        for n in (1, 2):
            await chair.see(f"Bob is at {n}", his.reply(type="at", seq=frames[n]["seq"], line=[]), "room")
        await chair.see("Bob points", his.reply(type="point", piece="seat 1", place="seat:1"), "pointed")
        await ann.ask("PUT", f"{path}/showing", {"agree": True, "named": True})
        await bob.http.put(f"{path}/showing", json={"agree": True})
        secret = (await ann.ask("GET", f"{path}/showing"))["secret"]
        shown = await ann.ask("GET", "/api/shown", **{"X-Game": secret})
        del shown["frames"][1:]  # for one moment is as good as another
        await ann.ask("PUT", f"{path}/showing", {"agree": False, "named": True})
        await chair.see("Bob wants another game", bob.post(f"{path}/rematch", {}))
    return ann


async def turn(house: House) -> Recorder:
    """Whoever begins makes the first move there is, and asks to have it back."""
    table, pair = await house.together(GAME, "Ada", "Béla")
    (at,) = (await pair[0].get(f"/api/tables/{table['id']}"))["actors"]
    teller: Recorder = pair[at]
    async with house.present(table, pair[1 - at]), teller.sit(table["id"]) as chair:
        first = chair.legal[0]["action"]
        answer = await chair.say(type="move", seq=chair.state["seq"], steps=[first])
        assert answer["type"] == "ack", answer
        await chair.say(type="undo", ask=False)
        await chair.say(type="undo")
    return teller


STORIES: dict[str, Story] = {
    one.__name__: one for one in (company, account, hand, group, invited, host, open_tables, room, turn)
}
