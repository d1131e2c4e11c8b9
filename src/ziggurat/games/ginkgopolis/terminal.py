"""Ginkgopolis in the terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Column
from rich.text import Text

from ziggurat.core.actions import Choice
from ziggurat.core.board import Board, right, table_of
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event
from ziggurat.games.ginkgopolis.choices import Card, Pick, Use
from ziggurat.games.ginkgopolis.faces import goods
from ziggurat.games.ginkgopolis.state import TRIGGERS
from ziggurat.games.ginkgopolis.view import Builder, Building, GinkgopolisView

# Never by colour alone: tiles have letters, which are also what is typed, and owners have signs.
LETTERS = {"red": "r", "yellow": "y", "blue": "b"}
STYLES = {"red": "red", "yellow": "yellow", "blue": "cyan"}
SIGNS = "●■▲◆★"
HAL, FREE, NEW, UNKNOWN = "○", "·", "*", "?"
WIDTH, NARROW, WIDE = 80, 5, 6


class GinkgopolisBoard(Board):
    quiet = frozenset({"round", "committed", "drew_tiles", "marker_moved", "passed_hands", "rebuilt", "picked"})
    unsaid = frozenset({"city"})

    def show(self, view: GinkgopolisView, say: Catalogue, names: Names) -> RenderableType:
        parts = [self._city(view, say), self._piles(view, say), self._builders(view, say, names)]
        parts += [part for builder in view.builders for part in self._open_cards(builder, view, say, names)]
        parts += [self._own(builder, view, say, names) for builder in view.builders if builder.hand is not None]
        return Group(*parts)

    def choice(self, choice: Choice, view: GinkgopolisView, say: Catalogue, names: Names) -> str:
        if isinstance(choice, Card):
            return _card(choice, view, say, names)
        if isinstance(choice, Pick):
            face = view.faces[choice.character]
            begins = say("label.character.start", gains=goods(face.start or {}))
            return say("menu.pick", colour=choice.character.split()[0], effect=face.effect, start=begins)
        key = f"menu.{choice.type}"
        return say(key, names, **choice.words.args) if key in say.texts else say.say(choice.words, names)

    def key(self, notation: str) -> str | None:
        """Tiles are typed as letter and number."""
        verb, _, tile = notation.partition(" ")
        return _short(tile) if verb in ("tile", "give") else None

    def breakdown(
        self, events: Sequence[Event], view: GinkgopolisView, say: Catalogue, names: Names
    ) -> RenderableType | None:
        """Points behind the screens, cards, tokens and every district; before the end what can be known of it."""
        title = say("label.breakdown" if view.finished else "label.count_now")
        signed = (f"{_sign(builder.seat, view)} {escape(names(builder.seat))}" for builder in view.builders)
        table = table_of(title, "", *map(right, signed))
        groups = _points(events, say)
        if not view.finished:
            groups["stock"] = {"": {builder.seat: builder.points for builder in view.builders}}
            groups["districts"] = dict(_districts_now(view, say))
        totals: Counter[int] = Counter()
        for group, lines in groups.items():
            for place, (label, cells) in enumerate(lines.items()):
                head = say(f"tally.{group}") if place == 0 else ""
                name = f"{head}: {label}" if head and label else head or f"  {label}"
                shown = [cells.get(builder.seat, 0) for builder in view.builders]
                table.add_row(name, *(UNKNOWN if points is None else str(points or "") for points in shown))
                totals.update({seat: points or 0 for seat, points in cells.items()})
        if view.finished:
            table.add_section()
            table.add_row(say("label.total"), *(str(totals[builder.seat]) for builder in view.builders), style="bold")
        return table

    # --- The city ---

    def _city(self, view: GinkgopolisView, say: Catalogue) -> RenderableType:
        """Two lines for each row of cells: colour and number, storeys below; coordinates at the edges."""
        buildings = {(building.x, building.y): building for building in view.buildings}
        markers = {(marker.x, marker.y): marker.letter for marker in view.markers}
        columns = range(min(x for x, _ in [*buildings, *markers]), max(x for x, _ in [*buildings, *markers]) + 1)
        rows = range(max(y for _, y in [*buildings, *markers]), min(y for _, y in [*buildings, *markers]) - 1, -1)
        width = WIDE if len(columns) * WIDE + 5 <= WIDTH else NARROW
        lines = []
        for y in rows:
            top, below = Text(f"{y:>3}  ", "dim"), Text(" " * 5)
            for x in columns:
                building = buildings.get((x, y))
                if building is not None:
                    top.append(_top(building).ljust(width), STYLES[building.colour])
                    below.append(_storeys(building, view).ljust(width), STYLES[building.colour])
                else:
                    letter = markers.get((x, y))
                    top.append((f"({letter})" if letter else "").ljust(width), "not dim")
                    below.append(" " * width)
            lines += [top, below] if any((x, y) in buildings for x in columns) else [top]
        axis = Text(" " * 5 + "".join(str(x).ljust(width) for x in columns), "dim")
        legend = Text(say("label.legend"), "dim")
        return Group(*(_trimmed(line) for line in [*lines, axis]), legend)

    def _piles(self, view: GinkgopolisView, say: Catalogue) -> RenderableType:
        parts = [
            *([say("label.round", number=view.round)] if view.round else []),
            say("label.tiles_left", count=view.tiles),
            say("label.deck_left", count=view.deck),
            say("label.discard_left", count=view.discard),
        ]
        text = Text("  ".join(parts), "dim")
        if view.depleted == 1 and view.players > 1:
            text.append(f"\n{say('label.depleted')}")
        if view.ending and not view.finished:
            text.append(f"   {say('label.last_round')}", "bold not dim")
        return text

    # --- Players ---

    def _builders(self, view: GinkgopolisView, say: Catalogue, names: Names) -> RenderableType:
        columns = [Column(say("label.player"), min_width=11)]
        for key in ("label.points_title", "label.resources_title", "good.tile.title", "label.new_hands.short"):
            columns.append(right(say(key), overflow="fold"))
        columns += [Column(say(f"trigger.{trigger}.short")) for trigger in TRIGGERS]
        table = table_of(None, *columns, collapse_padding=True, caption_justify="left")
        resources = f"{say('label.resources_title')}: {say('label.screen_and_supply')}"
        table.caption = Text(f"{resources}; {say('label.legend.goods')}")
        for builder in view.builders:
            table.add_row(
                _who(builder, view, names),
                UNKNOWN if builder.points is None else str(builder.points),
                f"{builder.resources}+{builder.supply}",
                "" if builder.hal else str(builder.tile_count),
                str(builder.new_hands or FREE),
                # Hal never gets what the cards that he keeps would give.
                *(FREE if builder.hal else _letters(builder.bonus[trigger], say) for trigger in TRIGGERS),
            )
        return table

    def _open_cards(
        self, builder: Builder, view: GinkgopolisView, say: Catalogue, names: Names
    ) -> Iterable[RenderableType]:
        """Cards that count at the end, cards that the viewer knows, and what was chosen or played."""
        ends = list(builder.worth)
        parts = []
        if ends and builder.seat != view.seat:
            parts.append(say("label.for_end", cards=ends))
        if builder.known:
            parts.append(say("label.known", cards=builder.known))
        if builder.chosen is not None and builder.chosen.card is None:
            parts.append(say("label.chosen_hidden_tile" if builder.chosen.with_tile else "label.chosen_hidden"))
        if builder.played is not None and builder.seat != view.seat:
            tile = f", {say('label.with_tile', tile=builder.played.tile)}" if builder.played.tile else ""
            parts.append(say("label.played", card=builder.played.card) + tile)
        if builder.aside is not None:
            parts.append(say("label.aside", card=builder.aside))
        if parts:
            yield Text(f"{names(builder.seat)}: ", "dim").append("; ".join(parts))

    def _own(self, builder: Builder, view: GinkgopolisView, say: Catalogue, names: Names) -> RenderableType:
        """Hand, tiles and the cards that count at the end, with what they would give."""
        own = builder.seat == view.seat
        lines = []
        for title, theirs, tokens in (
            ("label.hand", "label.hand_of", builder.hand or []),
            ("label.tiles", "label.tiles_of", builder.tiles or []),
        ):
            head = say(title) if own else say(theirs, names, seat=builder.seat)
            lines.append(Text(f"{head}: ").append_text(_tokens(tokens, say)))
        if builder.draft is not None and builder.characters:
            characters = ", ".join(_character(character, say) for character in builder.characters)
            lines.append(Text(f"{say('label.characters_kept')}: {characters}"))
        if builder.chosen is not None and builder.chosen.card is not None:
            tile = f", {say('label.with_tile', tile=builder.chosen.tile)}" if builder.chosen.tile else ""
            lines.append(Text(f"{say('label.chosen_card')}: {say('label.card', card=builder.chosen.card)}{tile}"))
        for card, points in builder.worth.items() if own else ():
            line = Text(f"  {_name(card, say)}: ", STYLES[card.split()[0]])
            words = f"{say.say(view.faces[card].effect)} ({say('formula.now', points=points)})"
            lines.append(line.append(words, "default"))
        return Group(*lines)


def _short(tile: str) -> str:
    colour, number = tile.split()
    return f"{LETTERS[colour]}{number}"


def _name(token: str, say: Catalogue) -> str:
    return say("label.card", card=token)


def _character(character: str, say: Catalogue) -> str:
    colour, trigger = character.split()
    return say("label.character", colour=colour, trigger=trigger)


def _tokens(tokens: Sequence[str], say: Catalogue) -> Text:
    """Cards or tiles with what is typed for them."""
    text = Text()
    for token in tokens:
        colour, _, number = token.partition(" ")
        typed = f" ({_short(token)})" if number.isdecimal() else ""
        text.append(f"{_name(token, say)}{typed}   ", STYLES.get(colour, ""))
    return text if tokens else Text(say("label.none"), "dim")


def _sign(owner: int, view: GinkgopolisView) -> str:
    return SIGNS[owner] if owner < view.players else HAL


def _who(builder: Builder, view: GinkgopolisView, names: Names) -> Text:
    acts = builder.seat == view.turn and not view.finished
    text = Text(f"{_sign(builder.seat, view)} {names(builder.seat)}{' <' if acts else ''}")
    text.stylize("bold" if builder.seat == view.seat else "")
    return text


def _top(building: Building) -> str:
    return f"{LETTERS[building.colour]}{building.number}{NEW if building.site else ''}"


def _storeys(building: Building, view: GinkgopolisView) -> str:
    """A sign of the owner for each storey, so that height is seen; a number when there is no room."""
    sign = FREE if building.owner is None else _sign(building.owner, view)
    return sign * building.height if building.height < NARROW else f"{sign}×{building.height}"


def _trimmed(line: Text) -> Text:
    line.rstrip()
    return line


def _letters(goods: Mapping[Any, int], say: Catalogue) -> str:
    return " ".join(f"{count}{say(f'good.{good}.letter')}" for good, count in goods.items() if count) or FREE


# --- What a card would do -----------------------------------------------------------------------------------------


def _card(move: Card, view: GinkgopolisView, say: Catalogue, names: Names) -> str:
    """A card of the hand: where it points, what it gives alone, and which tile would cost what."""
    building = next((one for one in view.buildings if (one.x, one.y) == (move.x, move.y)), None)
    if building is None or " " not in move.card:
        parts = [say("menu.card", card=move.card, x=move.x, y=move.y)]
    else:
        parts = [say("menu.card_building", card=move.card, x=move.x, y=move.y, height=building.height)]
    alone = next((use for use in move.uses if use.tile is None), None)
    if alone is not None:
        parts.append(say("menu.use_alone", gains=goods(alone.gains)))
    with_tile = [use for use in move.uses if use.tile is not None]
    payable = [use for use in with_tile if use.payable]
    if payable:
        parts.append(_gained_with_tile(payable[0], building, say, names))
        groups: dict[str, list[Use]] = defaultdict(list)
        for use in payable:
            groups[str(use.costs)].append(use)
        for alike in groups.values():
            tiles = " ".join(_short(use.tile or "") for use in alike)
            parts.append(say("menu.use_costs", tiles=tiles, costs=goods(alike[0].costs)))
    short = [_short(use.tile or "") for use in with_tile if not use.payable]
    if short:
        parts.append(say("menu.use_unpayable", tiles=" ".join(short)))
    return "; ".join(parts)


def _gained_with_tile(use: Use, building: Building | None, say: Catalogue, names: Names) -> str:
    """What does not depend on the tile: gains, own resources that come back, what a former owner gets."""
    said = say("menu.use_gains", gains=goods(use.gains))
    if use.back:
        said += f", {say('use.back', count=use.back)}"
    if use.owner is not None and building is not None:
        said += f", {say('use.covers', names, seat=use.owner, count=building.height)}"
    return said


# --- Points -------------------------------------------------------------------------------------------------------

Lines = dict[str, dict[int, int | None]]


def _points(events: Iterable[Event], say: Catalogue) -> dict[str, Lines]:
    """By group and line what every owner got: in the game, and at the end for each card and district."""
    groups: dict[str, Lines] = {"stock": {}, "cards": {}, "tokens": {}, "districts": {}}
    stock: Counter[int] = Counter()
    numbers: dict[int, int] = {}
    for event in events:
        if event.seat is None:
            continue
        seat, args = event.seat, event.args
        points = args.get("points", 0)
        if event.type == "card_scored":
            groups["cards"].setdefault(_name(args["card"], say), {})[seat] = points
        elif event.type == "tokens_scored":
            groups["tokens"].setdefault("", {})[seat] = points
        elif event.type == "district":
            number = numbers.setdefault(args["district"], len(numbers) + 1)
            groups["districts"].setdefault(_district(number, args["colour"], args["total"], say), {})[seat] = points
        else:
            stock[seat] += points - args.get("cost", 0)
    groups["stock"] = {"": dict(stock)}
    return groups


def _districts_now(view: GinkgopolisView, say: Catalogue) -> Iterable[tuple[str, dict[int, int | None]]]:
    for number, district in enumerate(view.districts, start=1):
        total = sum(share.resources for share in district.shares)
        if total:
            yield _district(number, district.colour, total, say), {one.owner: one.points for one in district.shares}


def _district(number: int, colour: str, total: int, say: Catalogue) -> str:
    return f"{number}. {say(f'colour.{colour}')} ({say('district.total', count=total)})"


BOARD = GinkgopolisBoard()
