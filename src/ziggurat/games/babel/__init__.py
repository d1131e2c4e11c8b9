"""Tower of Babel, by Reiner Knizia, for 3 to 5 players."""

from __future__ import annotations

from ziggurat.core.game import Game
from ziggurat.games.babel import (
    about,
    actions,
    belief,
    choices,
    components,
    events,
    heuristics,
    reasons,
    rules,
    scenario,
    scoring,
    state,
    view,
)

GAME = Game(
    id="babel",
    version="1",
    min_players=3,
    max_players=5,
    options=components.OPTIONS,
    record=state.RECORD,
    space=choices.SPACE,
    events=events.EVENTS,
    rules={
        "setup": rules.setup,
        "actors": rules.actors,
        "legal": rules.legal,
        "play": rules.play,
        "scores": scoring.scores,
        "winners": scoring.winners,
        "concealed": rules.concealed,
        "redeal": belief.redeal,
        "observe": heuristics.observe,
        "suggest": heuristics.suggest,
    },
    kernel_modules=tuple(
        f"ziggurat.games.babel.{name}"
        for name in ("state", "choices", "events", "cards", "scoring", "rules", "belief", "heuristics")
    ),
    components_type=components.BabelComponents,
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
    forced=actions.forced,
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
    weight_names=heuristics.WEIGHTS,
    parts=reasons.PARTS,
)
