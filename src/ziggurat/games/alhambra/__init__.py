"""Alhambra: The Card Game, by Dirk Henn, for 2 to 6 players."""

from __future__ import annotations

from ziggurat.core.game import Game
from ziggurat.games.alhambra import (
    about,
    actions,
    belief,
    choices,
    components,
    events,
    features,
    heuristics,
    reasons,
    rules,
    scenario,
    state,
    view,
)

GAME = Game(
    id="alhambra",
    version="1",
    min_players=2,
    max_players=6,
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
        "observe": features.observe,
        "suggest": heuristics.suggest,
    },
    kernel_modules=tuple(
        f"ziggurat.games.alhambra.{name}"
        for name in ("state", "choices", "events", "rules", "belief", "features", "heuristics")
    ),
    components_type=components.AlhambraComponents,
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
    about=about.about,
    named=about.named,
    features=features.features,
    trust=0.8,
    weight_names=heuristics.WEIGHTS,
    parts=reasons.PARTS,
)
