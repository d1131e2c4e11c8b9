"""The files by which a server is hosted, a container's and a unit's, fit the program, the documentation and each other.

`scripts/container.py` does all that the Containerfile says; here it is read, and what it runs is run from where we are.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from tests import runs
from tests.docs.pages import DOCS, ROOT, script
from tests.docs.test_shown_commands import options
from tests.server.migrated import lay
from tests.server.process import begun

from ziggurat.server import settings
from ziggurat.server.app import HANDLERS
from ziggurat.server.settings import Settings
from ziggurat.server.verdict import read_verdict

CONTAINER, FIRST_MOVE = script("container"), script("first_move")
HOSTING = (DOCS / "hosting.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (ROOT / "Containerfile").read_text(encoding="utf-8")
UNIT = ROOT / "ziggurat.service"
COMPOSE = {
    name: yaml.safe_load((ROOT / name).read_text(encoding="utf-8")) for name in ("compose.yaml", "compose.sqlite.yaml")
}
FILES = ("Containerfile", "ziggurat.service", *COMPOSE)


def check_options(words: list[str]) -> None:
    """The command is there, and has these options."""
    [command, *rest] = words
    assert command == "serve"
    assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= options("serve")


def value(words: list[str], option: str) -> str:
    """What a command is told by an option."""
    told = [one.partition("=")[2] for one in words if one.startswith(f"{option}=")]
    return told[0] if told else words[words.index(option) + 1]


@pytest.mark.parametrize("name", FILES)
def test_every_setting_is_documented(name: str) -> None:
    named = set(re.findall(r"ZIGGURAT_[A-Z_]+", (ROOT / name).read_text(encoding="utf-8")))
    # The name under which people come, of which the Compose files make settings.
    settings_of = {one for one in named if f"| `{one}`" not in HOSTING} - {"ZIGGURAT_NAME"}
    assert settings_of == set()
    assert named
    assert name in HOSTING


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_a_registry(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    addresses = re.findall(r"https?://([\w.-]+)", text)
    assert {one for one in addresses if one not in ("127.0.0.1", "games.example")} == set()
    images = re.findall(r"^FROM (\S+)|image: (\S+)", text, re.MULTILINE)
    assert [one for pair in images for one in pair if "/" in one] == []


@pytest.mark.parametrize("architecture", ["amd64", "arm64"])
class TestImage:
    @pytest.fixture
    def stages(self, architecture: str) -> Any:
        return CONTAINER.read(TEXT, architecture)

    def test_it_is_made_of_stages_for_one_architecture(self, stages: Any, architecture: str) -> None:
        names = [stage.name for stage in CONTAINER.needed(stages)]
        assert names == ["build", f"compiled-{architecture}", "compile", "image"]

    def test_what_its_parts_say_fits(self, stages: Any) -> None:
        image = stages[-1]
        command = CONTAINER.words(image.last("CMD"))
        check_options(command)
        assert CONTAINER.words(image.last("ENTRYPOINT")) == [*PROJECT["scripts"]]
        assert value(command, "--data") == image.last("VOLUME") == image.last("WORKDIR")
        assert value(command, "--port") == image.last("EXPOSE")
        [health] = re.findall(r"http://127\.0\.0\.1:(\d+)(/\w+)", " ".join(CONTAINER.health(image)))
        assert health == (image.last("EXPOSE"), "/healthz")
        assert "`/healthz` answers 200 as long as the process lives" in HOSTING
        assert image.last("USER") not in ("", "0", "root")
        assert f"user {image.last('USER')}" in HOSTING.replace("\n", " ")

    def test_rules_are_looked_for_where_and_as_they_were_compiled(self, stages: Any, architecture: str) -> None:
        of = {stage.name: CONTAINER.environment(stages, stage) for stage in stages}
        what = ("ZIGGURAT_CACHE", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
        assert [of["image"][name] for name in what] == [of["compile"][name] for name in what]
        assert of["image"]["NUMBA_CPU_FEATURES"] == ""
        assert of["image"]["NUMBA_CPU_NAME"] == {"amd64": "x86-64-v2", "arm64": "generic"}[architecture]
        [(_, copied)] = [step for step in stages[-1].steps if step[0] == "COPY"]
        assert of["image"]["ZIGGURAT_CACHE"].startswith(copied.split()[-1])

    def test_it_is_of_a_python_that_is_tried(self, stages: Any) -> None:
        [version] = {re.match(r"python:([\d.]+)-slim", stage.base)[1] for stage in stages if ":" in stage.base}  # type: ignore[index]
        assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]

    def test_it_has_the_extras_of_a_server(self, stages: Any) -> None:
        [extras] = re.findall(r'"\.\[([\w,]+)]"', TEXT)
        assert {*extras.split(",")} == {"oidc", "postgres"} <= {*PROJECT["optional-dependencies"]}


@pytest.mark.slow
@runs.whole
def test_what_the_image_runs_is_healthy_until_it_ends(tmp_path: Path) -> None:
    """With its settings, options and health check; the port and the folder are ours."""
    stages = CONTAINER.read(TEXT, "amd64")
    image = stages[-1]
    command = CONTAINER.words(image.last("CMD"))
    command[command.index("--port") + 1] = "0"
    command[command.index("--data") + 1] = str(tmp_path)
    command[command.index("--host") + 1] = "127.0.0.1"
    around = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ZIGGURAT_PREPARE": "0"}
    around["PYTHONPATH"] = str(Path(settings.__file__).parents[2])
    starts = "import sys; from ziggurat.cli import main; sys.exit(main())"
    process = subprocess.Popen([sys.executable, "-c", starts, *command], env=around, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port
        _, *asks = CONTAINER.health(image)
        asks = [word.replace(f":{image.last('EXPOSE')}", f":{port[1]}") for word in asks]

        def healthy() -> bool:
            return subprocess.run([sys.executable, *asks], capture_output=True, check=False).returncode == 0

        assert healthy()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert not healthy()


@pytest.mark.parametrize("name", COMPOSE)
class TestCompose:
    def test_only_caddy_is_reached_from_outside(self, name: str) -> None:
        services = COMPOSE[name]["services"]
        assert [one for one, service in services.items() if "ports" in service] == ["caddy"]
        command = services["ziggurat"].get("command") or CONTAINER.words(CONTAINER.read(TEXT, "amd64")[-1].last("CMD"))
        check_options(command)
        assert value(services["caddy"]["command"], "--to") == f"ziggurat:{value(command, '--port')}"
        assert value(command, "--host") == "0.0.0.0"
        assert services["ziggurat"]["networks"] == services["caddy"]["networks"]

    def test_the_server_may_do_little(self, name: str) -> None:
        service = COMPOSE[name]["services"]["ziggurat"]
        assert (service["read_only"], service["tmpfs"], service["cap_drop"]) == (True, ["/tmp"], ["ALL"])
        assert "no-new-privileges:true" in service["security_opt"]
        image = CONTAINER.read(TEXT, "amd64")[-1]
        assert f"data:{image.last('VOLUME')}" in service["volumes"]

    def test_every_volume_is_declared_and_used(self, name: str) -> None:
        services = COMPOSE[name]["services"].values()
        used = {volume.partition(":")[0] for service in services for volume in service.get("volumes", ())}
        assert used == {*COMPOSE[name]["volumes"]}

    def test_the_server_takes_its_settings(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        given = COMPOSE[name]["services"]["ziggurat"]["environment"]
        for setting, said in given.items():
            monkeypatch.setenv(setting, re.sub(r"\$\{ZIGGURAT_NAME(:\?[^}]*)?}", "games.example", said))
        found = Settings(database_url="postgresql://x")
        assert (found.hosts, found.address) == (("games.example",), "https://games.example")
        assert {*given} == {"ZIGGURAT_ADDRESS", "ZIGGURAT_PROXIES"}, "what a file of settings says would be passed over"
        for inside in ("172.18.0.3", "10.89.0.2", "192.168.16.4"):
            assert settings.is_one_of(inside, found.proxies)
        assert not settings.is_one_of("203.0.113.5", found.proxies)

    def test_it_is_started_as_the_page_says(self, name: str) -> None:
        comment = (ROOT / name).read_text(encoding="utf-8").partition("\nname:")[0]
        [command] = re.findall(r"echo ZIGGURAT_NAME=.*", comment)
        assert command.replace(f" --file {name}", "").split(" && ") == FIRST_MOVE.way(HOSTING, "In a container")[1:3]
        assert name == "compose.yaml" or f"--file {name}" in HOSTING


def test_the_two_differ_by_the_database_alone() -> None:
    large, small = (copy.deepcopy(COMPOSE[name]) for name in COMPOSE)
    del large["services"]["database"], large["volumes"]["database"], large["volumes"]["socket"]
    server = large["services"]["ziggurat"]
    del server["depends_on"]
    assert value(server.pop("command"), "--database").endswith("?host=/run/postgresql")
    server["volumes"].remove("socket:/run/postgresql")
    assert large == small


def test_what_answers_is_there() -> None:
    assert len(HANDLERS) > 20


class TestCommands:
    """`scripts/first_move.py` and `benchmarks/recovery.py` give the commands that the page shows."""

    def test_those_of_debian_need_nobody_who_edits_a_file(self) -> None:
        lines = FIRST_MOVE.commands(HOSTING, "On Debian")
        [settings] = [line for line in lines if "<<END" in line]
        assert settings.startswith("cat > /etc/ziggurat.env <<END\n")
        assert settings.endswith("\nEND")
        assert all(subprocess.run(["sh", "-n", "-c", line], check=False).returncode == 0 for line in lines)

    @pytest.mark.parametrize("name", COMPOSE)
    def test_a_copy_is_restored_into_what_the_service_uses(self, name: str, tmp_path: Path) -> None:
        _, place, command = FIRST_MOVE.restores(name, tmp_path)
        assert place == f"/copies/{FIRST_MOVE.COPY}"
        assert command[:3] == ["ziggurat", "restore", place]
        service = COMPOSE[name]["services"]["ziggurat"]
        serves = service.get("command") or CONTAINER.words(CONTAINER.read(TEXT, "amd64")[-1].last("CMD"))
        option = "--database" if "database" in COMPOSE[name]["services"] else "--data"
        assert value(command, option) == value(serves, option)

    def test_the_image_has_what_copies_of_postgresql_need(self) -> None:
        [run] = [said for name, said in CONTAINER.read(TEXT, "amd64")[-1].steps if name == "RUN" and "apt-get" in said]
        assert "postgresql-client" in run

    def test_what_is_archived_is_read_again(self, tmp_path: Path) -> None:
        """The archive takes each file once, takes the same one again, refuses another one, and gives it back."""
        [line] = [one for one in FIRST_MOVE.commands(HOSTING, "Each minute") if one.startswith("archive_command")]
        [back] = [one for one in FIRST_MOVE.commands(HOSTING, "A machine that is gone") if "restore_command" in one]
        archives, restores = line.split("'")[1], back.split("'")[1]
        source, target = tmp_path / "0001", tmp_path / "back"

        def run(command: str, place: Path) -> bool:
            command = command.replace("/var/backups/ziggurat-wal", str(tmp_path))
            command = command.replace("%f", source.name).replace("%p", str(place))
            return subprocess.run(["sh", "-c", command], capture_output=True, check=False).returncode == 0

        assert not run(restores, target)
        source.write_bytes(b"written ahead")
        assert run(archives, source)
        assert run(archives, source)
        assert run(restores, target)
        assert target.read_bytes() == b"written ahead"
        source.write_bytes(b"another one")
        assert not run(archives, source)
        assert {one.name for one in tmp_path.iterdir()} == {"0001", "0001.gz", "back"}


def read_unit() -> dict[str, dict[str, list[str]]]:
    """What the unit says, by its sections."""
    found: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, said = line.partition("=")
            found.setdefault(section, {}).setdefault(name, []).append(said)
    return found


def recipe(name: str) -> tuple[list[str], dict[str, str], set[str]]:
    """What a recipe starts, with which settings, and the folders that are not read-only there."""
    if name in COMPOSE:
        service = COMPOSE[name]["services"]["ziggurat"]
        image = CONTAINER.read(TEXT, "amd64")
        writable = {*service["tmpfs"], *(one.partition(":")[2] for one in service["volumes"])}
        around = {key: re.sub(r"\$\{.*?}", "games.example", said) for key, said in service["environment"].items()}
        return service.get("command") or CONTAINER.words(image[-1].last("CMD")), around, writable
    said = read_unit()["Service"]
    for what in ("ProtectSystem=strict", "PrivateTmp=yes"):
        assert what in UNIT.read_text(encoding="utf-8")
    _, *words = shlex.split(said["ExecStart"][0].replace("%S", "/var/lib"))
    [cache] = [value.replace("%C", "/var/cache") for value in said["Environment"]]
    folders = [f"/var/lib/{said['StateDirectory'][0]}", f"/var/cache/{said['CacheDirectory'][0]}", "/tmp"]
    folders += [one.removeprefix("-") for one in said["ReadWritePaths"]]
    return [word for word in words if word != "$OPTIONS"], dict([cache.split("=", 1)]), {*folders}


# What the server writes is writable, in each recipe, by each setting that names a folder, and by those shown.


@pytest.mark.parametrize("name", ["ziggurat.service", *COMPOSE])
def test_every_folder_that_a_setting_names_can_be_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, around, writable = recipe(name)
    monkeypatch.delenv("ZIGGURAT_COPIES")
    for key, said in around.items():
        monkeypatch.setenv(key, said)
    found = Settings(data=Path(value(words, "--data")))
    folders = {one.name: getattr(found, one.name) for one in fields(found) if "Path" in str(one.type)}
    assert {*folders} == {"data", "copies", "static"}, "say here whether a new one is written"
    del folders["static"]
    if "ZIGGURAT_CACHE" in around:  # the rules of an image are compiled with it
        folders["cache"] = Path(around["ZIGGURAT_CACHE"])
    for what, folder in folders.items():
        assert any(folder.is_relative_to(one) for one in writable), f"{what}: {folder}"


def test_a_folder_for_copies_that_the_page_shows() -> None:
    [shown] = re.findall(r"^\(`install --directory --owner ziggurat --mode 700 (\S+)`\)", HOSTING, re.MULTILINE)
    assert shown in recipe("ziggurat.service")[2]
    shown = re.findall(r"`docker compose cp ziggurat:(\S+) \S+`", HOSTING)
    assert shown == ["/data/copies"]
    nights = HOSTING.partition("### Each night")[2]
    assert "`/var/lib/ziggurat/copies` with the unit, `/data/copies` in a container" in nights


@runs.whole
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounts are for root")
def test_a_copy_is_made_where_all_else_is_read_only(tmp_path: Path) -> None:
    """In the same mounts as those of the unit: the night's work for the folder of the data, and for one outside."""
    state, outside = tmp_path / "state", tmp_path / "outside"
    state.mkdir()
    outside.mkdir()
    lay(state)
    place = shlex.quote(str(state))
    root = next(one for one in tmp_path.parents if one.is_mount())  # of what the tests write
    mounts = f"mount --make-rprivate / && mount --bind {place} {place} && mount -o remount,ro,bind {root} && exec"
    script = f"{mounts} {shlex.quote(sys.executable)} -m ziggurat.server.features.copies.night"
    for copies, good in ((state / "copies", True), (outside / "copies", False)):
        orders = {"data": str(state), "database_url": None, "copies": str(copies), "kept": 7}
        ran = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script],
            input=json.dumps(orders),
            capture_output=True,
            text=True,
            check=False,
        )
        if "unshare failed" in ran.stderr:
            pytest.skip("no mounts of one's own here")
        assert (ran.returncode == 0) is good, ran.stderr
        verdict = read_verdict(copies)
        assert verdict is not None
        assert verdict.good is good, verdict.says
    assert list(outside.iterdir()) == []


# The lines of the page, as a host types them. What installs, and what starts, is a stand-in; what is written goes
# below a folder; then the program starts by what the lines have left, and a host comes in by the link it shows.


def typed(heading: str, root: Path) -> list[str]:
    """Type the lines of a section; return what the stand-ins were asked for."""
    asked, tools = root / "asked", root / "tools"
    tools.mkdir()
    for name in ("apt-get", "python3", "pip", "useradd", "su", "systemctl", "journalctl", "docker"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho "{name} $*" >> {shlex.quote(str(asked))}\necho "The host\'s page is here"\n')
        tool.chmod(0o755)
    for place in ("etc/caddy", "etc/systemd/system", "opt/ziggurat/bin"):
        (root / place).mkdir(parents=True)
    shutil.copy(tools / "pip", root / "opt/ziggurat/bin/pip")
    for name in (*FILES, "constraints.txt"):
        shutil.copy(ROOT / name, root)
    for line in FIRST_MOVE.way(HOSTING, heading):
        here = re.sub(r"(?<![\w.])/(?=(etc|opt)/)", f"{root}/", line)
        ran = subprocess.run(
            ["sh", "-e", "-c", here],
            cwd=root,
            env={"PATH": f"{tools}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, (line, ran.stderr)
    return asked.read_text().splitlines()


def came_in(around: dict[str, str], data: Path, scheme: str) -> None:
    """Start it; the link that it shows makes its first host, as a browser asks by way of the proxy."""
    assert not {name for name in around if not name.startswith("ZIGGURAT_")}
    with begun("--data", str(data), "--port", "0", ZIGGURAT_PREPARE="0", **around) as server:
        server.until("host's page")
        port = re.findall(r"http://[\w.]+:(\d+)/", server.printed())[0]
        [link] = re.findall(r"The host's page, for the first who opens it: (\S+)", server.printed())
        place, _, token = link.rpartition("/")
        assert place == "https://games.example/#/host"
        seen = {"host": "games.example", "origin": f"{scheme}://games.example", "x-forwarded-proto": "https"}
        answer = httpx.post(f"http://127.0.0.1:{port}/api/me/host", json={"token": token}, headers=seen)
        assert answer.status_code == 204, answer.text
        assert ("Secure" in answer.headers["set-cookie"]) is (scheme == "https")


@pytest.mark.slow
def test_ten_lines_lead_from_nothing_to_the_first_evening_on_debian(tmp_path: Path) -> None:
    asked = typed("On Debian", tmp_path)
    kept = [line.split("=", 1) for line in (tmp_path / "etc/ziggurat.env").read_text().splitlines()]
    around = {name: said for name, said in kept if name != "OPTIONS"}
    check_options(["serve", *shlex.split(dict(kept)["OPTIONS"])])
    assert (tmp_path / "etc/systemd/system/ziggurat.service").read_text() == UNIT.read_text()
    assert (tmp_path / "etc/caddy/Caddyfile").read_text() == "games.example\nreverse_proxy 127.0.0.1:8000\n"
    [pip] = [line for line in asked if line.startswith("pip ")]
    assert pip == "pip install --constraint constraints.txt .[postgres]"
    assert "systemctl enable --now ziggurat" in asked
    assert asked[-1] == "journalctl --unit ziggurat --output cat"
    came_in(around, tmp_path / "data", "https")


@pytest.mark.slow
def test_ten_lines_lead_from_nothing_to_the_first_evening_in_a_container(tmp_path: Path) -> None:
    asked = typed("In a container", tmp_path)
    assert asked[-2:] == ["docker compose up --build --detach --wait", "docker compose logs ziggurat"]
    assert (tmp_path / ".env").read_text() == "ZIGGURAT_NAME=games.example\n"
    # The proxy is none of its network, here: whom it names is not believed.
    came_in(recipe("compose.yaml")[1], tmp_path / "data", "http")


def test_it_is_ten_lines() -> None:
    for heading, last in (("On Debian", "journalctl"), ("In a container", "logs")):
        lines = [one for command in FIRST_MOVE.way(HOSTING, heading) for one in command.splitlines()]
        assert last in lines[-1]
        assert len(lines) <= 11, "ten, and the end of a file"


class TestUnit:
    @pytest.fixture
    def unit(self) -> dict[str, dict[str, list[str]]]:
        return read_unit()

    def test_it_starts_what_there_is(self, unit: dict[str, dict[str, list[str]]]) -> None:
        [starts] = unit["Service"]["ExecStart"]
        program, *words = shlex.split(starts)
        assert program == "/opt/ziggurat/bin/ziggurat"
        assert "`/opt/ziggurat`" in HOSTING
        check_options([word for word in words if word != "$OPTIONS"])
        assert value(words, "--data") == f"%S/{unit['Service']['StateDirectory'][0]}"
        assert unit["Service"]["Environment"] == [f"ZIGGURAT_CACHE=%C/{unit['Service']['CacheDirectory'][0]}"]
        assert "HUP" in unit["Service"]["ExecReload"][0]

    def test_it_comes_up_after_a_reboot_and_waits_for_a_database(self, unit: dict[str, dict[str, list[str]]]) -> None:
        assert unit["Install"]["WantedBy"] == ["multi-user.target"]
        assert {"network-online.target", "postgresql.service"} <= {*unit["Unit"]["After"][0].split()}
        assert unit["Service"]["Restart"] == ["always"]
        tries, apart = int(unit["Unit"]["StartLimitBurst"][0]), int(unit["Service"]["RestartSec"][0])
        assert tries * apart >= 300, "a database may take minutes after a reboot"
        assert apart * tries < 3600, "what fails for good ends once"

    def test_the_page_shows_options_that_there_are(self) -> None:
        [shown] = re.findall(r"^OPTIONS=(.*)$", HOSTING, re.MULTILINE)
        check_options(["serve", *shlex.split(shown)])

    @runs.whole
    def test_it_names_no_reason_that_is_none(self) -> None:
        """Memory that is written and then executed cannot be refused, for Numba needs it: this machine shows it."""
        code = (
            "import ctypes, sys\n"
            "if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0): sys.exit(77)\n"  # PR_SET_MDWE, as MemoryDenyWriteExecute does
            "import numba; numba.njit(lambda x: x + 1)(1)"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "MemoryDenyWriteExecute is left out" in UNIT.read_text(encoding="utf-8")
        if ran.returncode == 77 or not sys.platform.startswith("linux"):
            pytest.skip("no Linux that can refuse such memory (6.3)")
        assert "executable memory" in ran.stderr

    @pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
    def test_systemd_finds_nothing_wrong_and_little_exposed(self, tmp_path: Path) -> None:
        place = tmp_path / "ziggurat.service"
        text = UNIT.read_text(encoding="utf-8")
        place.write_text(text.replace("/opt/ziggurat/bin/ziggurat", "/bin/true"), encoding="utf-8")
        verified = subprocess.run(["systemd-analyze", "verify", place], capture_output=True, text=True, check=False)
        assert (verified.returncode, verified.stderr.strip()) == (0, "")
        command = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(place)]
        asked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert asked.returncode == 0, asked.stdout[-2000:]
        said = re.search(r"exposure level for ziggurat.service: ([\d.]+)", asked.stdout)
        assert said
        assert float(said[1]) < 2
        assert "`systemd-analyze security ziggurat`: below 2 of 10" in HOSTING
