"""A bot for 7 Wonders: Architects as a program: docs/agents.md is the protocol.

    ziggurat tournament architects --players 2 --bots "greedy,random,mine=cmd:python examples/architect.py"

It needs Python and nothing else. It builds and claims whenever it can, and takes the card that it lacks.
"""

import json
import sys

GOOD_TO_DO = {"build": 90, "claim": 80, "take_token": 70, "accept": 60, "choose_wonder": 50, "end": -1, "decline": -2}


def worth(card, mine, costs):
    """Of a card on top of a deck; None is one that nobody sees."""
    if card is None:
        return 3
    if card.startswith(("vp", "red")):
        return {"vp3": 6, "vp2cat": 7}.get(card, 4)
    if card in ("compass", "gear", "tablet"):
        return 5 + 2 * mine["cards"].get(card, 0)
    if card == "coin":
        return 8
    if not mine["available"]:
        return 1
    identical = costs[mine["available"][0] - 1]["relation"] == "identical"
    return 8 if (mine["cards"].get(card, 0) > 0) == identical else 4


def value(choice, view):
    mine = view["builders"][view["seat"]]
    if choice["type"] == "claim":
        return GOOD_TO_DO["claim"] + (choice["token"] != "stack")
    if choice["type"] in GOOD_TO_DO:
        return GOOD_TO_DO[choice["type"]] + choice.get("points", 0)
    return worth(choice.get("card"), mine, view["costs"])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"want": ["view", "choices"]}), flush=True)
    elif message["type"] == "decision":
        best = max(message["choices"], key=lambda choice: value(choice, message["view"]))
        print(json.dumps({"id": message["id"], "action": best["action"]}), flush=True)
