"""What Prometheus is told: of all processes together, and enough for the rules and the dashboard that we ship."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.fixtures import BACKENDS

from ziggurat import __version__
from ziggurat.server.counters import Counters, counters, together
from ziggurat.server.domain.people import Person
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.models import ways
from ziggurat.server.logs import identified
from ziggurat.server.metrics import SHARED_GAUGES, WORKER_GAUGES, _MetricsPage
from ziggurat.server.services.monitor import Monitor
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.verdict import MINUTES_FOLDER

DATABASES = BACKENDS
DEPLOY = Path(__file__).parents[2] / "deploy"
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
USED = re.compile(r"\bziggurat_\w+(?:\{[^}]*\})?")


def everything() -> Counters:
    """Counters in which something of each kind has happened."""
    made = Counters(moves={"person": 1}, refusals={"503 storage": 2}, requests={"200": 3}, restarts=1)
    made.gauges = dict.fromkeys(WORKER_GAUGES, 1.0)
    made.shared = dict.fromkeys(SHARED_GAUGES, 1.0)
    return made


def told(now: Counters) -> dict[str, set[str]]:
    """The names of what is told, each with the names of its labels."""
    registry = CollectorRegistry()
    with TemporaryDirectory() as copies:
        Path(copies, MINUTES_FOLDER, "ziggurat-20261127T030000Z").mkdir(parents=True)
        registry.register(_MetricsPage(lambda: now, Path(copies)))
        text = generate_latest(registry).decode()
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def expressions() -> dict[str, list[str]]:
    """What the rules and the dashboard ask Prometheus, by their file."""
    panels: list[dict[str, Any]] = json.loads((DEPLOY / "grafana.json").read_text())["panels"]
    rules = re.findall(r"^\s+expr: (.+)$", (DEPLOY / "alerts.yml").read_text(), re.MULTILINE)
    return {
        "grafana.json": [target["expr"] for panel in panels for target in panel["targets"]],
        "alerts.yml": rules,
    }


@pytest.mark.parametrize("file", ["grafana.json", "alerts.yml"])
def test_what_the_rules_and_the_dashboard_ask_is_told(file: str) -> None:
    there = told(everything())
    asked = expressions()[file]
    assert len(asked) >= 10
    for expression in asked:
        for used in USED.findall(expression):
            name, _, labels = used.partition("{")
            assert name in there, expression
            assert set(re.findall(r"(\w+)=", labels)) <= there[name], expression
        for label in re.findall(r"by \(([^)]*)\)", expression):
            names = {name for used in USED.findall(expression) for name in there[used.partition("{")[0]]}
            assert {one.strip() for one in label.split(",")} <= names, expression


def test_the_docs_say_what_is_told() -> None:
    families = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in told(everything())}
    text = HOSTING.read_text(encoding="utf-8")
    assert [name for name in sorted(families) if f"`{name}" not in text] == []


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool of Prometheus")
def test_promtool_understands_the_rules() -> None:
    subprocess.run(["promtool", "check", "rules", DEPLOY / "alerts.yml"], check=True)


def test_the_version_is_told_as_a_label() -> None:
    registry = CollectorRegistry()
    registry.register(_MetricsPage(everything))
    assert registry.get_sample_value("ziggurat_build_info", {"version": __version__}) == 1


def test_processes_are_counted_together() -> None:
    """What they have done is a sum, and so is what each has; what all see is not."""
    one, two, past = everything(), everything(), everything()
    two.shared = {"database": 5.0}
    two.late.counts[0] = 4
    whole = together(past, [one, two])
    assert (whole.requests, whole.restarts) == ({"200": 9}, 3)
    assert whole.gauges["sockets"] == 2
    assert (whole.shared["database"], whole.shared["disk"]) == (5, 1)
    assert whole.late.counts[0] == 4


async def test_answers_are_counted_by_status() -> None:
    before = counters.requests.get("418", 0)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        for message in ("http.response.start", "http.response.body"):
            await send({"type": message, "status": 418})

    sent = []

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await identified(app)({"type": "http", "path": "/"}, None, send)
    assert sent == ["http.response.start", "http.response.body"]
    assert counters.requests["418"] == before + 1


async def test_the_database_and_what_waits_there_is_seen(database: Database, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, prepare=False)
    monitor = Monitor(settings, database)
    await monitor.look()
    assert counters.shared["database"] > 50_000
    assert counters.shared["disk"] > 0
    assert (counters.shared["outbox"], counters.shared["outbox_age"]) == (0, 0)

    def news(connection: sa.Connection) -> None:
        people.insert(connection, Person("ann", "Ann", "en"), "token")
        for number, again in enumerate((0.0, time.time() + 3600)):
            id, url = f"way{number}", f"https://example.org/{number}"
            where: Any = url, "example.org", "", "", None, [], "", True, 0.0, 0.0, 0
            channel = notifications.Channel(id, "ann", None, "webhook", *where)
            assert notifications.add_channel(connection, channel, 9)
            notifications.add_alone(connection, channel.id, "trial", time.time() - 100 * (number + 1))
            connection.execute(sa.update(ways).where(ways.c.id == channel.id).values(again=again))

    await database.write(news)
    await monitor.look()
    assert counters.shared["outbox"] == 1, "what a channel must wait for is not late"
    assert 100 <= counters.shared["outbox_age"] < 200
    await Monitor(replace(settings, data=tmp_path / "nowhere"), database).look()


async def test_how_late_the_event_loop_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.server.services.monitor.TICK_SECONDS", 0.01)
    monitor = Monitor(Settings(data=tmp_path), open_database(Settings(data=tmp_path)))
    before = sum(counters.late.counts)
    await monitor._tick()
    assert sum(counters.late.counts) == before + 1
