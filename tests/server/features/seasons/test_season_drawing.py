"""A round is drawn by a process of its own, which says the same as this one."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from tests.server.features.seasons.virtual import SECRET, VirtualSeason, weeks

from ziggurat.server.features.seasons import drawing
from ziggurat.server.features.seasons.beacon import commitment
from ziggurat.server.features.seasons.drawing import DrawQuestion, answer, ask

pytestmark = pytest.mark.slow


def question() -> DrawQuestion:
    """That for the second round of six."""
    season = VirtualSeason(weeks(3), 6).play(1)
    at = season.terms.drawn_at(2)
    return DrawQuestion(season.terms, commitment(SECRET), season.events, 2, at)


async def test_another_process_draws_the_same_round() -> None:
    asked = question()
    drawn = await ask(asked)
    assert drawn == await asyncio.to_thread(answer, asked)
    assert drawn.solver
    assert drawn.round == 2


async def test_a_draw_that_fails_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    asked = question()
    wrong = msgspec.structs.replace(asked, events=[*asked.events, asked.events[0]])
    with pytest.raises(RuntimeError, match="the draw of round 2 failed"):
        await ask(wrong)
    assert "SeasonError" in capfd.readouterr().err


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "DRAW_SECONDS", 0.0)
    with pytest.raises(TimeoutError):
        await ask(question())
