"""The counters of all processes of a server as one page for Prometheus, on an address of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any, cast

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from ziggurat.server.counters import BOUNDS, Counters, Times
from ziggurat.server.problems import StartError

GAUGES = {
    "sockets": ("ziggurat_sockets", "Sockets at tables."),
    "tables": ("ziggurat_tables_in_memory", "Tables that are remembered."),
    "waiting": ("ziggurat_thoughts_waiting", "Questions of bots and advisers that wait for a process that thinks."),
    "memory": ("ziggurat_process_resident_bytes", "Memory of the processes that serve."),
    "workers": ("ziggurat_workers", "Processes that serve."),
}


class _MetricsPage:
    """The metrics, collected when Prometheus asks."""

    def __init__(self, counted: Callable[[], Counters]) -> None:
        self.counted = counted

    def collect(self) -> Iterator[Any]:
        """Return every metric with its values."""
        now = self.counted()
        moves = CounterMetricFamily("ziggurat_moves", "Moves, by who made them.", labels=["by"])
        for by, count in sorted(now.moves.items()):
            moves.add_metric([by], count)
        yield moves
        refusals = CounterMetricFamily("ziggurat_refusals", "Answers that say: not now.", labels=["status", "kind"])
        for which, count in sorted(now.refusals.items()):
            refusals.add_metric(which.split(), count)
        yield refusals
        yield _histogram("ziggurat_acknowledge_seconds", "From a message to its acknowledgement.", now.acknowledged)
        yield _histogram("ziggurat_database_write_seconds", "From the wish to write to durability.", now.written)
        yield _histogram("ziggurat_thinking_seconds", "Thoughts of bots and advisers.", now.thought)
        cpu = CounterMetricFamily("ziggurat_process_cpu_seconds", "Processor time of the processes that serve.")
        cpu.add_metric([], now.processor)
        yield cpu
        for name, (metric, says) in GAUGES.items():
            yield GaugeMetricFamily(metric, says, value=now.gauges.get(name, 0.0))


def _histogram(name: str, says: str, times: Times) -> HistogramMetricFamily:
    sums = accumulate(times.counts)
    family = HistogramMetricFamily(name, says)
    buckets = list(zip([*map(str, BOUNDS), "+Inf"], map(float, sums), strict=True))
    family.add_metric([], buckets, times.seconds)
    return family


def serve_metrics(place: str, counted: Callable[[], Counters]) -> None:
    """Answer Prometheus at `place` (HOST:PORT) from now on, in a thread.

    Raises StartError when nobody can listen there.
    """
    host, _, port = place.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) <= 65535):
        raise StartError(f"The address of the metrics is HOST:PORT, such as 127.0.0.1:9100, and not {place}.")
    registry = CollectorRegistry()
    registry.register(cast(Any, _MetricsPage(counted)))
    try:
        start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
    except OSError as error:
        raise StartError(f"The metrics cannot be told at {place}: {(error.strerror or str(error)).lower()}.") from None
