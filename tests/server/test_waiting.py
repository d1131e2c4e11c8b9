"""What stands in for asyncio's event and queue at a thousand sockets does the same."""

from __future__ import annotations

import asyncio

from ziggurat.server.wire.waiting import Flag, Inbox

PATIENCE = 5.0


async def test_all_who_wait_go_on_when_the_flag_is_set() -> None:
    flag = Flag()
    waiting = [asyncio.create_task(flag.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    flag.set()
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait(waiting)
        await flag.wait()
    assert [one.cancelled() for one in waiting] == [True, False, False]
    flag.clear()
    assert not flag.is_set()
    again = asyncio.create_task(flag.wait())
    await asyncio.sleep(0)
    assert not again.done()
    flag.set()
    async with asyncio.timeout(PATIENCE):
        await again


async def test_what_comes_in_is_read_in_order() -> None:
    inbox = Inbox()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    for number in (1, 2, 3):
        inbox.put_nowait(number)
    assert inbox.qsize() == 3
    async with asyncio.timeout(PATIENCE):
        assert [await reading, await inbox.get(), await inbox.get()] == [1, 2, 3]
    assert inbox.empty()


async def test_a_reader_who_gives_up_takes_nothing_along() -> None:
    inbox = Inbox()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait([reading])
    inbox.put_nowait("kept")
    async with asyncio.timeout(PATIENCE):
        assert await inbox.get() == "kept"
