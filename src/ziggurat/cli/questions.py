"""``ziggurat questions``: questions about positions that nobody has seen, and their scorer."""

from __future__ import annotations

from pathlib import Path

import click

from ziggurat.cli.files import must_be_writable, writing, written
from ziggurat.cli.options import json_option, number_option, seed_option
from ziggurat.cli.progress import ended_politely, prepare, progress


@click.group("questions")
def command() -> None:
    """Ask models about positions that nobody has seen, with answers by the rules.

    'make' writes questions with pictures and, apart from them, the answers; 'score' scores what somebody has answered;
    'answer' answers by chance or by the heuristic. docs/questions.md says what is asked.
    """


@command.command("make")
@seed_option
@click.option("--out", metavar="FOLDER", required=True, help="Write the set there.")
@number_option("--count", 400, "Number of questions.")
@click.option("--game", "games", metavar="GAME", multiple=True, help="Only of this game; may be given several times.")
@click.option("--language", metavar="LANGUAGE", default="en", show_default=True, help="Of words, pictures and rules.")
@click.option(
    "--track",
    metavar="TRACK",
    default="both",
    show_default=True,
    help="What is shown of a position: its 'text', its 'picture', or 'both'.",
)
def make(seed: str | None, out: str, count: int, games: tuple[str, ...], language: str, track: str) -> None:
    """Make a set of questions: the same from the same seed, and another one from each."""
    import ziggurat
    from ziggurat.bots import SEARCHING
    from ziggurat.core.picture import check_packages
    from ziggurat.core.runtime import PLAYING
    from ziggurat.core.seed import parse_seed, shown_seed
    from ziggurat.lab.questions import make as made

    if track in ("both", "picture"):
        check_packages()
    key = parse_seed(seed)
    chosen = [ziggurat.game(name) for name in dict.fromkeys(games)] or [*ziggurat.registered_games().values()]
    for game in chosen:
        prepare(game, PLAYING, SEARCHING)
    with written(out), ended_politely(), progress("questions", count) as advance:
        questions = made(chosen, Path(out), seed=key, count=count, language=language, track=track, advance=advance)
    click.echo(f"{out}: {len(questions)} questions, seed {shown_seed(key)}")
    click.echo("hand out the folder 'questions' in it; 'answers.json' has the answers and the seed")


@command.command("score")
@click.argument("folder", metavar="FOLDER")
@click.argument("answers", metavar="ANSWERS")
@json_option
def score(folder: str, answers: str, as_json: bool) -> None:
    """Score the file ANSWERS, lines such as {"id": "q0001", "answer": "B"}, by the set in FOLDER."""
    import msgspec

    from ziggurat.lab.questions import QuestionSet, read_answers
    from ziggurat.lab.questions import score as scored
    from ziggurat.lab.questions.scoring import as_json as told
    from ziggurat.lab.questions.scoring import table

    questions = QuestionSet(Path(folder))
    given = read_answers(questions.questions, Path(answers))
    report = scored(questions, given)
    if as_json:
        click.echo(msgspec.json.encode(told(report)).decode())
        return
    for text in table(report):
        click.echo(text)
    lacking = len(questions.questions) - len(given)
    if lacking:
        click.echo(f"{lacking} not answered, and so not right")
    if questions.differs():
        click.echo(questions.differs())


@command.command("answer")
@click.argument("folder", metavar="FOLDER")
@click.option("--by", metavar="random|greedy", required=True, help="Answer by chance, or as the heuristic would play.")
@click.option("--out", metavar="FILE", default="-", help="Write the answers there (default: print them).")
@number_option("--seed", 1, "Of what is drawn.", least=0)
def answer(folder: str, by: str, out: str, seed: int) -> None:
    """Answer the set in FOLDER as a baseline does."""
    from ziggurat.lab.questions import QuestionSet, baseline, write_answers

    questions = QuestionSet(Path(folder))
    must_be_writable(out)
    given = baseline(questions, by, seed)
    with writing(out) as stream:
        stream.write(write_answers(given))
