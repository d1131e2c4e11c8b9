"""7 Wonders: Architects in the terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from ziggurat.core.board import Board, player, right, table_of
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event
from ziggurat.games.architects.state import COLOURS
from ziggurat.games.architects.view import ArchitectsView, Builder, WonderKind

# Never by colour alone: every colour has its own sign too, as the rulebook prints it.
SIGNS = {"grey": "◆", "yellow": "●", "blue": "▬", "green": "▲", "red": "✚"}
STYLES = {"grey": "", "yellow": "yellow", "blue": "bright_blue", "green": "green", "red": "red"}
COLOUR_OF = {card: colour for colour, cards in COLOURS.items() for card in cards}
BUILT, AVAILABLE, LOCKED = "■", "□", "·"
MARKS = {BUILT: "label.built", AVAILABLE: "label.available", LOCKED: "label.locked"}
PARTS = ("stages", "cards", "military", "cat", "tokens")
EFFECT = "*"


class ArchitectsBoard(Board):
    quiet = frozenset({"deck_top", "disarmed", "peeked", "reshuffled", "token_revealed", "turn"})

    def show(self, view: ArchitectsView, say: Catalogue, names: Names) -> RenderableType:
        if view.phase == "choose":
            return Group(self._open_wonders(view, say), self._builders(view, say, names))
        parts = [self._decks(view, say, names), self._middle(view, say, names), self._builders(view, say, names)]
        if view.seat is not None:
            parts.append(self._own_wonder(view.builders[view.seat], view, say))
        if view.looked is not None:
            parts.append(_listed(say(f"deck.{view.looked.deck}.title"), _cards(view.looked.cards, say)))
        return Group(*parts)

    def scoring(
        self, events: Sequence[Event], view: ArchitectsView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        battles = [self._battle(event, view, say, names) for event in events if event.type == "battle"]
        return Group(*battles) if battles else None

    def breakdown(
        self, events: Sequence[Event], view: ArchitectsView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        """Where the points come from, those of progress tokens as if the game ended now."""
        columns = [right(say(f"tally.{part}.short")) for part in PARTS]
        table = table_of(say("label.breakdown"), say("label.player"), *columns, right(say("label.total"), style="bold"))
        for builder in view.builders:
            points = (getattr(builder.tally, part) for part in (*PARTS, "total"))
            table.add_row(escape(names(builder.seat)), *map(str, points))
        finals = [Text(f"  {say.event(event, names)}") for event in events if event.type == "final"]
        return Group(table, *finals)

    # --- The middle of the table ---

    def _open_wonders(self, view: ArchitectsView, say: Catalogue) -> RenderableType:
        wonder = Column(say("label.wonder"), min_width=13)
        table = table_of(say("label.wonders_open"), wonder, right(say("label.score")), say("label.effect"))
        for kind in view.wonders:
            if kind.wonder in view.open_wonders:
                table.add_row(say(f"wonder.{kind.wonder}"), str(sum(kind.points)), say.say(kind.effect))
        return table

    def _decks(self, view: ArchitectsView, say: Catalogue, names: Names) -> RenderableType:
        lies, top = (Column(say(key), min_width=16) for key in ("label.deck", "label.top"))
        table = table_of(say("label.decks"), lies, say("label.player"), right("#"), top, "")
        for deck in view.decks:
            shown = _card(deck.top, say) if deck.top else Text(say("label.empty"), "dim")
            near = _side_of(deck.wonder, view)
            row = (say(f"deck.{deck.wonder}.title"), escape(names(deck.seat)), str(deck.left), shown)
            table.add_row(*row, say(f"side.{near}") if near else "")
        central = view.central
        if central.seen:
            shown = _card(central.seen, say)
        else:
            shown = Text(say("label.face_down" if central.left else "label.empty"), "dim")
        table.add_row(say("deck.central.title"), "", str(central.left), shown, _known(view, say, names))
        return table

    def _middle(self, view: ArchitectsView, say: Catalogue, names: Names) -> RenderableType:
        conflict = view.conflict
        track = BUILT * conflict.turned + AVAILABLE * (conflict.tokens - conflict.turned)
        cat = say("label.cat_free") if view.cat is None else say("label.cat_of", names, seat=view.cat)
        lines = [
            Text(f"{say('label.conflict_tokens', turned=conflict.turned, tokens=conflict.tokens)}  {track}"),
            Text(f"{cat}.   {say('label.discard')}: {sum(view.discard.values())}"),
            Text(f"{say('label.offer')} ({say('label.stack_left', count=view.stack)}):"),
        ]
        offer = Table.grid(padding=(0, 2, 0, 2))
        for token in view.offer:
            if token:
                offer.add_row(Text(say(f"token.{token}"), "bold"), say.say(view.tokens[token].effect))
        return Group(*lines, offer)

    # --- The players ---

    def _builders(self, view: ArchitectsView, say: Catalogue, names: Names) -> RenderableType:
        """One row a player, which leaves seven of them readable in 80 characters."""
        table = table_of(
            None,
            Column(say("label.player"), min_width=12),
            Column(say("label.stages"), no_wrap=True),
            say("label.cards_title"),
            right(SIGNS["red"]),
            right(say("label.victories_short")),
            right(say("label.score"), style="bold"),
            collapse_padding=True,
        )
        for builder in view.builders:
            who = player(builder.seat, view, names)
            if builder.wonder:
                who.append(f"\n{say(f'wonder.{builder.wonder}')}", "dim")
            numbers = map(str, (builder.shields, builder.military, builder.score))
            table.add_row(who, _stages(builder, view), _belongings(builder, view, say), *numbers)
        return table

    def _own_wonder(self, builder: Builder, view: ArchitectsView, say: Catalogue) -> RenderableType:
        kind = _kind(view, builder.seat)
        title = f"{say('label.your_wonder')}: {say(f'wonder.{kind.wonder}.title')}"
        table = table_of(title, say("label.stages"), "", say("label.score"), "")
        for level in reversed(kind.levels):  # the top of the wonder is at the top
            for stage in level:
                cost = view.costs[stage - 1]
                mark = _mark(stage, builder)
                table.add_row(
                    f"{mark} {stage}{EFFECT if stage in kind.effects else ''}",
                    say("label.cost", count=cost.count, relation=cost.relation),
                    str(kind.points[stage - 1]),
                    say(MARKS[mark]),
                    style="" if stage in builder.available else "dim",
                )
        effect = f"{EFFECT} " if kind.effects else ""
        return Group(table, Text(f"{effect}{say.say(kind.effect)}"))

    # --- Points ---

    def _battle(self, battle: Event, view: ArchitectsView, say: Catalogue, names: Names) -> RenderableType:
        """Shields against shields, on both sides of every player."""
        shields: Sequence[int] = battle.args["shields"]
        players = len(shields)
        others = ("label.left_neighbour", "label.right_neighbour") if players > 2 else ("label.opponent",)
        table = table_of(
            say("label.battle"),
            say("label.player"),
            right(SIGNS["red"]),
            *map(say, others),
            right(say("tally.military.short")),
            right(say("label.score")),
        )
        for seat in range(players):
            neighbours = [other for one, other in view.conflict.pairs if one == seat]
            neighbours += [other for other, one in view.conflict.pairs if one == seat]
            against = [_against(shields, seat, other, names) for other in neighbours]
            points = battle.args["points"][seat]
            won = str(battle.args["won"][seat])
            table.add_row(escape(names(seat)), str(shields[seat]), *against, won, f"+{points}" if points else "0")
        return table


def _kind(view: ArchitectsView, seat: int) -> WonderKind:
    return next(kind for kind in view.wonders if kind.wonder == view.builders[seat].wonder)


def _side_of(deck: str, view: ArchitectsView) -> str | None:
    """On which side of the viewer a deck lies; None if out of reach."""
    near = view.builders[view.seat].decks if view.seat is not None else []
    return ("left", "right")[near.index(deck)] if deck in near else None


def _known(view: ArchitectsView, say: Catalogue, names: Names) -> str:
    others = [seat for seat in view.central.known_by if seat != view.seat]
    return say("label.lookers", names, seats=others) if others and view.central.left else ""


def _card(card: str, say: Catalogue) -> Text:
    colour = COLOUR_OF[card]
    return Text(f"{SIGNS[colour]} {say(f'card.{card}')}", STYLES[colour])


def _cards(cards: Sequence[str], say: Catalogue) -> Text:
    return Text("   ").join(_card(card, say) for card in cards)


def _listed(label: str, what: Text) -> Text:
    return Text(f"{label}: ").append_text(what)


def _belongings(builder: Builder, view: ArchitectsView, say: Catalogue) -> Text:
    """Cards by colour, then progress tokens, then the cat."""
    held: Mapping[str, list[str]] = defaultdict(list)
    for card, count in builder.cards.items():
        if count:
            name = say(f"card.{card}.short")
            held[COLOUR_OF[card]].append(name if count == 1 else f"{name}×{count}")
    parts = [Text(f"{SIGNS[colour]}{', '.join(held[colour])}", STYLES[colour]) for colour in SIGNS if held[colour]]
    text = Text("  ").join(parts) if parts else Text(say("label.no_cards"), "dim")
    extras = [say(f"token.{token}") for token in builder.tokens]
    if view.cat == builder.seat:
        extras.append(say("label.cat"))
    return text.append(f"\n{', '.join(extras)}", "italic") if extras else text


def _mark(stage: int, builder: Builder) -> str:
    return BUILT if stage in builder.built else AVAILABLE if stage in builder.available else LOCKED


def _stages(builder: Builder, view: ArchitectsView) -> str:
    """Stages from the bottom to the top, those side by side in brackets."""
    if builder.wonder is None:
        return ""
    levels = []
    for level in _kind(view, builder.seat).levels:
        marks = " ".join(f"{_mark(stage, builder)}{stage}" for stage in level)
        levels.append(f"({marks})" if len(level) > 1 else marks)
    return " ".join(levels)


def _against(shields: Sequence[int], seat: int, other: int, names: Names) -> Text:
    mine, theirs = shields[seat], shields[other]
    sign = ">" if mine > theirs else "=" if mine == theirs else "<"
    return Text(f"{mine} {sign} {theirs}  {names(other)}", "bold" if mine > theirs else "")


BOARD = ArchitectsBoard()
