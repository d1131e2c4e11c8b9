"""How a language model plays at Kaggle: the three functions that their harness calls, from an observation to a
prompt and from an answer to an action.

Their guide would rather have no legal moves in a prompt. Ours are listed: the names of actions are of our own notation,
which nobody could derive from the rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import ziggurat
from ziggurat.core.text import catalogue
from ziggurat.rl import prompts

if TYPE_CHECKING:
    from kaggle_environments.core_harness import ParseResult

MOST_MOVES = 30
"""Moves of its own that a model is reminded of, the latest."""
PROMPT = """\
You are {name} in a game of {game}. {seated}

{rules}

# Now

{happened}What you see as {name}:
{text}

Your moves so far, the latest last: {moves}

What you may do now:
{listed}

Where several players decide at the same time, nobody learns what the others choose before all have chosen. A turn
may take several answers, one for each step.

Think, then end with your move as JSON, exactly as the list writes it between the number and the dash:

```json
{{"move": "<your_move>"}}
```
"""
ILLEGAL = """
You suggested the move "{previous_action}", which is not in the list of what you may do now. Choose one that is, and
keep to the same form of JSON.
"""
UNPARSABLE = """
Your last answer ended with:
{previous_response}

No move could be read from that. End with your move as JSON, as one of the list writes it:

```json
{{"move": "<your_move>"}}
```
"""


def _told(observation: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the state has told; nothing where that is not there or no JSON."""
    try:
        told = json.loads(observation.get("observationString") or "{}")
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def get_legal_moves(observation: Mapping[str, Any]) -> dict[int, str]:
    """Return the legal actions with their notation."""
    return {int(one["action"]): str(one["notation"]) for one in _told(observation).get("legal_actions", [])}


def generate_prompt(
    observation: Mapping[str, Any],
    move_history: Sequence[str],
    previous_response: str | None = None,
    previous_action: str | None = None,
) -> str:
    """Return the prompt of a decision; after a wrong answer with what was wrong.

    Args:
        move_history: the model's own moves so far.
        previous_response: its last answer, if no move could be read from it.
        previous_action: its last move, if that was not legal.
    """
    from kaggle_environments.core_harness import render_rethink_suffix

    told = _told(observation)
    game, players, player = ziggurat.game(told["game"]), int(told["players"]), int(told["player"])
    names = prompts.player_names(players)
    offered = [
        prompts.TextChoice(number, one["action"], one["notation"], one["words"])
        for number, one in enumerate(told["legal_actions"], 1)
    ]
    happened = "\n".join(told["happened"])
    prompt = PROMPT.format(
        name=names[player],
        game=catalogue("en", game)("name"),
        seated=prompts.seated(players),
        rules=prompts.rules_for_prompt(game, players),
        happened=f"What has happened since you were asked last:\n{happened}\n\n" if happened else "",
        text=told["text"],
        moves=", ".join(move_history[-MOST_MOVES:]) or "none",
        listed=prompts.listed(offered),
    )
    # Their function puts an answer into a template: braces of the model's own stay as they are.
    return prompt + str(render_rethink_suffix(ILLEGAL, UNPARSABLE, previous_response, previous_action))


def parse_response(
    response: str, legal_action_strings: Sequence[str], *, observation: Mapping[str, Any] | None = None
) -> ParseResult:
    """Return the legal action that an answer names: the last JSON in it says which, by notation, number or words."""
    from kaggle_environments.core_harness import parse_json_action

    return parse_json_action(response[-prompts.MOST_READ :], legal_action_strings, matcher=_matched)


def _matched(said: str, legal: Sequence[str]) -> str | None:
    offered = [prompts.TextChoice(number, number, one, one) for number, one in enumerate(legal, 1)]
    # What stands beside the dash is not needed.
    found = prompts.chosen(said, offered) or prompts.chosen(said.split(" - ")[0], offered)
    return None if found is None else found.notation
