"""Tower of Babel in the terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from ziggurat.core.actions import Choice
from ziggurat.core.board import Board, player, right, starred, table_of
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event
from ziggurat.games.babel.choices import Accept
from ziggurat.games.babel.state import TYPES
from ziggurat.games.babel.view import BabelView, Builder

# Never by colour alone: every type has its own sign too.
SIGNS = {"camel": "♞", "crane": "▲", "ship": "≈", "mason": "■"}
STYLES = {"camel": "yellow", "crane": "cyan", "ship": "magenta", "mason": ""}
TAKEN, MARKER = "·", "▶"
WIDTH = 80
# What is typed to finish an offer or an exchange.
ENDS = {"commit": "done", "commit trade": "trade"}


class BabelBoard(Board):
    quiet = frozenset({"dealt", "turn", "drew", "closing", "placed", "wonder_scored"})
    unsaid = frozenset({"disc_laid"})

    def show(self, view: BabelView, say: Catalogue, names: Names) -> RenderableType:
        parts = [self._wonders(view, say, names), self._tables(view, say), self._builders(view, say, names)]
        if view.chosen is not None:
            parts.append(self._offers(view, say, names))
        parts += [self._hand(builder, view, say, names) for builder in view.builders if builder.hand is not None]
        return Group(*parts)

    def choice(self, choice: Choice, view: BabelView, say: Catalogue, names: Names) -> str:
        if isinstance(choice, Accept):
            return " ".join(say.say(phrase, names) for phrase in (*choice.say, *choice.others))
        return say.say(choice.words, names)

    def key(self, notation: str) -> str | None:
        return ENDS.get(notation, notation.removeprefix("lay "))  # cards are laid by typing their names

    def scoring(self, events: Sequence[Event], view: BabelView, say: Catalogue, names: Names) -> RenderableType | None:
        if any(event.type == "finished" for event in events):
            return None  # the final breakdown says it all
        scored = [event for event in events if event.type == "wonder_scored"]
        if not scored:
            return None
        columns = (right(say(key)) for key in ("label.units", "label.place", "label.score"))
        table = table_of(say(f"wonder.{scored[0].args['wonder']}.title"), say("label.player"), *columns)
        for event in sorted(scored, key=lambda event: -event.args["units"]):
            args = event.args
            shared = f" /{args['tied']}" if args["tied"] > 1 else ""
            place = say(f"label.place.{args['place']}") + shared
            table.add_row(escape(names(event.seat or 0)), str(args["units"]), place, f"+{args['points']}")
        return table

    def breakdown(
        self, events: Sequence[Event], view: BabelView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        """Every point and its reason: completed and unfinished wonders, discs of one type, action cards, offers."""
        columns = (right(escape(names(builder.seat))) for builder in view.builders)
        table = table_of(say("label.breakdown"), "", *columns)
        totals: Counter[int] = Counter()
        for group, lines in _reasons(events, say).items():
            if not lines:
                continue
            table.add_row(Text(say(f"tally.{group}"), "dim"))
            for label, cells in lines.items():
                table.add_row(f"  {label}", *(_points_cell(cells.get(builder.seat)) for builder in view.builders))
                totals.update({seat: points for seat, (points, _) in cells.items()})
        table.add_section()
        table.add_row(say("label.total"), *(str(totals[builder.seat]) for builder in view.builders), style="bold")
        return table

    # --- The middle of the table ---

    def _wonders(self, view: BabelView, say: Catalogue, names: Names) -> RenderableType:
        """Discs and, by player, houses; a star marks the most. Long names go on below, so that five players fit."""
        titles = [say(f"wonder.{wonder.wonder}.short") for wonder in view.wonders]
        disc_width = max(len(_disc(needs)) for wonder in view.wonders for needs in wonder.discs)
        discs_width = max(3 * disc_width + 2, len(say("label.discs")))
        room = (WIDTH - max(map(len, titles)) - discs_width - 4) // view.players - 2
        columns = [Column(say(key), no_wrap=True) for key in ("label.wonders", "label.discs")]
        columns += [right(player(builder.seat, view, names), max_width=room) for builder in view.builders]
        table = table_of(None, *columns, collapse_padding=True)
        for wonder, title in zip(view.wonders, titles, strict=True):
            discs = Text(" ").join(_disc(needs, disc_width) for needs in wonder.discs)
            done = not any(wonder.discs)
            table.add_row(title, discs, *([] if done else starred(wonder.units)), style="dim" if done else "")
        return table

    def _tables(self, view: BabelView, say: Catalogue) -> RenderableType:
        """The value table with its marker, the bonus table, and the piles."""
        values = Text(f"{say('label.value_table')}: ")
        for row, points in enumerate(view.rows):
            now = row == view.row and not view.finished
            values.append(f"{MARKER if now else ''}{points.first}/{points.second}", "bold" if now else "dim")
            values.append("  ")
        values.append(f"{say('label.other')} {view.other}   ", "dim")
        values.append(f"{say('label.light_row')} {view.light.first}/{view.light.second}", "dim")
        bonus = Text(f"{say('label.bonus_table')}: ")
        bonus.append("  ".join(f"{count}→{points}" for count, points in enumerate(view.bonus) if points), "dim")
        discard = " ".join(f"{SIGNS[kind]}{count}" for kind, count in view.discard.items() if count)
        piles = {
            "label.deck": str(view.deck),
            "label.discard": f"{sum(view.discard.values())}" + (f" ({discard})" if discard else ""),
            "label.action_deck": str(view.action_deck),
        }
        return Group(values, bonus, Text("   ".join(f"{say(key)} {what}" for key, what in piles.items()), "dim"))

    def _builders(self, view: BabelView, say: Catalogue, names: Names) -> RenderableType:
        counted = any(builder.units_left is not None for builder in view.builders)
        columns = [Column(say("label.player"), min_width=12), right(say("label.score"), style="bold")]
        columns += [right(say(key)) for key in ("label.hand_size", "label.action_cards", *["label.units"] * counted)]
        table = table_of(None, *columns, say("label.discs"), collapse_padding=True)
        for builder in view.builders:
            numbers = [builder.score, builder.cards, builder.action_cards]
            numbers += [] if builder.units_left is None else [builder.units_left]
            table.add_row(player(builder.seat, view, names), *map(str, numbers), _won(builder, say))
        return table

    def _offers(self, view: BabelView, say: Catalogue, names: Names) -> RenderableType:
        assert view.chosen is not None
        head = Text(f"{say('label.chosen_disc')}: ")
        for kind, count in view.chosen.needs.items():
            head.append(f"{SIGNS[kind]} {say(f'card.{kind}')} {count}  ", STYLES[kind])
        head.append(f"{say(f'wonder.{view.chosen.wonder}.title')}.  ", "bold")
        head.append(say("label.builder", names, seat=view.turn))
        grid = Table.grid(padding=(0, 2, 0, 2))
        for builder in view.builders:
            if builder.seat != view.turn:
                grid.add_row(Text(names(builder.seat)), _offer(builder, view, say))
        return Group(head, grid)

    def _hand(self, builder: Builder, view: BabelView, say: Catalogue, names: Names) -> RenderableType:
        title = say("label.hand") if builder.seat == view.seat else names(builder.seat)
        text = Text(f"{title}: ")
        held = {kind: count for kind, count in (builder.hand or {}).items() if count}
        if not held:
            text.append(f"{say('label.hand_empty')}   ", "dim")
        for kind, count in held.items():
            name = say(f"card.{kind}")
            typed = "" if name == kind else f" ({kind})"  # what is typed to lay it
            text.append(f"{SIGNS[kind]} {name}{typed} ", STYLES[kind])
            text.append(f"{count}   ", "bold")
        if builder.trade:
            text.append(f"+ {say('label.trade_card')}", "italic")
        lines: list[RenderableType] = [text]
        for card, count in (builder.actions or {}).items():
            if count:
                effect = say.say(view.effects[card], names)
                line = Text(f"  {say(f'action.{card}')}{f' ×{count}' if count > 1 else ''}: ", "bold")
                lines.append(line.append(effect, "not bold"))
        return Group(*lines)


def _counted(cards: Mapping[str, int], say: Catalogue) -> str:
    return ", ".join(say("label.count_of", card=kind, count=count) for kind, count in cards.items() if count)


def _disc(needs: Mapping[str, int] | None, width: int = 0) -> Text:
    text = Text()
    for kind, count in (needs or {}).items():
        text.append(f"{SIGNS[kind]}{count}", STYLES[kind])
    if needs is None:
        text.append(TAKEN, "dim")
    return text.append(" " * (width - len(text)))


def _won(builder: Builder, say: Catalogue) -> Text:
    """Discs that a player has taken, by type; those of two colours last."""
    if not builder.discs:
        return Text(say("label.no_discs"), "dim")
    counts = Counter(tuple(disc) for disc in builder.discs)
    order = sorted(counts, key=lambda kinds: (len(kinds), [TYPES.index(kind) for kind in kinds]))
    text = Text()
    for kinds in order:
        for kind in kinds:
            text.append(SIGNS[kind], STYLES[kind])
        text.append(f"×{counts[kinds]}  ")
    return text


def _offer(builder: Builder, view: BabelView, say: Catalogue) -> Text:
    offer = builder.offer
    if view.phase == "offer" and builder.seat in view.actors:
        return Text(say("label.still_deciding"), "dim")
    if offer is None:
        return Text(say("label.no_offer"), "dim")
    if offer.cards is None:
        return Text(say("label.face_down" if offer.count else "label.empty_offer", count=offer.count))
    text = Text()
    for kind, count in offer.cards.items():
        if count:
            text.append(f"{SIGNS[kind]} {say('label.count_of', card=kind, count=count)}  ", STYLES[kind])
    if offer.trade:
        text.append(f"+ {say('label.trade_card')}  ", "italic")
    if not text:
        text.append(f"{say('label.empty_offer')}  ", "dim")
    if offer.returned and any(offer.returned.values()):
        text.append(say("label.returned", cards=_counted(offer.returned, say)), "dim")
    return text


# Points of a seat and, where it tells more, of how many they are.
Cell = tuple[int, int]


def _reasons(events: Iterable[Event], say: Catalogue) -> dict[str, dict[str, dict[int, Cell]]]:
    """By group and reason what every seat got. A wonder that was never completed was scored with the light row."""
    told = [event for event in events if event.seat is not None or event.type == "wonder_done"]
    done = {event.args["wonder"] for event in told if event.type == "wonder_done"}
    groups: dict[str, dict[str, dict[int, Cell]]] = {
        group: defaultdict(dict) for group in ("wonders", "light", "discs", "cards", "refused")
    }
    refused: dict[int, Cell] = {}
    for event in told:
        seat, args = event.seat or 0, event.args
        if event.type == "wonder_scored":
            group = "wonders" if args["wonder"] in done else "light"
            groups[group][say(f"wonder.{args['wonder']}.title")][seat] = (args["points"], args["units"])
        elif event.type == "bonus":
            group = "discs" if args["reason"] in TYPES else "cards"
            groups[group][say(f"reason.{args['reason']}.title")][seat] = (args["points"], args["count"])
        elif event.type == "refused":
            points, count = refused.get(seat, (0, 0))
            refused[seat] = (points + args["points"], count + args["count"])
    if refused:
        groups["refused"][say("label.cards_title")] = refused
    return groups


def _points_cell(cell: Cell | None) -> str:
    if cell is None:
        return ""
    points, count = cell
    return f"{points} ({count})" if count else f"{points}    "


BOARD = BabelBoard()
