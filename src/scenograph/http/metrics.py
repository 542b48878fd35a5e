"""Metrics for Prometheus: requests, renders, conflicts, the queue, replaced engine processes, purged scenes, mails.
Labels take few values: route patterns instead of addresses, formats and themes from the tables."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenograph.wiring import Services

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
NO_ROUTE, THEME_OF_THE_SCENE = "none", "auto"
FAULT, CUT_OFF = 500, 503
ASKED_METHOD = "scenograph.asked_method"  # in the scope of a request answered as another method
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"  # callers can invent methods


class Reading(NamedTuple):
    """A figure read at each scrape."""

    kind: type[GaugeMetricFamily | CounterMetricFamily]
    name: str
    meaning: str
    read: Callable[[], int]


def readings_of(services: Services) -> tuple[Reading, ...]:
    """The figures of the services."""
    gauge, counter = GaugeMetricFamily, CounterMetricFamily
    # fmt: off
    return (
        Reading(gauge, "scenograph_renders_waiting", "Engine calls that wait for their turn.",
                lambda: services.turns.waiting),
        Reading(counter, "scenograph_picture_cache_hits", "Pictures that were kept already.",
                lambda: services.kept_pictures.hits),
        Reading(counter, "scenograph_picture_cache_misses", "Pictures that were not.",
                lambda: services.kept_pictures.misses),
        Reading(gauge, "scenograph_picture_cache_bytes", "Room that kept pictures take.",
                lambda: services.kept_pictures.bytes),
        Reading(counter, "scenograph_workers_replaced", "Engine processes that were lost or retired.",
                services.workers_replaced),
        Reading(counter, "scenograph_scenes_purged", "Deleted scenes that were removed for good.",
                services.scenes_purged),
        Reading(counter, "scenograph_mails_sent", "Mails that were handed over.", lambda: services.mails()[0]),
        Reading(counter, "scenograph_mails_failed", "Mails that were given up.", lambda: services.mails()[1]),
    )
    # fmt: on


class Metrics:
    """The metrics of an application, including the `readings` of external figures."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "scenograph_requests", "Requests answered.", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "scenograph_request_seconds",
            "Time until a reply is whole.",
            ("method", "route"),
            registry=registry,
            buckets=SECONDS,
        )
        self._renders = Counter("scenograph_renders", "Pictures made.", ("format", "theme"), registry=registry)
        self._conflicts = Counter("scenograph_revision_conflicts", "Edits refused for a stale base.", registry=registry)
        registry.register(_Readings(readings))
        ProcessCollector(registry=registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def rendered(self, picture_format: str, theme: str | None) -> None:
        """A picture was made; a theme of None was left to the scene."""
        self._renders.labels(picture_format, theme or THEME_OF_THE_SCENE).inc()

    def conflicted(self) -> None:
        """An edit was refused for its stale base."""
        self._conflicts.inc()

    def text(self) -> bytes:
        """All metrics in Prometheus's text format."""
        return generate_latest(self._registry)


class _Readings(Collector):
    """External figures, read at each scrape."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._readings = tuple(readings)

    def collect(self) -> Iterator[Metric]:
        for reading in self._readings:
            yield reading.kind(reading.name, reading.meaning, reading.read())


class Measured:
    """Counts every request by its route."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = FAULT

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        began = time.perf_counter()
        try:
            await self._app(scope, receive, send_noting)
        except asyncio.CancelledError:
            status = CUT_OFF
            raise
        finally:
            route = getattr(scope.get("route"), "path", NO_ROUTE)
            method = scope.get(ASKED_METHOD, scope["method"])
            self._metrics.answered(method if method in METHODS else OTHER, route, status, time.perf_counter() - began)


def metrics_of(request: Request) -> Metrics:
    """The metrics of the request's application."""
    return cast("Metrics", request.app.state.metrics)
