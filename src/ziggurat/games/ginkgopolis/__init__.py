"""Ginkgopolis, by Xavier Georges, for 1 to 5 players."""

from __future__ import annotations

from ziggurat.core.game import Game
from ziggurat.games.ginkgopolis import (
    about,
    actions,
    belief,
    choices,
    components,
    events,
    facts,
    features,
    heuristics,
    reasons,
    rules,
    scenario,
    scoring,
    setup,
    state,
    view,
)

GAME = Game(
    id="ginkgopolis",
    version="2",
    min_players=1,
    max_players=5,
    options=components.OPTIONS,
    record=state.RECORD,
    space=choices.SPACE,
    events=events.EVENTS,
    rules={
        "setup": setup.setup,
        "actors": rules.actors,
        "legal": rules.legal,
        "play": rules.play,
        "scores": rules.scores,
        "winners": scoring.winners,
        "concealed": rules.concealed,
        "redeal": belief.redeal,
        "observe": features.observe,
        "suggest": heuristics.suggest,
    },
    kernel_modules=tuple(
        f"ziggurat.games.ginkgopolis.{name}"
        for name in (
            *("state", "choices", "events", "cards", "city", "supply", "setup", "hal", "scoring", "rules"),
            *("belief", "features", "heuristics"),
        )
    ),
    components_type=components.GinkgopolisComponents,
    check_components=components.check_components,
    template=components.template,
    check_options=components.check_options,
    longest_game=components.longest,
    public=view.public,
    own=view.own,
    ask=actions.ask,
    choice=actions.choice,
    describe=actions.describe,
    refusals=actions.refusals,
    preview=actions.preview,
    arrange=actions.arrange,
    in_move=actions.in_move,
    listed=sorted,  # cards stand in a hand in the order in which they came; their owner sees them sorted
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
    weight_names=heuristics.WEIGHTS,
    parts=reasons.PARTS,
    facts=facts.FACTS,
)
