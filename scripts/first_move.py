#!/usr/bin/env python3
"""Measures the way from an empty Debian to a first move over https, with the commands of docs/hosting.md.

    python scripts/first_move.py --base FOLDER                       "In a container", PostgreSQL
    python scripts/first_move.py --base FOLDER compose.sqlite.yaml   the same with SQLite
    python scripts/first_move.py --base FOLDER debian                "On Debian"
    python scripts/first_move.py --base FOLDER ... --restore COPY    with a copy's tables, as "A machine that is gone"

For a Linux machine on which one is root; FOLDER as for `scripts/container.py`. Nothing is kept for the next run.

What stands in for what: copies of FOLDER, entered by chroot, for machines and for the image of Python; the steps of
`scripts/container.py` for the engine, which is installed and not started; Debian's packages of Caddy and PostgreSQL
for their images; the name localhost, and the authority that Caddy makes for it, for a name of one's own and the
authority on the internet; for systemd a program that starts what a unit says, as its user and with its settings
(`STAND_IN`). "Computing" is the processor time of all programs that ended in that time: with the network's time it says
how long a machine takes that does nothing else.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from container import (
    ARCHITECTURES,
    GIVEN,
    GIVEN_NAMES,
    MOVE,
    PATH,
    ROOT,
    STARTED,
    Builder,
    Running,
    Stage,
    Wrong,
    inside,
    left_out,
    own_network,
    processor,
    read,
    try_compose,
)  # fmt: skip

PAGE = ROOT / "docs/hosting.md"
NAME = "games.example"
"""The name that the page's commands have; it is one that the machine has, `localhost`, here."""
COPY = "ziggurat-20261127T030000Z"
"""The copy that the page's commands name."""
COMPOSE = ("compose.yaml", "compose.sqlite.yaml")
WAYS = (*COMPOSE, "debian")
BACKUPS = "/var/backups/ziggurat"
AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
STAND_IN = '''#!/usr/bin/python3
"""Starts what units say; stands in for systemctl."""
import pathlib, pwd, re, shlex, subprocess, sys

FOLDERS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
DOES = ("enable", "start", "restart", "daemon-reload")

def assigned(text):
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and line[0] != "#")

for name in sys.argv[1:]:
    if name in DOES or name.startswith("-"):
        continue
    if name == "postgresql":
        [cluster] = subprocess.check_output(["pg_lsclusters", "--no-header"], text=True).splitlines()
        subprocess.run(["pg_ctlcluster", *cluster.split()[:2], "start"], check=True)
        continue
    [file, *_] = [one for folder in FOLDERS if (one := pathlib.Path(folder, f"{name}.service")).exists()]
    text = file.read_text().replace("%S", "/var/lib").replace("%C", "/var/cache")
    said = {}
    for line in text.splitlines():
        key, _, value = line.partition("=")
        said.setdefault(key, []).append(value)
    around = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    for value in said.get("Environment", ()):
        around |= dict(word.split("=", 1) for word in shlex.split(value))
    for value in said.get("EnvironmentFile", ()):
        place = pathlib.Path(value.lstrip("-"))
        around |= assigned(place.read_text()) if place.exists() else {}
    user = said["User"][0]
    try:
        who = pwd.getpwnam(user)
    except KeyError:
        subprocess.run(["useradd", "--system", user], check=True)  # DynamicUser
        who = pwd.getpwnam(user)
    for kind, above in (("StateDirectory", "/var/lib"), ("CacheDirectory", "/var/cache")):
        for value in said.get(kind, ()):
            place = pathlib.Path(above, value)
            place.mkdir(exist_ok=True)
            subprocess.run(["chown", "--recursive", f"{user}:", place], check=True)
    words = []
    for word in shlex.split(said["ExecStart"][0]):
        words += shlex.split(around.get(word[1:], "")) if word.startswith("$") else [word]
    rights = said.get("AmbientCapabilities", [""])[0].lower().replace("cap_", "+").split()
    drop = ["setpriv", "--reuid", str(who.pw_uid), "--regid", str(who.pw_gid), "--clear-groups", "--no-new-privs"]
    drop += [f"--inh-caps={','.join(rights)}", f"--ambient-caps={','.join(rights)}"] if rights else []
    with open(f"/var/log/{name}.log", "ab") as log:
        subprocess.Popen(
            [*drop, *words], env=around | {"HOME": who.pw_dir}, cwd=said.get("WorkingDirectory", ["/"])[0],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        )
'''


JOURNAL = """#!/bin/sh
# Shows the log of the unit as soon as the server has said where its hosts come in; stands in for journalctl.
for second in $(seq 60); do
  grep --quiet "host's page" /var/log/ziggurat.log && exec cat /var/log/ziggurat.log
  sleep 1
done
"""


class Watch:
    """What was done, and how long it took."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float]] = []

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Tell of something that is done in here."""
        print(f"{what} ...", flush=True)
        began, computed = time.monotonic(), processor()
        yield
        self.note(what, time.monotonic() - began, processor() - computed)

    def note(self, what: str, seconds: float, computed: float) -> None:
        """Tell how long something took, and how long it computed."""
        self.rows.append((what, seconds, computed))
        load = os.getloadavg()[0]
        print(f"{what}: {seconds:.1f} s, of them {computed:.1f} s computing; load {load:.1f}", flush=True)

    def table(self) -> str:
        """All of it, and the sum."""
        took, computed = sum(row[1] for row in self.rows), sum(row[2] for row in self.rows)
        rows = [*self.rows, ("all of it", took, computed)]
        told = "\n".join(f"| {what:<84.84} | {took:7.1f} | {computed:8.1f} |" for what, took, computed in rows)
        return f"| {'what':<84} | seconds | of them computing |\n{told}"


def commands(text: str, heading: str) -> list[str]:
    """The commands of a section: lines that are indented, or in a block; one with `<<END` goes to that."""
    [section] = re.findall(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    lines = [one.removeprefix("    ") for one in section.splitlines()]
    shown, fenced = list[str](), False
    for line, raw in zip(lines, section.splitlines(), strict=True):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or raw.startswith("    "):
            if shown and re.search(r"<<END\b", shown[-1]) and not shown[-1].endswith("\nEND"):
                shown[-1] += f"\n{line}"
            elif line.strip():
                shown.append(line)
    return shown


def way(text: str, heading: str) -> list[str]:
    """The commands of a section from nothing to the link of the first host."""
    shown = commands(text, heading)
    return shown[: 1 + next(at for at, one in enumerate(shown) if "host's page" in one)]


def copied(base: Path, root: Path) -> None:
    """Make a machine."""
    subprocess.run(["cp", "--archive", "--reflink=auto", base, root], check=True)
    policy = root / "usr/sbin/policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 101\n")  # packages start nothing by themselves
    policy.chmod(0o755)


def surroundings() -> dict[str, str]:
    """What leads to the network from in there."""
    given = {name: value for name, value in os.environ.items() if GIVEN_NAMES.fullmatch(name)}
    return {**given, "PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def installed(root: Path, command: str) -> None:
    """Give a command that installs packages."""
    ran = subprocess.run(
        inside(root, "/", ["/bin/sh", "-e", "-c", command]), env=surroundings(), stdout=subprocess.DEVNULL, check=False
    )
    if ran.returncode != 0:
        raise Wrong(command)


def in_containers(watch: Watch, base: Path, folder: Path, file: str, copy: Path | None) -> None:
    """The page's "In a container"."""
    [packages, names, starts, _] = way(PAGE.read_text(encoding="utf-8"), "In a container")
    if not packages.startswith("apt-get ") or ".env" not in names or "docker compose up" not in starts:
        raise Wrong("the page shows other commands")
    host, others = folder / "host", folder / "others"
    with watch.doing("copy the empty Debian twice, for the machine and the images of others"):
        copied(base, host)
        copied(base, others)
    with watch.doing(packages):
        installed(host, packages)
    of_others = "caddy" if "sqlite" in file else "caddy postgresql"
    with watch.doing(f"{of_others}, from Debian's packages"):
        installed(others, f"apt-get update && apt-get install --yes --no-install-recommends {of_others}")
    builder = Builder(stages := read_stages(), base, folder / "stages")
    builder.folder.mkdir()
    image = builder.root(builder.build())
    for name, (seconds, computed) in builder.seconds.items():
        watch.note(f"Containerfile: {name}", seconds, computed)
    volumes = folder / "volumes"
    volumes.mkdir(mode=0o755)
    folder.chmod(0o755)
    began, computed = time.monotonic(), processor()
    text = (ROOT / file).read_text(encoding="utf-8")
    for line in try_compose(text, stages, image, others, volumes, restores(file, copy) if copy else None):
        watch.note(f"{file}: {line}", time.monotonic() - began, processor() - computed)
        began, computed = time.monotonic(), processor()


def read_stages() -> list[Stage]:
    """The stages of our Containerfile."""
    return read((ROOT / "Containerfile").read_text(encoding="utf-8"), ARCHITECTURES[platform.machine()])


def restores(file: str, copy: Path) -> tuple[Path, str, list[str]]:
    """The folder that is given to the container that restores, where it is there, and what that runs."""
    shown = commands(PAGE.read_text(encoding="utf-8"), "A machine that is gone")
    [line] = [one for one in shown if "docker compose" in one and ("--file" in one) == ("sqlite" in file)]
    found = re.search(rf"--volume {BACKUPS}:(\S+) ziggurat (restore .*)", line)
    if not found:
        raise Wrong(f"the page shows another command than {line}")
    return copy, f"{found[1]}/{COPY}", ["ziggurat", *shlex.split(found[2])]


def on_debian(watch: Watch, base: Path, folder: Path, copy: Path | None) -> None:
    """The page's "On Debian"."""
    text = PAGE.read_text(encoding="utf-8").replace(NAME, "localhost")
    root = folder / "machine"
    with watch.doing("copy the empty Debian, with the source tree in it"):
        copied(base, root)
        out = left_out(ROOT)
        shutil.copytree(
            ROOT, root / "source", symlinks=True,
            ignore=lambda where, names: [name for name in names if Path(where, name) in out],
        )  # fmt: skip
    for name, text_of in (("systemctl", STAND_IN), ("journalctl", JOURNAL)):
        stand_in = root / "usr/local/bin" / name
        stand_in.write_text(text_of)
        stand_in.chmod(0o755)
    lines = way(text, "On Debian")
    if copy:
        shutil.copytree(copy, root / BACKUPS.lstrip("/") / COPY)
        [line] = [one for one in commands(text, "A machine that is gone") if "runuser" in one]
        starts = next(at for at, one in enumerate(lines) if "enable --now" in one)
        lines.insert(starts, line)
    given = [(Path(place), place) for place in GIVEN if Path(place).exists()]
    with own_network() as network:
        machine = inside(root, "/", ["sleep", "infinity"], network=network, mounts=given)
        with Running(machine, surroundings()) as running, ended(running):
            while Path(f"/proc/{running.id}/comm").read_text() != "sleep\n":
                time.sleep(0.05)
            alone = running.there
            abroad = [word for word in running.there if word != "--net"]
            for line in lines:
                running.there = abroad if re.match(r"apt-get|.*pip install", line) else alone
                with watch.doing(line.splitlines()[0]):
                    given_in(running, line)
                    if "postgresql" in line and line.startswith("apt-get"):
                        running.there = alone
                        given_in(running, "systemctl start postgresql")  # as the package does where there is systemd
            running.there = alone
            with watch.doing("wait for it, and a first move over https"):
                first_move(running, root)


@contextmanager
def ended(running: Running) -> Iterator[None]:
    """End a machine with all that runs there: its first process hears no other signal."""
    try:
        yield
    finally:
        os.kill(running.id, signal.SIGKILL)


def given_in(running: Running, line: str) -> None:
    """Give a command in the source tree of a machine."""
    ran = running.run("/bin/sh", "-e", "-c", f"cd /source\n{line}")
    if ran.returncode != 0:
        raise Wrong(f"{line}: {ran.stdout[-1000:]}{ran.stderr[-2000:]}")


def first_move(running: Running, root: Path) -> None:
    """Try until it succeeds."""
    ends = time.monotonic() + STARTED
    while True:
        played = running.run(
            "/opt/ziggurat/bin/python", "-c", f"BASE = 'https://localhost'\n{MOVE}", SSL_CERT_FILE=AUTHORITY
        )
        if played.returncode == 0:
            print(played.stdout.strip())
            return
        if time.monotonic() > ends:
            logs = "".join(one.read_text(errors="replace")[-1500:] for one in (root / "var/log").glob("*.log"))
            raise Wrong(f"no move was made: {played.stderr[-500:]}\n{logs}")
        time.sleep(0.5)


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", choices=WAYS, nargs="?", default=WAYS[0])
    parser.add_argument("--base", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--restore", metavar="COPY", type=Path)
    chosen = parser.parse_args()
    watch = Watch()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # nothing that was started stays
    try:
        if os.geteuid() != 0:
            raise Wrong("it has to be run as root")
        with TemporaryDirectory(prefix="ziggurat-empty-", dir=chosen.base.resolve().parent) as name:
            base, copy = chosen.base.resolve(), chosen.restore.resolve() if chosen.restore else None
            if chosen.way in COMPOSE:
                in_containers(watch, base, Path(name), chosen.way, copy)
            else:
                on_debian(watch, base, Path(name), copy)
    except Wrong as wrong:
        print(f"scripts/first_move.py: failed: {wrong}", file=sys.stderr)
        return 1
    finally:
        print(watch.table())
    print(f"{chosen.way}; {os.cpu_count()} processors, load {', '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
