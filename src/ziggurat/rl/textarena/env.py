"""An environment of TextArena for every game; needs the package ``textarena``."""

from __future__ import annotations

from typing import Any

import textarena as ta

import ziggurat
from ziggurat.core.errors import ZigguratError
from ziggurat.core.in_words import observation_text
from ziggurat.rl import prompts
from ziggurat.rl.prompts import AnswerError, Rules
from ziggurat.rl.textarena.table import TextTable

ERROR_ALLOWANCE = 1
"""Wrong answers in a row that cost nothing: as many as TextArena's games usually allow."""


class TextArenaGame(ta.Env):  # type: ignore[misc]
    """A game of ours among TextArena's.

    Attributes:
        state: theirs: messages, rewards, whose turn it is. Its ``game_state`` holds nothing of the game.
        table: the game.
    """

    def __init__(
        self,
        game: str,
        *,
        options: dict[str, str] | None = None,
        rules: Rules = "play",
        error_allowance: int = ERROR_ALLOWANCE,
        **more_options: Any,
    ) -> None:
        """
        Args:
            game: id.
            options: of the game, also as arguments of their own.
            rules: how much of the rules the prompt has: ``all``, ``play``, ``minute`` or ``none``.
            error_allowance: wrong answers in a row that cost nothing.

        Raises:
            ValueError: saying what there is.
        """
        try:
            self._take(game, {**(options or {}), **{name: str(value) for name, value in more_options.items()}}, rules)
        except ZigguratError as error:
            raise ValueError(error.detail) from None
        if type(error_allowance) is not int or error_allowance < 0:  # nor a truth value
            raise ValueError(f"error_allowance is a number from 0, not {error_allowance!r:.60}")
        self.error_allowance = error_allowance

    def _take(self, game: str, options: dict[str, str], rules: str) -> None:
        self.game = ziggurat.game(game)
        self.options = options
        self.game.check_setup(max(2, self.game.min_players), self.options)
        self.rules = prompts.check_amount(rules)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a game.

        Args:
            num_players: as many as the game is for.
            seed: the same deals the same cards.

        Raises:
            ValueError: saying what would be right.
        """
        try:
            self.table = TextTable(self.game, num_players, seed, self.options, self.rules)
        except ZigguratError as error:
            raise ValueError(error.detail) from None
        self.state = ta.FFAMultiPlayerState(num_players=num_players, error_allowance=self.error_allowance)
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: self.table.opening(player_id, self.error_allowance),
            role_mapping=dict(enumerate(self.table.names)),
        )
        self._ask()
        self._hand_on()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Read the answer of the player who was asked; TextArena's own rule says what becomes of wrong ones.

        A player with one too many has lost. Among several a program plays the seat on.
        """
        state = self.state
        player = state.current_player_id
        said = str(action)[-prompts.MOST_READ :]
        state.add_observation(said, ta.ObservationType.PLAYER_ACTION, from_id=player, to_id=player)
        try:
            self.table.answer(said)
        except AnswerError as error:
            if not state.set_invalid_move(error.detail):
                self._ask(error.detail)
                return self._done()
            self.table.give_up(player)
            told = f"{self.table.names[player]} has lost: too many answers that were not in the list."
            state.add_observation(told, ta.ObservationType.GAME_MESSAGE)
        self._ask()
        return self._done()

    def get_board_str(self) -> str:
        """Return what an onlooker sees; for TextArena's renderer."""
        return observation_text(self.table.position, None, "en", self.table.names)

    def _ask(self, wrong: str = "") -> None:
        table, state = self.table, self.state
        seat = table.asked
        if seat is None:
            said = table.result()
            state.add_observation(said, ta.ObservationType.GAME_MESSAGE)
            state.set_game_outcome(table.rewards(), said)
            if table.position.finished:
                for player, score in enumerate(table.position.scores):
                    state.game_info[player]["score"] = score
            return
        state.add_observation(table.question(wrong), ta.ObservationType.GAME_BOARD, to_id=seat)

    def _done(self) -> tuple[bool, dict[str, Any]]:
        done, info = self.state.step(rotate_player=False)
        if not done:
            self._hand_on()  # after theirs, which counts the turn of the player who had it
        return bool(done), dict(info)

    def _hand_on(self) -> None:
        """Tell TextArena who is asked; it forgets wrong answers then."""
        seat = self.table.asked
        if seat is not None and seat != self.state.current_player_id:
            self.state.manually_set_current_player_id(seat, force=True)
