"""The dataset card: README.md, with the front matter that Hugging Face reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import ziggurat
from ziggurat.core.text import catalogue
from ziggurat.lab.batch import Batch
from ziggurat.lab.dataset.tables import DECISIONS, GAMES
from ziggurat.lab.intervals import wilson
from ziggurat.lab.simulate import PARTS_OF_A_WIN, RunningTotals

if TYPE_CHECKING:
    import polars

    from ziggurat.lab.dataset import DatasetManifest

SIZES = {
    10**3: "n<1K",
    10**4: "1K<n<10K",
    10**5: "10K<n<100K",
    10**6: "100K<n<1M",
    10**7: "1M<n<10M",
    10**8: "10M<n<100M",
    10**9: "100M<n<1B",
}
"""The sizes that Hugging Face knows, by the number of rows that they are below."""


def card(folder: Path, manifest: DatasetManifest) -> str:
    """Return the text of the card."""
    import polars

    config = manifest.config
    game = ziggurat.game(config.game)
    title = catalogue("en", game)("name")
    games = polars.concat(
        [
            polars.read_parquet(folder / one.path, columns=["game", "bots", "scores", "wins"])
            for one in manifest.files
            if one.path.startswith(f"{GAMES}/")
        ]
    )
    decisions = sum(one.rows for one in manifest.files if one.path.startswith(f"{DECISIONS}/"))
    size = sum(one.bytes for one in manifest.files)
    options = [f"`{name}={value}`" for name, value in game.changed(config.options).items()]
    lines = [
        *_front_matter(title, config.game, decisions),
        f"# {title}: {_many(config.games, 'game')} of {config.players} player{'s' * (config.players > 1)}",
        "",
        f"Every decision of {_many(config.games, 'game')} between bots, as the seat that decided saw it:"
        f" {decisions:,} decisions, {size / 1e6:,.1f} MB.",
        "An observation holds what its seat may know, and nothing that is hidden from it.",
        "",
        "Made by Ziggurat. The same command makes the same files again:",
        "",
        f"    {manifest.command}",
        "",
        "| player | bot | mean score | wins | 95 % interval |",
        "|---|---|---|---|---|",
        *_results(games, config.bots),
        "",
        f"Rules that were chosen: {', '.join(options) or 'the usual ones'}."
        f" Printed numbers: {'the usual ones' if config.numbers is None else 'its own, in the manifest'}.",
        "",
        "| made with | |",
        "|---|---|",
        *(f"| {name} | `{text}` |" for name, text in config.made_with.items()),
    ]
    for name, told in manifest.columns.items():
        lines += ["", f"## {name}", "", "| column | |", "|---|---|"]
        lines += [f"| `{column}` | {text} |" for column, text in told.items()]
    lines += [
        "",
        f"An observation has {len(manifest.features)} numbers, a mask {manifest.actions} places. `manifest.json` says"
        " what each number of an observation means (`features`), and has the SHA-256 of every file.",
        "",
        "## Reading it",
        "",
        "```python",
        f'polars.read_parquet("{DECISIONS}/*.parquet")',
        f'datasets.load_dataset("FOLDER", "{DECISIONS}", split="train")',
        f'torch.from_numpy(polars.read_parquet("{DECISIONS}/*.parquet")["observation"].to_numpy())',
        "```",
        "",
        "`ziggurat dataset verify FOLDER` plays games again and compares every number;"
        " `ziggurat dataset replay FOLDER 1` shows a game as a replay.",
        "",
    ]
    return "\n".join(lines)


def _front_matter(title: str, game: str, decisions: int) -> list[str]:
    size = next((text for most, text in SIZES.items() if decisions < most), "n>1B")
    return [
        "---",
        f"pretty_name: {json.dumps(f'{title}: games between bots', ensure_ascii=False)}",
        "license: mit",
        "task_categories:",
        "- reinforcement-learning",
        "tags:",
        "- board-games",
        "- imperfect-information",
        "- offline-rl",
        "- ziggurat",
        f"- {game}",
        "size_categories:",
        f"- {size}",
        "configs:",
        f"- config_name: {DECISIONS}",
        "  default: true",
        f'  data_files: "{DECISIONS}/*.parquet"',
        f"- config_name: {GAMES}",
        f'  data_files: "{GAMES}/*.parquet"',
        "---",
        "",
    ]


def _results(games: polars.DataFrame, bots: tuple[str, ...]) -> list[str]:
    """Return a row for every player, wherever they sat."""
    players = len(bots)
    scores, wins = (games[name].to_numpy() for name in ("scores", "wins"))
    totals = RunningTotals.zero(players)
    totals.add(Batch(int(games["game"][0]) - 1, scores, wins, scores[:, 0]).by_player())
    number, rows = len(games), []
    for player, bot in enumerate(bots):
        share = float(totals.wins[player]) / PARTS_OF_A_WIN / number
        low, high = wilson(share, number)
        mean = float(totals.points[player]) / number
        rows.append(f"| {player + 1} | {bot} | {mean:.2f} | {share:.1%} | {low:.1%} to {high:.1%} |")
    return rows


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
