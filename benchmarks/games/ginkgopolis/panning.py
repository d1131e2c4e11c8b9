"""Whether a city of forty buildings moves under a finger as fast as the screen can show it.

    python -m benchmarks.games.ginkgopolis.panning [--json] [--buildings 40]
        [--width 360] [--height 740] [--scale 2] [--trace FILE]

A server process is started on this machine; five people, sockets of this process, play Ginkgopolis until the city is
large enough. Then one of them opens it in Chromium, on a page of a phone's size, and drags and pinches it with touches
that the browser itself makes, sixty a second, while it traces itself. All figures come from that trace. Without a
screen and a graphics card, raster and compositing are the work of the same processors as everything else, so the
figures say too whose time a frame took: the page's (`main`), the compositor's, raster's, or that of the process that
puts the picture together (`display`), which stands for the graphics card.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import shutil
import statistics
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from benchmarks.tables import machine, server
from playwright.async_api import Browser, CDPSession, Page, async_playwright
from tests.server.player import Json, Live, visitor

GAME = "ginkgopolis"
PEOPLE = ("Ada", "Bo", "Cleo", "Dan", "Eve")
ATTEMPTS = 5
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIETLY = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
CATEGORIES = ("devtools.timeline", "disabled-by-default-devtools.timeline.frame", "cc", "benchmark", "viz", "toplevel")
THREADS = {
    "CrRendererMain": "main",
    "Compositor": "compositor",
    "ThreadPoolForegroundWorker": "raster",
    "CompositorTileWorker": "raster",
    "VizCompositorThread": "display",
    "CrGpuMain": "display",
}
SECOND = 1e6
"""Of a trace."""


def note(words: str) -> None:
    """Say how far things are."""
    print(f"\r{words:<78}", end="", file=sys.stderr, flush=True)


# --- A large city -------------------------------------------------------------------------------------------------


def spread(live: Live) -> tuple[list[int], bool]:
    """Return the steps of a move that makes the city wider, or leads there; and whether a preview has to end them."""
    legal = live.legal
    cards = [choice for choice in legal if choice["type"] == "card"]
    if not cards:
        goods: dict[str, int] = {choice.get("good", ""): choice["action"] for choice in legal}
        own = live.state["view"]["builders"][live.state["table"]["you"]]
        wanted = "tile" if own["tile_count"] <= own["resources"] else "resource"
        return [goods[wanted] if wanted in goods else legal[-1]["action"]], False
    outwards = [(use, card) for card in cards for use in card["uses"] if use["kind"] == "urbanize"]
    if outwards:
        use, card = max(outwards, key=lambda one: sum(one[0]["gains"].get(good, 0) for good in ("resource", "tile")))
        return [card["action"], use["step"]["action"]], False
    new_hand = [choice["action"] for choice in legal if choice["type"] == "new_hand"]
    if new_hand and not any(len(card["card"]) == 1 for card in cards):
        return new_hand, False
    own = live.state["view"]["builders"][live.state["table"]["you"]]
    wanted = "tile" if own["tile_count"] <= own["resources"] else "resource"
    best = max(cards, key=lambda card: card["uses"][0]["gains"].get(wanted, 0) if card["uses"] else -1)
    return [best["action"]], True


async def city(base: str, buildings: int) -> tuple[str, str]:
    """Play until the city is large enough; return the table and the cookie of somebody who has to choose there."""
    for _ in range(ATTEMPTS):
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(visitor(base, name)) for name in PEOPLE]
            ada = people[0]
            table = await ada.table("me", *["open"] * (len(people) - 1), game=GAME)
            for person, name in zip(people[1:], PEOPLE[1:], strict=True):
                await person.join(table, name)
            await ada.post(f"/api/tables/{table['id']}/start")
            lives = [await stack.enter_async_context(person.at(table["id"])) for person in people]
            while not lives[0].over:
                count = len(lives[0].state["view"]["buildings"])
                note(f"playing: {count} buildings of {buildings}")
                if count >= buildings and any(choice["type"] == "card" for choice in lives[0].legal):
                    return table["id"], ada.http.cookies["ziggurat"]
                await _move(next(live for live in reversed(lives) if live.legal), lives)
    raise SystemExit(f"no game came to {buildings} buildings")


async def _move(live: Live, lives: list[Live]) -> None:
    steps, asks = spread(live)
    if asks:
        preview = (await live.reply(type="preview", seq=live.state["seq"], steps=steps))["preview"]
        steps += [one["action"] for one in preview["confirm"][:1]]
    answer = await live.move(steps)
    if answer["type"] != "ack":
        raise SystemExit(f"refused: {answer}")
    for other in lives:
        await _reach(other, answer["seq"])


async def _reach(live: Live, seq: int) -> None:
    await live.until(lambda: live.state["seq"] >= seq)


# --- The page -----------------------------------------------------------------------------------------------------


async def gestures(touch: CDPSession, page: Page) -> None:
    """Drag the city about, and pinch it, as a thumb and a finger would."""
    box = await page.locator("[data-cell]").first.locator("xpath=../..").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    wide, high = box["width"] * 0.38, box["height"] * 0.38
    ways = [(wide, 0), (0, high), (-wide, 0), (0, -high), (-wide, -high), (wide, high)]
    for nth, (dx, dy) in enumerate(ways * 2):
        note(f"dragging and pinching: {nth + 1} of {2 * len(ways)}")
        await touch.send(
            "Input.synthesizeScrollGesture",
            {
                "x": x - dx / 2,
                "y": y - dy / 2,
                "xDistance": dx,
                "yDistance": dy,
                "speed": 320,
                "gestureSourceType": "touch",
                "preventFling": True,
                "repeatCount": 1,
                "repeatDelayMs": 0,
            },
        )
        if nth % 3 == 2:
            await touch.send(
                "Input.synthesizePinchGesture",
                {
                    "x": x,
                    "y": y,
                    "scaleFactor": 1.5 if nth % 2 else 1 / 1.5,
                    "relativeSpeed": 300,
                    "gestureSourceType": "touch",
                },
            )


async def measure(browser: Browser, base: str, buildings: int, options: argparse.Namespace) -> Json:
    """Open a large city and return the trace of its being moved."""
    table, cookie = await city(base, buildings)
    note("opening the page")
    context = await browser.new_context(
        viewport={"width": options.width, "height": options.height},
        device_scale_factor=options.scale,
        has_touch=True,
        is_mobile=True,
    )
    await context.add_cookies([{"name": "ziggurat", "value": cookie, "url": base}])
    page = await context.new_page()
    await page.goto(f"{base}/#/table/{table}")
    await page.locator("[data-at]").nth(buildings - 1).wait_for()
    await page.wait_for_timeout(2500)  # what else the page loads or draws at first
    touch = await context.new_cdp_session(page)
    await browser.start_tracing(page=page, categories=list(CATEGORIES))
    await gestures(touch, page)
    raw = await browser.stop_tracing()
    if options.trace:
        options.trace.write_bytes(raw)
    trace: Json = json.loads(raw)
    await context.close()
    return trace


# --- What the trace says ------------------------------------------------------------------------------------------


def figures(trace: Json) -> dict[str, Any]:
    """Read frames, and whose time they took, from a trace. Only times in which the city is being moved count."""
    events = trace["traceEvents"]
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"
    }
    renderer = Counter(event["pid"] for event in events if event["name"] == "EventDispatch").most_common(1)[0][0]
    spans = _gestures(events)

    def inside(time: float) -> bool:
        return any(begin <= time <= end for begin, end in spans)

    drawn = sorted(
        event["ts"]
        for event in events
        if event["name"] == "DrawFrame" and event["pid"] == renderer and inside(event["ts"])
    )
    gaps = [
        (later - earlier) / 1000
        for begin, end in spans
        for earlier, later in itertools.pairwise(time for time in drawn if begin <= time <= end)
    ]
    if not gaps:
        raise SystemExit("the trace shows no frames")
    seconds = sum(end - begin for begin, end in spans) / SECOND
    dropped = sum(
        event["name"] == "DroppedFrame" and event["pid"] == renderer and inside(event["ts"]) for event in events
    )
    spent: Counter[str] = Counter()
    for event in events:
        name = threads.get((event["pid"], event["tid"]), "").split("/")[0]
        ours = event["pid"] == renderer or name in ("VizCompositorThread", "CrGpuMain")
        whose = THREADS.get(name)
        if event.get("ph") == "X" and event["name"].endswith("RunTask") and whose and ours and inside(event["ts"]):
            spent[whose] += event.get("tdur", event["dur"])
    gaps.sort()
    return {
        "gestures": len(spans),
        "seconds": round(seconds, 2),
        "frames": len(drawn),
        "frames_per_second": round(1000 * len(gaps) / sum(gaps), 1),
        "median_ms": round(statistics.median(gaps), 2),
        "p95_ms": round(gaps[int(0.95 * len(gaps))], 2),
        "max_ms": round(gaps[-1], 2),
        "dropped": dropped,
        **{
            f"{whose}_ms_per_frame": round(spent[whose] / 1000 / len(drawn), 2)
            for whose in sorted(set(THREADS.values()))
        },
    }


def _gestures(events: list[Json]) -> list[tuple[float, float]]:
    """When the city was moved: from the first move to the last one of each touch."""
    found = []
    touches, moves = 0, []
    pointers = [event for event in events if event["name"] == "EventDispatch"]
    for event in sorted(pointers, key=lambda event: event["ts"]):
        kind = event["args"]["data"]["type"]
        if kind == "pointermove" and touches:
            moves.append(event["ts"])
        elif kind in ("pointerdown", "pointerup", "pointercancel"):
            touches += 1 if kind == "pointerdown" else -1
            if not touches and moves:
                found.append((moves[0], moves[-1]))
                moves = []
    return found


async def run(base: str, options: argparse.Namespace) -> dict[str, Any]:
    """Measure once."""
    path = os.environ.get("ZIGGURAT_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*QUIETLY, "--no-first-run"])
        try:
            found = figures(await measure(browser, base, options.buildings, options))
            # What else this machine did meanwhile costs frames too.
            return found | {"load": round(os.getloadavg()[0], 1)}
        finally:
            await browser.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    parser.add_argument("--buildings", type=int, default=40, help="size of the city (default: 40)")
    parser.add_argument("--width", type=int, default=360, help="of the page (default: 360)")
    parser.add_argument("--height", type=int, default=740, help="of the page (default: 740)")
    parser.add_argument("--scale", type=float, default=2, help="pixels of the screen to one of the page (default: 2)")
    parser.add_argument("--trace", type=Path, help="keep the trace in this file, for Chromium's own viewer")
    options = parser.parse_args()
    with server(None) as (base, _):
        result = asyncio.run(run(base, options))
    note("")
    print("\r", end="", file=sys.stderr)
    if options.json:
        print(json.dumps({"machine": machine(), "result": result}, indent=1))
        return
    for name, value in result.items():
        print(f"{name:28}{value:>10}")


if __name__ == "__main__":
    main()
