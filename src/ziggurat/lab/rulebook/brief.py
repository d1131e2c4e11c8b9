"""The brief: all that the author of an engine gets. Rules in words, printed numbers, actions, what is seen, an empty
interface, and one game as the judge talks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from string import Formatter, Template
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from ziggurat.core.dealing import NotJudged, judged
from ziggurat.core.game import Game
from ziggurat.core.text import catalogue, rules_text
from ziggurat.core.whole_files import write_whole
from ziggurat.lab.rulebook.engines import EngineLimits
from ziggurat.lab.rulebook.exam import WEIGHTS, Amounts, ChanceOutcome, Look, Maker
from ziggurat.lab.rulebook.names import HiddenNames, invented
from ziggurat.lab.rulebook.world import ALWAYS_LEFT_OUT

MARK = "judged.json"
"""The file by which a folder of ours is known: the game, the names that are hidden, and the versions."""
EXAMPLE_SEED = 0
EXAMPLE_VIEWS = 8
"""Actions of the example after which views are shown."""

# Words that are too general to be hidden: a text without them could not be read.
GENERAL_WORDS = """
left right central north east south west before after card cards tile tiles resource point money start with for none
nothing trade deck draw stack space seat place no yes to the of in a and or coin joker disc discs buildings building
city characters action progress tokens token wonder wonders set first bonus end double science
"""
GENERAL = frozenset(GENERAL_WORDS.split())

HIDDEN_NOTE = """
Names of pieces, of actions and of the game itself are made up, so that reading this is what counts, and not having
heard of the game.
"""

ENGINE = '''"""An engine for the rules in rules.md. README.md says how it is judged."""


class Engine:
    """A game in progress."""

    def __init__(self, players, options, chance):
        """Set up a game.

        Args:
            players: how many play; seats are numbered from 0, in the order of play.
            options: names and values of options (notation.md); what is not named is as usual.
            chance: decides whatever is left to chance. ``chance.shuffle(name, cards)`` returns the same cards in the
                order in which they lie now, and ``chance.draw(name, of)`` a number from 0 to ``of`` - 1. notation.md
                lists the names. Do not draw yourself.
        """
        raise NotImplementedError

    def actors(self):
        """The seats that must decide now, as a list; empty when the game is over."""
        raise NotImplementedError

    def legal(self, seat):
        """The legal actions of a seat that must decide, in the notation of notation.md; in any order, each once."""
        raise NotImplementedError

    def play(self, seat, action):
        """Play a legal action of a seat, and whatever follows from it until somebody has to decide."""
        raise NotImplementedError

    def view(self, seat):
        """What a seat sees (None: a spectator), as view.md has it. It must not depend on what is hidden from it."""
        raise NotImplementedError

    def result(self):
        """After the end: {"scores": points of every seat, "winners": the winning seats}."""
        raise NotImplementedError
'''


def hidden_names(game: Game, seed: str) -> HiddenNames:
    """The names that are hidden from the author of an engine, by a seed; the same for the brief and for the judge."""
    view_fields = {name for struct in _structs(game.View) for name in struct.__struct_fields__}
    option_words = {word for option in game.options for word in (option.name, *option.choices)}
    words: set[str] = set()
    for declared in game.space.types.values():
        words |= _words(declared.notation.partition("{")[0])
        for domain in declared.fields.values():
            for text in domain.words:
                words |= _words(text)
    for deal in _dealt(game):
        for text in (deal.name, *deal.order):
            words |= _words(text)
    hidden = words - GENERAL - view_fields - option_words
    everything = {word for text in _all_texts(game) for word in _words(text)}
    return HiddenNames(invented(hidden, f"{game.id} {seed}", everything))


def _all_texts(game: Game) -> Iterator[str]:
    yield rules_text(game.id, "en") or ""
    yield game.components_text()


def _words(text: str) -> set[str]:
    """The words that are names; single letters are none."""
    return set(re.findall(r"[A-Za-z][A-Za-z_]+", text))


def _dealt(game: Game) -> Sequence[ChanceOutcome]:
    """Every chance of one set-up with the most players."""
    maker = Maker(game, EXAMPLE_SEED, Amounts(games=1))
    scripts = [maker.opening(players, options) for players, options in maker.set_ups()]
    return [deal for script in scripts for deal in script.deals]


class HiddenProse:
    """Texts in words with hidden names: pieces also by what they are called in our words."""

    def __init__(self, game: Game, names: HiddenNames) -> None:
        self._names = names
        said: dict[str, str] = {}
        if names.words:
            verbs = {word for one in game.space.types.values() for word in _words(one.notation.partition("{")[0])}
            kept = verbs & _words_in_small_letters(rules_text(game.id, "en") or "")
            for word, new in names.words.items():
                if word not in kept:
                    said[word] = new
            for key, text in game.text("en").items():
                last = [part for part in key.split(".") if part in said]
                if (
                    last
                    and "{" not in text
                    and len(text.split()) <= 3
                    and not key.endswith((".help", ".acc", ".effect"))
                ):
                    plain = text.strip().lower()
                    if key.split(".")[0] not in ("option", "label", "confirm", "why", "log") and len(plain) > 2:
                        said.setdefault(plain, said[last[-1]])
            title = catalogue("en", game).texts.get("game.title", game.id)
            for name in {title.lower(), game.id}:
                said[name] = "the game"
        # The longest first, so that a name is not taken for a part of it.
        self._said = dict(sorted(said.items(), key=lambda pair: -len(pair[0])))
        pattern = "|".join(re.escape(word) for word in self._said)
        self._pattern = re.compile(rf"\b({pattern})(e?s)?\b", re.IGNORECASE) if pattern else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        text = re.sub(r" Designed by [^.\n]*\.", "", text)

        def new(match: re.Match[str]) -> str:
            word = self._said[match[1].lower()]
            return (word.capitalize() if match[1][:1].isupper() else word) + (match[2] or "")

        return self._pattern.sub(new, text)


def _words_in_small_letters(text: str) -> set[str]:
    return set(re.findall(r"\b[a-z_]+\b", text))


def write_brief(game: Game, folder: Path, hide: str | None = None) -> list[Path]:
    """Write the brief of a game into a folder, which is empty or holds an earlier one; return the files.

    Args:
        hide: the seed of names instead of those of the game.

    Raises:
        NotJudged: when the game does not say what chance decides in it, or its rules in words are not installed.
        OSError: when it cannot be written.
    """
    judged(game)
    rules = rules_text(game.id, "en")
    if rules is None:
        raise NotJudged(f"{game.id} has no rules in words (rules.en.md), from which somebody could write an engine")
    names = hidden_names(game, hide) if hide is not None else HiddenNames({})
    prose = HiddenProse(game, names)
    called = prose("game " + game.id).removeprefix("game ") if hide is None else "the game"
    texts = {
        "README.md": readme(called, hide is not None),
        "rules.md": prose(rules),
        "numbers.toml": prose(game.components_text()),
        "notation.md": actions_page(game, names, prose),
        "view.md": view_page(game, names, prose),
        "engine.py": ENGINE,
        "example.jsonl": "".join(json.dumps(line) + "\n" for line in example(game, names)),
        MARK: json.dumps({"game": "" if hide is not None else game.id, "hidden": hide is not None}) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def is_hidden(folder: Path) -> bool:
    """Whether a folder is a brief in which names are hidden."""
    try:
        found = json.loads((folder / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("hidden") is True


def readme(called: str, hidden: bool) -> str:
    """What is asked, how it is judged, and how programs of other languages answer."""
    limits, amounts = EngineLimits(), Amounts()
    template = Template((files(__package__) / "brief.md").read_text(encoding="utf-8"))
    return template.substitute(
        called=called,
        note=HIDDEN_NOTE if hidden else "",
        shares=", ".join(f"{part} {100 * weight:g} %" for part, weight in WEIGHTS.items()),
        deepest=amounts.deepest,
        games=amounts.games,
        questions=amounts.questions,
        answer=f"{limits.answer:g}",
        minutes=f"{limits.whole / 60:g}",
        memory=limits.memory,
        deaths=limits.deaths,
    )


def actions_page(game: Game, names: HiddenNames, prose: HiddenProse) -> str:
    """Actions, chance and options."""
    declared, say = judged(game), catalogue("en", game).texts
    lines = ["# Actions", "", "An action is a text. What stands in braces is one of the words given.", ""]
    lines += ["| Notation | Words | What it is |", "|---|---|---|"]
    for one in game.space.types.values():
        about = " ".join((one.struct.__doc__ or "").split("Attributes:")[0].split())
        domains = {name: domain.words for name, domain in one.fields.items()}
        words = "; ".join(
            f"{name}: {_listed([names.hide(word) for word in domains[name]])}"
            for _, name, _, _ in Formatter().parse(one.notation)
            if name in domains
        )
        lines.append(f"| `{_hidden_form(one.notation, names)}` | {words} | {prose(about)} |")
    lines += ["", "In notations that name no words, cards are written as in the view and in `example.jsonl`.", ""]
    lines += [f"* {_with_code(note, names, prose)}" for note in declared.notes]
    lines += ["", "# Chance", "", "| Asked with | Name | When |", "|---|---|---|"]
    seen = set()
    for how, name, _, said in declared.chances():
        if (name, said) not in seen:
            lines.append(f"| `{how}` | `{names.hide(name)}` | {prose(said)} |")
        seen.add((name, said))
    lines += [
        "",
        "The first card of an order is the top one of a pile. Of a pile with fewer than two cards, and of a draw from "
        "one, nobody asks. What cards are called is seen in `example.jsonl`.",
        "",
        "# Options",
        "",
        "| Option | Value | Meaning |",
        "|---|---|---|",
    ]
    for option in game.options:
        question = prose(say.get(f"option.{option.name}", ""))
        players = "" if option.players is None else f" ({option.players[0]} to {option.players[1]} players)"
        for choice in option.choices or ("",):
            label = say.get(f"option.{option.name}.{choice}", "")
            more = say.get(f"option.{option.name}.{choice}.help" if choice else f"option.{option.name}.help", "")
            usual = " (usual)" if choice == option.default else ""
            value = f"`{choice}`" if choice else "text"
            lines.append(f"| `{option.name}`{players} | {value}{usual} | {question} {prose(label)}. {prose(more)} |")
    if not game.options:
        lines.append("| none | | |")
    return "\n".join(lines) + "\n"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if len(words) <= 40 else f"{', '.join(words[:20])}, ..., {', '.join(words[-3:])}"


def _hidden_form(notation: str, names: HiddenNames) -> str:
    """A notation with hidden words, but the names of its fields."""
    return "".join(
        names.hide(part) if not part.startswith("{") else part for part in re.split(r"(\{[^}]*\})", notation)
    )


def _with_code(text: str, names: HiddenNames, prose: HiddenProse) -> str:
    parts = text.split("`")
    return "`".join(names.hide(part) if number % 2 else prose(part) for number, part in enumerate(parts))


def view_page(game: Game, names: HiddenNames, prose: HiddenProse) -> str:
    """The fields of a view."""
    left_out, seen = judged(game).left_out, judged(game).seen
    lines = [
        "# What a seat sees",
        "",
        "An object in JSON. Fields with `null` may be empty, or hidden from the viewer.",
        "",
    ]
    reached, gone = _reached(game, left_out), {path.rpartition(".")[2] for path in left_out}
    for struct in _structs(game.View):
        if struct.__name__ not in reached:
            continue
        doc = " ".join((struct.__doc__ or "").split("Attributes:")[0].split())
        parts = re.split(r"(?<=[.;]) ", doc)  # without what is said of fields that are left out
        doc = " ".join(part for part in parts if not gone & set(re.findall(r"``(\w+)``", part)))
        title = "The view" if struct is game.View else struct.__name__
        lines += [f"## {title}", ""]
        if doc and not doc.startswith(f"{struct.__name__}("):
            lines += [prose(doc), ""]
        lines += ["| Field | What it holds | |", "|---|---|---|"]
        for field in msgspec.structs.fields(struct):
            if struct is game.View and field.name in ALWAYS_LEFT_OUT | left_out:
                continue
            if any(path.endswith(f".{field.name}") for path in left_out) and struct is not game.View:
                continue
            said = seen.get(field.name if struct is game.View else f"{struct.__name__}.{field.name}", "")
            shape = _with_code(names.hide(_shape(field.type)), names, prose)
            lines.append(f"| `{field.name}` | {shape} | {_with_code(said, names, prose)} |")
        lines.append("")
    return "\n".join(lines)


def _structs(view: Any) -> list[type[msgspec.Struct]]:
    """A view's struct and all those in it."""
    found: list[type[msgspec.Struct]] = []

    def visit(kind: Any) -> None:
        for part in get_args(kind):
            visit(part)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind not in found:
            found.append(kind)
            for field in msgspec.structs.fields(kind):
                visit(field.type)

    visit(view)
    return found


def _reached(game: Game, left_out: frozenset[str]) -> set[str]:
    """The structs that are in what is asked for."""
    found: set[str] = set()

    def visit(kind: Any, top: bool) -> None:
        for part in get_args(kind):
            visit(part, False)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__name__ not in found:
            found.add(kind.__name__)
            for field in msgspec.structs.fields(kind):
                hidden = field.name in left_out if top else any(path.endswith(f".{field.name}") for path in left_out)
                if not hidden:
                    visit(field.type, False)

    visit(game.View, True)
    return found


def _shape(kind: Any) -> str:
    """A type in words."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return "one of " + ", ".join(f"`{part}`" for part in parts)
    if origin in (Union, UnionType):
        return " or ".join("`null`" if part is NoneType else _shape(part) for part in parts)
    if origin is list:
        return f"list of: {_shape(parts[0])}"
    if origin is tuple:
        return f"list of {len(parts)}: {_shape(parts[0])}"
    if origin is dict:
        return f"object, by {_shape(parts[0])}: {_shape(parts[1])}"
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return f"object: {kind.__name__}"
    return {int: "number", str: "text", bool: "`true` or `false`"}.get(kind, getattr(kind, "__name__", str(kind)))


def example(game: Game, names: HiddenNames) -> Iterator[Mapping[str, Any]]:
    """One whole game as the judge and an engine talk: ``judge`` and ``engine`` by turns."""
    maker = Maker(game, EXAMPLE_SEED)
    players = max(game.min_players, 2)
    lengths = [len(maker.game_of(players, number, "nobody").moves) for number in range(8)]
    found = maker.game_of(players, lengths.index(min(lengths)))
    yield {"judge": {"do": "hello", "protocol": 1}}
    yield {"engine": {"ready": True}}
    new = {"do": "new", "game": 1, "players": found.players, "options": {}, "legal": True}
    yield {"judge": {**new, "views": list(found.look.seats)}}
    yield from _talk(found.deals, found.look, names)
    for number, move in enumerate(found.moves, 1):
        play = {"do": "play", "game": 1, "seat": move.seat, "action": names.hide(move.action), "legal": True}
        look = move.look
        if number % EXAMPLE_VIEWS and number < len(found.moves):
            look = replace(look, seats=(), views=())
        yield {"judge": {**play, "views": list(look.seats)}}
        yield from _talk(move.deals, look, names)


def _talk(deals: Sequence[ChanceOutcome], look: Look, names: HiddenNames) -> Iterator[Mapping[str, Any]]:
    for deal in deals:
        name = names.hide(deal.name)
        if deal.is_draw:
            yield {"engine": {"ask": "draw", "name": name, "of": deal.of}}
            yield {"judge": {"drawn": deal.drawn}}
        else:
            order = names.hide(list(deal.order))
            yield {"engine": {"ask": "shuffle", "name": name, "cards": sorted(order)}}
            yield {"judge": {"order": order}}
    legal = {str(seat): names.hide(list(actions)) for seat, actions in look.legal.items()}
    views = names.hide(list(look.views))
    yield {"engine": {"actors": list(look.actors), "legal": legal, "views": views, "result": look.result}}
