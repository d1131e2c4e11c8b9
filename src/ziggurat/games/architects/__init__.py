"""7 Wonders: Architects, by Antoine Bauza, for 2 to 7 players."""

from __future__ import annotations

from ziggurat.core.game import Game
from ziggurat.games.architects import (
    actions,
    belief,
    choices,
    components,
    events,
    heuristics,
    reasons,
    rules,
    scenario,
    state,
    view,
)

GAME = Game(
    id="architects",
    version="1",
    min_players=2,
    max_players=7,
    options=components.OPTIONS,
    record=state.RECORD,
    space=choices.SPACE,
    events=events.EVENTS,
    rules={
        "setup": rules.setup,
        "actors": rules.actors,
        "legal": rules.legal,
        "play": rules.play,
        "scores": rules.scores,
        "winners": rules.winners,
        "concealed": rules.concealed,
        "redeal": belief.redeal,
        "observe": heuristics.observe,
        "suggest": heuristics.suggest,
    },
    kernel_modules=tuple(
        f"ziggurat.games.architects.{name}"
        for name in (
            "state",
            "choices",
            "events",
            "rules",
            "decks",
            "effects",
            "science",
            "payments",
            "belief",
            "heuristics",
        )
    ),
    components_type=components.ArchitectsComponents,
    check_components=components.check_components,
    template=components.template,
    check_options=components.check_options,
    public=view.public,
    own=view.own,
    ask=actions.ask,
    choice=actions.choice,
    describe=actions.describe,
    refusals=actions.refusals,
    preview=actions.preview,
    arrange=actions.arrange,
    in_move=actions.in_move,
    winners=view.winner_seats,
    secrets=view.secrets,
    write_step=actions.write_step,
    write_move=actions.write_move,
    read_move=actions.read_move,
    arrange_scenario=scenario.arrange_scenario,
    scores_from_events=events.scores_from_events,
    count_pieces=scenario.count_pieces,
    weight_names=heuristics.WEIGHTS,
    parts=reasons.PARTS,
)
