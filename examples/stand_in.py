"""A stand-in for a language model: a client of the Model Context Protocol that plays what reads best to it.

ziggurat arena place GAME --agent Stand-in=ziggurat.mcp.agent:port_8765 --workers 1 --out placed &
python examples/stand_in.py http://127.0.0.1:8765/mcp

It reads what a model would read, in words, and takes the action whose sentence has the largest number in it.
"""

import asyncio
import re
import sys
import time

import httpx2
from mcp import Client


def listens(url: str) -> bool:
    """Return whether the arena is there."""
    try:
        httpx2.head(url)
    except httpx2.ConnectError:
        return False
    return True


async def play(url: str) -> None:
    """Answer questions until nobody asks any more."""
    async with Client(url) as client:
        while True:
            asked = (await client.call_tool("question", {"wait": 20})).structured_content
            if not asked or asked["number"] is None:
                continue
            numbers = [[int(one) for one in re.findall(r"[0-9]+", action["words"])] for action in asked["legal"]]
            best = max(range(len(numbers)), key=lambda place: max(numbers[place], default=0))
            read = len(asked["text"]) + sum(len(action["words"]) for action in asked["legal"])
            given = {"question": asked["number"], "action": asked["legal"][best]["action"], "tokens": read // 4}
            await client.call_tool("answer", given)


if __name__ == "__main__":
    while not listens(sys.argv[1]):
        time.sleep(0.5)
    try:
        asyncio.run(play(sys.argv[1]))
    except* httpx2.TransportError:
        print("The arena is over.")
