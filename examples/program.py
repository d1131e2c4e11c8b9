"""Plays at the tables of a Ziggurat server, by a token for playing as a bot: any move that is legal (docs/programs.md).

python program.py https://games.example token.txt [the link of a table at which it shall sit down]
"""

import json
import random
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

SERVER, TOKEN = sys.argv[1].rstrip("/"), Path(sys.argv[2]).read_text().strip()


def ask(path, body=None):
    """Ask the server, and wait where it says so; return its answer, and the code of its refusal."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            return urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers)), ""
        except urllib.error.HTTPError as error:
            if "Retry-After" not in error.headers:
                return error, json.load(error)["code"]
            time.sleep(int(error.headers["Retry-After"]))


def lines(path):
    """Read a stream; an empty line says that it is still there."""
    with ask(path)[0] as stream:
        yield from (json.loads(line) for line in stream if line.strip())


def move(table, state):
    """Make a whole move: add steps until nothing can follow. Where it comes too late, the next line asks again."""
    told, legal = {"seq": state["seq"], "steps": []}, state["decision"]["legal"]
    while legal:
        told["steps"].append(random.choice(legal)["action"])
        answer, refused = ask(f"{table}/steps", told)
        if refused:
            return
        legal = json.load(answer)["legal"]
    ask(f"{table}/moves", told)


def play(table):
    """Play a game to its end."""
    while True:
        for state in lines(f"{table}/stream"):
            if state["type"] == "update" and state["table"]["status"] != "playing":
                return
            if state["type"] == "update" and state["decision"]["legal"]:
                move(table, state)


if len(sys.argv) > 3:
    table, invite = sys.argv[3].split("/")[-2:]
    ask(f"/api/tables/{table}/join", {"invite": invite, "name": "Robo"})
playing = {}
while True:
    for news in lines("/api/stream"):
        table = news.get("table", {"id": "", "status": "", "seats": []})
        path = f"/api/tables/{table['id']}"
        if any(seat.get("kept") == "you" for seat in table["seats"]):
            ask(f"{path}/accept", {})
        if table["status"] == "playing" and not (path in playing and playing[path].is_alive()):
            playing[path] = threading.Thread(target=play, args=[path], daemon=True)
            playing[path].start()
