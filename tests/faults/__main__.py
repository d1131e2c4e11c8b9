"""Plant faults and see which of them the tests see."""

from __future__ import annotations

import argparse
import queue
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from tests.faults import plant
from tests.faults.near import about, near
from tests.faults.plant import Fault
from tests.faults.tree import Tree

SEED = 1
"""Whose faults were judged and are kept."""
NPM = [sys.executable, "scripts/web.py", "npm", "exec", "--"]
UNFIT = "(does not fit there)"


@dataclass
class Found:
    """What saw a fault; nothing where ``by`` is empty."""

    fault: Fault
    by: str = ""
    seconds: float = 0.0
    together: bool = False


@dataclass
class Hunt:
    """Which tests run, and what they have found."""

    browser: bool
    more: list[str]
    """Arguments for pytest: ``--all``, or nothing."""
    never: set[str] = field(default_factory=set)
    """Tests that fail without a fault, too."""

    def alone(self, tree: Tree, fault: Fault) -> Found:
        """Plant one fault and run what stands nearest, from cheap to dear, until something sees it."""
        began = tree.seconds
        try:
            with tree.planted([fault]):
                by = self._nearest(tree, fault)
        except ValueError:
            by = UNFIT
        return Found(fault, by, tree.seconds - began)

    def _nearest(self, tree: Tree, fault: Fault) -> str:
        last = fault.seen.partition("::")[0]
        if "::" in fault.seen and (tree.root / last).exists():
            # By its file, not by its name: whoever names a test gets it even where only the whole runs it.
            if seen := tree.tests([last, *self.more], only=[fault.seen], never=self.never, planted=[fault.file]):
                return seen[0]
        if fault.file.startswith("web"):
            return self._page(tree, fault)
        if fault.file.endswith(".py") and tree.run(["ruff", "check", fault.file])[0]:
            return "ruff check"
        files = near(tree.root, fault.file)
        found = tree.tests([*files, *self.more], never=self.never, order=files, planted=[fault.file]) if files else []
        # Not for what nobody could notice.
        if not found and not fault.why and (around := about(fault.file)):
            outside = [f"--ignore={file}" for file in files]
            found = tree.tests([*around, *outside, *self.more], never=self.never, planted=[fault.file])
        return next(iter(found), "")

    def _page(self, tree: Tree, fault: Fault) -> str:
        """A test of the page that fails whenever it runs: what fails once among many may fail for another reason."""
        last = fault.seen.partition(": ")[0].removeprefix("web/")
        for asked in (["run", last], ["run", READS_SOURCES], ["related", "--run", fault.file.removeprefix("web/")]):
            if not asked[-1] or not (tree.root / "web" / asked[-1]).exists():
                continue
            found = [name for name in _vitest(tree, asked) if name not in self.never]
            for file in dict.fromkeys(name.partition(": ")[0] for name in found):
                again = _vitest(tree, ["run", file.removeprefix("web/")]) if asked[0] == "related" else found
                if both := [name for name in again if name in found]:
                    return both[0]
        return ""

    def together(self, tree: Tree, left: list[Fault], whole: Iterable[str] = ("tests",)) -> list[Found]:
        """Plant all that nothing near has seen at once and run everything: what passes sees none of them, and each that
        fails is run again with each fault alone."""
        found: list[Found] = []
        for name, command, suffixes in CHECKS:
            some = [fault for fault in left if fault.file.endswith(suffixes)]
            for fault in self._seen_by(tree, some, command):
                found.append(Found(fault, name, together=True))
                left = [one for one in left if one is not fault]
        if not left:
            return found
        with tree.planted(left):
            pages = [tree.run([sys.executable, "scripts/web.py", "build"])] if self.browser else []
            if any(code for code, _ in pages):
                raise RuntimeError(pages[0][1][-2000:])
            selection = [] if self.browser else ["-m", "not browser"]
            failed = tree.tests([*whole, *selection, *self.more], never=self.never, stop=False)
        print(f"with all {len(left)}: {len(failed)} tests fail", flush=True)
        files = sorted({name.partition("::")[0] for name in failed})
        for fault in left if failed else ():
            began = tree.seconds
            with tree.planted([fault]):
                drawn = any(tree.root.joinpath(file).parent.name == "browser" for file in files)
                if self.browser and drawn and fault.file.startswith("web") | fault.file.endswith(".json"):
                    tree.run([sys.executable, "scripts/web.py", "build"])
                by = tree.tests([*files, *self.more], only=failed, never=self.never)
            found.append(Found(fault, next(iter(by), ""), tree.seconds - began, together=True))
        return found

    def _seen_by(self, tree: Tree, faults: list[Fault], command: list[str]) -> list[Fault]:
        """Which faults a check sees, that looks at all files at once."""
        with tree.planted(faults):
            if not faults or not tree.run(command)[0]:
                return []
        if len(faults) == 1:
            return faults
        middle = len(faults) // 2
        return self._seen_by(tree, faults[:middle], command) + self._seen_by(tree, faults[middle:], command)


CHECKS: list[tuple[str, list[str], tuple[str, ...]]] = [
    ("mypy", [sys.executable, "-m", "mypy", "src", "tests", "benchmarks", "scripts", "hatch_build.py"], (".py",)),
    ("oxlint", [*NPM, "oxlint"], (".ts", ".svelte")),
    ("svelte-check", [*NPM, "svelte-check", "--tsconfig", "./tsconfig.json"], (".ts", ".svelte", ".json", ".css")),
    ("vitest", [*NPM, "vitest", "run"], (".ts", ".svelte", ".json", ".css")),
]
"""What `./test` runs before the tests. Not the formatters: they see no mistake, only where a line is broken."""


READS_SOURCES = "src/styles/styles.test.ts"
"""A test of the page that imports nothing of what it looks at."""


def _vitest(tree: Tree, arguments: list[str]) -> list[str]:
    """The tests of the page that fail: "web/src/table/names.dom.test.ts: is somebody"."""
    code, said = tree.run([*NPM, "vitest", *arguments, "--passWithNoTests"], NO_COLOR="1")
    failed = re.findall(r"^ FAIL +(?:\|\w+\| )?(\S+)(?: > (.*)| .*)?$", said, re.MULTILINE)
    if code and not failed:
        raise RuntimeError(f"vitest ended with {code}: {said[-2000:]}")
    return list(dict.fromkeys(f"web/{file}: {name or 'it is read'}" for file, name in failed))


OF_RULES = re.compile(r"src/ziggurat/(games|core|bots)/")
"""What may be compiled."""


def each(hunt: Hunt, trees: list[Tree], faults: list[Fault], say: Report) -> list[Found]:
    """Try every fault alone; a test counts that passes without it."""
    free: queue.SimpleQueue[Tree] = queue.SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(fault: Fault) -> Found:
        tree = free.get()
        try:
            return hunt.alone(tree, fault)
        finally:
            free.put(tree)

    found: list[Found] = []
    while faults:
        new = []
        with ThreadPoolExecutor(len(trees)) as pool:
            for job in as_completed([pool.submit(one, fault) for fault in faults]):
                new.append(job.result())
                say(new[-1])
        without: list[str] = []
        # As they ran with the fault: rules of the same games as plain Python.
        for of_rules in (True, False):
            some = [one for one in new if "::" in one.by and of_rules == bool(OF_RULES.match(one.fault.file))]
            tests = sorted({one.by for one in some})
            files = sorted({name.partition("::")[0] for name in tests})
            planted = [one.fault.file for one in some]
            if tests:
                without += trees[0].tests([*files, *hunt.more], only=tests, stop=False, planted=planted)
        for file in sorted({one.by.partition(": ")[0] for one in new if one.by.startswith("web/")}):
            without += _vitest(trees[0], ["run", file.removeprefix("web/")])
        hunt.never |= set(without)
        found += [one for one in new if one.by not in without]
        faults = [one.fault for one in new if one.by in without]
        for name in without:
            print(f"fails without a fault, and does not count: {name}", flush=True)
    return found


class Report:
    """Says what is found as it is found, and keeps it: a run may be long, and end before its time."""

    def __init__(self, number: int, kept: bool) -> None:
        self.number, self.kept, self.done = number, kept, 0

    def __call__(self, found: Found) -> None:
        self.done += 1
        by = found.by or "nothing near"
        print(f"[{self.done}/{self.number}] {found.fault.id}: {by} ({found.seconds:.0f} s)", flush=True)
        if self.kept and found.by:
            note([found])


def note(found: list[Found]) -> None:
    """Note in the list which tests saw the faults."""
    by = {one.fault.id: one.by for one in found if one.by != UNFIT}
    plant.keep([replace(fault, seen=by.get(fault.id, fault.seen)) for fault in plant.kept()])


def table(found: list[Found]) -> str:
    """What was found, as a table."""
    lines = ["| fault | file | seen by | s |", "|---|---|---|---|"]
    for one in found:
        name, _, test = one.by.partition("::")
        by = f"`{name.removeprefix('tests/')}` {test.partition('[')[0]}" if one.by else f"nothing. {one.fault.why}"
        file = one.fault.file.removeprefix("src/ziggurat/").removeprefix("web/src/")
        lines.append(f"| {one.fault.id} | `{file}` | {by.strip()} | {one.seconds:.0f} |")
    return "\n".join(lines) + "\n"


def summary(found: list[Found]) -> str:
    """How many were seen."""
    fit = [one for one in found if one.by != UNFIT]
    return f"seen {sum(bool(one.by) for one in fit)} of {len(fit)}"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        "python -m tests.faults",
        description="Plant one-line faults, each in a copy of the sources, and say which test sees it. "
        "Near tests are run with each fault alone; then everything with all faults that are left, and each test that "
        "fails there again with each of them.",
    )
    made.add_argument("--seed", type=int, default=SEED, help="1: the kept list; others are drawn, and judged by nobody")
    made.add_argument("--only", nargs="+", metavar="ID", help="these faults, or those of a floor")
    made.add_argument("--near", action="store_true", help="leave out the run of everything, which takes long")
    made.add_argument("--all", action="store_true", help="run what only ./test --all runs, too")
    made.add_argument("--no-browser", action="store_true", help="leave out the tests that need Chromium")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time")
    made.add_argument("--against", metavar="COMMIT", help="the tests and sources of another commit")
    made.add_argument("--out", type=Path, metavar="FILE", help="write the table there")
    made.add_argument("--keep", action="store_true", help="note in the list which test saw it, and try that first")
    made.add_argument("--propose", type=int, metavar="N", help="print N faults of each floor, and plant none")
    return made


def main(arguments: list[str]) -> int:
    """The command; 1 where a fault is not seen that has no reason."""
    asked = parser().parse_args(arguments)
    if asked.propose:
        for floor in plant.SPREAD:
            for fault in islice(plant.propose(floor, asked.seed), asked.propose):
                print(f"{fault.id}  {fault.file}\n- {fault.old}+ {fault.new}")
        return 0
    drawn = ((floor, islice(plant.propose(floor, asked.seed), number)) for floor, number in plant.SPREAD.items())
    faults = plant.kept() if asked.seed == SEED else [fault for _, some in drawn for fault in some]
    if asked.only:
        known = {name for fault in faults for name in (fault.id, fault.floor)}
        if wrong := sorted({*asked.only} - known):
            print(f"no fault {', '.join(wrong)}; there are {', '.join(fault.id for fault in faults)}", file=sys.stderr)
            return 2
        faults = [fault for fault in faults if {fault.id, fault.floor} & {*asked.only}]
    hunt = Hunt(not asked.no_browser, ["--all"] if asked.all else [])
    with ExitStack() as stack:
        try:
            trees = [Tree(asked.against) for _ in range(max(asked.jobs, 1))]
        except subprocess.CalledProcessError as error:
            print(f"git: {(error.stderr or b'').decode().strip() or error}", file=sys.stderr)
            return 2
        for tree in trees:
            stack.callback(tree.close)
        found = each(hunt, trees, faults, Report(len(faults), asked.keep and asked.seed == SEED))
        left = [one.fault for one in found if not one.by]
        if left and not asked.near:
            later = {one.fault.id: one for one in hunt.together(trees[0], left)}
            found = [later.get(one.fault.id, one) for one in found]
        spent = sum(tree.seconds for tree in trees)
    found.sort(key=lambda one: faults.index(one.fault))
    text = f"{table(found)}\n{summary(found)}; {spent / 60:.0f} processor minutes\n"
    print(text)
    if asked.out:
        asked.out.write_text(text, encoding="utf-8")
    if asked.keep and asked.seed == SEED:
        note(found)
    return int(any(not one.by and not one.fault.why for one in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
