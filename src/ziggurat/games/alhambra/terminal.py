"""Alhambra in the terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Column
from rich.text import Text

from ziggurat.core.board import Board, player, right, starred, table_of
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event
from ziggurat.games.alhambra.state import ROUNDS
from ziggurat.games.alhambra.view import AlhambraView, Building, Money, Owner

# Never by colour alone: every currency has its own shape too.
SYMBOLS = {"yellow": "●", "green": "▲", "blue": "■", "orange": "◆"}
STYLES = {"yellow": "yellow", "green": "green", "blue": "bright_blue", "orange": "dark_orange"}


class AlhambraBoard(Board):
    quiet = frozenset({"dealt", "building_revealed", "money_revealed", "turn", "round_scored", "scored"})

    def show(self, view: AlhambraView, say: Catalogue, names: Names) -> RenderableType:
        parts: list[RenderableType] = [self._yard(view, say), self._money(view, say), self._owners(view, say, names)]
        for owner in view.owners:
            if owner.hand is not None or owner.known is not None:
                parts.append(self._hand(owner, view, say, names))
        return Group(*parts)

    def key(self, notation: str) -> str | None:
        return notation.removeprefix("pay ")  # cards are paid by typing their values

    def scoring(
        self, events: Sequence[Event], view: AlhambraView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        rounds = [event.args["round"] for event in events if event.type == "round_scored"]
        return Group(*(self._points(events, [letter], view, say, names) for letter in rounds)) if rounds else None

    def breakdown(
        self, events: Sequence[Event], view: AlhambraView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        return self._points(events, view.rounds_scored, view, say, names, say("label.breakdown"))

    def _yard(self, view: AlhambraView, say: Catalogue) -> RenderableType:
        columns = (Column(_currency(slot.currency, say), min_width=16) for slot in view.slots)
        table = table_of(say("label.market"), *columns)
        table.add_row(*(_building(slot.building, say) for slot in view.slots))
        return table

    def _money(self, view: AlhambraView, say: Catalogue) -> RenderableType:
        text = Text(f"{say('label.open_money')}: ")
        for card in view.money:
            text.append_text(_card(card, say) if card else Text("-", "dim"))
            text.append("   ")
        piles = {
            "label.building_deck": view.building_deck,
            "label.money_deck": view.money_deck,
            "label.discard": view.discard,
        }
        text.append("  ".join(f"{say(key)} {count}" for key, count in piles.items()), "dim")
        return text

    def _owners(self, view: AlhambraView, say: Catalogue, names: Names) -> RenderableType:
        """One column per owner, which fits six of them into 80 characters."""
        columns = [Column("", no_wrap=True, min_width=9)]
        columns += [right(player(owner.seat, view, names)) for owner in view.owners]
        ahead = next((letter for letter in ROUNDS if letter not in view.rounds_scored), None)
        if ahead:
            columns.append(right(Text(say(f"label.scoring.{ahead}"), "dim"), style="dim"))
        table = table_of(say("label.buildings"), *columns, pad_edge=True, collapse_padding=True)
        for kind in view.kinds:
            row = starred([owner.buildings[kind.kind] for owner in view.owners])
            if ahead:
                row.append("/".join(str(points) for points in kind.points[ahead]))
            table.add_row(say(f"building.{kind.kind}.title"), *row)
        table.add_section()
        table.add_row(say("label.hand_size"), *("" if owner.neutral else f"{owner.cards} " for owner in view.owners))
        table.add_row(say("label.score"), *(f"{owner.score} " for owner in view.owners), style="bold")
        return table

    def _hand(self, owner: Owner, view: AlhambraView, say: Catalogue, names: Names) -> RenderableType:
        """All of a hand that is open, or what is remembered of one that is not."""
        title = say("label.hand") if owner.seat == view.seat else names(owner.seat)
        hand = owner.known or [] if owner.hand is None else owner.hand
        if owner.hand is None:
            title = say("label.known", who=title)
        text = Text(f"{title}: ")
        if not owner.cards:
            text.append(say("label.hand_empty"), "dim")
        for currency in view.currencies:
            values = [card.value for card in hand if card.currency == currency]
            if values:
                text.append_text(_currency(currency, say))
                text.append(f" {' '.join(str(value) for value in values)}")
                text.append(f" = {sum(values)}" if len(values) > 1 else "", "bold")
                text.append("   ")
        if len(hand) < owner.cards:
            text.append(say("label.known.more", count=owner.cards - len(hand)), "dim")
        return text

    def _points(
        self,
        events: Iterable[Event],
        rounds: Sequence[str],
        view: AlhambraView,
        say: Catalogue,
        names: Names,
        title: str | None = None,
    ) -> RenderableType:
        """One row per type of building and scoring: points, number of buildings and place of every owner."""
        scored: dict[tuple[str, str], dict[int, Event]] = defaultdict(dict)
        for event in events:
            if event.type == "scored" and event.seat is not None:
                scored[event.args["round"], event.args["building"]][event.seat] = event
        columns = (right(names(owner.seat)) for owner in view.owners)
        table = table_of(title or say(f"label.scoring.{rounds[0]}"), "", *columns)
        totals = [0] * len(view.owners)
        for letter in rounds:
            for kind in view.kinds:
                cells = scored[letter, kind.kind]
                if not cells:
                    continue
                label = say(f"building.{kind.kind}.title")
                row = [f"{letter} {label}" if len(rounds) > 1 else label]
                row += [_points_cell(cells.get(owner.seat), say) for owner in view.owners]
                for seat, event in cells.items():
                    totals[seat] += event.args["points"]
                table.add_row(*row)
            table.add_section()
        table.add_row(say("label.total"), *(str(total) for total in totals), style="bold")
        return table


def _building(building: Building | None, say: Catalogue) -> Text:
    if building is None:
        return Text(say("label.slot_empty"), "dim")
    return Text(f"{say(f'building.{building.kind}.title')} {building.price}", "bold")


def _points_cell(event: Event | None, say: Catalogue) -> str:
    if event is None:
        return ""
    place, tied, count = event.args["place"], event.args["tied"], event.args["count"]
    shared = f" /{tied}" if tied > 1 else ""
    return f"{event.args['points']}  ({count}: {say(f'label.place.{place}')}{shared})"


def _currency(currency: str, say: Catalogue) -> Text:
    return Text(f"{SYMBOLS[currency]} {say(f'currency.{currency}')}", STYLES[currency])


def _card(card: Money, say: Catalogue) -> Text:
    text = _currency(card.currency, say)
    text.append(f" {card.value}", "bold")
    return text


BOARD = AlhambraBoard()
