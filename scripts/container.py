#!/usr/bin/env python3
"""Makes and runs the image of `Containerfile` without an engine, step by step as it is written there.

    python scripts/container.py --base FOLDER             make the image, and try it
    python scripts/container.py --base FOLDER --keep OUT  keep each stage in OUT; what is there is not made again
    python scripts/container.py --base FOLDER --compose ROOT    run the Compose files too, for the name localhost; ROOT
                                                          is a copy of FOLDER with the packages caddy and postgresql

For a Linux machine on which one is root. FOLDER is a clean Debian with Python, in the place of the image that `FROM`
names (`debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates trixie FOLDER`). Each stage is a
copy of it; `RUN` runs in it by chroot, with nothing of this machine but what leads to the network (`GIVEN`). The trial
runs `ENTRYPOINT` and `CMD` as `USER`, in a network of its own, with a file system that is read-only except for `VOLUME`
and /tmp, waits for `HEALTHCHECK` to be content, plays a first move, ends it, and looks that nothing is left of Node.js.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import platform
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
GIVEN = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs", "/etc/pip.conf", "/etc/xdg/pip")
HOME = "/root"
"""Of those who run `RUN`; the settings of npm in our own home folder are given there, too."""
GIVEN_NAMES = re.compile(r"(?i)(PIP_|NPM_CONFIG_|SSL_CERT_|REQUESTS_CA_|NODE_EXTRA_CA_).*|(https?|no|all)_proxy")
PATH = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"
STARTED = 120.0
"""Seconds in which a server has started on a slow machine."""
MOVE = """
import http.cookiejar, json, urllib.request as r
from websockets.sync.client import connect
jar = http.cookiejar.CookieJar()
way = r.build_opener(r.HTTPCookieProcessor(jar))
def ask(path, body=None, method=None):
    sent = json.dumps(body).encode() if body is not None else None
    return json.load(way.open(r.Request(BASE + path, sent, {"content-type": "application/json"}, method=method)))
assert b"<title>" in way.open(BASE + "/").read()
ask("/api/me", {"name": "Ann"}, "PUT")
[game, *_] = ask("/api/games")
seats = [{"kind": "me"}] + [{"kind": "bot", "bot": "random"}] * (max(2, game["min_players"]) - 1)
table = ask("/api/tables", {"game": game["id"], "pace": "instant", "seats": seats})
cookies = {"cookie": "; ".join(f"{one.name}={one.value}" for one in jar)}
place = f"{BASE.replace('http', 'ws', 1)}/api/tables/{table['id']}/live"
with connect(place, additional_headers=cookies, max_size=None) as socket:
    def heard(right):
        while True:
            message = json.loads(socket.recv(60))
            if right(message):
                return message
    def say(**message):
        socket.send(json.dumps({"id": "m", **message}))
        return heard(lambda one: one.get("id") == "m")
    socket.send(json.dumps({"type": "hello", "since": None}))
    asked = heard(lambda one: one["type"] in ("update", "news") and (one["decision"] or {}).get("legal"))
    steps = [asked["decision"]["legal"][0]["action"]]
    while (answer := say(type="move", seq=asked["seq"], steps=steps))["type"] != "ack":
        assert answer["code"] == "unfinished_move", answer
        preview = say(type="preview", seq=asked["seq"], steps=steps)["preview"]
        steps.append((preview["confirm"] or preview["add"])[0]["action"])
print("a first move was made in", game["id"])
"""


class Wrong(Exception):
    """Something is not as it should be."""


@dataclass
class Stage:
    """What one `FROM` begins."""

    base: str
    name: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    """Instructions and what they say, in their order."""

    def last(self, instruction: str) -> str:
        """What an instruction says that counts once; nothing where it is missing."""
        return next((said for name, said in reversed(self.steps) if name == instruction), "")


def read(text: str, architecture: str) -> list[Stage]:
    """The stages of a Containerfile."""
    stages: list[Stage] = []
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        instruction, _, said = line.strip().partition(" ")
        said = said.strip().replace("${TARGETARCH}", architecture)
        if instruction == "FROM":
            base, _, name = said.partition(" AS ")
            stages.append(Stage(base, name or "image"))
        elif stages:
            stages[-1].steps.append((instruction, said))
        elif instruction != "ARG":
            raise Wrong(f"{instruction} stands before FROM")
    return stages


def needed(stages: list[Stage]) -> list[Stage]:
    """The stages of which the last one is made, in their order."""
    named = {stage.name: stage for stage in stages}
    wanted = [stages[-1]]
    for stage in wanted:
        froms = [re.search(r"--from=(\S+)", said) for name, said in stage.steps if name == "COPY"]
        for name in (stage.base, *(found[1] for found in froms if found)):
            if name in named and named[name] not in wanted:
                wanted.append(named[name])
    return [stage for stage in stages if stage in wanted]


def words(said: str) -> list[str]:
    """A command as JSON, or for a shell."""
    return list(json.loads(said)) if said.startswith("[") else ["/bin/sh", "-c", said]


def health(stage: Stage) -> list[str]:
    """The command that asks whether it is well."""
    return words(stage.last("HEALTHCHECK").partition("CMD ")[2])


def environment(stages: list[Stage], stage: Stage) -> dict[str, str]:
    """What `ENV` says in a stage and in those on which it stands."""
    below = next((environment(stages, other) for other in stages if other.name == stage.base), {"PATH": PATH})
    for name, said in stage.steps:
        if name == "ENV":
            below.update(assigned(said))
    return below


def assigned(said: str) -> dict[str, str]:
    """What `ENV` says."""
    return {name: value for name, _, value in (part.partition("=") for part in shlex.split(said))}


def left_out(root: Path) -> set[Path]:
    """What `.dockerignore` keeps out of the image."""
    patterns = [line for line in (root / ".dockerignore").read_text().split("\n") if line and line[0] != "#"]
    found: set[Path] = set()
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            place = Path(folder, name)
            said = place.relative_to(root).as_posix()
            if any(
                fnmatch.fnmatch(said, one) or fnmatch.fnmatch(f"/{said}", one.replace("**", "*")) for one in patterns
            ):
                found.add(place)
                if name in folders:
                    folders.remove(name)
    return found


def processor() -> float:
    """The processor time of the programs that were run, as far as they have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Builder:
    """Makes the stages in a folder."""

    def __init__(self, stages: list[Stage], base: Path, folder: Path) -> None:
        self.stages = stages
        self.base = base
        self.folder = folder
        self.seconds: dict[str, tuple[float, float]] = {}
        """How long each stage took that was made, and how long of that was computing."""
        self._at, self._around = "/", dict[str, str]()
        """Where a step is done, and in which environment: by those before it."""

    def root(self, stage: Stage) -> Path:
        """Where the file system of a stage is."""
        return self.folder / stage.name

    def build(self) -> Stage:
        """Make all of them; return the last."""
        for stage in needed(self.stages):
            began, computed = time.monotonic(), processor()
            made = self.folder / f"{stage.name}.made"
            if made.exists():
                continue
            shutil.rmtree(self.root(stage), ignore_errors=True)
            below = next((self.root(other) for other in self.stages if other.name == stage.base), self.base)
            subprocess.run(["cp", "--archive", "--reflink=auto", below, self.root(stage)], check=True)
            if below == self.base and not (self.root(stage) / "usr/local/bin/python").exists():
                (self.root(stage) / "usr/local/bin/python").symlink_to("/usr/bin/python3")  # as Python's image has it
            self._at = "/"
            self._around = environment(self.stages, Stage(stage.base, ""))
            for name, said in stage.steps:
                getattr(self, f"_{name.lower()}", self._nothing)(stage, said)
            made.touch()
            self.seconds[stage.name] = time.monotonic() - began, processor() - computed
            print(f"{stage.name}: made in {self.seconds[stage.name][0]:.0f} s", flush=True)
        return self.stages[-1]

    def _nothing(self, stage: Stage, said: str) -> None:
        pass

    def _env(self, stage: Stage, said: str) -> None:
        self._around.update(assigned(said))

    def _workdir(self, stage: Stage, said: str) -> None:
        self._at = said
        (self.root(stage) / said.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _copy(self, stage: Stage, said: str) -> None:
        *options, source, target = said.split()
        there = self.root(stage) / (target if target.startswith("/") else f"{self._at}/{target}").lstrip("/")
        if options:
            other = self.folder / options[0].removeprefix("--from=")
            shutil.copytree(other / source.lstrip("/"), there, symlinks=True, dirs_exist_ok=True)
            return
        out = left_out(ROOT)
        shutil.copytree(
            ROOT, there, symlinks=True, dirs_exist_ok=True,
            ignore=lambda folder, names: [name for name in names if Path(folder, name) in out],
        )  # fmt: skip

    def _run(self, stage: Stage, said: str) -> None:
        given = {name: value for name, value in os.environ.items() if GIVEN_NAMES.fullmatch(name)}
        command = inside(self.root(stage), self._at, ["/bin/sh", "-c", said])
        around = {**given, **self._around, "HOME": HOME}
        if subprocess.run(command, env=around, check=False).returncode != 0:
            raise Wrong(f"{stage.name}: RUN {said[:200]}")


def within(root: Path, place: str) -> Path:
    """Where a place in a root is: its links lead to places in there."""
    path = root
    for part in Path(place).parts[1:]:
        path /= part
        if path.is_symlink():
            path = root / str(path.readlink()).lstrip("/") if path.readlink().is_absolute() else path.resolve()
    return path


def inside(
    root: Path,
    folder: str,
    command: list[str],
    *,
    user: str = "",
    rights: str = "-all",
    mounts: Sequence[tuple[Path, str]] = (),
    memory: Sequence[str] = ("/tmp",),
    network: int | None = None,
) -> list[str]:
    """The command that runs a command in a root.

    `user`: as nobody else and with these `rights`, in a file system that is read-only but for `memory` and what is
    mounted there, folders of ours at their places. `network`: of that process; None: that of this machine.
    """
    quoted = shlex.quote(str(root))
    script = [f"mount --bind {quoted} {quoted}"]
    if network is None:
        # They are mounted, so that nothing of them is in the image: npm's may hold a key to a registry.
        given = [*((Path(place), place) for place in GIVEN), (Path.home() / ".npmrc", f"{HOME}/.npmrc")]
        mounts = [*mounts, *(one for one in given if one[0].exists())]
    for source, place in mounts:
        there = shlex.quote(str(within(root, place)))
        made = f"mkdir -p {there}" if source.is_dir() else f"mkdir -p $(dirname {there}); touch {there}"
        bound = f"mount --bind {shlex.quote(str(source))} {there}"
        if place in GIVEN:  # what is of this machine is not for a package's script to change
            copied = f"mount -t tmpfs -o mode=755 tmpfs {there}; cp --archive {shlex.quote(str(source))}/. {there}"
            bound = copied if source.is_dir() else f"{bound}; mount -o remount,bind,ro {there}"
        script.append(f"{made}; {bound}")
    script += [f"mkdir -p {quoted}{place}; mount -t tmpfs tmpfs {quoted}{place}" for place in memory]
    script += [f"mount -t proc proc {quoted}/proc", f"mount --rbind /dev {quoted}/dev"]
    script += [f"mount -o remount,bind,ro {quoted}"] if user else []
    drop = (
        f"setpriv --reuid {user} --regid {user} --clear-groups --no-new-privs --bounding-set={rights}" if user else ""
    )
    changed = f"{shutil.which('chroot')} {quoted} /usr/bin/env --chdir={folder} {drop} {shlex.join(command)}"
    script.append(f"exec {changed}")
    joined = ["nsenter", f"--net=/proc/{network}/ns/net"] if network is not None else []
    unshared = ["unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child=SIGTERM"]
    return [*joined, *unshared, "/bin/sh", "-e", "-c", "\n".join(script)]


@contextmanager
def own_network() -> Iterator[int]:
    """A network of nobody else, that reaches nothing; the process that holds it."""
    holds = subprocess.Popen(["unshare", "--net", "/bin/sh", "-c", "ip link set lo up; exec sleep infinity"])
    try:
        while Path(f"/proc/{holds.pid}/comm").read_text() != "sleep\n":
            time.sleep(0.05)
        yield holds.pid
    finally:
        holds.kill()
        holds.wait()


class Running:
    """Something that runs in a root until it is left."""

    def __init__(self, command: list[str], around: dict[str, str]) -> None:
        self.around = around
        self.process = subprocess.Popen(command, env=around)
        self.id = child_of(self.process.pid)
        self.there = ["nsenter", "--target", str(self.id), "--mount", "--pid", "--net", "--root"]

    def __enter__(self) -> Running:
        return self

    def run(self, *program: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run something beside it."""
        around = {**self.around, **more}
        return subprocess.run(
            [*self.there, "--wd=/", *program], env=around, capture_output=True, text=True, check=False
        )

    def wait_for(self, *program: str) -> float:
        """Run something until it succeeds; return the seconds."""
        began = time.monotonic()
        while (asked := self.run(*program)).returncode != 0:
            if time.monotonic() - began > STARTED or self.process.poll() is not None:
                raise Wrong(f"{program[0]} did not succeed: {asked.stderr[-300:]}")
            time.sleep(0.2)
        return time.monotonic() - began

    def __exit__(self, *_: object) -> None:
        try:
            os.kill(self.id, signal.SIGTERM)  # `unshare` hears nothing while it waits
            self.process.wait(60)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def owned(folder: Path, root: Path, place: str) -> Path:
    """A folder that belongs to whom a place in a root does."""
    folder.mkdir(exist_ok=True)
    inner = root / place.lstrip("/")
    owner = inner.stat() if inner.exists() else folder.stat()
    os.chown(folder, owner.st_uid, owner.st_gid)
    return folder


def try_it(stages: list[Stage], root: Path, folder: Path) -> Iterator[str]:
    """Run an image as its last stage says."""
    image = stages[-1]
    user, volume = image.last("USER"), image.last("VOLUME")
    if user in ("", "0", "root"):
        raise Wrong("it would run as root")
    command = [*words(image.last("ENTRYPOINT")), *words(image.last("CMD"))]
    data = owned(folder / "data", root, volume)
    with own_network() as network:
        wrapped = inside(root, volume, command, network=network, user=user, mounts=[(data, volume)])
        with Running(wrapped, environment(stages, image)) as server:
            yield f"healthy after {server.wait_for(*health(image)):.1f} s"
            port = command[command.index("--port") + 1]
            ready = f"import urllib.request as r; r.urlopen('http://127.0.0.1:{port}/readyz', timeout=5)"
            yield f"ready {server.wait_for('python', '-c', ready):.1f} s later"
            played = server.run("python", "-c", f"BASE = 'http://127.0.0.1:{port}'\n{MOVE}")
            if played.returncode != 0:
                raise Wrong(played.stderr[-1000:])
            yield played.stdout.strip()
            rights = dict(re.findall(r"(\w+):\s+(\w+)", server.run("cat", "/proc/1/status").stdout))
            if rights["Uid"] != user or int(rights["CapEff"], 16):
                raise Wrong(f"it runs as {rights['Uid']} with the rights {rights['CapEff']}")
            yield f"it runs as {user} without any rights"
            if server.run("touch", f"{volume}/new").returncode or not server.run("touch", "/opt/new").returncode:
                raise Wrong(f"only {volume} should be writable")
            yield f"only {volume} and /tmp can be written"
            compiled = server.run("find", server.around["ZIGGURAT_CACHE"], "-newer", volume, "-name", "*.nbc").stdout
            if compiled or not list((root / server.around["ZIGGURAT_CACHE"].lstrip("/")).rglob("*.nbc")):
                raise Wrong("the rules are not compiled in it")
            ends = time.monotonic()
    yield f"ended after {time.monotonic() - ends:.1f} s"
    left = [path for name in ("node", "npm", "node_modules") for path in root.rglob(name) if "proc" not in path.parts]
    if left:
        raise Wrong(f"Node.js is left: {left[:5]}")
    size = subprocess.run(["du", "-sm", root / "opt"], capture_output=True, text=True, check=True).stdout.split()[0]
    yield f"no Node.js is left; what was added takes {size} MB"


def try_compose(
    text: str,
    stages: list[Stage],
    root: Path,
    packages: Path,
    folder: Path,
    before: tuple[Path, str, list[str]] | None = None,
) -> Iterator[str]:
    """Run the services of a Compose file for the name `localhost`: ours from the image, others' from Debian's packages
    in the root `packages`, in the place of their images.

    `before`: what the image runs before its service starts, and the folder that it is given for that, with its place.
    """
    import yaml

    compose = yaml.safe_load(re.sub(r"\$\{ZIGGURAT_NAME(:\?[^}]*)?}", "localhost", text))
    services, image = compose["services"], stages[-1]
    hosts = folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost {' '.join(services)}\n")

    def mounts(name: str, own: Path) -> list[tuple[Path, str]]:
        parts = [volume.split(":") for volume in services[name]["volumes"]]
        return [(hosts, "/etc/hosts"), *((owned(folder / one, own, place), place) for one, place, *_ in parts)]

    with own_network() as network, ExitStack() as running:
        if "database" in services:
            service = services["database"]
            who = service["environment"]["POSTGRES_USER"]
            [postgres] = [
                line.split(":")[2] for line in (packages / "etc/passwd").open() if line.startswith("postgres:")
            ]
            [bin] = packages.glob("usr/lib/postgresql/*/bin")
            given = {
                "PATH": f"/{bin.relative_to(packages)}:{PATH}",
                "PGDATA": "/var/lib/postgresql/data",
                "LC_ALL": "C",
            }
            places = mounts("database", packages)
            for source, _ in places[1:]:
                os.chown(source, int(postgres), int(postgres))
            # What the image does at its first start.
            first = [
                "sh",
                "-c",
                f"initdb --username={who} --auth={service['environment']['POSTGRES_HOST_AUTH_METHOD']}",
            ]
            common: dict[str, Any] = {"network": network, "user": postgres, "mounts": places}
            made = subprocess.run(inside(packages, "/", first, **common), env=given, capture_output=True, check=False)
            if made.returncode != 0:
                raise Wrong(made.stderr.decode()[-500:])
            server = Running(inside(packages, "/", service["command"], **common), given)
            database = running.enter_context(server)
            database.wait_for(*service["healthcheck"]["test"][1:])
            if (asked := database.run("createdb", f"--username={who}", who)).returncode != 0:
                raise Wrong(asked.stderr)
            yield "PostgreSQL is ready, and listens to no network"
        service, volume = services["ziggurat"], image.last("VOLUME")
        command = [*words(image.last("ENTRYPOINT")), *(service.get("command") or words(image.last("CMD")))]
        around = environment(stages, image) | service["environment"]
        places, user = mounts("ziggurat", root), image.last("USER")
        for source, place in places:
            if place == volume:
                os.chown(source, int(user), int(user))
        common = {"network": network, "user": user, "memory": service["tmpfs"]}
        if before:
            source, place, first = before
            lent = folder / "lent"
            shutil.copytree(source, lent)
            subprocess.run(["chown", "--recursive", f"{user}:{user}", lent], check=True)
            wrapped = inside(root, volume, first, **common, mounts=[*places, (lent, place)])
            ran = subprocess.run(wrapped, env=around, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise Wrong(f"{first}: {ran.stderr[-1000:]}")
            yield ran.stdout.strip()
        wrapped = inside(root, volume, command, **common, mounts=places)
        ziggurat = running.enter_context(Running(wrapped, around))
        yield f"ziggurat is healthy after {ziggurat.wait_for(*health(image)):.1f} s"
        service = services["caddy"]
        rights = ",".join(["-all", *(f"+{right.lower()}" for right in service["cap_add"])])
        places, memory = mounts("caddy", packages), service["tmpfs"]
        caddy: dict[str, Any] = {"network": network, "user": "0", "rights": rights, "mounts": places, "memory": memory}
        # As its image has them.
        around = {"PATH": PATH, "HOME": "/tmp", "XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/config"}
        running.enter_context(Running(inside(packages, "/", service["command"], **caddy), around))
        certificate = folder / "certificates/caddy/pki/authorities/local/root.crt"
        ends = time.monotonic() + STARTED
        while not certificate.exists():
            if time.monotonic() > ends:
                raise Wrong("Caddy has made no certificate")
            time.sleep(0.2)
        shutil.copy(certificate, folder / "data/root.crt")
        trusted = {"SSL_CERT_FILE": f"{volume}/root.crt"}
        began = time.monotonic()
        while (
            played := ziggurat.run("python", "-c", f"BASE = 'https://localhost'\n{MOVE}", **trusted)
        ).returncode != 0:
            if time.monotonic() - began > 30:
                raise Wrong(played.stderr[-1000:])
            time.sleep(0.5)
        yield f"over https, {played.stdout.strip()}"


def child_of(parent: int) -> int:
    """The process that `unshare` starts, once it is there."""
    ends = time.monotonic() + 20
    while time.monotonic() < ends:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        if children:
            return int(children[0])
        time.sleep(0.05)
    raise Wrong("it did not start")


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--keep", metavar="OUT", type=Path)
    parser.add_argument(
        "--compose", metavar="ROOT", type=Path, help="run both Compose files, with the programs in ROOT"
    )
    chosen = parser.parse_args()
    try:
        if os.geteuid() != 0:
            raise Wrong("it has to be run as root")
        stages = read((ROOT / "Containerfile").read_text(encoding="utf-8"), ARCHITECTURES[platform.machine()])
        with TemporaryDirectory() as name:
            began = time.monotonic()
            folder = chosen.keep.resolve() if chosen.keep else Path(name)
            folder.mkdir(parents=True, exist_ok=True)
            builder = Builder(stages, chosen.base.resolve(), folder)
            root = builder.root(builder.build())
            for line in try_it(stages, root, Path(name)):
                print(line, flush=True)
            for file in ("compose.yaml", "compose.sqlite.yaml") if chosen.compose else ():
                text = (ROOT / file).read_text(encoding="utf-8")
                volumes = Path(name, file)
                volumes.mkdir()
                volumes.chmod(0o755)
                Path(name).chmod(0o755)
                for line in try_compose(text, stages, root, chosen.compose.resolve(), volumes):
                    print(f"{file}: {line}", flush=True)
            print(f"all of it took {time.monotonic() - began:.0f} s")
    except Wrong as wrong:
        print(f"scripts/container.py: failed: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
