"""The view that follows from the fields of a record, an allow-list: a field that is not declared as seen is not
shown."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from ziggurat.core.events import seats
from ziggurat.core.fields.kinds import Field, Place

if TYPE_CHECKING:
    from ziggurat.core.fields import Fields
    from ziggurat.core.game import Game


def views(fields: Fields, package: str) -> Mapping[str, Callable[..., Any]]:
    """Return ``public`` and ``own`` of a game.

    A view has a field for each that is declared for the table, and ``seats``: for every seat a struct with those that
    are declared for each. There is None for what the viewer does not see of a seat.
    """
    game = package.rpartition(".")[2]
    title = game.title().replace("_", "")
    table = [field for field in fields.shown if not field.each_seat]
    of_seat = [field for field in fields.shown if field.each_seat]
    own_fields = [field for field in of_seat if field.seen == "own"]
    seat_struct = struct(f"{title}Seat", package, "What is seen of a seat.", [("seat", int, "")], of_seat)
    always = [
        ("game", str, ""),
        ("players", int, "how many there are"),
        ("seat", int | None, "whose view it is; None for a spectator"),
        ("actors", list[int], "the seats that must decide now"),
        ("winners", list[int], "the seats that have won, once the game is over"),
    ]
    text = "The table as a seat sees it."
    view = struct(f"{title}View", package, text, always, table, [("seats", list[seat_struct], "")])  # type: ignore[valid-type]

    def public(s: Any, values: Any) -> Any:
        """The table as everybody sees it."""
        bound: Game = importlib.import_module(package).GAME
        return view(
            game=game,
            players=s.players,
            seat=None,
            actors=seats(bound.rules["actors"](s)),
            winners=bound.winners(s),
            seats=[seat_struct(seat=seat, **in_sight(of_seat, s, (seat,))) for seat in range(s.players)],
            **in_sight(table, s),
        )

    def own(s: Any, seat: int | None, public: Any, everything: bool = False) -> Any:
        """The view of ``seat``: the public one with what it alone sees; ``everything`` adds what any seat sees, for the
        umpire."""
        shown = list(public.seats)
        for other in range(s.players) if own_fields else ():
            if everything or other == seat:
                shown[other] = replace(
                    shown[other], **{field.name: field.all_shown(s, (other,)) for field in own_fields}
                )
        return replace(public, seat=seat, seats=shown)

    public.__annotations__["return"] = own.__annotations__["return"] = view
    return {"public": public, "own": own}


def struct(
    name: str,
    package: str,
    text: str,
    first: list[tuple[str, Any, str]],
    fields: list[Field],
    last: list[tuple[str, Any, str]] | None = None,
) -> Any:
    """A struct for the view of fields, with their descriptions."""
    parts = [*first, *(part for field in fields for part in hints(field)), *(last or [])]
    told = [f"    {part}: {said}." for part, _, said in parts if said]
    said = "\n".join([text, "", "Attributes:", *told]) if told else text
    typed = [(part, hint) for part, hint, _ in parts]
    return msgspec.defstruct(name, typed, frozen=True, module=f"{package}.state", namespace={"__doc__": said})


def hints(field: Field) -> list[tuple[str, Any, str]]:
    """The parts of a view that show a field: names, types, descriptions."""
    own = [(field.name, field.nested_hint(field.hint) | None, field.tells)] if field.seen == "own" else []
    return [*field.open_hints(), *own]


def in_sight(fields: list[Field], s: Any, seat: Place = ()) -> dict[str, Any]:
    """The public values of fields, for one seat or for the table; None for what only the seat itself sees."""
    found: dict[str, Any] = {}
    for field in fields:
        found |= field.open_parts(s, seat)
        if field.seen == "own":
            found[field.name] = None
    return found


def everywhere(field: Field, s: Any) -> Any:
    """The values of a field, for the table or for all who play."""
    return [field.all_shown(s, (seat,)) for seat in range(s.players)] if field.each_seat else field.all_shown(s)
