"""The files by which a server is hosted, a container's and a unit's, fit the program, the documentation and each other.

`scripts/container.py` does all that the Containerfile says; here it is read, and what it runs is run from where we are.
"""

from __future__ import annotations

import copy
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests import runs
from tests.docs.pages import DOCS, ROOT, script
from tests.docs.test_shown_commands import options

from ziggurat.server import settings
from ziggurat.server.app import HANDLERS
from ziggurat.server.settings import Settings

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
        for inside in ("172.18.0.3", "10.89.0.2", "192.168.16.4"):
            assert settings.is_one_of(inside, found.proxies)
        assert not settings.is_one_of("203.0.113.5", found.proxies)

    def test_it_is_started_as_the_page_says(self, name: str) -> None:
        comment = (ROOT / name).read_text(encoding="utf-8").partition("\nname:")[0]
        [command] = re.findall(r"ZIGGURAT_NAME=.*", comment)
        shown = command.replace(f" --file {name}", "")
        assert shown in HOSTING
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

    def test_a_container_takes_two(self) -> None:
        packages, starts, *_ = FIRST_MOVE.commands(HOSTING, "In a container")
        assert packages.startswith("apt-get update && apt-get install")
        assert starts == "ZIGGURAT_NAME=games.example docker compose up --build --detach --wait"

    def test_those_of_debian_need_nobody_who_edits_a_file(self) -> None:
        lines = FIRST_MOVE.commands(HOSTING, "On Debian")
        [settings] = [line for line in lines if "<<END" in line]
        assert settings.startswith("cat > /etc/ziggurat.env <<END\n")
        assert settings.endswith("\nEND")
        assert all(subprocess.run(["sh", "-n", "-c", line], check=False).returncode == 0 for line in lines)
        assert "enable --now ziggurat" in lines[-1]

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


class TestUnit:
    @pytest.fixture
    def unit(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, dict[str, list[str]]] = {}
        section = ""
        for line in UNIT.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif line and not line.startswith("#"):
                name, _, said = line.partition("=")
                found.setdefault(section, {}).setdefault(name, []).append(said)
        return found

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
