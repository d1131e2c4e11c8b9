"""The clock of the machine, put forward by a test of seasons: nobody waits for a week."""

from __future__ import annotations

import asyncio
import time

import pytest

from ziggurat.server.features.seasons.drawing import answer
from ziggurat.server.features.seasons.service import Seasons


class Clock:
    """The clock of the machine, put forward by a test; rounds are drawn in this process."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.ahead, began = 0.0, time.time
        self.seasons: list[tuple[Seasons, asyncio.AbstractEventLoop]] = []
        self.draws = 0
        patch.setattr(time, "time", lambda: began() + self.ahead)
        opens = Seasons.open

        async def opened(seasons: Seasons) -> None:
            self.seasons.append((seasons, asyncio.get_running_loop()))

            async def drawn(question: object) -> object:
                self.draws += 1
                return await asyncio.to_thread(answer, question)  # type: ignore[arg-type]

            seasons.draw = drawn  # type: ignore[assignment]
            await opens(seasons)

        patch.setattr(Seasons, "open", opened)

    def until(self, moment: float) -> None:
        """Put it forward to a moment."""
        self.ahead += max(0.0, moment - time.time())
        for seasons, loop in self.seasons:
            loop.call_soon_threadsafe(seasons._loop.wake)
