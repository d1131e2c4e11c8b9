"""The metrics of all processes of a server for Prometheus, on an address of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, cast

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from ziggurat import __version__
from ziggurat.server.counters import BUCKET_SECONDS, Counters, Times
from ziggurat.server.problems import StartError
from ziggurat.server.verdict import CopyVerdict, latest, read_verdict

WORKER_GAUGES = {
    "sockets": ("ziggurat_sockets", "Sockets at tables."),
    "tables": ("ziggurat_tables_in_memory", "Tables that are remembered."),
    "waiting": ("ziggurat_thoughts_waiting", "Questions of bots and advisers that wait for a process that thinks."),
    "memory": ("ziggurat_process_resident_bytes", "Memory of the processes that serve."),
    "workers": ("ziggurat_workers", "Processes that serve."),
    "thinking": ("ziggurat_thoughts_running", "Processes that think at the moment."),
    "connections": ("ziggurat_database_connections", "Connections to PostgreSQL that are in use."),
    "connecting": ("ziggurat_database_connections_waiting", "Reads and writes that wait for a connection."),
}
SHARED_GAUGES = {
    "database": ("ziggurat_database_bytes", "Size of the database."),
    "disk": ("ziggurat_disk_free_bytes", "What is left where the data folder is."),
    "outbox": ("ziggurat_outbox_waiting", "Notifications that are due and not sent."),
    "outbox_age": ("ziggurat_outbox_age_seconds", "How long ago the oldest of them was due."),
}


class _MetricsPage:
    """The collector of the metrics, run when Prometheus asks."""

    def __init__(self, counted: Callable[[], Counters], copies: Path | None = None) -> None:
        self.counted = counted
        self.copies = copies

    def collect(self) -> Iterator[Any]:
        """Yield every metric with its values."""
        now = self.counted()
        moves = CounterMetricFamily("ziggurat_moves", "Moves, by who made them.", labels=["by"])
        for by, count in sorted(now.moves.items()):
            moves.add_metric([by], count)
        yield moves
        refusals = CounterMetricFamily("ziggurat_refusals", "Answers that say: not now.", labels=["status", "kind"])
        for which, count in sorted(now.refusals.items()):
            refusals.add_metric(which.split(), count)
        yield refusals
        requests = CounterMetricFamily("ziggurat_http_requests", "Requests of HTTP, by status.", labels=["status"])
        for status, count in sorted(now.requests.items()):
            requests.add_metric([status], count)
        yield requests
        yield CounterMetricFamily("ziggurat_worker_restarts", "Workers that had ended by themselves.", now.restarts)
        yield _histogram("ziggurat_acknowledge_seconds", "From a message to its acknowledgement.", now.acknowledged)
        yield _histogram("ziggurat_database_write_seconds", "From the wish to write to durability.", now.written)
        yield _histogram("ziggurat_thinking_seconds", "Thoughts of bots and advisers.", now.thought)
        yield _histogram("ziggurat_event_loop_lag_seconds", "By how much what was due began late.", now.late)
        yield _histogram("ziggurat_database_connect_seconds", "Waiting for a connection.", now.connected)
        cpu = CounterMetricFamily("ziggurat_process_cpu_seconds", "Processor time of the processes that serve.")
        cpu.add_metric([], now.processor)
        yield cpu
        for name, (metric, says) in WORKER_GAUGES.items():
            yield GaugeMetricFamily(metric, says, value=now.gauges.get(name, 0.0))
        for name, (metric, says) in SHARED_GAUGES.items():
            if name in now.shared:
                yield GaugeMetricFamily(metric, says, value=now.shared[name])
        version = GaugeMetricFamily("ziggurat_build_info", "The version, as a label.", labels=["version"])
        version.add_metric([__version__], 1)
        yield version
        if self.copies is not None:
            yield from _of_copies(self.copies)


def _of_copies(folder: Path) -> Iterator[GaugeMetricFamily]:
    """Yield the metrics of the database's copies, which all processes share."""
    verdict = read_verdict(folder) or CopyVerdict(0.0, False, "")
    for name, says, value in (
        ("good", "1: the newest copy was made, opened and checked in the last night.", float(verdict.good)),
        ("checked_seconds", "When the copies were checked last, in seconds since 1970.", verdict.at),
        ("made_seconds", "When the newest copy was made, in seconds since 1970.", verdict.made),
        ("bytes", "How large the newest copy is.", float(verdict.bytes)),
        ("kept", "How many copies there are.", float(verdict.kept)),
        ("damaged", "How many copies are not as they were written.", float(len(verdict.damaged))),
    ):
        yield GaugeMetricFamily(f"ziggurat_copy_{name}", says, value=value)
    if (moment := latest(folder)) is not None:
        says = "Of which moment the newest copy between the nights tells, in seconds since 1970."
        yield GaugeMetricFamily("ziggurat_copy_latest_seconds", says, value=moment)


def _histogram(name: str, says: str, times: Times) -> HistogramMetricFamily:
    sums = accumulate(times.counts)
    family = HistogramMetricFamily(name, says)
    buckets = list(zip([*map(str, BUCKET_SECONDS), "+Inf"], map(float, sums), strict=True))
    family.add_metric([], buckets, times.seconds)
    return family


def serve_metrics(place: str, counted: Callable[[], Counters], copies: Path | None = None) -> None:
    """Serve the metrics at `place` (HOST:PORT) from now on, in a thread.

    `copies`: the folder of the copies of the database, if there is one.

    Raises StartError when nobody can listen there.
    """
    host, _, port = place.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= 65535):
        raise StartError(f"The address of the metrics is HOST:PORT, such as 127.0.0.1:9100, and not {place}.")
    registry = CollectorRegistry()
    registry.register(cast(Any, _MetricsPage(counted, copies)))
    try:
        start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
    except OSError as error:
        raise StartError(f"The metrics cannot be told at {place}: {(error.strerror or str(error)).lower()}.") from None
